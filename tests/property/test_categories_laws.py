"""One law a test for morphisms, refinement and the composition of layouts; the table of values is the oracle."""

from __future__ import annotations

from itertools import pairwise
from itertools import product as tuples
from math import prod
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.categories.admissible import division_condition, intervals_disjoint, is_admissible
from laycalc.algebra.categories.coalesce import coalesce_flat, coalesce_morphism, coalesce_morphism_relative
from laycalc.algebra.categories.complement import (
    complement_morphism,
    divide_flat,
    is_complementary,
    logical_divide_morphisms,
    logical_product_morphisms,
    product_flat,
)
from laycalc.algebra.categories.compose import compose, concat_flat, concat_nested, sum_flat
from laycalc.algebra.categories.cute import crossing, in_bounds
from laycalc.algebra.categories.layouts import compose_layouts, compose_layouts_general, compose_layouts_resized
from laycalc.algebra.categories.morphism import Morphism, identity, to_layout
from laycalc.algebra.categories.mutual import find_refinement, mutual_refinement
from laycalc.algebra.categories.nested import refines, relative_modes
from laycalc.algebra.categories.properties import is_injective, layout_properties, properties
from laycalc.algebra.categories.quotient import complement_layout, logical_divide_layouts, logical_product_layouts
from laycalc.algebra.categories.realise import realise
from laycalc.algebra.categories.relative import coalesce_relative
from laycalc.algebra.categories.select import factorize, restrict, sort_flat, squeeze_flat
from laycalc.algebra.categories.tractable import (
    is_standard,
    is_tractable,
    nullify,
    sort_layout,
    squeeze_layout,
    standardise,
    to_morphism,
)
from laycalc.algebra.categories.transport import pullback, pushforward
from laycalc.algebra.categories.weak import weak_composite
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.values.coalesce import coalesce
from laycalc.algebra.values.htuple import flatten, unflatten
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.shape import natural, size

quick = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))

ENTRIES = st.sampled_from([1, 2, 2, 3, 4, 5, 6, 8])
FACTORS = {1: [(1,)], 2: [(2,)], 3: [(3,)], 5: [(5,)], 4: [(2, 2)], 6: [(2, 3), (3, 2)], 8: [(2, 4), (4, 2), (2, 2, 2)]}


def flattened(*layouts: Layout) -> Layout:
    """The leaves of all layouts, one after the other."""
    shapes, strides = zip(*(layout.flat() for layout in layouts), strict=True)
    return Layout(sum(shapes, ()), sum(strides, ()))


# -- values --------------------------------------------------------------------------------------------------------


@st.composite
def nestings(draw: st.DrawFn, leaves: list[int]) -> Any:
    """The leaves in some nesting of depth at most 3."""
    if not draw(st.booleans()):
        return tuple(leaves)
    modes: list[Any] = []
    while leaves:
        n = draw(st.integers(1, len(leaves)))
        head, leaves = leaves[:n], leaves[n:]
        shape = draw(st.integers(0, 2))
        modes.append(head[0] if n == 1 and shape == 0 else tuple(head) if shape < 2 else (tuple(head),))
    return tuple(modes)


@st.composite
def nested_tuples(draw: st.DrawFn, entries: st.SearchStrategy[int] = ENTRIES, most: int = 4) -> Any:
    leaves = draw(st.lists(entries, min_size=0, max_size=most))
    if len(leaves) == 1 and draw(st.booleans()):
        return leaves[0]
    return draw(nestings(leaves))


@st.composite
def morphisms(
    draw: st.DrawFn, *, codomain: Any = None, injective: bool = False, taken: tuple[int, ...] = ()
) -> Morphism:
    """A morphism: some entries of the codomain in some order, with entries for the base point in between."""
    target = draw(nested_tuples()) if codomain is None else codomain
    leaves = flatten(target)
    free = [j for j in range(1, len(leaves) + 1) if j not in taken]
    chosen = draw(st.permutations(free))[: draw(st.integers(0, len(free)))] if free else []
    map_ = list(chosen)
    if not injective:
        for _ in range(draw(st.integers(0, 2))):
            map_.insert(draw(st.integers(0, len(map_))), 0)
    sources = [leaves[j - 1] if j else draw(ENTRIES) for j in map_]
    return Morphism(draw(nestings(sources)) if sources else (), target, map_)


