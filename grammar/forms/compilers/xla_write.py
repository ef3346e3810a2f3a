"""Layouts as XLA shapes: a search over orders of the dimensions and at most two tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import prod
from typing import Any, TypeAlias

from laycalc.algebra.values.coalesce import merged
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.diagnostics.model import Failure

from ..reading.affine import BOX_LIMIT
from ..reading.reading import cannot
from .xla_rule import Tiles, digits, layout, offsets

Leaves: TypeAlias = Sequence[list[tuple[Any, Any]]]
"""Merged leaves ``(extent, stride)`` of every mode."""

_ORDERS_OF_RANK = 4
"""Up to this rank all orders of the dimensions are tried."""

_TILED = 3
"""A tile has at most so many dimensions."""


def write(value: Any, shape: Any = None) -> str:
    """``f32[..]{..:T(..)}`` with at most two tiles; the element type is ours to choose, f32."""
    wanted = _Wanted(_dense(value))
    for order, tiles in _candidates(wanted.dims, wanted.leaves):
        if wanted.is_met_by(order, tiles):
            tail = ":T" + "".join(f"({','.join(map(str, t))})" for t in tiles) if tiles else ""
            return f"f32[{','.join(map(str, wanted.dims))}]{{{','.join(map(str, order))}{tail}}}"
    raise cannot(
        f"no XLA shape was found for {value}: orders of the dimensions with at most two tiles, of up to {_TILED} "
        "dimensions each, were tried"
    )


def _dense(value: Any) -> Layout:
    """The value, if it is of the kind that XLA has: known positive integer strides and no offset; LC103 otherwise."""
    if isinstance(value, Tensor):
        raise cannot("an offset has no XLA form")
    if isinstance(value, Composed):
        raise cannot(f"{value.swizzle} is an XOR swizzle: XLA tiles dimensions and moves no bits")
    if not isinstance(value, Layout) or value.semimodule != "Z":
        raise cannot(f"XLA has integer offsets: {value} has others")
    shape, stride = value.flat()
    if any(type(n) is not int for n in (*shape, *stride)):
        raise cannot("XLA shapes are numbers: an extent or stride is not known")
    moved = [d for m in value.modes() for _, d in merged(*m.flat())]
    if any(d == 0 for d in moved):
        raise cannot("XLA arrays are dense: stride 0 has no form")
    if any(d < 0 for d in moved):
        raise cannot("XLA arrays are dense: a negative stride has no form")
    return value


class _Wanted:
    """The layout to write, against which candidates are held."""

    def __init__(self, value: Layout) -> None:
        self.value = value
        self.dims: tuple[int, ...] = tuple(size(m.shape) for m in value.modes())
        self.leaves: Leaves = [merged(*m.flat()) for m in value.modes()]
        self._offsets: list[int] | None = None

    def is_met_by(self, order: list[int], tiles: Tiles) -> bool:
        """Do this order and these tiles put every element where the layout does?"""
        try:
            found = layout(self.dims, digits(self.dims, order, tiles))
        except Failure:
            return False
        if found.flat() == self.value.flat() or [merged(*m.flat()) for m in found.modes()] == list(self.leaves):
            return True
        if all(size(m.shape) == n for m, n in zip(found.modes(), self.dims, strict=True)):
            return False
        # Padded: the sizes differ, the offsets of the elements decide.
        return prod(self.dims) <= BOX_LIMIT and offsets(self.dims, order, tiles) == self._elements()

    def _elements(self) -> list[int]:
        if self._offsets is None:
            self._offsets = self.value.elements()
        return self._offsets


def _candidates(dims: Sequence[int], leaves: Leaves) -> Iterator[tuple[list[int], Tiles]]:
    """Orders by rising stride first, then tiles whose edges are where the leaves of the layout end."""
    orders = list(_orders(leaves))
    edges = [_edges(found) for found in leaves]
    padded = [_padded(own, n, leaves) for own, n in zip(edges, dims, strict=True)]
    for order in orders:
        yield list(order), []
    for order in orders:
        tails = [order[:k][::-1] for k in range(1, min(len(dims), _TILED) + 1)]
        for tail in tails:
            ends = product(*(edges[d] for d in tail[:-1]), padded[tail[-1]])
            yield from ((list(order), [list(first)]) for first in ends)
        for tail in tails[1:]:
            own = [edges[d] for d in tail]
            yield from ((list(order), tiles) for first in product(*own) for tiles in _second(own, first))


def _padded(edges: Sequence[int], extent: int, leaves: Leaves) -> list[int]:
    """Edges of the last dimension of a tile, which may be padded to a pitch."""
    pitches = sorted({d for found in leaves for _, d in found if d > 1})[:8]
    return [*edges, *(p for p in pitches if p > extent)]


def _orders(leaves: Leaves) -> Iterator[list[int]]:
    """Minor to major: by rising stride, then, for few dimensions, every other order."""
    rank = len(leaves)
    by_stride = sorted(range(rank), key=lambda k: (max((d for _, d in leaves[k]), default=0), k))
    yield by_stride
    if rank <= _ORDERS_OF_RANK:
        yield from (list(p) for p in permutations(range(rank)) if list(p) != by_stride)


def _edges(leaves: list[tuple[Any, Any]]) -> list[int]:
    """Where the leaves of a mode end: the products of the first k extents."""
    ends = [1]
    for n, _ in leaves:
        ends.append(ends[-1] * n)
    return sorted(set(ends))


def _second(edges: Sequence[list[int]], first: tuple[int, ...]) -> Iterator[Tiles]:
    """A first tile with second ones: inside of it, or over the grid of the tiles."""
    for inner in product(*([e for e in own if t % e == 0] for own, t in zip(edges, first, strict=True))):
        if prod(inner) > 1 and inner != first:
            yield [list(first), list(inner)]
    # A second tile that reaches the tiles' own grid: T(2,4)(2,1,1,1).
    for outer in product(*([e // t for e in own if e % t == 0] for own, t in zip(edges, first, strict=True))):
        if prod(outer) > 1:
            yield [list(first), [*outer, *([1] * len(first))]]
