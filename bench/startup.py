"""CPU time of a start: ``laycalc EXPR`` against ``python -c "import typer, lark"``, medians of interleaved runs."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from statistics import median
from tempfile import TemporaryDirectory

COMMANDS = {
    "python": [sys.executable, "-c", "pass"],
    "import typer, lark": [sys.executable, "-c", "import typer, lark"],
    "laycalc EXPR": [sys.executable, "-m", "laycalc", "(8,16):(20,1) / <4:1,8:2>"],
    "laycalc atom": [sys.executable, "-m", "laycalc", "atom"],
}


def cpu(command: list[str], env: dict[str, str]) -> float:
    """User and system time of one run, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def _first_start(env: dict[str, str]) -> float:
    """The time of a start by a user who has never run laycalc: an empty home that nothing can be written to."""
    with TemporaryDirectory() as home:
        os.chmod(home, 0o500)
        homes = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "USERPROFILE", "LOCALAPPDATA"), home)
        return cpu(COMMANDS["laycalc EXPR"], env | homes)


def main(runs: int = 21) -> None:
    """Print milliseconds and the ratio to the imports."""
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    for command in COMMANDS.values():
        cpu(command, env)
    times = {name: [cpu(command, env) for _ in range(1)] for name, command in COMMANDS.items()}
    for _ in range(runs - 1):
        for name, command in COMMANDS.items():
            times[name].append(cpu(command, env))
    base = median(times["import typer, lark"])
    fresh = median(_first_start(env) for _ in range(runs))
    for name, found in times.items():
        print(f"{name:20} {1000 * median(found):7.1f} ms  {median(found) / base:5.2f}")
    later = median(times["laycalc EXPR"])
    print(f"{'in a fresh account':20} {1000 * fresh:7.1f} ms  {fresh / later:5.2f} of a later start")


if __name__ == "__main__":
    main()