@st.composite
def non_degenerate(draw: st.DrawFn, **options: Any) -> Morphism:
    f = draw(morphisms(**options))
    sources = f.sources
    return Morphism(f.domain, f.codomain, [0 if s == 1 else j for s, j in zip(sources, f.map, strict=True)])


@st.composite
def composable(draw: st.DrawFn) -> tuple[Morphism, Morphism]:
    """f, g with g o f defined."""
    g = draw(morphisms())
    return draw(morphisms(codomain=g.domain)), g


@st.composite
def refinements(draw: st.DrawFn, x: Any) -> Any:
    """A refinement of a nested tuple."""
    leaves = [draw(st.sampled_from([s, *FACTORS.get(s, [])])) for s in flatten(x)]
    return unflatten(leaves, x)


@st.composite
def layouts(draw: st.DrawFn, *, most: int = 3, strides: int = 24) -> Layout:
    leaves = draw(st.lists(st.sampled_from([1, 2, 3, 4, 6, 8]), min_size=1, max_size=most))
    shape = leaves[0] if len(leaves) == 1 and draw(st.booleans()) else draw(nestings(leaves))
    return Layout(shape, unflatten([draw(st.integers(0, strides)) for _ in leaves], shape))


@st.composite
def tractable_layouts(draw: st.DrawFn) -> Layout:
    return to_layout(draw(non_degenerate()))


@st.composite
def stacked_layouts(draw: st.DrawFn) -> Layout:
    """A small tractable layout that has a chance to fit into another one."""
    extents = draw(st.lists(st.sampled_from([2, 3, 4, 6]), min_size=1, max_size=2))
    stride, strides = draw(st.sampled_from([1, 1, 2, 3, 4, 6])), []
    for s in extents:
        strides.append(stride)
        stride *= s * draw(st.sampled_from([1, 1, 2]))
    order = draw(st.permutations(range(len(extents))))
    return Layout(tuple(extents[i] for i in order), tuple(strides[i] for i in order))


def table(layout: Layout) -> list[Any]:
    return [layout(i) for i in range(layout.size)]


def modewise(outer: Layout, inner: Layout) -> list[Any]:
    return [outer(inner(i)) for i in range(inner.size)]


# -- nested tuples -------------------------------------------------------------------------------------------------


@quick
@given(st.data())
def test_refinement_is_a_partial_order(data: st.DataObject) -> None:
    x = data.draw(nested_tuples())
    y = data.draw(refinements(x))
    z = data.draw(refinements(y))
    assert refines(x, x)
    assert refines(y, x)
    assert refines(z, x)
    assert (refines(x, y) and refines(y, x)) == (x == y)


@quick
@given(st.data())
def test_relative_modes_put_together_are_the_refinement(data: st.DataObject) -> None:
    x = data.draw(nested_tuples())
    y = data.draw(refinements(x))
    modes = relative_modes(y, x)
    assert unflatten(modes, x) == y
    assert tuple(map(size, modes)) == flatten(x)


# -- morphisms and layouts ------------------------------------------------------------------------------------------


@quick
@given(morphisms())
def test_the_realisation_is_the_function_of_the_encoded_layout(f: Morphism) -> None:
    sources, targets = f.sources, f.targets
    layout = to_layout(f)
    for x in range(min(prod(sources), 64)):
        digits = flatten(natural(x, sources)) if sources else ()
        hit = {j: c for c, j in zip(digits, f.map, strict=True) if j}
        value, weight = 0, 1
        for j, t in enumerate(targets, 1):
            value += hit.get(j, 0) * weight
            weight *= t
        assert value == layout(x)
    facts = realise(f)
    assert facts.cosize <= facts.codomain_size


@quick
@given(non_degenerate())
def test_standard_form_is_the_inverse_of_realisation(f: Morphism) -> None:
    g = standardise(f)
    assert is_standard(g)
    assert to_layout(g) == to_layout(f)
    assert standardise(g) == g
    if is_standard(f):
        assert g == f


@quick
@given(layouts())
def test_tractable_layouts_are_the_encoded_ones(layout: Layout) -> None:
    if is_tractable(layout):
        f = to_morphism(layout)
        assert is_standard(f)
        assert to_layout(f) == layout
    else:
        try:
            to_morphism(layout)
        except LayoutError as error:
            assert error.code == "LC309"
            assert error.facts["remainder"]
        else:
            raise AssertionError(layout)


