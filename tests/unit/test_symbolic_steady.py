"""The same text gives the same bytes: under a slow clock, with any order of sets, and whatever was asked before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from symbolic_evaluator import assumptions, program

from laycalc.algebra.symbolic import explore

TESTS = Path(__file__).parents[1]

EXPRESSIONS = [
    # Two that end at the limit of their work, in different places.
    ("((2*M),6):(6,1) / (6,2):(ld,12)", ["K >= M+16"]),
    ("(K,8,2):(2,ld,w) / (6,N):(1,M)", ["M <= 16"]),
    ("(M,16):(1,ld) / (4,8):(8,N)", ["M >= 3"]),
    ("(M,K):(K,1) / <128,64>", ["32 | M, K >= 64"]),
    ("((N*K),(N,(M*K))):(K,(3,1)) / M:1", ["6 | K*M"]),
    ("complement((M,N):(1,ld), ld*N)", ["M % 16 == 0"]),
    ("left_inverse((M,M,K):(w,M,8))", ["w >= 2"]),
    ("((M,N):(1,ld))(5)", []),
]

PRINTED = """
import json, sys, time
if sys.argv[1] == "slow":
    now = 0.0
    def clock():
        global now
        now += 60.0
        return now
    time.perf_counter = time.monotonic = time.time = time.process_time = clock
from symbolic_evaluator import assumptions, program
from laycalc.algebra.symbolic import explore
for text, lines in json.loads(sys.argv[2]):
    report = explore(program(text), assumptions(lines), steps=4_000)
    print(report, json.dumps(report.as_json()))
"""


def printed(seed: int, clock: str) -> bytes:
    command = [sys.executable, "-c", PRINTED, clock, json.dumps(EXPRESSIONS)]
    path = os.pathsep.join([str(TESTS), str(TESTS.parent)])
    environment = os.environ | {"PYTHONHASHSEED": str(seed), "PYTHONPATH": path}
    return subprocess.run(command, capture_output=True, check=True, env=environment).stdout


def test_neither_the_clock_nor_the_order_of_sets_changes_an_answer() -> None:
    first = printed(0, "as it is")
    assert b"more than 4,000 steps" in first
    assert printed(1, "slow") == first
    assert printed(2, "slow") == first


@pytest.mark.parametrize(("text", "lines"), EXPRESSIONS[2:6])
def test_what_was_asked_before_changes_no_answer(text: str, lines: list[str]) -> None:
    known = assumptions(lines)
    first = explore(program(text), known, steps=2_000)
    explore(program("(M,N):(1,ld) / (8,N):(1,4)"), known, steps=2_000)
    assert explore(program(text), known, steps=2_000).as_json() == first.as_json()
