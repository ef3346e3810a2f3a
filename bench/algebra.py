"""Algebra side by side with pycute (of the nvidia-cutlass wheel) and tensor-layouts: ratios of medians of CPU time.

Run ``python bench/algebra.py``; peers that are not installed are left out, and the exit code is 1 if a goal is missed.
Every call computes anew, nothing is memoised; engines take turns, round by round. ``--json`` prints the numbers.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Callable
from importlib import metadata
from statistics import median
from time import process_time_ns
from typing import Any

from laycalc.algebra.operations.complement import complement
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.operations.divide import logical_divide
from laycalc.algebra.operations.inverse import left_inverse, right_inverse
from laycalc.algebra.values.coalesce import coalesce
from laycalc.algebra.values.layout import Layout

LAYOUTS: dict[str, tuple[Any, Any]] = {
    "(8,64):(64,1)": ((8, 64), (64, 1)),
    "((4,8),(2,2))": (((4, 8), (2, 2)), ((32, 1), (16, 8))),
    "nested rank 6": (((2, 3), (4, (2, 5)), 3), ((45, 5), (180, (90, 1)), 15)),
    "permuted rank 6": ((4, 2, 3, 5, 2, 3), (3, 24, 1, 144, 12, 48)),
}
"""The four layouts of the comparison."""

RIGHT: dict[str, tuple[Any, Any]] = {
    "(8,64):(64,1)": ((4, 8), (8, 1)),
    "((4,8),(2,2))": ((4, 4), (4, 1)),
    "nested rank 6": ((6, 4), (1, 6)),
    "permuted rank 6": ((4, 2), (1, 4)),
}
"""A right operand for each, admissible for every engine."""

OPERATIONS = ("coalesce", "composition", "complement", "right_inverse", "left_inverse", "logical_divide")

GOALS = {"pycute": {"coalesce": 2.0}, "tensor-layouts": {}}
"""The greatest ratio ours/theirs where it is not 1 (pycute) or 1/3 (tensor-layouts)."""


def find_pycute() -> Any:
    """The pycute inside the nvidia-cutlass wheel, wherever that is installed; None without the wheel."""
    try:
        files = metadata.files("nvidia-cutlass") or []
    except metadata.PackageNotFoundError:
        return None
    for file in files:
        if str(file) == "pycute/__init__.py":
            sys.path.insert(0, str(file.locate().parent.parent))
            try:
                return importlib.import_module("pycute")
            finally:
                sys.path.pop(0)
    return None


def find_tensor_layouts() -> Any:
    """tensor-layouts, None where it is not installed."""
    try:
        return importlib.import_module("tensor_layouts")
    except ImportError:
        return None


def calls(module: Any, names: dict[str, str]) -> dict[tuple[str, str], Callable[[], Any]]:
    """The calls of one engine by (operation, layout); ``names`` says what it calls an operation."""
    found: dict[tuple[str, str], Callable[[], Any]] = {}
    for label, (shape, stride) in LAYOUTS.items():
        left, right = module.Layout(shape, stride), module.Layout(*RIGHT[label])
        for operation in OPERATIONS:
            function = getattr(module, names.get(operation, operation))
            pair = operation in ("composition", "logical_divide")
            found[operation, label] = (
                (lambda f=function, a=left, b=right: f(a, b)) if pair else (lambda f=function, a=left: f(a))
            )
    return found


class Ours:
    """This package under the names that the comparison uses."""

    Layout = Layout
    coalesce = staticmethod(coalesce)
    composition = staticmethod(composition)
    complement = staticmethod(complement)
    right_inverse = staticmethod(right_inverse)
    left_inverse = staticmethod(left_inverse)
    logical_divide = staticmethod(logical_divide)


def clock(call: Callable[[], Any], number: int) -> float:
    """CPU nanoseconds of one call, from ``number`` calls in a row."""
    start = process_time_ns()
    for _ in range(number):
        call()
    return (process_time_ns() - start) / number


def compare(rounds: int, number: int) -> list[dict[str, Any]]:
    """One row an operation and layout: the medians, and ours/theirs for each peer, measured alternately."""
    engines = {"laycalc": calls(Ours, {})}
    if (pycute := find_pycute()) is not None:
        engines["pycute"] = calls(pycute, {})
    if (tensor_layouts := find_tensor_layouts()) is not None:
        engines["tensor-layouts"] = calls(tensor_layouts, {"composition": "compose"})
    rows = []
    for key in engines["laycalc"]:
        times: dict[str, list[float]] = {name: [] for name in engines}
        for _ in range(rounds):
            for name, table in engines.items():
                times[name].append(clock(table[key], number))
        medians = {name: median(values) for name, values in times.items()}
        ratios = {name: medians["laycalc"] / value for name, value in medians.items() if name != "laycalc"}
        rows.append({"operation": key[0], "layout": key[1], "ns": medians, "ratio": ratios})
    return rows


def offsets(rounds: int) -> dict[str, float]:
    """Seconds for all offsets of a 1024 x 1024 layout."""
    shape, stride = (1024, 1024), (1024, 1)
    engines: dict[str, Callable[[], Any]] = {"laycalc": Layout(shape, stride).values}
    if (tensor_layouts := find_tensor_layouts()) is not None:
        theirs = tensor_layouts.Layout(shape, stride)
        engines["tensor-layouts"] = lambda: [theirs(i) for i in range(1 << 20)]
    return {name: median(clock(call, 1) for _ in range(rounds)) / 1e9 for name, call in engines.items()}


def goal(peer: str, operation: str) -> float:
    """The greatest allowed ratio ours/theirs."""
    return GOALS[peer].get(operation, 1.0 if peer == "pycute" else 1 / 3)


def report(rows: list[dict[str, Any]], seconds: dict[str, float]) -> int:
    """Print the comparison; the number of ratios above their goal."""
    missed = 0
    print(f"{'operation':15} {'layout':16} {'us':>8}  ours/theirs (goal)")
    for row in rows:
        parts = []
        for peer, ratio in row["ratio"].items():
            limit = goal(peer, row["operation"])
            over = ratio > limit
            missed += over
            parts.append(f"{peer} {ratio:.2f} ({limit:.2f}){' MISSED' if over else ''}")
        print(f"{row['operation']:15} {row['layout']:16} {row['ns']['laycalc'] / 1000:8.2f}  {'  '.join(parts)}")
    for name, value in seconds.items():
        print(f"all offsets of 1024x1024, {name}: {value * 1000:.1f} ms")
    if "tensor-layouts" in seconds:
        ratio = seconds["laycalc"] / seconds["tensor-layouts"]
        missed += ratio > 1 / 50
        print(f"ratio 1/{1 / ratio:.0f} (goal 1/50)")
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--number", type=int, default=200, help="calls a round")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows, seconds = compare(options.rounds, options.number), offsets(3)
    if options.json:
        print(json.dumps({"rows": rows, "offsets_seconds": seconds}))
        return 0
    return 1 if report(rows, seconds) else 0


if __name__ == "__main__":
    sys.exit(main())
