"""The answers of `analyse` against lists of values, and its limits."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from property.strategies import any_layouts, compact_layouts, integer_layouts

from laycalc.algebra.questions.analysis import analyse
from laycalc.algebra.questions.permutation import permutation_of
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor


@given(any_layouts())
def test_image_aliasing_and_density_are_those_of_the_values(layout: Layout) -> None:
    report, values = analyse(layout), layout.values()
    assert report.image is not None and report.aliasing is not None and report.gaps is not None
    assert report.image.count == len(set(values))
    assert report.aliasing.count == sum(values.count(v) > 1 for v in set(values))
    assert report.aliasing.most == max(map(values.count, values))
    assert report.gaps.count == report.footprint - report.image.count
    assert report.injective == (report.aliasing.count == 0)


@given(integer_layouts())
def test_gaps_are_the_stretches_between_values(layout: Layout) -> None:
    report, taken = analyse(layout), sorted(set(layout.values()))
    stretches = [(a + 1, b - 1) for a, b in pairwise(taken) if b - a > 1]
    assert report.gaps is not None
    assert list(report.gaps.first) == stretches[:16]
    assert report.gaps.count == sum(b - a + 1 for a, b in stretches)


@given(integer_layouts())
def test_contiguous_runs_are_in_a_row_everywhere(layout: Layout) -> None:
    run, values = analyse(layout).contiguous, layout.values()
    assert all(v == values[i - i % run] + i % run for i, v in enumerate(values))


@given(compact_layouts())
def test_a_permutation_to_the_power_of_its_order_is_the_identity(layout: Layout) -> None:
    values = layout.values()
    found = analyse(layout).permutation
    assert found is not None
    assert sum(length * count for length, count in found.cycles) == len(values)
    powers = list(range(len(values)))
    for n in range(1, min(found.order, 200) + 1):
        powers = [values[i] for i in powers]
        assert (powers == list(range(len(values)))) == (n == found.order)
    swaps = sum(a > b for i, a in enumerate(values) for b in values[i + 1 :]) if len(values) <= 64 else None
    assert swaps is None or found.even == (swaps % 2 == 0)


def test_permutation_of_refuses_other_sequences() -> None:
    assert permutation_of([0, 0]) is None
    assert permutation_of([1, 2]) is None
    assert permutation_of([0, -1]) is None
    assert permutation_of([]) is not None


def test_a_large_layout_is_answered_from_its_strides() -> None:
    report = analyse(Layout((1 << 30, 1 << 30), (1 << 30, 1)))
    assert report.image is report.gaps is report.permutation is None
    assert report.injective and report.compact and report.cosize == 1 << 60
    assert report.notes == (f"values: {1 << 60} of them, more than the limit {1 << 20}",)


def test_a_question_that_has_no_answer_is_noted() -> None:
    e = Coordinate.of([((0,), 1), ((1,), 1)])
    report = analyse(Layout((2, 2), (e, 0)))
    assert report.longest_run is None
    assert any(note.startswith("longest run: right_inverse needs strides along one axis") for note in report.notes)


def test_thread_values_tell_vectors_and_lanes() -> None:
    report = analyse(Layout(((4, 8), (2, 2)), ((32, 1), (16, 8))))
    assert report.threads is not None
    assert (report.threads.threads, report.threads.values, report.threads.vector) == (32, 4, 1)
    assert report.threads.per_thread == "(2,2):(16,8)" and report.threads.across == "(4,8):(32,1)"
    assert [mode.broadcast for mode in analyse(Layout((2, 4), (0, 1))).modes] == [True, False]


def test_swizzled_layouts_and_tensors_are_listed() -> None:
    swizzled = analyse(Composed(Swizzle(2, 1, 2), 0, Layout((8, 4), (1, 8))))
    assert swizzled.compact and swizzled.contiguous == 2
    assert swizzled.permutation is not None and swizzled.permutation.order == 2
    shifted = analyse(Tensor(3, Layout((2, 4), (0, 1))))
    assert shifted.image is not None and (shifted.image.least, shifted.image.greatest) == (3, 6)
    assert analyse(Tensor(7)).size == 1
