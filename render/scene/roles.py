"""Which role a cell takes: by offset, thread, value, warp, bank, tile or mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .palette import GROUPS, SERIES, Theme
from .scene import Key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from laycalc.algebra.values.swizzle import Swizzle

QUAD = 4
"""Threads of a quad."""
BANKS = 32
"""Banks of shared memory, four bytes wide each."""


def group_role(k: int, *, second: bool = False) -> str:
    """The role of group k, in its second tone or not: eight hues, then the same again hatched."""
    return f"{'d' if second else 'c'}{k % SERIES}"


def bank_of(offset: int, bits: int) -> int:
    """The bank that holds an element: offset in elements of ``bits`` bits, 32 banks of 4 bytes."""
    return offset * bits // 32 % BANKS


def bank_role(bank: int) -> str:
    """Four neighbouring banks share a hue; odd ones take the second tone."""
    return f"{'cd'[bank % 2]}{bank // 4 % GROUPS}"


def chunk_of(swizzle: Swizzle, offset: int) -> int:
    """The number of an offset's chunk: the bits that the swizzle changes."""
    return (offset & swizzle.target) // (swizzle.target & -swizzle.target or 1)


def chunk_keys(swizzle: Swizzle) -> tuple[Key, ...]:
    """The legend of chunks, if each has a role of its own."""
    chunks = 1 << swizzle.bits
    return tuple(Key(group_role(k), f"chunk {k}") for k in range(chunks)) if chunks <= SERIES else ()


def bank_keys() -> tuple[Key, ...]:
    """The legend of banks."""
    fours = (Key(f"c{k}", f"banks {4 * k}–{4 * k + 3}") for k in range(GROUPS))
    return *fours, Key("d0", "fainter: odd banks")


def offset_roles(numbers: Sequence[int], theme: Theme) -> tuple[Callable[[int], str], tuple[Key, ...]]:
    """The role of each of the ``numbers``, darker as they grow, and the legend that explains it."""
    if theme.cyclic:
        n = theme.steps
        return (lambda v: f"o{v % n}"), tuple(Key(f"o{k}", f"offset mod {n} = {k}") for k in range(n))
    distinct = sorted(set(numbers))
    count = bands(len(distinct), theme.steps)
    roles: dict[int, str] = {}
    keys = []
    for k in range(count):
        # Bands of equally many offsets: the rows and columns of a layout of powers of two are not cut.
        band = distinct[-(-k * len(distinct) // count) : -(-(k + 1) * len(distinct) // count)]
        role = f"o{k if count == len(distinct) else k * (theme.steps - 1) // (count - 1)}"
        roles |= dict.fromkeys(band, role)
        said = f"{band[0]}" if len(band) == 1 else f"{band[0]}–{band[-1]}"
        keys.append(Key(role, said if k else f"offset {said}"))
    return (lambda v: roles.get(v, "plain")), tuple(keys) if len(keys) > 1 else ()


def bands(distinct: int, steps: int) -> int:
    """How many bands of colour so many offsets get: one each while there are steps, else 8 or 4 even ones, or 6.

    >>> bands(5, 8), bands(32, 8), bands(12, 8), bands(30, 8)
    (5, 8, 4, 6)
    """
    if distinct <= steps:
        return distinct
    return next((n for n in (8, 4) if distinct % n == 0), 6)
