"""The steps of an operation as panels, in each of which a cell has the colour of the element that it stands for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.operations.complement import complement
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.operations.divide import logical_divide, zipped_divide
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.tiler import Tiler

from ..scene.palette import SERIES
from ..scene.records import Picture
from ..scene.roles import group_role
from ..scene.sample import Samples
from ..scene.scene import Arrow, Key, Panel, Scene
from .colouring import only
from .grid import check_labelled, grid_panel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scene.options import Options

Role = Callable[[int, int, int], str]
STEPS = {"composition": "composition-steps", "logical_divide": "divide-steps", "complement": "complement-steps"}
"""The kind of picture that shows an operation by its steps."""


def composition_steps(values: Sequence[Any], options: Options) -> Scene:
    """``(A, B)``: what B gives, where that lies in A, and what A gives there."""
    a, b = _pair(values)
    result = composition(a, b)
    check_labelled(Samples(a).size + Samples(result).size, options)
    places = [_cell(a, at) for at in composition(_cells(a), b).values()]
    role = _groups(len(places))
    rows = Samples(result).rows

    def of(i: int, j: int, n: int) -> str:
        return role(i + rows * j)

    found: dict[tuple[int, int], str] = {}
    for k, place in enumerate(places):
        found.setdefault(place, role(k))
    inner = composition(_cells(a), b) if isinstance(b, Tiler) else b
    panels = [
        grid_panel(inner, options, title=f"B = {b}", role=of),
        grid_panel(a, options, title=f"A = {a}", at=(0, 1), role=only(found, lambda i, j, n: found[i, j])),
        grid_panel(result, options, title=f"A o B = {result}", at=(0, 2), role=of),
    ]
    said = f"{b} names elements of {a}; the composition {result} gives what the latter has there."
    return _scene("composition-steps", panels, options, said, "in A at", "gives")


def divide_steps(values: Sequence[Any], options: Options) -> Scene:
    """``(A, B)``: the tile, the places of its copies, A by tiles, and the divided layout."""
    a, b = _pair(values)
    result = logical_divide(a, b)
    check_labelled(Samples(a).size + Samples(result).size, options)
    divided = zipped_divide(_cells(a), b)
    check_labelled(Samples(divided).size, options)
    inside, count = divided[0].size, divided[1].size
    tiles = {_cell(a, at): k // inside for k, at in enumerate(divided.values())}
    role = _groups(count)
    whole = grid_panel(a, options, title=f"A = {a}", role=only(tiles, lambda i, j, n: role(tiles[i, j])))
    last = grid_panel(result, options, title=f"A / B = {result}", role=_tile_of(result, role, isinstance(b, Layout)))
    panels = [whole, last]
    if isinstance(b, Layout):
        rest = complement(b, size(a.shape))
        panels = [
            grid_panel(b, options, title=f"B = {b}", role=lambda i, j, n: role(0)),
            grid_panel(rest, options, title=f"B* = {rest}", role=lambda i, j, n: role(i + Samples(rest).rows * j)),
            *panels,
        ]
    panels = [replace(p, at=(0, k)) for k, p in enumerate(panels)]
    said = f"{a} divided by {b} is {result}: {count} tiles of {inside}, each in a colour of its own."
    keys = [Key(role(k), f"tile {k}") for k in range(count)] if count <= SERIES else []
    return _scene("divide-steps", panels, options, said, keys=keys)


def complement_steps(values: Sequence[Any], options: Options) -> Scene:
    """``(A, N)``: A, its complement, and both together as they cover what lies below N."""
    a, *bound = values
    if not isinstance(a, Layout) or len(bound) > 1 or not all(isinstance(n, int) for n in bound):
        raise refuse("LC103", "a picture of the steps of a complement takes a layout and a size", op="draw")
    rest = complement(a, *bound)
    both = concat(a, rest)
    check_labelled(Samples(both).size, options)
    count = size(rest.shape)
    role = _groups(count)
    rows, wide = size(a.shape), max(1, size(a.shape))
    copies = {n: k // rows for k, n in reversed(list(enumerate(both.values())))}
    line = Layout(1 + max(copies))
    panels = [
        grid_panel(a, options, title=f"A = {a}", role=lambda i, j, n: role(0)),
        grid_panel(rest, options, title=f"A* = {rest}", role=lambda i, j, n: role(i + Samples(rest).rows * j)),
        grid_panel(
            line,
            replace(options, wrap=options.wrap or max(8, wide)),
            title="(A, A*) in memory",
            role=lambda i, j, n: role(copies[n]) if n in copies else "plain",
        ),
    ]
    panels = [replace(p, at=(0, k)) for k, p in enumerate(panels)]
    said = f"The complement of {a} is {rest}: {count} copies of A, each in a colour of its own, cover the memory."
    keys = [Key(role(k), f"copy {k}") for k in range(count)] if count <= SERIES else []
    return _scene("complement-steps", panels, options, said, keys=keys)


def _scene(kind: str, panels: list[Panel], options: Options, said: str, *words: str, keys: Sequence[Key] = ()) -> Scene:
    arrows = tuple(Arrow(k, k + 1, word) for k, word in enumerate(words))
    return options.scene(kind, panels, said, caption=said, legend=keys, arrows=arrows)


def _pair(values: Sequence[Any]) -> tuple[Any, Any]:
    """A layout, and a layout or tiler; LC103 for anything else."""
    fits = len(values) == 2 and isinstance(values[0], Layout) and isinstance(values[1], (Layout, Tiler))
    if not fits or Samples(values[0]).rank > 2:
        said = "a picture of steps takes a layout of rank 1 or 2 and a layout or tiler"
        raise refuse("LC103", said, op="draw")
    return values[0], values[1]


def _groups(count: int) -> Callable[[int], str]:
    """A hue for each of a few elements, for neighbours of many."""
    return lambda k: group_role(k if count <= SERIES else k * SERIES // count)


def _cells(layout: Any) -> Layout:
    """The layout of the cells themselves: (row, column) at every coordinate, the index of a layout of rank 1."""
    samples = Samples(layout)
    if samples.rank < 2:
        return Layout(samples.size, Coordinate((((0,), 1),)))
    return Layout((samples.rows, samples.columns), (Coordinate((((0,), 1),)), Coordinate((((1,), 1),))))


def _cell(layout: Any, at: Any) -> tuple[int, int]:
    """The row and the column of a cell: a layout of rank 1 is a row."""
    if not isinstance(at, tuple):
        return 0, at
    first, second = (*at, 0, 0)[:2]
    return (first, second) if Samples(layout).rank > 1 else (0, first)


def _tile_of(result: Any, role: Callable[[int], str], flat: bool) -> Role:
    """The tile of a cell of the divided layout: its second mode, or the outer part of each of its modes."""
    if flat:
        return lambda i, j, n: role(j)
    tall, wide = (size(mode[0]) for mode in result.shape)
    down = size(result.shape[0]) // tall
    return lambda i, j, n: role(i // tall + down * (j // wide))


OPTIONS = ("label", "highlight", "crop", "limit", "bits", "wrap")
COMPOSITION = Picture("composition-steps", "layouts A and B", composition_steps, several=True, options=OPTIONS)
DIVIDE = Picture("divide-steps", "a layout A and a layout or tiler B", divide_steps, several=True, options=OPTIONS)
COMPLEMENT = Picture("complement-steps", "a layout and a size", complement_steps, several=True, options=OPTIONS)
