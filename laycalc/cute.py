"""Names of CuTe for what Python writes without a function: shapes, strides, coordinates, tilers, entries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, SupportsIndex

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.htuple import HTuple, Pattern, Sizes, congruent, flatten, format_htuple, map_leaves, plain
from laycalc.algebra.values.layout import Layout, check_shape
from laycalc.algebra.values.lifting import Lifted
from laycalc.algebra.values.semimodule import Strides
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from .functions import function

__all__ = [
    "back",
    "domain_offset",
    "elem_less",
    "front",
    "get",
    "group_modes",
    "inner_product",
    "is_layout",
    "is_static",
    "layout_of",
    "make_composed_layout",
    "make_coord",
    "make_identity_tensor",
    "make_shape",
    "make_stride",
    "make_swizzle",
    "make_tensor",
    "make_tile",
    "make_tiler",
    "product",
    "repeat",
    "repeat_like",
    "slice_layout",
    "tuple_max",
]


def _entries(given: tuple[Any, ...]) -> Any:
    """The arguments as one tuple; a single one stands for itself, as in CuTe."""
    return plain(given[0] if len(given) == 1 else given)


def make_shape(*extents: Sizes) -> HTuple:
    """The shape of these extents; LC202 for one that is no positive integer.

    >>> make_shape(4, make_shape(2, 3))
    (4, (2, 3))
    """
    shape: HTuple = _entries(extents)
    check_shape(shape)
    return shape


def make_stride(*strides: Any) -> Strides:
    """These strides as a tuple.

    >>> make_stride(1, 4)
    (1, 4)
    """
    found: Strides = _entries(strides)
    return found


def make_coord(*entries: Any) -> Pattern:
    """These entries as a coordinate; None leaves a mode free.

    >>> make_coord(2, None)
    (2, None)
    """
    found: Pattern = _entries(entries)
    return found


def make_tile(*modes: Any) -> Tiler:
    """The tiler of these modes: layouts, integers, None, tilers.

    >>> make_tile(Layout(4, 2), None)
    Tiler('<4:2,_>')
    """
    return Tiler(modes)


make_tiler = make_tile


def make_swizzle(bits: int, base: int, shift: int) -> Swizzle:
    """``Sw<bits,base,shift>``.

    >>> make_swizzle(3, 4, 3)
    Swizzle('Sw<3,4,3>')
    """
    return Swizzle(bits, base, shift)


def make_tensor(offset: Any, layout: Layout | Composed) -> Tensor:
    """A layout that begins at an offset.

    >>> make_tensor(8, Layout(4, 2))
    Tensor('{8} o 4:2')
    """
    return Tensor(offset, layout)


def get(x: Any, *path: int) -> Any:
    """``get<i,j>(x)``: the entry of a tuple, or the mode of a layout, at a path.

    >>> get((4, (2, 3)), 1, 0), get(Layout((4, 8), (1, 4)), 1)
    (2, Layout('8:4'))
    """
    mode = function("mode")
    for i in path:
        x = mode(x, i)
    return plain(x)


def group_modes(x: Any, begin: int, end: int) -> Any:
    """The modes ``begin`` to ``end`` (exclusive) as one mode; CuTe's group_modes, `group` of the language.

    >>> group_modes(Layout((2, 3, 4), (1, 2, 6)), 0, 2)
    Layout('((2,3),4):((1,2),6)')
    """
    return function("group")(x, begin, end)


def is_layout(x: object) -> bool:
    """Is it a layout, perhaps with a swizzle or an offset?

    >>> is_layout(Layout(4, 1)), is_layout((4, 1))
    (True, False)
    """
    return isinstance(x, (Layout, Composed, Tensor))


def product(x: Any) -> int:
    """The product of the entries of a tuple, or the size of a layout.

    >>> product((2, (3, 4)))
    24
    """
    shape = x.shape if isinstance(x, (Layout, Composed, Tensor)) else plain(x)
    if any(type(n) is not int and not hasattr(n, "symbols") for n in flatten(shape)):
        raise refuse(
            "LC103", "product takes a tuple of integers, not {value}", op="product", value=format_htuple(shape)
        )
    return size(shape)


def slice_layout(L: Lifted, c: Pattern) -> Tensor:
    """What a coordinate leaves free, with the offset of the rest: ``L[c]`` with None for free modes.

    >>> slice_layout(Layout((4, 8), (1, 4)), (2, None))
    Tensor('{2} o 8:4')
    """
    found: Tensor = function("slice")(L, c)
    return found


def layout_of(*values: Any) -> Layout:
    """The layout of least rank with these values, given one by one or in a sequence; LC303 if there is none.

    >>> layout_of(0, 15, 30, 100, 115, 130), layout_of([0, 4, 8])
    (Layout('(3,2):(15,100)'), Layout('3:4'))
    """
    one = values[0] if len(values) == 1 else None
    listed = plain(list(one)) if isinstance(one, Iterable) else plain(values)
    found: Layout = function("layout_of")(*listed)
    return found


def make_composed_layout(swizzle: Swizzle, offset: SupportsIndex, layout: Layout) -> Composed:
    """``swizzle o offset o layout``.

    >>> make_composed_layout(Swizzle(1, 0, 1), 0, Layout(4, 1))(2)
    3
    """
    return Composed(swizzle, offset, layout)


def make_identity_tensor(shape: Sizes) -> Tensor:
    """The tensor whose value at a coordinate is that coordinate.

    >>> make_identity_tensor((4, 8))
    Tensor('{(0,0)} o (4,8):(e0,e1)')
    """
    return Tensor(0, function("make_identity_layout")(shape))


def domain_offset(coordinate: Pattern, tensor: Lifted) -> Tensor:
    """The tensor that begins at a coordinate of another one.

    >>> domain_offset((1, 2), Tensor(3, Layout((4, 8), (8, 1))))
    Tensor('{13} o (4,8):(8,1)')
    """
    fixed, inner = function("slice")(tensor, coordinate), tensor.layout if isinstance(tensor, Tensor) else tensor
    return Tensor(fixed.offset, inner)


def elem_less(a: HTuple, b: HTuple) -> bool:
    """Is each entry of ``a`` below the one of ``b``? LC201 if the profiles differ.

    >>> elem_less((1, 2), (4, 8)), elem_less((1, 8), (4, 8))
    (True, False)
    """
    left, right = _paired("elem_less", a, b)
    return all(x < y for x, y in zip(left, right, strict=True))


def inner_product(a: HTuple, b: HTuple) -> int:
    """The sum of the products of entries; LC201 if the profiles differ.

    >>> inner_product((1, (2, 3)), (5, (7, 11)))
    52
    """
    left, right = _paired("inner_product", a, b)
    return sum(x * y for x, y in zip(left, right, strict=True))


def _paired(op: str, a: Any, b: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The leaves of two tuples of numbers with one profile."""
    a, b = plain(a), plain(b)
    left, right = flatten(a), flatten(b)
    if not congruent(a, b) or any(type(n) is not int for n in (*left, *right)):
        said = {"a": format_htuple(a), "b": format_htuple(b)}
        raise refuse("LC201", "{a} and {b} are not congruent tuples of integers", op=op, **said)
    return left, right


