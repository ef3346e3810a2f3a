"""The solution of an equation as the answer object of a task."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.equations.solution import SOLVED, Solution

__all__ = ["verdict"]


def verdict(solution: Solution) -> dict[str, Any]:
    """``{"X": text}``, or a verdict with its witness and the reason; what else is known of either."""
    found: dict[str, Any] = {"verdict": solution.verdict}
    if solution.verdict == SOLVED:
        found = {"X": str(solution.value)}
    for name in ("freedom", "reason", "witness"):
        if known := getattr(solution, name):
            found[name] = known
    if solution.outside is not None:
        found["outside"] = str(solution.outside)
    return found
