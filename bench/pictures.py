"""Times and sizes of pictures, beside those of tensor-layouts where it is installed.

    python bench/pictures.py            our own
    python bench/pictures.py --peer     with tensor-layouts in the same run (half a minute)

Each line is the best of several runs, in seconds of processor time; the peer runs once or twice.
"""

from __future__ import annotations

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


def best(job: Callable[[], Any], runs: int) -> float:
    """The least processor time of several runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        job()
        times.append(time.process_time() - start)
    return min(times)


def ours() -> dict[str, float]:
    """Our times; the first figure of matplotlib is not counted, its import is."""
    cases: dict[str, tuple[Callable[[], str | bytes], int]] = {
        "svg 64x64": (lambda: draw(Layout((64, 64), (64, 1))), 5),
        "svg 128x128": (lambda: draw(Layout((128, 128), (128, 1))), 5),
        "svg tv 64x64": (lambda: draw(TV64, tile=(64, 64)), 5),
        "html 64x64": (lambda: draw(Layout((64, 64), (64, 1)), format="html"), 3),
        "tex 64x64": (lambda: draw(Layout((64, 64), (64, 1)), format="tex"), 3),
        "svg heat 1024x1024": (lambda: draw(Layout((1024, 1024), (1024, 1))), 2),
        "svg heat 4096x4096": (lambda: draw(Layout((4096, 4096), (4096, 1))), 1),
        "png heat 1024x1024": (lambda: draw(Layout((1024, 1024), (1024, 1)), format="png"), 2),
        "png 64x64": (lambda: draw(Layout((64, 64), (64, 1)), format="png"), 2),
        "png 128x128": (lambda: draw(Layout((128, 128), (128, 1)), format="png"), 2),
    }
    draw(Layout(4), format="png")
    found = {}
    for name, (job, runs) in cases.items():
        found[name] = best(job, runs)
        print(f"{name:22} {found[name]:8.3f} s  {len(job()) / 1e6:7.3f} MB", flush=True)
    return found


def peer(found: dict[str, float]) -> None:
    """The times of tensor-layouts for the same grids, and how many times ours they are."""
    import tensor_layouts as other  # type: ignore[import-not-found, import-untyped, unused-ignore]
    from tensor_layouts.viz import draw_layout  # type: ignore[import-not-found, import-untyped, unused-ignore]

    with tempfile.TemporaryDirectory() as folder:
        draw_layout(other.Layout((4, 4), (4, 1)), str(Path(folder) / "first.png"))
        for n in (64, 128):
            for format in ("svg", "png"):
                path = Path(folder) / f"{n}.{format}"
                seconds = best(lambda p=path, n=n: draw_layout(other.Layout((n, n), (n, 1)), str(p)), 1)  # type: ignore[misc]
                ratio = seconds / found[f"{format} {n}x{n}"]
                print(f"tensor-layouts {format} {n}x{n}: {seconds:.2f} s, {ratio:.0f} times ours", flush=True)


if __name__ == "__main__":
    measured = ours()
    if "--peer" in sys.argv:
        peer(measured)
