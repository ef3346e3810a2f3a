"""What no layout can be below: a bound from the vectors that all walks together keep whole.

Where one walk moves vectors of w words, a layout that is legal keeps each of them in one row of banks that begins at a
multiple of w. So an element's word is known up to the choice of the vector's place: it is the q-th word of its vector,
and only 32/w banks are q-th words. A pass that asks for n different q-th words takes at least

    wavefronts >= n / (32 / w), rounded up
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from laycalc.atoms.memory.banks import BANKS, WORD, operation
from laycalc.atoms.memory.walks import Walk

from .passes import passes

__all__ = ["binding", "ideal_of", "least_of"]


def ideal_of(walk: Walk) -> int:
    """The wavefronts of a walk without a conflict: a pass takes one, those of cp.async.cg none."""
    return operation(walk.op).weight * len(passes(walk))


def least_of(bits: int, walks: Sequence[Walk]) -> tuple[int, ...]:
    """The fewest wavefronts of each walk under any layout that keeps the vectors of all walks."""
    best = [ideal_of(walk) for walk in walks]
    for other in walks:
        for i, found in enumerate(binding(bits, walks, other)):
            best[i] = max(best[i], found)
    return tuple(best)


def binding(bits: int, walks: Sequence[Walk], other: Walk) -> tuple[int, ...]:
    """The fewest wavefronts of each walk because the vectors of one are whole."""
    words = operation(other.op).bytes // WORD
    if words < 2:
        return tuple(map(ideal_of, walks))
    places: dict[int, tuple[int, int]] = {}
    for start in {start for lanes in other.instructions for start in lanes if start is not None}:
        for place, distance in enumerate(other.inside):
            places[start + distance] = start, place * bits // (8 * WORD)
    return tuple(
        operation(walk.op).weight * sum(_least(places, starts, walk, words) for starts in passes(walk))
        for walk in walks
    )


def _least(places: dict[int, tuple[int, int]], starts: Sequence[int], walk: Walk, words: int) -> int:
    """The bound of a pass."""
    asked: defaultdict[int, set[int]] = defaultdict(set)
    for start in starts:
        for distance in walk.inside:
            if (at := places.get(start + distance)) is not None:
                vector, place = at
                asked[place].add(vector)
    return max([1, *(-(-len(vectors) * words // BANKS) for vectors in asked.values())])
