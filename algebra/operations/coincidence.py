"""Mode-wise compositions that are right by coincidence: an inexact cut that strides 0, negative or XOR make good.

Over positive strides an inexact cut always shows in some value; otherwise only the values tell.
"""

from __future__ import annotations

from typing import Any

from ..base.decide import known_at_most, unlisted
from ..base.errors import LayoutError
from ..values.layout import Layout
from ..values.semimodule import Coordinate, Xor
from .cutlass import StaticAssert, cutlass_composition

LIMIT = 1 << 16
"""How many values are compared; a larger composition that needs it is refused."""


def coincident(left: Layout, right: Layout) -> Layout | None:
    """The mode-wise result if it has the values of A(B(c)), where the strides of A leave that open; None otherwise."""
    total = right.size
    if all(map(_positive, left.flat()[1])) or (type(total) is int and total > LIMIT):
        return None
    if unknown(left, right):
        unlisted("coincidence")
        return None
    try:
        candidate = cutlass_composition(left, right)
    except (StaticAssert, LayoutError):
        return None
    return candidate if candidate.elements() == [left.element(v) for v in right.elements()] else None


def unknown(*layouts: Layout) -> bool:
    """Has a layout numbers without a value, so that it cannot be listed?"""
    return any(map(_unknown, (x for layout in layouts for leaves in layout.flat() for x in leaves)))


def _unknown(x: Any) -> bool:
    return any(hasattr(c, "symbols") for _, c in x.terms) if isinstance(x, Coordinate) else hasattr(x, "symbols")


def _positive(d: Any) -> bool:
    if isinstance(d, Coordinate):
        return all(known_at_most(1, c) for _, c in d.terms)
    return not isinstance(d, Xor) and known_at_most(1, d)
