"""Layouts of memory as ``#ttg.swizzled_shared`` and ``#ttg.shared_linear``."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.finding.criteria import bit_values, xor_clash
from laycalc.algebra.values.htuple import flatten
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Xor
from laycalc.algebra.values.shape import crd2idx, size
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.diagnostics.model import Failure

from ..reading.reading import cannot
from .bits import inverse, log2


def swizzled(value: Any) -> str | None:
    """``#ttg.swizzled_shared``; None if the layout is none of its kind.

    ``Sw<B,M,S> o 0 o (R,C):(C,1)`` is one iff C <= 2^(M+S), 2^(M+B) <= C and R*C >= 2^(M+S+B).
    """
    swizzle, plain = Swizzle(0, 0, 0), value
    if isinstance(value, Composed) and value.offset == 0:
        swizzle, plain = value.swizzle, value.layout
    matrix = _matrix(plain)
    if matrix is None:
        return None
    rows, columns, order = matrix
    vec, per_phase, phases = 1, 1, 1
    if swizzle.bits:
        vec, phases = 1 << swizzle.base, 1 << swizzle.bits
        window = 1 << (swizzle.base + max(0, swizzle.shift))
        if swizzle.shift < swizzle.bits or not columns <= window or vec * phases > columns:
            return None
        if rows * columns < window * phases:
            return None
        per_phase = window // columns
    return f"#ttg.swizzled_shared<{{vec = {vec}, perPhase = {per_phase}, maxPhase = {phases}, order = {order}}}>"


def _matrix(plain: Any) -> tuple[int, int, list[int]] | None:
    """Rows, columns and order of a dense matrix whose extents are powers of two."""
    if not isinstance(plain, Layout) or plain.rank != 2 or plain.depth != 1:
        return None
    m, n = flatten(plain.shape)
    if any(type(x) is not int or x & (x - 1) for x in (m, n)):
        return None
    if plain.stride == (n, 1):
        return m, n, [1, 0]
    return (n, m, [0, 1]) if plain.stride == (1, m) else None


def linear(value: Any, shape: Any = None) -> str:
    """``#ttg.shared_linear``: exists iff the layout is an XOR of its bits and a bijection onto 0..2^n-1."""
    inner = _memory(value)
    extents = _extents(inner, shape)
    _check_linear(value, inner)
    columns = _columns(value, inner)
    n = sum(map(log2, extents))
    if any(offset >> n for _, _, offset in columns):
        largest = max(value.values())
        raise _refused(f"not compact: offset {largest} is outside 0..{(1 << n) - 1}, #ttg.shared_linear has no holes")
    try:
        made = inverse([offset for _, _, offset in columns], n)
    except Failure:
        raise _refused("not injective") from None
    bases = [[0] * len(extents) for _ in made]
    for basis, bits in zip(bases, made, strict=True):
        for k, (axis, weight, _) in enumerate(columns):
            basis[axis] += weight * (bits >> k & 1)
    return f"#ttg.shared_linear<{{offset = {bases}}}, alignment = 16>"


def _memory(value: Any) -> Layout:
    """The layout below the swizzle, if it is one of memory."""
    if isinstance(value, Tensor):
        raise _refused(f"the value at the origin is {value(0)}, a linear map sends 0 to 0")
    if not isinstance(value, (Layout, Composed)):
        raise _refused(f"{value} is no layout of memory")
    inner = value.layout if isinstance(value, Composed) else value
    if inner.semimodule == "Z^P":
        raise _refused("its values are coordinates, not offsets")
    return inner


def _extents(layout: Layout, shape: Any) -> tuple[int, ...]:
    extents = tuple(size(m.shape) for m in layout.modes())
    if shape is not None and tuple(shape) != extents:
        raise _refused(f"the layout has sizes {extents}, the tensor {tuple(shape)}")
    for e in extents:
        if type(e) is not int or e & (e - 1):
            raise _refused(f"extent {e} is not a power of two")
    return extents


def _check_linear(value: Any, inner: Layout) -> None:
    """The values are the XOR of those of the bits, and 0 at the origin."""
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


def _columns(value: Any, inner: Layout) -> list[tuple[int, int, int]]:
    """(axis, weight, offset) of every bit of every axis."""
    found = []
    for axis, mode in enumerate(inner.modes()):
        weight = 1
        for _, v in bit_values(mode):
            offset = v.value if isinstance(v, Xor) else v
            found.append((axis, weight, value.swizzle(offset) if isinstance(value, Composed) else offset))
            weight *= 2
    return found


def _flat(clash: Any, layout: Layout) -> str:
    """The clash with one coordinate an axis, as a tensor has them."""
    at = clash.at
    if isinstance(layout.shape, tuple):
        at = tuple(crd2idx(c, s) for c, s in zip(clash.at, layout.shape, strict=True))
    return f"at {at} the value is {clash.value}, the XOR of the bits gives {clash.xored}"


def _refused(reason: str) -> Failure:
    return cannot(f"as #ttg.shared_linear: {reason}")
