"""Names of CuTe for what Python writes without a function: shapes, strides, coordinates, tilers, entries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.htuple import HTuple, Pattern, Sizes, flatten, format_htuple, plain
from laycalc.algebra.values.layout import Layout, check_shape
from laycalc.algebra.values.lifting import Lifted
from laycalc.algebra.values.semimodule import Strides
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from .functions import function

__all__ = [
    "get",
    "group_modes",
    "is_layout",
    "layout_of",
    "make_coord",
    "make_shape",
    "make_stride",
    "make_swizzle",
    "make_tensor",
    "make_tile",
    "make_tiler",
    "product",
    "slice_layout",
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
