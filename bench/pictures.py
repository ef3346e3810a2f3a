"""Times and sizes of pictures with the goals that they have to meet, beside tensor-layouts where it is installed.

    python bench/pictures.py            our own
    python bench/pictures.py --peer     with tensor-layouts in the same run (half a minute)

Each line is the best of several runs, in seconds of processor time; the peer runs once or twice. The exit code is 1 if
a goal is missed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laycalc.algebra.values.layout import Layout
from laycalc.render.draw import draw

if TYPE_CHECKING:
    from collections.abc import Callable

TV64 = Layout(((4, 8, 4), (2, 2, 8)), ((128, 1, 16), (64, 8, 512)))
LABELLED = 1 << 16
"""The limit of cells under which 256 x 256 still have texts."""
BEFORE = {"png 64x64": 2_744_462, "png 128x128": 1_268_291}
"""Bytes of a PNG when matplotlib drew it in true colour."""


def best(job: Callable[[], Any], runs: int) -> float:
    """The least processor time of several runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        job()
        times.append(time.process_time() - start)
    return min(times)


def grid(n: int, format: str) -> Callable[[], str | bytes]:
    """Draw n x n labelled cells."""
    return lambda: draw(Layout((n, n), (n, 1)), format=format, limit=LABELLED)


def ours() -> dict[str, tuple[float, int]]:
    """Our times and sizes; imports are not counted."""
    cases: dict[str, tuple[Callable[[], str | bytes], int]] = {
        f"{format} {n}x{n}": (grid(n, format), 5 if n < 128 else 3)
        for format in ("svg", "pdf", "png", "tex", "typ")
        for n in (64, 128)
    }
    cases |= {
        "pdf 256x256": (grid(256, "pdf"), 2),
        "svg tv 64x64": (lambda: draw(TV64, tile=(64, 64)), 5),
        "html 64x64": (grid(64, "html"), 3),
        "svg heat 1024x1024": (lambda: draw(Layout((1024, 1024), (1024, 1))), 2),
        "svg heat 4096x4096": (lambda: draw(Layout((4096, 4096), (4096, 1))), 1),
        "png heat 1024x1024": (lambda: draw(Layout((1024, 1024), (1024, 1)), format="png"), 2),
        "png heat 128x128 bank": (lambda: draw(Layout((128, 128), (128, 1)), format="png", color_by="bank"), 2),
    }
    for format in ("png", "pdf"):
        draw(Layout(4), format=format)
    found = {}
    for name, (job, runs) in cases.items():
        found[name] = best(job, runs), len(job())
        print(f"{name:22} {found[name][0]:8.3f} s  {found[name][1] / 1e6:7.3f} MB", flush=True)
    return found


def process(ending: str) -> float:
    """The processor time of ``laycalc draw`` as a process, the best of five."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "laycalc", "draw", "(8,8):(8,1)", "-o", str(Path(folder) / f"x.{ending}")]
        for _ in range(5):
            before = os.times()
            subprocess.run(command, check=True)
            after = os.times()
            times.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(times)


def goals(found: dict[str, tuple[float, int]]) -> bool:
    """Compare with the goals; True if all are met."""
    started = {ending: process(ending) for ending in ("svg", "png", "pdf")}
    for ending, seconds in started.items():
        print(f"laycalc draw x.{ending}: {1000 * seconds:.0f} ms as a process")
    met = {
        "pdf 128x128 within 5 times of svg": found["pdf 128x128"][0] <= 5 * found["svg 128x128"][0],
        "png 64x64 below 0.25 s": found["png 64x64"][0] < 0.25,
        "png 64x64 half the bytes": 2 * found["png 64x64"][1] <= BEFORE["png 64x64"],
        "png 128x128 half the bytes": 2 * found["png 128x128"][1] <= BEFORE["png 128x128"],
        "draw x.png below 450 ms": started["png"] < 0.45,
    }
    for goal, reached in met.items():
        print(f"{goal}: {'yes' if reached else 'NO'}")
    return all(met.values())


def peer(found: dict[str, tuple[float, int]]) -> None:
    """The times of tensor-layouts for the same grids, and how many times ours they are."""
    import tensor_layouts as other  # type: ignore[import-not-found, import-untyped, unused-ignore]
    from tensor_layouts.viz import draw_layout  # type: ignore[import-not-found, import-untyped, unused-ignore]

    with tempfile.TemporaryDirectory() as folder:
        draw_layout(other.Layout((4, 4), (4, 1)), str(Path(folder) / "first.png"))
        for n in (64, 128):
            for format in ("svg", "png", "pdf"):
                path = Path(folder) / f"{n}.{format}"
                seconds = best(lambda p=path, n=n: draw_layout(other.Layout((n, n), (n, 1)), str(p)), 1)  # type: ignore[misc]
                own, size = found[f"{format} {n}x{n}"]
                there = path.stat().st_size
                print(
                    f"tensor-layouts {format} {n}x{n}: {seconds:.2f} s, {seconds / own:.0f} times ours;"
                    f" {there / 1e6:.3f} MB, {there / size:.1f} times ours",
                    flush=True,
                )


if __name__ == "__main__":
    measured = ours()
    reached = goals(measured)
    if "--peer" in sys.argv:
        peer(measured)
    sys.exit(not reached)
