"""The solution of an equation as the answer object of a task."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.equations.solution import SOLVED, Solution

__all__ = ["verdict"]


def verdict(solution: Solution) -> dict[str, Any]:
    """``{"X": text}`` with what else is known of it, or a verdict with its witness and the reason."""
    if solution.verdict == SOLVED:
        found: dict[str, Any] = {"X": str(solution.value)}
        if solution.freedom:
            found["freedom"] = solution.freedom
        return found
    found = {"verdict": solution.verdict, "reason": solution.reason}
    if solution.witness is not None:
        found["witness"] = solution.witness
    if solution.outside is not None:
        found["outside"] = str(solution.outside)
    return found
