"""Layouts from shapes: compact, ordered, alike, identity, thread-value (CuTe paper, 3.2 and 5.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.decide import known_same, less
from ..base.errors import refuse, remark
from ..base.words import word
from ..values.htuple import (
    HTuple,
    Nested,
    entries,
    flatten,
    format_htuple,
    leaf_paths,
    map_leaves,
    unflatten,
    weakly_congruent,
)
from ..values.layout import Layout, check_shape, concat, make
from ..values.semimodule import Coordinate
from ..values.shape import size
from .composition import composition
from .inverse import right_inverse
from .product import raked_product

LAYOUT_LEFT = "LayoutLeft"
"""Column-major: the first mode runs fastest."""

LAYOUT_RIGHT = "LayoutRight"
"""Row-major: the last mode runs fastest."""


@word("""
    modes: make_layout(shape: any, stride: any...?)
    a layout from shape and stride (or LayoutLeft, LayoutRight), or from layouts
    make_layout((4,8), LayoutRight)
""")
def make_layout(*parts: Any) -> Layout:
    """A compact layout of a shape, or the given layouts side by side.

    A shape may be followed by LayoutLeft (the default), LayoutRight, or strides.

    Size-1 modes get stride 0, as CuTe prints them. LC103 for other arguments.

    >>> make_layout((4, 1, 8)), make_layout((4, 8), LAYOUT_RIGHT)
    (Layout('(4,1,8):(1,0,4)'), Layout('(4,8):(8,1)'))
    >>> make_layout(Layout(3, 1), Layout(4, 3))
    Layout('(3,4):(1,3)')
    """
    if all(isinstance(part, Layout) for part in parts):
        return concat(*parts)
    shape, *rest = parts
    check_shape(shape)
    if len(rest) > 1 or isinstance(shape, Layout):
        raise refuse("LC103", "make_layout takes a shape and an order, or layouts", op="make_layout")
    if not rest or rest[0] == LAYOUT_LEFT:
        return make(shape, _compact(shape, range(len(flatten(shape)))))
    if rest[0] == LAYOUT_RIGHT:
        return make(shape, _compact(shape, range(len(flatten(shape)) - 1, -1, -1)))
    if isinstance(rest[0], str):
        raise refuse("LC103", "{order} is no order; LayoutLeft and LayoutRight are", op="make_layout", order=rest[0])
    return Layout(shape, rest[0])


def _compact(shape: HTuple, order: Any) -> Nested:
    """Compact strides, the leaf named first in ``order`` running fastest; size-1 leaves get 0."""
    extents = flatten(shape)
    strides: list[Any] = [0] * len(extents)
    current: Any = 1
    for i in order:
        if not known_same(extents[i], 1):
            strides[i] = current
            current = current * extents[i]
    return unflatten(strides, shape)


@word("""
    modes: make_ordered_layout(shape: shape, order: tuple)
    compact, modes in the given order
    make_ordered_layout((8,16), (1,0))
""")
def make_ordered_layout(shape: HTuple, order: HTuple | str) -> Layout:
    """The compact layout whose modes run in ascending ``order``.

    Ties go from left to right; an entry may stand for a nested mode.

    Law: the values are 0..|L|-1. LC201 unless ``order`` is weakly congruent with the shape.

    >>> make_ordered_layout((2, 3, 4, 5), (2, 0, 1, 3))
    Layout('(2,3,4,5):(12,1,3,24)')
    """
    check_shape(shape)
    if isinstance(order, str):
        return make_layout(shape, order)
    if not weakly_congruent(order, shape):
        raise refuse(
            "LC201",
            "order {order} does not fit the shape {shape}",
            op="make_ordered_layout",
            order=format_htuple(order),
            shape=format_htuple(shape),
        )
    _remark_ties(shape, order)
    keys = _spread(order, shape)
    if any(hasattr(key, "symbols") for key in keys):
        raise refuse("LC106", "{op} needs the values of {order}", op="make_ordered_layout", order=format_htuple(order))
    return make(shape, _compact(shape, _ascending(keys)))


def _remark_ties(shape: HTuple, order: HTuple) -> None:
    """LC406 where two entries of the order are equal: CUTLASS gives such modes one stride."""
    entries = list(_entries(order, shape))
    keys = [key for key, extent in entries if type(key) is int and not known_same(extent, 1)]
    if len(set(keys)) < len(keys):
        remark(
            "LC406",
            "modes of equal order run from left to right; CUTLASS gives them the same stride, so that they overlap",
            op="make_ordered_layout",
            order=format_htuple(order),
            shape=format_htuple(shape),
        )


def _entries(order: HTuple, shape: HTuple) -> Iterator[tuple[Any, Any]]:
    """Each entry of an order with the size of the mode that it stands for."""
    if not isinstance(order, tuple):
        yield order, size(shape)
    else:
        for entry, mode in zip(order, entries(shape), strict=True):
            yield from _entries(entry, mode)


def _spread(order: HTuple, shape: HTuple) -> list[Any]:
    """One order entry for each leaf of the shape."""
    if not isinstance(order, tuple):
        return [order] * len(flatten(shape))
    return [key for entry, mode in zip(order, entries(shape), strict=True) for key in _spread(entry, mode)]


def _ascending(keys: list[Any]) -> list[int]:
    """Leaf numbers in stable ascending order of their keys; unknown keys come after all numbers."""
    known = sorted((i for i, k in enumerate(keys) if type(k) is int), key=lambda i: int(keys[i]))
    return known + [i for i, k in enumerate(keys) if type(k) is not int]


@word("""
    modes: make_layout_like(L: layout)
    compact, in the order of L's strides
    make_layout_like((4,8):(0,3))
    over: inside
