"""Triton's distributed encodings as bases over F2, from closed forms; and bases to thread-value layouts and back.

A basis is a coordinate of the tensor. The index of a register, lane, warp or block is the set of its bits, and goes
to the XOR of their bases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.algebra.finding.criteria import layout_of_bits
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate

from ..reading.reading import cannot

Basis = tuple[int, ...]


class Bases(Record):
    """The bases of register, lane, warp and block bits, each a coordinate of a tensor of ``shape``."""

    shape: tuple[int, ...]
    register: tuple[Basis, ...]
    lane: tuple[Basis, ...]
    warp: tuple[Basis, ...]
    block: tuple[Basis, ...] = ()

    def layout(self) -> Layout:
        """``(T,V)`` or ``(T,V,CTA)`` to coordinates, T = lane + lanes*warp."""
        modes = [(*self.lane, *self.warp), self.register, *([self.block] if self.block else [])]
        return layout_of_bits([[_element(b) for b in bits] for bits in modes])

    def table(self) -> dict[str, list[list[int]]]:
        """The bases as lists, as Triton writes them."""
        return {name: [list(b) for b in getattr(self, name)] for name in ("register", "lane", "warp", "block")}

    def text(self) -> str:
        """``#ttg.linear<{..}>``."""
        return "#ttg.linear<{" + ", ".join(f"{k} = {v}" for k, v in self.table().items()) + "}>"

    def matrix(self) -> list[list[int]]:
        """The matrix over F2: a column a bit (register, lane, warp, block), a row a bit of an axis, lowest first."""
        columns = [*self.register, *self.lane, *self.warp, *self.block]
        return [
            [c[axis] >> bit & 1 for c in columns]
            for axis, n in enumerate(self.shape)
            for bit in range(max(n - 1, 0).bit_length())
        ]


def _element(basis: Basis) -> Any:
    return Coordinate.of(((k,), x) for k, x in enumerate(basis))


def _unit(axis: int, value: int, rank: int) -> Basis:
    return tuple(value if k == axis else 0 for k in range(rank))


def _log2(n: int) -> int:
    return n.bit_length() - 1


def _clip(bases: Iterable[Basis], shape: Sequence[int]) -> tuple[Basis, ...]:
    """A basis that leaves the tensor broadcasts: 0."""
    zero = (0,) * len(shape)
    return tuple(b if all(x < n for x, n in zip(b, shape, strict=True)) else zero for b in bases)


def blocked(
    spt: Sequence[int],
    tpw: Sequence[int],
    wpc: Sequence[int],
    order: Sequence[int],
    shape: Sequence[int],
    whole: int | None = None,
) -> Bases:
    """R1: bits go along the axes in ``order``, registers first, then lanes, then warps; what is left of the tensor is
    registers.

    Zero bases of registers vanish, those of lanes and warps stay: they broadcast. Of the operand of FMAs a thread holds
    the axis ``whole``, whatever else is said of it, and zero bases of registers stay too.
    """
    rank = len(shape)
    cursor = [1] * rank
    found: list[tuple[Basis, ...]] = []
    own = [shape[k] if k == whole else n for k, n in enumerate(spt)]
    for table in (own, tpw, wpc):
        bits = []
        for axis in order:
            for _ in range(_log2(table[axis])):
                bits.append(_unit(axis, cursor[axis] if cursor[axis] < shape[axis] else 0, rank))
                cursor[axis] *= 2
        found.append(tuple(bits))
    register = tuple(b for b in found[0] if any(b) or whole is not None)
    return Bases(tuple(shape), (*register, *_rest(cursor, order, shape)), found[1], found[2])


def _rest(cursor: Sequence[int], order: Sequence[int], shape: Sequence[int]) -> list[Basis]:
    bits = []
    for axis in order:
        step = cursor[axis]
        while step < shape[axis]:
            bits.append(_unit(axis, step, len(shape)))
            step *= 2
    return bits


def repeated(bases: Bases, order: Sequence[int]) -> Bases:
    """Registers that repeat a pattern over the rest of the tensor, along the axes in ``order``."""
    columns = (*bases.register, *bases.lane, *bases.warp)
    cursor = [1 << max((b[k].bit_length() for b in columns), default=0) for k in range(len(bases.shape))]
    return bases.replace(register=(*bases.register, *_rest(cursor, order, bases.shape)))


def mma(version: int, wpc: Sequence[int], n: int, shape: Sequence[int]) -> Bases:
    """R3: the accumulator of an NVIDIA MMA, 16 rows by ``n`` columns an instruction, n = 8 for version 2."""
    register = [(0, 1), (8, 0), *((0, 1 << b) for b in range(3, _log2(n)))]
    lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)]
    rows = [(16 << b, 0) for b in range(_log2(wpc[0]))]
    columns = [(0, n << b) for b in range(_log2(wpc[1]))]
    warp = columns + rows if version < 3 else rows + columns
    rest = _rest((16 * wpc[0], n * wpc[1]), (1, 0), shape)
    return Bases(tuple(shape), (*_clip(register, shape), *rest), _clip(lane, shape), _clip(warp, shape))


