"""Triton's shared encodings as layouts, coordinate to offset in elements."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import prod
from typing import Any, NamedTuple

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle

from ..reading.attributes import INTERVALS, Attribute
from ..reading.reading import cannot, needs
from .bits import coordinate_bits, layout_of, log2, summed
from .fields import Fields, undivided

KINDS = frozenset({
    "swizzled_shared", "shared", "nvmma_shared", "shared_linear", "padded_shared", "amd_rotating_shared",
})  # fmt: skip


class Memory(NamedTuple):
    """What an encoding denotes, the shape of its tensor and remarks."""

    value: Layout | Composed
    shape: tuple[int, ...]
    notes: tuple[str, ...] = ()


def memory_of(text: str, encoding: Attribute, shape: tuple[int, ...] | None) -> Memory:
    """The layout of an encoding on a tensor of ``shape``; dimensions in front of those that it knows are buffers."""
    fields = Fields(text, encoding)
    if encoding.kind == "shared_linear":
        return _linear(fields, shape)
    if encoding.kind == "padded_shared":
        return _padded(fields, shape)
    if shape is None:
        notes = ("give it with --shape 128x64, or paste !ttg.memdesc<128x64xf16, ..>",)
        raise needs(text, f"#{encoding.name} needs the shape of the tensor", notes=notes)
    rank = _rank(fields, len(shape))
    undivided(fields, rank)
    buffers, own = shape[: len(shape) - rank], shape[len(shape) - rank :]
    for n in own:
        if n & (n - 1):
            raise cannot(f"tensor extent {n} is not a power of two: no linear layout", source=text)
    found = {"nvmma_shared": _nvmma, "amd_rotating_shared": _rotating}.get(encoding.kind, _swizzled)(fields, own)
    return Memory(_buffered(found.value, buffers, own), shape, found.notes)


def _rank(fields: Fields, rank: int) -> int:
    """The dimensions that an encoding knows: a tensor may have one more, the buffers of a pipeline."""
    if fields.encoding.kind == "nvmma_shared":
        known = fields.integer("rank", 2)
        known = len(fields.body["CGALayout"][0]) if _first(fields.body.get("CGALayout")) else known
    else:
        known = len(fields.integers("order"))
    if known not in (rank, rank - 1):
        raise fields.fail(f"an encoding of rank {known} is none of a tensor of {rank} dimensions")
    return known


def _first(x: Any) -> bool:
    return isinstance(x, list) and bool(x) and isinstance(x[0], list)


def _buffered(value: Layout | Composed, buffers: Sequence[int], own: Sequence[int]) -> Layout | Composed:
    """Buffers one behind the other, the slowest dimension."""
    if not buffers:
        return value
    inner = value.layout if isinstance(value, Composed) else value
    modes = inner.modes() if len(own) > 1 else [inner]
    (count,) = buffers
    stride: Any = prod(own)
    if inner.semimodule == "F2":
        if count & (count - 1):
            raise cannot(f"{count} buffers of a layout with XOR strides: their number is no power of two")
        stride = Xor.of(stride)
    found = Layout((count, *(m.shape for m in modes)), (stride, *(m.stride for m in modes)))
    return Composed(value.swizzle, value.offset, found) if isinstance(value, Composed) else found


# ---- swizzled: rows whose 2^base elements move by the phase of the row ----


def _swizzled(fields: Fields, shape: tuple[int, ...]) -> Memory:
    """R5: ``Sw<B,M,S> o 0 o (R,C):(C,1)``; a tensor too small for the swizzle that is asked for weakens it."""
    if fields.flag("hasLeadingOffset"):
        raise fields.refuse("hasLeadingOffset", "an old encoding with hasLeadingOffset is covered as #ttg.nvmma_shared")
    vec, per_phase, max_phase = (fields.power(n) for n in ("vec", "perPhase", "maxPhase"))
    order = fields.order(len(shape))
    if len(shape) == 1:
        return Memory(Layout(shape[0], 1), shape)
    plain = _in_order(order, shape)
    columns, rows = shape[order[0]], shape[order[1]]
    base, wanted = log2(vec), log2(max_phase)
    bits = max(0, min(wanted, log2(columns) - base, log2(rows) - log2(per_phase)))
    notes: tuple[str, ...] = ()
    if bits < wanted:
        why = f"{vec} x {max_phase} elements do not fit in a row of {columns}"
        why = why if log2(columns) - base < wanted else f"{per_phase} x {max_phase} rows do not fit in {rows}"
        notes = (f"the swizzle is weakened from {max_phase} phases to {1 << bits}: {why}",)
    if bits == 0:
        return Memory(plain, shape, notes)
    return Memory(Composed(Swizzle(bits, base, log2(per_phase * columns) - base), 0, plain), shape, notes)


def _in_order(order: Sequence[int], shape: Sequence[int]) -> Layout:
    """Dense, the axes from the fastest on."""
    strides = [0] * len(shape)
    step = 1
    for axis in order:
        strides[axis] = step
        step *= shape[axis]
    return Layout(tuple(shape), tuple(strides)) if len(shape) > 1 else Layout(shape[0], 1)


def _rotating(fields: Fields, shape: tuple[int, ...]) -> Memory:
    """Swizzled with a phase that begins one further in every block: ``phase ^ (row / (perPhase*maxPhase))``."""
    vec, per_phase, max_phase = (fields.power(n) for n in ("vec", "perPhase", "maxPhase"))
    order = fields.order(len(shape))
    if "hasLeadingOffset" in fields.body:
        raise fields.refuse("hasLeadingOffset", "a rotating encoding has no hasLeadingOffset")
    if len(shape) < 2:
        return Memory(Layout(shape[0], 1), shape)
    column, row = order[:2]
    bases = [_unit(column, 1 << b, len(shape)) for b in range(log2(shape[column]))]
    for b in range(log2(shape[row])):
        index = 1 << b
        phase = index // per_phase % max_phase ^ index // (per_phase * max_phase) % max_phase
        basis = _unit(row, index, len(shape))
        basis[column] = vec * phase % shape[column]
        bases.append(basis)
    for axis in order[2:]:
        bases += [_unit(axis, 1 << b, len(shape)) for b in range(log2(shape[axis]))]
    return Memory(layout_of(coordinate_bits(bases, shape)), shape, ("by Triton's documentation of the encoding",))


def _unit(axis: int, value: int, rank: int) -> list[int]:
    return [value if k == axis else 0 for k in range(rank)]


# ---- nvmma: blocks of some bytes side by side, as TMA and MMAs want them ----


def _nvmma(fields: Fields, shape: tuple[int, ...]) -> Memory:
    width, bits = fields.integer("swizzlingByteWidth"), fields.integer("elementBitWidth")
    if width not in (0, 32, 64, 128) or bits not in (4, 8, 16, 32, 64):
        raise fields.fail("swizzlingByteWidth is 0, 32, 64 or 128, elementBitWidth 4 to 64")
    if fields.flag("fp4Padded"):
        raise fields.refuse("fp4Padded", "nvmma_shared with padded 4-bit elements is not covered")
    if len(shape) != 2:
        raise cannot("an nvmma_shared encoding of rank 2 is covered, this tensor has another rank")
    transposed = fields.flag("transposed")
    rows, columns = shape[::-1] if transposed else shape
    if width and 8 * width > columns * bits:
        what = f"{columns} elements of {bits} bits are less than the swizzled row of {width} bytes"
        raise fields.refuse("swizzlingByteWidth", what)
    if width and rows < 8:
        raise fields.refuse("swizzlingByteWidth", f"{rows} rows are less than the 8 of a swizzle")
    return Memory(nvmma_shared(width, transposed, bits, shape), shape)


def nvmma_shared(width: int, transposed: bool, bits: int, shape: Sequence[int]) -> Layout | Composed:
    """R6: blocks of ``width`` bytes side by side, swizzled in 16 bytes; ``(R,(W,C/W)):(W,(1,R*W))`` elements."""
    row, column = (1, 0) if transposed else (0, 1)
    rows, columns = shape[row], shape[column]
    if width == 0:
        found: list[Any] = [(rows, columns), (columns, 1)]
        swizzle = None
    else:
        across = 8 * width // bits
        blocks = max(1, columns // across)
        across = min(across, columns)
        inner = across if blocks == 1 else (across, blocks)
        found = [(rows, inner), (across, 1 if blocks == 1 else (1, rows * across))]
        swizzle = Swizzle(log2(width // 16), log2(128 // bits), 3)
    if transposed:
        found = [part[::-1] for part in found]
    plain = Layout(found[0], found[1])
    return plain if swizzle is None or swizzle.bits == 0 else Composed(swizzle, 0, plain)


# ---- padded and linear: bases of the offset ----


def _padded(fields: Fields, shape: tuple[int, ...] | None) -> Memory:
    """R7: the offset x that the bases give becomes ``x + sum of floor(x/interval)*padding``."""
    bases, own = _padded_bases(fields, shape)
    if shape is not None and shape != own:
        raise cannot(f"the encoding is that of a tensor of {own}, not of {shape}", source=fields.text)
    _one_block(fields, len(own))
    undivided(fields, len(own))
    modes = coordinate_bits(bases, own)
    pads = _paddings(fields)
    moved = [_moved(1 << b, pads) for b in range(len(bases))]
    if not any(bit & (bit - 1) for bits in modes for bit in bits):
        return Memory(summed([[moved[log2(bit)] for bit in bits] for bits in modes]), own)
    if any(a & b for a, b in combinations(moved, 2)):
        raise cannot("padding after the XOR of coordinates is no sum of strides and no XOR", source=fields.text)
    # Each bit of an offset has bits of its own in memory: the XOR goes through the padding.
    return Memory(
        layout_of([[sum(m for b, m in enumerate(moved) if bit >> b & 1) for bit in bits] for bits in modes]), own
    )


def _padded_bases(fields: Fields, shape: tuple[int, ...] | None) -> tuple[Sequence[Sequence[int]], tuple[int, ...]]:
    """The bases of the offset, written out or dense in an order, and the shape of the tensor."""
    own = tuple(fields.integers("shape", powers=True)) if "shape" in fields.body else shape
    if "offset" in fields.body:
        if "order" in fields.body:
            raise fields.refuse("order", "the bases of the offset say already what order says")
        bases = fields.bases("offset", len(own) if own else None)
        return bases, own or _reach(fields, bases)
    if own is None:
        raise needs(fields.text, f"#{fields.encoding.name} needs the shape of the tensor")
    order = fields.order(len(own))
    return [_unit(axis, 1 << b, len(own)) for axis in order for b in range(log2(own[axis]))], own


def _one_block(fields: Fields, rank: int) -> None:
    if any(any(b) for b in fields.bases("block", rank)):
        raise cannot(f"#{fields.encoding.name} is divided among CTAs: read the tensor of one CTA", source=fields.text)


def _paddings(fields: Fields) -> list[tuple[int, int]]:
    found = fields.body[INTERVALS]
    if not isinstance(found, list) or not found or not all(isinstance(p, list) and len(p) == 2 for p in found):
        raise fields.fail("a padding is a list of intervals and paddings")
    for n in (x for pair in found for x in pair):
        if type(n) is not int or n < 1 or n & (n - 1):
            raise fields.fail("the intervals and paddings of a padding are powers of two")
    if len({every for every, _ in found}) < len(found):
        raise fields.fail("an interval of the padding occurs twice")
    return [(every, pad) for every, pad in found]


def _moved(bit: int, pads: Sequence[tuple[int, int]]) -> int:
    """Where an offset of one bit goes: intervals are powers of two, so that the bits of an offset pad apart."""
    return bit + sum(pad * (bit // every) for every, pad in pads)


def _linear(fields: Fields, shape: tuple[int, ...] | None) -> Memory:
    """The inverse of an offset-to-coordinate map that is written out."""
    bases = fields.bases("offset", len(shape) if shape else None)
    own = shape or _reach(fields, bases)
    _one_block(fields, len(own))
    fields.power("alignment", 16)
    return Memory(layout_of(coordinate_bits(bases, own)), own)


def _reach(fields: Fields, bases: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The tensor that the bases fill."""
    rank = max(map(len, bases), default=1)
    if any(len(b) != rank for b in bases):
        raise fields.fail(f"the bases have {rank} coordinates")
    return tuple(1 << max((b[k].bit_length() for b in bases), default=0) for k in range(rank))