def test_theorem_a_exhaustively() -> None:
    """Each layout of a non-degenerate morphism has one of standard form: codomains of 3 entries, domains of 2."""
    entries = (1, 2, 3, 4)
    found: dict[Layout, set[Morphism]] = {}
    for n in range(4):
        for codomain in tuples(entries, repeat=n):
            for m in range(3):
                for map_ in tuples(range(n + 1), repeat=m):
                    if len({j for j in map_ if j}) != sum(j > 0 for j in map_):
                        continue
                    options = [(codomain[j - 1],) if j else entries for j in map_]
                    for domain in tuples(*options):
                        if any(s == 1 and j for s, j in zip(domain, map_, strict=True)):
                            continue
                        f = Morphism(domain, codomain, map_)
                        if is_standard(f):
                            found.setdefault(to_layout(f), set()).add(f)
    assert len(found) == 255
    for layout, forms in found.items():
        assert forms == {to_morphism(layout)}


@quick
@given(layouts())
def test_tractability_does_not_change_under_coalesce(layout: Layout) -> None:
    twin = nullify(layout)
    assert is_tractable(twin) == is_tractable(coalesce(twin))
    assert table(twin) == table(layout)


@quick
@given(composable())
def test_realisation_is_a_functor(pair: tuple[Morphism, Morphism]) -> None:
    f, g = pair
    h = compose(f, g)
    for x in range(min(prod(f.sources), 64)):
        assert to_layout(h)(x) == to_layout(g)(to_layout(f)(x))
    assert compose(identity(f.domain), f) == f == compose(f, identity(f.codomain))


@quick
@given(st.data())
def test_the_layout_of_a_composite_is_the_composite_of_the_layouts(data: st.DataObject) -> None:
    g = data.draw(non_degenerate())
    f = data.draw(non_degenerate(codomain=g.domain))
    expected = composition(to_layout(g), to_layout(f))
    assert nullify(expected) == nullify(to_layout(compose(f, g)))


@quick
@given(st.data())
def test_composition_is_associative_and_distributes_over_concatenation(data: st.DataObject) -> None:
    h = data.draw(morphisms())
    g = data.draw(morphisms(codomain=h.domain))
    f = data.draw(morphisms(codomain=g.domain))
    assert compose(compose(f, g), h) == compose(f, compose(g, h))
    f2 = data.draw(morphisms(codomain=g.domain, taken=tuple(f.image)))
    assert compose(concat_nested(f, f2), g) == concat_nested(compose(f, g), compose(f2, g))
    flat = g.flat
    assert compose(concat_flat(f, f2), flat) == concat_flat(compose(f.flat, flat), compose(f2.flat, flat))


@quick
@given(st.data())
def test_concatenation_and_sum_of_layouts(data: st.DataObject) -> None:
    f = data.draw(morphisms())
    g = data.draw(morphisms(codomain=f.codomain, taken=tuple(f.image)))
    assert to_layout(concat_nested(f, g)) == concat(to_layout(f), to_layout(g))
    assert to_layout(concat_flat(f, g)) == flattened(to_layout(f), to_layout(g))
    shape, stride = to_layout(g).flat()
    shifted = Layout(shape, tuple(d * prod(f.targets) for d in stride))
    assert to_layout(sum_flat(f, g)) == flattened(to_layout(f), shifted)


@quick
@given(st.data())
def test_restriction_and_factorisation(data: st.DataObject) -> None:
    f = data.draw(morphisms())
    kept = data.draw(st.lists(st.integers(1, max(1, len(f.map))), unique=True).map(sorted)) if f.map else []
    shape, stride = to_layout(f).flat()
    part = to_layout(restrict(f, kept))
    assert part == Layout(tuple(shape[i - 1] for i in kept), tuple(stride[i - 1] for i in kept))
    targets = f.targets
    chosen = sorted(f.image | data.draw(st.sets(st.integers(1, max(1, len(targets))))) if targets else f.image)
    _, divided = to_layout(factorize(f, chosen)).flat()
    for d, e, j in zip(stride, divided, f.map, strict=True):
        dropped = prod(t for k, t in enumerate(targets, 1) if k < j and k not in chosen)
        assert d == e * dropped


@quick
@given(morphisms())
def test_squeeze_sort_and_coalesce_of_layouts(f: Morphism) -> None:
    layout = to_layout(f)
    assert to_layout(squeeze_flat(f)) == squeeze_layout(layout)
    assert squeeze_flat(squeeze_flat(f)) == squeeze_flat(f)
    plain = squeeze_flat(f)
    assert to_layout(sort_flat(plain)) == sort_layout(to_layout(plain))
    assert to_layout(coalesce_flat(f)) == (Layout(()) if (least := coalesce(layout)).size == 1 else flattened(least))
    assert to_layout(coalesce_morphism(f)) == coalesce(layout)
    assert properties(coalesce_flat(f)).coalesced_flat


