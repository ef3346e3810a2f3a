"""Coalesce of morphisms, flat, nested and relative to a coarser domain (Categorical Foundations, Theorem C)."""

from __future__ import annotations

from itertools import pairwise

from ..base.words import word
from ..values.htuple import HTuple, unflatten
from .morphism import Morphism, arrow
from .nested import relative_modes
from .select import squeeze_flat


@word("""
    categories: coalesce_flat(f: morphism)
    coalesced, flat
    coalesce_flat(make_morphism((2,4),(1,2),(2,4)))
""")
def coalesce_flat(f: Morphism) -> Morphism:
    """Merge neighbours of the domain that go to neighbours of the codomain, or both nowhere; entries 1 vanish.

    Law: ``L_(coal f) = coal(L_f)`` up to nesting. Entries of the codomain that no arrow hits stay apart.
    Source: Categorical Foundations §3.2.

    >>> print(coalesce_flat(Morphism((2, 2, 10, 10), (2, 2, 2, 10, 10), (1, 2, 4, 5))))
    (4,100) --(1,3)--> (4,2,100)
    """
    g = squeeze_flat(f)
    groups, merged = _merge(g, [range(1, len(g.map) + 1)])
    return arrow(tuple(groups[0][0]), merged, tuple(groups[0][1]))


@word("""
    categories: coalesce_morphism(f: morphism)
    coal(f)
    coalesce_morphism(make_morphism((2,4),(1,2),(2,4)))
""")
def coalesce_morphism(f: Morphism) -> Morphism:
    """Coalesce in Nest: a domain of one entry becomes that integer, an empty one the integer 1 sent to the base point.

    Law (Theorem C): ``L_(coal f) = coal(L_f)``. Source: Categorical Foundations §4.1.

    >>> print(coalesce_morphism(Morphism(((2, 2), (3, 3), (5, 5)), (5, 5, 3, 3, 2, 2), (5, 6, 3, 4, 1, 2))))
    (4,9,25) --(3,2,1)--> (25,9,4)
    """
    g = coalesce_flat(f)
    domain, map_ = _unwrapped(list(g.sources), list(g.map))
    return arrow(domain, g.codomain, tuple(map_))


@word("""
    categories: coalesce_morphism_relative(f: morphism, S: shape)
    coal(f, S)
    coalesce_morphism_relative(make_morphism(((2,4)),(1,2),(2,4)), (8))
""")
def coalesce_morphism_relative(f: Morphism, coarse: HTuple) -> Morphism:
    """Coalesce inside each relative mode of the domain over ``coarse``, whose profile stays.

    Law: ``L_g = coal(L_f, coarse)``. LC310 unless the domain refines ``coarse``. Source: Categorical Foundations
    §4.1, by analogy.

    >>> print(coalesce_morphism_relative(Morphism(((2, 2), (3, 5)), (2, 2, 3, 5), (1, 2, 3, 4)), (4, 15)))
    (4,15) --(1,2)--> (4,15)
    """
    modes = relative_modes(f.domain, coarse, op="coalesce_morphism_relative")
    g = squeeze_flat(f)
    kept: list[range] = []
    start = 1
    leaves = iter(f.sources)
    for mode in modes:
        count = sum(1 for _, s in zip(range(_leaves(mode)), leaves, strict=False) if s != 1)
        kept.append(range(start, start + count))
        start += count
    groups, codomain = _merge(g, kept)
    parts = [_unwrapped(*group) for group in groups]
    map_ = tuple(j for _, targets in parts for j in targets)
    return arrow(unflatten([domain for domain, _ in parts], coarse), codomain, map_)


def _leaves(mode: HTuple) -> int:
    return sum(map(_leaves, mode)) if isinstance(mode, tuple) else 1


def _unwrapped(domain: list[int], map_: list[int]) -> tuple[HTuple, list[int]]:
    if not domain:
        return 1, [0]
    return (domain[0] if len(domain) == 1 else tuple(domain)), map_


def _merge(g: Morphism, groups: list[range]) -> tuple[list[tuple[list[int], list[int]]], tuple[int, ...]]:
    """Merge inside each group of domain entries; (domain, map) of each group, and the merged codomain."""
    sources, targets, map_ = g.sources, g.targets, g.map
    # The codomain entry j + 1 joins j exactly when an arrow to j is followed by one to j + 1 in the same group.
    joins = {
        map_[i - 1]
        for group in groups
        for i in group[:-1]
        if map_[i - 1] and map_[i] == map_[i - 1] + 1
    }  # fmt: skip
    number = [0]
    codomain: list[int] = []
    for j, t in enumerate(targets, 1):
        if j - 1 in joins:
            codomain[-1] *= t
        else:
            codomain.append(t)
        number.append(len(codomain))
    result: list[tuple[list[int], list[int]]] = []
    for group in groups:
        domain: list[int] = []
        merged: list[int] = []
        before = -1
        for i in group:
            j = map_[i - 1]
            if domain and (before in joins if j else before == 0) and (j == 0 or before == j - 1):
                domain[-1] *= sources[i - 1]
            else:
                domain.append(sources[i - 1])
                merged.append(number[j])
            before = j
        result.append((domain, merged))
    return result, tuple(codomain)


def is_coalesced_flat(f: Morphism) -> bool:
    """No entry 1 in the domain, and no neighbours that both go to the base point or continue one another.

    >>> is_coalesced_flat(Morphism((2, 2), (2, 1, 2), (1, 3)))
    False
    """
    if 1 in f.sources:
        return False
    targets = f.targets
    for a, b in pairwise(f.map):
        if a == b == 0:
            return False
        if a and a < b and all(t == 1 for t in targets[a : b - 1]):
            return False
    return True
