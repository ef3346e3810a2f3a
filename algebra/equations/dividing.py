"""A / X = C for one tile X: the result is (A o X, A o X*), the tile and what counts the tiles.

As a function C begins with the values of A o X, whatever its modes are: X is a right factor of its first n values, n a
divisor of its size.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from ..base.effort import Budget
from ..base.errors import LayoutError, observing
from ..finding.fit import fit
from ..operations.divide import logical_divide
from ..values.htuple import entries
from ..values.layout import Layout
from ..values.lifting import Lifted, lift
from ..values.tensor import Tensor
from .left import right_factor
from .solution import NO_LAYOUT, NONE, SOLVED, TRIES, UNDECIDED, Solution, listed

__all__ = ["divisor"]

RUNS = 1 << 10
"""Strides of a tile that are tried."""

_divide = lift(logical_divide)


def divisor(outer: Lifted, wanted: Lifted) -> Solution:
    """The tile X with ``outer / X = wanted``; that of the first mode of C if it has two, else of its first values.

    >>> str(divisor(Layout((4, 2, 3), (2, 1, 8)), Layout(((2, 2), (2, 3)), ((4, 1), (2, 8)))).value)
    '4:2'
    """
    with observing():
        found = _searched(outer, wanted)
    if found.value is not None:
        # Now for its remarks.
        _divide(outer, found.value)
    return found


def _searched(outer: Lifted, wanted: Lifted) -> Solution:
    values = listed(wanted, "solve")
    failed: list[Solution] = []
    budget = Budget(TRIES)
    for tile, meant in _tiles(wanted, values):
        if budget.is_spent:
            reason = f"the search for a tile ended after {TRIES} values; {failed[0].reason}"
            return Solution(UNDECIDED, reason=reason)
        found = right_factor(outer, tile)
        outside = found.outside if meant else None
        for x in chain(_tries(found.replace(outside=outside)), _runs(outer, tile, len(values))):
            if _divided(outer, x) == values:
                return Solution(SOLVED, x, outside=outside)
        failed.append(_failure(outer, wanted, tile, found))
    if not failed:
        return Solution(NO_LAYOUT, reason=f"no first values of {wanted} are those of a layout")
    first = failed[0]
    return first if all(each.verdict == NONE for each in failed) else first.replace(verdict=NO_LAYOUT)


def _tiles(wanted: Lifted, values: list[Any]) -> Iterator[tuple[Lifted, bool]]:
    """What A o X may be: the first mode of two, and the layouts of first values whose number divides that of all.

    The first mode is what is meant, and may reach outside; the others are not taken for that.
    """
    if (mode := _first_mode(wanted)) is not None:
        yield mode, True
    for n in range(len(values), 0, -1):
        if len(values) % n == 0 and (found := fit(values[:n]).value) is not None:
            yield found, False


def _first_mode(wanted: Lifted) -> Lifted | None:
    """The first mode of C, if it has two."""
    if not isinstance(wanted.shape, tuple) or len(entries(wanted.shape)) != 2:
        return None
    if isinstance(wanted, Tensor):
        return None if wanted.layout is None else Tensor(wanted.offset, wanted.layout[0])
    return wanted[0]


def _tries(found: Solution) -> Iterator[Layout]:
    """The tiles that may be meant."""
    yield from (x for x in (found.value, *found.others, found.outside) if isinstance(x, Layout))


def _runs(outer: Lifted, tile: Lifted, most: int) -> Iterator[Layout]:
    """Tiles n:d where A takes one value many times: the values of the tile do not tell d, the rest does."""
    if not isinstance(outer, Layout) or 0 not in outer.flat()[1] or tile.size == 1:
        return
    values = tile.elements()
    for d in range(1, min(most, RUNS) + 1):
        x = Layout(tile.size, d)
        if all(outer.element(x.element(c)) == v for c, v in enumerate(values)):
            yield x


def _divided(outer: Lifted, tile: Layout) -> list[Any] | None:
    """The values of A / X, None if it is refused."""
    try:
        return listed(_divide(outer, tile), "solve")
    except LayoutError:
        return None


def _failure(outer: Lifted, wanted: Lifted, tile: Lifted, found: Solution) -> Solution:
    """Why A / X is not C where the tile is A o X."""
    if found.verdict != SOLVED:
        return found.replace(reason=f"for the tile, A o X = {tile}: {found.reason}", outside=None)
    reason = f"A o X = {tile} makes X = {found.value}, but A / {found.value} is not {wanted}"
    return Solution(NONE if found.is_unique else NO_LAYOUT, reason=reason)
