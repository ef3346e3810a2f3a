"""What laycalc prints, it reads: ``parse(str(x)) == x`` for every kind of value."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler
from laycalc.grammar.language.values import Text, text_of
from laycalc.grammar.run.statements import evaluate
from laycalc.grammar.syntax.parser import parse_expression

from .strategies import SIGNED, any_layouts, integer_layouts, shapes

integers = st.integers(-(10**30), 10**30)
nested = st.recursive(integers, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=8)
small = shapes(st.integers(1, 6))
paths = st.lists(st.integers(0, 3), min_size=2, max_size=2).map(tuple)
coordinates = st.dictionaries(paths, st.integers(-9, 9).filter(bool), min_size=1, max_size=3).map(
    lambda terms: Coordinate.of(terms.items())
)
swizzles = st.tuples(st.integers(0, 4), st.integers(0, 5), st.integers(-8, 8)).filter(lambda t: abs(t[2]) >= t[0])


signed_layouts = integer_layouts(SIGNED)


def returns(value: Any) -> None:
    found = evaluate(text_of(value))
    assert found == value
    assert type(found) is type(value)
    assert text_of(found) == text_of(value)


@given(nested)
def test_tuples(value: Any) -> None:
    returns(value)


@given(any_layouts())
def test_layouts_over_all_semimodules(layout: Layout) -> None:
    returns(layout)


@given(signed_layouts)
def test_negative_strides(layout: Layout) -> None:
    returns(layout)


@given(st.one_of(coordinates, st.integers(1, 10**12).map(Xor)))
def test_stride_elements(element: Any) -> None:
    returns(element)


@given(st.lists(st.one_of(st.none(), st.integers(1, 99), signed_layouts, small), min_size=1, max_size=4).map(Tiler))
def test_tilers(tiler: Tiler) -> None:
    returns(tiler)


@given(swizzles)
def test_swizzles(parts: tuple[int, int, int]) -> None:
    returns(Swizzle(*parts))


@given(swizzles.filter(lambda t: t[0] > 0), st.integers(0, 999), signed_layouts)
def test_swizzled_layouts(parts: tuple[int, int, int], offset: int, layout: Layout) -> None:
    returns(Composed(Swizzle(*parts), offset, layout))


@given(st.integers(-99, 999), signed_layouts)
def test_tensors(offset: int, layout: Layout) -> None:
    returns(Tensor(offset, layout))
    returns(Tensor(offset))


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=20).map(Text))
def test_strings(text: Text) -> None:
    returns(text)


@given(st.booleans())
def test_truths(truth: bool) -> None:
    returns(truth)


@given(any_layouts())
def test_the_parser_alone_reads_every_layout(layout: Layout) -> None:
    parse_expression(str(layout))
