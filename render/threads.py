"""The thread-value picture: every cell of a tile with all its owners, holes empty, warps and quads bordered."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from laycalc.algebra.errors import refuse
from laycalc.algebra.htuple import flatten, format_htuple, rank

from .axes import coordinate_texts, index_axis
from .grid import chosen
from .palette import GROUPS, theme_of
from .roles import QUAD, group_role, ramp_keys, thread_roles
from .sample import Samples, count
from .scene import Cell, Frame, Key, Panel, Scene, Segment, outline

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .options import Options

__all__ = ["Owners", "owner_lines", "owners_of", "thread_panel", "thread_scene", "tile_of"]

Owner: TypeAlias = tuple[int, int]
Owners: TypeAlias = list[list[Owner]]
"""For every cell of a tile, by column-major index, its (thread, value) pairs."""

SHOWN = 4
"""So many owners of a cell are written out, one a line; more are given as ranges of threads."""


def tile_of(layout: Any, tile: Any) -> tuple[Any, Any]:
    """The (M,N) tile of a thread-value layout: as given, or what its coordinates reach. LC103 without either."""
    if tile is None:
        values = layout.values()
        if values and isinstance(values[0], tuple):
            flat = [flatten(v) for v in values]
            if all(len(v) == 1 for v in flat):
                return 1, max(v[0] for v in flat) + 1
            if all(len(v) == 2 for v in flat):
                return max(v[0] for v in flat) + 1, max(v[1] for v in flat) + 1
        raise refuse(
            "LC103", "a thread-value picture of {layout} needs a tile, as in 8x8", op="draw", layout=str(layout)
        )
    if not isinstance(tile, tuple) or len(tile) != 2:
        raise refuse("LC103", "a tile has two extents, as in 8x8, not {given}", op="draw", given=str(tile)[:80])
    for extent in flatten(tile):
        if type(extent) is not int or extent < 1:
            raise refuse("LC103", "a tile has positive extents, not {given}", op="draw", given=str(tile)[:80])
    return tile[0], tile[1]


def owners_of(layout: Any, tile: tuple[Any, Any]) -> tuple[Owners, int]:
    """The owners of every cell, and how many (thread, value) pairs fall outside the tile.

    The layout maps (thread, value) to the column-major index in the tile or to its coordinate.
    """
    if rank(layout.shape) != 2:
        raise refuse(
            "LC103",
            "a thread-value layout has two modes, {layout} has {rank}",
            op="draw",
            layout=str(layout),
            rank=rank(layout.shape),
        )
    threads = count(layout.shape[0])
    rows, columns = count(tile[0]), count(tile[1])
    owners: Owners = [[] for _ in range(rows * columns)]
    outside = 0
    for k, at in enumerate(_indices(layout, tile, rows, columns)):
        if 0 <= at < rows * columns:
            owners[at].append((k % threads, k // threads))
        else:
            outside += 1
    return owners, outside


def _indices(layout: Any, tile: tuple[Any, Any], rows: int, columns: int) -> list[int]:
    """The cell of every (thread, value) pair, -1 outside the tile."""
    values: list[Any] = layout.values()
    if not values or type(values[0]) is int:
        return values
    found = []
    modes = tuple(map(flatten, tile))
    for value in values:
        parts = value if len(value) == 2 else (0, value[0]) if len(value) == 1 else ()
        at, weight = 0, 1
        if not parts:
            at = -1
        for part, extents, extent in zip(parts, modes, (rows, columns), strict=False):
            entries = flatten(part)
            if len(entries) == 1 and 0 <= entries[0] < extent:
                at += entries[0] * weight
            elif len(entries) == len(extents) > 1 and all(0 <= e < s for e, s in zip(entries, extents, strict=True)):
                below = weight
                for e, s in zip(entries, extents, strict=True):
                    at += e * below
                    below *= s
            else:
                at = -1
                break
            weight *= extent
        found.append(at)
    return found


def thread_scene(layout: Any, options: Options) -> Scene:
    """The tile of a thread-value layout as a scene of one panel."""
    Samples(layout)
    tile = tile_of(layout, options.tile)
    if count(tile[0]) * count(tile[1]) > options.limit:
        return _heat(layout, tile, options)
    panel, keys, notes = thread_panel(layout, tile, options)
    theme = theme_of(options.theme)
    show = not theme.bare if options.legend is None else options.legend
    threads, values = (count(m) for m in layout.shape)
    shape = f"{format_htuple(tile[0])}×{format_htuple(tile[1])}"
    return Scene(
        kind="thread-value",
        panels=(panel,),
        title=options.title,
        caption="" if theme.bare else f"{layout} over {shape}",
        description=f"The thread-value layout {layout}: {threads} threads with {values} values each over a tile of "
        f"{panel.rows} rows and {panel.columns} columns. Every cell names all its owners.",
        legend=keys if show else (),
        notes=notes,
        theme=options.theme,
    )


def _heat(layout: Any, tile: tuple[Any, Any], options: Options) -> Scene:
    """A tile too large to label: the darker, the higher the thread; white cells have no owner."""
    from .heat import check_heat, raster_of

    rows, columns = count(tile[0]), count(tile[1])
    check_heat(rows, columns)
    owners, _ = owners_of(layout, tile)
    first = [o[0][0] if (o := owners[i + rows * j]) else -1 for i in range(rows) for j in range(columns)]
    raster = raster_of(first, rows, columns, hole=-1)
    return Scene(
        kind="heat",
        panels=(Panel(rows, columns, raster=raster),),
        title=options.title,
        caption=f"{layout} over {rows}×{columns}",
        description=f"The first thread that owns each cell of a tile of {rows} rows and {columns} columns.",
        legend=ramp_keys(raster.low, raster.high, theme_of(options.theme), "T") if options.legend is not False else (),
        theme=options.theme,
    )


def thread_panel(
    layout: Any,
    tile: tuple[Any, Any],
    options: Options,
    *,
    physical: Callable[[int], int] | None = None,
    transposed: bool = False,
) -> tuple[Panel, tuple[Key, ...], tuple[str, ...]]:
    """The panel, the legend of its groups and its notes.

    ``physical`` renames threads (an atom's lane numbers); ``transposed`` draws mode 0 of the tile along the columns.
    """
    owners, outside = owners_of(layout, tile)
    if physical is not None:
        lanes = [physical(t) for t in range(count(layout.shape[0]))]
        owners = [[(lanes[t], v) for t, v in o] for o in owners]
    rows, columns = count(tile[0]), count(tile[1])
    if transposed:
        owners = [owners[c + rows * r] for c in range(rows) for r in range(columns)]
        rows, columns = columns, rows
        tile = tile[1], tile[0]
    threads = max((t for o in owners for t, _ in o), default=0) + 1
    role_of, group = _roles(threads, options)
    downs, acrosses = (coordinate_texts(m, range(n)) for m, n in zip(tile, (rows, columns), strict=True))
    cells: list[Cell] = []
    keys: dict[str, Key] = {}
    shared = holes = False
    text: dict[tuple[Owner, ...], tuple[str, ...]] = {}
    for i in range(rows):
        for j in range(columns):
            own = tuple(sorted(owners[i + rows * j]))
            index = i + rows * j if not transposed else j + columns * i
            where = f"({downs[i]},{acrosses[j]})" if not transposed else f"({acrosses[j]},{downs[i]})"
            if not own:
                holes = True
                cells.append(Cell(i, j, (), "hole", f"{where} index {index} no owner", str(index), (), "hole"))
                continue
            role = role_of(own[0])
            keys.setdefault(role.replace("d", "c"), Key(role.replace("d", "c"), group(own[0])))
            lines = text.get(own)
            if lines is None:
                lines = text[own] = _label(own, where, index, options.label)
            title = f"{where} index {index} {_said(own)}"
            mark = ""
            if len(own) > 1:
                shared, mark = True, "shared"
            cells.append(Cell(i, j, lines, role, title, str(index), own, mark))
            if options.label in ("coord", "index", "offset"):
                text.clear()
    legend = [keys[k] for k in sorted(keys)]
    if shared:
        legend.append(Key("plain", "several owners", "shared"))
    if holes:
        legend.append(Key("hole", "no owner", "hole"))
    notes = (f"{outside} of {count(layout.shape)} thread-value pairs fall outside the tile",) if outside else ()
    panel = Panel(
        rows,
        columns,
        tuple(cells),
        row_axis=index_axis(range(rows)),
        column_axis=index_axis(range(columns)),
        frames=_borders(rows, columns, owners, threads, options.warp) if not theme_of(options.theme).bare else (),
    )
    return chosen(panel, options.highlight), tuple(legend), notes


def _roles(threads: int, options: Options) -> tuple[Callable[[Owner], str], Callable[[Owner], str]]:
    if theme_of(options.theme).bare and options.color_by is None:
        return (lambda o: f"c{o[0] % GROUPS}"), (lambda o: f"thread mod {GROUPS} = {o[0] % GROUPS}")
    if options.color_by == "none":
        return (lambda o: "plain"), (lambda o: "owned")
    if options.color_by == "value":
        return (lambda o: group_role(o[1])), (lambda o: f"V{o[1]}" if o[1] < GROUPS else f"V mod {GROUPS}")
    role, group = thread_roles(threads, options.color_by, options.warp)
    return (lambda o: role(o[0])), (lambda o: group(o[0]))


def _label(own: tuple[Owner, ...], where: str, index: int, label: str | None) -> tuple[str, ...]:
    if label == "coord":
        return (where,)
    if label in ("index", "offset"):
        return (str(index),)
    return owner_lines(own) if label != "none" else ()


def _said(own: tuple[Owner, ...]) -> str:
    """The owners of a cell in a tooltip."""
    return " ".join(f"T{t}V{v}" for t, v in own) if len(own) <= 2 * SHOWN else " ".join(owner_lines(own))


def owner_lines(own: Sequence[Owner]) -> tuple[str, ...]:
    """The owners of a cell as text: all of them, many as ranges of threads.

    >>> owner_lines([(5, 1)]), owner_lines([(t, 0) for t in range(8)])
    (('T5', 'V1'), ('T0–7', 'V0'))
    """
    if len(own) == 1:
        return f"T{own[0][0]}", f"V{own[0][1]}"
    threads, values = zip(*own, strict=True)
    if len(set(values)) == 1:
        return f"T{ranges(threads)}", f"V{values[0]}"
    if len(own) <= SHOWN and len(set(threads)) > 1:
        return tuple(f"T{t} V{v}" for t, v in own)
    by_value: dict[tuple[int, ...], list[int]] = {}
    by_thread: dict[int, list[int]] = {}
    for t, v in own:
        by_thread.setdefault(t, []).append(v)
    for t, vs in by_thread.items():
        by_value.setdefault(tuple(sorted(vs)), []).append(t)
    lines: list[str] = []
    for shown, ts in by_value.items():
        lines += [f"T{ranges(tuple(sorted(ts)))}", f"V{ranges(shown)}"]
    return tuple(lines)


@lru_cache(maxsize=1024)
def ranges(numbers: tuple[int, ...]) -> str:
    """Increasing numbers as ranges; steps other than 1 are named.

    >>> ranges((0, 1, 2, 3, 8)), ranges((0, 4, 8, 12))
    ('0–3,8', '0–12:4')
    """
    parts, k = [], 0
    while k < len(numbers):
        end, step = k + 1, 0
        if end < len(numbers):
            step = numbers[end] - numbers[k]
            while end + 1 < len(numbers) and numbers[end + 1] - numbers[end] == step:
                end += 1
            end += 1
        if end - k < 3:
            parts.append(str(numbers[k]))
            k += 1
            continue
        parts.append(f"{numbers[k]}–{numbers[end - 1]}" + ("" if step == 1 else f":{step}"))
        k = end
    return ",".join(parts)


def _borders(rows: int, columns: int, owners: Owners, threads: int, warp: int) -> tuple[Frame, ...]:
    """Borders around the cells of one quad and, with several warps, of one warp."""
    frames = []
    for kind, n in (("quad", QUAD), ("warp", warp)):
        if threads > n:
            groups = {k: o[0][0] // n for k, o in enumerate(owners) if o}
            frames.append(Frame(kind, _group_outline(rows, columns, groups)))
    return tuple(frames)


def _group_outline(rows: int, columns: int, groups: dict[int, int]) -> tuple[Segment, ...]:
    return outline(rows, columns, lambda i, j: groups.get(i + rows * j))
