"""Linear algebra over F2 on integers as vectors of bits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["basis_of", "image", "is_power", "rank", "span_of"]


def is_power(number: int) -> bool:
    """Is it a power of two?"""
    return number > 0 and number & (number - 1) == 0


def basis_of(vectors: Iterable[int]) -> list[int]:
    """A basis of what the vectors span."""
    found: list[int] = []
    for vector in vectors:
        for row in found:
            vector = min(vector, vector ^ row)
        if vector:
            found.append(vector)
    return found


def rank(vectors: Iterable[int]) -> int:
    """The dimension of what the vectors span.

    >>> rank([1, 2, 3])
    2
    """
    return len(basis_of(vectors))


def span_of(points: Sequence[int]) -> tuple[int, ...] | None:
    """A basis of the directions, if the different points are all of ``p + span``; else None.

    >>> span_of([5, 4, 7, 6]), span_of([0, 1, 2])
    ((1, 2), None)
    """
    basis = basis_of(point ^ points[0] for point in points)
    if len(points) != 1 << len(basis):
        return None
    for i, row in enumerate(basis):
        lead = 1 << (row.bit_length() - 1)
        for j, other in enumerate(basis):
            if j != i and other & lead:
                basis[j] = other ^ row
    return tuple(sorted(basis))


def image(vector: int, columns: Sequence[int]) -> int:
    """The matrix of these columns times a vector."""
    found = 0
    while vector:
        low = vector & -vector
        found ^= columns[low.bit_length() - 1]
        vector ^= low
    return found
