"""XLA and JAX: ``f32[64,256]{1,0:T(8,128)}``, a shape with the order of its dimensions and tiles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import prod
from typing import Any, NamedTuple

from laycalc.algebra.coalesce import merged, unwrap
from laycalc.algebra.fit import fit
from laycalc.algebra.layout import Layout
from laycalc.algebra.shape import size
from laycalc.algebra.swizzle import Composed
from laycalc.algebra.tensor import Tensor
from laycalc.diagnostics.model import Failure

from .affine import BOX_LIMIT, box
from .reading import Reading, bad, cannot

__all__ = ["read", "recognise", "write"]

_TYPES = r"(?:pred|bf16|token|opaque|[fsucFSU]\d+(?:e\d+m\d+\w*)?|F32|BF16|f8\w*|c64|c128)"
_SHAPE = re.compile(
    rf"(?<![\w\[])(?P<type>{_TYPES})\[(?P<dims>[\d,<=\s]*)\](?!\[)(?:\{{(?P<order>[\d,\s]*)(?P<tail>(?::[^{{}}]*)?)\}})?"
)
_TILES = re.compile(r"\(([\d,*\s]+)\)")
_SUFFIX = re.compile(r"[A-SU-Z]\([^()]*\)|#\([^()]*\)")
_LINE = re.compile(
    rf"\s*(?:ROOT\s+)?(?:%?[\w.-]+\s*=\s*)?\(*{_TYPES}\[[\d,<=\s]*\](?!\s*[\[.])|.*entry_computation_layout=|\s*HloModule\b", re.DOTALL
)
_MAX = 1 << 40


class Digit(NamedTuple):
    """``floor(coordinate of dim / weight) mod size``; ``cut`` once a tile has split its dimension."""

    dim: int
    weight: int
    size: int
    cut: bool = False


def recognise(text: str) -> bool:
    """Does a line with an XLA shape begin here?"""
    found = _LINE.match(text)
    return found is not None and _SHAPE.search(text) is not None and "==" not in text


def read(text: str, shape: Any = None) -> Reading:
    """One shape, or all shapes of a line of HLO in turn."""
    shapes = list(_SHAPE.finditer(text))
    if not shapes:
        raise bad(text, 0, len(text), "a shape is expected", "f32[64,256]{1,0:T(8,128)}")
    readings = [_read(text, found) for found in shapes[:1000]]
    if len(readings) == 1:
        return readings[0]
    named = tuple((found[0], r.expression) for found, r in zip(shapes, readings, strict=False))
    return readings[0].replace(named=named, notes=(*readings[0].notes, f"the first of {len(readings)} shapes; all are kept by name"))


def _read(text: str, found: re.Match[str]) -> Reading:
    notes = []
    dims, order, tiles = _parts(text, found)
    if "<=" in found["dims"]:
        notes.append("a dimension with <= is only an upper bound")
    if dropped := " ".join(_SUFFIX.findall(found["tail"] or "")):
        notes.append(f"{dropped} was dropped: it does not change the layout")
    padded = _padded(dims, order, tiles)
    try:
        value: Any = _layout(dims, _digits(dims, order, tiles))
    except Failure as failure:
        value = _tabulated(dims, order, tiles)
        if value is None:
            raise cannot(failure.diagnostic.message, source=text) from None
        notes.append(f"the rule of digits does not apply ({failure.diagnostic.message}); found by tabulating")
    logical = prod(dims)
    facts: dict[str, Any] = {"logical": list(dims), "padded_elements": padded, "lost": "the element type"}
    if padded != logical:
        facts["padding"] = round(padded / logical, 3)
        facts["lost"] = "the element type, and the logical size: the sizes of the modes are the padded ones"
        notes.append(f"padding: {padded} elements for {logical}, {padded / logical:.3f} times")
    return Reading("xla", str(value), tuple(notes), facts=facts, value=value, source=text)


def _parts(text: str, found: re.Match[str]) -> tuple[tuple[int, ...], list[int], list[list[int | None]]]:
    """Sizes, minor to major, tiles (None is ``*``)."""
    dims = _numbers(text, found, "dims", found["dims"].replace("<=", ""))
    rank = len(dims)
    order = _numbers(text, found, "order", found["order"] or "") if found["order"] is not None else tuple(range(rank))[::-1]
    if rank and not order and found["order"] is not None:
        order = tuple(range(rank))[::-1]
    if sorted(order) != list(range(rank)):
        raise bad(text, *found.span("order"), f"minor to major is a permutation of 0..{rank - 1}")
    if any(n < 1 for n in dims):
        raise cannot("an array with a dimension of 0 has no elements", source=text)
    tail = found["tail"] or ""
    tiles: list[list[int | None]] = []
    if (start := tail.find("T(")) >= 0:
        end = start + 1
        while match := _TILES.match(tail, end):
            parts = [t.strip() for t in match[1].split(",")]
            if any(t != "*" and (not t.isdigit() or len(t) > 12 or int(t) < 1) for t in parts) or parts[-1] == "*":
                raise bad(text, *found.span("tail"), "a tile is a list of positive integers or *", "the last is no *")
            tiles.append([None if t == "*" else int(t) for t in parts])
            end = match.end()
    elif tail and not _SUFFIX.search(tail) and tail.strip(": "):
        raise bad(text, *found.span("tail"), "tiles are expected", ":T(8,128)")
    return dims, list(order), tiles


def _numbers(text: str, found: re.Match[str], group: str, inside: str) -> tuple[int, ...]:
    parts = [p.strip() for p in inside.split(",") if p.strip()]
    if any(not p.isdigit() or int(p[:14]) > _MAX or len(p) > 13 for p in parts):
        raise bad(text, *found.span(group), "integers are expected")
    return tuple(map(int, parts))


# ---- the rule ----


def _axes(dims: Sequence[int], order: Sequence[int]) -> list[list[Digit]]:
    return [[Digit(d, 1, dims[d])] for d in reversed(order)]


def _digits(dims: Sequence[int], order: Sequence[int], tiles: Sequence[Sequence[int | None]]) -> list[list[Digit]]:
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
        rest[-1:] = [Digit(digit.dim, digit.weight * t, outer, True)] if outer > 1 else []
        taken.insert(0, Digit(digit.dim, digit.weight, t, True))
        t = 1
    if t > 1:
        taken.insert(0, Digit(-1, 1, t))
    return rest, taken


def _layout(dims: Sequence[int], axes: Sequence[Sequence[Digit]]) -> Layout:
    """Each dimension as the layout of its digits, by rising weight."""
    strides: dict[int, list[tuple[int, int, int]]] = {d: [] for d in range(len(dims))}
    running = 1
    for axis in reversed(axes):
        for digit in reversed(axis):
            if digit.size > 1 and digit.dim >= 0:
                strides[digit.dim].append((digit.weight, digit.size, running))
            running *= digit.size
    modes = []
    for d in range(len(dims)):
        expected = 1
        leaves = sorted(strides[d])
        for weight, n, _ in leaves:
            if weight != expected:
                raise cannot(f"the digits of dimension {d} do not chain: weight {weight} after {expected}")
            expected = weight * n
        modes.append(unwrap(merged(tuple(n for _, n, _ in leaves), tuple(s for _, _, s in leaves))))
    if not modes:
        return Layout(1, 0)
    if len(modes) == 1:
        return modes[0]
    return Layout(tuple(m.shape for m in modes), tuple(m.stride for m in modes))


def _padded(dims: Sequence[int], order: Sequence[int], tiles: Sequence[Sequence[int | None]]) -> int:
    return prod(n for n, _ in _physical(dims, order, tiles, [[0]] * len(dims)))


def _physical(
    dims: Sequence[int], order: Sequence[int], tiles: Sequence[Sequence[int | None]], columns: Sequence[list[int]]
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


def _offsets(dims: Sequence[int], order: Sequence[int], tiles: Sequence[Sequence[int | None]]) -> list[int]:
    """The offset of every element, first dimension fastest, by definition."""
    found = [0] * prod(dims)
    for n, column in _physical(dims, order, tiles, box(dims)):
        found = [a * n + c for a, c in zip(found, column, strict=True)]
    return found


def _tabulated(dims: Sequence[int], order: Sequence[int], tiles: Sequence[Sequence[int | None]]) -> Any:
    if prod(dims) > BOX_LIMIT or not dims:
        return None
    found = fit(_offsets(dims, order, tiles), dims).value
    return found if isinstance(found, Layout) else None


# ---- emission ----


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
            found = _layout(dims, _digits(dims, order, tiles))
        except Failure:
            continue
        if found.flat() != value.flat() and not _same_leaves(found, leaves):
            if all(size(m.shape) == n for m, n in zip(found.modes(), dims, strict=True)):
                continue
            if prod(dims) > BOX_LIMIT:
                continue
            # Padded: the sizes differ, the offsets of the elements decide.
            wanted = value.elements() if wanted is None else wanted
            if _offsets(dims, order, tiles) != wanted:
                continue
        tail = ":T" + "".join(f"({','.join(map(str, t))})" for t in tiles) if tiles else ""
        return f"f32[{','.join(map(str, dims))}]{{{','.join(map(str, order))}{tail}}}"
    raise cannot(f"no order of dimensions with at most two tiles gives {value}: a gap or overlap that no padding explains")


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
            for first in product(*(edges[d] + ([p for p in pitches if p > dims[d]] if d == tail[-1] else []) for d in tail)):
                yield list(order), [list(first)]
        for k in range(2, min(rank, 3) + 1):
            tail = physical[-k:]
            for first in product(*(edges[d] for d in tail)):
                for second in product(*([e for e in edges[d] if first[i] % e == 0] for i, d in enumerate(tail))):
                    if prod(second) > 1 and second != first:
                        yield list(order), [list(first), list(second)]
                # A second tile that reaches the tiles' own grid: T(2,4)(2,1,1,1).
                for outer in product(*([e // first[i] for e in edges[d] if e % first[i] == 0] for i, d in enumerate(tail))):
                    if prod(outer) > 1:
                        yield list(order), [list(first), [*outer, *([1] * k)]]
