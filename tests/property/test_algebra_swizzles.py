"""One law a test: swizzles, composed layouts, tensors, element widths."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from property.strategies import BINARY, compact_layouts, coordinates_of, integer_layouts, padded_layouts, xor_layouts
from vocabulary import VOCABULARY

from laycalc.algebra.base.errors import AdmissibilityError, LayoutError
from laycalc.algebra.operations.build import with_shape
from laycalc.algebra.operations.recast import downcast, recast_layout, to_bytes, to_elements, upcast
from laycalc.algebra.operations.swizzle_algebra import as_swizzle, as_xor, compose_swizzles, layout_after_swizzle
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.shape import coordinates, crd2idx
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor, slice_layout


@st.composite
def swizzles(draw: st.DrawFn) -> Swizzle:
    bits = draw(st.integers(0, 3))
    distance = draw(st.integers(bits, 4))
    return Swizzle(bits, draw(st.integers(0, 3)), draw(st.sampled_from([distance, -distance])))


@st.composite
def composed(draw: st.DrawFn) -> Composed:
    return Composed(draw(swizzles()), draw(st.sampled_from([0, 0, 0, 1, 5, 8, 64])), draw(integer_layouts()))


def attempt(operation: Any, *args: Any) -> Any:
    """The result, None where it is refused."""
    try:
        return operation(*args)
    except AdmissibilityError:
        return None


@given(swizzles(), st.integers(-300, 5000))
def test_a_swizzle_is_its_own_inverse(swizzle: Swizzle, index: int) -> None:
    assert swizzle(swizzle(index)) == index


@given(swizzles(), st.integers(0, 5000), st.integers(0, 5000))
def test_a_swizzle_is_linear_over_f2(swizzle: Swizzle, a: int, b: int) -> None:
    assert swizzle(a ^ b) == swizzle(a) ^ swizzle(b)


@given(swizzles(), st.integers(0, 2000), st.integers(0, 5))
def test_a_swizzle_repeats_with_its_period(swizzle: Swizzle, index: int, k: int) -> None:
    assert swizzle(index + k * swizzle.period) == swizzle(index) + k * swizzle.period


@given(swizzles(), st.integers(0, 9))
def test_the_xor_layout_of_a_swizzle_has_its_values(swizzle: Swizzle, bits: int) -> None:
    assert swizzle.linear(1 << bits).values() == [swizzle(i) for i in range(1 << bits)]


@given(swizzles(), swizzles(), st.integers(0, 5000))
def test_swizzles_compose_as_functions(a: Swizzle, b: Swizzle, index: int) -> None:
    found = attempt(compose_swizzles, a, b)
    assert found is None or found(index) == a(b(index))


@given(swizzles())
def test_a_swizzle_composed_with_itself_vanishes(swizzle: Swizzle) -> None:
    assert compose_swizzles(swizzle, swizzle).bits == 0


@given(integer_layouts(), swizzles())
def test_a_layout_after_a_swizzle_reads_swizzled_indices(layout: Layout, swizzle: Swizzle) -> None:
    found = attempt(layout_after_swizzle, layout, swizzle)
    assert found is None or found.elements() == [layout.element(swizzle(i)) for i in range(layout.size)]


@given(composed(), integer_layouts())
def test_composition_passes_through_a_swizzle(left: Composed, right: Layout) -> None:
    found = attempt(VOCABULARY["composition"], left, right)
    assert found is None or found.elements() == [left.element(v) for v in right.elements()]


@given(integer_layouts(), composed())
def test_a_swizzled_right_operand_composes_as_a_function(left: Layout, right: Composed) -> None:
    try:
        found = VOCABULARY["composition"](left, right)
    except LayoutError as error:
        assert error.code in ("LC301", "LC302", "LC303", "LC304")
        return
    assert found.elements() == [left.element(v) for v in right.elements()]


@given(compact_layouts(), st.integers(0, 40), integer_layouts())
def test_an_offset_of_the_right_operand_passes_to_the_result(left: Layout, offset: int, right: Layout) -> None:
    found = attempt(VOCABULARY["composition"], left, Tensor(offset, right))
    assert found is None or found.elements() == [left.element(offset + v) for v in right.elements()]


@given(composed(), st.data())
def test_a_slice_of_a_swizzled_layout_has_the_values_of_the_filled_coordinate(
    whole: Composed, data: st.DataObject
) -> None:
    c = data.draw(coordinates_of(whole.shape, free=True))
    found = slice_layout(whole, c)
    free = [full for full in coordinates(whole.shape) if _agrees(full, c, whole.shape)]
    assert found.elements() == [whole.element(full) for full in free]


def _agrees(full: Any, part: Any, shape: Any) -> bool:
    if part is None:
        return True
    if not isinstance(part, tuple):
        return bool(crd2idx(full, shape) == part)
    return all(_agrees(f, p, s) for f, p, s in zip(full, part, shape, strict=True))


@given(integer_layouts(), st.integers(-50, 50), st.data())
def test_a_slice_of_a_tensor_keeps_its_offset(layout: Layout, offset: int, data: st.DataObject) -> None:
    c = data.draw(coordinates_of(layout.shape, free=True))
    assert slice_layout(Tensor(offset, layout), c).values() == [offset + v for v in slice_layout(layout, c).values()]


@given(swizzles(), compact_layouts(BINARY))
def test_a_swizzled_bijection_of_bits_has_xor_strides(swizzle: Swizzle, layout: Layout) -> None:
    whole = Composed(swizzle, 0, layout)
    assert as_xor(whole).values() == whole.elements()


@given(composed())
def test_xor_strides_are_found_only_where_they_are_right(whole: Composed) -> None:
    found = attempt(as_xor, whole)
    assert found is None or found.values() == whole.elements()


@given(xor_layouts(BINARY))
def test_a_swizzle_is_found_only_where_it_is_right(layout: Layout) -> None:
    found = attempt(as_swizzle, layout)
    assert found is None or found.elements() == layout.values()


@given(swizzles(), compact_layouts(BINARY))
def test_as_swizzle_undoes_as_xor(swizzle: Swizzle, layout: Layout) -> None:
    xor = as_xor(Composed(swizzle, 0, layout))
    assert as_swizzle(xor).elements() == xor.values()


@given(padded_layouts(), st.sampled_from([1, 2, 3, 4, 8]))
def test_wide_elements_are_those_that_hold_the_narrow_ones(layout: Layout, factor: int) -> None:
    wide = attempt(upcast, layout, factor)
    assume(wide is not None)
    assert set(wide.values()) == {v // factor for v in layout.values()}


@given(integer_layouts(), st.sampled_from([1, 2, 3, 4]))
def test_narrow_elements_fill_the_wide_ones(layout: Layout, factor: int) -> None:
    narrow = attempt(downcast, layout, factor)
    assume(narrow is not None)
    assert sorted(narrow.values()) == sorted(factor * v + j for v in layout.values() for j in range(factor))


@given(integer_layouts(), st.sampled_from([1, 2, 4]))
def test_upcast_undoes_downcast(layout: Layout, factor: int) -> None:
    narrow = attempt(downcast, layout, factor)
    assume(narrow is not None)
    again = attempt(upcast, narrow, factor)
    assert again is not None and again.values() == layout.values()


@given(composed(), st.sampled_from([1, 2, 4]))
def test_recast_swizzles_keep_their_bytes(whole: Composed, factor: int) -> None:
    narrow = attempt(downcast, whole, factor)
    assume(narrow is not None)
    wanted = sorted(factor * v + j for v in whole.elements() for j in range(factor))
    assert sorted(narrow.elements()) == wanted
    wide = attempt(upcast, whole, factor)
    assert wide is None or set(wide.elements()) == {v // factor for v in whole.elements()}


@given(compact_layouts(), st.sampled_from([4, 8, 16, 32, 64]), st.sampled_from([4, 8, 16, 32, 64]))
def test_recast_there_and_back_keeps_the_image(layout: Layout, old: int, new: int) -> None:
    there = attempt(recast_layout, layout, old, new)
    assume(there is not None)
    bits = {v * old + b for v in layout.values() for b in range(old)}
    assert {v * new + b for v in there.values() for b in range(new)} >= bits


@given(composed(), st.sampled_from([8, 16, 32, 64]))
def test_bytes_are_elements_times_their_width(whole: Composed, bits: int) -> None:
    found = to_bytes(whole, bits)
    assert found.elements() == [v * bits // 8 for v in whole.elements()]
    assert to_elements(found, bits).elements() == whole.elements()


@given(compact_layouts())
def test_with_shape_keeps_the_integer_function(layout: Layout) -> None:
    found = attempt(with_shape, layout, (2, layout.size // 2)) if layout.size % 2 == 0 else None
    assert found is None or found.values() == layout.values()
