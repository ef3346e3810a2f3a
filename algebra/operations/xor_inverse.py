"""Inverses of XOR layouts by elimination over F2 (CuTe paper, sections 4.1 to 4.3)."""

from __future__ import annotations

from functools import reduce
from operator import xor

from ..base.errors import refuse
from ..values.coalesce import merged, unwrap
from ..values.htuple import leaf_paths
from ..values.layout import Layout
from ..values.semimodule import Xor

SEARCH_BITS = 20
"""Bits that may reach a cut last mode; beyond that the right inverse is not cut and its law is left to the caller."""


def bit_columns(layout: Layout, op: str) -> list[tuple[int, int]]:
    """(index bit, value) of every bit of the index: the columns of the layout as a matrix over F2.

    Extents must be powers of two, except possibly the last live one: LC307 otherwise.
    """
    columns = []
    weight = 1
    flat = [m for m in zip(*layout.flat(), leaf_paths(layout.shape), strict=True) if m[0] != 1]
    for i, (s, d, path) in enumerate(flat):
        if s & (s - 1) and i + 1 < len(flat):
            raise refuse(
                "LC307",
                "binary layout: extent {extent} is not a power of two and not the last mode",
                op=op,
                layout=str(layout),
                extent=s,
                left_path=path,
            )
        value = d.value if isinstance(d, Xor) else 0
        columns += [(weight << b, value << b) for b in range((s - 1).bit_length())]
        weight *= s
    return columns


def reduced(columns: list[tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """The reduced echelon basis, pivot bit -> (value, index) with L(index) = value; no pivot is in another value."""
    basis: dict[int, tuple[int, int]] = {}
    for index, value in columns:
        for pivot, (v, i) in basis.items():
            if value >> pivot & 1:
                value, index = value ^ v, index ^ i
        if not value:
            continue
        pivot = value.bit_length() - 1
        for p, (v, i) in basis.items():
            if v >> pivot & 1:
                basis[p] = (v ^ value, i ^ index)
        basis[pivot] = (value, index)
    return basis


def _from_bits(images: list[int], extent: int, *, within: bool) -> Layout:
    """The layout that sends bit p to ``images[p]``, cut in its last mode to ``extent`` values.

    Only whole steps of the last mode can be cut: ``within`` keeps at most ``extent`` values, else at least so many
    stay.
    """
    bits = (extent - 1).bit_length()
    found = merged((2,) * bits, tuple(map(Xor.of, images[:bits])))
    if found:
        s, d = found[-1]
        outer = (1 << bits) // s
        found[-1] = (extent // outer if within else -(-extent // outer), d)
        if found[-1][0] == 1:
            found.pop()
    return unwrap(found)


def xor_right_inverse(layout: Layout) -> Layout:
    """R with L(R(k)) = k: as many bits as the units 1, 2, 4, ... lie in the span, cut at the first value L lacks."""
    basis = reduced(bit_columns(layout, "right_inverse"))
    images: list[int] = []
    while (p := len(images)) in basis and basis[p][0] == 1 << p:
        images.append(basis[p][1])
    return _from_bits(images, _first_outside(images, layout), within=True)


def _first_outside(images: list[int], layout: Layout) -> int:
    """The least k whose preimage is no index of the layout, 2^len(images) if there is none.

    Only a last extent that is no power of two leaves indices out, and only bits that reach its digit matter.
    """
    size = layout.size
    last = next((s for s in reversed(layout.flat()[0]) if s != 1), 1)
    weight = size // last
    relevant = [p for p, x in enumerate(images) if x >= weight]
    if not last & (last - 1) or len(relevant) > SEARCH_BITS:
        return 1 << len(images)
    for choice in range(1 << len(relevant)):
        chosen = [p for j, p in enumerate(relevant) if choice >> j & 1]
        if reduce(xor, (images[p] for p in chosen), 0) >= size:
            return sum(1 << p for p in chosen)
    return 1 << len(images)


def xor_left_inverse(layout: Layout) -> Layout:
    """R with L(R(L(k))) = L(k): the stride of bit p is the index of the basis value with pivot p, 0 without one."""
    basis = reduced(bit_columns(layout, "left_inverse"))
    top = _greatest(layout)
    images = [basis[p][1] if p in basis else 0 for p in range(top.bit_length())]
    return _from_bits(images, top + 1, within=False)


def _greatest(layout: Layout) -> int:
    """The greatest value of a binary layout: greedy over the basis of all modes but the last, for each digit of the
    last.
    """
    live = [(s, d) for s, d in zip(*layout.flat(), strict=True) if s != 1]
    if not live:
        return 0
    inner = unwrap(live[:-1])
    basis = sorted((v for v, _ in reduced(bit_columns(inner, "left_inverse")).values()), reverse=True)
    extent, stride = live[-1]
    digits = range(extent)
    if not extent & (extent - 1):
        basis = sorted((v for v, _ in reduced(bit_columns(layout, "left_inverse")).values()), reverse=True)
        digits = range(1)
    best = 0
    for c in digits:
        start = c * stride
        value = start.value if isinstance(start, Xor) else 0
        for v in basis:
            value = max(value, value ^ v)
        best = max(best, value)
    return best
