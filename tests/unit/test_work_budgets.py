"""Answers do not depend on the clock: budgets count work."""

from __future__ import annotations

import ast
import itertools
import time
from pathlib import Path

import pytest

from laycalc.algebra.base.effort import Budget, spend
from laycalc.diagnostics.model import Diagnostic
from laycalc.grammar.run.statements import run

ROOT = Path(__file__).parents[2]
ROOMS = ("algebra", "atoms", "design", "diagnostics", "grammar", "render", "cli")
CLOCKS = {"perf_counter", "monotonic", "process_time", "time", "time_ns", "perf_counter_ns", "monotonic_ns"}

# Where a clock only decides when progress is shown.
WATCHES = {"cli/streams/progress.py"}

TEXTS = [
    "(4,6,8):(2,3,5) o 6:3",
    "logical_divide((12,2):(1,36), 5:1)",
    "zipped_divide((9,10):(10,1), 6:1)",
    "logical_divide((511,513):(1,600), 7:1)",
    "complement((4,4):(1,2))",
    "(M,K):(K,1) / <128,64>",
    "(2,6):(1,N) o 3:3",
    "(K,8,2):(2,ld,w) / (6,N):(1,M)",
    "logical_product((6,4):(4,1), (2,M):(1,N))",
    "(M,N):(1,M) o (K,4):(2,L)",
]


def shown(d: Diagnostic) -> tuple[object, ...]:
    return d.code, d.message, d.labels, d.witness, d.notes, d.suggestions


def answers() -> list[str]:
    found = []
    for text in TEXTS:
        for outcome in run(text):
            said = [*outcome.warnings, *([outcome.error] if outcome.error else [])]
            found.append(f"{outcome.value} {outcome.report} {[shown(d) for d in said]}")
    return found


def test_a_slow_clock_changes_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = answers()
    ticks = itertools.count(step=5)
    for clock in ("perf_counter", "monotonic", "process_time"):
        monkeypatch.setattr(time, clock, lambda: float(next(ticks)))
    assert answers() == quick


def test_no_room_reads_a_clock() -> None:
    readers = []
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module == "time":
                    names = {alias.name for alias in node.names}
                elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "time":
                    names = {node.attr}
                else:
                    continue
                if names & CLOCKS:
                    readers.append(path.relative_to(ROOT).as_posix())
    assert set(readers) == WATCHES


def test_a_budget_counts_what_is_listed() -> None:
    budget = Budget(1000)
    spend(999)
    assert not budget.is_spent
    spend(1)
    assert budget.is_spent