@quick
@given(st.data())
def test_relative_coalesce_of_layouts(data: st.DataObject) -> None:
    f = data.draw(morphisms())
    coarse = tuple(map(size, f.domain)) if isinstance(f.domain, tuple) else f.domain
    merged = coalesce_relative(to_layout(f), coarse)
    g = coalesce_morphism_relative(f, coarse)
    assert to_layout(g) == merged
    assert refines(g.domain, coarse)
    assert table(merged) == table(to_layout(f))
    assert coalesce_relative(to_layout(f), f.domain) == nullify(to_layout(f))


# -- complement, division, product ----------------------------------------------------------------------------------


@quick
@given(morphisms(injective=True))
def test_the_complement_of_a_morphism(f: Morphism) -> None:
    c = complement_morphism(f)
    assert is_complementary(f, c)
    assert complement_morphism(c) == Morphism(sort_flat(f).domain, f.codomain, sort_flat(f).map)
    assert coalesce(to_layout(c)) == c.coalesced_layout
    g = Morphism(f.domain, f.codomain, f.map)
    if g.is_non_degenerate:
        assert c.coalesced_layout == complement_layout(to_layout(f), c.N)


@quick
@given(layouts(), st.integers(1, 200))
def test_the_strict_complement_of_a_layout_fills_it(layout: Layout, n: int) -> None:
    try:
        free = complement_layout(layout, n)
    except LayoutError as error:
        assert error.facts["kind"] == "not_complementable"
        return
    assert free.size * layout.size == n
    both = concat(layout, free)
    assert sorted(table(both)) == list(range(n))
    assert coalesce(sort_layout(free)) == free


@quick
@given(st.data())
def test_division_of_morphisms_is_division_of_layouts(data: st.DataObject) -> None:
    f = data.draw(non_degenerate())
    g = data.draw(non_degenerate(codomain=f.domain, injective=True))
    assume(g.is_injective)
    h = logical_divide_morphisms(f, g)
    assert h.flat == divide_flat(f, g)
    divided = logical_divide_layouts(to_layout(f), to_layout(g)).layout
    assert coalesce(divided) == coalesce(to_layout(h))


@quick
@given(st.data())
def test_product_of_morphisms_is_product_of_layouts(data: st.DataObject) -> None:
    f = data.draw(non_degenerate(injective=True))
    assume(f.is_injective)
    g = data.draw(non_degenerate(codomain=complement_morphism(f).domain))
    h = logical_product_morphisms(f, g)
    assert h.flat == product_flat(f, g)
    product = logical_product_layouts(to_layout(f), to_layout(g)).layout
    assert coalesce_relative(product, product.shape) == coalesce_relative(to_layout(h), h.domain)
    if g.is_injective:
        assert complement_morphism(product_flat(f, g)) == compose(complement_morphism(g), complement_morphism(f.flat))


@quick
@given(layouts(strides=8), layouts(strides=8))
def test_division_of_layouts(a: Layout, b: Layout) -> None:
    try:
        found = logical_divide_layouts(a, b)
    except LayoutError:
        return
    inner = concat(b, found.complement)
    assert table(found.layout) == modewise(a, inner)
    assert found.layout.size == a.size


# -- refinement ------------------------------------------------------------------------------------------------------


@quick
@given(st.data())
def test_pull_back_and_push_forward_keep_the_function(data: st.DataObject) -> None:
    f = data.draw(morphisms())
    fine = data.draw(refinements(f.codomain))
    back = pullback(f, fine)
    assert refines(back.domain, f.domain)
    assert table(to_layout(back)) == table(to_layout(f))
    Morphism(back.domain, back.codomain, back.map)
    finer = data.draw(refinements(f.domain))
    forward = pushforward(f, finer)
    assert refines(forward.codomain, f.codomain)
    assert table(to_layout(forward)) == table(to_layout(f))
    Morphism(forward.domain, forward.codomain, forward.map)
    if f.is_isomorphism:
        assert pushforward(f, back.domain) == back


