"""One side of a copy: a layout in global or shared memory, or registers, and what warp instructions on it cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laycalc.algebra.base.effort import check_listed, spend
from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed
from laycalc.atoms.memory.banks import BANKS, WORD, operation
from laycalc.atoms.memory.sectors import LINE, SECTOR
from laycalc.atoms.memory.walks import Tile

from ..smem.passes import check_tile, fault

__all__ = ["SPACES", "Chunk", "Instructions", "Side", "side_of"]

SPACES = ("global", "shared", "register")


class Chunk(Record):
    """What one instruction moves for a thread: ``rows`` x ``columns`` elements, numbered down the columns or along the
    rows.
    """

    rows: int
    columns: int
    by_rows: bool

    @property
    def length(self) -> int:
        """Its elements."""
        return self.rows * self.columns

    def steps(self, tile: Tile) -> list[int]:
        """How far each element's index is from the first."""
        if self.by_rows:
            return [tile.at(r, c) for r in range(self.rows) for c in range(self.columns)]
        return [tile.at(r, c) for c in range(self.columns) for r in range(self.rows)]


class Instructions(Record):
    """The warp instructions of a copy: where they begin, and how far the chunks of the lanes are from there."""

    origins: tuple[int, ...]
    lanes: tuple[int, ...]
    bytes: int


class Side:
    """The offsets of a tile's elements in one memory; ``base`` bytes lie before the first."""

    def __init__(self, tile: Tile, bits: int, space: str, offsets: Sequence[int], base: int = 0, *, load: bool) -> None:
        self.tile, self.bits, self.space, self.offsets, self.base = tile, bits, space, offsets, base
        self.load = load
        self._whole: dict[Chunk, bool] = {}
        self._bytes = [base + offset * bits // 8 for offset in offsets]
        self._sectors = [a // SECTOR for a in self._bytes]
        self._lines = [a // LINE for a in self._bytes]

    def holds(self, chunk: Chunk) -> bool:
        """Are the elements of every such chunk neighbours in memory, and the chunk aligned to its own size?"""
        if self.space == "register":
            return True
        if chunk not in self._whole:
            self._whole[chunk] = self._holds(chunk)
        return self._whole[chunk]

    def _holds(self, chunk: Chunk) -> bool:
        tile, offsets, wide = self.tile, self.offsets, chunk.length * self.bits
        steps = list(enumerate(chunk.steps(tile)))
        spend(len(offsets))
        for column in range(0, tile.columns, chunk.columns):
            for start in range(tile.rows * column, tile.rows * (column + 1), chunk.rows):
                first = offsets[start]
                if (8 * self.base + first * self.bits) % wide:
                    return False
                if any(offsets[start + step] != first + place for place, step in steps):
                    return False
        return True

    def chunks(self, length: int) -> list[Chunk]:
        """The vectors of so many elements, inside a row or inside a column."""
        found = [(1, length, True)] if self.tile.columns % length == 0 else []
        found += [(length, 1, False)] if self.tile.rows % length == 0 else []
        return [Chunk(*chunk) for chunk in found]

    def sectors(self, work: Instructions) -> int:
        """Sectors of 32 bytes in global memory, instruction by instruction."""
        return self._distinct(self._sectors, work) if self.space == "global" else 0

    def lines(self, work: Instructions) -> int:
        """Lines of 128 bytes in global memory."""
        return self._distinct(self._lines, work) if self.space == "global" else 0

    def wavefronts(self, work: Instructions) -> int:
        """Wavefronts in shared memory; the lanes ask for different chunks, so that no passes merge."""
        if self.space != "shared":
            return 0
        unit = max(work.bytes, WORD)
        groups, addresses, total = BANKS * WORD // unit, self._bytes, 0
        op = operation(f"{'ld' if self.load else 'st'}{work.bytes}")
        passes = [work.lanes[p[0] : p[-1] + 1] for p in op.passes if p[0] < len(work.lanes)]
        for origin in work.origins:
            for lanes in passes:
                banks = [at % groups for at in {addresses[origin + lane] // unit for lane in lanes}]
                total += max(map(banks.count, set(banks)))
        spend(len(work.origins) * len(work.lanes))
        return total

    def _distinct(self, table: Sequence[int], work: Instructions) -> int:
        spend(len(work.origins) * len(work.lanes))
        return sum(len({table[origin + lane] for lane in work.lanes}) for origin in work.origins)


def side_of(tile: Tile, bits: int, space: str, layout: Any = None, base: int = 0, *, load: bool) -> Side:
    """A side from its words; LC103 for a space that is none, a layout of another size, or one that has no offsets."""
    check_tile(tile.rows * tile.columns, bits)
    if space not in SPACES:
        raise fault("memory is {known}, not {space}", known=", ".join(SPACES), space=space)
    if space == "register":
        return Side(tile, bits, space, (), load=load)
    if not isinstance(layout, (Layout, Composed)) or layout.rank != 2:
        raise fault("{layout} is no layout of rows and columns", layout=str(layout))
    check_listed("design", layout.size)
    if (size(layout.shape[0]), size(layout.shape[1])) != (tile.rows, tile.columns):  # type: ignore[index]
        raise fault("{layout} is no layout of {tile}", layout=str(layout), tile=str(tile))
    offsets = layout.values()
    if not all(isinstance(offset, int) and offset >= 0 for offset in offsets):
        raise fault("{layout} has values that are no offsets", layout=str(layout))
    return Side(tile, bits, space, offsets, base, load=load)
