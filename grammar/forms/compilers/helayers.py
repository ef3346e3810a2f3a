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
    dims = _dims_of(value, shape)
    if dims is None or not _same(layout_of(dims), value):
        raise cannot(
            "tile dims are boxes in dimension order: a slot order with the first dimension fastest (column-major tile) "
            "has no tile tensor shape"
        )
    text = []
    for k, d in enumerate(dims):
        n = "*" if d.repeated else str(shape[k] if shape is not None and k < len(shape) else d.size)
        text.append(f"{n}{'~' if d.interleaved else ''}{f'/{d.tile}' if d.tile > 1 else ''}")
    return f"[{','.join(text)}]"


def _same(a: Layout, b: Layout) -> bool:
    return [merged(*m.flat()) for m in a.modes()] == [merged(*m.flat()) for m in b.modes()]


def _dims_of(value: Layout, shape: Any) -> list[Dim] | None:
    """The dimensions that the strides say: one axis has at most one slot leaf and one tile leaf."""
    slots, tiles = _leaves(value[0]), _leaves(value[1])
    if slots is None or tiles is None or any(x.axis is None for x in tiles):
        return None
    rank = max([*(x.axis + 1 for x in (*slots, *tiles) if x.axis is not None), len(shape or ()), 1])
    dims: list[Dim] = []
    for k in range(rank):
        found = _dim_of(*(next((x for x in leaves if x.axis == k), _Leaf(k, 1, 0)) for leaves in (slots, tiles)))
        if found is None:
            return None
        dims.append(found)
    return _with_repeats(dims, slots, growing=shape is None)


class _Leaf(NamedTuple):
    """Extent and step of a leaf along an axis; None for stride 0."""

    axis: int | None
    extent: int
    step: int


def _leaves(mode: Layout) -> list[_Leaf] | None:
    """The leaves of a mode with more than one element; None if one moves two axes, or two move one."""
    found: list[_Leaf] = []
    for n, d in merged(*mode.flat()):
        if n == 1:
            continue
        if type(n) is not int:
            return None
        if isinstance(d, Coordinate) and d.basis is not None and type(d.basis[1]) is int:
            found.append(_Leaf(d.basis[0][0], n, d.basis[1]))
        elif d == 0:
            found.append(_Leaf(None, n, 0))
        else:
            return None
    axes = [x.axis for x in found if x.axis is not None]
    return found if len(set(axes)) == len(axes) else None


def _dim_of(slot: _Leaf, tile: _Leaf) -> Dim | None:
    """The dimension with this slot leaf and this tile leaf."""
    t, n = slot.extent, tile.extent
    if n == 1 and t > 1 and slot.step > 1:
        return None
    whole = slot.step == 1 and tile.step == t
    return Dim(t * n, t, t > 1 and n > 1 and slot.step == n and tile.step == 1 and not whole)


def _with_repeats(dims: list[Dim], slots: list[_Leaf], *, growing: bool) -> list[Dim] | None:
    """A repeated dimension has no axis in the strides: it stands for one without any, where its slots lie.

    Slots count the last dimension first, so that it lies between the axes of its neighbours; behind the last axis
    there is room for further dimensions.
    """
    found = list(dims)
    for i, leaf in enumerate(slots):
        if leaf.axis is not None:
            continue
        before = next((x.axis for x in slots[i + 1 :] if x.axis is not None), -1)
        behind = slots[i - 1].axis if i else None
        free = [k for k in range(before + 1, len(found) if behind is None else behind) if found[k] == Dim(1, 1)]
        repeated = Dim(1, leaf.extent, False, True)
        if free:
            found[free[0]] = repeated
        elif behind is None and growing:
            found.append(repeated)
        else:
            return None
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
