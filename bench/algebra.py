"""Algebra side by side with pycute (of the nvidia-cutlass wheel) and tensor-layouts: ratios of medians of CPU time.

Run ``python bench/algebra.py``; peers that are not installed are left out, and the exit code is 1 if a goal is missed.
Every call computes anew, nothing is memoised; engines take turns, round by round. ``--json`` prints the numbers.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import sys
from collections.abc import Callable
from functools import partial
from importlib import metadata
from itertools import accumulate, pairwise
from statistics import median
from time import process_time_ns
from typing import Any, NamedTuple

import laycalc
from laycalc import Composed, Coordinate, Layout, Swizzle
from laycalc.algebra.operations.complement import complement
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.operations.image import injective


class Case(NamedTuple):
    """A layout, a right operand and a tile that every engine takes, and a coordinate."""

    shape: Any
    stride: Any
    right: tuple[Any, Any]
    tile: Any
    coordinate: Any


NAMED = {
    "(8,64):(64,1)": Case((8, 64), (64, 1), ((4, 8), (8, 1)), (4, 8), (3, 5)),
    "((4,8),(2,2))": Case(((4, 8), (2, 2)), ((32, 1), (16, 8)), ((4, 4), (4, 1)), (4, 2), ((3, 7), (1, 1))),
    "nested rank 6": Case(
        ((2, 3), (4, (2, 5)), 3), ((45, 5), (180, (90, 1)), 15), ((6, 4), (1, 6)), (2, 4, 3), ((1, 2), (3, (1, 4)), 2)
    ),
    "permuted rank 6": Case((4, 2, 3, 5, 2, 3), (3, 24, 1, 144, 12, 48), ((4, 2), (1, 4)), (2, 2), (1, 1, 2, 3, 1, 2)),
}
"""The four layouts that are shown one by one."""


def drawn(count: int) -> dict[str, Case]:
    """Permuted compact layouts of powers of two with 1 to 16 leaves, flat and nested, which every engine can divide."""
    rng, found = random.Random(17), {}
    for k in range(count):
        leaves = k % 16 + 1
        extents = [rng.choice((2, 4)) for _ in range(leaves)]
        order, steps, step = rng.sample(range(leaves), leaves), [0] * leaves, 1
        for i in order:
            steps[i], step = step, step * extents[i]
        cuts = sorted({0, leaves, *(rng.randrange(leaves) for _ in range(rng.choice((0, leaves // 2))))})
        shape, stride = (_grouped(x, cuts) for x in (extents, steps))
        right = ((2, 2), (1, 2)) if step >= 4 else (2, 1)
        found[f"drawn {k}"] = Case(shape, stride, right, (2,), _grouped([n - 1 for n in extents], cuts))
    return found


def _grouped(entries: list[int], cuts: list[int]) -> tuple[Any, ...]:
    parts = [tuple(entries[a:b]) for a, b in pairwise(cuts)] if len(cuts) > 2 else [tuple(entries)]
    modes = [part[0] if len(part) == 1 else part for part in parts]
    return tuple(modes) if len(modes) > 1 else parts[0]


CASES = NAMED | drawn(44)
"""48 layouts of 1 to 16 leaves."""

ONE = ("coalesce", "cosize", "complement", "right_inverse", "left_inverse")
"""Operations of one layout."""
TWO = ("composition", "logical_divide", "logical_product", "blocked_product")
"""Operations with a layout as their right operand."""
BY_MODE = ("zipped_divide", "tiled_divide")
"""Operations with a tile."""

GOALS = {
    "pycute": {"construct": 6.0},
    "tensor-layouts": {
        "blocked_product": 1.5,
        "cosize": 1.25,
        **dict.fromkeys(("coalesce", "complement", "right_inverse", "left_inverse"), 1 / 3),
        **dict.fromkeys(("composition", "logical_divide", "logical_product"), 1 / 3),
    },
}
"""The greatest median of ours/theirs where it is not 1; pycute's constructor checks nothing, its text is Python's."""

GROWTH = 16.0
"""4096 leaves at most so many times 1024 leaves: four times the leaves, and strides of four times the bits."""

LISTED = {"coordinates": 20.0, "swizzled": 20.0}
"""Listing a value at most so many times an integer."""


ARRAYS = {"plain": 0.002, "swizzled": 0.010}
"""Seconds that the array of 2^20 offsets may take."""


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
    for label, (shape, stride, operand, tile, coordinate) in CASES.items():
        left, right = module.Layout(shape, stride), module.Layout(*operand)
        found["construct", label] = partial(module.Layout, shape, stride)
        found["call at an index", label] = partial(left, 22 if label in NAMED else 1)
        found["call at a coordinate", label] = partial(left, *coordinate)
        found["str", label] = partial(str, left)
        for operations, others in ((ONE, ()), (TWO, (right,)), (BY_MODE, (tile,))):
            for operation in operations:
                if (function := getattr(module, names.get(operation, operation), None)) is not None:
                    found[operation, label] = partial(function, left, *others)
        found["tile and call", label] = partial(tiled, module, shape, stride, tile)
    return found


def tiled(module: Any, shape: Any, stride: Any, tile: Any) -> Any:
    """What a tuner does for a candidate: a layout, its tiles, an offset."""
    return module.zipped_divide(module.Layout(shape, stride), tile)(1, 0)


def clock(call: Callable[[], Any], number: int) -> float:
    """CPU nanoseconds of one call, from ``number`` calls in a row."""
    start = process_time_ns()
    for _ in range(number):
        call()
    return (process_time_ns() - start) / number


def compare(rounds: int, number: int) -> list[dict[str, Any]]:
    """One row an operation and layout: the medians, and ours/theirs for each peer, measured alternately."""
    engines = {"laycalc": calls(laycalc, {})}
    if (pycute := find_pycute()) is not None:
        engines["pycute"] = calls(pycute, {})
    if (tensor_layouts := find_tensor_layouts()) is not None:
        engines["tensor-layouts"] = calls(tensor_layouts, {"composition": "compose"})
    rows = []
    for key in engines["laycalc"]:
        running = {name: table[key] for name, table in engines.items() if key in table and answers(table[key])}
        times: dict[str, list[float]] = {name: [] for name in running}
        for _ in range(rounds):
            for name, call in running.items():
                times[name].append(clock(call, number))
        medians = {name: median(values) for name, values in times.items()}
        ratios = {name: medians["laycalc"] / value for name, value in medians.items() if name != "laycalc"}
        rows.append({"operation": key[0], "layout": key[1], "ns": medians, "ratio": ratios})
    return rows


def answers(call: Callable[[], Any]) -> bool:
    """Does an engine answer at all?"""
    try:
        call()
    except Exception:
        return False
    return True


def offsets(rounds: int) -> dict[str, float]:
    """Seconds for all offsets of a 1024 x 1024 layout."""
    shape, stride = (1024, 1024), (1024, 1)
    engines: dict[str, Callable[[], Any]] = {"laycalc": Layout(shape, stride).values}
    if (tensor_layouts := find_tensor_layouts()) is not None:
        theirs = tensor_layouts.Layout(shape, stride)
        engines["tensor-layouts"] = lambda: [theirs(i) for i in range(1 << 20)]
    return {name: median(clock(call, 1) for _ in range(rounds)) / 1e9 for name, call in engines.items()}


def stacked(leaves: int) -> tuple[Layout, Layout]:
    """A padded layout of many leaves, and the compact one of its shape, whose leaves end where those end."""
    rng = random.Random(leaves)
    shape = tuple(rng.choice((2, 3, 4)) for _ in range(leaves))
    return Layout(shape, tuple(accumulate(shape[:-1], lambda d, s: 2 * d * s, initial=1))), Layout(shape)


def growth(rounds: int) -> dict[str, dict[int, float]]:
    """Seconds of operations on 256, 1024 and 4096 leaves."""
    found: dict[str, dict[int, float]] = {"composition": {}, "injective": {}, "complement": {}}
    for leaves in (256, 1024, 4096):
        padded, compact = stacked(leaves)
        order = random.Random(1).sample(range(leaves), leaves)
        mixed = Layout(tuple(padded.shape[i] for i in order), tuple(padded.stride[i] for i in order))
        for name, call in (
            ("composition", partial(composition, padded, compact)),
            ("injective", partial(injective, mixed)),
            ("complement", partial(complement, mixed)),
        ):
            found[name][leaves] = median(clock(call, 1) for _ in range(rounds)) / 1e9
    return found


def listing(rounds: int) -> dict[str, float]:
    """Nanoseconds a value for all values of 256x256 elements: integers, coordinates, a swizzle."""
    axes = (Coordinate((((0,), 1),)), Coordinate((((1,), 1),)))
    kinds: dict[str, Any] = {
        "integers": Layout((256, 256), (256, 1)),
        "coordinates": Layout((256, 256), axes),
        "swizzled": Composed(Swizzle(3, 3, 3), 0, Layout((256, 256), (256, 1))),
    }
    return {name: median(clock(layout.values, 1) for _ in range(rounds)) / 65536 for name, layout in kinds.items()}


def arrays(rounds: int) -> dict[str, float]:
    """Seconds for the array of 2^20 offsets; nothing where numpy is not installed."""
    try:
        importlib.import_module("numpy")
    except ImportError:
        return {}
    plain = Layout((1024, 1024), (1024, 1))
    swizzled = Composed(Swizzle(3, 4, 3), 0, plain)
    return {
        name: median(clock(layout.offsets, 1) for _ in range(rounds)) / 1e9
        for name, layout in (("plain", plain), ("swizzled", swizzled))
    }


def report(rows: list[dict[str, Any]], seconds: dict[str, float]) -> int:
    """Print the comparison; the number of medians above their goal."""
    print(f"{'operation':20} {'layout':16} {'us':>8}  ours/theirs")
    ratios: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        shown = "  ".join(f"{peer} {ratio:.2f}" for peer, ratio in row["ratio"].items())
        if row["layout"] in NAMED:
            print(f"{row['operation']:20} {row['layout']:16} {row['ns']['laycalc'] / 1000:8.2f}  {shown}")
        for peer, ratio in row["ratio"].items():
            ratios.setdefault((row["operation"], peer), []).append(ratio)
    missed = 0
    for (operation, peer), found in ratios.items():
        middle, limit = median(found), GOALS[peer].get(operation, 1.0)
        missed += middle > limit
        mark = " MISSED" if middle > limit else ""
        print(f"{operation:20} {peer:16} {middle:8.2f}  (goal {limit:.2f}){mark}")
    for name, value in arrays(5).items():
        missed += value > ARRAYS[name]
        print(f"2^20 offsets as an array of numpy, {name}: {value * 1000:.1f} ms (goal {ARRAYS[name] * 1000:g})")
    for name, value in seconds.items():
        print(f"all offsets of 1024x1024, {name}: {value * 1000:.1f} ms")
    if "tensor-layouts" in seconds:
        ratio = seconds["laycalc"] / seconds["tensor-layouts"]
        missed += ratio > 1 / 50
        print(f"ratio 1/{1 / ratio:.0f} (goal 1/50)")
    return missed


def report_alone(grown: dict[str, dict[int, float]], listed: dict[str, float]) -> int:
    """Print what has no peer; the number of goals missed."""
    missed = 0
    for name, times in grown.items():
        ratio = times[4096] / times[1024]
        missed += ratio > GROWTH
        shown = ", ".join(f"{leaves} leaves {value * 1000:.2f} ms" for leaves, value in times.items())
        print(f"{name}: {shown}; the last {ratio:.1f} times the one before (goal {GROWTH:g})")
    for name, limit in LISTED.items():
        ratio = listed[name] / listed["integers"]
        missed += ratio > limit
        print(f"a value of {name}: {listed[name]:.0f} ns, {ratio:.1f} times an integer (goal {limit:g})")
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--number", type=int, default=50, help="calls a round")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows, seconds = compare(options.rounds, options.number), offsets(3)
    grown, listed = growth(3), listing(5)
    if options.json:
        print(json.dumps({"rows": rows, "offsets_seconds": seconds, "growth_seconds": grown, "value_ns": listed}))
        return 0
    return 1 if report(rows, seconds) + report_alone(grown, listed) else 0


if __name__ == "__main__":
    sys.exit(main())
