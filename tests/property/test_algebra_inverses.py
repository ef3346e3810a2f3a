"""One law a test: complement, right and left inverse, over the semimodules and swizzled layouts."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from property.strategies import (
    BASIS,
    BINARY,
    brute_values,
    by_axis,
    compact_layouts,
    coordinate_layouts,
    integer_layouts,
    padded_layouts,
    xor_layouts,
)
from vocabulary import VOCABULARY

from laycalc.algebra.base.errors import AdmissibilityError, LayoutError
from laycalc.algebra.finding.synthesis import layout_of
from laycalc.algebra.operations.complement import complement
from laycalc.algebra.operations.inverse import inverse, left_inverse, right_inverse
from laycalc.algebra.values.layout import Layout, codomain_profile, concat
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.shape import coordinates
from laycalc.algebra.values.swizzle import Composed, Swizzle


def attempt(operation: Any, *args: Any) -> Any:
    """The result, None where it is refused."""
    try:
        return operation(*args)
    except AdmissibilityError:
        return None


def moving(layout: Layout) -> Layout:
    """Without its stride-0 modes."""
    kept = [(s, d) for s, d in zip(*layout.flat(), strict=True) if d != 0]
    return Layout(tuple(s for s, _ in kept), tuple(d for _, d in kept)) if kept else Layout(1, 0)


@given(integer_layouts())
def test_a_complement_counts_free_places_in_ascending_order(layout: Layout) -> None:
    free = attempt(complement, layout)
    assume(free is not None)
    taken = set(brute_values(layout))
    listed = [free.element(i) for i in range(free.size + 10)]
    assert all(a < b for a, b in pairwise(listed))
    assert not taken & set(listed[1:])


@given(integer_layouts())
def test_a_layout_and_its_complement_are_jointly_injective(layout: Layout) -> None:
    free = attempt(complement, layout)
    assume(free is not None)
    values = brute_values(concat(moving(layout), free))
    assert len(set(values)) == len(values)


@given(padded_layouts(), st.integers(1, 500))
def test_a_relative_complement_of_a_chain_covers_an_initial_segment(layout: Layout, size: int) -> None:
    free = complement(layout, size)
    values = sorted(brute_values(concat(layout, free)))
    assert values == list(range(len(values)))
    assert len(values) >= size


@given(integer_layouts())
def test_a_complement_is_refused_only_where_modes_overlap(layout: Layout) -> None:
    try:
        complement(layout)
    except AdmissibilityError as error:
        assert error.code == "LC306"
        blocks = sorted((d, s * d) for s, d in zip(*layout.flat(), strict=True) if d != 0 and s != 1)
        assert any(nxt < end for (_, end), (nxt, _) in pairwise(blocks)) or blocks[0][0] < 1


@given(coordinate_layouts(BASIS))
def test_a_coordinate_complement_is_disjoint_on_every_axis(layout: Layout) -> None:
    free = attempt(complement, layout)
    assume(free is not None)
    values = brute_values(concat(moving(layout), free))
    assert len(set(values)) == len(values)


@given(integer_layouts())
def test_a_right_inverse_finds_an_index_for_every_value(layout: Layout) -> None:
    found = right_inverse(layout)
    values = brute_values(layout)
    indices = found.values()
    assert [values[i] for i in indices] == list(range(found.size))


@given(compact_layouts())
def test_a_right_inverse_of_a_compact_layout_is_its_inverse(layout: Layout) -> None:
    found = right_inverse(layout)
    assert found == inverse(layout)
    assert sorted(found.values()) == list(range(layout.size))


@given(padded_layouts())
def test_a_right_inverse_of_an_injective_layout_is_the_largest(layout: Layout) -> None:
    found = right_inverse(layout)
    position = {v: i for i, v in enumerate(brute_values(layout))}
    reach = next(k for k in range(len(position) + 1) if k not in position)
    longer = [n for n in range(found.size + 1, reach + 1) if layout_of([position[k] for k in range(n)]) is not None]
    assert not longer


@given(coordinate_layouts(BASIS))
def test_a_coordinate_right_inverse_finds_an_index_for_every_coordinate(layout: Layout) -> None:
    found = attempt(right_inverse, layout)
    assume(found is not None)
    profile, values = codomain_profile(layout), layout.values()
    for k in coordinates(found.shape):
        assert values[found.element(k)] == by_axis(k, found.shape, profile)


@given(integer_layouts())
def test_a_left_inverse_undoes_the_layout(layout: Layout) -> None:
    found = attempt(left_inverse, layout)
    assume(found is not None)
    values = brute_values(layout)
    assert max(values) < found.size or found.size == layout.size
    for i, v in enumerate(values):
        assert values[found.element(v)] == v
        assert values.count(v) > 1 or found.element(v) == i


@given(padded_layouts())
def test_a_chain_always_has_a_left_inverse(layout: Layout) -> None:
    found = left_inverse(layout)
    assert [found.element(v) for v in brute_values(layout)] == list(range(layout.size))


@given(coordinate_layouts(BASIS))
def test_a_coordinate_left_inverse_undoes_the_layout(layout: Layout) -> None:
    found = attempt(left_inverse, layout)
    assume(found is not None)
    for v in layout.elements():
        assert layout.element(found.element(v)) == v


@given(xor_layouts(BINARY))
def test_an_xor_right_inverse_finds_an_index_for_every_value(layout: Layout) -> None:
    found = right_inverse(layout)
    values = layout.values()
    assert [values[i] for i in found.values()] == list(range(found.size))
    # As long as every power of two below is a sum of strides, nothing is missing.
    assert found.size == 1 or set(range(found.size)) <= set(values)
    assert not set(range(2 * found.size)) <= set(values)


@given(xor_layouts(BINARY))
def test_an_xor_left_inverse_undoes_the_layout(layout: Layout) -> None:
    found = left_inverse(layout)
    values = layout.values()
    assert found.size > max(values)
    indices = found.values()
    for v in values:
        assert values[indices[v]] == v


@given(xor_layouts(st.sampled_from([2, 4, 8])), st.integers(3, 7), st.integers(0, 31))
def test_a_binary_layout_may_end_in_any_extent(layout: Layout, extent: int, stride: int) -> None:
    whole = concat(layout, Layout(extent, Xor.of(stride)))
    values = whole.values()
    right = right_inverse(whole)
    assert [values[i] for i in right.values()] == list(range(right.size))
    indices = left_inverse(whole).values()
    for v in values:
        assert indices[v] < len(values) and values[indices[v]] == v


SHIFTS = st.sampled_from([2, 3, -2, -3])


@given(compact_layouts(BINARY), st.integers(0, 2), st.integers(0, 2), SHIFTS)
def test_a_swizzled_bijection_has_both_inverses(layout: Layout, bits: int, base: int, shift: int) -> None:
    swizzle = Swizzle(bits, base, shift)
    assume(layout.size % swizzle.period == 0)
    whole = Composed(swizzle, 0, layout)
    right, left = VOCABULARY["right_inverse"](whole), VOCABULARY["left_inverse"](whole)
    assert [whole.element(i) for i in right.values()] == list(range(whole.size))
    assert [int(left(v)) for v in whole.values()] == list(range(whole.size))


@given(integer_layouts())
def test_inverse_is_refused_unless_compact(layout: Layout) -> None:
    compact = sorted(brute_values(layout)) == list(range(prod(layout.flat()[0])))
    try:
        found = inverse(layout)
    except LayoutError as error:
        assert error.code == "LC306" and not compact
        return
    assert compact and [layout.element(i) for i in found.values()] == list(range(layout.size))


def test_axes_of_a_coordinate_inverse_are_in_the_profile_of_the_codomain() -> None:
    e = lambda *path: Coordinate.of([(path, 1)])  # noqa: E731
    assert str(right_inverse(Layout((4, 8), (e(0), e(1))))) == "(4,8):(1,4)"
    assert str(complement(Layout((4, 6), (e(0), e(1, 0))))) == "(1,(1)):(4e0,(6e1.0))"
