"""The threads and values of a tiled copy: the widest vectors, then fewest sectors, wavefronts and lines.

The threads are 32 lanes in LM x LN and warps in WM x WN, numbered either way, each with VM x VN values, at most 64:

    m = vm + VM*(lm + LM*wm),  n = vn + VN*(ln + LN*wn)

swept over the tile. Which warp issues an instruction changes nothing, and sweeping visits them all: the cost depends on
lanes and values alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout
from laycalc.atoms.memory.walks import Tile

from ..smem.passes import check_threads, fault
from .sides import Chunk, Instructions, Side

__all__ = ["Arrangement", "Copy", "Cost", "Plan", "best_of", "ideal_of", "search"]

LANES, VALUES, BYTES = 32, 64, 16


class Copy(Record):
    """A tile that so many threads carry from one side to the other."""

    tile: Tile
    bits: int
    threads: int
    source: Side
    target: Side

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both."""
        return self.source, self.target


class Cost(NamedTuple):
    """What is compared, smaller is better: bytes of a vector with a minus, sectors, wavefronts, lines of 128 bytes."""

    vector: int
    sectors: int
    wavefronts: int
    lines: int


class Arrangement(Record):
    """Lanes and values: extents down the rows and across the columns, numbered along the rows or not."""

    lanes: tuple[int, int]
    lanes_by_rows: bool
    values: tuple[int, int]
    values_by_rows: bool

    def thread_layout(self, warps: tuple[int, int], by_rows: bool = False) -> Layout:
        """(m,n) -> thread, for warps numbered along the rows or not."""
        (lm, ln), (wm, wn) = self.lanes, warps
        lane = (ln, 1) if self.lanes_by_rows else (1, lm)
        warp = (wn, 1) if by_rows else (1, wm)
        step = lm * ln
        return Layout(((lm, wm), (ln, wn)), ((lane[0], step * warp[0]), (lane[1], step * warp[1])))

    def value_layout(self) -> Layout:
        """(m,n) -> value."""
        vm, vn = self.values
        return Layout((vm, vn), (vn, 1) if self.values_by_rows else (1, vm))

    def chunk(self, length: int) -> Chunk | None:
        """The elements of so many consecutive values; None if they are no part of whole rows or columns."""
        inner, outer = self.values[::-1] if self.values_by_rows else self.values
        if (inner % length and length % inner) or inner * outer % length:
            return None
        run, across = min(inner, length), max(1, length // inner)
        return Chunk(across, run, True) if self.values_by_rows else Chunk(run, across, False)

    def instructions(self, tile: Tile, chunk: Chunk, bits: int) -> Instructions:
        """All warp instructions of the copy, by whichever warp."""
        (lm, ln), (vm, vn) = self.lanes, self.values
        m0 = [vm * lm * block + part for block in range(tile.rows // (vm * lm)) for part in range(0, vm, chunk.rows)]
        n0 = [
            vn * ln * block + part for block in range(tile.columns // (vn * ln)) for part in range(0, vn, chunk.columns)
        ]
        if self.lanes_by_rows:
            lanes = [tile.at(vm * m, vn * n) for m in range(lm) for n in range(ln)]
        else:
            lanes = [tile.at(vm * m, vn * n) for n in range(ln) for m in range(lm)]
        origins = tuple(tile.at(m, n) for n in n0 for m in m0)
        return Instructions(origins, tuple(lanes), chunk.length * bits // 8)


class Plan(Record):
    """An arrangement with its vector, the warps that carry it, and what it costs."""

    cost: Cost
    arrangement: Arrangement
    warps: tuple[int, int]
    vector: int


def search(copy: Copy, *, all_costs: bool = False) -> list[Plan]:
    """The best plans of the widest vector that is had, with ``all_costs`` every plan, best first.

    Each way to arrange lanes and values comes once, with the warps along the rows as far as they go. LC103 if the
    threads cannot share the tile.
    """
    check_threads(copy.threads)
    if copy.threads > LANES and copy.threads % LANES:
        raise fault("{threads} threads are no whole warps", threads=copy.threads)
    for length in _lengths(copy.bits):
        found = [
            (arrangement, warps, chunk)
            for arrangement, warps in _arrangements(copy)
            if (chunk := arrangement.chunk(length)) is not None and all(side.holds(chunk) for side in copy.sides)
        ]
        if found:
            return sorted(_ranked(copy, found, all_costs), key=lambda plan: plan.cost)
    template = "{threads} threads with up to 64 values each do not share the {tile} elements of the tile evenly"
    raise fault(template, threads=copy.threads, tile=str(copy.tile))


def best_of(copy: Copy) -> Plan:
    """The best plan."""
    return search(copy)[0]


def ideal_of(copy: Copy) -> tuple[int, int]:
    """The sectors and wavefronts that perfect use would take."""
    wide = copy.tile.rows * copy.tile.columns * copy.bits // 8
    spaces = [side.space for side in copy.sides]
    return -(-wide // 32) * spaces.count("global"), -(-wide // 128) * spaces.count("shared")


def _lengths(bits: int) -> list[int]:
    """Elements of a vector, widest first: whole bytes, at most 16."""
    return [n for n in (128, 64, 32, 16, 8, 4, 2, 1) if n * bits <= 8 * BYTES and n * bits >= 8]


def _arrangements(copy: Copy) -> Iterator[tuple[Arrangement, tuple[int, int]]]:
    """Every arrangement that some warps sweep over the tile, fewest values first."""
    tile, lanes = copy.tile, min(LANES, copy.threads)
    warps = copy.threads // lanes
    for count in range(1, VALUES + 1):
        for vm, vn in _pairs(count):
            if tile.rows % vm or tile.columns % vn:
                continue
            for lm, ln in _pairs(lanes):
                if (fit := _warps(tile, warps, lm * vm, ln * vn)) is None:
                    continue
                for by_rows in (True, False) if lm > 1 and ln > 1 else (True,):
                    for values_by_rows in (True, False) if vm > 1 and vn > 1 else (vm == 1,):
                        yield Arrangement((lm, ln), by_rows, (vm, vn), values_by_rows), fit


def _pairs(product: int) -> list[tuple[int, int]]:
    return [(a, product // a) for a in range(1, product + 1) if product % a == 0]


def _warps(tile: Tile, warps: int, high: int, wide: int) -> tuple[int, int] | None:
    """The warps down the rows and across the columns, most down the rows, whose blocks of high x wide tile."""
    for wm, wn in reversed(_pairs(warps)):
        if tile.rows % (high * wm) == 0 and tile.columns % (wide * wn) == 0:
            return wm, wn
    return None


def _ranked(copy: Copy, found: list[tuple[Arrangement, tuple[int, int], Chunk]], all_costs: bool) -> list[Plan]:
    """The plans; what cannot tie with the best so far is not counted to its end unless all costs are wanted."""
    plans: list[Plan] = []
    for arrangement, warps, chunk in found:
        work = arrangement.instructions(copy.tile, chunk, copy.bits)
        cost = _cost(copy, work, plans[0].cost if plans and not all_costs else None)
        if cost is None:
            continue
        plan = Plan(cost, arrangement, warps, chunk.length)
        if plans and not all_costs and cost < plans[0].cost:
            plans = []
        plans.append(plan)
    return plans


def _cost(copy: Copy, work: Instructions, best: Cost | None) -> Cost | None:
    """The cost; None as soon as it is above the best."""
    known = [-work.bytes]
    for count in (Side.sectors, Side.wavefronts, Side.lines):
        known.append(sum(count(side, work) for side in copy.sides))
        if best is not None and tuple(known) > best[: len(known)]:
            return None
    return Cost(*known)
