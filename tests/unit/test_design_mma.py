"""Tiled MMAs: the optimum's score for every task, by a judge that knows nothing of the search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from golden.design_judge import mma_score

from laycalc.design.answering import answer
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import evaluate

FACTS = Path(__file__).parents[1] / "golden" / "design.jsonl"
TASKS = {task["id"]: task for task in map(json.loads, FACTS.read_text().splitlines()) if task["kind"] == "mma"}


def read(text: str):
    return evaluate(text, Scope())


@pytest.mark.parametrize("name", TASKS)
def test_a_task_is_answered_at_the_score_of_the_optimum(name: str) -> None:
    task = TASKS[name]
    assert mma_score(task, answer(task, read)) == task["answer"]["score"]


@pytest.mark.parametrize("name", TASKS)
def test_the_judge_agrees_with_the_facts(name: str) -> None:
    task = TASKS[name]
    for known in [task["answer"], *task["answer"]["others"]]:
        assert mma_score(task, known) == task["answer"]["score"]
