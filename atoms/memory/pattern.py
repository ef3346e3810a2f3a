"""How a tile in shared memory is accessed, whatever its layout: the order of the lanes and what each of them moves.

``row`` lets neighbouring lanes walk along a row (the second mode), ``column`` down a column (the first mode); a lane's
vector lies along whichever of the two is contiguous, unless it is said. ``ldmatrix`` and ``stmatrix`` read 8x8 blocks
of 16-byte rows, ``tv`` takes the first mode as the thread and the second as its values, or a thread-value layout over
blocks of the tile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from laycalc.algebra.base.record import Record

from ..instructions.refusal import argument
from .machines import DEFAULT, Machine, machine

if TYPE_CHECKING:
    from laycalc.algebra.values.layout import Layout

__all__ = ["ORDERS", "Engine", "Pattern"]

ORDERS = ("row", "column", "ldmatrix", "stmatrix", "tv")
COPIES = {"ca": (4, 8, 16), "cg": (16,)}
"""The bytes a lane that cp.async moves through the first-level cache and past it."""
_NEEDS = {"ldmatrix": 75, "stmatrix": 90, "cp.async": 80}
"""The first NVIDIA machine with an instruction."""


class Pattern(Record):
    """How a tile is accessed: ``vector`` elements of ``bits`` bits a lane (for ldmatrix and stmatrix: matrices), in
    which order of the lanes, by how many threads; the defaults of ``vector`` are 1 and, for matrices, 4, of ``threads``
    32 and, for tv, all.

    ``along`` is the direction of a lane's elements, 0 down a column and 1 across a row; None finds it from the layout.
    ``copy`` is "ca" or "cg" where cp.async writes. With ``fragment``, a layout (thread, value) -> r + height * c of a
    ``block`` of the tile (by default the whole), the lanes are its threads; ``listed`` writes out the (row, column)
    where each lane of each instruction starts. ``trans`` names the form of ldmatrix and stmatrix that transposes: it
    changes what the registers get, no address; None takes it where the elements lie down a column. ``source`` is the
    layout of the same tile in global memory where cp.async reads it; None is a dense one, read in the order of lanes.
    ``arch`` is the machine.
    """

    bits: int
    vector: int | None = None
    lanes: str = "row"
    threads: int | None = None
    store: bool = False
    along: int | None = None
    copy: str = ""
    fragment: Layout | None = None
    block: tuple[int, int] | None = None
    listed: tuple[tuple[tuple[int, int] | None, ...], ...] | None = None
    trans: bool | None = None
    source: Layout | None = None
    arch: str = DEFAULT

    def __init__(
        self,
        bits: int,
        vector: int | None = None,
        lanes: str = "row",
        threads: int | None = None,
        store: bool = False,
        along: int | None = None,
        copy: str = "",
        fragment: Layout | None = None,
        block: tuple[int, int] | None = None,
        listed: tuple[tuple[tuple[int, int] | None, ...], ...] | None = None,
        trans: bool | None = None,
        source: Layout | None = None,
        arch: str = DEFAULT,
    ) -> None:
        super().__init__(
            bits, vector, lanes, threads, store, along, copy, fragment, block, listed, trans, source, machine(arch).name
        )
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
        if copy and self.bytes not in COPIES.get(copy, ()):
            template = "cp.async.{copy} moves {widths} bytes a lane, not {bytes}"
            widths = " or ".join(map(str, COPIES.get(copy, ())))
            raise argument("banks", template, copy=copy, widths=widths, bytes=self.bytes)
        if source is not None and not copy:
            raise argument("banks", "only cp.async has a source, {name} has none", name=self.op)
        self._exists()

    def _exists(self) -> None:
        """LC103 where the machine has no such instruction."""
        found = self.machine
        needed = _NEEDS.get("cp.async" if self.copy else self.lanes, 0)
        name = f"cp.async.{self.copy}" if self.copy else self.lanes
        if needed and found.amd:
            raise argument("banks", "{arch} has no {name}: it is an instruction of NVIDIA", arch=self.arch, name=name)
        if needed > found.number:
            template = "{arch} has no {name}: it came with sm{needed}"
            raise argument("banks", template, arch=self.arch, name=name, needed=needed)

    @property
    def machine(self) -> Machine:
        """The machine that executes it."""
        return machine(self.arch)

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
        if self.machine.amd:
            return f"{self.arch}.ds_{'write' if self.store else 'read'}_b{8 * self.bytes}"
        if self.copy:
            return f"cpasync{self.bytes}{'_cg' if self.copy == 'cg' else ''}"
        return f"{'st' if self.store else 'ld'}{self.bytes}"


class Engine(Record):
    """TMA or wgmma on a tile: a condition on its layout, without wavefronts of the lanes.

    ``inner`` is the direction that a box of TMA takes as innermost ("rows" or "columns", as in "along columns"),
    ``major`` and ``mn`` what wgmma takes the operand for: "K" or "MN", and which way of the tile is M or N.
    """

    kind: str
    store: bool = False
    inner: str = "columns"
    major: str = "K"
    mn: str = "rows"
