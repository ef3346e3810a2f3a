"""Factors by inverses, for extents that are unknown or too many to list: X = A^L o C and X = C o B^L.

A left inverse gives back every index, so that a factor there is must be this one; the law decides whether it is one.
"""

from __future__ import annotations

from typing import Any, TypeVar

from ..base.decide import known_same, less, same
from ..base.effort import VALUES
from ..base.errors import LayoutError, refuse
from ..operations.coincidence import unknown
from ..operations.divide import logical_divide
from ..operations.on_swizzled import compose, left_inverse
from ..values.coalesce import coalesce
from ..values.layout import Layout, reach
from ..values.lifting import Lifted, lift
from ..values.swizzle import Composed
from ..values.tensor import Tensor
from ..values.tiler import Tiler

__all__ = ["divisor_by_inverse", "is_listed", "left_factor_by_inverse", "right_factor_by_inverse"]

X = TypeVar("X", Layout, Lifted, Layout | Tiler)

POINTS = 1 << 18
"""Values of B up to which X is searched from its rows, which cost more each than entries of a table."""


def is_listed(*layouts: Lifted, on_left: bool = False) -> bool:
    """Are the extents known, and few enough to list the values; for X ``on_left``, to search X from them?"""
    sizes = [layout.size for layout in layouts]
    most = POINTS if on_left else VALUES
    return all(type(n) is int and n <= most for n in sizes) and not any(map(_unknown, layouts))


def _unknown(value: Lifted | None) -> bool:
    if isinstance(value, Tensor):
        return hasattr(value.offset, "symbols") or _unknown(value.layout)
    return unknown(value.layout if isinstance(value, Composed) else value) if value is not None else False


def right_factor_by_inverse(outer: Lifted, wanted: Lifted) -> Lifted:
    """X = A^L o C, if A o X = C and X stays inside A; LC316 if not, else what inverse and composition refuse.

    LC106 for unknown extents where A takes a value at several indices: which of them is best depends on the numbers.
    """
    if _unknown(outer) and _repeats(outer):
        raise _open("solve", f"the choice among the indices of one value of {outer}")
    found = _composed(left_inverse(outer), wanted, "solve")
    _check_inside(found, outer)
    found = _smallest(found)
    return _checked(found, _composed(outer, found, "solve"), wanted, "solve", f"{outer} o X")


def left_factor_by_inverse(inner: Lifted, wanted: Lifted) -> Lifted:
    """X = C o B^L, if X o B = C; LC316 if not, else what inverse and composition refuse.

    LC106 for unknown extents where B leaves out indices: how X goes on there depends on the numbers.
    """
    back = left_inverse(inner)
    if (_unknown(inner) or _unknown(wanted)) and (_repeats(inner) or not same(back.size, inner.size)):
        raise _open("solve_left", f"what X is between the values of {inner}")
    found = _smallest(_composed(wanted, back, "solve_left"))
    return _checked(found, _composed(found, inner, "solve_left"), wanted, "solve_left", f"X o {inner}")


def divisor_by_inverse(outer: Lifted, wanted: Lifted) -> Layout | Tiler:
    """X = A^L o T for the tile T of C, or of each of its modes, if A / X = C; LC316 if not.

    LC106 for unknown extents where C may be divided by mode or as a whole.
    """
    if not isinstance(outer, Layout) or not isinstance(wanted, Layout):
        raise _open("solve_divide", f"a tile of {outer}")
    by_mode = isinstance(outer.shape, tuple) and isinstance(wanted.shape, tuple) and outer.rank == wanted.rank
    modes = list(zip(outer.modes(), wanted.modes(), strict=False))
    found: Layout | Tiler
    if by_mode and all(c.rank == 2 or a == c for a, c in modes):
        found = Tiler(_tile(a, c) if c.rank == 2 else None for a, c in modes)
    elif by_mode and (_unknown(outer) or _unknown(wanted)):
        raise _open("solve_divide", f"whether {wanted} is divided by mode")
    else:
        found = _tile(outer, wanted)
    return _checked(found, logical_divide(outer, found), wanted, "solve_divide", f"{outer} / X")


def _repeats(layout: Lifted) -> bool:
    """Has the layout a mode that repeats its values?"""
    if not isinstance(layout, Layout):
        return False
    return any(known_same(d, 0) and not known_same(s, 1) for s, d in zip(*layout.flat(), strict=True))


def _open(op: str, what: str) -> LayoutError:
    return refuse("LC106", "{op}: {what} depends on the values of the unknowns", op=op, what=what)


def _tile(outer: Layout, wanted: Layout) -> Any:
    """The tile that makes the first of two modes."""
    if wanted.rank != 2:
        raise refuse(
            "LC316",
            "A / X has two modes, the tile and the rest, and {wanted} has {rank}",
            op="solve_divide",
            wanted=str(wanted),
            rank=wanted.rank,
            left_path=(),
            right_path=(),
        )
    found = _composed(left_inverse(outer), wanted[0], "solve_divide")
    _check_inside(found, outer)
    return _smallest(found)


def _smallest(found: Lifted) -> Lifted:
    """X with the fewest modes, if its extents are known; to merge unknown ones would ask for more conditions."""
    x: Lifted = found if _unknown(found) else lift(coalesce)(found)
    return x


def _composed(left: Any, right: Any, op: str) -> Any:
    """The composition; what it refuses is not about the modes of the operands that were given."""
    try:
        return compose(left, right)
    except LayoutError as error:
        facts = {key: value for key, value in error.facts.items() if not key.endswith(("_path", "_paths"))}
        facts |= {"op": op, "tried": f"{left} o {right}", "reason": str(error)}
        raise refuse(error.code, "{tried}: {reason}", **facts) from None


def _check_inside(found: Lifted, outer: Lifted) -> None:
    """LC316 if X goes past the end of A."""
    if not isinstance(found, Layout) or found.semimodule != "Z":
        return
    last = reach(*found.flat())
    if not less(last, outer.size):
        raise refuse(
            "LC316",
            "X = {found} reaches {reach}, past the {size} elements of A",
            op="solve",
            found=str(found),
            reach=last,
            size=outer.size,
            left_path=(),
            right_path=(),
        )


def _checked(found: X, made: Any, wanted: Lifted, op: str, equation: str) -> X:
    """X, if the law holds for it; the forms of the two sides decide."""
    from ..symbolic.compare import equal_functions

    if equal_functions(made, wanted):
        return found
    raise refuse(
        "LC316",
        "X = {found} would make {made} of {equation}, not {wanted}",
        op=op,
        equation=equation,
        found=str(found),
        made=str(made),
        wanted=str(wanted),
        left_path=(),
        right_path=(),
    )
