"""The source and the destination of a copy, side by side.

A copy has ``src`` and ``dst``, as the atoms of `laycalc.atoms`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse

from ..scene.records import Picture
from ..scene.sample import count, has_layouts
from ..scene.scene import Arrow, Key, Scene
from .threads import marks_last, thread_panel

if TYPE_CHECKING:
    from ..scene.options import Options


def copy_scene(value: Any, options: Options) -> Scene:
    """Rows are what a thread of the source holds."""
    from laycalc.atoms.instructions.bits import sides

    if not has_layouts(value, ("src", "dst")):
        raise refuse("LC103", "a picture of a copy takes a copy atom", op="draw")
    source, destination, _ = sides(value, options.bits or 16)
    width = count(source.shape[1])
    elements = 1 + max(max(x.values()) for x in (source, destination))
    tile = width, -(-elements // width)
    panels, keys = [], list[Key]()
    for k, (name, layout) in enumerate((("source", source), ("destination", destination))):
        panel, found, _ = thread_panel(layout, tile, options, transposed=True)
        panels.append(replace(panel, title=f"{name} {layout}", at=(0, k)))
        keys += found
    return options.scene(
        "copy",
        panels,
        f"{value.name}: which thread and value holds each element, before and after.",
        title=options.title or value.name,
        caption=f"elements of {options.bits or 16} bits, {width} a row",
        legend=marks_last(keys),
        arrows=(Arrow(0, 1),),
    )


COPY = Picture(
    "copy",
    "a copy atom",
    copy_scene,
    options=("bits", "color_by", "highlight", "label", "legend", "crop", "warp"),
    asked_by=("copy",),
)
