"""A o X = C and A / X = C for a tiler X: one equation for each mode of A, or one for all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, TypeAlias

from ..base.errors import LayoutError
from ..operations.divide import logical_divide
from ..values.htuple import entries
from ..values.layout import Layout
from ..values.lifting import Lifted
from ..values.swizzle import Composed
from ..values.tensor import Tensor
from ..values.tiler import Tiler
from .left import right_factor
from .solution import NO_LAYOUT, NONE, SOLVED, Solution

__all__ = ["composing_tiler", "dividing_tiler"]

RUNS = 1 << 10
"""Strides of a tile that are tried."""

Equation: TypeAlias = Callable[[Any, Any], Solution]


def composing_tiler(outer: Lifted, wanted: Lifted) -> Solution:
    """X with ``outer o X = wanted``: a tiler where each mode has a solution, else a layout.

    A tile may reach outside, as CuTe composes it: the last mode of A, or of a mode of A, goes on. The solution has it
    in ``outside`` too then.

    >>> str(composing_tiler(Layout((128, 64), (64, 1)), Layout((64, 32), (64, 1))).value)
    '<64:1,32:1>'
    """
    return _tiled(*_inside(outer, wanted), _reaching, lambda mode: True)


def dividing_tiler(outer: Lifted, wanted: Lifted) -> Solution:
    """X with ``outer / X = wanted``, the logical divide: by mode where C is, else a layout.

    Law: ``logical_divide(outer, X)(c) = wanted(c)``.

    >>> str(dividing_tiler(Layout(24, 1), Layout((8, 3), (3, 1))).value)
    '8:3'
    """
    return _tiled(*_inside(outer, wanted), _divisor, lambda mode: len(mode) == 2)


def _inside(outer: Lifted, wanted: Lifted) -> tuple[Lifted, Lifted]:
    """The layouts inside one swizzle or behind one offset: what is outside stays where it is."""
    if isinstance(outer, Composed) and isinstance(wanted, Composed):
        if (outer.swizzle, outer.offset) == (wanted.swizzle, wanted.offset):
            return outer.layout, wanted.layout
    elif isinstance(outer, Tensor) and isinstance(wanted, Tensor) and outer.offset == wanted.offset:
        return _inside(outer.layout or Layout(()), wanted.layout or Layout(()))
    return outer, wanted


def _reaching(outer: Lifted, wanted: Lifted) -> Solution:
    """The right factor, also one that reaches outside."""
    found = right_factor(outer, wanted)
    if found.outside is None:
        return found
    return Solution(SOLVED, found.outside, count=1, outside=found.outside)


def _tiled(outer: Lifted, wanted: Lifted, equation: Equation, fits: Callable[[Layout], bool]) -> Solution:
    """The solution by mode, else that of the whole; if neither is, why it is none by mode."""
    modes = _modes(outer, wanted)
    found: list[Solution] = []
    if modes and all(a == c or fits(c) for a, c in modes):
        for i, (a, c) in enumerate(modes):
            # A mode that stays as it is needs no tile.
            found.append(Solution(SOLVED) if a == c else _in_mode(i, equation(a, c)))
        if all(part.verdict == SOLVED for part in found):
            return _joined(found)
    whole = equation(outer, wanted)
    if whole.verdict == SOLVED or not found:
        return whole
    return next(part for part in found if part.verdict != SOLVED)


def _modes(outer: Lifted, wanted: Lifted) -> list[tuple[Layout, Layout]]:
    """The modes of A and C, pairwise; none if they are no tuples of one rank."""
    if not isinstance(outer, Layout) or not isinstance(wanted, Layout):
        return []
    if not isinstance(outer.shape, tuple) or not isinstance(wanted.shape, tuple) or outer.rank != wanted.rank:
        return []
    return list(zip(outer.modes(), wanted.modes(), strict=True))


def _in_mode(mode: int, found: Solution) -> Solution:
    if found.verdict == SOLVED:
        return found
    witness = None if found.witness is None else {"mode": mode, **found.witness}
    return found.replace(reason=f"mode {mode}: {found.reason}", witness=witness)


def _joined(found: list[Solution]) -> Solution:
    """One tiler of the solutions of all modes."""
    free = [f"mode {i}: {part.freedom}" for i, part in enumerate(found) if part.freedom]
    count = 1
    for part in found:
        count *= max(1, part.count)
    tiler = Tiler([part.value for part in found])
    outside = tiler if any(part.outside is not None for part in found) else None
    return Solution(SOLVED, tiler, count=count, freedom="; ".join(free), outside=outside)


def _divisor(outer: Lifted, wanted: Lifted) -> Solution:
    """The tile X with A / X = C = (A o X, A o X*): the right factor of C's first mode, if the rest is C's second."""
    tile = _tile(wanted)
    if tile is None or not isinstance(outer, Layout):
        reason = f"A / X has two modes, the tile and the rest; C = {wanted} has not" if tile is None else _PLAIN
        return Solution(NONE, reason=reason)
    found = right_factor(outer, tile)
    values = wanted.elements()
    for x in chain(_tries(found), _runs(outer, tile, wanted.size)):
        divided = _divided(outer, x)
        if divided is not None and divided.elements() == values:
            return Solution(SOLVED, x, count=1, outside=found.outside)
    if found.verdict != SOLVED:
        return found.replace(reason=f"for the tile, A o X = {tile}: {found.reason}")
    reason = f"A o X = {tile} makes X = {found.value}, and A / X is {_divided(outer, found.value)}, not {wanted}"
    return Solution(NONE if found.is_unique else NO_LAYOUT, reason=reason)


_PLAIN = "a divide by a tile is solved for a plain layout A"


def _tile(wanted: Lifted) -> Layout | None:
    """The first mode of C, if it has two."""
    if not isinstance(wanted, Layout) or not isinstance(wanted.shape, tuple) or len(entries(wanted.shape)) != 2:
        return None
    return wanted[0]


def _tries(found: Solution) -> Iterator[Layout]:
    """The tiles that may be meant."""
    yield from (x for x in (found.value, *found.others, found.outside) if isinstance(x, Layout))


def _runs(outer: Layout, tile: Layout, most: int) -> Iterator[Layout]:
    """Tiles n:d where A takes one value many times: the values of the tile do not tell d, the rest does."""
    if 0 in outer.flat()[1] and tile.size > 1:
        values = tile.elements()
        for d in range(1, min(most, RUNS) + 1):
            x = Layout(tile.size, d)
            if all(outer.element(x.element(c)) == v for c, v in enumerate(values)):
                yield x


def _divided(outer: Layout, tile: Layout) -> Layout | None:
    try:
        return logical_divide(outer, tile)
    except LayoutError:
        return None
