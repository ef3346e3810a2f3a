"""A user's program with the types that a checker must see in it; `Any` would not do."""

from __future__ import annotations

from typing import assert_type

import laycalc as lc
from laycalc.algebra.values.htuple import HTuple
from laycalc.algebra.values.semimodule import Strides


def tile(rows: int, columns: int) -> lc.Layout:
    """A row-major matrix in tiles of 8x8."""
    matrix = lc.Layout((rows, columns), (columns, 1))
    tiles = lc.zipped_divide(matrix, (8, 8))
    assert_type(tiles, lc.Layout)
    assert_type(tiles.shape, HTuple)
    assert_type(tiles.size, int)
    assert_type(tiles[0], lc.Layout)
    return tiles


def offsets(layout: lc.Layout) -> list[int]:
    """The offsets of the first mode."""
    first = layout[0]
    assert_type(first(0), HTuple)
    assert_type(first.stride, Strides)
    assert_type(first.rank, int)
    assert_type(lc.size(first.shape), int)
    assert_type(lc.idx2crd(3, first.shape), HTuple)
    assert_type(lc.crd2idx((1, 2), (4, 8)), int)
    assert_type(first.modes(), tuple[lc.Layout, ...])
    return [int(value) for value in first.values()]


def algebra(a: lc.Layout, b: lc.Layout) -> lc.Layout:
    """Results of operations are layouts."""
    for result in (lc.composition(a, b), lc.complement(a, 64), lc.coalesce(a), lc.right_inverse(a), lc.concat(a, b)):
        assert_type(result, lc.Layout)
    assert_type(lc.logical_product(a, b), lc.Layout)
    assert_type(lc.layout_of([0, 4, 8]), lc.Layout)
    return lc.logical_divide(a, b)


def others(a: lc.Layout) -> None:
    """Swizzles, slices and tilers."""
    swizzle = lc.Swizzle(3, 3, 3)
    assert_type(swizzle(9), int)
    swizzled = lc.Composed(swizzle, 0, a)
    assert_type(swizzled(9), int)
    assert_type(swizzled.size, int)
    row = lc.slice_layout(a, (2, None))
    assert_type(row, lc.Tensor)
    assert_type(row.size, int)
    assert_type(lc.Tiler([4, None]), lc.Tiler)
    assert_type(lc.coalesce(a), lc.Layout)
    assert_type(lc.coalesce(swizzled), lc.Layout | lc.Composed)
    assert_type(lc.cosize(swizzled), int)
    assert_type(lc.Layout("(4,8):(1,4)"), lc.Layout)


def python(a: lc.Layout, b: lc.Layout) -> None:
    """Operators, brackets, answers."""
    swizzled = lc.Swizzle(3, 3, 3) @ a
    for result in (a @ b, a / (2, 4), a * b, a[0], a[0, 1]):
        assert_type(result, lc.Layout)
    assert_type(swizzled, lc.Composed)
    assert_type(swizzled @ b, lc.Layout | lc.Composed)
    assert_type(a(2, 5), HTuple)
    assert_type(swizzled(2, 5), int)
    assert_type(a.equivalent(b), bool)
    assert_type(a.to("cpp"), str)
    assert_type(lc.zipped_divide(swizzled, (2, 4)), lc.Layout | lc.Composed)
    assert_type(lc.banks(a).data.wavefronts, int)
    assert_type(lc.vector(a, b).data.bits, int)
    assert_type(lc.info(a).data.injective, bool | None)
    assert_type(lc.make_shape(4, 8), HTuple)
    assert_type(lc.rank(a), int)


def refused(a: lc.Layout) -> None:
    """What no layout is made of."""
    lc.Layout(1.5)  # type: ignore[arg-type]
    lc.size("8")  # type: ignore[arg-type]
    lc.cosize(3.5)  # type: ignore[arg-type]
    lc.composition(8, a)  # type: ignore[call-overload]
