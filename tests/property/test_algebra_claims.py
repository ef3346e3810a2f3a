"""One law a test: claims about layouts - image, injectivity, equality, vectors, alignment, common shapes."""

from __future__ import annotations

from math import gcd
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from property.strategies import (
    EXTENTS,
    SEMIMODULES,
    any_layouts,
    brute_values,
    compact_layouts,
    integer_layouts,
    layouts,
    padded_layouts,
    shapes,
    xor_layouts,
)

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.finding.synthesis import layout_of
from laycalc.algebra.operations.build import make_identity_layout, make_layout_like
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.operations.image import bijective, compact, coshape, cosize, disjoint, image, injective, surjective
from laycalc.algebra.operations.inverse import right_inverse
from laycalc.algebra.operations.shapes import common_coarsening, greatest_common_domain, refined_shape
from laycalc.algebra.operations.vector import max_alignment, max_common_layout, max_common_vector
from laycalc.algebra.questions.laws import admissible, equal, is_identity
from laycalc.algebra.questions.linear import linear_form
from laycalc.algebra.values.coalesce import coalesce
from laycalc.algebra.values.htuple import flatten
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.shape import compatible, natural, size


@pytest.mark.parametrize("semimodule", SEMIMODULES)
@given(data=st.data())
def test_injective_layouts_take_no_value_twice(semimodule: str, data: st.DataObject) -> None:
    layout = data.draw(layouts(semimodule))
    values = brute_values(layout)
    assert injective(layout) == (len(set(values)) == len(values))


@given(integer_layouts())
def test_surjective_layouts_leave_no_gap_below_the_cosize(layout: Layout) -> None:
    values = set(brute_values(layout))
    assert surjective(layout) == (len(values) == max(values) + 1)
    assert bijective(layout) == (surjective(layout) and injective(layout))


@pytest.mark.parametrize("semimodule", SEMIMODULES)
@given(data=st.data())
def test_compact_layouts_are_bijections_onto_the_first_integers(semimodule: str, data: st.DataObject) -> None:
    layout = data.draw(layouts(semimodule))
    values = layout.values()
    if semimodule == "Z^P":
        assert not compact(layout) or len(set(values)) == layout.size
    else:
        assert compact(layout) == (sorted(values) == list(range(layout.size)))


@given(any_layouts())
def test_the_coshape_holds_every_value(layout: Layout) -> None:
    shape = coshape(layout)
    for value in layout.values():
        assert all(0 <= v < s for v, s in zip(flatten(value), flatten(shape), strict=True))


@given(integer_layouts())
def test_the_cosize_is_one_more_than_the_largest_value(layout: Layout) -> None:
    assert cosize(layout) == max(image(layout)) + 1 == max(brute_values(layout)) + 1


@given(xor_layouts())
def test_the_cosize_of_xor_strides_is_one_more_than_the_largest_value(layout: Layout) -> None:
    assert cosize(layout) == max(layout.values()) + 1 <= coshape(layout)


@given(any_layouts(), any_layouts())
def test_equal_layouts_have_the_same_integer_function(a: Layout, b: Layout) -> None:
    assert equal(a, a)
    assert equal(a, b) == (a.size == b.size and brute_values(a) == brute_values(b))


@given(xor_layouts())
def test_equality_of_xor_layouts_is_decided_by_values(layout: Layout) -> None:
    found = layout_of(layout.elements())
    assert found is not None and equal(layout, found)


@given(shapes(EXTENTS))
def test_identity_layouts_are_identities(shape: Any) -> None:
    identity = make_identity_layout(shape)
    assert is_identity(identity, shape) or not isinstance(shape, tuple)
    assert is_identity(Layout(shape), size(shape))
    if isinstance(shape, tuple):
        assert all(identity(i) == natural(i, shape) for i in range(size(shape)))


