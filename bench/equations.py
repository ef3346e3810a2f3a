"""Equations between layouts: CPU time of every fact of tests/golden/design_equations.jsonl, and of large ones.

Run ``python bench/equations.py``; the exit code is 1 if a goal is missed: no fact slower than 0.2 s, no large equation
slower than 2 s. ``--json`` prints the numbers.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from laycalc.algebra.equations.asking import solution
from laycalc.design.answering import answer
from laycalc.grammar.run.statements import evaluate

FACTS = Path(__file__).parents[1] / "tests" / "golden" / "design_equations.jsonl"
ROUNDS = 5
FACT_GOAL, LARGE_GOAL = 0.2, 2.0

LARGE = {
    "left, a transposed megabyte": ("o", "(1024,1024):(1024,1)", "(1024,1024):(1,1024)", False),
    "left, swizzled": ("o", "Sw<3,4,3> o 0 o (1024,1024):(1024,1)", "(1024,1024):(1,1024)", False),
    "left, all values equal": ("o", "(1024,1024):(0,0)", "1024:0", False),
    "left, overlapping windows, none": ("o", "(64,64):(1,1)", "127:1", False),
    "right, padded rows": ("o", "(128,64):(72,1)", "(128,64):(1,136)", True),
    "right, swizzled": ("o", "(60,64):(64,1)", "Sw<3,3,3> o 0 o (60,64):(64,1)", True),
    "right, coordinates with gaps": ("o", "((10,10),60):((3e0,40e0),e1)", "((10,10),60):((7,1),900)", True),
    "right, no chain": ("o", "(3,3,3):(300,501,9000)", "(3,3,3):(6,4,1)", True),
    "right, given up": ("o", "(8,8,8):(7,71,1001)", "(8,8,8):(5,9,1)", True),
    "right, a megabyte": ("o", "(1000,1000):(1024,1)", "(1000,1000):(1,1000)", True),
    "divide by mode": ("/", "(1024,1024):(1024,1)", "((32,32),(32,32)):((1024,32768),(1,32))", False),
}
"""Equations with many values, or with many layouts to try: operator, the known side, C, is X on the left."""


def seconds(work: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """The median CPU time of some calls."""
    found = []
    for _ in range(rounds):
        start = process_time()
        work()
        found.append(process_time() - start)
    return median(found)


def facts() -> dict[str, float]:
    """Each fact, from the texts of its layouts to the answer."""
    tasks = [json.loads(line) for line in FACTS.read_text().splitlines()]
    return {task["id"]: seconds(lambda task=task: answer(task, evaluate)) for task in tasks}


def large() -> dict[str, float]:
    """Each large equation, once."""
    found = {}
    for name, (operator, known, wanted, on_left) in LARGE.items():
        values = evaluate(known), evaluate(wanted)
        found[name] = seconds(lambda v=values, op=operator, x=on_left: solution(op, *v, on_left=x), 1)
    return found


def main() -> int:
    """Print the times, and whether the goals are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the numbers")
    given = parser.parse_args()
    small, big = facts(), large()
    if given.json:
        print(json.dumps({"facts": small, "large": big}))
    else:
        slow = max(small, key=lambda name: small[name])
        middle, most = median(small.values()) * 1e3, small[slow] * 1e3
        print(f"{len(small)} facts: {middle:.2f} ms at the median, slowest {slow} with {most:.1f} ms")
        for name, time in big.items():
            print(f"{time:6.2f} s  {name}")
    return int(max(small.values()) > FACT_GOAL or max(big.values()) > LARGE_GOAL)


if __name__ == "__main__":
    sys.exit(main())
