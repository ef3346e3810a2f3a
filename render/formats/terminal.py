"""A scene in the terminal: aligned text, with the colours of its roles where they are allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laycalc.algebra.base.errors import refuse

from ..scene.palette import theme_of

if TYPE_CHECKING:
    from rich.text import Text

    from ..scene.scene import Axis, Panel, Scene

__all__ = ["coloured", "plain"]

# A piece of a line: text, and the role of its colours or "" for none.
Piece = tuple[str, str]


def plain(scene: Scene) -> str:
    """The scene as text without colours or trailing blanks; cells that differ carry ``*``, picked ones brackets."""
    return "\n".join("".join(text for text, _ in line).rstrip() for line in _lines(scene, colours=False))


def coloured(scene: Scene) -> Text:
    """The scene as one styled text for a terminal with colours."""
    from rich.text import Text

    theme = theme_of(scene.theme)
    text = Text(no_wrap=True)
    for k, line in enumerate(_lines(scene, colours=True)):
        if k:
            text.append("\n")
        for piece, role in line:
            paint = theme.paint(role)
            text.append(piece, f"{paint.text} on {paint.fill}" if role and role not in ("plain", "hole") else None)
    return text


def _lines(scene: Scene, *, colours: bool) -> list[list[Piece]]:
    lines: list[list[Piece]] = [[(scene.title, "")], []] if scene.title else []
    for k, panel in enumerate(scene.panels):
        if panel.raster is not None:
            raise refuse(
                "LC104",
                "{rows} x {columns} cells are too many for a terminal; crop the picture",
                op="draw",
                rows=panel.rows,
                columns=panel.columns,
            )
        if k:
            lines.append([])
        if panel.title:
            lines.append([(panel.title, "")])
        lines += _panel(panel)
    # Without colours only the signs need a legend.
    keys = [k for k in scene.legend if colours or k.role == "differs"]
    if keys:
        lines.append([])
    lines += [[(" * " if k.role == "differs" else "   ", k.role), (f" {k.text}", "")] for k in keys]
    lines += [[(part, "")] for part in (*scene.caption.splitlines(), *scene.notes)]
    return lines


def _panel(panel: Panel) -> list[list[Piece]]:
    grid = {(c.row, c.column): c for c in panel.cells}
    picked = any(f.kind in ("chosen", "slice", "block") for f in panel.frames)
    texts = {}
    for place, cell in grid.items():
        text = " ".join(cell.lines)
        if cell.mark == "differs":
            text += "*"
        elif picked and cell.role != "plain":
            text = f"[{text}]"
        texts[place] = text
    width = max(map(len, texts.values()), default=1)
    if panel.column_axis:
        width = max(width, *(len(s.text) for s in panel.column_axis.levels[0])) if panel.column_axis.levels else width
    heads = _heads(panel.row_axis, panel.rows)
    margin = max(map(len, heads), default=0) + 1
    lines: list[list[Piece]] = []
    for level in reversed(panel.column_axis.levels if panel.column_axis else ()):
        row = [" " * (width + 2)] * panel.columns
        for span in level:
            row[span.start] = span.text.rjust(width + 1) + " "
        lines.append([(" " * margin, ""), ("".join(row), "")])
    for i in range(panel.rows):
        line: list[Piece] = [(heads[i].rjust(margin - 1) + " ", "")]
        for j in range(panel.columns):
            found = grid.get((i, j))
            line.append((texts.get((i, j), "").rjust(width + 1) + " ", found.role if found else ""))
        lines.append(line)
    return lines


def _heads(axis: Axis | None, rows: int) -> list[str]:
    """The labels of every row, outermost first."""
    heads = [""] * rows
    for level in reversed(axis.levels if axis else ()):
        width = max(len(s.text) for s in level)
        starts = {s.start: s.text for s in level}
        heads = [f"{head} {starts.get(i, '').rjust(width)}".strip("\n") for i, head in enumerate(heads)]
    return [h[1:] for h in heads] if axis and axis.levels else heads
