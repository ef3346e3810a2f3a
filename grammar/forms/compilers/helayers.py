"""HeLayers tile tensors: ``[5/2,6/4]``, a tensor cut into tiles of one ciphertext each.

We give (slot, tile) to coordinates, which every tile tensor has.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from laycalc.algebra.values.coalesce import merged, unwrap
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.swizzle import Composed

from ..reading.form import Form
from ..reading.reading import Reading, bad, cannot, needs

_DIM = re.compile(r"\s*+(?P<n>\*|-?\d{1,12})\s*+(?P<flags>(?:~\??|\?~?)?)\s*+(?:/\s*+(?P<t>\d{1,12})\s*+)?")
_PYTHON = re.compile(r"\s*+(?:pyhelayers\.)?TTShape\(\s*+\[(?P<tiles>[\d,\s]*)\]\s*+\)\s*+$")


class Dim(NamedTuple):
    """Size, slots in a tile; interleaved: neighbours lie in different tiles; repeated: one value fills the slots."""

    size: int
    tile: int
    interleaved: bool = False
    repeated: bool = False


def guess(text: str) -> bool:
    """A list with a slash in it, which is an expression too."""
    return len(text) < 1000 and re.fullmatch(r"\s*+\[[\d/*?~,\s-]*/[\d/*?~,\s-]*\]?\s*+", text) is not None


def read(text: str, shape: Any = None) -> Reading:
    """A tile tensor shape."""
    if _PYTHON.match(text):
        raise needs(text, "a TTShape of tile sizes alone has no tensor size yet: print the shape of a tensor")
    stripped = text.strip()
    start = text.find("[")
    if start < 0 or not stripped.startswith("["):
        raise bad(text, 0, len(text), "a tile tensor shape is expected", "[5/2,6/4]")
    if not stripped.endswith("]"):
        raise bad(text, start, start + 1, "unbalanced bracket", "a ']' is missing")
    dims: list[Dim] = []
    position, end = start + 1, text.rstrip().rfind("]")
    while True:
        found = _DIM.match(text, position, end)
        if found is None:
            raise bad(text, position, end, "a dimension is expected", "n, n/t, n~/t or */t")
        dims.append(_dim(text, found))
        position = found.end()
        if position == end:
            break
        if text[position] != ",":
            raise bad(text, position, position + 1, "a comma is expected")
        position += 1
        if len(dims) > 64:
            raise bad(text, start, end, "more than 64 dimensions")
    return _reading(text, dims)


def _dim(text: str, found: re.Match[str]) -> Dim:
    if found["n"].startswith("-"):
        raise needs(text, "a dimension of -1 has no size yet: encode a tensor first")
    n = 1 if found["n"] == "*" else int(found["n"])
    t = int(found["t"] or 1)
    if n < 1 or t < 1:
        raise bad(text, *found.span(), "sizes are positive")
    if found["n"] == "*" and "~" in found["flags"]:
        raise bad(text, *found.span(), "one value that fills the slots, *, has no neighbours to interleave")
    return Dim(n, t, "~" in found["flags"], found["n"] == "*")


def _reading(text: str, dims: list[Dim]) -> Reading:
    value = layout_of(dims)
    padded = [d.tile * -(-d.size // d.tile) if not d.repeated else 1 for d in dims]
    logical = [d.size for d in dims]
    notes = ["(slot, tile) to coordinates"]
    facts: dict[str, Any] = {
        "direction": "(slot, tile) -> coordinate",
        "logical": logical,
        "forward": str(forward(dims)),
        "lost": "the ? flag",
    }
    if padded != logical:
        facts["lost"] = "the ? flag and the logical size: cells outside the tensor are padding"
        notes.append(f"cells outside {tuple(logical)} are padding")
    return Reading("helayers", str(value), tuple(notes), facts=facts, value=value, source=text)


def _unit(axis: int, factor: int) -> Any:
    return Coordinate.of((((axis,), factor),))


def layout_of(dims: list[Dim]) -> Layout:
    """(slot, tile) to coordinates.

    Slots: dimensions last to first, t : e, or count*e interleaved, 0 repeated. Tiles: first to last, count : t*e, or e.
    """
    counts = [1 if d.repeated else -(-d.size // d.tile) for d in dims]
    slots = [
        (d.tile, 0 if d.repeated else _unit(k, counts[k] if d.interleaved else 1))
        for k, d in reversed(list(enumerate(dims)))
        if d.tile > 1
    ]
    tiles = [(n, _unit(k, 1 if dims[k].interleaved else dims[k].tile)) for k, n in enumerate(counts) if n > 1]
    return _pair(slots, tiles)


def _pair(*modes: list[tuple[int, Any]]) -> Layout:
    parts = [unwrap(merged(tuple(n for n, _ in leaves), tuple(d for _, d in leaves))) for leaves in modes]
    return Layout(tuple(p.shape for p in parts), tuple(p.stride for p in parts))


def forward(dims: list[Dim]) -> Layout:
    """Coordinate to slot + slots*tile; a repeated dimension has its first copy."""
    counts = [1 if d.repeated else -(-d.size // d.tile) for d in dims]
    slots = 1
    weights: list[tuple[int, int]] = [(0, 0)] * len(dims)
    for k in reversed(range(len(dims))):
        weights[k] = (slots, 0)
        slots *= dims[k].tile
    step = slots
    for k, n in enumerate(counts):
        weights[k] = (weights[k][0], step)
        step *= n
    modes = []
    for (slot, tile), d, n in zip(weights, dims, counts, strict=True):
        inner, outer = (d.tile, slot), (n, tile)
        leaves = [(1, 0)] if d.repeated else [outer, inner] if d.interleaved else [inner, outer]
        modes.append(leaves)
    return _pair(*modes)


def write(value: Any, shape: Any = None) -> str:
    """The tile tensor shape of a layout (slot, tile) to coordinates with exactly its strides."""
    if isinstance(value, Composed):
        raise cannot(
            f"{value.swizzle} moves slots by XOR: HeLayers has only contiguous, interleaved, duplicated and "
            "diagonalized dimensions"
        )
    if not isinstance(value, Layout) or value.rank != 2 or not isinstance(value.shape, tuple):
        raise cannot("a layout (slot, tile) to coordinates is expected")
    rank = _rank(value, shape)
    for dims in _candidates(value, rank):
        if layout_of(dims) == value or _same(layout_of(dims), value):
            text = []
            for k, d in enumerate(dims):
                n = "*" if d.repeated else str(shape[k] if shape is not None and k < len(shape) else d.size)
                text.append(f"{n}{'~' if d.interleaved else ''}{f'/{d.tile}' if d.tile > 1 else ''}")
            return f"[{','.join(text)}]"
    raise cannot(
        "tile dims are boxes in dimension order: a slot order with the first dimension fastest (column-major tile) "
        "has no tile tensor shape"
    )


def _same(a: Layout, b: Layout) -> bool:
    return [merged(*m.flat()) for m in a.modes()] == [merged(*m.flat()) for m in b.modes()]


def _rank(value: Layout, shape: Any) -> int:
    axes = [p[0] for d in value.flat()[1] if isinstance(d, Coordinate) for p, _ in d.terms]
    return max([*(a + 1 for a in axes), len(shape or ()), 1])


def _candidates(value: Layout, rank: int) -> list[list[Dim]]:
    """The dimensions that the strides say: one axis has at most one slot leaf and one tile leaf."""
    slots, tiles = _by_axis(value[0]), _by_axis(value[1])
    if slots is None or tiles is None or tiles.repeats:
        return []
    dims: list[Dim] = []
    for k in range(rank):
        dim = _dim_of(slots.axes.get(k, _ABSENT), tiles.axes.get(k, _ABSENT))
        if dim is None:
            return []
        dims.append(dim)
    return _with_repeats(dims, slots.repeats)


_ABSENT = (1, 0)


class _Leaves(NamedTuple):
    """The leaves of a mode: extent and step by axis, and the extents of stride 0."""

    axes: dict[int, tuple[int, int]]
    repeats: list[int]


def _by_axis(mode: Layout) -> _Leaves | None:
    """The leaves sorted by the axis that they move; None if one moves two, or two move one."""
    found = _Leaves({}, [])
    for n, d in zip(*mode.flat(), strict=True):
        if n == 1:
            continue
        if type(n) is not int:
            return None
        if isinstance(d, Coordinate) and d.basis is not None and type(d.basis[1]) is int:
            axis = d.basis[0][0]
            if axis in found.axes:
                return None
            found.axes[axis] = (n, d.basis[1])
        elif d == 0:
            found.repeats.append(n)
        else:
            return None
    return found


def _dim_of(slot: tuple[int, int], tile: tuple[int, int]) -> Dim | None:
    """The dimension with this slot leaf and this tile leaf, (extent, step) each."""
    (t, within), (n, step) = slot, tile
    if n == 1 and t > 1 and within > 1:
        return None
    interleaved = t > 1 and n > 1 and within == n and step == 1 and not (within == 1 and step == t)
    return Dim(t * n, t, interleaved)


def _with_repeats(dims: list[Dim], repeats: list[int]) -> list[list[Dim]]:
    """A repeated dimension has no axis in the strides: it may stand for any axis without one."""
    free = [k for k, d in enumerate(dims) if d == Dim(1, 1)]
    if len(repeats) != 1 or not free:
        return [dims]
    (rest,) = repeats
    found = [[*dims[:k], Dim(1, rest, False, True), *dims[k + 1 :]] for k in free]
    if len(free) >= 2:
        # A stride-0 slot mode may also be several repeated dimensions side by side.
        split = list(dims)
        for k in free[:-1]:
            if rest % 2 == 0 and rest > 2:
                split[k], rest = Dim(1, 2, False, True), rest // 2
        split[free[-1]] = Dim(1, rest, False, True)
        found.append(split)
    return found


FORM = Form(
    name="helayers",
    title="HeLayers tile tensors",
    example="[5/2,6/4]",
    aliases=("tile-tensor",),
    lost="the ? flag and the logical size",
    guess=guess,
    order=100,
    read=read,
    write=write,
    surplus=(
        "[5/2/3,6/4]",
        "[5/2!,6/4]",
    ),
)
