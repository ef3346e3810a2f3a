"""What no layout can be below: a bound from the vectors that all walks together keep whole.

Where one walk moves vectors of w words, a layout that is legal keeps each of them in one row of banks that begins at a
multiple of w. So an element's word is known up to the choice of the vector's place: it is the q-th word of its vector,
and only 32/w banks are q-th words. A pass that asks for n different q-th words takes at least

    wavefronts >= n / (32 / w), rounded up
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from laycalc.atoms.memory.banks import BANKS, WORD

from .walks import Tile, Walk

__all__ = ["binding", "least_of"]


def least_of(tile: Tile, walks: Sequence[Walk]) -> tuple[int, ...]:
    """The fewest wavefronts of each walk under any layout that keeps the vectors of all walks."""
    best = [len(walk.passes()) for walk in walks]
    for other in walks:
        for i, found in enumerate(binding(tile, walks, other)):
            best[i] = max(best[i], found)
    return tuple(best)


def binding(tile: Tile, walks: Sequence[Walk], other: Walk) -> tuple[int, ...]:
    """The fewest wavefronts of each walk because the vectors of one are whole."""
    words = other.op.bytes // WORD
    if words < 2:
        return tuple(len(walk.passes()) for walk in walks)
    places: dict[int, tuple[int, int]] = {}
    for distances, starts in other.vectors:
        for start in starts:
            for place, distance in enumerate(distances):
                places[start + distance] = start, place * tile.bits // (8 * WORD)
    return tuple(sum(_least(places, starts, walk, words) for starts in walk.passes()) for walk in walks)


def _least(places: dict[int, tuple[int, int]], starts: Sequence[int], walk: Walk, words: int) -> int:
    """The bound of a pass."""
    distances = walk.vectors[0][0] if len(walk.vectors) == 1 else (0,)
    asked: defaultdict[int, set[int]] = defaultdict(set)
    for start in starts:
        for distance in distances:
            if (at := places.get(start + distance)) is not None:
                vector, place = at
                asked[place].add(vector)
    return max([1, *(-(-len(vectors) * words // BANKS) for vectors in asked.values())])
