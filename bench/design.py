"""Design tasks: how many are answered at the score of the optimum, and the CPU time of each.

Run ``python bench/design.py [--slowest 5]``. The score is that of the judge of the tests, which knows nothing of the
searches; equations are held against their law. The exit code is 1 if a task misses its score or takes two seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

LIMIT = 2.0
"""Seconds of a task at most."""


def main() -> int:
    """Answer all tasks of the facts, and tell."""
    from golden.design_judge import copy_score, mma_score, smem_score

    from laycalc.design.answering import answer
    from laycalc.grammar.run.statements import evaluate

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slowest", type=int, default=5)
    wanted = parser.parse_args().slowest
    judges = {"smem": lambda task, found: smem_score(task, found["layout"]), "copy": copy_score, "mma": mma_score}
    times: dict[str, list[tuple[float, str]]] = {}
    right: Counter[str] = Counter()
    for line in (ROOT / "tests" / "golden" / "design.jsonl").read_text(encoding="utf-8").splitlines():
        task: dict[str, Any] = json.loads(line)
        start = process_time()
        found = answer(task, evaluate)
        times.setdefault(task["kind"], []).append((process_time() - start, task["id"]))
        if judge := judges.get(task["kind"]):
            right[task["kind"]] += judge(task, found) == task["answer"]["score"]
    for kind, spent in times.items():
        seconds = [second for second, _ in spent]
        share = f"{right[kind]} of {len(spent)} at the optimum's score" if kind in judges else f"{len(spent)} answered"
        print(f"{kind:<6} {share}, {median(seconds):.3f} s at the median, {max(seconds):.3f} s at most")
    every = sorted((pair for spent in times.values() for pair in spent), reverse=True)
    print("slowest: " + ", ".join(f"{name} {second:.2f} s" for second, name in every[:wanted]))
    missed = sum(len(times[kind]) - right[kind] for kind in judges)
    return int(missed > 0 or every[0][0] >= LIMIT)


if __name__ == "__main__":
    sys.exit(main())
