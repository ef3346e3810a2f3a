"""The operands of a matrix instruction: A, B and C in their customary places.

An instruction has ``A``, ``B``, ``C`` and ``extents``, as the atoms of `laycalc.atoms`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse

from ..scene.records import Picture
from ..scene.sample import Samples, count, has_layouts
from ..scene.scene import Frame, Panel, Scene
from .operands import Operand
from .threads import thread_panels

if TYPE_CHECKING:
    from ..scene.options import Options

PLACES = {"A": (1, 0), "B": (0, 1), "C": (1, 1)}
SIDES = {"A": "M×K", "B": "K×N", "C": "M×N"}
AXES = {"A": ("m", "k"), "B": ("n", "k"), "C": ("m", "n")}
MEMORIES = {"smem descriptor": "shared memory", "tmem": "tensor memory", "tile registers": "tile registers"}
"""Where operands are that no thread holds."""


def mma_scene(value: Any, options: Options) -> Scene:
    """A left (M x K), B above (K x N), C at the bottom right (M x N), each cell with its threads and values.

    ``value`` is an instruction, tiled or not, or the layouts (A, B, C) with ``tile`` = (M, N, K). LC103 for anything
    else.
    """
    operands = _operands(value, options)
    if getattr(value, "vendor", "") == "amd":
        options = replace(options, warp=max(options.warp, value.threads))
    panels, keys, notes = thread_panels(operands, options)
    name = getattr(value, "name", "")
    return options.scene(
        "heat" if panels[0].raster else "mma",
        [_placed(panel, operand, options) for panel, operand in zip(panels, operands, strict=True)],
        f"The operands of {name or 'a matrix instruction'}: A at the left, B above, C at the bottom right. "
        "Every cell names the threads and values that hold it.",
        title=options.title or ("" if options.bare else name),
        caption="\n".join(f"{o.name} {o.layout}" for o in operands),
        legend=keys,
        notes=notes,
    )


def _placed(panel: Panel, operand: Operand, options: Options) -> Panel:
    """The panel of an operand in its place, with its title and the borders between its blocks."""
    extent = operand.tile[1][0] if isinstance(operand.tile[1], tuple) else 0
    if extent:
        panel = replace(panel, frames=(*panel.frames, _blocks(panel, extent)))
    rows, columns = map(count, operand.modes)
    title = f"{operand.name}, {SIDES[operand.name]} = {rows}×{columns}"
    if operand.memory:
        title += f", {operand.memory}"
    return replace(panel, title="" if options.bare else title, at=PLACES[operand.name])


def _operands(value: Any, options: Options) -> list[Operand]:
    tile = options.tile
    if isinstance(value, (tuple, list)) and len(value) == 3 and isinstance(tile, tuple) and len(tile) == 3:
        m, n, k = tile
        for layout in value:
            Samples(layout)
        tiles = {"A": (m, k), "B": (n, k), "C": (m, n)}
        return [
            Operand(layout, tiles[name], name, AXES[name], turned=name == "B")
            for name, layout in zip("ABC", value, strict=True)
        ]
    if not (has_layouts(value, "ABC") and hasattr(value, "extents")):
        raise refuse(
            "LC103",
            "a picture of an MMA takes an atom, or the layouts A, B and C with a tile, as in 16x8x16",
            op="draw",
        )
    return [_held(value, name) for name in "ABC"]


def _held(value: Any, name: str) -> Operand:
    """An operand of an instruction, with what `laycalc.atoms` says of its owners."""
    from laycalc.atoms.tiling.ownership import view

    seen = view(value, name)
    places = getattr(getattr(value, "atom", value), "places", None) or ("registers",) * 3
    memory = MEMORIES.get(places["ABC".index(name)], "")
    # The threads of tcgen05 are thread blocks.
    unit = "CTA" if places[2] == "tmem" else "T"
    first, *others = seen.extents
    # Several products at once: blocks stand side by side.
    tile: tuple[Any, Any] = first, others[0]
    axes = AXES[name]
    if len(others) > 1:
        tile, axes = (first, tuple(others)), (axes[0], f"{axes[1]},block")
    return Operand(
        seen.layout,
        tile,
        name,
        axes,
        lanes=seen.threads,
        turned=name == "B",
        unit=unit,
        memory=memory,
        anonymous=bool(memory) and (unit == "T" or len(seen.threads) == 1),
    )


def _blocks(panel: Panel, extent: int) -> Frame:
    if panel.turned:
        return Frame("block", tuple((i, 0, i, panel.columns) for i in range(extent, panel.rows, extent)))
    return Frame("block", tuple((0, j, panel.rows, j) for j in range(extent, panel.columns, extent)))


MMA = Picture(
    "mma",
    "a matrix instruction, or the layouts A, B and C over a tile, as in 16x8x16",
    mma_scene,
    options=("tile", "color_by=thread,value,warp,quad,none", "highlight", "label", "crop", "limit", "warp", "fold"),
    asked_by=("MMA", "layouts over M x N x K"),
)