@given(integer_layouts(), integer_layouts())
def test_admissible_instructions_address_values_of_the_data(instruction: Layout, data: Layout) -> None:
    assert admissible(instruction, data) == (set(brute_values(instruction)) <= set(brute_values(data)))
    assert disjoint(instruction, data) == (not set(brute_values(instruction)) & set(brute_values(data)))


@given(padded_layouts(), padded_layouts())
def test_common_layouts_count_in_both(a: Layout, b: Layout) -> None:
    common = max_common_layout(a, b)
    va, vb = brute_values(a), brute_values(b)
    indices = common.values()
    assert all(i < min(a.size, b.size) and va[i] == vb[i] == k for k, i in enumerate(indices))
    assert max_common_vector(a, b) == max_common_vector(b, a) == common.size
    # Where a composition with the inverse exists, its first mode is as long as that.
    try:
        whole = coalesce(composition(a, right_inverse(b)))
    except LayoutError:
        return
    first = whole.flat()[0][0] if whole.flat()[1][0] == 1 else 1
    assert first == common.size or right_inverse(b).size > a.size


@given(xor_layouts(), xor_layouts())
def test_common_layouts_of_xor_strides_count_in_both(a: Layout, b: Layout) -> None:
    va, vb = a.values(), b.values()
    for k, i in enumerate(max_common_layout(a, b).values()):
        assert va[i] == vb[i] == k


@given(padded_layouts())
def test_aligned_runs_tile_the_values(layout: Layout) -> None:
    run = max_alignment(layout)
    values = set(brute_values(layout))
    assert all(run * (v // run) + j in values for v in values for j in range(run))


@given(any_layouts())
def test_a_layout_like_another_is_compact_in_the_same_order(layout: Layout) -> None:
    alike = make_layout_like(layout)
    assert alike.shape == layout.shape
    assert make_layout_like(alike) == alike
    moving = [s for s, d in zip(*layout.flat(), strict=True) if d != 0]
    assert sorted(set(alike.values())) == list(range(size(tuple(moving))))


@given(any_layouts())
def test_the_linear_form_multiplies_natural_coordinates(layout: Layout) -> None:
    rows = linear_form(layout)
    for i, value in enumerate(layout.values()):
        c = flatten(natural(i, layout.shape))
        if layout.semimodule == "F2":
            bits = [[(x >> b & 1) for b in range(6)] for x in c]
            total = 0
            for column, x in zip(layout.flat()[1], bits, strict=True):
                for b, on in enumerate(x):
                    total ^= (getattr(column, "value", 0) << b) * on
            assert total == value and len(rows) == max(getattr(d, "value", 0) for d in layout.flat()[1]).bit_length()
        else:
            found = tuple(sum(m * x for m, x in zip(row, c, strict=True)) for row in rows)
            assert found == flatten(value)


@given(shapes(EXTENTS), shapes(EXTENTS))
def test_refinement_and_coarsening_bound_two_shapes(a: Any, b: Any) -> None:
    try:
        coarse = common_coarsening(a, b)
    except LayoutError as error:
        assert error.code == "LC310" and size(a) != size(b)
        return
    assert compatible(coarse, a) and compatible(coarse, b)
    try:
        fine = refined_shape(a, b)
    except LayoutError as error:
        assert error.code == "LC310"
        return
    assert compatible(a, fine) and compatible(b, fine)


@given(shapes(EXTENTS), shapes(EXTENTS))
def test_the_greatest_common_domain_is_symmetric_and_divides_both_sizes(a: Any, b: Any) -> None:
    domain = greatest_common_domain(a, b)
    assert domain == greatest_common_domain(b, a)
    assert gcd(size(a), size(b)) % domain.size == 0
    values = domain.values()
    assert len(set(values)) == len(values)


@given(compact_layouts())
def test_a_bijection_is_all_of_it(layout: Layout) -> None:
    assert compact(layout) and bijective(layout) and cosize(layout) == layout.size
