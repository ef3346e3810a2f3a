"""Tilers over a layout: the cells that a tiler selects (CuTe paper, Figure 7), and all the tiles (Figure 12)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.operations.divide import zipped_divide
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate

from ..scene.palette import SERIES
from ..scene.records import Picture
from ..scene.roles import group_role
from ..scene.sample import Samples
from ..scene.scene import Frame, Key, Panel, Scene, around, outline
from .colouring import only
from .grid import arranged, check_labelled, grid_panel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scene.options import Options


def _cells_of(layout: Any, options: Options) -> Layout:
    """The layout of the cells themselves: (row, column) at every coordinate."""
    samples = Samples(layout)
    check_labelled(samples.size, options)
    if samples.rank != 2:
        raise refuse(
            "LC103", "a picture of tiles takes a layout of rank 2, not {layout}", op="draw", layout=str(layout)[:200]
        )
    return Layout((samples.rows, samples.columns), (Coordinate((((0,), 1),)), Coordinate((((1,), 1),))))


def selected(layout: Any, tiler: Any, options: Options) -> list[tuple[int, int]]:
    """The cells that ``layout o tiler`` visits, in its order."""
    found = composition(_cells_of(layout, options), tiler)
    check_labelled(Samples(found).size, options)
    return _pairs(found.values())


def tiles(layout: Any, tiler: Any, options: Options) -> dict[tuple[int, int], tuple[int, int]]:
    """For every cell the number of its tile and its place in the tile, from the zipped divide."""
    divided = zipped_divide(_cells_of(layout, options), tiler)
    check_labelled(Samples(divided).size, options)
    inside = divided[0].size
    return {cell: (k // inside, k % inside) for k, cell in enumerate(_pairs(divided.values()))}


def _pairs(cells: Sequence[Any]) -> list[tuple[int, int]]:
    """Cells as pairs; LC103 where a tiler has left none."""
    if not all(isinstance(cell, tuple) and len(cell) == 2 for cell in cells):
        raise refuse("LC103", "a picture of tiles takes tilers of layouts of rank 2", op="draw")
    return [(cell[0], cell[1]) for cell in cells]


def tiler_scene(values: Sequence[Any], options: Options) -> Scene:
    """``(layout, tiler, ...)``: a panel for each tiler, the cells that it selects in colour and framed."""
    layout, *tilers = values
    panels = []
    for tiler in tilers:
        cells = set(selected(layout, tiler, options))
        panel = grid_panel(layout, options, title=str(tiler), role=only(cells, lambda i, j, n: "c0"))
        panels.append(replace(panel, frames=(*panel.frames, around("block", panel.rows, panel.columns, cells))))
    return _scene("tiler", layout, tilers, panels, options, "The cells that each tiler selects are framed.")


def tiling_scene(values: Sequence[Any], options: Options) -> Scene:
    """``(layout, tiler, ...)``: a panel for each tiler, every cell in the colour of its tile."""
    layout, *tilers = values
    panels, count = [], 0
    for tiler in tilers:
        numbers = {cell: tile for cell, (tile, _) in tiles(layout, tiler, options).items()}
        count = max(count, *(t + 1 for t in numbers.values()))
        panels.append(_tiled(layout, tiler, numbers, options))
    keys = [Key(group_role(k), f"tile {k}") for k in range(count)] if count <= SERIES else []
    return _scene("tiling", layout, tilers, panels, options, "Every cell shows the number of its tile.", keys)


def _tiled(layout: Any, tiler: Any, numbers: dict[tuple[int, int], int], options: Options) -> Panel:
    """A panel with the number of each cell's tile."""
    role = only(numbers, lambda i, j, n: group_role(numbers[i, j]))
    panel = grid_panel(layout, options, title=str(tiler), role=role)
    cells = panel.cells
    if options.label is None:
        cells = tuple(c._replace(lines=(str(numbers.get((c.row, c.column), "")),)) for c in cells)
    border = Frame("block", outline(panel.rows, panel.columns, lambda i, j: numbers.get((i, j))))
    return replace(panel, cells=cells, frames=(*panel.frames, border))


def _scene(
    kind: str, layout: Any, tilers: Any, panels: list[Panel], options: Options, what: str, keys: Sequence[Key] = ()
) -> Scene:
    if not tilers:
        raise refuse("LC103", "a picture of tiles takes a layout and tilers, as in <4:1,8:1>", op="draw")
    description = f"The tilers {', '.join(map(str, tilers))} over {layout}. {what}"
    return options.scene(kind, arranged(panels), description, caption=f"tilers over {layout}", legend=keys)


TILER = Picture(
    "tiler",
    "a layout and tilers, as in <4:1,8:1>",
    tiler_scene,
    several=True,
    options=("highlight", "label", "crop", "limit", "bits"),
    asked_by=("layout and tilers",),
)
TILING = Picture(
    "tiling",
    "a layout and tilers, as in <4:1,8:1>",
    tiling_scene,
    several=True,
    options=("highlight", "label", "crop", "limit", "bits"),
)
