"""Triton's shared encodings as layouts, coordinate to offset, and layouts as shared encodings."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.finding.criteria import bit_values, layout_of_bits, swizzle_form, xor_clash
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Xor
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor

from ..reading.reading import cannot

__all__ = ["nvmma_shared", "padded_shared", "shared_linear", "swizzled_shared", "write_linear", "write_swizzled"]


def swizzled_shared(
    vec: int, per_phase: int, max_phase: int, order: Sequence[int], shape: Sequence[int]
) -> tuple[Layout | Composed, str]:
    """R5: ``Sw<B,M,S> o 0 o (R,C):(C,1)`` and a note if the tensor is too small for the swizzle that was asked for."""
    if len(shape) == 1:
        return Layout(shape[0], 1), ""
    strides = [0] * len(shape)
    step = 1
    for axis in order:
        strides[axis] = step
        step *= shape[axis]
    plain = Layout(tuple(shape), tuple(strides))
    columns, rows = shape[order[0]], shape[order[1]]
    base = _log2(vec)
    shift = _log2(per_phase * columns) - base
    wanted = _log2(max_phase)
    bits = max(0, min(wanted, _log2(columns) - base, _log2(rows) - _log2(per_phase)))
    note = ""
    if bits < wanted:
        why = f"{vec} x {max_phase} elements do not fit in a row of {columns}" if _log2(columns) - base < wanted else ""
        why = why or f"{per_phase} x {max_phase} rows do not fit in {rows}"
        note = f"the swizzle is weakened from {max_phase} phases to {1 << bits}: {why}"
    return (plain if bits == 0 else Composed(Swizzle(bits, base, shift), 0, plain)), note


def nvmma_shared(width: int, transposed: bool, bits: int, shape: Sequence[int]) -> Layout | Composed:
    """R6: blocks of ``width`` bytes side by side, swizzled in 16 bytes; ``(R,(W,C/W)):(W,(1,R*W))`` elements."""
    if len(shape) != 2:
        raise cannot("an nvmma_shared encoding of rank 2 is covered, this tensor has another rank")
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
        swizzle = Swizzle(_log2(width // 16), _log2(128 // bits), 3)
    if transposed:
        found = [part[::-1] for part in found]
    plain = Layout(found[0], found[1])
    return plain if swizzle is None or swizzle.bits == 0 else Composed(swizzle, 0, plain)


def padded_shared(intervals: Sequence[tuple[int, int]], order: Sequence[int], shape: Sequence[int]) -> Layout:
    """R7: the row-major offset x becomes ``x + sum of floor(x/interval)*padding``: a layout split at the intervals."""
    total = prod(shape)
    cuts = sorted((every, pad) for every, pad in intervals if every < total)
    pieces: list[tuple[int, int]] = []
    weight = 1
    bounds = [every for every, _ in cuts] + [total]
    for i, bound in enumerate(bounds):
        if bound % weight:
            raise cannot(f"the intervals of the padding do not divide one another: {weight} and {bound}")
        stride = weight + sum(pad * (weight // every) for every, pad in cuts[:i])
        if bound > weight:
            pieces.append((bound // weight, stride))
        weight = bound
    # Walk the axes from the fastest on and cut the pieces where an axis ends.
    modes: dict[int, tuple[list[int], list[int]]] = {}
    for axis in order:
        left = shape[axis]
        shape_, stride_ = modes.setdefault(axis, ([], []))
        while left > 1:
            n, d = pieces[0]
            take = min(n, left)
            if n % take or left % take:
                raise cannot("a padding interval ends inside a row and does not divide it")
            shape_.append(take)
            stride_.append(d)
            left //= take
            pieces[0] = (n // take, d * take)
            if pieces[0][0] == 1:
                pieces.pop(0)
    parts = [modes[k] for k in range(len(shape))]
    shapes = [s[0] if len(s) == 1 else tuple(s) or 1 for s, _ in parts]
    strides = [d[0] if len(d) == 1 else tuple(d) or 0 for _, d in parts]
    return Layout(shapes[0], strides[0]) if len(shape) == 1 else Layout(tuple(shapes), tuple(strides))


def shared_linear(bases: Sequence[Sequence[int]], shape: Sequence[int]) -> Layout | Composed:
    """The inverse of an offset-to-coordinate map: strides where they exist, else a swizzle, else XOR strides."""
    widths = [_log2(n) for n in shape]
    starts = [sum(widths[:k]) for k in range(len(shape))]
    columns = []
    for basis in bases:
        if len(basis) != len(shape) or any(x < 0 or x >= n for x, n in zip(basis, shape, strict=True)):
            raise cannot(f"the basis {list(basis)} lies outside a tensor of {list(shape)}")
        columns.append(sum(x << s for x, s in zip(basis, starts, strict=True)))
    inverse = _inverse(columns, sum(widths))
    modes = [[inverse[s + b] for b in range(w)] for s, w in zip(starts, widths, strict=True)]
    return _of_bits(modes)


def _of_bits(modes: Sequence[Sequence[int]]) -> Layout | Composed:
    def unwrapped(found: Layout) -> Layout:
        return found if len(modes) > 1 else found[0]

    seen = 0
    for v in (v for bits in modes for v in bits):
        if seen & v:
            break
        seen |= v
    else:
        return unwrapped(layout_of_bits(modes))
    composed = swizzle_form(modes)
    if composed is not None:
        return Composed(composed.swizzle, 0, unwrapped(composed.layout))
    return unwrapped(layout_of_bits([[Xor.of(v) for v in bits] for bits in modes]))


def _inverse(columns: Sequence[int], n: int) -> list[int]:
    """For every unit vector the set of columns that gives it; LC103 if the matrix over F2 is singular."""
    if len(columns) != n:
        raise cannot(f"{len(columns)} offset bits cannot address 2^{n} elements one to one")
    rows = [(c, 1 << k) for k, c in enumerate(columns)]
    for bit in range(n):
        pivot = next((i for i in range(bit, n) if rows[i][0] >> bit & 1), None)
        if pivot is None:
            raise cannot("two offsets have one coordinate: the bases are linearly dependent")
        rows[bit], rows[pivot] = rows[pivot], rows[bit]
        value, made = rows[bit]
        rows = [(v ^ value, m ^ made) if i != bit and v >> bit & 1 else (v, m) for i, (v, m) in enumerate(rows)]
    return [made for _, made in rows]


def _log2(n: int) -> int:
    return n.bit_length() - 1


# ---- emission ----


def write_swizzled(value: Any) -> str | None:
    """``#ttg.swizzled_shared``; None if the layout is none of its kind.

    ``Sw<B,M,S> o 0 o (R,C):(C,1)`` is one iff C <= 2^(M+S), 2^(M+B) <= C and R*C >= 2^(M+S+B).
    """
    swizzle, plain = Swizzle(0, 0, 0), value
    if isinstance(value, Composed):
        swizzle, plain = value.swizzle, value.layout
        if value.offset != 0:
            return None
    if not isinstance(plain, Layout) or plain.rank != 2 or any(isinstance(s, tuple) for s in plain.shape):
        return None
    (m, n), stride = plain.shape, plain.stride
    if any(type(x) is not int or x & (x - 1) for x in (m, n)):
        return None
    if stride == (n, 1):
        rows, columns, order = m, n, [1, 0]
    elif stride == (1, m):
        rows, columns, order = n, m, [0, 1]
    else:
        return None
    vec, phases = 1 << swizzle.base, 1 << swizzle.bits
    if swizzle.bits == 0:
        return f"#ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = {order}}}>"
    window = 1 << (swizzle.base + max(0, swizzle.shift))
    if swizzle.shift < swizzle.bits or columns > window or vec * phases > columns or rows * columns < window * phases:
        return None
    return (
        f"#ttg.swizzled_shared<{{vec = {vec}, perPhase = {window // columns}, maxPhase = {phases}, order = {order}}}>"
    )


def write_linear(value: Any, shape: Any = None) -> str:
    """``#ttg.shared_linear``: exists iff the layout is an XOR of its bits and a bijection onto 0..2^n-1."""
    columns, extents = _columns(value, shape)
    n = sum(_log2(e) for e in extents)
    images = [c for _, _, c in columns]
    for c in images:
        if c >> n:
            raise _refused(
                f"not compact: offset {_largest(value)} is outside 0..{(1 << n) - 1}, #ttg.shared_linear has no holes"
            )
    units = [(axis, weight) for axis, weight, _ in columns]
    try:
        inverse = _inverse(images, n)
    except Exception:
        raise _refused("not injective") from None
    bases = []
    for made in inverse:
        basis = [0] * len(extents)
        for k, (axis, weight) in enumerate(units):
            if made >> k & 1:
                basis[axis] += weight
        bases.append(basis)
    return f"#ttg.shared_linear<{{offset = {bases}}}, alignment = 16>"


