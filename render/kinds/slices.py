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
from ..scene.scene import Panel, Scene, around
from .colouring import only
from .grid import arranged, check_labelled, sheet_panels

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
    """``(layout, coordinate, ...)``: the cells that each coordinate keeps in colour and framed, rank 3 in sheets."""
    layout, *coordinates = values
    samples = Samples(layout)
    if samples.rank < 2 or not coordinates:
        raise refuse("LC103", "a picture of slices takes a layout of rank 2 and coordinates, as in (2,_)", op="draw")
    check_labelled(samples.size, options)
    rows = [_sliced(layout, samples, c, options) for c in coordinates]
    # The sheets of a layout stand side by side, slices of a matrix as they fit.
    panels = [replace(p, at=(r, k)) for r, row in enumerate(rows) for k, p in enumerate(row)]
    description = f"Slices of {layout}: {', '.join(map(format_htuple, coordinates))}. The kept cells are framed."
    return options.scene("slice", panels if samples.rank > 2 else arranged(panels), description, caption=str(layout))


def _sliced(layout: Any, samples: Samples, c: Any, options: Options) -> list[Panel]:
    """The sheets of a layout with the cells that a coordinate keeps."""
    if not isinstance(c, tuple) or len(c) != samples.rank:
        raise refuse(
            "LC205",
            "coordinate {coordinate} does not fit the shape {shape}",
            op="draw",
            coordinate=format_htuple(c),
            shape=format_htuple(layout.shape),
        )
    down, across = kept(c[0], samples.row_shape), kept(c[1], samples.column_shape)
    cells = {(i, j) for i, d in enumerate(down) if d for j, a in enumerate(across) if a}
    shown = [cells if here else set() for here in kept(c[2:], samples.rest_shape)]
    panels = sheet_panels(layout, options, [only(s, lambda i, j, n: "chosen") for s in shown])
    result = f"{format_htuple(c)} = {slice_layout(layout, c)}"
    titles = [", ".join(filter(None, (result if k == 0 else "", p.title))) for k, p in enumerate(panels)]
    return [
        replace(panel, title=title, frames=(*panel.frames, around("slice", samples.rows, samples.columns, framed)))
        for panel, title, framed in zip(panels, titles, shown, strict=True)
    ]


SLICE = Picture(
    "slice",
    "a layout and coordinates, as in (2,_)",
    slice_scene,
    several=True,
    options=("highlight", "label", "crop", "limit", "bits"),
    asked_by=("layout and coordinates",),
)
