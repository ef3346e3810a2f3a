"""Factors by inverses, for extents that are unknown or too many to list: X = A^L o C and X = C o B^L.

A left inverse gives back every index, so that a factor there is must be this one; the law decides whether it is one.
"""

from __future__ import annotations

from typing import Any

from ..base.decide import less
from ..base.effort import VALUES
from ..base.errors import LayoutError, refuse
from ..operations.coincidence import unknown
from ..operations.on_swizzled import compose, left_inverse
from ..values.coalesce import coalesce
from ..values.layout import Layout, reach
from ..values.lifting import Lifted, lift
from ..values.swizzle import Composed
from ..values.tensor import Tensor

__all__ = ["is_listed", "left_factor_by_inverse", "right_factor_by_inverse"]

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
    """X = A^L o C, if A o X = C and X stays inside A; LC316 if not, else what inverse and composition refuse."""
    found = _composed(left_inverse(outer), wanted, "solve")
    _check_inside(found, outer)
    found = _smallest(found)
    return _checked(found, _composed(outer, found, "solve"), wanted, "solve", f"{outer} o X")


def left_factor_by_inverse(inner: Lifted, wanted: Lifted) -> Lifted:
    """X = C o B^L, if X o B = C; LC316 if not, else what inverse and composition refuse."""
    found = _composed(wanted, left_inverse(inner), "solve_left")
    found = _smallest(found)
    return _checked(found, _composed(found, inner, "solve_left"), wanted, "solve_left", f"X o {inner}")


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


def _checked(found: Lifted, made: Any, wanted: Lifted, op: str, equation: str) -> Lifted:
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
