"""What the TMA and the matrix units demand of a tile in shared memory: boxes that write it whole, descriptors that read
it.

Both see an address a through the swizzle of one mode, none, 32B, 64B, 128B, with rows of W = 16, 32, 64, 128 bytes:

    address = a XOR ((a / 128) mod (W / 16)) * 16

so that a tile is theirs if its addresses, swizzled back, are what the engine counts. A box of n0 x n1 elements lies at
``a = start + x0*b + P*x1`` with P = W, or n0*b without a swizzle; b is the bytes of an element. An instruction of wgmma
reads 64 mn and 32 bytes of k by strides LBO and SBO that are common to the tile (measured on an H200).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from laycalc.algebra.base.effort import spend
from laycalc.algebra.base.record import Record
from laycalc.algebra.values.swizzle import Swizzle
from laycalc.atoms.memory.pattern import Engine
from laycalc.atoms.memory.walks import ALONG, Tile

__all__ = [
    "MODES",
    "Boxes",
    "Descriptor",
    "Loads",
    "Mode",
    "Offsets",
    "Operand",
    "Swizzled",
    "condition_of",
    "is_tma_swizzle",
]


class Offsets(Protocol):
    """The offset of every index, as a table or computed when it is asked for."""

    def __getitem__(self, index: int, /) -> int: ...


class Swizzled:
    """The offsets of a base under a swizzle: a search asks for a few of most candidates."""

    __slots__ = ("swizzle", "values")

    def __init__(self, values: Sequence[int], swizzle: Swizzle) -> None:
        self.values, self.swizzle = values, swizzle

    def __getitem__(self, index: int) -> int:
        return self.swizzle(self.values[index])


class Mode(Record):
    """A swizzle mode: its name, and the bytes of a row."""

    name: str
    row: int

    def back(self, address: int) -> int:
        """Swizzle and swizzle back: the same."""
        return address ^ ((address >> 7 & self.row // 16 - 1) << 4)


MODES = (Mode("none", 16), Mode("32B", 32), Mode("64B", 64), Mode("128B", 128))
BOX, FIELD, LINES = 256, 1 << 18, 8
"""Elements of a box along a dimension; where LBO and SBO end; the lines of a swizzle atom."""

Address = Callable[[int, int], int]
"""The unswizzled byte address of (outer, inner)."""


class Boxes(Record):
    """The boxes of TMA that write a tile: extents innermost first, and their number."""

    inner: int
    outer: int
    count: int


class Loads(Record):
    """A condition: whole boxes of one tensor map write or read the tile, the innermost dimension along ``inner``."""

    tile: Tile
    bits: int
    inner: str

    def meets(self, offsets: Offsets, mode: Mode, most: int | None = None) -> Boxes | None:
        """The fewest boxes in a mode, None if none fit or they are more than ``most``."""
        rows, columns = self.tile.rows, self.tile.columns
        address = _address(self.tile, self.bits, offsets, mode)
        if self.inner == "columns":
            return _boxes(address, rows, columns, self.bits, mode, most)
        return _boxes(lambda outer, inner: address(inner, outer), columns, rows, self.bits, mode, most)


class Descriptor(Record):
    """The strides of a shared-memory descriptor in bytes, None where the mode does not read them."""

    mode: str
    lbo: int | None
    sbo: int | None


class Operand(Record):
    """A condition: descriptors of wgmma read the tile, ``mn`` says which way of it is M or N."""

    tile: Tile
    bits: int
    major: str
    mn: str

    def meets(self, offsets: Offsets, mode: Mode, most: int | None = None) -> Descriptor | None:
        """The descriptor's strides in a mode, None if no descriptor reads the tile; ``most`` is of no concern."""
        bits, by_rows = self.bits, self.mn == "rows"
        high, deep = (self.tile.rows, self.tile.columns) if by_rows else (self.tile.columns, self.tile.rows)
        found = _address(self.tile, self.bits, offsets, mode)
        address = found if by_rows else lambda mn, k: found(k, mn)
        if bits not in (8, 16, 32) or (self.major == "MN" and bits != 16) or deep * bits % 256 or high % LINES:
            return None
        form = _k_major if self.major == "K" else _mn_major
        return form(address, high, deep, bits // 8, mode)


def condition_of(tile: Tile, bits: int, engine: Engine) -> Loads | Operand:
    """What an engine demands of the layout of a tile."""
    if engine.kind == "tma":
        return Loads(tile, bits, engine.inner)
    return Operand(tile, bits, engine.major, engine.mn)


def is_tma_swizzle(tile: Tile, bits: int, offsets: Offsets) -> bool:
    """Does TMA write the tile in a swizzled mode, in boxes of 8 lines or more?"""
    for inner in ALONG:
        for mode in MODES[1:]:
            boxes = Loads(tile, bits, inner).meets(offsets, mode)
            if boxes is not None and boxes.outer >= LINES:
                return True
    return False


def _address(tile: Tile, bits: int, offsets: Offsets, mode: Mode) -> Address:
    """The byte address of (row, column) before the mode's swizzle; -1 for what begins inside a byte."""
    rows, shift, mask = tile.rows, 7, mode.row // 16 - 1
    if bits < 8:
        # Halves of bytes move together: an element's address is that of its byte, in halves.
        unit = 8 // bits

        def fine(row: int, column: int) -> int:
            whole, part = divmod(offsets[row + rows * column], unit)
            return mode.back(whole) * unit + part

        return fine
    size = bits // 8

    def address(row: int, column: int) -> int:
        found = offsets[row + rows * column] * size
        return found ^ ((found >> shift & mask) << 4)

    return address


def _divisors(number: int, limit: int) -> list[int]:
    """The divisors up to a limit, largest first."""
    return [d for d in range(min(number, limit), 0, -1) if number % d == 0]


def _boxes(address: Address, outer: int, inner: int, bits: int, mode: Mode, most: int | None = None) -> Boxes | None:
    """The fewest boxes; addresses of elements below a byte count those."""
    step, byte = max(1, bits // 8), max(1, 8 // bits)
    span = mode.row * byte if mode.row > 16 else 0
    next_row = address(1, 0) - address(0, 0) if outer > 1 else 0
    fits = [
        Boxes(n, m, inner * outer // (n * m))
        for n in _widths(address, inner, step, 16 * byte, span)
        for m in (_divisors(outer, BOX) if next_row == (span or n * step) else [1])
    ]
    for boxes in sorted(fits, key=lambda boxes: boxes.count):
        if most is not None and boxes.count > most:
            break
        if _are_boxes(address, outer, inner, boxes, step, span or boxes.inner * step, 128 * byte):
            return boxes
    return None


def _widths(address: Address, inner: int, step: int, unit: int, span: int) -> list[int]:
    """The inner extents that the first row allows: whole units of 16 bytes, not beyond the span of a swizzle."""
    origin = address(0, 0)
    run = 1
    while run < inner and address(0, run) == origin + run * step:
        run += 1
    longest = min(BOX, run, span // step if span else run)
    return [n for n in _divisors(inner, longest) if n * step % unit == 0]


def _are_boxes(address: Address, outer: int, inner: int, boxes: Boxes, step: int, pitch: int, line: int) -> bool:
    """Does every box begin at a line of 128 bytes and lie as it should?"""
    # The far corner of the first box refutes most.
    if (
        address(boxes.outer - 1, boxes.inner - 1)
        != address(0, 0) + (boxes.inner - 1) * step + (boxes.outer - 1) * pitch
    ):
        return False
    for y in range(0, outer, boxes.outer):
        for x in range(0, inner, boxes.inner):
            start = address(y, x)
            if start % line:
                return False
            spend(boxes.inner * boxes.outer)
            for j in range(boxes.outer):
                row = start + j * pitch
                if any(address(y + j, x + i) != row + i * step for i in range(boxes.inner)):
                    return False
    return True


def _k_major(address: Address, high: int, deep: int, size: int, mode: Mode) -> Descriptor | None:
    """off = (mn % 8)*W + (mn / 8)*SBO + (kb / W)*LBO + kb % W, with kb the bytes of k."""
    part = mode.row // size
    origin = address(0, 0)
    sbo = address(LINES, 0) - origin if high > LINES else 0
    lbo = address(0, part) - origin if mode.row < 32 else 0

    def offset(mn: int, k: int) -> int:
        at = k * size
        return mn % LINES * mode.row + mn // LINES * sbo + at // mode.row * lbo + at % mode.row

    if not _reads(address, offset, high, deep, 32 // size, (lbo, sbo)):
        return None
    return Descriptor(mode.name, lbo if mode.row < 32 else None, sbo if high > LINES else None)


def _mn_major(address: Address, high: int, deep: int, size: int, mode: Mode) -> Descriptor | None:
    """off = (mn % V)*b + (mn / V)*X + (k % 8)*W + (k / 8)*Y; X, Y are LBO, SBO with a swizzle, SBO, LBO without."""
    part = mode.row // size
    origin = address(0, 0)
    along = address(part, 0) - origin if high > part else 0
    down = address(0, LINES) - origin

    def offset(mn: int, k: int) -> int:
        return mn % part * size + mn // part * along + k % LINES * mode.row + k // LINES * down

    if not _reads(address, offset, high, deep, 32 // size, (along, down)):
        return None
    across = along if high > part else None
    return Descriptor(mode.name, down, across) if mode.row == 16 else Descriptor(mode.name, across, down)


def _reads(address: Address, offset: Address, high: int, deep: int, step: int, strides: tuple[int, int]) -> bool:
    """Does every instruction, 64 of mn by 32 bytes of k, read its part by these strides?"""
    if any(stride < 0 or stride % 16 or stride >= FIELD for stride in strides):
        return False
    wide = 64 if high % 64 == 0 else high
    for mn0, k0 in _origins(high, deep, wide, step):
        start = address(mn0, k0)
        if start % 16:
            return False
        spend(wide * step)
        if any(address(mn0 + mn, k0 + k) != start + offset(mn, k) for mn in range(wide) for k in range(step)):
            return False
    return True


def _origins(high: int, deep: int, wide: int, step: int) -> Iterator[tuple[int, int]]:
    return ((mn, k) for k in range(0, deep, step) for mn in range(0, high, wide))
