"""Criteria C1, C2, C3 against brute force, one law a test."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from laycalc.algebra.finding.criteria import longest_prefix, swizzle_form, xor_clash
from laycalc.algebra.finding.fit import fit
from laycalc.algebra.values.coalesce import coalesce
from laycalc.algebra.values.htuple import flatten, unflatten
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle

from .strategies import BINARY, SIGNED, integer_layouts, shapes, with_strides


@st.composite
def binary_layouts(draw: st.DrawFn, coordinates: bool = False) -> Layout:
    """Extents powers of two, strides not negative."""
    shape = draw(shapes(BINARY))
    number = st.one_of(st.integers(0, 9), st.sampled_from([1, 2, 4, 8, 16, 32]))
    if coordinates:
        number = st.builds(lambda axis, c: Coordinate.of([((axis,), c)]), st.integers(0, 1), number)
    return with_strides(shape, [draw(number) for _ in flatten(shape)])


def is_xor_of_bits(layout: Layout) -> bool:
    """By definition: every value is the XOR of the values of the bits of its coordinate, axis by axis."""
    shape, stride = layout.flat()
    bits = [(leaf, b) for leaf, n in enumerate(shape) for b in range(n.bit_length() - 1)]
    axes = sorted({p for d in stride if isinstance(d, Coordinate) for p, _ in d.terms}) or [()]

    def of(d: Any, axis: Any) -> int:
        return (d.axis(axis) if isinstance(d, Coordinate) else 0) if axis else d

    for chosen in range(1 << len(bits)):
        parts = [((1 << b), stride[leaf]) for k, (leaf, b) in enumerate(bits) if chosen >> k & 1]
        for axis in axes:
            total = xored = 0
            for n, d in parts:
                total += n * of(d, axis)
                xored ^= n * of(d, axis)
            if total != xored:
                return False
    return True


@given(st.booleans().flatmap(binary_layouts))
@settings(max_examples=300)
def test_c1_holds_exactly_where_sums_are_xors(layout: Layout) -> None:
    clash = xor_clash(layout)
    assert (clash is None) == is_xor_of_bits(layout)
    if clash is not None:
        assert layout(clash.at) == clash.value != clash.xored


@given(binary_layouts())
def test_c1_gives_xor_strides_of_the_same_function(layout: Layout) -> None:
    if xor_clash(layout) is None:
        strides = [d if isinstance(d, Xor) else Xor.of(d) for d in layout.flat()[1]]
        assert Layout(layout.shape, unflatten(strides, layout.shape)).values() == layout.values()


@given(
    st.lists(st.integers(1, 3), min_size=1, max_size=3).flatmap(
        lambda widths: st.tuples(st.just(widths), st.permutations(range(sum(widths))))
    ),
    st.integers(1, 3),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_c2_finds_the_swizzle_of_a_strided_layout(
    case: tuple[list[int], list[int]], bits: int, base: int, extra: int
) -> None:
    widths, order = case
    swizzle = Swizzle(bits, base, bits + extra)
    rest = iter(order)
    modes = [[swizzle(1 << next(rest)) for _ in range(w)] for w in widths]
    if all(swizzle(1 << b) == 1 << b for b in range(sum(widths))):
        return  # nothing moves
    found = swizzle_form(modes)
    assert found is not None
    assert (found.swizzle.bits, found.swizzle.base) <= (bits, base)
    assert [
        [found((0,) * k + (1 << b,) + (0,) * (len(widths) - k - 1)) for b in range(w)] for k, w in enumerate(widths)
    ] == modes


@given(integer_layouts(SIGNED))
def test_c3_finds_the_coalesced_layout_mode_by_mode(layout: Layout) -> None:
    box = tuple(m.size for m in layout.modes())
    found = fit(layout.elements(), box)
    assert isinstance(found.value, Layout)
    assert found.value.elements() == layout.elements()
    if len(box) > 1:
        assert [coalesce(m) for m in layout.modes()] == list(found.value.modes())
    else:
        assert found.value == coalesce(layout)


def explained(values: list[int]) -> bool:
    """Is a list the prefix of a layout? Every first extent is tried."""
    if len(values) < 2:
        return True
    step = values[1]
    for s in range(2, len(values) + 1):
        if any(values[k] != k * step for k in range(min(s, len(values)))):
            return False
        starts = values[::s]
        if all(v == values[i % s] + starts[i // s] for i, v in enumerate(values)) and (
            s >= len(values) or explained(starts)
        ):
            return True
    return False


@given(st.lists(st.integers(0, 5), max_size=9).map(lambda tail: [0, *tail]))
@settings(max_examples=400)
def test_c3_names_the_first_index_that_no_layout_explains(values: list[int]) -> None:
    first = next((m for m in range(len(values)) if not explained(values[: m + 1])), None)
    assert longest_prefix(values).bad == first


@given(integer_layouts(SIGNED), st.integers(-20, 20), st.data())
def test_a_table_with_holes_keeps_its_known_values(layout: Layout, origin: int, data: st.DataObject) -> None:
    box = tuple(m.size for m in layout.modes())
    values: list[int | None] = [origin + v for v in layout.elements()]
    for i in data.draw(st.lists(st.integers(0, len(values) - 1), max_size=len(values) // 2)):
        values[i] = None
    found = fit(values, box)
    if found.value is None:
        assert all(v is None for v in values) or found.reason == "too many holes to decide"
        return
    answer = found.value.values()
    assert all(v is None or v == answer[i] for i, v in enumerate(values))


@given(
    integer_layouts(),
    st.integers(1, 3),
    st.integers(0, 4),
    st.integers(0, 2),
    st.sampled_from([1, -1]),
    st.integers(0, 9),
)
def test_a_swizzled_table_is_a_layout_a_swizzle_or_xor_strides(
    layout: Layout, bits: int, base: int, extra: int, sign: int, offset: int
) -> None:
    value = Composed(Swizzle(bits, base, sign * (bits + extra)), offset, layout)
    box = tuple(m.size for m in layout.modes())
    found = fit(value.elements(), box)
    assert found.value is not None
    assert [v.value if isinstance(v, Xor) else v for v in found.value.values()] == value.elements()
