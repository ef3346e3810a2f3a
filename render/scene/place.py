"""Where everything of a scene goes, in points: the only geometry, shared by every backend.

The origin is the top left corner, y grows downwards. Text is placed by its baseline.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from .palette import Theme, theme_of

if TYPE_CHECKING:
    from .scene import Axis, Panel, Scene

__all__ = ["Bar", "Line", "Placed", "Sheet", "Swatch", "Text", "place", "text_width"]

FONT = 11.0
"""Size of the text in cells and legends."""
SMALL = 9.5
TITLE = 14.0
LEADING = 13
MARGIN = 12
GAP = 28
HEADER = 14
SWATCH = 14
BAR = 240.0
"""Length of the bar of colours below a heat map."""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; ``anchor`` is "start", "middle" or "end"; ``tone`` "ink" or "muted"; ``turned`` reads upwards."""

    x: float
    y: float
    text: str
    size: float = FONT
    anchor: str = "start"
    tone: str = "ink"
    bold: bool = False
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line drawn with a pen; ``arrow`` puts a head at its end."""

    x0: float
    y0: float
    x1: float
    y1: float
    pen: str
    arrow: bool = False


@dataclass(frozen=True, slots=True)
class Swatch:
    """A square of the legend."""

    x: float
    y: float
    size: float
    role: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """The colours of a heat map from the least to the greatest, left to right."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """A panel with the place of its first cell's corner, and the size of a cell."""

    panel: Panel
    x: float
    y: float
    width: float
    height: float
    font: float = FONT


@dataclass(frozen=True, slots=True)
class Placed:
    """A scene with lengths: what a backend draws, in this order."""

    width: float
    height: float
    sheets: tuple[Sheet, ...]
    texts: tuple[Text, ...]
    lines: tuple[Line, ...]
    swatches: tuple[Swatch, ...]
    theme: Theme
    bars: tuple[Bar, ...] = ()


def text_width(text: str, size: float = FONT) -> float:
    """A safe estimate: digits and letters of usual sans faces are at most 0.64 em wide on average."""
    return len(text) * size * 0.62


def place(scene: Scene) -> Placed:
    """Lay a scene out; a diagram does so itself."""
    own = getattr(scene, "placed", None)
    placed: Placed = own() if own is not None else _Placer(scene).result()
    return placed


