"""The thread-value picture: every cell of a tile with all its owners, holes empty, warps and quads bordered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.values.htuple import format_htuple

from ..scene.axes import coordinate_texts, mode_axis
from ..scene.palette import GROUPS
from ..scene.records import Picture
from ..scene.roles import QUAD, group_role, thread_roles
from ..scene.sample import Samples, count
from ..scene.scene import Cell, Frame, Key, Panel, Scene, outline
from .grid import chosen
from .owners import Owner, owner_lines, owners_of, tile_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..scene.options import Options


def thread_scene(layout: Any, options: Options) -> Scene:
    """The tile of a thread-value layout as a scene of one panel."""
    Samples(layout)
    tile = tile_of(layout, options.tile)
    if count(tile[0]) * count(tile[1]) > options.limit:
        return _heat(layout, tile, options)
    panel, keys, notes = thread_panel(layout, tile, options)
    threads, values = (count(m) for m in layout.shape)
    shape = f"{format_htuple(tile[0])}×{format_htuple(tile[1])}"
    return options.scene(
        "thread-value",
        [panel],
        f"The thread-value layout {layout}: {threads} threads with {values} values each over a tile of "
        f"{panel.rows} rows and {panel.columns} columns. Every cell names all its owners.",
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
        owners = [tuple(sorted((lanes[t], v) for t, v in o)) for o in owners]
    height = count(tile[0])
    notes = (f"{outside} of {count(layout.shape)} thread-value pairs fall outside the tile",) if outside else ()
    # Everything below counts rows and columns as they are drawn; ``index`` is that of the tile.
    if transposed:
        tile = tile[1], tile[0]
    rows, columns = count(tile[0]), count(tile[1])

    def index(i: int, j: int) -> int:
        return j + height * i if transposed else i + height * j

    owned = {(i, j): owners[index(i, j)] for i in range(rows) for j in range(columns)}
    threads = max((t for o in owners for t, _ in o), default=0) + 1
    painter = _Painter(threads, options)
    downs, acrosses = (coordinate_texts(m, range(n)) for m, n in zip(tile, (rows, columns), strict=True))
    cells = []
    for (i, j), own in owned.items():
        where = f"({acrosses[j]},{downs[i]})" if transposed else f"({downs[i]},{acrosses[j]})"
        cells.append(_cell(i, j, own, where, index(i, j), painter, options.label))
    panel = Panel(
        rows,
        columns,
        tuple(cells),
        row_axis=mode_axis(tile[0], range(rows)),
        column_axis=mode_axis(tile[1], range(columns)),
        frames=_borders(rows, columns, owned, threads, options.warp) if not painter.bare else (),
    )
    return chosen(panel, options.highlight), painter.legend(cells), notes


def _cell(i: int, j: int, own: tuple[Owner, ...], where: str, index: int, painter: _Painter, label: str | None) -> Cell:
    if not own:
        return Cell(i, j, (), "hole", f"{where} index {index} no owner", str(index), (), "hole")
    said = owner_lines(own)
    if label in ("coord", "index", "offset"):
        lines: tuple[str, ...] = (where,) if label == "coord" else (str(index),)
    else:
        lines = said if label != "none" else ()
    title = f"{where} index {index} {' '.join(said)}"
    return Cell(i, j, lines, painter.role(own), title, str(index), own, "shared" if len(own) > 1 else "")


def marks_last(keys: Iterable[Key]) -> tuple[Key, ...]:
    """The legends of several panels as one: groups first, then the marks."""
    return tuple(sorted({k.text: k for k in keys}.values(), key=lambda k: (k.mark != "", k.role)))


class _Painter:
    """The roles of owners; a cell whose owners are of several groups has the role "mixed"."""

    def __init__(self, threads: int, options: Options) -> None:
        self.role_of, self.group_of = _roles(threads, options)
        self.bare = options.bare
        self.roles: dict[Owner, str] = {}
        self.keys: dict[str, Key] = {}

    def role(self, own: tuple[Owner, ...]) -> str:
        found = {self.known(o) for o in own}
        first = self.known(own[0])
        # print_latex knows one owner only, and so does its theme.
        return first if self.bare or len({role[1:] for role in found}) == 1 else "mixed"

    def known(self, owner: Owner) -> str:
        role = self.roles.get(owner)
        if role is None:
            role = self.roles[owner] = self.role_of(owner)
            self.keys.setdefault(role.replace("d", "c"), Key(role.replace("d", "c"), self.group_of(owner)))
        return role

    def legend(self, cells: list[Cell]) -> tuple[Key, ...]:
        """The groups in order, then what the marks mean that occur."""
        keys = [self.keys[k] for k in sorted(self.keys) if any(c.role.replace("d", "c") == k for c in cells)]
        if any(c.mark == "shared" and c.role != "mixed" for c in cells):
            keys.append(Key("plain", "several owners", "shared"))
        if any(c.role == "mixed" for c in cells):
            keys.append(Key("mixed", "owners of several groups", "shared"))
        if any(c.mark == "hole" for c in cells):
            keys.append(Key("hole", "no owner", "hole"))
        return tuple(keys)


def _roles(threads: int, options: Options) -> tuple[Callable[[Owner], str], Callable[[Owner], str]]:
    if options.bare and options.color_by is None:
        return (lambda o: f"c{o[0] % GROUPS}"), (lambda o: f"thread mod {GROUPS} = {o[0] % GROUPS}")
    if options.color_by == "none":
        return (lambda o: "plain"), (lambda o: "owned")
    if options.color_by == "value":
        return (lambda o: group_role(o[1])), (lambda o: f"V{o[1]}" if o[1] < GROUPS else f"V mod {GROUPS}")
    role, group = thread_roles(threads, options.color_by, options.warp)
    return (lambda o: role(o[0])), (lambda o: group(o[0]))


def _borders(
    rows: int, columns: int, owned: dict[tuple[int, int], tuple[Owner, ...]], threads: int, warp: int
) -> tuple[Frame, ...]:
    """Borders around the cells of one quad and, with several warps, of one warp."""
    frames = []
    for kind, n in (("quad", QUAD), ("warp", warp)):
        if threads > n:
            # Cells shared by several groups belong to none of them.
            groups = {at: o[0][0] // n if o[0][0] // n == o[-1][0] // n else -1 for at, o in owned.items() if o}
            frames.append(Frame(kind, outline(rows, columns, _lookup(groups))))
    return tuple(frames)


def _lookup(groups: dict[tuple[int, int], int]) -> Callable[[int, int], int | None]:
    return lambda i, j: groups.get((i, j))


THREAD_VALUE = Picture(
    "thread-value",
    "a layout of (thread, value) over a tile",
    thread_scene,
    options=("tile", "color_by", "highlight", "label", "legend", "crop", "limit", "warp"),
    asked_by=("layout over a tile",),
)
