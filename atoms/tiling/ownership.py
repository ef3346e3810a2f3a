"""Who owns what: the threads that hold an element, and the elements that a thread holds.

Threads are physical: lanes by the atom's ``thr_id`` (a Volta quad-pair has T0-T3 and T16-T19), threads of the block for
a tiled MMA or copy.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, NamedTuple

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.base.words import word
from laycalc.algebra.values.htuple import HTuple, entries, format_htuple
from laycalc.algebra.values.shape import crd2idx, natural

from ..instructions.record import Atom
from ..instructions.refusal import argument
from .copy_tiling import TiledCopy
from .mma_tiling import TiledMMA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laycalc.algebra.values.layout import Layout

__all__ = ["Held", "Holder", "Owner", "View", "all_values", "elements", "owner", "view"]

Holder = Atom | TiledMMA | TiledCopy

LIMIT = 1 << 22
"""(thread, value) pairs that are looked through."""


class Owner(NamedTuple):
    """A thread, and the index of the value in it, that hold an element."""

    thread: int
    value: int


class Held(NamedTuple):
    """A value of a thread, and the coordinate of the element that it holds."""

    value: int
    coordinate: tuple[int, ...]


class View(NamedTuple):
    """(logical thread, value) -> index in the tile, the physical thread of each logical one, and the extents of the
    tile.
    """

    layout: Layout
    threads: list[int]
    extents: tuple[int, ...]

    @property
    def values(self) -> int:
        return int(self.layout[1].size)


def view(holder: Holder, operand: str) -> View:
    """The thread-value layout of an operand (A, B, C, ... or S, D), with its threads and its tile.

    The one access that owners, tables and pictures share. For a copy atom the tile is its bits.
    """
    if isinstance(holder, TiledMMA):
        return View(holder.logical(operand), holder.thr_vmnk.values(), holder.extents(operand))
    if isinstance(holder, TiledCopy):
        return View(holder.layout(operand), list(range(holder.threads)), holder.extents)
    layout = holder.operand(operand)
    # An operand may occupy fewer lanes than the instruction has.
    threads = holder.thr_id.values()[: layout[0].size]
    extents = holder.extents(operand) if holder.kind == "mma" else (1 + max(layout.values()),)
    return View(layout, threads, extents)


@word("""
    atoms: owner(x: holder, operand: string, c: integers) -> owned
    who holds the element at a coordinate
    owner(atom("SM80_16x8x16_F32F16F16F32_TN"), "C", (5,3))
""")
def owner(holder: Holder, operand: str, coordinate: int | Sequence[int]) -> list[Owner]:
    """Every (thread, value) that holds the element at a coordinate, by thread, then value.

    ``coordinate`` is (m, k) for A, (n, k) for B, (m, n) for C and for the sides of a tiled copy, or the index in the
    tile. Empty where nobody holds it. LC205 outside the tile.

    >>> from ..instructions.catalogue import atom
    >>> owner(atom("SM80_16x8x16_F32F16F16F32_TN"), "C", (5, 3))
    [Owner(thread=21, value=1)]
    """
    seen = view(holder, operand)
    wanted = _index(operand, coordinate, seen.extents)
    count = len(seen.threads)
    held = (at for at, value in enumerate(all_values(seen)) if value == wanted)
    return sorted(Owner(seen.threads[at % count], at // count) for at in held)


@word("""
    atoms: elements(x: holder, operand: string, thread: integer) -> held
    what a thread holds
    elements(atom("SM80_16x8x16_F32F16F16F32_TN"), "C", 21)
""")
def elements(holder: Holder, operand: str, thread: int) -> list[Held]:
    """What a thread holds of an operand, in order of its values.

    LC205 for a thread that does not take part.

    >>> from ..instructions.catalogue import atom
    >>> [held.coordinate for held in elements(atom("SM80_16x8x16_F32F16F16F32_TN"), "C", 21)]
    [(5, 2), (5, 3), (13, 2), (13, 3)]
    """
    seen = view(holder, operand)
    if thread not in seen.threads:
        raise refuse(
            "LC205",
            "thread {thread} holds nothing of {operand}; the threads are {threads}",
            op="elements",
            thread=thread,
            operand=operand,
            threads=_ranges(sorted(seen.threads)),
        )
    index = seen.threads.index(thread)
    return [Held(v, _coordinate(seen.layout((index, v)), seen.extents)) for v in range(seen.values)]


def _ranges(numbers: list[int]) -> str:
    """Sorted numbers as runs: 0-3, 16-19."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def all_values(seen: View) -> list[int]:
    """The index in the tile of every (thread, value), threads fastest; LC104 for more than 2^22."""
    if seen.layout.size > LIMIT:
        raise refuse("LC104", "{size} values are more than {limit}", op="owner", size=seen.layout.size, limit=LIMIT)
    return seen.layout.elements()


def _index(operand: str, coordinate: int | Sequence[int], extents: tuple[int, ...]) -> int:
    if isinstance(coordinate, int):
        inside, index = 0 <= coordinate < prod(extents), coordinate
    else:
        given = tuple(coordinate)
        if len(given) != len(extents) or not all(isinstance(c, int) for c in given):
            raise argument(
                "owner",
                "coordinate {coordinate} does not fit the tile {extents} of {operand}",
                coordinate=format_htuple(given),
                extents=format_htuple(extents),
                operand=operand,
            )
        inside = all(0 <= c < extent for c, extent in zip(given, extents, strict=True))
        index = crd2idx(given, extents)
    if not inside:
        raise refuse(
            "LC205",
            "coordinate {coordinate} is outside the tile {extents} of {operand}",
            op="owner",
            coordinate=format_htuple(coordinate if isinstance(coordinate, int) else tuple(coordinate)),
            extents=format_htuple(extents),
            operand=operand,
        )
    return index


def _coordinate(index: HTuple, extents: tuple[int, ...]) -> tuple[int, ...]:
    found: tuple[int, ...] = entries(natural(index, extents))
    return found
