"""The operands of a matrix instruction: A, B and C in their customary places.

An instruction has ``A``, ``B``, ``C`` and ``extents``, as the atoms of `laycalc.atoms`.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.layout import Layout

from ..scene.records import Picture
from ..scene.sample import has_layouts
from ..scene.scene import Frame, Key, Panel, Scene
from .threads import marks_last, thread_panel

if TYPE_CHECKING:
    from ..scene.options import Options

PLACES = {"A": (1, 0), "B": (0, 1), "C": (1, 1)}
SIDES = {"A": "M×K", "B": "K×N", "C": "M×N"}


def mma_scene(value: Any, options: Options) -> Scene:
    """A left (M x K), B above (K x N), C at the bottom right (M x N), each cell with its threads and values.

    ``value`` is an instruction, or the layouts (A, B, C) with ``tile`` = (M, N, K). LC103 for anything else.
    """
    layouts, tiles = _operands(value, options)
    if getattr(value, "vendor", "") == "amd":
        options = replace(options, warp=max(options.warp, value.threads))
    name = getattr(value, "name", "")
    lanes = getattr(value, "thr_id", None)
    panels, keys, notes = [], list[Key](), list[str]()
    for letter, layout, tile in zip("ABC", layouts, tiles, strict=True):
        panel, found, remarks = _operand(letter, layout, tile, lanes if isinstance(lanes, Layout) else None, options)
        panels.append(panel)
        keys += found
        notes += [f"{letter}: {r}" for r in remarks]
    return options.scene(
        "mma",
        panels,
        f"The operands of {name or 'a matrix instruction'}: A at the left, B above, C at the bottom right. "
        "Every cell names the threads and values that hold it.",
        title=options.title or ("" if options.bare else name),
        caption="\n".join(f"{n} {x}" for n, x in zip("ABC", layouts, strict=True)),
        legend=marks_last(keys),
        notes=tuple(notes),
    )


def _operand(
    letter: str, layout: Any, tile: tuple[int, ...], lanes: Layout | None, options: Options
) -> tuple[Panel, tuple[Key, ...], tuple[str, ...]]:
    """The panel of an operand with its keys and notes; several blocks stand side by side."""
    transposed = letter == "B"
    panel, keys, notes = thread_panel(layout, (tile[0], prod(tile[1:])), options, physical=lanes, transposed=transposed)
    if len(tile) > 2:
        panel = replace(panel, frames=(*panel.frames, _blocks(panel, tile[1], transposed)))
    title = "" if options.bare else f"{letter}, {SIDES[letter]} = {panel.rows}×{panel.columns}"
    return replace(panel, title=title, at=PLACES[letter]), keys, notes


def _operands(value: Any, options: Options) -> tuple[list[Any], list[tuple[int, ...]]]:
    if has_layouts(value, "ABC") and hasattr(value, "extents"):
        return [value.A, value.B, value.C], [tuple(value.extents(name)) for name in "ABC"]
    tile = options.tile
    if isinstance(value, (tuple, list)) and len(value) == 3 and isinstance(tile, tuple) and len(tile) == 3:
        m, n, k = tile
        return list(value), [(m, k), (n, k), (m, n)]
    raise refuse(
        "LC103", "a picture of an MMA takes an atom, or the layouts A, B and C with a tile, as in 16x8x16", op="draw"
    )


def _blocks(panel: Panel, extent: int, transposed: bool) -> Frame:
    if transposed:
        return Frame("block", tuple((i, 0, i, panel.columns) for i in range(extent, panel.rows, extent)))
    return Frame("block", tuple((0, j, panel.rows, j) for j in range(extent, panel.columns, extent)))


MMA = Picture(
    "mma",
    "a matrix instruction, or the layouts A, B and C over a tile, as in 16x8x16",
    mma_scene,
    options=("tile", "color_by", "highlight", "label", "legend", "crop", "warp"),
    asked_by=("MMA", "layouts over M x N x K"),
)
