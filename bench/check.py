"""``laycalc check`` over many assertions beside as many `logical_divide`s of pycute (of the nvidia-cutlass wheel).

Run ``python bench/check.py [--lines 10000]``. Both sides run in a process of their own, start included; the least CPU
time of several runs counts. The memory of a check is shown for the lines and for ten times as many: it must not grow.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from importlib import metadata
from typing import Any

LINE = "assert admissible((128,64):(64,1) / <32,16>)\n"
GOAL = 20.0
"""The greatest ratio of our time to pycute's."""

PYCUTE = """
import sys
sys.path.insert(0, {path!r})
import pycute
for _ in range({lines}):
    pycute.logical_divide(pycute.Layout((128, 64), (64, 1)), (32, 16))
"""


def find_pycute() -> str | None:
    """The folder that holds pycute, None without the wheel."""
    try:
        files = metadata.files("nvidia-cutlass") or []
    except metadata.PackageNotFoundError:
        return None
    found = next((file for file in files if str(file) == "pycute/__init__.py"), None)
    return str(found.locate().parent.parent) if found is not None else None


def measure(arguments: list[str], runs: int) -> tuple[float, float]:
    """The least CPU seconds of some runs, and the greatest memory in MB."""
    seconds, memory = [], 0.0
    for _ in range(runs):
        with open(os.devnull, "w") as sink:
            process = subprocess.Popen(arguments, stdout=sink, stderr=sink)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{arguments[:4]} ended with {process.returncode}")
        seconds.append(usage.ru_utime + usage.ru_stime)
        memory = max(memory, usage.ru_maxrss / 1024)
    return min(seconds), memory


def check(lines: int, runs: int) -> tuple[float, float]:
    """Time and memory of a check of so many assertions."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "many.layout")
        with open(path, "w") as file:
            for _ in range(lines):
                file.write(LINE)
        return measure([sys.executable, "-m", "laycalc", "check", path], runs)


def main() -> int:
    """Print the comparison; exit code 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    ours, memory = check(options.lines, options.runs)
    _, more = check(options.lines * 10, 1)
    print(f"laycalc check   {options.lines:>7} lines {ours:8.2f} s  {1e6 * ours / options.lines:6.0f} us a line")
    print(f"memory          {memory:6.0f} MB, {more:.0f} MB for ten times as many")
    path = find_pycute()
    if path is None:
        print("pycute is not installed")
        return 0
    theirs: Any = measure([sys.executable, "-c", PYCUTE.format(path=path, lines=options.lines)], options.runs)[0]
    print(f"pycute          {options.lines:>7} times {theirs:8.2f} s  {1e6 * theirs / options.lines:6.0f} us a call")
    print(f"ratio           {ours / theirs:7.1f}, goal at most {GOAL:.0f}")
    return int(ours / theirs > GOAL)


if __name__ == "__main__":
    sys.exit(main())
