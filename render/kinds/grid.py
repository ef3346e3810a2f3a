"""The layout grid: a cell for every coordinate, what the layout gives there, the nested coordinates on the axes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.htuple import entries, flatten, format_htuple
from laycalc.algebra.values.shape import natural

from ..scene.axes import coordinate_texts, index_axis, mode_axis, tile_frames
from ..scene.records import Picture
from ..scene.roles import bank_of
from ..scene.sample import Samples, extent_text, value_text
from ..scene.scene import Axis, Cell, Frame, Panel, Scene, around
from .colouring import Colouring, colouring, numbers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scene.highlight import Pick
    from ..scene.options import Options

LONG_ROW = 16
"""A layout of rank 1 up to this size stays in one row."""

Window = tuple[range, range]
Role = Callable[[int, int, int], str]
"""The role of a cell by its row, its column and the number of its value."""


def grid_scene(value: Any, options: Options) -> Scene:
    """A panel for each sheet of the value: rank 1 folded, rank 2 as a matrix, more as titled panels."""
    samples = Samples(value)
    window = window_of(samples, options)
    if _length(window[0]) * _length(window[1]) * samples.sheets > options.limit:
        from .heat import heat_scene

        return heat_scene(samples, *window, options, _crop_note(samples, window))
    if samples.rank < 2:
        line = samples.block([0], range(samples.size))[0]
        numbers = numbers_of(line)
        colours = colouring(samples, options, numbers)
        panels = [strip_panel(samples, line, numbers, options, colours)]
        notes: tuple[str, ...] = ()
    else:
        panels, colours = _sheets(samples, window, options)
        notes = _crop_note(samples, window)
    return options.scene(
        "layout",
        arranged(panels),
        _description(value, samples),
        caption=str(value),
        legend=colours.keys,
        notes=notes,
    )


def _sheets(
    samples: Samples, window: Window, options: Options, roles: Sequence[Role] = ()
) -> tuple[list[Panel], Colouring]:
    """A panel for each sheet of a value of rank 2 or more, each with its own roles if there are any."""
    blocks = [samples.block(*window, k) for k in range(samples.sheets)]
    flat = list(chain.from_iterable(chain.from_iterable(blocks)))
    numbers = numbers_of(flat)
    colours = colouring(samples, options, numbers)
    area = len(window[0]) * len(window[1])
    panels = []
    for k in range(samples.sheets):
        part = slice(k * area, (k + 1) * area)
        role = roles[k] if roles else colours
        panels.append(window_panel(samples, window, k, flat[part], numbers[part], options, role))
    return panels, colours


def sheet_panels(value: Any, options: Options, roles: Sequence[Role]) -> list[Panel]:
    """A panel for each sheet of a layout of rank 2 or more, with its roles; LC104 for more cells than the limit."""
    samples = Samples(value)
    check_labelled(samples.size, options)
    return _sheets(samples, (range(samples.rows), range(samples.columns)), options, roles)[0]


def grid_panel(
    value: Any,
    options: Options,
    *,
    title: str = "",
    at: tuple[int, int] = (0, 0),
    role: Role | None = None,
) -> Panel:
    """One titled panel of a layout of rank 1 or 2, for scenes of several; ``role`` replaces ``color_by``.

    LC103 for a higher rank, LC104 for more cells than the limit.
    """
    samples = Samples(value)
    if samples.rank > 2:
        raise refuse(
            "LC103", "this picture takes layouts of rank 1 or 2, not {layout}", op="draw", layout=str(value)[:200]
        )
    check_labelled(samples.size, options)
    if samples.rank < 2:
        line = samples.block([0], range(samples.size))[0]
    else:
        window = range(samples.rows), range(samples.columns)
        line = list(chain.from_iterable(samples.block(*window)))
    numbers = numbers_of(line)
    colours = role or colouring(samples, options, numbers)
    if samples.rank < 2:
        panel = strip_panel(samples, line, numbers, options, colours)
    else:
        panel = window_panel(samples, window, 0, line, numbers, options, colours)
    return replace(panel, title=title, at=at)


def check_labelled(cells: int, options: Options) -> None:
    """LC104 if a picture would have more labelled cells than the limit."""
    if cells > options.limit:
        raise refuse(
            "LC104",
            "{cells} cells are more than the {limit} that this picture labels; crop it or raise the limit",
            op="draw",
            cells=extent_text(cells),
            limit=options.limit,
        )


def _length(indices: range) -> int:
    """len() of a range that may be longer than Python's sequences."""
    return max(0, indices.stop - indices.start)


