"""Why the best layout is no better: a proof, or which accesses fight and how many layouts were looked at."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from laycalc.atoms.memory.banks import BANKS, WORD, operation

from .bounds import binding
from .search import Found, Problem, Proposal, search

__all__ = ["fits", "reasons"]


def reasons(problem: Problem, found: Found, names: Sequence[str]) -> list[str]:
    """Sentences on the best layout's wavefronts: free of conflicts, the fewest of any layout, or the fewest found."""
    best = found.best
    if best is None:
        return [f"none of {found.looked:,} layouts keeps all vectors and conditions", *_apart(problem, names)]
    if best.wavefronts == problem.ideal:
        return (
            ["no conflicts: every pass takes one wavefront, so that no layout takes fewer"] if best.wavefronts else []
        )
    told = _bound(problem, names)
    if sum(best.wavefronts) == sum(problem.least):
        return [*told, f"so no layout takes fewer than {sum(best.wavefronts)} wavefronts"]
    if best.wavefronts != problem.least:
        told += _fights(problem, best, names)
    return [*told, f"none of {found.looked:,} layouts takes fewer; that none exists is not proved"]


def _bound(problem: Problem, names: Sequence[str]) -> list[str]:
    """What the vectors of one access cost another under any layout."""
    told = []
    walks = problem.walks
    for i, name in enumerate(names):
        if problem.least[i] == problem.ideal[i]:
            continue
        for other, walk in zip(names, walks, strict=True):
            if (least := binding(problem.bits, walks, walk)[i]) == problem.least[i]:
                wide = operation(walk.op).bytes
                told.append(
                    f"{name}: the {wide}-byte vectors of {other} stay whole, so that what a pass asks for lies in"
                    f" {BANKS * WORD // wide} of the {BANKS} banks: {least} wavefronts at least"
                )
                break
    return told


def fits(problem: Problem, chosen: Sequence[int]) -> Proposal | None:
    """The best layout for some of the patterns, with all conditions."""
    return search(problem.replace(patterns=tuple(problem.patterns[i] for i in chosen))).best


def _fights(problem: Problem, best: Proposal, names: Sequence[str]) -> list[str]:
    """The accesses that are free alone and not in pairs."""
    alone = {i: fits(problem, [i]) for i in range(len(names))}
    told = []
    for i, name in enumerate(names):
        one = alone[i]
        if one is not None and one.score.wavefronts > problem.ideal[i]:
            told.append(f"{name} alone takes {one.score.wavefronts} wavefronts at best, not {problem.ideal[i]}")
    for i, j in combinations(range(len(names)), 2):
        (one, other), both = (alone[i], alone[j]), fits(problem, [i, j])
        if one is None or other is None or both is None:
            continue
        apart = one.score.wavefronts + other.score.wavefronts
        if both.score.wavefronts > apart:
            told.append(
                f"{names[i]} and {names[j]} fight: {apart} wavefronts if each had its own layout"
                f" ({one.candidate.layout} and {other.candidate.layout}), {both.score.wavefronts} in one"
            )
    return told


def _apart(problem: Problem, names: Sequence[str]) -> list[str]:
    """Which accesses no layout serves: one alone, or the first two that do not go together."""
    alone = [fits(problem, [i]) for i in range(len(names))]
    told = [
        f"{name} alone fits none with the conditions" for name, one in zip(names, alone, strict=True) if one is None
    ]
    for i, j in combinations(range(len(names)), 2):
        if not told and fits(problem, [i, j]) is None:
            told.append(f"{names[i]} and {names[j]} have no layout in common: their vectors exclude each other")
    if not told and problem.conditions and search(problem.replace(patterns=())).best is None:
        told.append("the conditions of TMA and wgmma exclude each other")
    return told
