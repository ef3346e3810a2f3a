"""Tables of coordinates to layouts, at the speed of integers: each coordinate is packed into one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laycalc.algebra.finding.fit import Fit, fit
from laycalc.algebra.values.htuple import map_leaves
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.tensor import Tensor

_WIDTH = 64
"""Bits of one coordinate: a multiple of a value below 2^40 by an index below 2^20 stays below 2^63."""

_TOLD = 1 << 14
"""Up to so many cells the reason of a failure is worked out with the coordinates themselves."""


def fit_cells(columns: Sequence[Sequence[int]], shape: Sequence[int]) -> Fit:
    """`fit` for coordinates, one column of values an axis; strides only."""
    if any(abs(c) >> 40 for column in columns for c in column):
        return fit([Coordinate.of(((k,), c) for k, c in enumerate(cell)) for cell in zip(*columns, strict=True)], shape)
    packed = [0] * len(columns[0])
    for axis, column in enumerate(columns):
        packed = [p + (c << (_WIDTH * axis)) for p, c in zip(packed, column, strict=True)]
    found = fit(packed, shape, xor=False)
    rank = len(columns)
    if found.value is not None:
        return found.replace(value=_unpacked(found.value, rank))
    if len(packed) > _TOLD:
        return Fit(None, reason="no layout has these coordinates")
    return fit([_element(p, rank) for p in packed], shape)


def _unpacked(value: Any, rank: int) -> Any:
    if isinstance(value, Tensor):
        return Tensor(_element(value.offset, rank), _unpacked(value.layout, rank))
    return Layout(value.shape, map_leaves(lambda d: _element(d, rank), value.stride))


def _element(packed: int, rank: int) -> Any:
    """The coordinate of an integer; each part is between -2^63 and 2^63."""
    terms = []
    for axis in range(rank):
        part = packed & ((1 << _WIDTH) - 1)
        part -= (part >> (_WIDTH - 1)) << _WIDTH
        packed = (packed - part) >> _WIDTH
        terms.append(((axis,), part))
    return Coordinate.of(terms)
