"""A swizzle before and after: every cell in the colour of the chunk that its bits select."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle

from ..scene.records import Picture
from ..scene.roles import chunk_keys, chunk_of, group_role
from ..scene.sample import Samples
from ..scene.scene import Arrow, Scene
from .colouring import Colouring
from .grid import grid_panel

if TYPE_CHECKING:
    from ..scene.options import Options


def swizzle_scene(value: Any, options: Options) -> Scene:
    """``Sw o offset o L``, or a swizzle alone over the rows and chunks that it permutes."""
    note = ""
    if isinstance(value, Swizzle):
        rows, chunks = 1 << value.bits, 1 << max(abs(value.shift), value.bits)
        value, note = (
            Composed(Swizzle(value.bits, 0, value.shift), 0, Layout((rows, chunks), (chunks, 1))),
            f"{value}: every cell is a chunk of {1 << value.base} elements",
        )
    if not isinstance(value, Composed) or Samples(value).rank > 2:
        raise refuse("LC103", "a picture of a swizzle takes a swizzled layout of rank 1 or 2", op="draw")
    swizzle, before = value.swizzle, value.layout
    low = (swizzle.target & -swizzle.target).bit_length() - 1 if swizzle.bits else 0

    role = Colouring(lambda i, j, n: chunk_of(swizzle, n), group_role)
    panels = (
        grid_panel(before, options, title=str(before), role=role),
        grid_panel(value, options, title=str(value), at=(0, 1), role=role),
    )
    if panels[0].columns > 2 * panels[0].rows:
        panels = panels[0], replace(panels[1], at=(1, 0))
    side = panels[1].at == (0, 1)
    return options.scene(
        "swizzle",
        panels,
        f"{before} before and after {swizzle}. Cells of one colour have the same bits {low} to "
        f"{low + max(swizzle.bits - 1, 0)} in their offset.",
        caption=note,
        legend=chunk_keys(swizzle),
        arrows=(Arrow(0, 1, str(swizzle)),) if side else (),
    )


SWIZZLE = Picture(
    "swizzle",
    "a swizzle, or a swizzled layout",
    swizzle_scene,
    options=("highlight", "label", "crop", "wrap", "limit", "bits", "order"),
    asked_by=("swizzle",),
)
