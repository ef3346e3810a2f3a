"""Several layouts in one picture, each a titled panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..scene.records import Picture
from ..scene.sample import count
from ..scene.scene import Key, Scene
from .grid import arranged, check_labelled, grid_panel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scene.options import Options


def panels_scene(values: Sequence[Any], options: Options) -> Scene:
    """A panel for each layout, all with cells of one size."""
    check_labelled(sum(count(v.shape) for v in values if hasattr(v, "shape")), options)
    panels = [grid_panel(v, options, title="" if options.bare else str(v)) for v in values]
    description = f"{len(panels)} layouts side by side: {'; '.join(map(str, values))}."
    # Each panel has its own range of offsets.
    ramp = [Key("o0", "the least offset of a panel"), Key("o7", "the greatest")]
    keys = ramp if options.color_by in (None, "offset") else []
    return options.scene("panels", arranged(panels), description, legend=keys)


PANELS = Picture(
    "panels",
    "layouts",
    panels_scene,
    several=True,
    options=("color_by", "highlight", "label", "crop", "wrap", "limit", "bits", "order"),
    asked_by=("layouts",),
)
