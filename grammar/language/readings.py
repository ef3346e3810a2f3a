"""Words of the expression language that read the algebra in the way people say it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.base.words import word
from laycalc.algebra.finding.synthesis import layout_of
from laycalc.algebra.operations.refinement import common_refinement
from laycalc.algebra.operations.shapes import refined_shape
from laycalc.algebra.values import shape as shapes
from laycalc.algebra.values.codomain import as_coordinate
from laycalc.algebra.values.htuple import HTuple, Nested, format_htuple
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor, semimodule_of
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor


def over_shape(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of nested tuples that takes layouts for their shapes."""

    @wraps(function)
    def over(*args: Any) -> Any:
        return function(*map(shape, args))

    return over


@word("""
    modes: shape(L: any-layout)
    the shape
    shape((4,8):(1,4))
""")
def shape(x: Any) -> HTuple:
    """The shape of a layout of any kind; a tuple stands for itself.

    >>> shape(Layout((4, 8), (1, 4)))
    (4, 8)
    """
    return x.shape if isinstance(x, (Layout, Composed, Tensor)) else x


@word("""
    modes: stride(L: layout)
    the strides
    stride((4,8):(1,4))
""")
def stride(x: Any) -> Nested:
    """The strides of a layout, or of the layout inside swizzle and offset.

    >>> stride(Composed(Swizzle(1, 0, 1), 0, Layout((4, 8), (1, 4))))
    (1, 4)
    """
    if isinstance(x, (Composed, Tensor)):
        return () if x.layout is None else stride(x.layout)
    return x.stride


@word("""
    coordinates: scale(n: integer, d: element)
    a multiple of a stride element
    scale(3, f3)
""")
def scale(n: Any, element: Any) -> Any:
    """``n * m`` in the semimodule of m: product, leafwise product, carry-less product. Source: paper 4.3.

    >>> scale(3, Xor(3))
    Xor(5)
    """
    if isinstance(n, (Coordinate, Xor)):
        raise refuse("LC103", "scale takes an integer as its factor, not {factor}", op="scale", factor=str(n))
    return n * element


@word("""
    coordinates: sum(a: element, b: element)
    the sum of stride elements
    sum(f5, f10)
""")
def total(*elements: Any) -> Any:
    """The sum in a semimodule: integers add, coordinates add leafwise, XOR values add without carry; LC203 if they mix.

    >>> total(Xor(5), Xor(10))
    Xor(15)
    """
    semimodule_of(elements)
    result: Any = 0
    for element in elements:
        result = result + element
    return result


@word("""
    values: layout_of(v: element...)
    the smallest layout with these values
    law: L(i) = v_i
    layout_of(0,15,30,100,115,130)
""")
def values_layout(*values: Any) -> Layout:
    """The layout of least rank with the given values; LC303 if no layout has them, LC203 if they mix semimodules.

    >>> values_layout(0, 15, 30, 100, 115, 130)
    Layout('(3,2):(15,100)')
    """
    semimodule_of(values)
    found = layout_of(values)
    if found is None:
        raise refuse("LC303", "no layout has these values", op="layout_of", values=format_htuple(values))
    return found


@word("""
    values: common_refinement(A: tensor, B: tensor) -> pair
    both over the coarsest common shape
    common_refinement((4,6):(1,4), (2,12):(12,1))
""")
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


@word("""
    coordinates: natural(c: point, shape: shape)
    the coordinate in the profile of the shape
    natural(22, ((2,2),(4,2)))
""")
def natural(coordinate: HTuple, of: Any) -> HTuple:
    """The coordinate in the profile of a shape, or of a layout's shape.

    >>> natural(22, ((2, 2), (4, 2)))
    ((0, 1), (1, 1))
    """
    return shapes.natural(as_coordinate(coordinate, shape(of)), shape(of))


@word("""
    coordinates: idx2crd(i: integer, shape: shape, stride: integers?)
    the coordinate of an index, nested as the shape
    idx2crd(22, ((2,2),(4,2)))
""")
def idx2crd(index: Any, of: Any, strides: Nested = None) -> HTuple:
    """The natural coordinate of an index; with strides that of an offset, leaf by leaf, as in CUTLASS.

    >>> idx2crd(22, ((2, 2), (4, 2))), idx2crd(7, (4, 8), (8, 1))
    (((0, 1), (1, 1)), (0, 7))
    """
    if strides is None:
        return shapes.natural(index, shape(of))
    return shapes.idx2crd_strided(index, shape(of), strides)


@word("""
    coordinates: crd2idx(c: point, shape: shape, stride: strides?)
    the index of a coordinate
    crd2idx((2,5), (4,8))
""")
def crd2idx(coordinate: HTuple, of: Any, strides: Nested = None) -> Any:
    """The index of a coordinate; with strides the offset, the value of the layout ``shape:strides`` there.

    >>> crd2idx((2, 5), (4, 8)), crd2idx((2, 5), (4, 8), (8, 1))
    (22, 21)
    """
    if strides is None:
        return shapes.crd2idx(as_coordinate(coordinate, shape(of)), shape(of))
    return Layout(shape(of), strides)(coordinate)


@word("""
    values: swizzle(S: swizzle, i: bits)
    a swizzle at an index, or a swizzle of given bits
    swizzle(Sw<1,0,1>, 3)
""")
def swizzle(operand: Swizzle, index: Any) -> Any:
    """The swizzled index.

    >>> swizzle(Swizzle(1, 0, 1), 2)
    3
    """
    if hasattr(index, "symbols"):
        raise refuse("LC106", "a swizzle needs the value of {index}", op="swizzle", index=str(index))
    return operand(index.value if isinstance(index, Xor) else index)
