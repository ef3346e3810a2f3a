"""Maps between bits of coordinates and bits of offsets, inverted over F2 and written as layouts."""

from __future__ import annotations

from collections.abc import Sequence

from laycalc.algebra.finding.criteria import layout_of_bits, swizzle_form
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Xor
from laycalc.algebra.values.swizzle import Composed
from laycalc.diagnostics.model import Failure

from ..reading.reading import cannot


def log2(n: int) -> int:
    """The exponent of a power of two."""
    return n.bit_length() - 1


def coordinate_bits(bases: Sequence[Sequence[int]], shape: Sequence[int]) -> list[list[int]]:
    """For every bit of every axis the set of offset bits that make it: the inverse of bases offset to coordinate."""
    widths = [log2(n) for n in shape]
    starts = [sum(widths[:k]) for k in range(len(shape))]
    columns = []
    for basis in bases:
        if len(basis) != len(shape) or any(x < 0 or x >= n for x, n in zip(basis, shape, strict=True)):
            raise cannot(f"the basis {list(basis)} lies outside a tensor of {list(shape)}")
        columns.append(sum(x << s for x, s in zip(basis, starts, strict=True)))
    made = inverse(columns, sum(widths))
    return [made[s : s + w] for s, w in zip(starts, widths, strict=True)]


def inverse(columns: Sequence[int], n: int) -> list[int]:
    """For every unit vector the set of columns that gives it; LC103 if the matrix over F2 is singular."""
    if len(columns) != n:
        raise cannot(f"{len(columns)} offset bits cannot address 2^{n} elements one to one")
    rows = [(c, 1 << k) for k, c in enumerate(columns)]
    for bit in range(n):
        pivot = next((i for i in range(bit, n) if rows[i][0] >> bit & 1), None)
        if pivot is None:
            raise singular()
        rows[bit], rows[pivot] = rows[pivot], rows[bit]
        value, made = rows[bit]
        rows = [(v ^ value, m ^ made) if i != bit and v >> bit & 1 else (v, m) for i, (v, m) in enumerate(rows)]
    return [made for _, made in rows]


def singular() -> Failure:
    """LC103: a map over F2 that sends two offsets to one coordinate."""
    return cannot("two offsets have one coordinate: the bases are linearly dependent")


def layout_of(modes: Sequence[Sequence[int]]) -> Layout | Composed:
    """The layout whose axes have these bits: strides where they exist, else a swizzle, else XOR strides."""
    seen = 0
    for v in (v for bits in modes for v in bits):
        if seen & v:
            break
        seen |= v
    else:
        return summed(modes)
    composed = swizzle_form(modes)
    if composed is not None:
        return Composed(composed.swizzle, 0, _own(composed.layout, len(modes)))
    return _own(layout_of_bits([[Xor.of(v) for v in bits] for bits in modes]), len(modes))


def summed(modes: Sequence[Sequence[int]]) -> Layout:
    """The layout with these values as strides of its bits."""
    return _own(layout_of_bits(modes), len(modes))


def _own(found: Layout, rank: int) -> Layout:
    return found if rank > 1 else found[0]
