"""Random expressions with unknown numbers against the numeric algebra at random points: 20,000 substitutions."""

from __future__ import annotations

from collections import Counter

import pytest
from symbolic_evaluator import assumptions, program
from symbolic_random import Maker

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.symbolic import Assumptions, Case, Facts, Report, at, explore
from laycalc.algebra.symbolic.search import Search
from laycalc.algebra.symbolic.tree import Leaf
from laycalc.algebra.symbolic.values import same_function
from laycalc.algebra.values.layout import Layout

CHUNKS = 8
EXPRESSIONS = 165
POINTS = 16
NOTHING = Facts()


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_cases_say_what_the_numbers_do(chunk: int) -> None:
    counts: Counter[str] = Counter()
    for seed in range(chunk * EXPRESSIONS, (chunk + 1) * EXPRESSIONS):
        maker = Maker(seed)
        text = maker.expression()
        lines = [maker.assumption() for _ in range(maker.random.choice((0, 0, 1, 1, 2)))]
        try:
            known = assumptions(lines)
        except LayoutError as error:
            assert error.code == "LC502"
            counts["contradiction"] += 1
            continue
        report = explore(program(text), known)
        counts[report.verdict] += 1
        numbers = Search(program(text), known.facts)
        for point in maker.points(known, report.symbols, POINTS):
            counts["points"] += 1
            outcome = numbers.outcome_at(point)
            counts[agreement(text, report, point, outcome)] += 1
    assert counts["points"] > 0.95 * POINTS * EXPRESSIONS * (1 - counts["contradiction"] / EXPRESSIONS) - 200
    assert counts["perhaps"] <= 0.01 * counts["points"]
    assert counts["gives-up"] <= 3


@pytest.mark.parametrize("chunk", range(2))
def test_ragged_values_hold_everywhere(chunk: int) -> None:
    for seed in range(10_000 + 60 * chunk, 10_060 + 60 * chunk):
        maker = Maker(seed)
        text = f"{maker.layout(2)} / {maker.random.choice(('<4,6>', '<3,_>', '8', '(2,4):(1,M)', '<M,4>'))}"
        report = explore(program(text), ragged=True)
        numbers = Search(program(text), NOTHING)
        for point in maker.points(Assumptions(), report.symbols, POINTS):
            cases = [case for case in (report.main, *report.cases) if case is not None]
            (case,) = [case for case in cases if all(condition.true_at(point) for condition in case.when)]
            outcome = numbers.outcome_at(point)
            about = f"{text} at {point}: {outcome.value or outcome.why}, in {case}"
            if case.status not in ("open", "refused"):
                assert outcome.status != "refused", about
                assert_same(case, point, outcome, about)
                assert outcome.codes - {"LC401"} == set(case.codes) - {"LC401"}, about


def agreement(text: str, report: Report, point: dict[str, int], outcome: Leaf) -> str:
    """What kind of agreement it is; an AssertionError if it is none."""
    cases = [case for case in (report.main, *report.cases) if case is not None]
    matching = [case for case in cases if all(condition.true_at(point) for condition in case.when)]
    about = f"{text} at {point}: {outcome.value or outcome.why}, in {[str(case) for case in matching]}"
    assert len(matching) == 1, about
    case = matching[0]
    if report.main is not None and all(obligation.condition.true_at(point) for obligation in report.obligations):
        # What is shown is right wherever its obligations hold.
        assert case is report.main or not report.main.is_clean, about
    if case.status == "open":
        return "open"
    if case.status == "refused":
        # A list of values may find an answer that no formula has; the case says so.
        assert outcome.status == "refused" or case.perhaps, about
        return "refused" if outcome.status == "refused" else "perhaps"
    assert outcome.status != "refused", about
    assert_same(case, point, outcome, about)
    assert set(case.codes) <= outcome.codes, about
    assert outcome.codes <= {*case.codes, *case.perhaps}, about
    return "value"


def assert_same(case: Case, point: dict[str, int], outcome: Leaf, about: str) -> None:
    found = at(case.value, point)
    if isinstance(outcome.value, bool):
        assert found is outcome.value, about
        return
    assert same_function(found, outcome.value, NOTHING), about
    if isinstance(found, Layout):
        assert all(type(s) is int and s >= 1 for s in found.flat()[0]), about
