"""The last resort: a layout read off the values of a composition, leaf by leaf."""

from __future__ import annotations

from ..base.errors import LayoutError
from ..finding.synthesis import layout_of
from ..operations.composition import composition
from ..values.htuple import unflatten
from ..values.layout import Layout, make, nested
from ..values.shape import natural

LIMIT = 1 << 14
"""How many values of a leaf, and of a whole composition, are compared."""


def layout_by_values(outer: Layout, inner: Layout) -> tuple[Layout | None, bool]:
    """The layout with ``R(c) = B(A(c))`` whose shape refines that of A, or None; and whether that was decided.

    A function of the natural coordinates is a layout exactly when each leaf on its own is one and the leaves add up.
    Undecided (False) where more than 2^14 values would have to be compared.

    >>> layout_by_values(Layout((2, 2), (0, 8)), Layout(2, 3))
    (Layout('2:8'), True)
    """
    parts: list[Layout] = []
    for s, d in zip(*inner.flat(), strict=True):
        try:
            part: Layout | None = composition(outer, make(s, d))
        except LayoutError:
            if s > LIMIT:
                return None, False
            part = layout_of([outer.element(i * d) for i in range(s)])
        if part is None:
            return None, True
        parts.append(part)
    result = nested(unflatten(parts, inner.shape))
    if sum(s > 1 for s in inner.flat()[0]) < 2:
        return result, True
    if inner.size > LIMIT:
        return None, False
    for i in range(inner.size):
        if outer.element(inner.element(i)) != result.element(natural(i, inner.shape)):
            return None, True
    return result, True
