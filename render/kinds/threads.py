"""The thread-value picture: every cell of a tile with all its owners, holes empty, warps and quads bordered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.questions.misses import coverage
from laycalc.algebra.values.htuple import format_htuple

from ..scene.axes import coordinate_texts, mode_axis, tick_axis
from ..scene.records import Picture
from ..scene.roles import QUAD
from ..scene.sample import Samples, count
from ..scene.scene import Cell, Frame, Key, Panel, Raster, Scene, outline
from .folds import DOTS, folded
from .grid import chosen
from .groups import Groups
from .heat import borders
from .operands import Held, Operand, held
from .owners import tile_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..scene.options import Options


def thread_scene(layout: Any, options: Options) -> Scene:
    """The tile of a thread-value layout as a scene of one panel."""
    Samples(layout)
    tile = tile_of(layout, options.tile)
    panels, keys, notes = thread_panels([Operand(layout, tile)], options)
    threads, values = (count(m) for m in layout.shape)
    shape = f"{format_htuple(tile[0])}×{format_htuple(tile[1])}"
    heat = panels[0].raster is not None
    cells = "has the colour of its owners" if heat else "names all its owners"
    return options.scene(
        "heat" if heat else "thread-value",
        panels,
        f"The thread-value layout {layout}: {threads} threads with {values} values each over a tile of "
        f"{count(tile[0])} rows and {count(tile[1])} columns. Every cell {cells}.",
        caption=f"{layout} over {shape}",
        legend=keys,
        notes=(*notes, *_coverage(layout, tile)),
    )


def _coverage(layout: Any, tile: Any) -> list[str]:
    """How many cells nobody holds, and how many have several owners."""
    try:
        return coverage(layout, tile).lines()
    except LayoutError:  # a tile that is too large to be listed is drawn without it
        return []


def thread_panels(
    operands: Sequence[Operand], options: Options
) -> tuple[list[Panel], tuple[Key, ...], tuple[str, ...]]:
    """A panel for each operand, their common legend and notes; a colour means the same in all of them.

    Operands of more cells than the limit are folded where they repeat themselves, and heat maps where they still have.
    """
    found = whole = list(map(held, operands))
    if options.fold or (options.fold is None and _size(whole) > options.limit):
        found = list(map(folded, whole))
    groups = Groups([h for h in whole if not h.operand.anonymous], options)
    if _size(found) > options.limit:
        panels, found = [_heat(h, groups) for h in whole], whole
    else:
        panels = [_panel(h, groups, options) for h in found]
    return panels, _legend(panels, groups, operands), tuple(note for h in found for note in _notes(h))


def _size(found: Iterable[Held]) -> int:
    return sum(h.size for h in found)


def _heat(found: Held, groups: Groups) -> Panel:
    """A panel too large to label: every cell in the hue of its owners, borders between the warps."""
    operand, sizes = found.operand, (len(found.rows), len(found.columns))
    roles: dict[str, int] = {}
    levels = bytearray()
    for own in found.owned.values():
        nobody = not own or operand.anonymous
        levels.append(0 if nobody else roles.setdefault(groups.pixel(own), len(roles) + 1))
    down, across = (tick_axis(range(n), name) for n, name in zip(sizes, operand.sides, strict=True))
    return Panel(
        *sizes,
        row_axis=down,
        column_axis=across,
        frames=borders(levels, *sizes),
        raster=Raster(bytes(levels), 0, 0, roles=tuple(roles)),
        name=operand.name,
        turned=operand.turned and not operand.rows_first,
    )


def _panel(found: Held, groups: Groups, options: Options) -> Panel:
    operand = found.operand
    downs, acrosses = (
        coordinate_texts(mode, lines) for mode, lines in zip(operand.modes, (found.rows, found.columns), strict=True)
    )
    cells = [
        _cell(found, r, c, operand.where(down, across), groups, options.label)
        for r, down in enumerate(downs)
        for c, across in enumerate(acrosses)
    ]
    panel = Panel(
        len(found.rows),
        len(found.columns),
        tuple(cells),
        row_axis=mode_axis(operand.modes[0], found.rows, operand.sides[0]),
        column_axis=mode_axis(operand.modes[1], found.columns, operand.sides[1]),
        frames=() if options.bare or operand.anonymous else _borders(found, groups.threads, options.warp),
        name=operand.name,
        lines=(tuple(found.rows), tuple(found.columns)) if any(found.folds) else ((), ()),
        turned=operand.turned and not operand.rows_first,
    )
    return chosen(panel, options.highlight)


def _cell(found: Held, r: int, c: int, where: str, groups: Groups, label: str | None) -> Cell:
    i, j, operand = found.rows[r], found.columns[c], found.operand
    if DOTS in (i, j):
        return Cell(r, c, ("…",), "plain", "alike", mark="more")
    own, index = found.owned[i, j], found.index(i, j)
    place = where if any(operand.axes) else f"{where} index {index}"
    if not own:
        return Cell(r, c, (), "hole", f"{place}: no owner", str(index), (), "hole")
    lines = operand.lines(own)
    title = f"{place}: {' '.join((operand.memory, *lines)).lstrip()}"
    if label in ("coord", "index", "offset"):
        lines = (where,) if label == "coord" else (str(index),)
    elif label == "none":
        lines = ()
    if operand.anonymous:
        return Cell(r, c, lines, "plain", title, str(index))
    return Cell(r, c, lines, groups.role(own), title, str(index), own, "shared" if len(own) > 1 else "")


def _legend(panels: Sequence[Panel], groups: Groups, operands: Iterable[Operand]) -> tuple[Key, ...]:
    keys = list(groups.legend(panels))
    if any(c.mark == "hole" for p in panels for c in p.cells):
        keys.append(Key("hole", "no owner", "hole"))
    for memory in dict.fromkeys(o.memory for o in operands if o.memory and o.anonymous):
        keys.append(Key("plain", f"in {memory}"))
    return tuple(keys)


def _notes(found: Held) -> list[str]:
    name = f"{found.operand.name}: " if found.operand.name else ""
    notes = [
        f"{name}{what} {fold}" for what, folds in zip(("rows", "columns"), found.folds, strict=True) for fold in folds
    ]
    if found.outside:
        pairs = count(found.operand.layout.shape)
        notes.append(f"{name}{found.outside} of {pairs} thread-value pairs fall outside the tile")
    return notes


def _borders(found: Held, threads: int, warp: int) -> tuple[Frame, ...]:
    """Borders around the cells of one quad and, with several warps, of one warp, or of one set of them."""
    frames = []
    for kind, n in (("quad", QUAD), ("warp", warp)):
        if threads > n:
            groups = {
                (r, c): frozenset(t // n for t, _ in own)
                for r, i in enumerate(found.rows)
                for c, j in enumerate(found.columns)
                if (own := found.owned.get((i, j)))
            }
            frames.append(Frame(kind, outline(len(found.rows), len(found.columns), _lookup(groups))))
    return tuple(frames)


def _lookup(groups: dict[tuple[int, int], frozenset[int]]) -> Any:
    return lambda i, j: groups.get((i, j))


THREAD_VALUE = Picture(
    "thread-value",
    "a layout of (thread, value) over a tile",
    thread_scene,
    options=("tile", "color_by=thread,value,warp,quad,none", "highlight", "label", "crop", "limit", "warp", "fold"),
    asked_by=("layout over a tile",),
)