def window_of(samples: Samples, options: Options) -> Window:
    """The rows and columns to draw; LC103 if the crop leaves nothing."""
    if options.crop is None or samples.rank < 2:
        return range(samples.rows), range(samples.columns)
    rows, columns = (
        range(r.start, min(r.stop, n)) for r, n in zip(options.crop, (samples.rows, samples.columns), strict=True)
    )
    if _length(rows) < 1 or _length(columns) < 1:
        raise refuse(
            "LC103",
            "the crop leaves nothing of {rows} rows and {columns} columns",
            op="draw",
            rows=extent_text(samples.rows),
            columns=extent_text(samples.columns),
        )
    return rows, columns


def window_panel(
    samples: Samples,
    window: Window,
    sheet: int,
    values: Sequence[Any],
    numbers: Sequence[int],
    options: Options,
    colours: Role,
) -> Panel:
    """A rank-2 sheet; ``values`` and their ``numbers`` come row by row."""
    rows, columns = window
    downs = coordinate_texts(samples.row_shape, rows)
    acrosses = coordinate_texts(samples.column_shape, columns)
    rest = "".join("," + format_htuple(c) for c in entries(natural(sheet, samples.rest_shape)))
    label, role = options.label or "offset", colours
    height, area = samples.rows, samples.rows * samples.columns * sheet
    cells: list[Cell] = []
    k = 0
    for r, (i, down) in enumerate(zip(rows, downs, strict=True)):
        for c, (j, across) in enumerate(zip(columns, acrosses, strict=True)):
            value, number = values[k], numbers[k]
            k += 1
            text = str(value) if type(value) is int else format_htuple(value)
            index = i + height * j + area
            where = f"({down},{across}{rest})"
            if label == "offset":
                lines: tuple[str, ...] = (text,)
            else:
                lines = _lines(label, where, index, text, number, (i, j), options.bits or 32)
            cells.append(Cell(r, c, lines, role(i, j, number), f"{where} index {index} offset {text}", text))
    frames: tuple[Frame, ...] = (
        () if options.bare else tile_frames(samples.row_shape, samples.column_shape, rows, columns)
    )
    title = f"(_,_{rest})" if samples.rest_shape else ""
    return chosen(
        Panel(
            len(rows),
            len(columns),
            tuple(cells),
            title=title,
            row_axis=_axis(samples.row_shape, rows, options.bare),
            column_axis=_axis(samples.column_shape, columns, options.bare),
            frames=frames,
            origin=(rows.start, columns.start),
            path=_path(numbers, len(columns)) if options.order else (),
        ),
        options.highlight,
    )


