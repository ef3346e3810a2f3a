"""Where everything of a scene goes, in points: the only geometry, shared by every backend."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from .palette import theme_of
from .place_diagram import placed_diagram
from .placed import Bar, Line, Placed, Sheet, Swatch, Text, text_width, wrapped

if TYPE_CHECKING:
    from .scene import Arrow, Axis, Panel, Scene, Span

BAR = 240.0
"""Length of the bar of colours below a heat map."""
RASTER = 640.0
"""Length of the longer side of a heat map."""


def place(scene: Scene) -> Placed:
    """Lay a scene out."""
    return Placer(scene).result() if scene.diagram is None else placed_diagram(scene, scene.diagram)


class Measure(NamedTuple):
    """How much text a cell of a panel holds: characters of the longest line, and lines."""

    longest: int
    lines: int


def measure(panel: Panel) -> Measure:
    """The texts of a panel's cells, and of the labels that stand above single columns."""
    longest = max(map(len, {line for cell in panel.cells for line in cell.lines}), default=0)
    if panel.column_axis and panel.column_axis.levels:
        longest = max(longest, *(len(s.text) // s.length for level in panel.column_axis.levels for s in level))
    return Measure(longest, max(map(len, {cell.lines for cell in panel.cells}), default=1))


class Placer:
    """Places the panels of a scene with their titles and axes, then legend and caption below them."""

    def __init__(self, scene: Scene, measures: Iterable[Measure] | None = None) -> None:
        self.scene = scene
        self.look = scene.look
        self.lefts = [self.axis_width(p.row_axis) for p in scene.panels]
        self.sizes = self.cell_sizes(list(measures or map(measure, scene.panels)))
        self.titles = [[p.title] if p.title else [] for p in scene.panels]
        if self.look.width:
            self.fit(self.look.width)
        line = self.look.heading + 7
        self.tops = [
            self.axis_height(p.column_axis) + line * len(t) for p, t in zip(scene.panels, self.titles, strict=True)
        ]
        self.texts: list[Text] = []
        self.lines: list[Line] = []
        self.swatches: list[Swatch] = []
        self.bars: list[Bar] = []

    def result(self) -> Placed:
        """Everything with lengths."""
        scene, margin = self.scene, self.look.margin
        xs, width = self.across()
        ys, height = self.down()
        full = self.look.width - 2 * margin if self.look.width else max(width, self.least_width())
        top = self.heading(full)
        shift = margin + max(0.0, full - width) // 2
        sheets = [
            Sheet(p, shift + xs[p.at[1]], top + ys[p.at[0]], w, h, self.look.font)
            for p, (w, h) in zip(scene.panels, self.sizes, strict=True)
        ]
        for k, sheet in enumerate(sheets):
            self.headers(sheet, k)
        for arrow in scene.arrows:
            self.arrow(arrow, sheets[arrow.source], sheets[arrow.target])
        bottom = self.footer(self.legend(margin, top + height + 12, full), full)
        return Placed(
            self.look.width or ceil(full + 2 * margin),
            ceil(bottom + margin - 4),
            tuple(sheets),
            tuple(self.texts),
            tuple(self.lines),
            tuple(self.swatches),
            theme_of(scene.theme),
            tuple(self.bars),
        )

    # -- sizes ----------------------------------------------------------------------------------------------

    @property
    def needed(self) -> float:
        """The width that panels, axes and margins take."""
        return self.across(titled=False)[1] + 2 * self.look.margin

    def cell_sizes(self, measures: list[Measure]) -> list[tuple[float, float]]:
        """Panels of one scene share their cells' size, so that rows and columns of neighbours line up."""
        panels = self.scene.panels
        cells = [self.cell_size(m) for p, m in zip(panels, measures, strict=True) if p.raster is None]
        common = max((w for w, _ in cells), default=0), max((h for _, h in cells), default=0)
        unit = self.raster_unit()
        return [(unit, unit) if p.raster else common for p in panels]

    def cell_size(self, measured: Measure) -> tuple[float, float]:
        """Width and height of a cell: room for its longest text."""
        look = self.look
        width = max(look.least, text_width(" " * measured.longest, look.font) + look.padding)
        height = max(look.least, measured.lines * look.leading + look.padding)
        if look.width:
            return width, height
        # A cell may be wide, never narrow and tall.
        return max(2 * ceil(width / 2), 2 * (height * 9 // 20)), height

    def raster_unit(self) -> float:
        """The side of a cell of the heat maps, so that the largest is as long as they are, or the width is used."""
        panels = [p for p in self.scene.panels if p.raster]
        if not panels:
            return 0.0
        if not self.look.width:
            return min(8.0, max(0.05, RASTER / max(max(p.rows, p.columns) for p in panels)))
        self.sizes = [(0.0, 0.0)] * len(self.scene.panels)
        room = self.look.width - self.needed
        columns: dict[int, int] = {}
        for panel in panels:
            columns[panel.at[1]] = max(columns.get(panel.at[1], 0), panel.columns)
        return min(room / sum(columns.values()), 1.2 * room / max(p.rows for p in panels))

    def fit(self, width: float) -> None:
        """Break the titles that are too wide, and let cells take the width that is left, within bounds."""
        if self.across()[1] + 2 * self.look.margin > width:
            self.titles = [self.broken(*pair) for pair in zip(self.scene.panels, self.sizes, self.lefts, strict=True)]
        spare = width - self.across()[1] - 2 * self.look.margin
        columns: dict[int, float] = {}
        for panel, (w, _) in zip(self.scene.panels, self.sizes, strict=True):
            if panel.raster is None:
                columns[panel.at[1]] = max(columns.get(panel.at[1], 0.0), panel.columns * w)
        if columns and spare > 0:
            factor = min(self.look.growth, 1 + spare / sum(columns.values()))
            self.sizes = [
                (w, h) if p.raster else (w * factor, max(h, w * factor / 2))
                for p, (w, h) in zip(self.scene.panels, self.sizes, strict=True)
            ]

    def broken(self, panel: Panel, size: tuple[float, float], left: float) -> list[str]:
        """The title of a panel in lines that its column has room for."""
        alone = max(p.at[1] for p in self.scene.panels) == 0
        room = (self.look.width or 0.0) - 2 * self.look.margin if alone else panel.columns * size[0] + left
        return wrapped(panel.title, room, self.look.heading)

    def across(self, *, titled: bool = True) -> tuple[list[float], float]:
        """The left edge of every column of panels, and the width of all."""
        panels, look = self.scene.panels, self.look
        count = max(p.at[1] for p in panels) + 1
        heads, extents = [0.0] * count, [0.0] * count
        for k, (panel, (w, _), left) in enumerate(zip(panels, self.sizes, self.lefts, strict=True)):
            c = panel.at[1]
            title = max((text_width(t, look.heading) for t in self.titles[k]), default=0.0) if titled else 0.0
            heads[c] = max(heads[c], left)
            extents[c] = max(extents[c], panel.columns * w, title - left)
        gap = look.gap + max((max(34.0, text_width(a.text, look.small)) for a in self.scene.arrows), default=0.0)
        return tracks(heads, extents, gap)

    def down(self) -> tuple[list[float], float]:
        """The upper edge of every row of panels, and the height of all."""
        panels = self.scene.panels
        count = max(p.at[0] for p in panels) + 1
        heads, extents = [0.0] * count, [0.0] * count
        for panel, (_, h), top in zip(panels, self.sizes, self.tops, strict=True):
            r = panel.at[0]
            heads[r] = max(heads[r], top)
            extents[r] = max(extents[r], panel.rows * h)
        downwards = any(panels[a.source].at[1] == panels[a.target].at[1] for a in self.scene.arrows)
        return tracks(heads, extents, 34.0 if downwards else 20.0)

    def least_width(self) -> float:
        """What title, caption and legend take beside narrow panels."""
        scene, look = self.scene, self.look
        return max(
            min(text_width(scene.title, look.title) + 8, 720.0),
            min(text_width(scene.caption, look.text), 340.0),
            # A legend beside a narrow figure may be wider than it, in preference to a column of single lines.
            min(sum(text_width(k.text, look.text) + look.swatch + 18 for k in scene.legend), 300.0),
            sum(text_width(end, look.text) for end in scene.ends) + 52 if scene.ends else 0.0,
        )

    def axis_width(self, axis: Axis | None) -> float:
        if axis is None:
            return 0.0
        return sum(map(self.level_width, axis.levels)) + 5 + (self.look.small + 3.5 if axis.name else 0.0)

    def level_width(self, level: Iterable[Span]) -> float:
        return max(text_width(s.text, self.look.small) for s in level) + (5 if self.look.width else 8)

    def axis_height(self, axis: Axis | None) -> float:
        if axis is None:
            return 0.0
        return (len(axis.levels) + (1 if axis.name else 0)) * self.look.header + 4

    # -- texts ----------------------------------------------------------------------------------------------

    def heading(self, width: float) -> float:
        """The title; the y where it ends."""
        look = self.look
        top = look.margin
        if not self.scene.title:
            return top
        for part in wrapped(self.scene.title, width, look.title):
            self.texts.append(Text(look.margin + width / 2, top + look.title, part, look.title, "middle", bold=True))
            top += look.title + 6
        return top + 4

    def headers(self, sheet: Sheet, k: int) -> None:
        """The axes and the title of a panel."""
        panel, look = sheet.panel, self.look
        y = sheet.y - self.tops[k] + look.heading + 1
        for line in self.titles[k]:
            self.texts.append(Text(sheet.x - self.lefts[k], y, line, look.heading, bold=True))
            y += look.heading + 7
        if panel.column_axis:
            self.column_axis(panel.column_axis, sheet)
        if panel.row_axis:
            self.row_axis(panel.row_axis, sheet)

    def column_axis(self, axis: Axis, sheet: Sheet) -> None:
        header, dense = self.look.header, sheet.panel.raster is not None
        for k, level in enumerate(axis.levels):
            y, free = sheet.y - 4 - k * header, 0.0
            for span in level:
                x, half = sheet.x + (span.start + span.length / 2) * sheet.width, self.half(span)
                if dense and x - half < free:
                    continue
                free = x + half + 4
                self.label(x, y, span.text)
                if k and span.start:
                    at = sheet.x + span.start * sheet.width
                    self.lines.append(Line(at, y - self.look.small + 0.5, at, sheet.y, "rule"))
        if axis.name:
            middle = sheet.x + sheet.panel.columns * sheet.width / 2
            self.label(middle, sheet.y - 4 - len(axis.levels) * header, axis.name)

    def row_axis(self, axis: Axis, sheet: Sheet) -> None:
        x, dense = sheet.x - 5, sheet.panel.raster is not None
        for k, level in enumerate(axis.levels):
            width, free = self.level_width(level), 0.0
            for span in level:
                y = sheet.y + (span.start + span.length / 2) * sheet.height + self.look.small * 0.36
                if dense and y < free:
                    continue
                free = y + self.look.small + 1
                self.label(x - width / 2 + 2, y, span.text)
                if k and span.start:
                    at = sheet.y + span.start * sheet.height
                    self.lines.append(Line(x - width + 4, at, sheet.x, at, "rule"))
            x -= width
        if axis.name:
            # A letter stands upright, a word reads upwards.
            self.label(x - 1, sheet.y + sheet.panel.rows * sheet.height / 2, axis.name, turned=len(axis.name) > 1)

    def half(self, span: Span) -> float:
        return text_width(span.text, self.look.small) / 2

    def label(self, x: float, y: float, text: str, *, turned: bool = False) -> None:
        """A small text of an axis."""
        self.texts.append(Text(x, y, text, self.look.small, "middle", "muted", turned=turned))

    def arrow(self, arrow: Arrow, a: Sheet, b: Sheet) -> None:
        """An arrow to the panel at the right, or to the one below."""
        if a.panel.at[1] == b.panel.at[1]:
            x, y0 = a.x + a.panel.columns * a.width / 2, a.y + a.panel.rows * a.height
            self.lines.append(Line(x, y0 + 5, x, y0 + 27, "arrow", head=True))
            if arrow.text:
                self.texts.append(Text(x + 7, y0 + 19, arrow.text, self.look.small))
            return
        y = a.y + a.panel.rows * a.height / 2
        x0 = a.x + a.panel.columns * a.width + 8
        x1 = b.x - self.axis_width(b.panel.row_axis) - 6
        self.lines.append(Line(x0, y, x1, y, "arrow", head=True))
        if arrow.text:
            self.texts.append(Text((x0 + x1) / 2, y - 6, arrow.text, self.look.small, "middle"))

    def legend(self, left: float, top: float, width: float) -> float:
        """The legend in rows below the panels, or the bar of a heat map; the y where it ends."""
        look, size, row = self.look, self.look.swatch, self.look.text + 9
        if self.scene.ends:
            top = self.bar(left, top, width)
        if not self.scene.legend:
            return top
        apart = 9 if look.width else 18
        step = max(text_width(k.text, look.text) for k in self.scene.legend) + size + apart
        per_row = max(1, int((width + apart) // step))
        for k, key in enumerate(self.scene.legend):
            x, y = left + k % per_row * step, top + k // per_row * row
            self.swatches.append(Swatch(x, y, size, key.role, key.mark))
            self.texts.append(Text(x + size + 5, y + look.text, key.text, look.text))
        return top + -(-len(self.scene.legend) // per_row) * row + 4

    def bar(self, left: float, top: float, width: float) -> float:
        """The colours of a heat map with the least and the greatest number at their ends."""
        size = self.look.text
        low, high = self.scene.ends or ("", "")
        before, after = text_width(low, size), text_width(high, size)
        x = left + before + 6
        length = max(40.0, min(BAR, width - 12 - before - after))
        self.texts.append(Text(x - 6, top + size, low, size, "end"))
        self.bars.append(Bar(x, top, length, self.look.swatch))
        self.texts.append(Text(x + length + 6, top + size, high, size))
        return top + size + 13

    def footer(self, top: float, width: float) -> float:
        size = self.look.text
        for text, tone in [(self.scene.caption, "ink"), *((n, "muted") for n in self.scene.notes)]:
            for part in wrapped(text, width, size):
                self.texts.append(Text(self.look.margin, top + size, part, size, tone=tone))
                top += size + 5
        return top


def tracks(before: list[float], extents: list[float], gap: float) -> tuple[list[float], float]:
    """The start of each track after its header, and the total length."""
    starts, at = [], 0.0
    for k, (head, extent) in enumerate(zip(before, extents, strict=True)):
        at += head + (gap if k else 0)
        starts.append(at)
        at += extent
    return starts, at
