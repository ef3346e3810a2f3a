"""Programs as kernels have them, in C++ and in the DSL: every symbol has the value that the real thing prints."""

from __future__ import annotations

from typing import Any

import pytest
from golden.facts import load

from laycalc.diagnostics.model import Failure
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import evaluate
from laycalc.grammar.source.project import Project

from .test_kernels_golden import agrees

PROGRAMS = [fact for fact in load("kernels.jsonl") if fact["id"][:2] in ("kp", "dp")]
SYMBOLS = [(fact, result) for fact in PROGRAMS for result in fact["results"]]

_FOLDED = "CuTe folds the swizzle of a tensor into strides that are known when it runs, which are another fragment"
REASONS = {"kp-gemm_sm80_pipe:tCrA": _FOLDED, "kp-gemm_sm80_pipe:tXrA": _FOLDED}


def project_of(fact: dict[str, Any]) -> Project:
    given = [(name, str(value)) for name, value in fact.get("bind", {}).items() if isinstance(value, int)]
    return Project({"kernel.cu" if fact["lang"] == "cpp" else "kernel.py": fact["text"]}, given)


def disagreement(fact: dict[str, Any], result: dict[str, Any]) -> str:
    """What is not as the fact says, nothing if all is."""
    project = project_of(fact)
    outcome = project.value(next(iter(project.files)), result["name"])
    if outcome.failure is not None:
        return outcome.failure.message
    found = outcome.value
    if not isinstance(result["value"], dict):
        return "" if agrees(found, str(result["value"]), result.get("values_hash", "")) else text_of(found)
    data = found.as_json()
    for field, expected in result["value"].items():
        if str(data[field]) != str(expected) and not agrees(evaluate(str(data[field])), str(expected)):
            return f"{field} = {data[field]}"
    return ""


@pytest.mark.parametrize(
    ("fact", "result"), SYMBOLS, ids=[f"{fact['id']}:{result['name']}" for fact, result in SYMBOLS]
)
def test_a_symbol_of_a_program_has_its_value(fact: dict[str, Any], result: dict[str, Any]) -> None:
    try:
        found = disagreement(fact, result)
    except Failure as failure:
        found = failure.diagnostic.message
    key = f"{fact['id']}:{result['name']}"
    if key in REASONS or fact["id"] in REASONS:
        assert found, "this fact holds now: take its reason away"
    else:
        assert not found


ACCEPTED = [fact for fact in load("kernels.jsonl") if fact["id"][:2] == "ka"]


@pytest.mark.parametrize("fact", ACCEPTED, ids=lambda fact: fact["id"])
def test_what_cutlass_accepts_without_a_right_to_has_its_value_or_is_refused(fact: dict[str, Any]) -> None:
    (result,) = fact["results"]
    project = project_of(fact)
    if disagreement(fact, result):
        assert not fact["functional"]
        assert [finding.code for finding in project.scan("kernel.cu").findings] == ["LC314"]
