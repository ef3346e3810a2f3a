"""Composition, divide, product and inverses over swizzled layouts and tensors as well as plain layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..base.effort import VALUES, check_compared
from ..base.errors import LayoutError, refuse
from ..base.words import word
from ..finding.synthesis import xor_layout
from ..values.coalesce import merged, unwrap
from ..values.htuple import HTuple
from ..values.layout import Layout
from ..values.lifting import Lifted, swizzled
from ..values.semimodule import Xor
from ..values.shape import size
from ..values.swizzle import Composed, Swizzle
from ..values.tensor import Tensor
from . import composition as plain
from . import inverse
from .complement import complement as complement_of_layout
from .swizzle_algebra import compose_swizzles, layout_after_swizzle


def compose(left: Any, right: Any, layout: Layout | None = None) -> Any:
    """A o B over layouts, swizzles, swizzled layouts and tensors on either side; law ``R(c) = A(B(c))``.

    ``Sw o L`` is a swizzled layout, ``Sw1 o Sw2`` a swizzle, ``L o Sw`` a swizzled layout again where the bits stay
    together; an offset of the right operand passes to the left where it does not carry (LC303).

    >>> str(compose(Swizzle(3, 0, 3), Layout((8, 8), (8, 1))))
    'Sw<3,0,3> o 0 o (8,8):(8,1)'
    >>> str(compose(Composed(Swizzle(3, 0, 3), 0, Layout((8, 8), (8, 1))), (4, 4)))
    'Sw<3,0,3> o 0 o (4,4):(8,1)'
    """
    if layout is not None:
        return swizzled(left, right, layout)
    if isinstance(left, Layout):
        if isinstance(right, (Composed, Tensor, Swizzle)):
            return _layout_over(left, right)
        return plain.composition(left, right)
    if isinstance(left, Swizzle):
        return _swizzle_over(left, right)
    if isinstance(left, Composed):
        return _composed_over(left, compose(left.layout, right))
    if isinstance(left, Tensor):
        inner = compose(Layout(()) if left.layout is None else left.layout, right)
        if isinstance(inner, Tensor):
            return Tensor(left.offset + inner.offset, inner.layout)
        return Tensor(left.offset, inner)
    raise refuse("LC103", "{left} is no left operand of a composition", op="composition", left=str(left))


def _swizzle_over(left: Swizzle, right: Any) -> Any:
    if isinstance(right, Swizzle):
        return compose_swizzles(left, right)
    if isinstance(right, Composed):
        return _merged_swizzles(left, right)
    if isinstance(right, Tensor) and isinstance(right.layout, Layout):
        return swizzled(left, right.offset, right.layout)
    if isinstance(right, Layout):
        return swizzled(left, 0, right)
    raise refuse(
        "LC103", "{left} o {right}: a swizzle takes a layout", op="composition", left=str(left), right=str(right)
    )


def _merged_swizzles(left: Swizzle, right: Composed) -> Any:
    """``Sw1 o (Sw2 o offset o L)``: one swizzle where the two are one, else XOR strides with the same values."""
    return _or_xor(
        lambda: swizzled(compose_swizzles(left, right.swizzle), right.offset, right.layout),
        right.shape,
        lambda: map(left, right.elements()),
    )


def _or_xor(composed: Callable[[], Any], shape: HTuple, values: Callable[[], Iterable[Any]]) -> Any:
    """What ``composed`` gives; where it refuses, the XOR layout with the values of the composition, if it has one."""
    try:
        return composed()
    except LayoutError:
        total = size(shape)
        found = xor_layout(shape, list(values())) if type(total) is int and total <= VALUES else None
        if found is None:
            raise
        return found


def _composed_over(left: Composed, inner: Any) -> Any:
    """``Sw o offset o inner``, where inner is what L o B became."""
    if isinstance(inner, Layout):
        return swizzled(left.swizzle, left.offset, inner)
    if isinstance(inner, Tensor):
        return swizzled(left.swizzle, left.offset + inner.offset, inner.layout)
    if left.offset == 0:
        return _merged_swizzles(left.swizzle, inner)
    raise refuse(
        "LC303",
        "offset {offset} stands between the swizzles of {left} and {right}",
        op="composition",
        left=str(left),
        right=str(inner),
        offset=left.offset,
        left_path=(),
        right_path=(),
    )


def _layout_over(left: Layout, right: Composed | Tensor | Swizzle) -> Any:
    if isinstance(right, Swizzle):
        swizzle = right
        return _or_xor(
            lambda: layout_after_swizzle(left, swizzle),
            left.shape,
            lambda: map(left.element, map(swizzle, range(left.size))),
        )
    result: Any
    if isinstance(right, Composed) and right.swizzle.bits:
        moved = swizzled(Swizzle(0, 0, 0), right.offset, right.layout)
        swizzle = right.swizzle
        result = _or_xor(
            lambda: compose(layout_after_swizzle(left, swizzle), moved),
            right.shape,
            lambda: map(left.element, right.elements()),
        )
    else:
        # A(offset + B(c)) = A(offset) + A(B(c)), if nothing carries.
        inner = None if right.layout is None else compose(left, right.layout)
        result = Tensor(left.element(right.offset), inner)
        if isinstance(inner, Tensor):
            result = Tensor(result.offset + inner.offset, inner.layout)
    return _checked(result, left, right)


def _checked(result: Any, left: Layout, right: Composed | Tensor) -> Any:
    """The result, if it has the values of A(B(c)) for the right operand with its offset and swizzle."""
    check_compared("composition", right.size)
    if result.elements() != [left.element(v) for v in right.elements()]:
        raise refuse(
            "LC303",
            "{right} does not distribute over the shape of {left} (eq 12): its offset or swizzle carries",
            op="composition",
            right=str(right),
            left=str(left),
            left_path=(),
            right_path=(),
        )
    return result


@word("""
    algebra: right_inverse(L: any-layout)
    R with L(R(k)) = k
    law: L(R(k)) = k
    right_inverse((4,8):(8,1))
