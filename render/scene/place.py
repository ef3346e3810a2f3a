"""Where everything of a scene goes, in points: the only geometry, shared by every backend."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import TYPE_CHECKING

from .palette import theme_of
from .place_diagram import DiagramPlacer
from .placed import FONT, LEADING, MARGIN, SMALL, TITLE, Bar, Line, Placed, Sheet, Swatch, Text, text_width

if TYPE_CHECKING:
    from .scene import Axis, Panel, Scene, Span

GAP = 28
HEADER = 14
SWATCH = 14
BAR = 240.0
"""Length of the bar of colours below a heat map."""


def place(scene: Scene) -> Placed:
    """Lay a scene out."""
    return _Placer(scene).result() if scene.diagram is None else DiagramPlacer(scene, scene.diagram).placed()


class _Placer:
    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.sizes = _cell_sizes(scene.panels)
        self.lefts = [_axis_width(p.row_axis) for p in scene.panels]
        self.tops = [_axis_height(p.column_axis) + (18 if p.title else 0) for p in scene.panels]
        self.texts: list[Text] = []
        self.lines: list[Line] = []
        self.swatches: list[Swatch] = []
        self.bars: list[Bar] = []

    def result(self) -> Placed:
        scene = self.scene
        xs, width = self.across()
        ys, height = self.down()
        full = max(width, self.least_width())
        top = self.heading(full)
        shift = MARGIN + (full - width) // 2
        sheets = [
            Sheet(p, shift + xs[p.at[1]], top + ys[p.at[0]], w, h)
            for p, (w, h) in zip(scene.panels, self.sizes, strict=True)
        ]
        for sheet, left, above in zip(sheets, self.lefts, self.tops, strict=True):
            self.headers(sheet, left, above)
        self.arrows(sheets)
        bottom = self.footer(self.legend(MARGIN, top + height + 12, full), full)
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

    def across(self) -> tuple[list[float], float]:
        """The left edge of every column of panels, and the width of all."""
        panels = self.scene.panels
        count = max(p.at[1] for p in panels) + 1
        heads, extents = [0.0] * count, [0.0] * count
        for panel, (w, _), left in zip(panels, self.sizes, self.lefts, strict=True):
            c = panel.at[1]
            heads[c] = max(heads[c], left)
            extents[c] = max(extents[c], panel.columns * w, text_width(panel.title) - left)
        gap = GAP + max((max(34.0, text_width(a.text, SMALL)) for a in self.scene.arrows), default=0.0)
        return _tracks(heads, extents, gap)

    def down(self) -> tuple[list[float], float]:
        """The upper edge of every row of panels, and the height of all."""
        panels = self.scene.panels
        count = max(p.at[0] for p in panels) + 1
        heads, extents = [0.0] * count, [0.0] * count
        for panel, (_, h), top in zip(panels, self.sizes, self.tops, strict=True):
            r = panel.at[0]
            heads[r] = max(heads[r], top)
            extents[r] = max(extents[r], panel.rows * h)
        return _tracks(heads, extents, 20)

    def least_width(self) -> float:
        """What title, caption and legend take beside narrow panels."""
        scene = self.scene
        return max(
            min(text_width(scene.title, TITLE) + 8, 720.0),
            min(text_width(scene.caption), 340.0),
            # A legend beside a narrow figure may be wider than it, in preference to a column of single lines.
            min(sum(text_width(k.text) + SWATCH + 18 for k in scene.legend), 300.0),
            sum(map(text_width, scene.ends)) + 52 if scene.ends else 0.0,
        )

    def heading(self, width: float) -> float:
        """The title; the y where it ends."""
        top = MARGIN
        if not self.scene.title:
            return top
        for part in _wrapped(self.scene.title, width, TITLE):
            self.texts.append(Text(MARGIN + width / 2, top + TITLE, part, TITLE, "middle", bold=True))
            top += 20
        return top + 4

    def headers(self, sheet: Sheet, left: float, above: float) -> None:
        """The axes and the title of a panel."""
        panel = sheet.panel
        if panel.title:
            self.texts.append(Text(sheet.x - left, sheet.y - above + 12, panel.title, bold=True))
        if panel.column_axis:
            self.column_axis(panel.column_axis, sheet)
        if panel.row_axis:
            self.row_axis(panel.row_axis, sheet)

    def column_axis(self, axis: Axis, sheet: Sheet) -> None:
        for k, level in enumerate(axis.levels):
            y = sheet.y - 4 - k * HEADER
            for span in level:
                x = sheet.x + (span.start + span.length / 2) * sheet.width
                self.label(x, y, span.text)
                if k and span.start:
                    at = sheet.x + span.start * sheet.width
                    self.lines.append(Line(at, y - 9, at, sheet.y, "rule"))
        if axis.name:
            middle = sheet.x + sheet.panel.columns * sheet.width / 2
            self.label(middle, sheet.y - 4 - len(axis.levels) * HEADER, axis.name)

    def row_axis(self, axis: Axis, sheet: Sheet) -> None:
        x = sheet.x - 5
        for k, level in enumerate(axis.levels):
            width = _level_width(level)
            for span in level:
                y = sheet.y + (span.start + span.length / 2) * sheet.height + SMALL * 0.36
                self.label(x - width / 2 + 2, y, span.text)
                if k and span.start:
                    at = sheet.y + span.start * sheet.height
                    self.lines.append(Line(x - width + 4, at, sheet.x, at, "rule"))
            x -= width
        if axis.name:
            self.label(x - 1, sheet.y + sheet.panel.rows * sheet.height / 2, axis.name, turned=True)

    def label(self, x: float, y: float, text: str, *, turned: bool = False) -> None:
        """A small text of an axis."""
        self.texts.append(Text(x, y, text, SMALL, "middle", "muted", turned=turned))

    def arrows(self, sheets: list[Sheet]) -> None:
        for arrow in self.scene.arrows:
            a, b = sheets[arrow.source], sheets[arrow.target]
            y = a.y + a.panel.rows * a.height / 2
            x0 = a.x + a.panel.columns * a.width + 8
            x1 = b.x - _axis_width(b.panel.row_axis) - 6
            self.lines.append(Line(x0, y, x1, y, "arrow", head=True))
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


def _cell_sizes(panels: tuple[Panel, ...]) -> list[tuple[float, float]]:
    """Panels of one scene share their cells' size, so that rows and columns of neighbours line up."""
    sizes = [_cell_size(p) for p in panels]
    labelled = [s for s, p in zip(sizes, panels, strict=True) if p.raster is None]
    common = max((w for w, _ in labelled), default=0), max((h for _, h in labelled), default=0)
    return [s if p.raster else common for s, p in zip(sizes, panels, strict=True)]


def _cell_size(panel: Panel) -> tuple[float, float]:
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


def _tracks(before: list[float], extents: list[float], gap: float) -> tuple[list[float], float]:
    """The start of each track after its header, and the total length."""
    starts, at = [], 0.0
    for k, (head, extent) in enumerate(zip(before, extents, strict=True)):
        at += head + (gap if k else 0)
        starts.append(at)
        at += extent
    return starts, at


def _level_width(level: Iterable[Span]) -> float:
    return max(text_width(s.text, SMALL) for s in level) + 8


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
