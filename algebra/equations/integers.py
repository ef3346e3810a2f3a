"""Linear equations over the integers, by elimination of columns (Hermite's form)."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["solve"]


def solve(
    matrix: Sequence[Sequence[int]], side: Sequence[int], weights: Sequence[int] | None = None
) -> list[int] | None:
    """A vector x of integers with ``matrix * x = side``, None if there is none.

    Where there are many, one with a small sum of ``weights[i] * abs(x[i])``, each weight 1 if none are given.

    >>> solve([[2, 3], [0, 1]], [7, 1]), solve([[2, 4]], [3]), solve([[1, 2]], [10])
    ([2, 1], None, [0, 5])
    """
    width = len(matrix[0]) if matrix else 0
    # A column is its entries in the matrix, then its entries in the unimodular transformation.
    height = len(matrix)
    columns = [[row[j] for row in matrix] + [int(i == j) for i in range(width)] for j in range(width)]
    rest = [*side, *[0] * width]
    for i in range(height):
        pivot = _gathered(columns, i)
        if pivot is None:
            if rest[i]:
                return None
            continue
        times, left = divmod(rest[i], pivot[i])
        if left:
            return None
        rest = [r - times * p for r, p in zip(rest, pivot, strict=True)]
        columns = [column for column in columns if column is not pivot]
    return _shortened([-x for x in rest[height:]], [column[height:] for column in columns], weights or [1] * width)


def _gathered(columns: list[list[int]], row: int) -> list[int] | None:
    """The one column that is left with an entry in a row, by Euclid's algorithm; None if all are 0 there."""
    while True:
        live = sorted((column for column in columns if column[row]), key=lambda column: abs(column[row]))
        if len(live) < 2:
            return live[0] if live else None
        least = live[0]
        for column in live[1:]:
            times = column[row] // least[row]
            column[:] = [x - times * y for x, y in zip(column, least, strict=True)]


def _shortened(found: list[int], free: list[list[int]], weights: Sequence[int]) -> list[int]:
    """The solution moved along the free directions as long as the sum of its entries becomes smaller.

    Along one direction that sum is least where an entry becomes 0, or next to it.
    """
    while True:
        tries = [
            [x - times * y for x, y in zip(found, step, strict=True)]
            for step in free
            for x, y in zip(found, step, strict=True)
            if y
            for times in (x // y, -(-x // y))
        ]
        best = min(tries, key=lambda vector: _length(vector, weights), default=found)
        if _length(best, weights) >= _length(found, weights):
            return found
        found = best


def _length(vector: list[int], weights: Sequence[int]) -> int:
    return sum(weight * abs(x) for weight, x in zip(weights, vector, strict=True))
