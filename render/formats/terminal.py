"""A scene in the terminal: aligned text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laycalc.algebra.base.errors import refuse

from ..scene.records import Format

if TYPE_CHECKING:
    from ..scene.scene import Axis, Panel, Scene


def plain(scene: Scene) -> str:
    """The scene as text without trailing blanks; cells that differ carry ``*``, picked ones brackets."""
    lines = [scene.title, ""] if scene.title else []
    if scene.diagram is not None:
        return "\n".join(scene.words)
    for k, panel in enumerate(scene.panels):
        if panel.raster is not None:
            raise refuse(
                "LC104",
                "{rows} x {columns} cells are too many for a terminal; crop the picture",
                op="draw",
                rows=panel.rows,
                columns=panel.columns,
            )
        lines += [""] if k else []
        lines += [panel.title] if panel.title else []
        lines += _panel(panel)
    # Only the signs need a legend.
    keys = [f" *  {k.text}" for k in scene.legend if k.role == "differs"]
    lines += ["", *keys] if keys else []
    return "\n".join(line.rstrip() for line in (*lines, *scene.caption.splitlines(), *scene.notes))


def _panel(panel: Panel) -> list[str]:
    texts = _texts(panel)
    width = max(map(len, texts.values()), default=1)
    levels = panel.column_axis.levels if panel.column_axis else ()
    if levels:
        width = max(width, *(len(s.text) for s in levels[0]))
    heads = _heads(panel.row_axis, panel.rows)
    margin = max(map(len, heads), default=0) + 1
    lines = []
    for level in reversed(levels):
        row = [" " * (width + 2)] * panel.columns
        for span in level:
            row[span.start] = span.text.rjust(width + 1) + " "
        lines.append(" " * margin + "".join(row))
    for i in range(panel.rows):
        cells = "".join(texts.get((i, j), "").rjust(width + 1) + " " for j in range(panel.columns))
        lines.append(heads[i].rjust(margin - 1) + " " + cells)
    return lines


def _texts(panel: Panel) -> dict[tuple[int, int], str]:
    """The text of every cell with its sign."""
    picked = any(f.kind in ("chosen", "slice", "block") for f in panel.frames)
    found = {}
    for cell in panel.cells:
        text = " ".join(cell.lines)
        if cell.mark == "differs":
            text += "*"
        elif picked and cell.role != "plain":
            text = f"[{text}]"
        found[cell.row, cell.column] = text
    return found


def _heads(axis: Axis | None, rows: int) -> list[str]:
    """The labels of every row, outermost first."""
    heads = [""] * rows
    for level in reversed(axis.levels if axis else ()):
        width = max(len(s.text) for s in level)
        starts = {s.start: s.text for s in level}
        heads = [f"{head} {starts.get(i, '').rjust(width)}".strip("\n") for i, head in enumerate(heads)]
    return [h[1:] for h in heads] if axis and axis.levels else heads


TXT = Format("txt", plain)