def chain_exists(t: tuple[int, ...], u: tuple[int, ...]) -> bool:
    products = {prod(x[:k]) for x in (t, u) for k in range(len(x) + 1)}
    ordered = sorted(products)
    # An entry 1 of T needs an entry of U beside which it can stand.
    return (u != () or t == ()) and prod(t) <= prod(u) and all(b % a == 0 for a, b in pairwise(ordered))


@settings(quick, max_examples=400)
@given(st.lists(st.sampled_from([2, 3, 4, 6]), max_size=4), st.lists(st.sampled_from([2, 3, 4, 6, 12]), max_size=4))
def test_a_mutual_refinement_exists_iff_the_prefix_products_form_a_chain(t: list[int], u: list[int]) -> None:
    T, U = tuple(t), tuple(u)
    found = find_refinement(T, U)
    assert (found is not None) == chain_exists(T, U)
    if found is None:
        return
    refined = mutual_refinement(T, U)
    assert refines(refined.T_refined, T)
    assert refines(refined.U_refined, U)
    common = refined.common
    assert common[: len(flatten(refined.T_refined))] == flatten(refined.T_refined)
    cuts = {prod(x[:k]) for x in (T, U) for k in range(len(x) + 1)}
    assert {prod(common[:k]) for k in range(len(common) + 1)} == cuts


@quick
@given(st.lists(ENTRIES, min_size=1, max_size=5), st.lists(ENTRIES, min_size=1, max_size=5))
def test_entries_one_do_not_decide_about_refinement(t: list[int], u: list[int]) -> None:
    T, U = tuple(t), tuple(u)
    found = find_refinement(T, U)
    assert (found is not None) == chain_exists(T, U)
    if found is not None:
        refined = mutual_refinement(T, U)
        assert refines(refined.T_refined, T)
        assert refines(refined.U_refined, U)
        assert refined.common[: len(flatten(refined.T_refined))] == flatten(refined.T_refined)


@quick
@given(st.data())
def test_the_weak_composite_has_the_composite_function(data: st.DataObject) -> None:
    f = data.draw(morphisms())
    u = data.draw(refinements(f.codomain))
    g = data.draw(morphisms())
    g = Morphism(u, u, range(1, len(flatten(u)) + 1)) if data.draw(st.booleans()) else g
    try:
        weak = weak_composite(f, g)
    except LayoutError as error:
        assert error.code == "LC310"
        assert not chain_exists(f.targets, g.sources)
        return
    assert refines(weak.domain, f.domain)
    assert table(to_layout(weak)) == modewise(to_layout(g), to_layout(f))
    assert coalesce_relative(to_layout(weak), f.domain) == weak.coalesced_over_domain


# -- composition of layouts -------------------------------------------------------------------------------------------


@settings(quick, max_examples=150)
@given(layouts(strides=12), stacked_layouts())
def test_composition_through_morphisms(outer: Layout, inner: Layout) -> None:
    """Right wherever it answers, the form of the exact composition; it answers exactly if the pair is admissible."""
    assume(in_bounds(outer, inner))
    try:
        found = compose_layouts_general(outer, inner).layout
    except LayoutError as error:
        assert error.code == "LC310"
        assert not is_admissible(outer, inner)
    else:
        assert table(found) == modewise(outer, inner)
        assert found == composition(outer, inner)
        assert is_admissible(outer, inner)
        if is_tractable(coalesce(outer)):
            both = compose_layouts(outer, inner)
            assert both.layout == found
            assert both.composite_tractable
    try:
        resized = compose_layouts_resized(outer, inner).layout
    except LayoutError as error:
        assert error.facts["kind"] == "crosses_internal_boundary"
        assert crossing(outer, inner) is not None
    else:
        assert resized == composition(outer, inner)
        assert crossing(outer, inner) is None


@quick
@given(layouts(strides=6, most=2), layouts(strides=6, most=2))
def test_admissible_compositions_exist(outer: Layout, inner: Layout) -> None:
    assume(in_bounds(outer, inner))
    if division_condition(outer, inner) and intervals_disjoint(outer, inner):
        assert table(composition(outer, nullify(inner))) == modewise(outer, inner)


@quick
@given(layouts(strides=12))
def test_properties_of_layouts(layout: Layout) -> None:
    facts = layout_properties(layout)
    values = table(layout)
    assert facts.injective == is_injective(layout) == (len(set(values)) == layout.size)
    assert facts.compact == (sorted(values) == list(range(layout.size)))
    assert facts.cosize == max(values) + 1
    assert not facts.compact or facts.tractable or not facts.non_degenerate