def strip_panel(
    samples: Samples,
    line: Sequence[Any],
    numbers: Sequence[int],
    options: Options,
    colours: Role,
) -> Panel:
    """A layout of rank 1, folded into rows."""
    n = len(line)
    width = min(n, options.wrap or (n if n <= LONG_ROW else _fold_width(samples.column_shape)))
    coordinates = coordinate_texts(samples.column_shape, range(n))
    label, role = options.label or "offset", colours
    cells = []
    for i, (value, number, at) in enumerate(zip(line, numbers, coordinates, strict=True)):
        text = value_text(value)
        where = at if samples.rank == 0 or not isinstance(samples.shape, tuple) else f"({at})"
        lines = _lines(label, where, i, text, number, (0, i), options.bits or 32)
        title = f"{where} index {i} offset {text}"
        cells.append(Cell(i // width, i % width, lines, role(0, i, number), title, text))
    height = -(-n // width)
    folded = height > 1
    axis = index_axis(range(width)) if folded else _axis(samples.column_shape, range(n), options.bare)
    panel = Panel(
        height,
        width,
        tuple(cells),
        row_axis=index_axis(range(0, n, width)) if folded else None,
        column_axis=axis,
        path=_path(numbers, width) if options.order else (),
    )
    return chosen(panel, options.highlight)


def _path(numbers: Sequence[int], columns: int) -> tuple[tuple[int, int], ...]:
    """The cells in the order of their values, equal ones as they stand."""
    return tuple(divmod(k, columns) for k in sorted(range(len(numbers)), key=numbers.__getitem__))


def chosen(panel: Panel, picks: Sequence[Pick]) -> Panel:
    """The panel with the picked cells framed and in colour, the others plain; unchanged without picks."""
    if not picks:
        return panel
    cells, taken = [], set()
    for cell in panel.cells:
        if any(p.takes(cell, panel) for p in picks):
            taken.add((cell.row, cell.column))
            cells.append(cell)
        else:
            cells.append(cell._replace(role="plain"))
    border = around("chosen", panel.rows, panel.columns, taken)
    return replace(panel, cells=tuple(cells), frames=(*panel.frames, border))


def arranged(panels: Sequence[Panel], across: int | None = None) -> tuple[Panel, ...]:
    """Panels in rows, so that the whole is about as wide as high."""
    if across is None:
        across = 1
        wide, high = max(p.columns for p in panels) + 2, max(p.rows for p in panels) + 2
        while across < len(panels) and across * wide < 1.5 * -(-len(panels) // across) * high:
            across += 1
    return tuple(replace(p, at=divmod(k, across)) for k, p in enumerate(panels))


def _axis(mode: Any, indices: range, bare: bool) -> Axis:
    return index_axis(indices) if bare else mode_axis(mode, indices)


def _lines(
    label: str, where: str, index: int, text: str, number: int, at: tuple[int, int], bits: int
) -> tuple[str, ...]:
    if label == "offset":
        return (text,)
    if label == "coord":
        return (where,)
    if label == "index":
        return (str(index),)
    if label == "bank":
        return text, f"b{bank_of(number, bits)}"
    if label == "thread-value":
        return f"T{at[0]}", f"V{at[1]}"
    return ()


def _fold_width(shape: Any) -> int:
    """The leading leaves as long as they make a row of at most 32 cells, if that is at least 4; else 16."""
    width = 1
    for extent in flatten(shape):
        if width * extent > 32:
            break
        width *= extent
    return width if width >= 4 else LONG_ROW


def _crop_note(samples: Samples, window: Window) -> tuple[str, ...]:
    rows, columns = window
    if (_length(rows), _length(columns)) == (samples.rows, samples.columns):
        return ()
    tall, wide = extent_text(samples.rows), extent_text(samples.columns)
    return (f"rows {rows[0]}–{rows[-1]} of {tall}, columns {columns[0]}–{columns[-1]} of {wide}",)


def _description(value: Any, samples: Samples) -> str:
    tall, wide = extent_text(samples.rows), extent_text(samples.columns)
    what = f"{tall} rows and {wide} columns" if samples.rank > 1 else f"{samples.size} cells"
    more = f" in each of {samples.sheets} panels" if samples.sheets > 1 else ""
    return f"The layout {value}: {what}{more}. Every cell shows the value at its coordinate."


LAYOUT = Picture(
    "layout",
    "a layout, swizzled or not, or a tensor",
    grid_scene,
    options=("color_by", "highlight", "label", "crop", "wrap", "limit", "bits", "order"),
    asked_by=("layout",),
)