def tuple_max(x: Sizes) -> int:
    """The largest entry.

    >>> tuple_max((3, (9, 2)))
    9
    """
    leaves = flatten(plain(x))
    if not leaves or any(type(n) is not int for n in leaves):
        raise refuse("LC103", "tuple_max takes a tuple of integers, not {x}", op="tuple_max", x=format_htuple(plain(x)))
    found: int = max(leaves)
    return found


def repeat(n: SupportsIndex, x: Any) -> tuple[Any, ...]:
    """n times x.

    >>> repeat(3, 1)
    (1, 1, 1)
    """
    count = plain(n)
    if type(count) is not int or not 0 <= count <= 4096:
        raise refuse("LC103", "repeat takes a count up to 4096, not {n}", op="repeat", n=format_htuple(count))
    return (plain(x),) * count


def repeat_like(shape: Sizes, x: Any) -> Any:
    """x at each leaf of a tuple.

    >>> repeat_like((4, (2, 3)), 1)
    (1, (1, 1))
    """
    return map_leaves(lambda _: plain(x), plain(shape))


def front(x: Any) -> Any:
    """The first leaf of a tuple, or the first mode of a layout without modes of its own.

    >>> front(((1, 2), 3))
    1
    """
    return _leaf("front", x, 0)


def back(x: Any) -> Any:
    """The last leaf of a tuple, or the last mode of a layout without modes of its own.

    >>> back(((1, 2), 3))
    3
    """
    return _leaf("back", x, -1)


def _leaf(op: str, x: Any, end: int) -> Any:
    x = plain(x)
    while isinstance(x, tuple) or (isinstance(x, Layout) and isinstance(x.shape, tuple)):
        if not len(x):
            raise refuse("LC103", "{x} has no entries", op=op, x=format_htuple(x))
        x = x[end]
    return x


def is_static(x: Any) -> bool:
    """Are all its numbers known?

    >>> is_static(Layout((4, 8)))
    True
    """
    from laycalc.algebra.symbolic.values import is_symbolic

    return not is_symbolic(plain(x))