""")
def make_layout_like(layout: Layout) -> Layout:
    """The compact layout with the shape of L whose modes keep the order of its strides; stride 0 stays 0.

    Law: the values are 0..n-1, n the product of the extents that move.

    >>> make_layout_like(Layout((2, 3, 4), (1, 100, 20)))
    Layout('(2,3,4):(1,8,2)')
    """
    stride = layout.flat()[1]
    moving: list[int] = []
    for i, d in enumerate(stride):
        if type(d) is int and d == 0:
            continue
        at = len(moving)
        while at and less_stride(d, stride[moving[at - 1]]):
            at -= 1
        moving.insert(at, i)
    return make(layout.shape, _compact(layout.shape, moving))


def less_stride(a: Any, b: Any) -> bool:
    """The order of the semimodule: usual for integers, colexicographic for coordinates, by value for XOR strides."""
    if type(a) is int and type(b) is int:
        return a < b
    return bool(a < b) if isinstance(a, Coordinate) or not hasattr(a, "symbols") else less(a, b)


@word("""
    coordinates: make_basis_like(shape: shape)
    the basis elements of a shape
    make_basis_like((10,(20,30)))
""")
def make_basis_like(shape: HTuple) -> Nested:
    """The basis elements of a shape: ``e_p`` at every path p; 1 for a leaf.

    >>> make_basis_like((10, (20, 30)))
    (Coordinate('e0'), (Coordinate('e1.0'), Coordinate('e1.1')))
    """
    if not isinstance(shape, tuple):
        return 1
    paths = leaf_paths(shape)
    return map_leaves(lambda _: Coordinate.of([(next(paths), 1)]), shape)


@word("""
    modes: make_identity_layout(shape: shape)
    coordinates to themselves
    law: L(c) = c
    make_identity_layout((4,8))
""")
def make_identity_layout(shape: HTuple) -> Layout:
    """The layout that gives every coordinate as its own value: ``I(c) = c``. Source: paper 3.3.

    >>> make_identity_layout((4, (3, 2)))
    Layout('(4,(3,2)):(e0,(e1.0,e1.1))')
    """
    check_shape(shape)
    return make(shape, make_basis_like(shape))


@word("""
    modes: with_shape(L: layout, shape: shape)
    the same function over another shape
    law: R(c) = L(crd2idx(c))
    with_shape(16:1, (8,2))
    over: inside
""")
def with_shape(layout: Layout, *shape: HTuple) -> Layout:
    """The layout read with other coordinates: ``L o make_layout(shape)``; raises what composition raises.

    >>> with_shape(Layout((4, 8), (8, 1)), (2, 16))
    Layout('(2,(2,8)):(8,(16,1))')
    """
    return composition(layout, make_layout(shape[0] if len(shape) == 1 else shape))


@word("""
    modes: make_layout_tv(thr: layout, val: layout)
    the thread-value layout of a thread and a value layout
    make_layout_tv((4,8):(8,1), (2,2):(1,2))
""")
def make_layout_tv(threads: Layout, values: Layout) -> Layout:
    """The thread-value layout of threads over a tile, each with a block of values: ``(thr, val) -> index in the tile``.

    Law: ``right_inverse(raked_product(threads, values))`` with the shape (|threads|, |values|). Source: paper 5.4.

    >>> make_layout_tv(Layout((2, 2), (1, 2)), Layout((2, (2, 2)), (1, (2, 4))))
    Layout('((2,2),(2,4)):((2,16),(1,4))')
    """
    return with_shape(right_inverse(raked_product(threads, values)), (threads.size, values.size))


def tile_sizes(shape: HTuple) -> tuple[Any, ...]:
    """The size of each mode."""
    return tuple(map(size, shape)) if isinstance(shape, tuple) else (shape,)
