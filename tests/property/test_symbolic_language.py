"""Texts with unknown numbers against the same texts with numbers: equalities, merges, 1-tuples, coordinates."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest
from symbolic_random import Merger

from laycalc.algebra.symbolic import Assumptions, Case, Facts, Report, at
from laycalc.algebra.symbolic.values import same_function
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import Outcome, run

CHUNKS = 2
EXPRESSIONS = 170
POINTS = 12
NOTHING = Facts()
NAMES = ("K", "M", "N", "k", "ld", "m", "w")


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_is_said_of_unknowns_holds_for_numbers(chunk: int) -> None:
    differential(range(chunk * EXPRESSIONS, (chunk + 1) * EXPRESSIONS))


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("LAYCALC_FUZZ"), reason="set LAYCALC_FUZZ=1 for 20,000 substitutions")
@pytest.mark.parametrize("chunk", range(10))
def test_what_is_said_of_unknowns_holds_for_many_numbers(chunk: int) -> None:
    differential(range(1_000 + chunk * EXPRESSIONS, 1_000 + (chunk + 1) * EXPRESSIONS))


def differential(seeds: range) -> None:
    counts: Counter[str] = Counter()
    for seed in seeds:
        maker, scope = Merger(seed), Scope()
        text = maker.expression()
        facts = [f"assume {maker.assumption()}" for _ in range(maker.random.choice((0, 0, 1, 1, 1, 2)))]
        said = [last(fact, scope) for fact in facts]
        if any(outcome.error is not None for outcome in said):
            assert all(outcome.error is None or outcome.error.code == "LC502" for outcome in said)
            counts["contradiction"] += 1
            continue
        outcome = last(text, scope)
        about = f"{'; '.join([*facts, text])}: {outcome.report or outcome.error}"
        assert outcome.error is None or not outcome.error.code.startswith("LC9"), about
        known = scope.assumptions or Assumptions()
        for point in maker.points(known, NAMES, POINTS):
            counts["points"] += 1
            counts[agreement(outcome, last(text, Scope(names=dict(point))), point, about)] += 1
        for case in cases(outcome.report):
            reads_back(case, known, about)
    assert counts["points"] > 0.9 * POINTS * (len(seeds) - counts["contradiction"])
    assert counts["agree"] > 0.8 * counts["points"]


def last(text: str, scope: Scope) -> Outcome:
    *_, outcome = run(text, scope)
    return outcome


def cases(report: Report | None) -> list[Case]:
    return [] if report is None else [case for case in (report.main, *report.cases) if case is not None]


def agreement(outcome: Outcome, number: Outcome, point: dict[str, int], about: str) -> str:
    """Do the numbers at a point end as was said? An AssertionError if they do not."""
    about = f"{about}\nat {point}: {number.value if number.error is None else number.error}"
    assert number.error is None or not number.error.code.startswith("LC9"), about
    has_value = number.error is None and number.value is not False
    if outcome.report is None:
        if outcome.error is None:
            assert same_function(outcome.value, number.value, NOTHING), about
        elif any("refused for all" in note for note in outcome.error.notes):
            assert not has_value, about
        return "agree"
    matching = [case for case in cases(outcome.report) if all(condition.true_at(point) for condition in case.when)]
    assert len(matching) == 1, about
    (case,) = matching
    if case.status == "open":
        return "open"
    if case.status == "refused":
        # A list of values may find an answer that no formula has; the report says so beforehand.
        assert not has_value or case.perhaps, about
        return "perhaps" if has_value else "agree"
    assert number.error is None, about
    found = at(case.value, point)
    assert found is number.value if isinstance(found, bool) else same_function(found, number.value, NOTHING), about
    return "agree"


def reads_back(case: Case, known: Assumptions, about: str) -> None:
    """The text of a value is read, with unknowns and with the numbers of a point, as the value."""
    if case.witness is None or case.status not in ("ok", "ragged", "holes"):
        return
    text = text_of(case.value)
    about = f"{about}\n{text} reads as "
    scope = Scope(facts=known)
    # A name by itself is no expression, a number of a tuple is one.
    unknown = last(f"({text},1)" if hasattr(case.value, "terms") else text, scope)
    assert unknown.error is None, f"{about}{unknown.error}"
    number = last(text, Scope(names=dict(case.witness.at)))
    expected: Any = at(case.value, case.witness.at)
    assert number.error is None, f"{about}{number.error}"
    assert (number.value, text_of(number.value)) == (expected, text_of(expected)), f"{about}{number.value}"
