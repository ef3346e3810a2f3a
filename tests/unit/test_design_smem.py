"""Layouts of shared memory: the optimum's score for every task, by a judge that knows nothing of the search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from golden.design_judge import offsets, smem_score, wavefronts

from laycalc.design.answering import answer
from laycalc.design.tasks.smem import stated
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import evaluate

FACTS = Path(__file__).parents[1] / "golden" / "design.jsonl"
TASKS = [json.loads(line) for line in FACTS.read_text().splitlines()]
SMEM = {task["id"]: task for task in TASKS if task["kind"] == "smem"}


def read(text: str):
    return evaluate(text, Scope())


def lanes(op: str, vec: int, order: str, along: str = "cols"):
    return {"kind": "lanes", "op": op, "vec": vec, "order": order, "along": along}


@pytest.mark.parametrize("name", SMEM)
def test_a_task_is_answered_at_the_score_of_the_optimum(name: str) -> None:
    task = SMEM[name]
    assert smem_score(task, answer(task, read)["layout"]) == task["answer"]["score"]


@pytest.mark.parametrize("name", SMEM)
def test_the_judge_agrees_with_the_facts(name: str) -> None:
    """It gives the optimum its score and the customary layouts their wavefronts."""
    task = SMEM[name]
    for text in task["answer"]["layouts"][:2]:
        assert smem_score(task, text) == task["answer"]["score"]
    walks = [a for a in task["accesses"] if a["kind"] not in ("tma", "wgmma")]
    for folk in task["folk"]:
        if folk["fits"]:
            assert [wavefronts(task, a, offsets(folk["layout"])) for a in walks] == folk["wavefronts"]


@pytest.mark.parametrize("name", SMEM)
def test_what_is_ideal_and_what_cannot_be_undercut(name: str) -> None:
    """``ideal`` is that of the facts, and the bound lies between it and the optimum."""
    task = SMEM[name]
    problem = stated(task, read)
    assert list(problem.ideal) == task["answer"]["ideal"]
    assert sum(problem.ideal) <= sum(problem.least) <= task["answer"]["score"][0]
