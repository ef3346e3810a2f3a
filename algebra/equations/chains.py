"""The layouts of fewest modes that have known values at some of their coordinates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from ..base.effort import Budget
from .digits import OPEN, Row, minus, open_strides, taken_off

__all__ = ["Chain", "Chains"]

Chain: TypeAlias = tuple[tuple[int, int, Any], ...]
"""(axis, radix, stride) of the modes of a layout, first to last along each axis."""

RADICES, FEW = 1 << 12, 1 << 6
"""Radices of one mode that are tried: all, if they end below the first; else those that the hints name, and a few."""


class Chains:
    """The layouts with the values of ``rows``, by the number of their modes.

    ``hints`` are numbers at which modes are likely to end; they are tried first. ``is_complete`` tells whether all
    radices were tried.
    """

    def __init__(self, rows: Sequence[Row], hints: Sequence[int], budget: Budget) -> None:
        self.rows, self.hints, self.budget = sorted(rows), hints, budget
        self.is_complete = True

    def fewest(self) -> list[tuple[Chain, list[Any]]]:
        """All chains with the fewest modes, each with the strides of the digits that were open from the start."""
        tops = [max(entries) for entries in zip(*(row.at for row in self.rows), strict=True)]
        for depth in range(sum(top.bit_length() for top in tops) + 1):
            found = list(self._continued(self.rows, depth, 1, ()))
            if found or self.budget.is_spent:
                return found
        return []

    def _continued(
        self, rows: Sequence[Row], depth: int, weight: int, chain: Chain
    ) -> Iterator[tuple[Chain, list[Any]]]:
        """The chains that begin with ``chain`` and go on with so many modes; ``weight`` is that of the next one."""
        tops = [max(entries) for entries in zip(*(row.at for row in rows), strict=True)]
        live = [axis for axis, top in enumerate(tops) if top]
        if not live:
            weights = [radix - 1 for _, radix, stride in chain if stride is OPEN]
            before = len(rows[0].digits) - len(weights)
            strides = open_strides(rows, [1] * before + weights)
            if strides is not None:
                yield _filled(chain, strides)
            return
        axis = live[0]
        top = tops[axis]
        if depth > len(live):
            for radix in self._radices(rows, axis, top, weight):
                if self.budget.is_spent:
                    return
                if (taken := taken_off(rows, axis, radix)) is not None:
                    stride, left = taken
                    yield from self._continued(left, depth - 1, weight * radix, (*chain, (axis, radix, stride)))
        if depth >= len(live) and (taken := taken_off(rows, axis, top + 1)) is not None:
            stride, left = taken
            yield from self._continued(left, depth - 1, 1, (*chain, (axis, top + 1, stride)))

    def _radices(self, rows: Sequence[Row], axis: int, top: int, weight: int) -> Iterator[int]:
        """The radices that a mode can have with another one behind it, likely ones first."""
        most = min(top, _first_break(rows, axis))
        ends = {h // weight for h in self.hints if h % weight == 0}
        yield from sorted(likely := {r for r in ends if 2 <= r <= most})
        if most > RADICES:
            self.is_complete = False
            likely |= ends | {-(-h // weight) for h in self.hints} | {h // weight + 1 for h in self.hints}
            yield from sorted(r for r in likely - ends if 2 <= r <= most)
            most = FEW
        yield from (radix for radix in range(2, most + 1) if radix not in likely)


def _filled(chain: Chain, strides: list[Any]) -> tuple[Chain, list[Any]]:
    """The chain with its open strides in their places, and what is left: those that were open before it."""
    before = len(strides) - sum(stride is OPEN for _, _, stride in chain)
    known = iter(strides[before:])
    return tuple((axis, s, next(known) if d is OPEN else d) for axis, s, d in chain), strides[:before]


def _first_break(rows: Sequence[Row], axis: int) -> int:
    """The largest radix that a mode along an axis can have: up to the first value that its steps do not give.

    Looked for along the axis itself, at the coordinates whose other entries are 0.
    """
    along = [row for row in rows if not any(entry for other, entry in enumerate(row.at) if other != axis)]
    line = [(row.at[axis], row) for row in sorted(along, key=lambda row: row.at[axis])]
    if len(line) < 2 or line[0][0] or len({row.digits for _, row in line}) > 1:
        return max(row.at[axis] for row in rows)
    start = line[0][1].value
    first, value = line[1][0], minus(line[1][1].value, start)
    for at, row in line[2:]:
        if first * minus(row.value, start) != at * value:
            return at
    return max(row.at[axis] for row in rows)
