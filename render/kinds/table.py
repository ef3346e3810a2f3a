"""Tables of a layout as text: a plain table of cells with nested headers, then one short writer for each format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.htuple import entries, format_htuple
from laycalc.algebra.values.shape import natural

from ..scene.axes import coordinate_texts, mode_axis
from ..scene.sample import Samples, extent_text, value_text
from ..scene.scene import Axis

if TYPE_CHECKING:
    from rich.text import Text

TABLE_LIMIT = 4096
"""How many cells are written before a table is cut down to its corner."""
CORNER = 16
"""Rows and columns of the corner of a table that is too large."""

CELLS = ("offset", "coord", "index")


@dataclass(frozen=True, slots=True)
class Sheet:
    """One rank-2 slice: its title, the texts of its cells, the nested headers and the flat coordinates."""

    title: str
    cells: tuple[tuple[str, ...], ...]
    row_axis: Axis
    column_axis: Axis
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A layout as text cells; ``note`` says what is left out."""

    layout: str
    sheets: tuple[Sheet, ...]
    cells: str = "offset"
    note: str = ""


def table_of(
    value: Any, *, cells: str = "offset", limit: int = TABLE_LIMIT, width: int | None = None, mark: int = 0
) -> Table:
    """The table of a layout; rank 3 and more as titled slices, more cells than ``limit`` as the corner and a note.

    ``cells`` is "offset", "coord" or "index"; LC103 for another choice. Columns that a line of ``width`` characters
    has no room for are left out with a note, each cell taking ``mark`` characters more than its text.
    """
    if cells not in CELLS:
        raise refuse(
            "LC103", "cells is one of {choices}, not {given}", op="table", choices=", ".join(CELLS), given=cells
        )
    samples = Samples(value, "table")
    rows, columns, sheets, note = samples.rows, samples.columns, samples.sheets, ""
    if samples.size > limit:
        rows, columns = _corner(rows, columns, limit)
        sheets = max(1, min(sheets, limit // (rows * columns)))
    shown = [_sheet(samples, rows, columns, k, cells) for k in range(sheets)]
    if width is not None:
        fitting = min(_fitting(s, width, mark) for s in shown)
        if fitting < columns:
            note = f"{fitting} of {extent_text(samples.columns)} columns: a line has room for {width} characters"
            columns = fitting
            shown = [_sheet(samples, rows, columns, k, cells) for k in range(sheets)]
    if samples.size > limit:
        parts = [f"{rows} of {extent_text(samples.rows)} rows"] if samples.rank > 1 else []
        parts.append(f"{columns} of {extent_text(samples.columns)} columns")
        if samples.sheets > 1:
            parts.append(f"{sheets} of {extent_text(samples.sheets)} slices")
        note = f"{extent_text(samples.size)} cells are more than {limit}: {', '.join(parts)}"
    return Table(str(value), tuple(shown), cells, note)


def _fitting(sheet: Sheet, width: int, mark: int) -> int:
    """How many columns a line of that many characters has room for, at least one."""
    levels = sheet.row_axis.levels
    room = width - (sum(1 + max(len(s.text) for s in level) for level in levels) + 2 if levels else 0)
    widest, inner = 0, sheet.column_axis.levels[0]
    for j, column in enumerate(zip(*sheet.cells, strict=True)):
        # Columns have one width: that of the widest cell or header.
        widest = max(widest, len(inner[j].text), mark + max(map(len, column)))
        if (j + 1) * (widest + 1) - 1 > room:
            return max(1, j)
    return len(sheet.columns)


def _corner(rows: int, columns: int, limit: int) -> tuple[int, int]:
    rows = min(rows, CORNER, limit)
    return rows, max(1, min(columns, CORNER, limit // rows))


def _sheet(samples: Samples, rows: int, columns: int, k: int, cells: str) -> Sheet:
    values = samples.block(range(rows), range(columns), k)
    downs = coordinate_texts(samples.row_shape, range(rows))
    acrosses = coordinate_texts(samples.column_shape, range(columns))
    rest = "".join("," + format_htuple(c) for c in entries(natural(k, samples.rest_shape)))
    flat = samples.rank < 2

    def text(i: int, j: int) -> str:
        if cells == "offset":
            return value_text(values[i][j])
        if cells == "index":
            return str(samples.index(i, j, k))
        if flat:
            return acrosses[j] if not isinstance(samples.shape, tuple) else f"({acrosses[j]})"
        return f"({downs[i]},{acrosses[j]}{rest})"

    return Sheet(
        title=f"(_,_{rest})" if samples.rest_shape else "",
        cells=tuple(tuple(text(i, j) for j in range(columns)) for i in range(rows)),
        row_axis=Axis(()) if flat else mode_axis(samples.row_shape, range(rows)),
        column_axis=mode_axis(samples.column_shape, range(columns)),
        rows=("",) if flat else tuple(downs),
        columns=tuple(acrosses),
        values=tuple(map(tuple, values)),
    )


def table(
    value: Any, *, format: str = "plain", cells: str = "offset", limit: int = TABLE_LIMIT, width: int | None = None
) -> Any:
    """The table of a layout in a format: a string, or a `rich.text.Text` for "rich". LC103 for an unknown format.

    ``width`` is that of the terminal: "plain" and "rich" leave out the columns that do not fit, and say so.
    """
    if format not in TABLE_FORMATS:
        raise refuse(
            "LC103",
            "format is one of {choices}, not {given}",
            op="table",
            choices=", ".join(TABLE_FORMATS),
            given=format,
        )
    room = width if format in ("plain", "rich") else None
    return TABLE_FORMATS[format](table_of(value, cells=cells, limit=limit, width=room))


# A piece of a line and its meaning: "", "header", "rule", "title" or "note".
Piece = tuple[str, str]


def _pieces(made: Table) -> list[list[Piece]]:
    """The lines of the aligned text table."""
    lines: list[list[Piece]] = []
    for k, sheet in enumerate(made.sheets):
        if k:
            lines.append([])
        if sheet.title:
            lines.append([(sheet.title, "title")])
        lines += aligned(sheet)
    if made.note:
        lines.append([(made.note, "note")])
    return lines


def aligned(sheet: Sheet) -> list[list[Piece]]:
    """The lines of one slice: nested headers, a rule, the rows."""
    count, inner = len(sheet.columns), sheet.column_axis.levels[0]
    # Columns of one width line up with the headers of outer coordinates.
    width = max(max(map(len, texts)) for texts in ([inner[j].text for j in range(count)], *sheet.cells))
    heads = _row_heads(sheet)
    left = len(heads[0])
    bar = " | " if sheet.row_axis.levels else ""
    lines: list[list[Piece]] = []
    for level in reversed(sheet.column_axis.levels):
        starts = {span.start: span.text for span in level}
        header = " ".join(starts.get(j, "").rjust(width) for j in range(count)).rstrip()
        lines.append([(" " * left, ""), (bar, "rule"), (header, "header")])
    lines.append([("-" * left + ("-+-" if bar else "") + "-" * (count * (width + 1) - 1), "rule")])
    breaks = {span.start for level in sheet.row_axis.levels[1:] for span in level} - {0}
    for i, cells in enumerate(sheet.cells):
        if i in breaks:
            lines.append([(" " * left, ""), (" |", "rule")])
        lines.append([(heads[i], "header"), (bar, "rule"), (" ".join(t.rjust(width) for t in cells), "")])
    return lines


def _row_heads(sheet: Sheet) -> list[str]:
    """The labels of every row, outermost first."""
    levels = [({s.start: s.text for s in level}, max(len(s.text) for s in level)) for level in sheet.row_axis.levels]
    levels.reverse()
    return [" ".join(starts.get(i, "").rjust(wide) for starts, wide in levels) for i in range(len(sheet.rows))]


def plain(made: Table) -> str:
    """Aligned text, ASCII only."""
    return str(written(_pieces(made), "plain"))


def rich_text(made: Table) -> Text:
    """Aligned text with styles."""
    text: Text = written(_pieces(made), "rich")
    return text


def written(lines: list[list[Piece]], format: str) -> Any:
    """Lines of pieces as a string, or as one styled text; a rich table would cost ten times as much."""
    if format == "plain":
        return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)
    from rich.text import Text

    text = Text(no_wrap=True)
    for k, line in enumerate(lines):
        if k:
            text.append("\n")
        for piece, meaning in line:
            text.append(piece.translate(_BOX) if meaning == "rule" else piece, STYLES[meaning] or None)
    return text


STYLES = {"header": "cyan", "rule": "dim", "title": "bold", "note": "yellow", "": ""}
_BOX = str.maketrans({"-": "─", "|": "│", "+": "┼"})


def csv(made: Table) -> str:
    """Comma-separated values: a header of column coordinates, a first column of row coordinates (RFC 4180)."""
    import csv as writer_module
    from io import StringIO

    out = StringIO()
    writer = writer_module.writer(out, lineterminator="\n")
    for sheet in made.sheets:
        writer.writerow([sheet.title or "", *sheet.columns])
        writer.writerows([head, *row] for head, row in zip(sheet.rows, sheet.cells, strict=True))
    return out.getvalue().rstrip("\n")


def markdown(made: Table) -> str:
    """A table of GitHub's markdown for every slice."""
    lines: list[str] = []
    for sheet in made.sheets:
        if lines:
            lines.append("")
        if sheet.title:
            lines += [f"**{_md(sheet.title)}**", ""]
        lines.append("| |" + "".join(f" {_md(c)} |" for c in sheet.columns))
        lines.append("|---|" + "---:|" * len(sheet.columns))
        lines += [
            f"| **{_md(head)}** |" + "".join(f" {_md(c)} |" for c in row)
            if head
            else "| |" + "".join(f" {_md(c)} |" for c in row)
            for head, row in zip(sheet.rows, sheet.cells, strict=True)
        ]
    if made.note:
        lines += ["", f"*{_md(made.note)}*"]
    return "\n".join(lines)


def _md(text: str) -> str:
    return text.replace("_", "\\_").replace("*", "\\*").replace("|", "\\|").replace("<", "&lt;")


def json(made: Table) -> str:
    """One object: schema 1, the layout, and every slice with its coordinates and values."""
    from json import dumps

    sheets: list[dict[str, Any]] = [
        {
            "title": sheet.title,
            "rows": list(sheet.rows),
            "columns": list(sheet.columns),
            "cells": [list(r) for r in (sheet.values if made.cells == "offset" else sheet.cells)],
        }
        for sheet in made.sheets
    ]
    found: dict[str, Any] = {"schema": 1, "layout": made.layout, "show": made.cells, "slices": sheets}
    if made.note:
        found["note"] = made.note
    return dumps(found)


TABLE_FORMATS = {"plain": plain, "rich": rich_text, "csv": csv, "markdown": markdown, "json": json}
"""The formats of a table and their writers."""
