"""Common vectors: the elements that two layouts hold contiguously in the same order (CuTe paper, Figure 8)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.operations.vector import max_common_layout

from ..scene.records import Picture
from ..scene.sample import Samples
from ..scene.scene import Arrow, Key, Scene, around
from .colouring import only
from .grid import check_labelled, grid_panel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scene.options import Options


def vector_scene(values: Sequence[Any], options: Options) -> Scene:
    """``(source, destination)``: the longest common vector in colour and framed in both."""
    if len(values) != 2 or any(Samples(v).rank > 2 for v in values):
        raise refuse("LC103", "a picture of a common vector takes two layouts of rank 1 or 2", op="draw")
    check_labelled(sum(Samples(v).size for v in values), options)
    common = max_common_layout(*values)
    indices = set(common.values())
    panels = []
    for k, (name, layout) in enumerate(zip(("source", "destination"), values, strict=True)):
        samples = Samples(layout)
        cells = {(i % samples.rows, i // samples.rows) for i in indices}
        panel = grid_panel(layout, options, title=f"{name} {layout}", at=(0, k), role=only(cells, lambda i, j, n: "c0"))
        panels.append(replace(panel, frames=(*panel.frames, around("block", panel.rows, panel.columns, cells))))
    length = len(indices)
    return options.scene(
        "common-vector",
        panels,
        f"{values[0]} and {values[1]} share a vector of {length}, framed in both.",
        caption=f"the longest common vector has {length} element{'s' * (length > 1)}, at the indices {common}",
        legend=[Key("c0", "common vector")],
        arrows=(Arrow(0, 1, "copy"),),
    )


COMMON_VECTOR = Picture(
    "common-vector",
    "the layouts of a source and a destination",
    vector_scene,
    several=True,
    options=("highlight", "label", "crop", "wrap", "limit", "bits"),
)
