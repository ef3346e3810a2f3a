"""Claims about layouts as functions: equality, identity, admissibility (CuTe paper, 3.3 and 5.4.4)."""

from __future__ import annotations

from typing import Any

from ..base.effort import check_compared
from ..base.words import word
from ..operations.build import make_identity_layout
from ..operations.image import bounded_values, image
from ..values.coalesce import coalesce
from ..values.htuple import HTuple
from ..values.layout import Layout, make
from ..values.lifting import Lifted
from ..values.shape import size
from ..values.swizzle import Composed
from ..values.tensor import Tensor


@word("""
    values: equal(A: any-layout, B: any-layout) alias equivalent
    the same size and the same integer function
    law: A(i) = B(i)
    equal((4,2):(1,4), 8:1)
""")
def equal(a: Any, b: Any) -> bool:
    """Equivalence: the same size and the same function on 0..size-1.

    The coalesced form over Z and Z^P is unique, so it decides without listing values; XOR strides and swizzles
    are compared by their bits where extents are powers of two, else by value (LC104 above 2^20).

    >>> equal(Layout((4, 6), (1, 4)), Layout(24, 1)), equal(Layout(4, 1), Layout(4, 2))
    (True, False)
    """
    if not isinstance(a, (Layout, Composed, Tensor)) or not isinstance(b, (Layout, Composed, Tensor)):
        return bool(a == b)
    if a == b:
        return True
    if isinstance(a, Layout) and isinstance(b, Layout):
        x, y = coalesce(a), coalesce(b)
        if x == y:
            return True
        if "F2" not in (a.semimodule, b.semimodule) or a.size != b.size:
            return False
    elif a.size != b.size:
        return False
    check_compared("equal", a.size)
    return bool(a.values() == b.values())


@word("""
    values: is_identity(L: layout, shape: shape)
    the identity of a shape
    is_identity((4,6):(1,4), (4,6))
""")
def is_identity(layout: Layout, shape: HTuple) -> bool:
    """Does L give every coordinate of the shape as its own value, or every index for an integer codomain?

    >>> is_identity(Layout((3, (4, 2)), (1, (3, 12))), 24), is_identity(Layout((4, 6), (6, 1)), 24)
    (True, False)
    """
    return equal(layout, identity_like(layout, shape))


def identity_like(layout: Layout, shape: HTuple) -> Layout:
    """The identity of the shape with values of the kind that L has: coordinates, or indices."""
    return make_identity_layout(shape) if layout.semimodule == "Z^P" else make(size(shape), 1)


def first_missing(instruction: Lifted, data: Lifted) -> Any:
    """The first value of ``instruction`` that ``data`` does not have, None if there is none."""
    places, found = image(data), bounded_values(instruction, "admissible")
    if not isinstance(instruction, Layout) or not isinstance(data, Layout):
        return next((v for v in found if v not in places), None)
    # Elements compare across profiles: (0,1) and 1e1 are one value.
    elements = set(data.elements())
    return next((v for v, e in zip(found, instruction.elements(), strict=True) if e not in elements), None)


@word("""
    values: admissible(T: layout, A: layout)
    every value of T is a value of A
    admissible((2,128):(1,16384), (128,64):(16384,1))
""")
def admissible(instruction: Lifted, data: Lifted) -> bool:
    """Can an instruction that addresses T be applied to data A: is image(T) inside image(A)?

    Where: ``A^L o T``. Law: ``A(A^L(T(i))) = T(i)`` for all i. Source: paper 5.4.4.

    >>> admissible(Layout(4, 2), Layout(8, 1)), admissible(Layout(4, 3), Layout(8, 1))
    (True, False)
    """
    return first_missing(instruction, data) is None
