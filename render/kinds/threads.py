"""The thread-value picture: every cell of a tile with all its owners, holes empty, warps and quads bordered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.values.htuple import format_htuple

from ..scene.axes import coordinate_texts, mode_axis
from ..scene.records import Picture
from ..scene.roles import QUAD
from ..scene.sample import Samples, count
from ..scene.scene import Cell, Frame, Key, Panel, Scene, outline
from .grid import chosen
from .groups import Groups
from .operands import Held, Operand, held
from .owners import owners_of, tile_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..scene.options import Options
    from .owners import Owner


def thread_scene(layout: Any, options: Options) -> Scene:
    """The tile of a thread-value layout as a scene of one panel."""
    Samples(layout)
    tile = tile_of(layout, options.tile)
    if count(tile[0]) * count(tile[1]) > options.limit:
        return _heat(layout, tile, options)
    panels, keys, notes = thread_panels([Operand(layout, tile)], options)
    threads, values = (count(m) for m in layout.shape)
    shape = f"{format_htuple(tile[0])}×{format_htuple(tile[1])}"
    return options.scene(
        "thread-value",
        panels,
        f"The thread-value layout {layout}: {threads} threads with {values} values each over a tile of "
        f"{panels[0].rows} rows and {panels[0].columns} columns. Every cell names all its owners.",
        caption=f"{layout} over {shape}",
        legend=keys,
        notes=notes,
    )


def _heat(layout: Any, tile: tuple[Any, Any], options: Options) -> Scene:
    """A tile too large to label: the darker, the higher the thread; white cells have no owner."""
    from .heat import check_heat, raster_of

    rows, columns = count(tile[0]), count(tile[1])
    check_heat(rows, columns)
    owners, _ = owners_of(layout, tile)
    first = [o[0][0] if (o := owners[i + rows * j]) else -1 for i in range(rows) for j in range(columns)]
    raster = raster_of(first, rows, columns, hole=-1)
    return options.scene(
        "heat",
        [Panel(rows, columns, raster=raster)],
        f"The first thread that owns each cell of a tile of {rows} rows and {columns} columns.",
        caption=f"{layout} over {rows}×{columns}",
        ends=(f"T{raster.low}", f"T{raster.high}") if options.legend is not False else (),
    )


def thread_panels(
    operands: Sequence[Operand], options: Options
) -> tuple[list[Panel], tuple[Key, ...], tuple[str, ...]]:
    """A panel for each operand, their common legend and notes; a colour means the same in all of them."""
    found = list(map(held, operands))
    groups = Groups([h for h in found if not h.operand.anonymous], options)
    panels = [_panel(h, groups, options) for h in found]
    return panels, _legend(panels, groups, operands), tuple(note for h in found for note in _notes(h))


def _panel(found: Held, groups: Groups, options: Options) -> Panel:
    operand = found.operand
    texts = [coordinate_texts(m, range(n)) for m, n in zip(operand.modes, (found.rows, found.columns), strict=True)]
    cells = [
        _cell(found, i, j, own, operand.where(texts[0][i], texts[1][j]), groups, options.label)
        for (i, j), own in found.owned.items()
    ]
    panel = Panel(
        found.rows,
        found.columns,
        tuple(cells),
        row_axis=mode_axis(operand.modes[0], range(found.rows), operand.sides[0]),
        column_axis=mode_axis(operand.modes[1], range(found.columns), operand.sides[1]),
        frames=() if options.bare or operand.anonymous else _borders(found, groups.threads, options.warp),
        name=operand.name,
        turned=operand.turned and not operand.rows_first,
    )
    return chosen(panel, options.highlight)


def _cell(found: Held, i: int, j: int, own: tuple[Owner, ...], where: str, groups: Groups, label: str | None) -> Cell:
    index, operand = found.index(i, j), found.operand
    place = where if any(operand.axes) else f"{where} index {index}"
    if not own:
        return Cell(i, j, (), "hole", f"{place}: no owner", str(index), (), "hole")
    lines = operand.lines(own)
    title = f"{place}: {' '.join((operand.memory, *lines)).lstrip()}"
    if label in ("coord", "index", "offset"):
        lines = (where,) if label == "coord" else (str(index),)
    elif label == "none":
        lines = ()
    if operand.anonymous:
        return Cell(i, j, lines, "plain", title, str(index))
    return Cell(i, j, lines, groups.role(own), title, str(index), own, "shared" if len(own) > 1 else "")


def _legend(panels: Sequence[Panel], groups: Groups, operands: Iterable[Operand]) -> tuple[Key, ...]:
    keys = list(groups.legend(panels))
    if any(c.mark == "hole" for p in panels for c in p.cells):
        keys.append(Key("hole", "no owner", "hole"))
    for memory in dict.fromkeys(o.memory for o in operands if o.memory and o.anonymous):
        keys.append(Key("plain", f"in {memory}"))
    return tuple(keys)


def _notes(found: Held) -> list[str]:
    if not found.outside:
        return []
    pairs = count(found.operand.layout.shape)
    name = f"{found.operand.name}: " if found.operand.name else ""
    return [f"{name}{found.outside} of {pairs} thread-value pairs fall outside the tile"]


def _borders(found: Held, threads: int, warp: int) -> tuple[Frame, ...]:
    """Borders around the cells of one quad and, with several warps, of one warp, or of one set of them."""
    frames = []
    for kind, n in (("quad", QUAD), ("warp", warp)):
        if threads > n:
            groups = {at: frozenset(t // n for t, _ in own) for at, own in found.owned.items() if own}
            frames.append(Frame(kind, outline(found.rows, found.columns, _lookup(groups))))
    return tuple(frames)


def _lookup(groups: dict[tuple[int, int], frozenset[int]]) -> Any:
    return lambda i, j: groups.get((i, j))


THREAD_VALUE = Picture(
    "thread-value",
    "a layout of (thread, value) over a tile",
    thread_scene,
    options=("tile", "color_by=thread,value,warp,quad,none", "highlight", "label", "crop", "limit", "warp"),
    asked_by=("layout over a tile",),
)
