"""Categories side by side with pycute's composition of the same layouts: ratios of medians of CPU time, in one run.

pycute is the module of NVIDIA's nvidia-cutlass wheel; without that wheel only the growth is printed.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from statistics import median
from time import process_time
from types import ModuleType
from typing import Any

from laycalc.algebra.categories import compose_layouts, mutual_refinement, to_morphism, why
from laycalc.algebra.values.htuple import unflatten
from laycalc.algebra.values.layout import Layout

LIMITS = {"to_morphism": 3.0, "mutual_refinement": 6.0}
"""At most so many times pycute's composition, at 8 leaves."""

GROWTH = 100.0
"""64 leaves at most so many times 8 leaves."""


def pycute() -> ModuleType | None:
    """The pycute of the nvidia-cutlass wheel; another project of that name on the index is not meant."""
    try:
        wheel = distribution("nvidia-cutlass")
    except PackageNotFoundError:
        return None
    home = next((f for f in wheel.files or () if str(f) == "pycute/__init__.py"), None)
    if home is None:
        return None
    sys.path.insert(0, str(wheel.locate_file(home).parent.parent))
    return import_module("pycute")


def seconds(call: Callable[[], object], runs: int = 15, batch: float = 0.01) -> float:
    """Median CPU time of one call, over batches long enough for the clock."""
    count = 1
    while True:
        start = process_time()
        for _ in range(count):
            call()
        spent = process_time() - start
        if spent >= batch:
            break
        count = count * 2 if spent <= 0 else max(count + 1, int(count * 1.2 * batch / spent))
    times = []
    for _ in range(runs):
        start = process_time()
        for _ in range(count):
            call()
        times.append((process_time() - start) / count)
    return median(times)


def pair(leaves: int, seed: int) -> tuple[Layout, Layout]:
    """(outer, inner): tractable, permuted, padded, nested in pairs; powers of two, so that a refinement exists."""
    rng = random.Random(seed)
    profile = tuple((0, 0) for _ in range(leaves // 2))

    def stacked(extents: list[int], gaps: tuple[int, ...]) -> Layout:
        strides, stride = [0] * leaves, 1
        for i in rng.sample(range(leaves), leaves):
            stride *= rng.choice(gaps)
            strides[i] = stride
            stride *= extents[i]
        return Layout(unflatten(extents, profile), unflatten(strides, profile))

    inner = stacked([rng.choice((2, 4)) for _ in range(leaves)], (1, 1, 2))
    # Larger than the inner layout reaches, with boundaries of its own.
    outer = stacked([rng.choice((4, 8)) for _ in range(leaves)], (3, 5))
    return outer, inner


def main() -> int:
    """Print the ratios; 1 if a limit is exceeded."""
    peer = pycute()
    failed = False
    base: dict[str, float] = {}
    for leaves in (8, 64):
        outer, inner = pair(leaves, seed=leaves)
        f = to_morphism(inner)
        calls: dict[str, Callable[[], Any]] = {
            "to_morphism": partial(to_morphism, inner),
            "mutual_refinement": partial(mutual_refinement, f.codomain, outer.shape),
            "compose_layouts": partial(compose_layouts, outer, inner),
            "why": partial(why, outer, inner),
        }
        against = 0.0
        if peer is not None:
            a, b = (peer.Layout(x.shape, x.stride) for x in (outer, inner))
            against = seconds(partial(peer.composition, a, b))
            print(f"{leaves:3} leaves  {'pycute composition':20} {against * 1e6:9.1f} us")
        for name, call in calls.items():
            spent = seconds(call)
            line = f"{leaves:3} leaves  {name:20} {spent * 1e6:9.1f} us"
            if against:
                ratio = spent / against
                line += f"   {ratio:6.2f} of pycute"
                if leaves == 8 and name in LIMITS:
                    line += f" (limit {LIMITS[name]:g})"
                    failed |= ratio > LIMITS[name]
            if leaves == 8:
                base[name] = spent
            else:
                growth = spent / base[name]
                line += f"   {growth:6.1f} times 8 leaves (limit {GROWTH:g})"
                failed |= growth > GROWTH
            print(line)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
