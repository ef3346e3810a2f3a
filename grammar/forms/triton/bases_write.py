"""Thread-value layouts as bases over F2, which is what ``#ttg.linear`` writes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from laycalc.algebra.finding.criteria import bit_values, xor_clash
from laycalc.algebra.values.htuple import entries
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.shape import crd2idx

from ..reading.reading import cannot
from .linear import Bases, Basis

_LANES = 32


def bases_of(layout: Layout, shape: Sequence[int] | None = None) -> Bases:
    """The bases of a thread-value layout; LC103 with the reason if Triton has no such distribution.

    It exists iff the numbers of threads and values are powers of two, C1 holds on each axis, and the image is the
    whole tensor.
    """
    if layout.semimodule != "Z^P" or layout.rank not in (2, 3) or not isinstance(layout.shape, tuple):
        raise _refused("a layout (thread, value) or (thread, value, block) to coordinates is expected")
    _check_linear(layout)
    rank = max(len(shape or ()), _axes(layout))
    threads, values, *blocks = ([_basis(v, rank) for _, v in bit_values(mode)] for mode in layout.modes())
    columns = [*threads, *values, *(b for bits in blocks for b in bits)]
    own = tuple(1 << max((b[k].bit_length() for b in columns), default=0) for k in range(rank))
    extents = tuple(shape) if shape else own
    _check_cover(columns, extents)
    lanes = _LANES.bit_length() - 1
    return Bases(
        extents, tuple(values), tuple(threads[:lanes]), tuple(threads[lanes:]), tuple(*blocks) if blocks else ()
    )


def _check_linear(layout: Layout) -> None:
    for n in layout.flat()[0]:
        if type(n) is not int or n & (n - 1):
            raise _refused(f"extent {n} is not a power of two")
    clash = xor_clash(layout)
    if clash is not None:
        t, v = (crd2idx(entries(clash.at)[k], layout[k].shape) for k in (0, 1))
        raise _refused(
            f"not XOR-linear: at (T{t},V{v}) the cell is {clash.value}, the XOR of the bits gives {clash.xored}",
            {"thread": t, "value": v, "cell": clash.value, "xor": clash.xored},
        )


def _axes(layout: Layout) -> int:
    """How many flat axes the coordinates have."""
    paths = [p for d in layout.flat()[1] if isinstance(d, Coordinate) for p, _ in d.terms]
    if any(len(p) != 1 for p in paths):
        raise _refused("nested coordinates have no form, a tensor has flat ones")
    return max((p[0] for p in paths), default=0) + 1


def _check_cover(columns: Sequence[Basis], extents: tuple[int, ...]) -> None:
    """Every cell of the tensor is held, and none beyond it."""
    for b in columns:
        if any(x >= n for x, n in zip(b, extents, strict=True)):
            raise _refused(f"the cell {b} lies outside the tensor {extents}")
    covered, cells = 1 << sum(any(b) for b in columns), prod(extents)
    if covered < cells:
        raise _refused(
            f"only {covered} of {cells} cells are covered: Triton would repeat the layout over the rest in extra "
            "registers",
            {"covered": covered, "cells": cells},
        )


def _basis(element: Any, rank: int) -> Basis:
    axes = {p[0]: c for p, c in element.terms} if isinstance(element, Coordinate) else {}
    return tuple(axes.get(k, 0) for k in range(rank))


def _refused(reason: str, facts: dict[str, Any] | None = None) -> Exception:
    return cannot(f"as #ttg.linear: {reason}", facts=facts or {})
