"""A scene in the terminal: aligned text, and where there are colours cells in those of their roles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laycalc.algebra.base.errors import refuse

from ..scene.palette import Theme, code, ramp, theme_of
from ..scene.records import Format
from .strokes import pixels

if TYPE_CHECKING:
    from rich.text import Text

    from ..scene.scene import Axis, Panel, Scene

BAR = 24
"""Characters of the bar of colours below a heat map."""
Piece = tuple[str, str]
"""A piece of a line: text, and the role of its colours, "" for none."""


def plain(scene: Scene) -> str:
    """The scene as text without trailing blanks; cells that differ carry ``*``, picked ones brackets."""
    if scene.diagram is not None:
        return "\n".join(scene.words)
    lines: list[list[Piece]] = []
    for panel in scene.panels:
        if panel.raster is not None:
            raise refuse(
                "LC104",
                "{rows} x {columns} cells are too many for a terminal; crop the picture",
                op="draw",
                rows=panel.rows,
                columns=panel.columns,
            )
        lines += _headed(scene, panel, _panel(panel, _texts(panel, signs=True)), len(lines))
    # Only the signs need a legend.
    keys = [[(f" *  {k.text}", "")] for k in scene.legend if k.role == "differs"]
    return "\n".join("".join(text for text, _ in line).rstrip() for line in (*lines, *_footer(scene, keys)))


def coloured(scene: Scene, width: int) -> Text:
    """The scene for a terminal with colours, as wide as it is; panels without room for their texts are pixels."""
    from rich.text import Text

    theme = theme_of(scene.theme)
    lines: list[list[Piece]] = [[(line, "")] for line in scene.words]
    for panel in scene.panels:
        lines += _headed(scene, panel, _fitted(panel, width, theme), len(lines))
    keys: list[list[Piece]] = [[("  ", k.role), (f" {k.text}", "")] for k in scene.legend]
    if scene.ends:
        bar = [(" ", f"{code(c)} on {code(c)}") for c in ramp(theme, BAR)]
        keys.append([(f"{scene.ends[0]} ", ""), *bar, (f" {scene.ends[1]}", "")])
    lines += _footer(scene, keys) if scene.diagram is None else []
    text = Text(no_wrap=True)
    for line in lines:
        for piece, look in line:
            text.append(piece, _style(look, theme))
        text.append("\n")
    text.rstrip()
    return text


def _style(look: str, theme: Theme) -> str | None:
    """The style of a role, or of a half block: "upper on lower"."""
    if not look or " on " in look:
        return look or None
    paint = theme.paint(look)
    return None if look in ("plain", "hole") else f"{paint.text} on {paint.fill}"


def _headed(scene: Scene, panel: Panel, lines: list[list[Piece]], before: int) -> list[list[Piece]]:
    """A panel below its title, the first one below that of the scene."""
    head = [""] if before else [scene.title, ""] if scene.title else []
    return [*([(text, "")] for text in (*head, *filter(None, [panel.title]))), *lines]


def _footer(scene: Scene, keys: list[list[Piece]]) -> list[list[Piece]]:
    lines: list[list[Piece]] = [[("", "")], *keys] if keys else []
    return lines + [[(text, "")] for text in (*scene.caption.splitlines(), *scene.notes)]


def _fitted(panel: Panel, width: int, theme: Theme) -> list[list[Piece]]:
    """A panel with all the texts of its cells, with the first ones, or with none: half a block for each cell."""
    if panel.raster is None:
        for cut in (None, 1):
            lines = _panel(panel, _texts(panel, cut=cut))
            if max(sum(len(text) for text, _ in line) for line in lines) <= width:
                return lines if cut is None else [*lines, [("the first line of each cell", "")]]
    return _blocks(panel, width, theme)


def _blocks(panel: Panel, width: int, theme: Theme) -> list[list[Piece]]:
    """Two rows of cells a line, in so many steps that they fit."""
    if panel.raster is not None:
        colours = [code(c) for c in pixels(panel, panel.raster, theme).colours]
        fills = [colours[level] for level in panel.raster.levels]
    else:
        fills = [theme.page] * (panel.rows * panel.columns)
        for cell in panel.cells:
            fills[cell.row * panel.columns + cell.column] = theme.paint(cell.role).fill
    step = -(-panel.columns // width)
    rows = [fills[i * panel.columns : (i + 1) * panel.columns : step] for i in range(0, panel.rows, step)]
    rows += [[theme.page] * len(rows[0])] * (len(rows) % 2)
    found: list[list[Piece]] = [
        [("▀", f"{above} on {below}") for above, below in zip(one, other, strict=True)]
        for one, other in zip(rows[::2], rows[1::2], strict=True)
    ]
    return found if step == 1 else [*found, [(f"one row and column of {step}", "")]]


def _panel(panel: Panel, texts: dict[tuple[int, int], Piece]) -> list[list[Piece]]:
    width = max((len(text) for text, _ in texts.values()), default=1)
    levels = panel.column_axis.levels if panel.column_axis else ()
    if levels:
        width = max(width, *(len(s.text) for s in levels[0]))
    heads = _heads(panel.row_axis, panel.rows)
    margin = max(map(len, heads), default=0) + 1
    lines: list[list[Piece]] = []
    for level in reversed(levels):
        row = [" " * (width + 2)] * panel.columns
        for span in level:
            row[span.start] = span.text.rjust(width + 1) + " "
        lines.append([(" " * margin + "".join(row), "")])
    for i in range(panel.rows):
        cells = [texts.get((i, j), ("", "")) for j in range(panel.columns)]
        head = heads[i].rjust(margin - 1) + " "
        lines.append([(head, ""), *((text.rjust(width + 1) + " ", role) for text, role in cells)])
    return lines


def _texts(panel: Panel, *, signs: bool = False, cut: int | None = None) -> dict[tuple[int, int], Piece]:
    """The text and the role of every cell; ``signs`` stand for colours."""
    picked = signs and any(f.kind in ("chosen", "slice", "block") for f in panel.frames)
    found = {}
    for cell in panel.cells:
        text = " ".join(cell.lines[:cut])
        if signs and cell.mark == "differs":
            text += "*"
        elif picked and cell.role != "plain":
            text = f"[{text}]"
        found[cell.row, cell.column] = text, cell.role
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
