"""The source and the destination of a copy, side by side; of a copy from or to tensor memory, that memory.

A copy has ``src`` and ``dst``, as the atoms of `laycalc.atoms`; a tiled one has ``S`` and ``D`` over a ``tiler``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.htuple import entries, format_htuple

from ..scene.records import Picture
from ..scene.sample import count, has_layouts
from ..scene.scene import Arrow, Frame, Panel, Scene, outline
from .operands import Operand
from .threads import thread_panels

if TYPE_CHECKING:
    from ..scene.options import Options

COLUMN = 32
"""Bits of a column of tensor memory."""
LANE = 1 << 21
"""Bits from one lane of tensor memory to the next."""


def copy_scene(value: Any, options: Options) -> Scene:
    """Both sides in rows of what a thread of the source holds, or over the tile of a tiled copy; tensor memory in lanes
    of 32-bit columns.
    """
    if has_layouts(value, "SD") and hasattr(value, "tiler"):
        return _tiled(value, options)
    if not has_layouts(value, ("src", "dst")):
        raise refuse("LC103", "a picture of a copy takes a copy atom", op="draw")
    # A copy atom is an instruction with the width of its elements.
    value, bits = (value.atom, options.bits or value.bits) if hasattr(value, "atom") else (value, options.bits)
    if getattr(value, "tmem", None) is not None:
        return _tensor_memory(value, options)
    from laycalc.atoms.instructions.bits import sides

    bits = bits or 16
    source, destination, _ = sides(value, bits)
    width = count(entries(source.shape)[1])
    elements = 1 + max(max(x.values()) for x in (source, destination))
    tile = width, -(-elements // width)
    operands = [
        # The two threads of a copy are thread blocks, a single one is not worth its name in every cell.
        Operand(
            layout,
            tile,
            name,
            ("element", "row"),
            turned=True,
            rows_first=True,
            unit="CTA" if value.threads == 2 else "T",
            anonymous=value.threads == 1,
        )
        for name, layout in (("source", source), ("destination", destination))
    ]
    panels, keys, _ = thread_panels(operands, options)
    return options.scene(
        "copy",
        [replace(p, title=f"{p.name} {operands[k].layout}", at=(0, k)) for k, p in enumerate(panels)],
        f"{value.name}: which thread and value holds each element, before and after.",
        title=options.title or value.name,
        caption=f"elements of {bits} bits, {width} a row",
        legend=keys,
        arrows=(Arrow(0, 1),),
    )


def _tiled(value: Any, options: Options) -> Scene:
    """Both sides over the tile, with borders around what a thread moves by one instruction."""
    from laycalc.atoms.instructions.bits import sides
    from laycalc.atoms.tiling.ownership import view

    rows, columns = (*value.extents, 1)[:2] if len(value.extents) < 3 else (value.extents[0], value.extents[1:])
    names = {"S": "source", "D": "destination"}
    operands = [Operand(view(value, s).layout, (rows, columns), name, ("m", "n")) for s, name in names.items()]
    panels, keys, notes = thread_panels(operands, options)
    moved = [count(entries(side.shape)[1]) for side in sides(value.atom, value.bits)[:2]]
    size = "×".join(str(count(mode)) for mode in (rows, columns))
    return options.scene(
        "heat" if panels[0].raster else "copy",
        [
            replace(_outlined(p, n, k), title=f"{p.name}, M×N = {size}")
            for k, (p, n) in enumerate(zip(panels, moved, strict=True))
        ],
        f"{value}: which thread and value holds each element of the tile, before and after. Borders are around what a "
        "thread moves by one instruction.",
        title=options.title or ("" if options.bare else f"{value.atom.name} over {format_htuple(value.extents)}"),
        caption=f"elements of {value.bits} bits\nsource {value.S}\ndestination {value.D}",
        legend=keys,
        notes=notes,
        arrows=(Arrow(0, 1),),
    )


def _outlined(panel: Panel, moved: int, k: int) -> Panel:
    """A side with borders around the vectors instead of the quads."""
    vectors = {(c.row, c.column): (c.owners[0][0], c.owners[0][1] // moved) for c in panel.cells if c.owners}
    border = Frame("vector", outline(panel.rows, panel.columns, lambda i, j: vectors.get((i, j))))
    kept = tuple(frame for frame in panel.frames if frame.kind != "quad")
    return replace(panel, at=(0, k), frames=(border, *kept))


@dataclass(frozen=True, slots=True)
class Listed:
    """A thread-value layout by its values."""

    shape: tuple[int, int]
    cells: list[int]

    def values(self) -> list[int]:
        """The cell of every (thread, value), threads fastest."""
        return self.cells


def _tensor_memory(value: Any, options: Options) -> Scene:
    """Which thread and register holds each column of each lane."""
    from laycalc.atoms.instructions.bits import in_elements

    bits = 16 if value.name.endswith("_16b") else COLUMN
    if options.bits not in (None, bits):
        raise refuse("LC103", "{copy} moves {bits} bits a column", op="draw", copy=value.name, bits=bits)
    # All lanes see all of tensor memory: the registers are the other side.
    loads = "LOAD" in value.name
    registers = in_elements(value.dst if loads else value.src, bits)
    places = [divmod(value.tmem(bits * element), LANE) for element in registers.values()]
    lanes, columns = 1 + max(lane for lane, _ in places), 1 + max(bit for _, bit in places) // COLUMN
    cells = [lane + lanes * (bit // COLUMN) for lane, bit in places]
    threads, values = entries(registers.shape)
    layout = Listed((count(threads), count(values)), cells)
    panels, keys, _ = thread_panels([Operand(layout, (lanes, columns), "", ("lane", "column"))], options)
    return options.scene(
        "copy",
        panels,
        f"{value.name}: tensor memory in {lanes} lanes and {columns} columns of 32 bits; every cell names the thread "
        f"and the register that it is {'loaded into' if loads else 'stored from'}.",
        title=options.title or value.name,
        caption=f"tensor memory, {lanes} lanes × {columns} columns of 32 bits; registers {registers}",
        legend=keys,
    )


COPY = Picture(
    "copy",
    "a copy atom, tiled or not",
    copy_scene,
    options=("bits", "color_by=thread,value,warp,quad,none", "highlight", "label", "crop", "limit", "warp", "fold"),
    asked_by=("copy",),
)
