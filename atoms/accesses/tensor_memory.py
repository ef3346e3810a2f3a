"""Which shapes of tcgen05.ld and tcgen05.st reach a layout of tensor memory (SM100).

Tensor memory has 128 data paths of 512 columns, 32 bits each; an address counts bits, 2^21 from one path to the next,
as in CuTe's layouts. Warp w of a warpgroup reaches the paths 32w to 32w+31. One instruction moves whole rows of columns
for 32 paths (32x32b) or for 16 of them, the lower or the upper half (16x64b, 16x128b, 16x256b, 16x32bx2); x of them
behind each other, a power of two. A shape reaches a layout if its instructions read what the layout holds and nothing
else. Source: PTX ISA, tcgen05.ld; CUTLASS 4.7 traits. Documentation, not measured.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout

from ..instructions.refusal import argument, concrete

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Reach", "TensorMemoryFit", "reached"]

PATHS, WARP, CELL = 128, 32, 32
PATH_BITS = 1 << 21
COLUMNS = 512
LIMIT = 1 << 17
"""Elements of a layout that are looked at: more than tensor memory holds of 32 bits."""

_SHAPES = (
    ("32x32b", "32dp32b", 32, 32, 128),
    ("16x64b", "16dp64b", 16, 64, 128),
    ("16x128b", "16dp128b", 16, 128, 64),
    ("16x256b", "16dp256b", 16, 256, 32),
    ("16x32bx2", "16dp32b", 16, 64, 128),
)
"""In PTX, in CuTe, the data paths, the bits on a path for x1, the greatest repeat."""


class Reach(Record):
    """A shape: its widest repeat, the instructions of a warp, and the atom in CuTe; or why it does not reach."""

    shape: str
    repeat: int = 0
    instructions: int = 0
    atom: str = ""
    reason: str = ""

    def __str__(self) -> str:
        if not self.repeat:
            return f"{self.shape}: no, {self.reason}"
        count = f"{self.instructions} instruction{'s' * (self.instructions > 1)} a warp"
        return f"{self.shape} up to x{self.repeat}, {count}: {self.atom}"

    def as_dict(self) -> dict[str, Any]:
        """The reach as plain data for JSON."""
        if not self.repeat:
            return {"shape": self.shape, "reaches": False, "reason": self.reason}
        facts = {"repeat": self.repeat, "instructions": self.instructions, "atom": self.atom}
        return {"shape": self.shape, "reaches": True, **facts}


class TensorMemoryFit(Record):
    """The warps whose paths a layout holds, and the reach of every shape; ``packed`` where a column holds 16 bits."""

    warps: tuple[int, ...]
    packed: bool
    reaches: tuple[Reach, ...]

    def __str__(self) -> str:
        return "\n".join(f"  {reach}" for reach in self.reaches)


Columns = tuple[int, ...]
"""The columns that a data path holds, in order."""

Shape = tuple[str, str, int, int, int]


def reached(layout: Layout, bits: int, *, store: bool = False) -> TensorMemoryFit:
    """The shapes that move a tile between registers and tensor memory; ``layout`` gives addresses in elements.

    LC103 for a layout that leaves tensor memory or has elements that are cut by columns, LC106 for unknown numbers.

    >>> fit = reached(Layout((128, 64), (65536, 1)), 32)
    >>> [str(reach) for reach in fit.reaches][0]
    '32x32b up to x64, 1 instruction a warp: SM100_TMEM_LOAD_32dp32b64x'
    """
    cells = _cells(layout, bits)
    packed = bits == 16 and all(found == 0b0011 for columns in cells.values() for found in columns.values())
    if not packed and any(found != 0b1111 for columns in cells.values() for found in columns.values()):
        template = "{layout} fills only parts of the 32-bit columns: pack two elements, or give each a column"
        raise argument("tcgen05", template, layout=str(layout))
    held = {path: tuple(sorted(columns)) for path, columns in cells.items()}
    halves = {(path // WARP, path % WARP // 16) for path in held}
    reaches = tuple(_reach(shape, held, halves, packed, store) for shape in _SHAPES)
    return TensorMemoryFit(tuple(sorted({warp for warp, _ in halves})), packed, reaches)


def _cells(layout: Layout, bits: int) -> dict[int, dict[int, int]]:
    """By data path and column: which of its four bytes are held."""
    concrete("tcgen05", layout)
    if bits not in (8, 16, 32) or not isinstance(layout, Layout) or layout.semimodule != "Z" or layout.size > LIMIT:
        template = "{layout} of {bits} bits is no layout of 8-, 16- or 32-bit elements in tensor memory"
        raise argument("tcgen05", template, layout=str(layout), bits=bits)
    found: dict[int, dict[int, int]] = {}
    for value in {int(v) for v in layout.values()}:
        path, rest = divmod(value * bits, PATH_BITS)
        column, part = divmod(rest, CELL)
        if not 0 <= path < PATHS or column >= COLUMNS:
            template = "{layout} reaches data path {path}, column {column}; tensor memory has 128 paths of 512 columns"
            raise argument("tcgen05", template, layout=str(layout), path=path, column=column)
        columns = found.setdefault(path, {})
        columns[column] = columns.get(column, 0) | ((1 << bits // 8) - 1) << part // 8
    return found


def _reach(shape: Shape, held: dict[int, Columns], halves: set[tuple[int, int]], packed: bool, store: bool) -> Reach:
    spelt, name, paths, width, most = shape
    blocks = sorted({warp * WARP + (0 if paths == WARP else half * 16) for warp, half in halves})
    for first in blocks:
        if reason := _uneven(held, first, paths):
            return Reach(spelt, reason=reason)
    # Two packed columns fill a register.
    cells = width // (CELL // 2 if packed else CELL)
    lengths = {first: list(_runs(held[first])) for first in blocks}
    shortest = gcd(*(length for runs in lengths.values() for length in runs))
    if shortest % cells:
        return Reach(spelt, reason=f"it moves {cells} columns at a time, and its runs have multiples of {shortest}")
    repeat = gcd(shortest // cells, most)
    warps: dict[int, int] = {}
    for first, runs in lengths.items():
        warps[first // WARP] = warps.get(first // WARP, 0) + sum(runs) // (repeat * cells)
    atom = f"SM100_TMEM_{'STORE' if store else 'LOAD'}_{name}{repeat}x{'_16b' if packed else ''}"
    return Reach(spelt, repeat, max(warps.values()), atom)


def _uneven(held: dict[int, Columns], first: int, paths: int) -> str:
    """Why a block of data paths cannot be moved as a whole; empty if it can."""
    rows = {path: held.get(path, ()) for path in range(first, first + paths)}
    if empty := [path for path, row in rows.items() if not row]:
        return f"it moves data paths {first} to {first + paths - 1}, and path {empty[0]} holds nothing"
    odd = [path for path, row in rows.items() if row != rows[first]]
    return f"data paths {first} and {odd[0]} hold different columns" if odd else ""


def _runs(columns: Columns) -> Iterator[int]:
    """The lengths of the stretches of neighbouring columns."""
    start = columns[0]
    for here, following in zip(columns, (*columns[1:], -1), strict=True):
        if following != here + 1:
            yield here - start + 1
            start = following