""")
def right_inverse(operand: Lifted) -> Any:
    """`inverse.right_inverse`, and ``L^R o Sw`` for ``Sw o 0 o L``: as a swizzled layout, else with XOR strides.

    >>> str(right_inverse(Composed(Swizzle(3, 0, 3), 0, Layout((8, 8), (8, 1)))))
    'Sw<3,0,-3> o 0 o (8,8):(8,1)'
    """
    return _inverse(operand, "right_inverse", inverse.right_inverse)


@word("""
    algebra: left_inverse(L: any-layout)
    R with L(R(L(k))) = L(k): it undoes L, stride-0 modes apart
    law: L(R(L(k))) = L(k)
    left_inverse((4,8):(1,5))
""")
def left_inverse(operand: Lifted) -> Any:
    """`inverse.left_inverse`, and ``L^L o Sw`` for ``Sw o 0 o L``: a swizzle is its own inverse.

    >>> str(left_inverse(Composed(Swizzle(3, 0, 3), 0, Layout((8, 8), (8, 1)))))
    'Sw<3,0,-3> o 0 o (8,8):(8,1)'
    """
    return _inverse(operand, "left_inverse", inverse.left_inverse)


def _inverse(operand: Lifted, op: str, of_layout: Callable[[Layout], Layout]) -> Any:
    if isinstance(operand, Layout):
        return of_layout(operand)
    if operand.offset != 0 or isinstance(operand, Tensor) or operand.layout.semimodule != "Z":
        raise refuse(
            "LC304",
            "{op} of {layout}: its value at 0 is not 0, so no layout inverts it",
            op=op,
            layout=str(operand),
            left_path=(),
        )
    inner = of_layout(operand.layout)
    try:
        candidate = compose(inner, operand.swizzle)
    except LayoutError:
        bits = inner.size.bit_length() - 1 if op == "right_inverse" else (inner.size - 1).bit_length()
        images = [Xor.of(inner.element(operand.swizzle(1 << b))) for b in range(bits)]
        candidate = unwrap(merged((2,) * bits, tuple(images)))
    values = operand.values()
    if op == "right_inverse":
        right = all(i < len(values) and values[i] == k for k, i in enumerate(candidate.values()))
    else:
        right = all(0 <= i < len(values) and values[i] == v for v in values for i in (candidate(v),))
    if not right:
        raise refuse("LC303", "{layout} has no {op} that is a layout", op=op, layout=str(operand), left_path=())
    return candidate


@word("""
    algebra: complement(L: layout, codomain: shape?)
    the layout that counts the places L leaves free
    law: (L, L*) is injective
    complement(4:1, 8)
""")
def complement(operand: Lifted, codomain: Any = None) -> Layout:
    """The complement, also of a swizzled layout whose swizzle keeps the image of its layout (LC304 otherwise).

    >>> complement(Composed(Swizzle(1, 0, 2), 0, Layout(8, 1)), 16)
    Layout('2:8')
    """
    if isinstance(operand, Layout):
        return complement_of_layout(operand, codomain)
    if (
        isinstance(operand, Composed)
        and operand.offset == 0
        and sorted(operand.values()) == sorted(operand.layout.values())
    ):
        return complement_of_layout(operand.layout, codomain)
    raise refuse(
        "LC304",
        "complement is defined for integer and coordinate codomains only, not for {layout}",
        op="complement",
        layout=str(operand),
        left_path=(),
    )


@word("""
    algebra: inverse(L: layout)
    the two-sided inverse of a compact layout
    law: L(R(k)) = R(L(k)) = k
    inverse((4,8):(8,1))
""")
def inverse_of(operand: Lifted) -> Any:
    """The two-sided inverse; of a swizzled layout its right inverse, if that has the same size (LC306 otherwise).

    >>> str(inverse_of(Composed(Swizzle(1, 0, 2), 0, Layout(8, 1))))
    'Sw<1,0,2> o 0 o 8:1'
    """
    if isinstance(operand, Layout):
        return inverse.inverse(operand)
    result = right_inverse(operand)
    if result.size != operand.size:
        raise refuse("LC306", "{layout} has no inverse", op="inverse", layout=str(operand), left_path=())
    return result
