"""Words of the expression language that read the algebra in the way people say it."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.finding.synthesis import layout_of
from laycalc.algebra.operations.refinement import common_refinement
from laycalc.algebra.operations.shapes import refined_shape
from laycalc.algebra.values import shape as shapes
from laycalc.algebra.values.codomain import as_coordinate
from laycalc.algebra.values.htuple import HTuple, format_htuple
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor, semimodule_of
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor, slice_layout

__all__ = [
    "crd2idx",
    "difference",
    "idx2crd",
    "natural",
    "refinement",
    "scale",
    "shape",
    "slice_and_offset",
    "stride",
    "swizzle",
    "total",
    "values_layout",
]


def shape(x: Any) -> HTuple:
    """The shape of a layout of any kind; a tuple stands for itself.

    >>> shape(Layout((4, 8), (1, 4)))
    (4, 8)
    """
    return x.shape if isinstance(x, (Layout, Composed, Tensor)) else x


def stride(x: Any) -> HTuple:
    """The strides of a layout, or of the layout inside swizzle and offset.

    >>> stride(Composed(Swizzle(1, 0, 1), 0, Layout((4, 8), (1, 4))))
    (1, 4)
    """
    if isinstance(x, (Composed, Tensor)):
        return () if x.layout is None else stride(x.layout)
    return x.stride


def scale(n: Any, element: Any) -> Any:
    """``n * m`` in the semimodule of m: product, leafwise product, carry-less product. Source: paper 4.3.

    >>> scale(3, Xor(3))
    f5
    """
    if isinstance(n, (Coordinate, Xor)):
        raise refuse("LC103", "scale takes an integer as its factor, not {factor}", op="scale", factor=str(n))
    return n * element


def total(*elements: Any) -> Any:
    """The sum in a semimodule: integers add, coordinates add leafwise, XOR values add without carry; LC203 if they mix.

    >>> total(Xor(5), Xor(10))
    f15
    """
    semimodule_of(elements)
    result: Any = 0
    for element in elements:
        result = result + element
    return result


def difference(a: Any, b: Any) -> Any:
    """``a - b``; over F2 that is the sum. LC203 if the semimodules mix.

    >>> difference(Xor(5), Xor(1))
    f4
    """
    semimodule_of((a, b))
    return a + b if isinstance(a, Xor) or isinstance(b, Xor) else a - b


def values_layout(*values: Any) -> Layout:
    """The layout of least rank with the given values; LC303 if no layout has them.

    >>> values_layout(0, 15, 30, 100, 115, 130)
    Layout('(3,2):(15,100)')
    """
    found = layout_of(values)
    if found is None:
        raise refuse("LC303", "no layout has these values", op="layout_of", values=format_htuple(values))
    return found


def refinement(a: Any, b: Any) -> Any:
    """The common refinement of two shapes, or of two layouts as a pair over one shape.

    >>> refinement((4, 6), 24)
    (4, 6)
    >>> refinement(Layout((4, 6), (1, 4)), Layout(24, 2))
    (Layout('(4,6):(1,4)'), Layout('(4,6):(2,8)'))
    """
    if isinstance(a, Layout) and isinstance(b, Layout):
        return common_refinement(a, b)
    return refined_shape(a, b)


def slice_and_offset(operand: Any, coordinate: HTuple) -> Tensor:
    """`slice_layout` under CuTe's name: ``{offset} o rest``.

    >>> slice_and_offset(Layout((4, 8), (1, 4)), (2, None))
    Tensor('{2} o 8:4')
    """
    return slice_layout(operand, coordinate)


def natural(coordinate: HTuple, of: Any) -> HTuple:
    """The coordinate in the profile of a shape, or of a layout's shape.

    >>> natural(22, ((2, 2), (4, 2)))
    ((0, 1), (1, 1))
    """
    return shapes.natural(as_coordinate(coordinate, shape(of)), shape(of))


def idx2crd(index: Any, of: Any, strides: HTuple = None) -> HTuple:
    """One level of index to coordinate; with strides the coordinate of an offset, leaf by leaf, as in CUTLASS.

    >>> idx2crd(22, ((2, 2), (4, 2))), idx2crd(7, (4, 8), (8, 1))
    ((2, 5), (0, 7))
    """
    if strides is None:
        return shapes.idx2crd(index, shape(of))
    return shapes.idx2crd_strided(index, shape(of), strides)


def crd2idx(coordinate: HTuple, of: Any, strides: HTuple = None) -> Any:
    """The index of a coordinate; with strides the offset, the value of the layout ``shape:strides`` there.

    >>> crd2idx((2, 5), (4, 8)), crd2idx((2, 5), (4, 8), (8, 1))
    (22, 21)
    """
    if strides is None:
        return shapes.crd2idx(coordinate, shape(of))
    return Layout(shape(of), strides)(coordinate)


def swizzle(operand: Swizzle, index: Any) -> Any:
    """The swizzled index.

    >>> swizzle(Swizzle(1, 0, 1), 2)
    3
    """
    return operand(index.value if isinstance(index, Xor) else index)
