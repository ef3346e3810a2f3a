"""Slices of a layout: for each coordinate with free modes the cells that it keeps (CuTe paper, Figure 5)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.htuple import format_htuple
from laycalc.algebra.values.shape import crd2idx, natural, size
from laycalc.algebra.values.tensor import slice_layout

from ..scene.records import Picture
from ..scene.sample import Samples
from ..scene.scene import Scene, around
from .colouring import only
from .grid import arranged, grid_panel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scene.options import Options


def kept(coordinate: Any, shape: Any) -> list[bool]:
    """For every index of a mode: does it agree with the coordinate, in which None is free?

    >>> kept((1, None), (2, 2)), kept(None, 3)
    ([False, True, False, True], [True, True, True])
    """

    # slice_layout has checked the coordinate before.
    def agrees(c: Any, at: Any, mode: Any) -> bool:
        if c is None:
            return True
        if isinstance(c, tuple):
            return all(map(agrees, c, at, mode))
        return bool(c == crd2idx(at, mode))

    return [agrees(coordinate, natural(i, shape), shape) for i in range(size(shape))]


def slice_scene(values: Sequence[Any], options: Options) -> Scene:
    """``(layout, coordinate, ...)``: a panel for each coordinate, the kept cells in colour and framed."""
    layout, *coordinates = values
    samples = Samples(layout)
    if samples.rank != 2 or not coordinates:
        raise refuse("LC103", "a picture of slices takes a layout of rank 2 and coordinates, as in (2,_)", op="draw")
    rows, columns = samples.row_shape, samples.column_shape
    panels = []
    for c in coordinates:
        if not isinstance(c, tuple) or len(c) != 2:
            raise refuse(
                "LC205",
                "coordinate {coordinate} does not fit the shape {shape}",
                op="draw",
                coordinate=format_htuple(c),
                shape=format_htuple(layout.shape),
            )
        result = slice_layout(layout, c)
        title = f"{format_htuple(c)} = {result}"
        down, across = kept(c[0], rows), kept(c[1], columns)
        cells = {(i, j) for i, d in enumerate(down) if d for j, a in enumerate(across) if a}
        panel = grid_panel(layout, options, title=title, role=only(cells, lambda i, j, n: "chosen"))
        border = around("slice", samples.rows, samples.columns, cells)
        panels.append(replace(panel, frames=(*panel.frames, border)))
    description = f"Slices of {layout}: {', '.join(map(format_htuple, coordinates))}. The kept cells are framed."
    return options.scene("slice", arranged(panels), description, caption=str(layout))


SLICE = Picture(
    "slice",
    "a layout and coordinates, as in (2,_)",
    slice_scene,
    several=True,
    options=("highlight", "label", "crop", "limit", "bits"),
    asked_by=("layout and coordinates",),
)