def _largest(value: Any) -> Any:
    return max(value.values())


def _columns(value: Any, shape: Any) -> tuple[list[tuple[int, int, int]], tuple[int, ...]]:
    """(axis, weight, offset) of every bit of every axis, and the extents."""
    if isinstance(value, Tensor):
        raise _refused(f"the value at the origin is {value(0)}, a linear map sends 0 to 0")
    if not isinstance(value, (Layout, Composed)):
        raise _refused(f"{value} is no layout of memory")
    inner = value.layout if isinstance(value, Composed) else value
    if inner.semimodule == "Z^P":
        raise _refused("its values are coordinates, not offsets")
    extents = tuple(size(m.shape) for m in inner.modes())
    if shape is not None and tuple(shape) != extents:
        raise _refused(f"the layout has sizes {extents}, the tensor {tuple(shape)}")
    for e in extents:
        if type(e) is not int or e & (e - 1):
            raise _refused(f"extent {e} is not a power of two")
    origin = value(0)
    if origin != 0:
        raise _refused(f"the value at the origin is {origin}, a linear map sends 0 to 0")
    try:
        clash = xor_clash(inner)
    except LayoutError as error:
        raise _refused(str(error)) from None
    if clash is not None:
        if isinstance(value, Composed):
            raise _refused(f"not XOR-linear: the inner layout {inner}: {clash}")
        raise _refused(f"not XOR-linear: {_flat(clash, inner)}")
    found = []
    for axis, mode in enumerate(inner.modes()):
        weight = 1
        for _, v in bit_values(mode):
            offset = v.value if isinstance(v, Xor) else v
            found.append((axis, weight, value.swizzle(offset) if isinstance(value, Composed) else offset))
            weight *= 2
    return found, extents


def _flat(clash: Any, layout: Layout) -> str:
    """The clash with one coordinate an axis, as a tensor has them."""
    from laycalc.algebra.values.shape import crd2idx

    at = clash.at
    if isinstance(layout.shape, tuple):
        at = tuple(crd2idx(c, s) for c, s in zip(clash.at, layout.shape, strict=True))
    return f"at {at} the value is {clash.value}, the XOR of the bits gives {clash.xored}"


def _refused(reason: str) -> Exception:
    return cannot(f"as #ttg.shared_linear: {reason}")
