"""The tile and the permutations of a tiled MMA of m16n8 atoms, by what ldmatrix pays for them.

With wm x wn warps and R repeats by the same warp, a mode is permuted by a layout of its factors:

    m' = q + 8*h + 16*(iM + wm*r)   over (8, 2, wm, R),    n' = e + 2*t + 8*(iN + wn*r)   over (2, 4, wn, R)

q and t number rows and pairs of columns inside the atom. ldmatrix reads 8 rows m' that differ in q (n' that differ in e
and t) and 16 bytes of k; a thread holds the n' that differ in e and r, the m' that differ in h and r. So the loads of A
and B are separate sums, and each depends on its own permutation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import NamedTuple

from laycalc.algebra.base.effort import spend
from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout
from laycalc.atoms.memory.banks import BANKS, WORD

from ..copy.sides import Chunk, Side
from ..smem.passes import check_threads, fault

__all__ = ["Block", "Mode", "Operand", "Plan", "search"]

LINES, ROW = 8, 16
"""Rows of an 8x8 matrix, and their bytes."""
MATRICES = 4
"""The matrices that ldmatrix.x4 loads."""
REPEATS = {"M": (1, 2, 4), "N": tuple(range(1, 9)), "K": (1, 2)}


class Block(Record):
    """M x N x K of a thread block, its atoms and warps, the operands in shared memory, and the stores that are wanted.

    ``along`` is the mode, M or N, along which ``run`` neighbouring elements of C must belong to one thread.
    """

    extents: tuple[int, int, int]
    atom: tuple[int, int, int]
    bits: int
    warps: int
    sides: tuple[Side, Side]
    along: str
    run: int
    rows_by_warp: bool = False


class Mode(Record):
    """One way to tile a mode: the warps along it, the repeats, the extent, and the permutation (None: none)."""

    warps: int
    repeats: int
    extent: int
    permutation: Layout | None

    @property
    def permuted(self) -> bool:
        """Is there a permutation?"""
        return self.permutation is not None

    def order(self) -> list[int]:
        """Where each permuted index of the tile comes from."""
        return list(range(self.extent)) if self.permutation is None else self.permutation.values()


class Operand(NamedTuple):
    """A mode with the wavefronts of all its loads by one warp, best first."""

    wavefronts: int
    permuted: bool
    mode: Mode


class Plan(Record):
    """A tiled MMA: its modes, the extent of K in the tile, the wavefronts, and what they would be without conflicts."""

    m: Mode
    n: Mode
    k: int
    wavefronts: int
    ideal: int

    @property
    def score(self) -> tuple[int, int]:
        """Wavefronts, then whether anything is permuted."""
        return self.wavefronts, int(self.m.permuted or self.n.permuted)

    @property
    def tile(self) -> tuple[int, int, int]:
        """(M, N, K) of the tile."""
        return self.m.extent, self.n.extent, self.k


def search(block: Block) -> list[Plan]:
    """The best plan of each arrangement of warps, best first; LC103 if none keeps the conditions."""
    _check(block)
    found = []
    m_extent, n_extent, _ = block.extents
    for wm in range(1, block.warps + 1):
        wn, rest = divmod(block.warps, wm)
        if rest or (block.rows_by_warp and wn > 1):
            continue
        plans = []
        for k in _depths(block):
            m, n = _best(block, "M", wm, k), _best(block, "N", wn, k)
            if m and n:
                cost = m.wavefronts * wn + n.wavefronts * wm
                plans.append(Plan(m.mode, n.mode, k, cost, _ideal(block, wm, wn)))
        if plans:
            found.append(min(plans, key=lambda plan: plan.score))
    if not found:
        template = "no tile of {warps} warps loads A and B by ldmatrix.x4 and keeps {run} elements of C together"
        raise fault(template, warps=block.warps, run=block.run)
    # Of equals, the warps that hold the least of A and B.
    return sorted(found, key=lambda plan: (plan.score, m_extent // plan.m.warps + n_extent // plan.n.warps))


def _check(block: Block) -> None:
    """LC103 for atoms of another family, and operands that ldmatrix cannot read."""
    check_threads(32 * block.warps)
    if block.atom[:2] != (16, 8) or block.atom[2] * block.bits % (8 * ROW):
        raise fault("atoms of {atom} are not m16n8 with rows of 16 bytes", atom="x".join(map(str, block.atom)))
    piece = Chunk(1, 8 * ROW // block.bits, True)
    for name, side in zip("AB", block.sides, strict=True):
        if side.tile.columns % piece.columns or not side.holds(piece):
            raise fault("ldmatrix reads 16 bytes of k, and {name} does not keep them together", name=name)


def _depths(block: Block) -> Iterator[int]:
    """The extents of K that a tile can have."""
    depth = block.atom[2]
    return (depth * r for r in REPEATS["K"] if block.extents[2] % (depth * r) == 0)


def _ideal(block: Block, wm: int, wn: int) -> int:
    """The wavefronts of all loads without a conflict: one for each matrix."""
    m, n, k = block.extents
    pieces = k * block.bits // (8 * ROW)
    return pieces * (m // LINES * wn + n // LINES * wm)


def _best(block: Block, name: str, warps: int, k: int) -> Operand | None:
    """The repeats and the permutation of a mode that load its operand best, None if none keeps the conditions."""
    which = "MN".index(name)
    height, extent = block.atom[which], block.extents[which]
    cost = _loads(block.sides[which], block.bits, extent)
    best: Operand | None = None
    for repeats in REPEATS[name]:
        tile = height * warps * repeats
        matrices = height // LINES * repeats * k * block.bits // (8 * ROW)
        if extent % tile or matrices < MATRICES:
            continue
        for permutation in _permutations(name, warps, repeats):
            mode = Mode(warps, repeats, tile, permutation)
            if name == block.along and not _keeps(mode, name, block.run):
                continue
            found = Operand(cost(mode), mode.permuted, mode)
            if best is None or found[:2] < best[:2]:
                best = found
    return best


def _factors(name: str, warps: int, repeats: int) -> tuple[int, int, int, int]:
    return (8, 2, warps, repeats) if name == "M" else (2, 4, warps, repeats)


def _permutations(name: str, warps: int, repeats: int) -> Iterator[Layout | None]:
    """None, then every other order of the factors, as a layout of them."""
    shape = _factors(name, warps, repeats)
    free = [i for i in range(4) if shape[i] > 1]
    for order in permutations(free):
        if list(order) == free:
            yield None
            continue
        strides, step = [0] * 4, 1
        for i in order:
            strides[i], step = step, step * shape[i]
        yield Layout(tuple(shape[i] for i in free), tuple(strides[i] for i in free))


def _keeps(mode: Mode, name: str, run: int) -> bool:
    """Do a thread's elements of C along the mode make aligned runs?"""
    owner = [0] * mode.extent
    for place, x in enumerate(mode.order()):
        # What is left of an index is the thread: without e and r, or without h and r.
        owner[x] = place % (8 * mode.warps) // 2 if name == "N" else place % 8 + 8 * (place // 16 % mode.warps)
    if mode.extent % run:
        return False
    return all(len(set(owner[i : i + run])) == 1 for i in range(0, mode.extent, run))


def _loads(side: Side, bits: int, extent: int) -> Callable[[Mode], int]:
    """From a mode to the wavefronts of loading the whole operand once."""
    piece = 8 * ROW // bits
    groups = BANKS * WORD // ROW
    rows, columns, offsets = side.tile.rows, side.tile.columns, side.offsets
    units = [[offsets[r + rows * c] // piece for c in range(0, columns, piece)] for r in range(rows)]
    known: dict[tuple[int, ...], int] = {}

    def matrix(lines: tuple[int, ...]) -> int:
        """The wavefronts of these eight rows, over all of k."""
        if lines not in known:
            spend(len(lines) * columns // piece)
            total = 0
            for at in range(columns // piece):
                banks = [units[line][at] % groups for line in lines]
                total += max(map(banks.count, set(banks)))
            known[lines] = total
        return known[lines]

    def cost(mode: Mode) -> int:
        order = mode.order()
        return sum(
            matrix(tuple([start + x for x in order[first : first + LINES]]))
            for start in range(0, extent, mode.extent)
            for first in range(0, mode.extent, LINES)
        )

    return cost
