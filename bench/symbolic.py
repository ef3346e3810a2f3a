"""Reports on expressions with unknown extents: CPU time over the golden lines, and numbers beside it as before.

Run ``python bench/symbolic.py [--rounds 3] [--json]``. The least time of the rounds counts for each line; every round
starts from nothing, assumptions included. The exit code is 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

MEDIAN = 5.0
GREATEST = 600.0
NUMBERS = 1.15
"""Goals: milliseconds of a report at the median and at most, and the greatest ratio of numbers after to before."""

LOOP = 1_000_000


def numbers() -> float:
    """Microseconds of a numeric divide: the best of some batches."""
    from laycalc.algebra.operations.divide import logical_divide
    from laycalc.algebra.values.layout import Layout

    layout, tiler = Layout((256, 128), (128, 1)), (128, 64)
    times = []
    for _ in range(15):
        start = process_time()
        for _ in range(500):
            logical_divide(layout, tiler)
        times.append((process_time() - start) / 500)
    return min(times) * 1e6


def reports(rounds: int) -> list[dict[str, Any]]:
    """Milliseconds of every golden line with its verdict."""
    from symbolic_evaluator import assumptions, program, unknowns

    from laycalc.algebra.base.errors import LayoutError
    from laycalc.algebra.symbolic import explore

    found = []
    for line in (ROOT / "tests" / "golden" / "symbolic.jsonl").read_text().splitlines():
        fact = json.loads(line)
        text, said = unknowns(fact["expr"])
        run = program(text)
        best, verdict = float("inf"), ""
        for _ in range(rounds):
            start = process_time()
            try:
                report = explore(run, assumptions(said + fact["assume"]), ragged=fact.get("ragged", False))
                verdict = report.verdict
            except LayoutError as error:
                verdict = error.code
            best = min(best, process_time() - start)
        found.append({"id": fact["id"], "verdict": verdict, "ms": best * 1e3})
    return found


def speed() -> float:
    """Milliseconds of a plain loop, to compare machines by."""
    start = process_time()
    for _ in range(LOOP):
        pass
    return (process_time() - start) * 1e3


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--json", action="store_true")
    arguments = options.parse_args()
    before = numbers()
    lines = reports(arguments.rounds)
    after = numbers()
    conditional = [line["ms"] for line in lines if line["verdict"].startswith("valid")]
    result = {
        "lines": len(lines),
        "median_ms": median(line["ms"] for line in lines),
        "conditional_median_ms": median(conditional),
        "greatest_ms": max(line["ms"] for line in lines),
        "numbers_us": before,
        "numbers_after_us": after,
        "loop_ms": speed(),
    }
    if arguments.json:
        print(json.dumps({**result, "reports": lines}))
    else:
        slowest = max(lines, key=lambda line: line["ms"])
        print(f"reports        {result['median_ms']:7.2f} ms at the median of {len(lines)} (goal {MEDIAN})")
        print(f"conditional    {result['conditional_median_ms']:7.2f} ms at the median of {len(conditional)}")
        print(f"longest        {slowest['ms']:7.2f} ms, {slowest['id']} (goal {GREATEST})")
        print(f"numeric divide {before:7.2f} us before, {after:.2f} us after (goal: {NUMBERS} times)")
        print(f"this machine   {result['loop_ms']:7.2f} ms for a loop of {LOOP:,}")
    missed = result["median_ms"] > MEDIAN or result["greatest_ms"] > GREATEST or after > NUMBERS * before
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
