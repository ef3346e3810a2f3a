"""The operands of a hardware instruction: A, B and C of an MMA in their customary places, both sides of a copy.

An instruction has ``A``, ``B``, ``C`` and ``extents``, or ``src`` and ``dst``, as the atoms of `laycalc.atoms`.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.layout import Layout

from ..scene.palette import theme_of
from ..scene.sample import count, has_layouts
from ..scene.scene import Arrow, Frame, Key, Panel, Scene
from .threads import thread_panel

if TYPE_CHECKING:
    from ..scene.options import Options

__all__ = ["copy_scene", "mma_scene"]


def mma_scene(value: Any, options: Options) -> Scene:
    """A left (M x K), B above (K x N), C at the bottom right (M x N), each cell with its threads and values.

    ``value`` is an instruction, or the layouts (A, B, C) with ``tile`` = (M, N, K). LC103 for anything else.
    """
    layouts, tiles = _operands(value, options)
    if getattr(value, "vendor", "") == "amd":
        options = replace(options, warp=max(options.warp, value.threads))
    name = getattr(value, "name", "")
    lanes = getattr(value, "thr_id", None)
    physical = lanes if isinstance(lanes, Layout) else None
    panels, keys, notes = [], dict[str, Key](), list[str]()
    for letter, layout, tile in zip("ABC", layouts, tiles, strict=True):
        # Several blocks stand side by side.
        wide = tile[0], prod(tile[1:])
        transposed = letter == "B"
        panel, found, remarks = thread_panel(layout, wide, options, physical=physical, transposed=transposed)
        if len(tile) > 2:
            panel = replace(panel, frames=(*panel.frames, _blocks(panel, tile[1], transposed)))
        sides = ("K", "N") if transposed else ("M", "K") if letter == "A" else ("M", "N")
        title = (
            "" if theme_of(options.theme).bare else f"{letter}, {sides[0]}×{sides[1]} = {panel.rows}×{panel.columns}"
        )
        panels.append(replace(panel, title=title, at=_PLACES[letter]))
        keys |= {k.text: k for k in found}
        notes += [f"{letter}: {r}" for r in remarks]
    bare = theme_of(options.theme).bare
    show = not bare if options.legend is None else options.legend
    return Scene(
        kind="mma",
        panels=tuple(panels),
        title=options.title or ("" if bare else name),
        caption="" if bare else "\n".join(f"{n} {x}" for n, x in zip("ABC", layouts, strict=True)),
        description=f"The operands of {name or 'a matrix instruction'}: A at the left, B above, C at the bottom right. "
        "Every cell names the threads and values that hold it.",
        legend=_ordered(keys) if show else (),
        notes=tuple(notes),
        theme=options.theme,
    )


_PLACES = {"A": (1, 0), "B": (0, 1), "C": (1, 1)}


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


def _ordered(keys: dict[str, Key]) -> tuple[Key, ...]:
    """The legends of several panels as one: groups first, then the marks."""
    return tuple(sorted(keys.values(), key=lambda k: (k.mark != "", k.role)))


def _blocks(panel: Panel, extent: int, transposed: bool) -> Frame:
    if transposed:
        return Frame("block", tuple((i, 0, i, panel.columns) for i in range(extent, panel.rows, extent)))
    return Frame("block", tuple((0, j, panel.rows, j) for j in range(extent, panel.columns, extent)))


def copy_scene(value: Any, options: Options) -> Scene:
    """The source and the destination of a copy, side by side: rows are what a thread of the source holds."""
    from laycalc.atoms.instructions.bits import sides

    if not has_layouts(value, ("src", "dst")):
        raise refuse("LC103", "a picture of a copy takes a copy atom", op="draw")
    source, destination, _ = sides(value, options.bits or 16)
    width = count(source.shape[1])
    elements = 1 + max(max(x.values()) for x in (source, destination))
    tile = width, -(-elements // width)
    panels, keys = [], dict[str, Key]()
    for k, (name, layout) in enumerate((("source", source), ("destination", destination))):
        panel, found, _ = thread_panel(layout, tile, options, transposed=True)
        panels.append(replace(panel, title=f"{name} {layout}", at=(0, k)))
        keys |= {key.text: key for key in found}
    return Scene(
        kind="copy",
        panels=tuple(panels),
        title=options.title or value.name,
        caption=f"elements of {options.bits or 16} bits, {width} a row",
        description=f"{value.name}: which thread and value holds each element, before and after.",
        legend=_ordered(keys) if options.legend is not False else (),
        arrows=(Arrow(0, 1),),
        theme=options.theme,
    )
