"""Layouts as XLA shapes: a search over orders of the dimensions and at most two tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import prod
from typing import Any

from laycalc.algebra.values.coalesce import merged
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.diagnostics.model import Failure

from ..reading.affine import BOX_LIMIT
from ..reading.reading import cannot
from .xla_rule import digits, layout, offsets

__all__ = ["write"]


def write(value: Any, shape: Any = None) -> str:
    """``f32[..]{..:T(..)}`` with at most two tiles; the element type is ours to choose, f32."""
    if isinstance(value, Tensor):
        raise cannot("an offset has no XLA form")
    if isinstance(value, Composed):
        raise cannot(f"{value.swizzle} is an XOR swizzle: XLA tiles dimensions and moves no bits")
    if not isinstance(value, Layout) or value.semimodule != "Z":
        raise cannot(f"XLA has integer offsets: {value} has others")
    modes = value.modes()
    dims = tuple(size(m.shape) for m in modes)
    if any(type(n) is not int for n in (*value.flat()[0], *value.flat()[1])):
        raise cannot("XLA shapes are numbers: an extent or stride is not known")
    leaves = [merged(*m.flat()) for m in modes]
    if any(d == 0 for found in leaves for _, d in found):
        raise cannot("XLA arrays are dense: stride 0 has no form")
    if any(d < 0 for found in leaves for _, d in found):
        raise cannot("XLA arrays are dense: a negative stride has no form")
    wanted: list[int] | None = None
    for order, tiles in _candidates(dims, leaves):
        try:
            found = layout(dims, digits(dims, order, tiles))
        except Failure:
            continue
        if found.flat() != value.flat() and not _same_leaves(found, leaves):
            if all(size(m.shape) == n for m, n in zip(found.modes(), dims, strict=True)):
                continue
            if prod(dims) > BOX_LIMIT:
                continue
            # Padded: the sizes differ, the offsets of the elements decide.
            wanted = value.elements() if wanted is None else wanted
            if offsets(dims, order, tiles) != wanted:
                continue
        tail = ":T" + "".join(f"({','.join(map(str, t))})" for t in tiles) if tiles else ""
        return f"f32[{','.join(map(str, dims))}]{{{','.join(map(str, order))}{tail}}}"
    raise cannot(
        f"no order of dimensions with at most two tiles gives {value}: a gap or overlap that no padding explains"
    )


def _same_leaves(found: Layout, leaves: Sequence[list[tuple[Any, Any]]]) -> bool:
    return [merged(*m.flat()) for m in found.modes()] == list(leaves)


def _candidates(
    dims: Sequence[int], leaves: Sequence[list[tuple[Any, Any]]]
) -> Iterator[tuple[list[int], list[list[int | None]]]]:
    """Orders by rising stride first, then tiles whose edges are where the leaves of the layout end."""
    rank = len(dims)
    by_stride = sorted(range(rank), key=lambda k: (max((d for _, d in leaves[k]), default=0), k))
    orders = [by_stride, *(list(p) for p in permutations(range(rank)) if rank <= 4 and list(p) != by_stride)]
    edges = []
    for found in leaves:
        ends, running = {1}, 1
        for n, _ in found:
            running *= n
            ends.add(running)
        edges.append(sorted(ends))
    pitches = sorted({d for found in leaves for _, d in found if d > 1})[:8]
    for order in orders:
        yield list(order), []
    for order in orders:
        physical = list(reversed(order))
        for k in range(1, min(rank, 3) + 1):
            tail = physical[-k:]
            for first in product(
                *(edges[d] + ([p for p in pitches if p > dims[d]] if d == tail[-1] else []) for d in tail)
            ):
                yield list(order), [list(first)]
        for k in range(2, min(rank, 3) + 1):
            tail = physical[-k:]
            for first in product(*(edges[d] for d in tail)):
                for second in product(*([e for e in edges[d] if first[i] % e == 0] for i, d in enumerate(tail))):
                    if prod(second) > 1 and second != first:
                        yield list(order), [list(first), list(second)]
                # A second tile that reaches the tiles' own grid: T(2,4)(2,1,1,1).
                for outer in product(
                    *([e // first[i] for e in edges[d] if e % first[i] == 0] for i, d in enumerate(tail))
                ):
                    if prod(outer) > 1:
                        yield list(order), [list(first), [*outer, *([1] * k)]]
