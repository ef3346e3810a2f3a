"""One law a test: composition, exact in both directions, with 50,000 random pairs against brute force."""

from __future__ import annotations

import random
from itertools import accumulate
from operator import mul
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from property.strategies import (
    COORDINATES,
    EXTENTS,
    SEMIMODULES,
    any_layouts,
    brute,
    compact_layouts,
    coordinate_layouts,
    integer_layouts,
    layouts,
    plain,
    shapes,
    xor_layouts,
)

from laycalc.algebra.base.errors import AdmissibilityError, LayoutError
from laycalc.algebra.operations.build import make_identity_layout
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.operations.cutlass import StaticAssert, cutlass_composition
from laycalc.algebra.values.coalesce import coalesce
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.shape import compatible, natural
from laycalc.algebra.values.tiler import Tiler


def attempt(left: Layout, right: Any) -> Layout | None:
    """A o B, None where it is refused."""
    try:
        return composition(left, right)
    except AdmissibilityError:
        return None


def is_composition(result: Layout, left: Layout, right: Layout) -> bool:
    """R(c) = A(B(c)) for every coordinate of B, by brute force."""
    if not compatible(right.shape, result.shape):
        return False
    return all(plain(v) == plain(left.element(right.element(i))) for i, v in enumerate(result.elements()))


@pytest.mark.parametrize("semimodule", SEMIMODULES)
@given(data=st.data())
def test_composition_is_composition_of_functions(semimodule: str, data: st.DataObject) -> None:
    left, right = data.draw(layouts(semimodule)), data.draw(integer_layouts())
    result = attempt(left, right)
    assert result is None or is_composition(result, left, right)


@pytest.mark.parametrize("semimodule", SEMIMODULES)
@given(data=st.data())
def test_a_coordinate_operand_addresses_the_modes_it_names(semimodule: str, data: st.DataObject) -> None:
    left, right = data.draw(layouts(semimodule)), data.draw(coordinate_layouts())
    try:
        result = attempt(left, right)
    except LayoutError as error:
        assert error.code in ("LC205", "LC310", "LC315")
        return
    assert result is None or is_composition(result, left, right)


@pytest.mark.parametrize("semimodule", SEMIMODULES)
@given(data=st.data())
def test_an_xor_operand_addresses_indices(semimodule: str, data: st.DataObject) -> None:
    left, right = data.draw(layouts(semimodule)), data.draw(xor_layouts())
    result = attempt(left, right)
    assert result is None or is_composition(result, left, right)


@given(any_layouts(), st.lists(st.sampled_from([None, 1, 2, 3, 4]), min_size=1, max_size=3))
def test_a_tiler_is_the_layout_of_scaled_basis_strides(left: Layout, tiles: list[Any]) -> None:
    result = attempt(left, Tiler(tiles)) if len(tiles) <= left.rank and isinstance(left.shape, tuple) else None
    if result is None:
        return
    for mode, old, tile in zip(result, left, tiles, strict=False):
        assert mode == (old if tile is None else composition(old, tile))
    if None not in tiles:
        basis = Layout(tuple(tiles), tuple(Coordinate.of([((i,), 1)]) for i in range(len(tiles))))
        assert composition(left, basis) == result


@given(any_layouts())
def test_identities_change_nothing(layout: Layout) -> None:
    assert attempt(layout, make_identity_layout(layout.shape)) is not None
    assert coalesce(composition(layout, Layout(layout.shape))) == coalesce(layout)
    assert composition(Layout(layout.size, 1), Layout(layout.shape)) == Layout(layout.shape)


@given(compact_layouts(), compact_layouts(), integer_layouts())
def test_composition_is_associative_inside_the_domains(a: Layout, b: Layout, c: Layout) -> None:
    inner, outer = attempt(b, c), attempt(a, b)
    if inner is None or outer is None or max(c.values()) >= b.size or max(b.values()) >= a.size:
        return
    left, right = attempt(outer, c), attempt(a, inner)
    if left is not None and right is not None:
        assert left.elements() == right.elements()


@given(integer_layouts(), shapes(EXTENTS), st.lists(COORDINATES, min_size=5, max_size=5))
def test_refusals_name_the_guilty_leaf(left: Layout, shape: Any, strides: list[Any]) -> None:
    try:
        composition(left, Layout(shape))
    except AdmissibilityError as error:
        right_path, left_path = error.facts["right_path"], error.facts["left_path"]
        assert not isinstance(Layout(shape)[right_path].shape, tuple)
        assert left[left_path] is not None
        assert str(error)


