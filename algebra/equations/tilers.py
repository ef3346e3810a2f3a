"""A o X = C and A / X = C for a tiler X: one equation for each mode of A, or one for all of it."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, TypeAlias

from ..finding.fit import fit
from ..questions.laws import equal
from ..values.htuple import flatten, unflatten
from ..values.layout import Layout, nested
from ..values.lifting import Lifted
from ..values.semimodule import semimodule
from ..values.tensor import Tensor
from ..values.tiler import Tiler
from .digits import minus
from .dividing import divisor
from .left import right_factor
from .solution import SOLVED, Solution, listed

__all__ = ["composing_tiler", "dividing_tiler"]

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
    return _tiled(*_inside(outer, wanted), divisor, lambda mode: len(mode) == 2)


def _inside(outer: Lifted, wanted: Lifted) -> tuple[Lifted, Lifted]:
    """The layout inside a swizzle and behind an offset, and what C is seen from there, in the shape of C.

    The two as they are where that is no layout.
    """
    if isinstance(outer, Layout) and isinstance(wanted, Layout):
        return outer, wanted
    seen = _seen_through(outer, listed(wanted, "solve"))
    if seen is None:
        return outer, wanted
    layout, values = seen
    extents = flatten(wanted.shape) or (1,)
    found = fit(values, extents, xor=layout.semimodule == "F2").value
    if not isinstance(found, Layout):
        return outer, wanted
    modes = found.modes() if len(extents) > 1 else (found,)
    return layout, nested(unflatten(modes, wanted.shape))


def _seen_through(outer: Lifted, values: list[Any]) -> tuple[Layout, list[Any]] | None:
    """The layout inside, and the values that it must take where ``outer`` takes the given ones."""
    if isinstance(outer, Layout):
        return outer, values
    if isinstance(outer, Tensor):
        kinds = {semimodule(v) for v in (*values, outer.offset) if v}
        inside = outer.layout or Layout(())
        return _seen_through(inside, [minus(v, outer.offset) for v in values]) if len(kinds) < 2 else None
    if any(type(v) is not int for v in values):
        return None
    return outer.layout, [v - outer.offset for v in outer.swizzle.images(values)]


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
    if modes and all(fits(c) or equal(a, c) for a, c in modes):
        # A mode that is no pair and stays as it is needs no tile.
        found = [_in_mode(i, equation(a, c)) if fits(c) else Solution(SOLVED) for i, (a, c) in enumerate(modes)]
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
    count = prod(part.count for part in found)
    tiler = Tiler([part.value for part in found])
    outside = tiler if any(part.outside is not None for part in found) else None
    return Solution(SOLVED, tiler, count=count, freedom="; ".join(free), outside=outside)
