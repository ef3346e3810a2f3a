"""One law a test: values, coordinates, coalesce, concatenation, slices, mode arithmetic."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from property.strategies import (
    EXTENTS,
    SEMIMODULES,
    any_layouts,
    brute,
    brute_values,
    coordinates_of,
    integer_layouts,
    layouts,
    plain,
    shapes,
)

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.finding.synthesis import layout_of
from laycalc.algebra.operations.filtering import filter_layout, filter_zeros, nullspace
from laycalc.algebra.operations.modes import append, flatten_modes, group, prepend, replace, select, take
from laycalc.algebra.operations.refinement import common_refinement, layout_add
from laycalc.algebra.questions.listings import colexicographic, lexicographic
from laycalc.algebra.values.coalesce import coalesce, merged, open_modes
from laycalc.algebra.values.htuple import congruent, depth, flatten, unflatten, weakly_congruent
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.semimodule import Xor, clmul, first_carry
from laycalc.algebra.values.shape import (
    compatible,
    coordinates,
    crd2crd,
    crd2idx,
    idx2crd,
    natural,
    prefix_products,
    size,
)
from laycalc.algebra.values.tensor import slice_layout


def values(layout: Layout) -> list[Any]:
    return [plain(v) for v in layout.elements()]


@given(any_layouts())
def test_values_are_inner_products_of_coordinates_and_strides(layout: Layout) -> None:
    assert values(layout) == brute_values(layout)


@given(any_layouts())
def test_listed_values_are_those_of_the_coordinates(layout: Layout) -> None:
    assert layout.values() == [layout(c) for c in coordinates(layout.shape)]


@given(any_layouts(), st.integers(0, 600))
def test_indices_beyond_the_size_land_in_the_last_leaf(layout: Layout, index: int) -> None:
    assert plain(layout.element(index)) == brute(layout, index)


@given(any_layouts(), st.data())
def test_a_coordinate_has_the_value_of_its_index(layout: Layout, data: st.DataObject) -> None:
    c = data.draw(coordinates_of(layout.shape))
    assert layout.element(c) == layout.element(crd2idx(c, layout.shape))


@given(any_layouts())
def test_layouts_survive_copying(layout: Layout) -> None:
    import copy
    import pickle

    assert copy.deepcopy(layout) == pickle.loads(pickle.dumps(layout)) == layout
    assert hash(copy.copy(layout)) == hash(layout)


@given(shapes(EXTENTS), st.integers(0, 255))
def test_crd2idx_inverts_idx2crd(shape: Any, index: int) -> None:
    assume(index < size(shape))
    assert crd2idx(idx2crd(index, shape), shape) == index
    assert crd2idx(natural(index, shape), shape) == index


@given(shapes(EXTENTS))
def test_natural_coordinates_are_listed_colexicographically(shape: Any) -> None:
    listed = list(coordinates(shape))
    assert listed == [natural(i, shape) for i in range(size(shape))] == colexicographic(shape)
    assert all(flatten(a)[::-1] < flatten(b)[::-1] for a, b in pairwise(listed))


@given(shapes(EXTENTS))
def test_lexicographic_order_is_that_of_tuples(shape: Any) -> None:
    listed = lexicographic(shape)
    assert listed == sorted(colexicographic(shape), key=flatten)


@given(shapes(EXTENTS), st.data())
def test_crd2crd_keeps_the_index(shape: Any, data: st.DataObject) -> None:
    other = Layout(shape).flat()[0]
    c = data.draw(coordinates_of(shape))
    assert crd2idx(crd2crd(c, shape, other), other) == crd2idx(c, shape)


@given(shapes(EXTENTS))
def test_prefix_products_are_the_strides_of_the_index(shape: Any) -> None:
    assert congruent(prefix_products(shape), shape)
    assert Layout(shape).values() == list(range(size(shape)))


@given(shapes(EXTENTS))
def test_unflatten_inverts_flatten(shape: Any) -> None:
    assert unflatten(flatten(shape), shape) == shape


@given(shapes(EXTENTS), shapes(EXTENTS))
def test_compatible_shapes_are_weakly_congruent_and_of_equal_size(a: Any, b: Any) -> None:
    assert compatible(a, a)
    if compatible(a, b):
        assert weakly_congruent(a, b) and size(a) == size(b)
        assert all(crd2idx(c, b) == i for i, c in enumerate(coordinates(a)))


@given(st.integers(0, 500), st.integers(0, 500))
def test_carryless_product_is_linear_in_both_factors(a: int, b: int) -> None:
    assert clmul(a, b) == clmul(b, a)
    assert clmul(a, b) ^ clmul(a, 7) == clmul(a, b ^ 7)


@given(st.integers(1, 64), st.integers(0, 40))
def test_first_carry_is_the_least_coordinate_whose_product_carries(extent: int, factor: int) -> None:
    expected = next((c for c in range(extent) if clmul(c, factor) != c * factor), None)
    assert first_carry(extent, factor) == expected


@pytest.mark.parametrize("semimodule", SEMIMODULES)
@given(data=st.data())
def test_coalesce_keeps_the_function(semimodule: str, data: st.DataObject) -> None:
    layout = data.draw(layouts(semimodule))
    result = coalesce(layout)
    assert values(result) == brute_values(layout)
    assert depth(result.shape) <= 1


@pytest.mark.parametrize("semimodule", SEMIMODULES)
@given(data=st.data())
def test_coalesced_neighbours_do_not_merge(semimodule: str, data: st.DataObject) -> None:
    result = coalesce(data.draw(layouts(semimodule)))
    assert coalesce(result) == result
    shape, stride = result.flat()
    for i in range(len(shape) - 1):
        merger = Layout((*shape[:i], shape[i] * shape[i + 1], *shape[i + 2 :]), (*stride[: i + 1], *stride[i + 2 :]))
        assert brute_values(merger) != values(result)


@given(any_layouts(), st.data())
def test_coalesce_by_mode_keeps_the_modes_and_their_functions(layout: Layout, data: st.DataObject) -> None:
    assume(isinstance(layout.shape, tuple))
    profile = data.draw(st.lists(st.sampled_from([1, None]), max_size=layout.rank).map(tuple))
    result = coalesce(layout, profile)
    assert result.rank == layout.rank
    assert values(result) == brute_values(layout)
    for mode, old, p in zip(result, layout, profile, strict=False):
        assert mode == (old if p is None else coalesce(old))


@given(any_layouts(), st.integers(0, 700))
def test_open_modes_keep_the_extended_function(layout: Layout, index: int) -> None:
    modes = open_modes(layout)
    opened = Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes))
    assert brute(opened, index) == brute(layout, index)


@pytest.mark.parametrize("semimodule", SEMIMODULES)
@given(data=st.data())
def test_concatenation_adds_values(semimodule: str, data: st.DataObject) -> None:
    a, b = data.draw(layouts(semimodule)), data.draw(layouts(semimodule))
    joined = concat(a, b)
    assert values(joined) == [plain(x + y) for y in b.elements() for x in a.elements()]


@given(any_layouts(), st.data())
def test_a_slice_has_the_values_of_the_filled_coordinate(layout: Layout, data: st.DataObject) -> None:
    c = data.draw(coordinates_of(layout.shape, free=True))
    found = slice_layout(layout, c)
    free = [full for full in coordinates(layout.shape) if _agrees(full, c, layout.shape)]
    assert [plain(v) for v in found.elements()] == [plain(layout.element(full)) for full in free]


def _agrees(full: Any, part: Any, shape: Any) -> bool:
    if part is None:
        return True
    if not isinstance(part, tuple):
        return bool(crd2idx(full, shape) == part)
    return all(_agrees(f, p, s) for f, p, s in zip(full, part, shape, strict=True))


@given(any_layouts())
def test_flatten_keeps_the_function(layout: Layout) -> None:
    assert values(flatten_modes(layout)) == brute_values(layout)


@given(any_layouts(), st.data())
def test_group_keeps_the_function_and_take_undoes_it(layout: Layout, data: st.DataObject) -> None:
    assume(isinstance(layout.shape, tuple))
    begin = data.draw(st.integers(0, layout.rank))
    end = data.draw(st.integers(begin, layout.rank))
    grouped = group(layout, begin, end)
    assert values(grouped) == brute_values(layout)
    assert take(layout, begin, end) == grouped[begin]


@given(any_layouts(), st.data())
def test_select_takes_modes_in_the_order_named(layout: Layout, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(layout.rank)))
    chosen = select(layout, *order)
    assert [chosen[k] for k in range(layout.rank)] == [layout.modes()[i] for i in order]


@given(any_layouts())
def test_append_and_prepend_put_a_mode_at_an_end(layout: Layout) -> None:
    mode = Layout(2, 0)
    assert append(layout, mode).modes() == (*layout.modes(), mode)
    assert prepend(layout, mode).modes() == (mode, *layout.modes())
    assert append(layout, mode)[-1] == mode == replace(append(layout, Layout(3, 0)), layout.rank, mode)[-1]


@given(any_layouts())
def test_filter_keeps_the_image(layout: Layout) -> None:
    image = set(brute_values(layout))
    assert set(values(filter_zeros(layout))) == image
    assert set(values(filter_layout(layout))) == image
    assert all(d != 0 for d in filter_layout(layout).flat()[1]) or image == {0}


@given(any_layouts())
def test_nullspace_leads_to_zero(layout: Layout) -> None:
    still = [s for s, d in zip(*layout.flat(), strict=True) if d == 0]
    found = nullspace(layout)
    assert {brute(layout, i) for i in found.values()} == {0}
    assert len(set(found.values())) == found.size == prod(still)


@pytest.mark.parametrize("semimodule", SEMIMODULES)
@given(data=st.data())
def test_layout_add_adds_values(semimodule: str, data: st.DataObject) -> None:
    a = data.draw(layouts(semimodule))
    b = data.draw(st.sampled_from([coalesce(a), flatten_modes(a), Layout(a.size, 0), Layout(a.shape, a.stride)]))
    result = layout_add(a, b)
    assert values(result) == [plain(x + y) for x, y in zip(a.elements(), b.elements(), strict=True)]


@given(any_layouts(), any_layouts())
def test_common_refinement_keeps_both_functions(a: Layout, b: Layout) -> None:
    assume(a.size == b.size)
    try:
        x, y = common_refinement(a, b)
    except LayoutError as error:
        assert error.code in ("LC310", "LC308")
        return
    assert x.shape == y.shape
    assert values(x) == brute_values(a) and values(y) == brute_values(b)


@pytest.mark.parametrize("semimodule", SEMIMODULES)
@given(data=st.data())
def test_layout_of_finds_a_layout_of_least_rank(semimodule: str, data: st.DataObject) -> None:
    layout = data.draw(layouts(semimodule))
    found = layout_of(layout.elements())
    assert found is not None
    assert values(found) == brute_values(layout)
    assert len(merged(*found.flat())) <= len(merged(*layout.flat()))


@given(st.lists(st.integers(0, 6), min_size=1, max_size=8))
def test_layout_of_refuses_only_what_no_layout_has(tail: list[int]) -> None:
    wanted = [0, *tail]
    assert (layout_of(wanted) is not None) == _has_layout(wanted)


def _has_layout(wanted: list[int]) -> bool:
    """Is there a layout with these values? Every factorisation with every fitting stride is tried."""
    if len(wanted) == 1:
        return wanted[0] == 0
    for s in range(2, len(wanted) + 1):
        if len(wanted) % s:
            continue
        step, outer = wanted[1], wanted[::s]
        if all(wanted[i] == outer[i // s] + i % s * step for i in range(len(wanted))) and _has_layout(outer):
            return True
    return False


@given(integer_layouts(), st.integers(1, 63))
def test_an_xor_value_is_read_as_its_integer(layout: Layout, k: int) -> None:
    assert layout.element(Xor(k)) == layout.element(k)