# -- exactness: never wrong, and never a refusal of what the mode-wise form can say ------------------------------


def random_layout(rng: random.Random, kind: str, rank: int, extents: tuple[int, ...]) -> Layout:
    """A flat layout with strides of one kind: chain, positive, zero, signed, xor."""
    shape = tuple(rng.choice(extents) for _ in range(rank))
    if kind == "chain":
        strides: list[Any] = [0] * rank
        current = 1
        for i in rng.sample(range(rank), rank):
            strides[i] = current
            current *= shape[i]
    elif kind == "positive":
        strides = [rng.randint(1, 20) for _ in shape]
    elif kind == "zero":
        strides = [rng.choice([0, 0, 1, 2, rng.randint(0, 9)]) for _ in shape]
    elif kind == "signed":
        strides = [rng.randint(-6, 6) for _ in shape]
    else:
        strides = [Xor.of(rng.randint(0, 15)) for _ in shape]
    return Layout(shape, tuple(strides))


def mode_wise(left: Layout, right: Layout) -> Layout | None:
    """What walking the modes gives, right or wrong, as the C++ headers do it; None where the walk stops."""
    try:
        return cutlass_composition(left, right)
    except StaticAssert:
        return None


def test_50000_random_compositions_are_right_or_rightly_refused() -> None:
    rng = random.Random(20260301)
    accepted = refused = 0
    extents = (1, 2, 2, 3, 4, 4, 5, 6, 8)
    for trial in range(50_000):
        kind = ("chain", "positive", "zero", "signed", "xor")[trial % 5]
        left = random_layout(rng, kind, rng.randint(1, 4), extents)
        count = rng.choice((1, 1, 2, 3))
        shape = tuple(rng.choice((1, 2, 2, 3, 4, 6)) for _ in range(count))
        scale = rng.choice((1, 1, left.flat()[0][0], 2, 3))
        strides = tuple(rng.choice((0, 1, 1, 2, 3, 4, 6, 8, 12, rng.randint(0, 30))) * scale for _ in shape)
        right = Layout(shape, strides) if count > 1 else Layout(shape[0], strides[0])
        result = attempt(left, right)
        if result is not None:
            accepted += 1
            assert is_composition(result, left, right), f"wrong: {left} o {right} = {result}"
        else:
            refused += 1
            candidate = mode_wise(left, right)
            assert candidate is None or not is_composition(candidate, left, right), (
                f"refused although right: {left} o {right} = {candidate}"
            )
    assert accepted > 15_000 and refused > 5_000


def test_a_leaf_that_looks_for_its_first_mode_finds_what_a_walk_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(20261130)
    told = set()
    for _ in range(3_000):
        left = random_layout(rng, "chain", rng.randint(2, 6), (2, 2, 3, 4, 6))
        products = [1, *accumulate(left.flat()[0], mul)]
        shape = tuple(rng.choice((1, 2, 2, 3, 4, 12)) for _ in range(rng.randint(1, 3)))
        right = Layout(shape, tuple(rng.choice((0, 1, rng.randint(0, 99), rng.choice(products))) for _ in shape))
        found = []
        for many in (0, 99):
            monkeypatch.setattr("laycalc.algebra.operations.composition.MANY", many)
            try:
                found.append(str(composition(left, right)))
            except LayoutError as error:
                found.append(f"{error.code} {error}")
        assert found[0] == found[1], f"{left} o {right}"
        told.add(found[0][:5])
    assert {"LC301", "LC302", "LC303"} < told


def test_many_modes_are_composed_with_many_modes() -> None:
    shape = tuple(2 + i % 3 for i in range(400))
    left = Layout(shape, tuple(accumulate(shape[:-1], lambda d, s: 2 * d * s, initial=1)))
    assert composition(left, Layout(shape)) == left


def test_the_criterion_is_linear_in_the_modes_and_independent_of_the_size() -> None:
    left = Layout((1 << 40, 3 << 30, 1 << 50), (1, 1 << 60, 7))
    assert composition(left, Layout(1 << 20, 1 << 10)) == Layout(1 << 20, 1 << 10)
    with pytest.raises(AdmissibilityError):
        composition(left, Layout((1 << 40) + 1, 1))


@given(st.integers(0, 200))
def test_values_of_the_result_follow_the_definition_of_the_left_operand(index: int) -> None:
    left, right = Layout((4, 6, 8, 10), (2, 3, 5, 7)), Layout(6, 12)
    c = natural(index % 6, 6)
    assert brute(composition(left, right), c) == brute(left, 12 * c)
