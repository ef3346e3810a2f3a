"""The golden facts about unknown extents: values as functions, obligations by their truth, verdicts or better ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from symbolic_evaluator import assumptions, program, unknowns

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.symbolic import Facts, Report, at, explore
from laycalc.algebra.symbolic.values import same_function

LINES = [
    json.loads(line) for line in (Path(__file__).parents[1] / "golden" / "symbolic.jsonl").read_text().splitlines()
]

BETTER = {
    "gives-up": {"valid-iff", "proven", "proven-by-cases"},
    "valid-if": {"valid-iff", "proven", "proven-by-cases"},
    "proven-by-cases": {"proven"},
}
"""Verdicts that say more than the golden one and contradict nothing in it."""


REPORTS: dict[str, Report | None] = {}


def point(sample: dict[str, int]) -> dict[str, int]:
    return {name.replace("?", "unknown_"): x for name, x in sample.items()}


def report_on(fact: dict[str, Any]) -> Report | None:
    """The report, None for a contradiction."""
    name = fact["id"]
    if name not in REPORTS:
        REPORTS[name] = _report_on(fact)
    return REPORTS[name]


def _report_on(fact: dict[str, Any]) -> Report | None:
    text, said = unknowns(fact["expr"])
    try:
        known = assumptions(said + fact["assume"])
    except LayoutError as error:
        assert error.code == "LC502"
        return None
    return explore(program(text), known, ragged=fact.get("ragged", False))


@pytest.mark.parametrize("fact", LINES, ids=lambda fact: fact["id"])
def test_golden(fact: dict[str, Any]) -> None:
    report = report_on(fact)
    if report is None:
        assert fact["verdict"] == "contradiction"
        return
    assert report.verdict == fact["verdict"] or report.verdict in BETTER[fact["verdict"]]
    if report.verdict in ("valid-iff", "refuted"):
        assert report.counterexample is not None
    cases = [case for case in (report.main, *report.cases) if case is not None]
    for sample in fact["samples"]:
        where = point(sample["at"])
        (case,) = [case for case in cases if all(condition.true_at(where) for condition in case.when)]
        assert case.status == sample["status"]
        if sample["status"] != "refused":
            numeric = True if sample["numeric"] == "true" else program(sample["numeric"])({})
            assert same_function(at(case.value, where), numeric, Facts())
        met = all(obligation.condition.true_at(where) for obligation in report.obligations)
        if report.verdict == fact["verdict"]:
            assert met == golden_obligations(fact, where)
        if met and report.obligations:
            assert case.is_clean


def golden_obligations(fact: dict[str, Any], where: dict[str, int]) -> bool:
    claims = [text.replace("?", "unknown_") for text in fact["obligations"]]
    return all(s.claim.true_at(where) for line in claims for s in assumptions([line]).statements)  # type: ignore[union-attr]


def test_most_texts_are_the_golden_ones() -> None:
    same = 0
    for fact in LINES:
        report = report_on(fact)
        value = "None" if report is None or report.value is None else str(report.value)
        golden = str(fact["value"]).replace("?", "unknown_")
        same += value in (golden, golden.capitalize())
    assert same >= 150


def test_counterexamples_are_no_larger_than_the_golden_ones() -> None:
    for fact in LINES:
        report = report_on(fact)
        if report is not None and report.verdict == fact["verdict"] and fact["counterexample"]:
            assert report.counterexample is not None
            assert sum(report.counterexample.at.values()) <= sum(fact["counterexample"].values())
