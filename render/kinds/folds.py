"""Folding: an operand that repeats itself is drawn once, with a word of what is alike."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from .operands import Fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .operands import Held
    from .owners import Owner

SHOWN = 8
"""At least so many rows or columns are drawn, and they must occur three times."""
LONGEST = 128
"""Groups of more lines are not looked for,"""
MOST = 1 << 18
"""nor any in operands of more cells."""
DOTS = -1
"""Stands for the lines that are not drawn."""

Line = tuple[int, tuple[tuple["Owner", ...], ...]]
"""The least value of a row or column, and its owners with their values counted from there."""


def folded(found: Held) -> Held:
    """The operand without the rows and the columns that repeat earlier ones."""
    if found.size > MOST:
        return found
    across = list(_folds([_line(found, [(i, j) for i in found.rows]) for j in found.columns]))
    columns = _shown(len(found.columns), across)
    kept = [j for j in columns if j != DOTS]
    down = list(_folds([_line(found, [(i, j) for j in kept]) for i in found.rows]))
    return replace(found, rows=_shown(len(found.rows), down), columns=columns, folds=(tuple(down), tuple(across)))


def _shown(count: int, folds: Sequence[Fold]) -> Sequence[int]:
    """The lines that are drawn, with dots where some are not."""
    if not folds:
        return range(count)
    lines, at = list[int](), 0
    for fold in folds:
        lines += [*range(at, fold.start + fold.shown), DOTS]
        at = fold.start + fold.shown * (fold.more + 1)
    return [*lines, *range(at, count)]


def _line(found: Held, cells: Sequence[tuple[int, int]]) -> Line:
    owners = [found.owned[cell] for cell in cells]
    least = min((v for own in owners for _, v in own), default=0)
    return least, tuple(tuple((t, v - least) for t, v in own) for own in owners)


def _folds(lines: Sequence[Line]) -> Iterator[Fold]:
    """The stretches that repeat a group of lines, one after the other."""
    at = 0
    while at + 3 * SHOWN <= len(lines):
        periods = range(SHOWN, min(LONGEST, (len(lines) - at) // 3) + 1)
        fold = next(filter(None, (_fold(lines, at, period) for period in periods)), None)
        if fold is not None:
            yield fold
        at = at + 1 if fold is None else at + fold.shown * (fold.more + 1)


def _fold(lines: Sequence[Line], start: int, period: int) -> Fold | None:
    """The groups of ``period`` lines from ``start`` that are alike, their values growing evenly."""
    groups = [start]
    while groups[-1] + 2 * period <= len(lines) and _alike(lines, groups[-1], groups[-1] + period, period):
        groups.append(groups[-1] + period)
    steps = [lines[b][0] - lines[a][0] for a, b in pairwise(groups)]
    even = next((k for k, step in enumerate(steps) if step != steps[0]), len(steps))
    return Fold(start, period, even, steps[0]) if even >= 2 else None


def _alike(lines: Sequence[Line], one: int, other: int, period: int) -> bool:
    step = lines[other][0] - lines[one][0]
    return all(
        lines[one + k][1] == lines[other + k][1] and lines[other + k][0] - lines[one + k][0] == step
        for k in range(period)
    )
