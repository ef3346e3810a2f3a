"""When a composition exists: the division condition, disjoint intervals, and CuTe's own rule, side by side."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ..base.record import Record
from ..base.words import word
from ..values.coalesce import coalesce
from ..values.htuple import format_htuple
from ..values.layout import Layout
from .cute import Crossing, boundaries, crossing, dsl_answer, in_bounds
from .mutual import find_refinement
from .tractable import is_tractable, nullify, to_morphism


def division_condition(outer: Layout, inner: Layout) -> bool:
    """For each active mode s:d of the inner layout, d and s*d lie in the chain of the coalesced outer one.

    Law: for x = d and x = s*d some k has ``P_(k-1) | x | P_k``, properly (x < P_k) unless k is the last. Active: s >
    1, d > 0. Source: Categorical Foundations §4.2.

    >>> outer = Layout((2, 8), (1, 9))
    >>> division_condition(outer, Layout(4, 2)), division_condition(outer, Layout(3, 2))
    (True, False)
    """
    chain = boundaries(coalesce(outer).flat()[0])
    return all(_placed(d, chain) and _placed(s * d, chain) for s, d in _active(inner))


def _active(inner: Layout) -> list[tuple[int, int]]:
    return [(s, d) for s, d in zip(*inner.flat(), strict=True) if s > 1 and d > 0]


def _placed(x: int, chain: list[int]) -> bool:
    last = len(chain) - 1
    below = 1
    for k, boundary in enumerate(chain):
        if x % below == 0 and boundary % x == 0 and (k == last or x < boundary):
            return True
        below = boundary
    return False


def intervals_disjoint(outer: Layout, inner: Layout) -> bool:
    """Are the intervals [d, d*(s-1)] of the active modes pairwise disjoint below the outer layout's last mode?

    Source: Categorical Foundations §4.2 (bound as tested: the outer's P_(p-1)).

    >>> intervals_disjoint(Layout((6, 8), (3, 2)), Layout((2, 8), (3, 3)))
    False
    """
    chain = boundaries(coalesce(outer).flat()[0])
    end = chain[-2] if len(chain) > 1 else 1
    cut = sorted((d, min(d * (s - 1), end - 1)) for s, d in _active(inner) if d < end)
    return all(high < low for (_, high), (low, _) in pairwise(cut))


def is_admissible(outer: Layout, inner: Layout) -> bool:
    """In bounds, division condition and disjoint intervals: then the composite exists.

    Law: for tractable A it holds iff the codomain of A's morphism and the shape of the coalesced B are mutually
    refinable. Source: Categorical Foundations §4.2.

    >>> is_admissible(Layout((8, 8), (8, 1)), Layout((4, 4), (4, 1))), is_admissible(Layout(7, 1), Layout(2, 3))
    (True, False)
    """
    return (
        in_bounds(outer, inner) and division_condition(outer, inner) and intervals_disjoint(outer, inner)
    )  # fmt: skip


class Classification(Record):
    """Every condition on a composition side by side; None where a question does not arise."""

    in_bounds: bool
    inner_tractable: bool
    outer_coalesced_shape: Any
    outer_tractable: bool
    boundary_rule: bool
    division_condition: bool
    intervals_disjoint: bool
    admissible: bool
    mutually_refinable: bool | None
    cute: Layout | None
    cute_correct: bool | None
    composite: Layout | None
    boundary_violation: Crossing | None

    def __str__(self) -> str:
        answer = "CuTe rejects" if self.cute is None else f"CuTe answers {self.cute}"
        flags = [(n, getattr(self, n)) for n in ("in_bounds", "inner_tractable", "admissible", "boundary_rule")]
        if self.cute_correct is False:
            answer += " wrongly"
        return answer + ": " + ", ".join(("" if held else "not ") + n.replace("_", " ") for n, held in flags)

    def as_json(self) -> dict[str, Any]:
        """The flags; ``cute`` is the answer of DSL 4.2.1 or "rejects"; ``composite`` is its answer where that
        is right, ``boundary_violation`` is there where one is."""
        facts: dict[str, Any] = {
            "in_bounds": self.in_bounds,
            "inner_tractable": self.inner_tractable,
            "outer_coalesced_shape": format_htuple(self.outer_coalesced_shape),
            "outer_tractable": self.outer_tractable,
            "boundary_rule": self.boundary_rule,
            "division_condition": self.division_condition,
            "intervals_disjoint": self.intervals_disjoint,
            "admissible": self.admissible,
            "mutually_refinable": self.mutually_refinable,
            "cute": "rejects" if self.cute is None else str(self.cute),
            "cute_correct": self.cute_correct,
        }
        if self.composite is not None:
            facts |= {"composite": str(self.composite), "composite_tractable": is_tractable(self.composite)}
        if self.boundary_violation is not None:
            facts["boundary_violation"] = self.boundary_violation.as_json()
        return facts


@word("""
    categories: classify_composition(A: layout, B: layout)
    which conditions of A o B hold
    classify_composition((2,2,2):(6,4,1), (2):(1))
""")
def classify_composition(outer: Layout, inner: Layout) -> Classification:
    """All conditions on B o A: bounds, tractability, division, intervals, refinement, CuTe's rule and its answer.

    >>> print(classify_composition(Layout((8, 4), (16, 1)), Layout(2, 3)))
    CuTe rejects: in bounds, inner tractable, not admissible, not boundary rule
    """
    merged = coalesce(outer)
    shape, _ = merged.flat()
    tractable = is_tractable(inner)
    refinable = None
    if tractable:
        t = to_morphism(nullify(inner)).targets
        refinable = find_refinement(t, shape) is not None
    answer, inside = dsl_answer(outer, inner), in_bounds(outer, inner)
    return Classification(
        in_bounds=inside,
        inner_tractable=tractable,
        outer_coalesced_shape=merged.shape,
        outer_tractable=is_tractable(merged),
        boundary_rule=crossing(outer, inner) is None,
        division_condition=division_condition(outer, inner),
        intervals_disjoint=intervals_disjoint(outer, inner),
        admissible=is_admissible(outer, inner),
        mutually_refinable=refinable,
        cute=answer.layout,
        cute_correct=answer.right if inside else None,
        composite=answer.layout if inside and answer.right else None,
        boundary_violation=crossing(outer, inner),
    )
