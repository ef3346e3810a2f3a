"""What XLA's order and tiles mean: the rule of digits, and the definition by pad, reshape, transpose."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple, TypeAlias

from laycalc.algebra.finding.fit import fit
from laycalc.algebra.values.coalesce import merged, unwrap
from laycalc.algebra.values.layout import Layout

from ..reading.affine import BOX_LIMIT, box
from ..reading.reading import cannot

Tiles: TypeAlias = Sequence[Sequence[int | None]]
"""Tiles in the order in which they are applied; None merges a dimension with the next one."""


class Digit(NamedTuple):
    """``floor(c / weight) mod size`` of ``c``, the coordinate of dim modulo ``end`` (None: all of it).

    ``cut`` once a tile has split its dimension.
    """

    dim: int
    weight: int
    size: int
    cut: bool = False
    end: int | None = None


def _axes(dims: Sequence[int], order: Sequence[int]) -> list[list[Digit]]:
    return [[Digit(d, 1, dims[d])] for d in reversed(order)]


def digits(dims: Sequence[int], order: Sequence[int], tiles: Tiles) -> list[list[Digit]]:
    """The digits of every physical axis, major to minor, after all tiles."""
    axes = _axes(dims, order)
    for tile in tiles:
        lead = len(axes) - len(tile)
        if lead < 0:
            axes = [[] for _ in range(-lead)] + axes
            lead = 0
        outer: list[list[Digit]] = []
        inner: list[list[Digit]] = []
        pending: list[Digit] = []
        for axis, t in zip(axes[lead:], tile, strict=True):
            combined = [*pending, *axis]
            if t is None:
                pending = combined
                continue
            rest, taken = _split(combined, t)
            pending = []
            outer.append(rest)
            inner.append(taken)
        axes = [*axes[:lead], *outer, *inner]
    return axes


def _split(axis: list[Digit], t: int) -> tuple[list[Digit], list[Digit]]:
    """Cut an axis into (ceil(n/t), t): the minor-most digits are the tile."""
    taken: list[Digit] = []
    rest = list(axis)
    whole = t
    while rest and t > 1:
        digit = rest[-1]
        if len([d for d in rest if d.size > 1]) > 1 and t >= digit.size and t % digit.size == 0:
            taken.insert(0, rest.pop())
            t //= digit.size
            continue
        if len(axis) > 1 and digit.size % t:
            raise cannot(f"tile {whole} cuts the combined dimensions inside dimension {digit.dim} of size {digit.size}")
        outer = -(-digit.size // t)
        weight, end = digit.weight * t, digit.end
        rest[-1:] = [Digit(digit.dim, weight, outer, True, end)] if outer > 1 else []
        inner_end = end if outer == 1 else weight if end is None else min(weight, end)
        taken.insert(0, Digit(digit.dim, digit.weight, t, True, inner_end))
        t = 1
    if t > 1:
        taken.insert(0, Digit(-1, 1, t))
    return rest, taken


def layout(dims: Sequence[int], axes: Sequence[Sequence[Digit]]) -> Layout:
    """Each dimension as the layout of its digits, by rising weight."""
    strides: dict[int, list[tuple[Digit, int]]] = {d: [] for d in range(len(dims))}
    running = 1
    for axis in reversed(axes):
        for digit in reversed(axis):
            if digit.size > 1 and digit.dim >= 0:
                strides[digit.dim].append((digit, running))
            running *= digit.size
    modes = [_mode(_chained(d, strides[d])) for d in strides]
    if not modes:
        return Layout(1, 0)
    if len(modes) == 1:
        return modes[0]
    return Layout(tuple(m.shape for m in modes), tuple(m.stride for m in modes))


def _mode(leaves: Sequence[tuple[int, int]]) -> Layout:
    return unwrap(merged(tuple(n for n, _ in leaves), tuple(d for _, d in leaves)))


def _chained(dim: int, digits: Sequence[tuple[Digit, int]]) -> list[tuple[int, int]]:
    """The digits of a dimension, each with its stride, as leaves of a layout."""
    leaves: list[tuple[int, int, int]] = []
    for digit, stride in sorted(digits, key=lambda x: x[0].weight):
        if digit.end is None or digit.weight < digit.end:
            leaves.append((digit.weight, digit.size, stride))
        if digit.end is not None and digit.weight < digit.end < digit.weight * digit.size:
            leaves = _ended(dim, leaves, digit.end)
    expected = 1
    for weight, n, _ in leaves:
        if weight != expected:
            raise cannot(f"the digits of dimension {dim} do not chain: weight {weight} after {expected}")
        expected = weight * n
    return [(n, stride) for _, n, stride in leaves]


def _ended(dim: int, leaves: list[tuple[int, int, int]], end: int) -> list[tuple[int, int, int]]:
    """Leaves (weight, size, stride) without the padding at and beyond ``end``.

    The last leaf is shortened; where it does not end there, it first grows over the ones that it continues.
    """
    *rest, (weight, n, stride) = leaves
    held = weight * n
    while end % weight and rest and rest[-1][1] * rest[-1][2] == stride:
        weight, less, stride = rest.pop()
        n *= less
    if end % weight:
        raise cannot(f"the digits of dimension {dim} do not chain: weight {end} after {held}")
    return [*rest, (weight, end // weight, stride)]


def padded_size(dims: Sequence[int], order: Sequence[int], tiles: Tiles) -> int:
    return prod(n for n, _ in _physical(dims, order, tiles, [[0]] * len(dims)))


def _physical(
    dims: Sequence[int], order: Sequence[int], tiles: Tiles, columns: Sequence[list[int]]
) -> list[tuple[int, list[int]]]:
    """(padded size, coordinate of every point) of each physical axis: pad, reshape, transpose, tile by tile."""
    axes = [(dims[d], columns[d]) for d in reversed(order)]
    count = len(columns[0]) if columns else 1
    for tile in tiles:
        while len(axes) < len(tile):
            axes.insert(0, (1, [0] * count))
        lead = len(axes) - len(tile)
        outer, inner = [], []
        merged_size, merged_column = 1, [0] * count
        for (n, column), t in zip(axes[lead:], tile, strict=True):
            merged_column = [a * n + b for a, b in zip(merged_column, column, strict=True)]
            merged_size *= n
            if t is None:
                continue
            outer.append((-(-merged_size // t), [c // t for c in merged_column]))
            inner.append((t, [c % t for c in merged_column]))
            merged_size, merged_column = 1, [0] * count
        axes = [*axes[:lead], *outer, *inner]
    return axes


def offsets(dims: Sequence[int], order: Sequence[int], tiles: Tiles) -> list[int]:
    """The offset of every element, first dimension fastest, by definition."""
    found = [0] * prod(dims)
    for n, column in _physical(dims, order, tiles, box(dims)):
        found = [a * n + c for a, c in zip(found, column, strict=True)]
    return found


def tabulated(dims: Sequence[int], order: Sequence[int], tiles: Tiles) -> Any:
    if prod(dims) > BOX_LIMIT or not dims:
        return None
    found = fit(offsets(dims, order, tiles), dims, xor=False).value
    return found if isinstance(found, Layout) else None
