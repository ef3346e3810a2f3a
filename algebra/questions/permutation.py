"""A bijective layout as a permutation of its indices: cycles, order, parity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import lcm

from ..base.record import Record


class Permutation(Record):
    """``cycles`` counts cycles by length, fixed points included; ``first`` lists some cycles longer than 1.

    ``order`` is the least n > 0 with P^n = identity, ``even`` whether P is a product of an even number of swaps.
    """

    cycles: tuple[tuple[int, int], ...]
    order: int
    even: bool
    first: tuple[tuple[int, ...], ...]


def permutation_of(values: Sequence[int], show: int = 4) -> Permutation | None:
    """The cycle structure of i -> values[i], None unless that is a permutation of 0..n-1.

    >>> permutation_of([0, 2, 1, 3])
    Permutation(cycles=((1, 2), (2, 1)), order=2, even=False, first=((1, 2),))
    """
    count = len(values)
    seen = bytearray(count)
    lengths: Counter[int] = Counter()
    first: list[tuple[int, ...]] = []
    for start in range(count):
        if seen[start]:
            continue
        cycle = []
        at = start
        while not 0 <= at < count or not seen[at]:
            if not 0 <= at < count:
                return None
            seen[at] = 1
            cycle.append(at)
            at = values[at]
        if at != start:
            return None
        lengths[len(cycle)] += 1
        if len(cycle) > 1 and len(first) < show:
            first.append(tuple(cycle))
    swaps = sum((length - 1) * n for length, n in lengths.items())
    return Permutation(tuple(sorted(lengths.items())), lcm(*lengths), swaps % 2 == 0, tuple(first))
