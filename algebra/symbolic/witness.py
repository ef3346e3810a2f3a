"""The smallest point at which a case holds, found on a grid of the ranges and residues of the case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import islice
from typing import Any

from .domain import Domain
from .facts import Facts
from .poly import Poly

TRIED = 1500
"""How many points of the grid are looked at."""

NEAR = 12
"""How many members of a domain stand on the grid before it widens."""


def points(facts: Facts, names: frozenset[str], tried: int = TRIED) -> Iterator[dict[str, int]]:
    """Points that satisfy the facts, by ascending sum of the free symbols, then the samples of the facts.

    The symbols are ``names`` and those that the facts mention; ``tried`` is how much of the grid is looked at.
    """
    mentioned = {x for condition in facts.conditions for x in condition.symbols} | facts.domains.keys()
    every = sorted(names | mentioned | facts.solved.keys())
    free = [name for name in every if name not in facts.solved]
    grids = [_grid(facts.domain(name)) for name in free]
    for values in islice(_ascending(grids), tried):
        facts.work.steps += 1
        point = dict(zip(free, values, strict=True))
        if _completed(facts, point):
            yield point
    for sample in facts.samples:
        point = {name: sample[name] for name in every}
        if _completed(facts, point):
            yield point


def _ascending(grids: list[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """The points of a grid by ascending sum."""
    start = (0,) * len(grids)
    heap = [(sum(grid[0] for grid in grids), start)]
    seen = {start}
    while heap:
        _, at = heappop(heap)
        yield tuple(grid[i] for grid, i in zip(grids, at, strict=True))
        for k, grid in enumerate(grids):
            after = (*at[:k], at[k] + 1, *at[k + 1 :])
            if after[k] < len(grid) and after not in seen:
                seen.add(after)
                heappush(heap, (sum(g[i] for g, i in zip(grids, after, strict=True)), after))


@lru_cache(256)
def _grid(domain: Domain) -> Sequence[int]:
    """The least members, then wider and wider steps."""
    if domain.only is not None:
        return domain.only
    near = list(islice(domain.values(), NEAR))
    if len(near) < NEAR:
        return near
    step, at = NEAR, near[-1]
    while step < 1 << 12:
        at += domain.mod * step // 4
        if domain.hi is not None and at > domain.hi:
            break
        near += [at] if domain.mod > 1 else [at - 1, at]
        step += step // 4
    return near


def _completed(facts: Facts, point: dict[str, int]) -> bool:
    """Give the solved symbols their values; does everything hold?"""
    for name, value in facts.solved.items():
        found: Any = value
        if isinstance(value, Poly):
            if not value.symbols <= point.keys():
                return False
            found = value.at(point)
        if type(found) is not int:
            if found.denominator != 1:
                return False
            found = int(found)
        point[name] = found
    return all(point[name] in domain for name, domain in facts.domains.items()) and all(
        condition.true_at(point) for condition in facts.conditions
    )
