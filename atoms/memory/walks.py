"""Which elements of a tile the lanes of each warp instruction address, before any layout says where these lie.

A tile has rows, columns and slices; element (r, c, p) has the index r + rows * (c + columns * p). A walk visits every
vector of the tile once, or the vectors that a thread-value layout or a list names.
"""

from __future__ import annotations

from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.base.record import Record
from laycalc.algebra.values.htuple import format_htuple
from laycalc.algebra.values.layout import Layout

from ..instructions.refusal import argument
from .banks import operation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .pattern import Pattern

__all__ = ["ALONG", "Tile", "Walk", "walk"]

ALONG = ("rows", "columns")
"""The two ways in which a lane's elements can lie: down the rows, inside a column; across the columns, inside a row."""

Starts = tuple["int | None", ...]


class Tile(NamedTuple):
    """The extents of a tile."""

    rows: int
    columns: int
    slices: int = 1

    def at(self, row: int, column: int, piece: int = 0) -> int:
        """The index of an element."""
        return row + self.rows * (column + self.columns * piece)

    def step(self, along: int) -> int:
        """How far the index moves from an element to its neighbour: 1 down a column, the number of rows along a row."""
        return self.rows if along else 1

    def place(self, index: int) -> str:
        """(row,column) of an index as text."""
        return format_htuple((index % self.rows, index // self.rows))

    def __str__(self) -> str:
        return format_htuple(tuple(self) if self.slices > 1 else tuple(self)[:2])


class Walk(Record):
    """The instructions of an access: the index where each lane's vector starts, None where a lane is inactive.

    ``inside`` is how far the elements of a vector lie from its start, as indices.
    """

    op: str
    inside: tuple[int, ...]
    instructions: tuple[Starts, ...]

    @cached_property
    def linear(self) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
        """The walk over F2: (number of passes, what each bit of the lane adds within a pass, the bits that tell the
        passes apart); None if the lanes of some pass do not start at an XOR of such columns, if one is inactive, or if
        a step inside a vector carries.
        """
        served = operation(self.op).passes
        lanes = len(served[0])
        passes = [
            tuple(s for t in each if t < len(starts) and (s := starts[t]) is not None)
            for starts in self.instructions
            for each in served
        ]
        if not passes or any(len(starts) < lanes for starts in passes):
            return None
        columns = tuple(passes[0][0] ^ passes[0][1 << k] for k in range(lanes.bit_length() - 1))
        span = _span(columns)
        if any([s ^ starts[0] for s in starts] != span for starts in passes):
            return None
        firsts = [starts[0] for starts in passes]
        if reduce(or_, (*firsts, *columns)) & reduce(or_, self.inside):
            return None
        return len(firsts), columns, _basis(firsts)


def _span(columns: Iterable[int]) -> list[int]:
    """The XORs of some columns, in order of the bits that choose them."""
    span = [0]
    for column in columns:
        span += [s ^ column for s in span]
    return span


def _basis(values: Iterable[int]) -> tuple[int, ...]:
    """Some of the values whose XORs make them all."""
    leading: dict[int, int] = {}
    found = []
    for value in values:
        rest = value
        while rest and (top := leading.get(rest.bit_length())) is not None:
            rest ^= top
        if rest:
            leading[rest.bit_length()] = rest
            found.append(value)
    return tuple(found)


@lru_cache(maxsize=512)
def walk(pattern: Pattern, tile: Tile, along: int) -> Walk:
    """The walk of a pattern over a tile, with the elements of a lane along rows (0) or columns (1).

    LC314 where vectors, matrices or blocks do not tile it.
    """
    inside = tuple(tile.step(along) * i for i in range(pattern.run))
    if pattern.fragment is not None:
        inside, starts = _fragment(pattern, tile)
    elif pattern.listed is not None:
        starts = _listed(pattern, tile, along)
    elif pattern.matrices:
        starts = list(_matrices(pattern, tile, along))
    elif pattern.lanes == "tv":
        starts = list(_values(pattern, tile))
    else:
        starts = list(_lanes(pattern, tile, along))
    trans = pattern.trans if pattern.trans is not None else along == 0
    mark = "t" if pattern.matrices and trans else ""
    return Walk(pattern.op + mark, inside, tuple(map(tuple, starts)))


def _tiles(pattern: Pattern, tile: Tile, along: int) -> None:
    extent = tile[1] if along else tile[0]
    if extent % pattern.run:
        raise refuse(
            "LC314",
            "vectors of {run} elements do not tile the {extent} neighbours of {layout}",
            op="banks",
            run=pattern.run,
            extent=extent,
            layout=str(tile),
        )


def _warps(starts: Iterable[int], threads: int, lanes: int) -> Iterator[list[int | None]]:
    """Instructions of ``threads`` threads, cut into warps of ``lanes``; the last may have inactive lanes."""
    group: list[int | None] = []
    count = 0
    for start in starts:
        group.append(start)
        count += 1
        if len(group) == lanes or count == threads:
            yield group
            group = []
            count %= threads
    if group:
        yield group


def _lanes(pattern: Pattern, tile: Tile, along: int) -> Iterator[list[int | None]]:
    """Neighbouring lanes on neighbouring vectors of a row, or of a column: one sequence, not restarted at its end."""
    _tiles(pattern, tile, along)
    rows = range(0, tile.rows, 1 if along else pattern.run)
    columns = range(0, tile.columns, pattern.run if along else 1)
    pieces = range(tile.slices)
    if pattern.lanes == "row":
        starts = (tile.at(r, c, p) for p in pieces for r in rows for c in columns)
    else:
        starts = (tile.at(r, c, p) for p in pieces for c in columns for r in rows)
    return _warps(starts, pattern.threads or pattern.machine.lanes, pattern.machine.lanes)


def _values(pattern: Pattern, tile: Tile) -> Iterator[list[int | None]]:
    """The rows are threads and the columns their values: a vector of values at a time."""
    _tiles(pattern, tile, 1)
    threads = min(pattern.threads or tile.rows, tile.rows)
    for value in range(0, tile.columns, pattern.run):
        yield from _warps((tile.at(t, value) for t in range(threads)), threads, pattern.machine.lanes)


def _matrices(pattern: Pattern, tile: Tile, along: int) -> Iterator[list[int | None]]:
    """Four matrices are two by two where they fit so, as the operands of an MMA want them, else one below the other."""
    _tiles(pattern, tile, along)
    rows, columns = (tile.rows, tile.columns) if along else (tile.columns, tile.rows)
    if rows % 8:
        raise refuse(
            "LC314",
            "{rows} rows of 16 bytes are no multiple of the 8 of a matrix",
            op="banks",
            rows=rows,
            layout=str(tile),
        )
    count, run = pattern.count, pattern.run
    high, wide = rows // 8, columns // run
    block = (2, 2) if count == 4 and high % 2 == 0 and wide % 2 == 0 else (high, 1)
    order = [
        (r + i, c + j)
        for c in range(0, wide, block[1])
        for r in range(0, high, block[0])
        for j in range(block[1])
        for i in range(block[0])
    ]
    for piece in range(tile.slices):
        for first in range(0, len(order), count):
            warp: list[int | None] = []
            for r, c in order[first : first + count]:
                for i in range(8):
                    across, down = c * run, 8 * r + i
                    warp.append(tile.at(down, across, piece) if along else tile.at(across, down, piece))
            yield warp


def _fragment(pattern: Pattern, tile: Tile) -> tuple[tuple[int, ...], list[list[int | None]]]:
    """The instructions of a thread-value layout over a block, for every block of the tile."""
    fragment = pattern.fragment or Layout((1, 1))
    height, width = pattern.block or (tile.rows, tile.columns)
    _fits(fragment, (height, width), pattern.run, tile)
    threads, lanes = fragment[0].size, pattern.machine.lanes
    cells = [tile.at(int(i) % height, int(i) // height) for i in fragment.values()]
    inside, groups = _vectors(pattern, cells, threads)
    origins = (
        tile.at(row, column, piece)
        for piece in range(tile.slices)
        for column in range(0, tile.columns, width)
        for row in range(0, tile.rows, height)
    )
    return inside, [
        warp for origin in origins for starts in groups for warp in _warps((origin + s for s in starts), threads, lanes)
    ]


def _fits(fragment: Layout, block: tuple[int, int], run: int, tile: Tile) -> None:
    """LC314 for blocks that do not tile, LC103 for a fragment that leaves its block."""
    values, text = fragment[1].size, format_htuple(block)
    if tile.rows % block[0] or tile.columns % block[1] or values % run:
        raise refuse(
            "LC314",
            "blocks of {block} with {values} values a thread, {run} at a time, do not tile {layout}",
            op="banks",
            block=text,
            values=values,
            run=run,
            layout=str(tile),
        )
    if not all(isinstance(i, int) and 0 <= i < block[0] * block[1] for i in fragment.values()):
        raise argument("banks", "{fragment} leaves its block of {block}", fragment=str(fragment), block=text)


def _vectors(pattern: Pattern, cells: list[int], threads: int) -> tuple[tuple[int, ...], list[list[int]]]:
    """How the values of a vector lie behind its first, and the starts of the threads for each vector of values."""
    run = pattern.run
    rows = [cells[i : i + threads] for i in range(0, len(cells), threads)]
    inside = tuple(row[0] - cells[0] for row in rows[:run])
    for i, row in enumerate(rows):
        starts, delta = rows[i - i % run], inside[i % run]
        if any(cell != start + delta for cell, start in zip(row, starts, strict=True)):
            template = "the {run} values of a vector of {fragment} do not lie the same way in each thread"
            raise refuse("LC313", template, op="banks", run=run, fragment=str(pattern.fragment))
    return inside, rows[::run]


def _listed(pattern: Pattern, tile: Tile, along: int) -> list[list[int | None]]:
    """The instructions that were written out; LC103 for a vector that leaves the tile."""
    found: list[list[int | None]] = []
    last = pattern.run - 1
    for warp in pattern.listed or ():
        for place in warp:
            if place is None:
                continue
            ends = (place[0] + (0 if along else last), place[1] + (last if along else 0))
            if not (place[0] >= 0 and place[1] >= 0 and ends[0] < tile.rows and ends[1] < tile.columns):
                template = "the vector of {run} elements from {place} leaves the tile {layout}"
                raise argument("banks", template, run=last + 1, place=format_htuple(place), layout=str(tile))
        found.append([None if place is None else tile.at(*place) for place in warp])
    return found
