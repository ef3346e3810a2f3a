"""One law a test: logical divide and product, their regroupings, tiles of shapes and tensors."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from property.strategies import EXTENTS, any_layouts, brute_values, compact_layouts, integer_layouts, plain, shapes

from laycalc.algebra.base.errors import AdmissibilityError, observing
from laycalc.algebra.operations.build import make_ordered_layout, tile_sizes
from laycalc.algebra.operations.complement import complement
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.operations.divide import flat_divide, logical_divide, tiled_divide, zipped_divide
from laycalc.algebra.operations.image import cosize
from laycalc.algebra.operations.product import (
    blocked_product,
    flat_product,
    logical_product,
    raked_product,
    tiled_product,
    zipped_product,
)
from laycalc.algebra.operations.tiling import local_partition, local_tile, tile_to_shape
from laycalc.algebra.values.coalesce import coalesce
from laycalc.algebra.values.htuple import flatten, unflatten
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.shape import coordinates, natural, size
from laycalc.algebra.values.tiler import Tiler


def attempt(operation: Any, *args: Any) -> Any:
    """The result, None where it is refused."""
    try:
        return operation(*args)
    except AdmissibilityError:
        return None


TILES = st.one_of(st.integers(1, 12).map(lambda n: Layout(n, 1)), integer_layouts())
TILERS = st.lists(st.sampled_from([1, 2, 3, 4, 8, Layout(2, 2), Layout((2, 2), (1, 4))]), min_size=1, max_size=3)


@given(any_layouts(), TILES)
def test_a_divide_has_the_values_of_the_tiles_inside_the_layout(layout: Layout, tile: Layout) -> None:
    result = attempt(logical_divide, layout, tile)
    assume(result is not None)
    cover = concat(tile, complement(tile, layout.size))
    assert result.rank == 2
    for c in coordinates(cover.shape):
        at = cover.element(c)
        if at < layout.size:
            assert plain(result.element(c)) == plain(layout.element(at))


@given(any_layouts(), TILES)
def test_a_divide_that_is_not_ragged_is_a_composition(layout: Layout, tile: Layout) -> None:
    with observing() as remarks:
        result = attempt(logical_divide, layout, tile)
    assume(result is not None and not any(r.code in ("LC401", "LC402") for r in remarks))
    assert result == composition(layout, concat(tile, complement(tile, layout.size)))


@given(integer_layouts(), integer_layouts())
def test_a_product_is_spelled_as_with_the_complement_that_cpp_cuts(layout: Layout, pattern: Layout) -> None:
    result = attempt(logical_product, layout, pattern)
    assume(result is not None)
    whole = composition(complement(layout), pattern)
    cut = attempt(composition, complement(layout, layout.size * cosize(pattern)), pattern)
    assert result[1] == (cut if cut is not None and coalesce(cut) == coalesce(whole) else whole)


@given(compact_layouts(), TILES)
def test_a_ragged_divide_is_remarked(layout: Layout, tile: Layout) -> None:
    with observing() as remarks:
        result = attempt(logical_divide, layout, tile)
    assume(result is not None)
    cover = concat(tile, complement(tile, layout.size))
    outside = any(v >= layout.size for v in cover.values())
    assert outside == any(r.code in ("LC401", "LC402") for r in remarks)


@given(any_layouts(), TILES)
def test_mode_0_of_a_divide_is_the_composition_with_the_tile(layout: Layout, tile: Layout) -> None:
    result, composed = attempt(logical_divide, layout, tile), attempt(composition, layout, tile)
    assume(result is not None and composed is not None)
    assert result[0].elements() == composed.elements()


@given(any_layouts(), TILERS)
def test_a_divide_by_a_tiler_goes_mode_by_mode(layout: Layout, tiles: list[Any]) -> None:
    assume(isinstance(layout.shape, tuple) and len(tiles) <= layout.rank)
    result = attempt(logical_divide, layout, Tiler(tiles))
    assume(result is not None)
    for i, mode in enumerate(layout):
        assert result[i] == (logical_divide(mode, tiles[i]) if i < len(tiles) else mode)


@given(any_layouts(), TILERS)
def test_zipped_tiled_and_flat_divides_regroup_the_same_modes(layout: Layout, tiles: list[Any]) -> None:
    assume(isinstance(layout.shape, tuple) and len(tiles) <= layout.rank)
    zipped = attempt(zipped_divide, layout, Tiler(tiles))
    assume(zipped is not None)
    logical = logical_divide(layout, Tiler(tiles))
    inner = tuple(logical[i][0] for i in range(len(tiles)))
    outer = (*(logical[i][1] for i in range(len(tiles))), *logical.modes()[len(tiles) :])
    assert zipped == concat(concat(*inner), concat(*outer))
    if len(outer) > 1:
        assert tiled_divide(layout, Tiler(tiles)) == concat(concat(*inner), *outer)
    if len(outer) > 1 and len(inner) > 1:
        assert flat_divide(layout, Tiler(tiles)) == concat(*inner, *outer)


@given(any_layouts(), TILES)
def test_a_product_repeats_the_layout_at_free_places(layout: Layout, pattern: Layout) -> None:
    result = attempt(logical_product, layout, pattern)
    assume(result is not None)
    free = complement(layout)
    assert result[0] == layout
    repeats = [free.element(v) for v in pattern.elements()]
    assert result.elements() == [a + b for b in repeats for a in layout.elements()]


@given(compact_layouts(), compact_layouts())
def test_a_product_of_bijections_is_a_bijection(layout: Layout, pattern: Layout) -> None:
    assume(layout.size * pattern.size <= 2048)
    result = logical_product(layout, pattern)
    assert sorted(brute_values(result)) == list(range(result.size))


@given(integer_layouts(), integer_layouts())
def test_blocked_and_raked_products_have_the_values_of_the_logical_product(a: Layout, b: Layout) -> None:
    blocked, raked = attempt(blocked_product, a, b), attempt(raked_product, a, b)
    assume(blocked is not None and raked is not None)
    values = sorted(logical_product(a, b).values())
    assert sorted(blocked.values()) == sorted(raked.values()) == values
    for x, y in zip(blocked, raked, strict=True):
        assert (x[0], x[1]) == (y[1], y[0])


@given(integer_layouts(), integer_layouts())
def test_zipped_tiled_and_flat_products_regroup_the_same_modes(a: Layout, b: Layout) -> None:
    logical = attempt(logical_product, a, b)
    assume(logical is not None)
    values = logical.values()
    for product in (zipped_product, tiled_product, flat_product):
        assert product(a, b).values() == values


@given(compact_layouts(), st.lists(st.integers(1, 4), min_size=5, max_size=5))
def test_tile_to_shape_repeats_the_block_over_the_whole_shape(block: Layout, times: list[int]) -> None:
    shape = tuple(n * t for n, t in zip(tile_sizes(block.shape), times, strict=False))
    assume(size(shape) <= 1024)
    result = tile_to_shape(block, shape)
    assert tile_sizes(result.shape) == shape
    assert sorted(result.values()) == list(range(size(shape)))
    inner = concat(*(mode[0] for mode in result))
    assert inner.values() == block.values()


@given(shapes(EXTENTS), st.data())
def test_an_ordered_layout_is_compact_and_ascends_in_the_order_given(shape: Any, data: st.DataObject) -> None:
    leaves = flatten(shape)
    keys = data.draw(st.lists(st.integers(0, 5), min_size=len(leaves), max_size=len(leaves)))
    result = make_ordered_layout(shape, unflatten(keys, shape))
    assert result.shape == shape and sorted(result.values()) == list(range(size(shape)))
    moving = [(k, i, d) for i, (k, s, d) in enumerate(zip(keys, leaves, flatten(result.stride), strict=True)) if s > 1]
    assert [d for _, _, d in sorted(moving)] == sorted(d for _, _, d in moving)


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=2, max_size=3), st.data())
def test_local_tiles_share_a_tensor_without_overlap(pairs: list[tuple[int, int]], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(pairs))))
    layout = make_ordered_layout(tuple(tile * count for tile, count in pairs), tuple(order))
    seen: list[int] = []
    for c in coordinates(tuple(count for _, count in pairs)):
        tile = local_tile(layout, tuple(tile for tile, _ in pairs), c)
        assert tile(0) == layout(tuple(k * extent for k, (extent, _) in zip(c, pairs, strict=True)))
        seen += tile.values()
    assert sorted(seen) == list(range(layout.size))


@given(st.sampled_from([Layout((2, 4), (1, 2)), Layout((2, 4), (4, 1)), Layout((4, 2), (1, 4))]))
def test_local_partitions_share_a_tensor_without_overlap(threads: Layout) -> None:
    data = Layout((8, 8), (8, 1))
    seen: list[int] = []
    for i in range(threads.size):
        mine = local_partition(data, threads, i)
        assert mine(0) == data(natural(threads.values().index(i), (threads.shape[0], threads.shape[1])))
        seen += mine.values()
    assert sorted(seen) == list(range(64))
