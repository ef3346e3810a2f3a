"""From a layout and a way to read it to the warp instructions that do so.

A layout sends coordinates to element offsets in shared memory. ``row`` lets neighbouring lanes walk along a row (the
second mode), ``column`` down a column (the first mode); a lane's vector lies along whichever of the two is contiguous.
``ldmatrix`` and ``stmatrix`` read 8x8 blocks of 16-byte rows, ``tv`` takes the first mode as the thread and the second
as its values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import LayoutError, refuse
from laycalc.algebra.base.record import Record
from laycalc.algebra.values.htuple import format_htuple
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..instructions.refusal import argument, concrete
from .banks import LANES, Access, BankReport, bank_conflicts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from laycalc.algebra.values.layout import Layout

__all__ = ["ORDERS", "Pattern", "Survey", "accesses", "bank_survey", "survey"]

ORDERS = ("row", "column", "ldmatrix", "stmatrix", "tv")
LIMIT = 1 << 18
"""Elements of a layout whose accesses are listed."""


class Pattern(Record):
    """How a layout is accessed: ``vector`` elements of ``bits`` bits a lane (for ldmatrix and stmatrix: matrices), in
    which order of the lanes, by how many threads; the defaults of ``vector`` are 1 and, for matrices, 4, of ``threads``
    32 and, for tv, all.
    """

    bits: int
    vector: int | None = None
    lanes: str = "row"
    threads: int | None = None
    store: bool = False

    def __init__(
        self,
        bits: int,
        vector: int | None = None,
        lanes: str = "row",
        threads: int | None = None,
        store: bool = False,
    ) -> None:
        super().__init__(bits, vector, lanes, threads, store)
        if lanes not in ORDERS:
            raise argument("banks", "lanes {lanes!r} is none of {known}", lanes=lanes, known=", ".join(ORDERS))
        if bits not in (4, 8, 16, 32, 64, 128):
            raise argument("banks", "elements of {bits} bits are not 4, 8, 16, 32, 64 or 128", bits=bits)
        if self.matrices and self.count not in (1, 2, 4):
            raise argument("banks", "{lanes} moves 1, 2 or 4 matrices, not {count}", lanes=lanes, count=self.count)
        if not self.matrices and bits * self.count not in (8, 16, 32, 64, 128):
            template = "a vector of {count} x {bits} bits is no access of 1, 2, 4, 8 or 16 bytes"
            raise argument("banks", template, count=self.count, bits=bits)
        if threads is not None and threads < 1:
            raise argument("banks", "{threads} threads", threads=threads)

    @property
    def matrices(self) -> bool:
        """Is the access one of 8x8 matrices?"""
        return self.lanes in ("ldmatrix", "stmatrix")

    @property
    def count(self) -> int:
        """Elements a lane, or matrices an instruction."""
        return self.vector if self.vector is not None else 4 if self.matrices else 1

    @property
    def run(self) -> int:
        """Neighbouring elements that one lane addresses."""
        return 128 // self.bits if self.matrices else self.count

    @property
    def bytes(self) -> int:
        """The bytes that one lane addresses."""
        return self.run * self.bits // 8

    @property
    def op(self) -> str:
        """The operation of the bank model, without the mark of transposition."""
        if self.matrices:
            return f"{'ldm' if self.lanes == 'ldmatrix' else 'stm'}{self.count}"
        return f"{'st' if self.store else 'ld'}{self.bytes}"


class Survey(Record):
    """The reports of every warp instruction of a pattern."""

    reports: tuple[BankReport, ...]

    @property
    def wavefronts(self) -> int:
        """All wavefronts together."""
        return sum(r.wavefronts for r in self.reports)

    @property
    def ideal(self) -> int:
        """All passes together."""
        return sum(r.attainable for r in self.reports)

    @property
    def degree(self) -> int:
        """The worst conflict of any pass, 1 if there is none."""
        return max((r.degree for r in self.reports), default=0)

    @property
    def free(self) -> bool:
        """No instruction conflicts."""
        return all(r.free for r in self.reports)

    @property
    def worst(self) -> BankReport | None:
        """The dearest instruction, the first one of several."""
        return max(self.reports, key=lambda r: r.wavefronts, default=None)

    def as_dict(self) -> dict[str, Any]:
        """Totals, and the report of the dearest instruction, as plain data for JSON."""
        worst = self.worst
        return {
            "instructions": len(self.reports),
            "wavefronts": self.wavefronts,
            "ideal": self.ideal,
            "degree": self.degree,
            "free": self.free,
            "worst": {"label": worst.access.label, **worst.as_dict()} if worst else None,
        }


def survey(found: Iterable[Access]) -> Survey:
    """The bank conflicts of several warp instructions."""
    return Survey(tuple(map(bank_conflicts, found)))


def bank_survey(layout: Layout | Composed | Tensor, pattern: Pattern) -> Survey:
    """The bank conflicts of a layout read by a pattern.

    >>> from laycalc.algebra.values.layout import Layout
    >>> bank_survey(Layout((32, 32), (32, 1)), Pattern(32, lanes="column")).degree
    32
    """
    return survey(accesses(layout, pattern))


def accesses(layout: Layout | Composed | Tensor, pattern: Pattern) -> list[Access]:
    """The warp instructions that read (or write) the whole layout once, in order.

    LC313 where a vector's elements are not neighbours in memory, LC314 where vectors or matrices do not tile the
    layout, LC103 where a vector is not aligned, LC104 for more than 2^18 elements.
    """
    grid = _Grid(layout, pattern)
    warps = grid.matrices() if pattern.matrices else grid.values() if pattern.lanes == "tv" else grid.walk()
    op = pattern.op + ("t" if pattern.matrices and grid.along == 0 else "")
    return [Access(op, tuple(map(grid.address, warp)), grid.label(warp)) for warp in warps]


class _Grid:
    """A layout as rows x columns x slices of element offsets, and the direction in which a lane's elements lie."""

    def __init__(self, layout: Layout | Composed | Tensor, pattern: Pattern) -> None:
        concrete("banks", layout)
        self.pattern = pattern
        self.text = str(layout)
        shape = layout.shape if isinstance(layout.shape, tuple) else (1, layout.shape)
        if len(shape) == 1:
            shape = (1, shape[0])
        if size(shape) > LIMIT:
            raise refuse("LC104", "{size} elements are more than {limit}", op="banks", size=size(shape), limit=LIMIT)
        if pattern.lanes == "tv" and layout.rank != 2:
            raise argument(
                "banks", "{layout} is no thread-value layout: it has {rank} modes", layout=self.text, rank=layout.rank
            )
        self.rows, self.columns = int(size(shape[0])), int(size(shape[1]))
        self.offsets = _element_offsets(layout)
        self.along = self.direction()

    def index(self, row: int, column: int, piece: int = 0) -> int:
        return row + self.rows * (column + self.columns * piece)

    def steps(self, along: int) -> int:
        """How far the index moves from an element to its neighbour: 1 down a column, the number of rows along a row."""
        return self.rows if along else 1

    def direction(self) -> int:
        """1 if the elements of a lane lie along a row, 0 if down a column."""
        run = self.pattern.run
        if run == 1 and not self.pattern.matrices:
            return 1
        extents, first = (self.rows, self.columns), self.offsets[0]
        choices = (1,) if self.pattern.lanes == "tv" else (1, 0)
        for along in choices:
            step = self.steps(along)
            if all(self.offsets[step * i] == first + i for i in range(min(run, extents[along]))) and extents[along] > 1:
                if extents[along] % run == 0:
                    return along
                raise refuse(
                    "LC314",
                    "vectors of {run} elements do not tile the {extent} neighbours of {layout}",
                    op="banks",
                    run=run,
                    extent=extents[along],
                    layout=self.text,
                )
        raise self.fault(
            0, self.steps(1 if extents[1] > 1 else 0), min(run, extents[1] if extents[1] > 1 else extents[0])
        )

    def fault(self, start: int, step: int, shown: int) -> LayoutError:
        return refuse(
            "LC313",
            "the {run} elements from ({row},{column}) are not neighbours in {layout}: their offsets are {offsets}",
            op="banks",
            run=self.pattern.run,
            row=start % self.rows,
            column=start // self.rows,
            layout=self.text,
            offsets=", ".join(str(self.offsets[start + step * i]) for i in range(min(shown, 8))),
        )

    def address(self, start: int | None) -> int | None:
        """The byte offset of the vector that starts at an index, after checking that it is one."""
        if start is None:
            return None
        first, step = self.offsets[start], self.steps(self.along)
        for i in range(1, self.pattern.run):
            if self.offsets[start + step * i] != first + i:
                raise self.fault(start, step, self.pattern.run)
        bits, width = first * self.pattern.bits, self.pattern.bytes
        if first < 0 or bits % (8 * width):
            raise argument(
                "banks",
                "the vector at ({row},{column}) of {layout} starts at byte {byte}, no multiple of its {width} bytes",
                row=start % self.rows,
                column=start // self.rows,
                layout=self.text,
                byte=bits / 8 if bits % 8 else bits // 8,
                width=width,
            )
        return bits // 8

    def label(self, warp: list[int | None]) -> str:
        ends = [i for i in warp if i is not None]
        return " to ".join(format_htuple((i % self.rows, i // self.rows)) for i in (ends[0], ends[-1]))

    def warps(self, starts: Iterable[int], threads: int) -> Iterator[list[int | None]]:
        """Instructions of ``threads`` threads, cut into warps; the last may have inactive lanes."""
        group: list[int | None] = []
        count = 0
        for start in starts:
            group.append(start)
            count += 1
            if len(group) == LANES or count == threads:
                yield group
                group = []
                count %= threads
        if group:
            yield group

    def walk(self) -> Iterator[list[int | None]]:
        run = self.pattern.run
        rows = range(0, self.rows, run if self.along == 0 else 1)
        columns = range(0, self.columns, run if self.along == 1 else 1)
        pieces = range(len(self.offsets) // (self.rows * self.columns))
        if self.pattern.lanes == "row":
            starts = (self.index(r, c, p) for p in pieces for r in rows for c in columns)
        else:
            starts = (self.index(r, c, p) for p in pieces for c in columns for r in rows)
        return self.warps(starts, self.pattern.threads or LANES)

    def values(self) -> Iterator[list[int | None]]:
        threads = min(self.pattern.threads or self.rows, self.rows)
        for value in range(0, self.columns, self.pattern.run):
            yield from self.warps((self.index(t, value) for t in range(threads)), threads)

    def matrices(self) -> Iterator[list[int | None]]:
        """Four matrices are two by two where they fit so, as the operands of an MMA want them, else one below the
        other.
        """
        rows, columns = (self.rows, self.columns) if self.along else (self.columns, self.rows)
        if rows % 8:
            raise refuse(
                "LC314",
                "{rows} rows of 16 bytes are no multiple of the 8 of a matrix",
                op="banks",
                rows=rows,
                layout=self.text,
            )
        count, run = self.pattern.count, self.pattern.run
        high, wide = rows // 8, columns // run
        block = (2, 2) if count == 4 and high % 2 == 0 and wide % 2 == 0 else (high, 1)
        order = [
            (r + i, c + j)
            for c in range(0, wide, block[1])
            for r in range(0, high, block[0])
            for j in range(block[1])
            for i in range(block[0])
        ]
        for piece in range(len(self.offsets) // (self.rows * self.columns)):
            for first in range(0, len(order), count):
                warp: list[int | None] = []
                for r, c in order[first : first + count]:
                    for i in range(8):
                        across, down = c * run, 8 * r + i
                        warp.append(self.index(down, across, piece) if self.along else self.index(across, down, piece))
                yield warp


def _element_offsets(layout: Layout | Composed | Tensor) -> list[int]:
    """The offset of every element in order of the index; LC103 for values that are no integers."""
    if isinstance(layout, Tensor):
        inner = [0] if layout.layout is None else _element_offsets(layout.layout)
        found: list[Any] = [layout.offset + v for v in inner]
    else:
        found = layout.elements() if isinstance(layout, Composed) else layout.values()
    if not all(isinstance(v, int) for v in found):
        raise argument("banks", "{layout} has coordinates, not offsets in memory, as values", layout=str(layout))
    return found