class _Placer:
    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.texts: list[Text] = []
        self.lines: list[Line] = []
        self.swatches: list[Swatch] = []
        self.bars: list[Bar] = []

    def result(self) -> Placed:
        scene = self.scene
        sizes = [self.cell_size(p) for p in scene.panels]
        labelled = [s for s, p in zip(sizes, scene.panels, strict=True) if p.raster is None]
        if labelled:
            # Panels of one scene share their cells' size, so that rows and columns of neighbours line up.
            common = max(w for w, _ in labelled), max(h for _, h in labelled)
            sizes = [s if p.raster else common for s, p in zip(sizes, scene.panels, strict=True)]
        lefts = [_axis_width(p.row_axis) for p in scene.panels]
        tops = [_axis_height(p.column_axis) + (18 if p.title else 0) for p in scene.panels]
        columns, rows = max(p.at[1] for p in scene.panels) + 1, max(p.at[0] for p in scene.panels) + 1
        gap = GAP + max((max(34.0, text_width(a.text, SMALL)) for a in scene.arrows), default=0.0)
        xs, width = _tracks(
            [
                max((left for left, p in zip(lefts, scene.panels, strict=True) if p.at[1] == c), default=0)
                for c in range(columns)
            ],
            [
                max(
                    max(p.columns * w, text_width(p.title) - left)
                    for p, (w, _), left in zip(scene.panels, sizes, lefts, strict=True)
                    if p.at[1] == c
                )
                for c in range(columns)
            ],
            gap,
        )
        ys, height = _tracks(
            [
                max((top for top, p in zip(tops, scene.panels, strict=True) if p.at[0] == r), default=0)
                for r in range(rows)
            ],
            [
                max(p.rows * h for p, (_, h) in zip(scene.panels, sizes, strict=True) if p.at[0] == r)
                for r in range(rows)
            ],
            20,
        )
        full = max(
            width,
            min(text_width(scene.title, TITLE) + 8, 720.0),
            min(text_width(scene.caption), 340.0),
            # A legend beside a narrow figure may be wider than it, in preference to a column of single lines.
            min(sum(text_width(k.text) + SWATCH + 18 for k in scene.legend), 300.0),
            sum(map(text_width, scene.ends)) + 52 if scene.ends else 0.0,
        )
        shift = MARGIN + (full - width) // 2
        top = MARGIN
        if scene.title:
            for part in _wrapped(scene.title, full, TITLE):
                self.texts.append(Text(MARGIN + full / 2, top + TITLE, part, TITLE, "middle", bold=True))
                top += 20
            top += 4
        sheets = [
            Sheet(p, shift + xs[p.at[1]], top + ys[p.at[0]], w, h)
            for p, (w, h) in zip(scene.panels, sizes, strict=True)
        ]
        for sheet, left, above in zip(sheets, lefts, tops, strict=True):
            self.headers(sheet, left, above)
        self.arrows(sheets)
        bottom = self.legend(MARGIN, top + height + 12, full)
        bottom = self.footer(bottom, full)
        return Placed(
            ceil(full + 2 * MARGIN),
            ceil(bottom + MARGIN - 4),
            tuple(sheets),
            tuple(self.texts),
            tuple(self.lines),
            tuple(self.swatches),
            theme_of(scene.theme),
            tuple(self.bars),
        )

    def cell_size(self, panel: Panel) -> tuple[float, float]:
        """Width and height of a cell: room for its longest text."""
        if panel.raster is not None:
            unit = min(8.0, max(0.05, 640 / max(panel.rows, panel.columns)))
            return unit, unit
        longest = max(map(len, {line for cell in panel.cells for line in cell.lines}), default=0)
        if panel.column_axis and panel.column_axis.levels:
            longest = max(longest, *(len(s.text) // s.length for level in panel.column_axis.levels for s in level))
        lines = max(map(len, {cell.lines for cell in panel.cells}), default=1)
        width = max(24, 2 * ceil((longest * FONT * 0.62 + 8) / 2))
        height = max(24, lines * LEADING + 8)
        # A cell may be wide, never narrow and tall.
        return max(width, 2 * (height * 9 // 20)), height

    def headers(self, sheet: Sheet, left: float, above: float) -> None:
        """The axes and the title of a panel."""
        panel = sheet.panel
        if panel.title:
            self.texts.append(Text(sheet.x - left, sheet.y - above + 12, panel.title, bold=True))
        if panel.column_axis:
            for k, level in enumerate(panel.column_axis.levels):
                y = sheet.y - 4 - k * HEADER
                for span in level:
                    x = sheet.x + (span.start + span.length / 2) * sheet.width
                    self.texts.append(Text(x, y, span.text, SMALL, "middle", "muted"))
                    if k and span.start:
                        at = sheet.x + span.start * sheet.width
                        self.lines.append(Line(at, y - 9, at, sheet.y, "rule"))
            if panel.column_axis.name:
                y = sheet.y - 4 - len(panel.column_axis.levels) * HEADER
                middle = sheet.x + panel.columns * sheet.width / 2
                self.texts.append(Text(middle, y, panel.column_axis.name, SMALL, "middle", "muted"))
        if panel.row_axis:
            x = sheet.x - 5
            for k, level in enumerate(panel.row_axis.levels):
                width = _level_width(level)
                for span in level:
                    y = sheet.y + (span.start + span.length / 2) * sheet.height + SMALL * 0.36
                    self.texts.append(Text(x - width / 2 + 2, y, span.text, SMALL, "middle", "muted"))
                    if k and span.start:
                        at = sheet.y + span.start * sheet.height
                        self.lines.append(Line(x - width + 4, at, sheet.x, at, "rule"))
                x -= width
            if panel.row_axis.name:
                middle = sheet.y + panel.rows * sheet.height / 2
                self.texts.append(Text(x - 1, middle, panel.row_axis.name, SMALL, "middle", "muted", turned=True))

    def arrows(self, sheets: list[Sheet]) -> None:
        for arrow in self.scene.arrows:
            a, b = sheets[arrow.source], sheets[arrow.target]
            y = a.y + a.panel.rows * a.height / 2
            x0 = a.x + a.panel.columns * a.width + 8
            x1 = b.x - _axis_width(b.panel.row_axis) - 6
            self.lines.append(Line(x0, y, x1, y, "arrow", arrow=True))
            if arrow.text:
                self.texts.append(Text((x0 + x1) / 2, y - 6, arrow.text, SMALL, "middle"))

    def legend(self, left: float, top: float, width: float) -> float:
        """The legend in rows below the panels, or the bar of a heat map; the y where it ends."""
        if self.scene.ends:
            return self.bar(left, top, width)
        if not self.scene.legend:
            return top
        step = max(text_width(k.text) for k in self.scene.legend) + SWATCH + 18
        per_row = max(1, int((width + 18) // step))
        for k, key in enumerate(self.scene.legend):
            x, y = left + k % per_row * step, top + k // per_row * 20
            self.swatches.append(Swatch(x, y, SWATCH, key.role, key.mark))
            self.texts.append(Text(x + SWATCH + 5, y + 11, key.text))
        return top + -(-len(self.scene.legend) // per_row) * 20 + 4

    def bar(self, left: float, top: float, width: float) -> float:
        """The colours of a heat map with the least and the greatest number at their ends."""
        low, high = self.scene.ends or ("", "")
        x = left + text_width(low) + 6
        length = max(40.0, min(BAR, width - 12 - text_width(low) - text_width(high)))
        self.texts.append(Text(x - 6, top + 11, low, anchor="end"))
        self.bars.append(Bar(x, top, length, SWATCH))
        self.texts.append(Text(x + length + 6, top + 11, high))
        return top + 24

    def footer(self, top: float, width: float) -> float:
        for text, tone in [(self.scene.caption, "ink"), *((n, "muted") for n in self.scene.notes)]:
            for part in _wrapped(text, width, FONT):
                self.texts.append(Text(MARGIN, top + FONT, part, FONT, tone=tone))
                top += 16
        return top


def _tracks(before: list[float], extents: list[float], gap: float) -> tuple[list[float], float]:
    """The start of each track after its header, and the total length."""
    starts, at = [], 0.0
    for k, (head, extent) in enumerate(zip(before, extents, strict=True)):
        at += head + (gap if k else 0)
        starts.append(at)
        at += extent
    return starts, at


def _level_width(level: tuple[object, ...]) -> float:
    return max(text_width(getattr(s, "text", ""), SMALL) for s in level) + 8


def _axis_width(axis: Axis | None) -> float:
    if axis is None:
        return 0
    return sum(map(_level_width, axis.levels)) + 5 + (13 if axis.name else 0)


def _axis_height(axis: Axis | None) -> float:
    if axis is None:
        return 0
    return len(axis.levels) * HEADER + 4 + (HEADER if axis.name else 0)


def _wrapped(text: str, width: float, size: float) -> list[str]:
    """Lines no wider than ``width``, broken after blanks and commas."""
    room = max(12, int(width / (size * 0.6)))
    lines = []
    for part in text.splitlines():
        while len(part) > room:
            cut = max(part.rfind(" ", 0, room), part.rfind(",", 0, room)) + 1 or room
            lines.append(part[:cut].rstrip())
            part = part[cut:].lstrip()
        if part:
            lines.append(part)
    return lines
