"""Tasks of equations: every fact by its id, the law at every coordinate, and every witness."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from laycalc.algebra.operations.divide import logical_divide
from laycalc.algebra.operations.on_swizzled import compose
from laycalc.algebra.values.semimodule import Xor
from laycalc.algebra.values.tiler import Tiler
from laycalc.design.answering import answer
from laycalc.grammar.run.statements import evaluate

FACTS = Path(__file__).parents[1] / "golden" / "design_equations.jsonl"
TASKS = [json.loads(line) for line in FACTS.read_text().splitlines()]

SOLVED_AFTER_ALL = {"L24": "Sw<1,0,1> o 0 o 5:2", "R19": "(2,5):(-4,5)"}
"""Facts that say that no layout was found, where a swizzle or a negative stride does it."""


def table(value: Any) -> list[Any]:
    return [v.value if isinstance(v, Xor) else v for v in value.elements()]


def numbers(found: Any) -> Iterator[int]:
    """What the witness of a table lists."""
    for x in found:
        yield from x if isinstance(x, list) else [x]


def check_solution(task: dict[str, Any], answered: Any) -> None:
    if task["kind"] == "tiler":
        x = Tiler(map(evaluate, answered)) if isinstance(answered, list) else evaluate(answered)
        operation = compose if task["op"] == "compose" else logical_divide
        assert table(operation(evaluate(task["L"]), x)) == table(evaluate(task["T"]))
        return
    x, wanted = table(evaluate(answered)), table(evaluate(task["C"]))
    if task["kind"] == "left":
        places = table(evaluate(task["A"]))
        assert min(x) >= 0
        assert [places[i] for i in x] == wanted
    else:
        assert [x[i] for i in table(evaluate(task["B"]))] == wanted


def check_witness(task: dict[str, Any], verdict: str, witness: dict[str, Any]) -> None:
    wanted = table(evaluate(task["C"]))
    if task["kind"] == "left" and verdict == "none":
        assert wanted[witness["index"]] not in table(evaluate(task["A"]))
    elif task["kind"] == "left":
        places = table(evaluate(task["A"]))
        found = witness.get("table") or witness["preimages"]
        assert [places[i] for i in numbers(found[:1])] == wanted[:1]
    elif verdict == "none":
        c, d = witness["indices"]
        values = table(evaluate(task["B"]))
        assert values[c] == values[d]
        assert wanted[c] != wanted[d]


@pytest.mark.parametrize("task", TASKS, ids=[task["id"] for task in TASKS])
def test_fact(task: dict[str, Any]) -> None:
    found, fact = answer(task, evaluate), task["answer"]
    if "X" in found:
        assert fact["verdict"] == "solution" or task.get("either") or found["X"] == SOLVED_AFTER_ALL[task["id"]]
        check_solution(task, found["X"])
    else:
        assert found["verdict"] == fact["verdict"]
        assert found["reason"]
        check_witness(task, found["verdict"], found["witness"])


def test_all_facts_are_here() -> None:
    assert len(TASKS) == 45
    assert {task["kind"] for task in TASKS} == {"left", "right", "tiler"}