def dot_operand(operand: int, version: int, wpc: Sequence[int], k: int, shape: Sequence[int]) -> Bases:
    """R4: operand A (0) or B (1, axes k and n) of an MMA; ``k`` is kWidth.

    Warps that share an operand broadcast: version 2 counts them first for A, version 3 last; version 3 has no B in
    registers.
    """
    pairs = [1 << b for b in range(_log2(k))]
    if operand == 0:
        register = [*((0, x) for x in pairs), (8, 0), (0, 4 * k)]
        lane = [(0, k), (0, 2 * k), (1, 0), (2, 0), (4, 0)]
        own = [(16 << b, 0) for b in range(_log2(wpc[0]))]
        shared = [(0, 0)] * _log2(wpc[1])
        warp = shared + own if version < 3 else own + shared
        rest = _rest((16 * wpc[0], 8 * k), (1, 0), shape)
    else:
        if version > 2:
            raise cannot("mma of version 3 takes only its first operand from registers: opIdx is 0")
        register = [*((x, 0) for x in pairs), (4 * k, 0)]
        lane = [(k, 0), (2 * k, 0), (0, 1), (0, 2), (0, 4)]
        own = [(0, 8 << b) for b in range(_log2(wpc[1]))]
        warp = own + [(0, 0)] * _log2(wpc[0])
        rest = _rest((8 * k, 8 * wpc[1]), (0, 1), shape)
    return Bases(tuple(shape), (*_clip(register, shape), *rest), _clip(lane, shape), _clip(warp, shape))


def mfma(wpc: Sequence[int], size: int, transposed: bool, shape: Sequence[int]) -> Bases:
    """The accumulator of an AMD MFMA of 32x32 or 16x16."""
    if size == 32:
        register, lane = [1, 2, 8, 16], [*((0, 1 << b) for b in range(5)), (4, 0)]
    else:
        register, lane = [1, 2], [*((0, 1 << b) for b in range(4)), (4, 0), (8, 0)]
    warp = [*((0, size << b) for b in range(_log2(wpc[1]))), *((size << b, 0) for b in range(_log2(wpc[0])))]
    rows = [(x, 0) for x in register]
    if transposed:
        rows, lane = [b[::-1] for b in rows], [b[::-1] for b in lane]
    rest = _rest((size * wpc[0], size * wpc[1]), (1, 0), shape)
    return Bases(tuple(shape), (*_clip(rows, shape), *rest), _clip(lane, shape), _clip(warp, shape))


def wmma(
    version: int, transposed: bool, warps: Sequence[Basis], registers: Sequence[Basis], shape: Sequence[int]
) -> Bases:
    """The accumulator of an AMD WMMA of 16x16; ``warps`` and ``registers`` count such tiles."""
    lane = [(0, 1), (0, 2), (0, 4), (0, 8), (1, 0) if version == 1 else (8, 0)]
    rows = [(2, 0), (4, 0), (8, 0)] if version == 1 else [(1, 0), (2, 0), (4, 0)]
    if transposed:
        rows, lane = [b[::-1] for b in rows], [b[::-1] for b in lane]
    tiles = [[tuple(16 * x for x in b) for b in bits] for bits in (registers, warps)]
    found = Bases(tuple(shape), (*rows, *tiles[0]), tuple(lane), tuple(tiles[1]))
    grown = repeated(found, (1, 0))
    return Bases(tuple(shape), _clip(grown.register, shape), _clip(lane, shape), _clip(tiles[1], shape))


def sliced(bases: Bases, dim: int) -> Bases:
    """R2: without the coordinate ``dim``; registers that moved only along it vanish, lanes and warps broadcast."""
    cut = {
        name: tuple(b[:dim] + b[dim + 1 :] for b in getattr(bases, name))
        for name in ("register", "lane", "warp", "block")
    }
    cut["register"] = tuple(b for b in cut["register"] if any(b))
    return Bases(bases.shape[:dim] + bases.shape[dim + 1 :], **cut)


def check_permutation(fields: Mapping[str, Sequence[Basis]]) -> None:
    """LC103 unless every basis is 0 or moves one bit of one coordinate, and no two move the same."""
    seen = set()
    for basis in (b for bits in fields.values() for b in bits):
        if not any(basis):
            continue
        text = "[" + ",".join(map(str, basis)) + "]"
        if sum(bool(x) for x in basis) > 1:
            raise cannot(
                f"#ttg.linear needs a permutation matrix: the basis {text} moves two coordinates at once "
                "(use #ttg.shared_linear for memory, or XOR strides)"
            )
        if any(x & (x - 1) or x < 0 for x in basis):
            raise cannot(f"#ttg.linear needs a permutation matrix: the basis {text} moves two bits at once")
        if basis in seen:
            raise cannot(f"#ttg.linear: the basis {text} occurs twice; broadcast must be written as a zero basis")
        seen.add(basis)
