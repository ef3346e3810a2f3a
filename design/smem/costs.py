"""What the walks through a tile cost under a base and its swizzles: the wavefronts of all passes.

A pass asks for vectors; with units of the vector's bytes, at least a word, it takes

    wavefronts = max over groups of banks of the distinct units there

Two ways to the same number. Where offset and walk are linear over F2, the vectors of a pass are ``p + V`` with a
subspace V, the units there an affine image, and every group of banks that is hit is hit equally often:

    wavefronts = 2^(rank of the unit bits of V - rank of the bank bits of V)

the same for all passes along V. Elsewhere passes are counted, but one of each kind: a pass moved by a whole period of
the swizzle and of the banks costs the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Protocol

from laycalc.algebra.base.effort import spend
from laycalc.algebra.values.swizzle import Swizzle
from laycalc.atoms.memory.banks import BANKS, WORD, operation
from laycalc.atoms.memory.binary import basis_of, image, is_power, rank, span_of
from laycalc.atoms.memory.walks import Tile, Walk

from .passes import passes

__all__ = ["Costs", "Counted", "Linear", "costs_of", "directions_of"]

LINE = BANKS * WORD


class Costs(Protocol):
    """The walks under one base: which swizzles keep the vectors whole, and the wavefronts of each walk."""

    def legal(self, swizzle: Swizzle | None) -> bool:
        """Are all vectors neighbours in memory and aligned to their own size?"""

    def wavefronts(self, swizzle: Swizzle | None, limit: int | None = None) -> tuple[int, ...] | None:
        """The wavefronts of each walk; None as soon as their sum is known to exceed the limit."""


class Unit:
    """How offsets become units: the shift to the unit's number, the mask to its group of banks, what a unit costs."""

    __slots__ = ("mask", "shift", "weight")

    def __init__(self, walk: Walk, bits: int) -> None:
        op = operation(walk.op)
        size = max(op.bytes, WORD)
        self.shift = (size * 8 // bits).bit_length() - 1
        self.mask = LINE // size - 1
        self.weight = op.weight

    def cost(self, offsets: Sequence[int]) -> int:
        """The wavefronts of a pass, in elements."""
        shift, mask = self.shift, self.mask
        groups = [unit & mask for unit in {offset >> shift for offset in offsets}]
        return self.weight * max(map(groups.count, set(groups)))


class Directions:
    """A walk over F2: how many passes go along each subspace, and the directions in which vectors begin and lie."""

    __slots__ = ("passes", "starts", "walk")

    def __init__(self, walk: Walk, passes: Counter[tuple[int, ...]], starts: list[int]) -> None:
        self.walk, self.passes, self.starts = walk, passes, starts


def directions_of(walk: Walk) -> Directions | None:
    """The walk over F2; None if some pass is no ``p + V``, or a vector's elements carry into where it begins."""
    along: Counter[tuple[int, ...]] = Counter()
    for starts in passes(walk):
        found = span_of(starts)
        if found is None:
            return None
        along[found] += 1
    begin = starts_of(walk)
    vector = reduce(or_, walk.inside)
    if any(start & vector for start in begin):
        return None
    return Directions(walk, along, basis_of(begin))


def starts_of(walk: Walk) -> set[int]:
    """Where the vectors of a walk begin."""
    return {start for lanes in walk.instructions for start in lanes if start is not None}


class Linear:
    """The costs of an offset that is linear over F2 in the bits of the index."""

    def __init__(self, bits: int, walks: Sequence[Directions], values: Sequence[int]) -> None:
        self.walks = [(walk, Unit(walk.walk, bits)) for walk in walks]
        self.columns = [values[1 << bit] for bit in range((len(values) - 1).bit_length())]

    def _swizzled(self, swizzle: Swizzle | None) -> list[int]:
        return swizzle.images(self.columns) if swizzle else self.columns

    def legal(self, swizzle: Swizzle | None) -> bool:
        """Vectors lie on 0, 1, 2, ..., and no other bit of the index moves what is below them."""
        columns = self._swizzled(swizzle)
        for walk, _ in self.walks:
            if any(image(distance, columns) != place for place, distance in enumerate(walk.walk.inside)):
                return False
            below = len(walk.walk.inside) - 1
            if below and any(image(start, columns) & below for start in walk.starts):
                return False
        return True

    def wavefronts(self, swizzle: Swizzle | None, limit: int | None = None) -> tuple[int, ...] | None:
        """Two ranks a subspace."""
        columns = self._swizzled(swizzle)
        found = []
        for walk, unit in self.walks:
            total = 0
            for along, count in walk.passes.items():
                units = [image(direction, columns) >> unit.shift for direction in along]
                total += count * unit.weight << (rank(units) - rank([u & unit.mask for u in units]))
            spend(len(walk.passes))
            found.append(total)
        return tuple(found) if limit is None or sum(found) <= limit else None


class Counted:
    """The costs of any offset: one pass of each kind is counted."""

    def __init__(self, bits: int, walks: Sequence[Walk], values: Sequence[int]) -> None:
        self.line = LINE * 8 // bits
        self.walks = walks
        self.values = values
        self.units = [Unit(walk, bits) for walk in walks]
        self.whole = all(self._whole(walk) for walk in walks)
        self.patterns: list[tuple[int, ...]] = []
        self.passes = self._passes() if self.whole else []
        self.kinds: dict[int, list[tuple[int, int, int, int]]] = {}

    def _whole(self, walk: Walk) -> bool:
        """Are the vectors neighbours and aligned under the base?"""
        values, length = self.values, len(walk.inside)
        if length == 1:
            return True
        starts = starts_of(walk)
        spend(len(starts) * length)
        return not any(
            values[start] % length or any(values[start + d] != values[start] + i for i, d in enumerate(walk.inside))
            for start in starts
        )

    def _passes(self) -> list[tuple[int, int, int]]:
        """The walk, the pattern and the first offset of every pass."""
        known: dict[tuple[int, ...], int] = {}
        found = []
        for number, walk in enumerate(self.walks):
            for starts in passes(walk):
                offsets = [self.values[i] for i in starts]
                first = offsets[0]
                pattern = tuple([offset - first for offset in offsets])
                found.append((number, known.setdefault(pattern, len(known)), first))
        self.patterns = list(known)
        return found

    def _kinds(self, period: int) -> list[tuple[int, int, int, int]]:
        """The passes that differ by more than a period: walk, pattern, first offset, and how many; the dearest under
        the base come first, because they are the likeliest to be dear again.
        """
        if period not in self.kinds:
            found = Counter((walk, pattern, first % period) for walk, pattern, first in self.passes)
            plain = {key: self._cost(None, *key) * count for key, count in found.items()}
            order = sorted(found, key=lambda key: -plain[key])
            self.kinds[period] = [(*key, found[key]) for key in order]
        return self.kinds[period]

    def _cost(self, swizzle: Swizzle | None, walk: int, pattern: int, first: int) -> int:
        offsets = [first + distance for distance in self.patterns[pattern]]
        spend(len(offsets))
        return self.units[walk].cost(swizzle.images(offsets) if swizzle else offsets)

    def legal(self, swizzle: Swizzle | None) -> bool:
        """The base keeps the vectors whole, and the swizzle moves nothing inside of them."""
        inside = max((len(walk.inside) for walk in self.walks), default=1) - 1
        return self.whole and not (swizzle and (swizzle.source | swizzle.target) & inside)

    def wavefronts(self, swizzle: Swizzle | None, limit: int | None = None) -> tuple[int, ...] | None:
        """Counted kind by kind, stopped when the limit cannot be kept."""
        found = [0] * len(self.walks)
        room = None if limit is None else limit - sum(self.units[walk].weight for walk, _, _ in self.passes)
        for walk, pattern, first, count in self._kinds(max(self.line, swizzle.period if swizzle else 1)):
            cost = self._cost(swizzle, walk, pattern, first)
            found[walk] += cost * count
            if room is not None:
                room -= (cost - self.units[walk].weight) * count
                if room < 0:
                    return None
        return tuple(found)


def costs_of(
    tile: Tile, bits: int, walks: Sequence[Walk], linear: Sequence[Directions | None], values: Sequence[int]
) -> Costs:
    """The way that fits a base: linear if its offsets are and every walk is, else counted."""
    known = [walk for walk in linear if walk is not None]
    if len(known) == len(walks) and is_power(tile.rows) and is_power(tile.columns) and _is_linear(values):
        return Linear(bits, known, values)
    return Counted(bits, walks, values)


def _is_linear(values: Sequence[int]) -> bool:
    """Is the offset of i XOR j that of i XOR that of j, for a table whose length is a power of two?"""
    spend(len(values))
    return all(
        values[bit + i] == values[bit] ^ values[i]
        for bit in (1 << b for b in range((len(values) - 1).bit_length()))
        for i in range(bit)
    )
