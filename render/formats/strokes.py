"""A placed scene as strokes: what a format without cells of its own draws, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from ..scene.palette import Pen, channels, ramp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scene.palette import Theme
    from ..scene.placed import Placed, Point, Sheet
    from ..scene.scene import Panel, Raster

    Path = Sequence[Point]

HATCH = 6.0
"""Points between the lines of a hatched cell, along its sides."""
CORNER = 7.0
"""Size of the mark of a shared cell."""


class Pixels(NamedTuple):
    """A raster: the number of each pixel's colour, row by row."""

    rows: int
    columns: int
    levels: bytes
    colours: tuple[tuple[int, int, int], ...]


def pixels(panel: Panel, raster: Raster, theme: Theme) -> Pixels:
    """The pixels of a heat map, one for each cell: the page for nothing, then its roles, or the ramp of numbers."""
    colours = [channels(theme.paint(role).fill) for role in raster.roles] if raster.roles else ramp(theme)
    return Pixels(panel.rows, panel.columns, raster.levels, (channels(theme.page), *colours))


class Canvas(Protocol):
    """What a format knows to draw: colours are ``#rrggbb``, lengths points, y grows downwards."""

    def boxes(self, corners: Sequence[Point], width: float, height: float, fill: str, pen: Pen) -> None:
        """Rectangles of one size, by their top left corners."""

    def areas(self, paths: Sequence[Path], fill: str) -> None:
        """Filled polygons."""

    def lines(self, paths: Sequence[Path], pen: Pen) -> None:
        """Lines from point to point."""

    def texts(
        self,
        runs: Sequence[tuple[float, float, str]],
        size: float,
        colour: str,
        anchor: str = "middle",
        *,
        bold: bool = False,
        turned: bool = False,
    ) -> None:
        """Lines of text of one look, each with the place of its baseline's start, middle or end."""

    def image(self, corner: Point, width: float, height: float, pixels: Pixels) -> None:
        """A raster of indexed colours."""


def paint(placed: Placed, canvas: Canvas) -> None:
    """Draw everything on a canvas."""
    theme = placed.theme
    for sheet in placed.sheets:
        _sheet(sheet, theme, canvas)
    for line in placed.lines:
        pen = theme.pen(line.pen)
        canvas.lines([((line.x0, line.y0), (line.x1, line.y1))], pen)
        if tips := line.tips():
            # Dashes belong to the shaft; head and tail would come out broken.
            canvas.lines(tips, Pen(pen.colour, pen.width))
    keys(placed, canvas)
    for text in placed.texts:
        colour = theme.ink if text.tone == "ink" else theme.muted
        run = [(text.x, text.y, text.text)]
        canvas.texts(run, text.size, colour, text.anchor, bold=text.bold, turned=text.turned)


def _sheet(sheet: Sheet, theme: Theme, canvas: Canvas) -> None:
    panel, w, h = sheet.panel, sheet.width, sheet.height
    if panel.raster is not None:
        canvas.image((sheet.x, sheet.y), panel.columns * w, panel.rows * h, pixels(panel, panel.raster, theme))
    corners: dict[str, list[Point]] = {}
    marked: dict[str, list[Point]] = {}
    runs: dict[str, list[tuple[float, float, str]]] = {}
    for cell in panel.cells:
        x, y = sheet.x + cell.column * w, sheet.y + cell.row * h
        corners.setdefault(cell.role, []).append((x, y))
        if cell.mark:
            marked.setdefault(cell.mark, []).append((x, y))
        run = runs.setdefault(theme.paint(cell.role).text, [])
        for down, line in zip(sheet.baselines(len(cell.lines)), cell.lines, strict=True):
            run.append((x + w / 2, y + down, line))
    for role, places in corners.items():
        boxes(places, w, h, role, theme, canvas)
    for mark, places in marked.items():
        marks(places, w, h, mark, theme, canvas)
    if len(panel.path) > 1:
        canvas.lines([sheet.path()], theme.pen("order"))
    for colour, run in runs.items():
        canvas.texts(run, sheet.font, colour)
    for frame in panel.frames:
        paths = [
            ((sheet.x + c0 * w, sheet.y + r0 * h), (sheet.x + c1 * w, sheet.y + r1 * h))
            for r0, c0, r1, c1 in frame.segments
        ]
        if paths:
            canvas.lines(paths, theme.pen(frame.kind))


def keys(placed: Placed, canvas: Canvas) -> None:
    """Draw the squares of the legend, and the bar of a heat map."""
    for swatch in placed.swatches:
        corner = [(swatch.x, swatch.y)]
        boxes(corner, swatch.size, swatch.size, swatch.role, placed.theme, canvas)
        marks(corner, swatch.size, swatch.size, swatch.mark, placed.theme, canvas)
    for bar in placed.bars:
        colours = Pixels(1, 255, bytes(range(1, 256)), (channels(placed.theme.page), *ramp(placed.theme)))
        canvas.image((bar.x, bar.y), bar.width, bar.height, colours)


def boxes(corners: list[Point], w: float, h: float, role: str, theme: Theme, canvas: Canvas) -> None:
    """Draw cells of one role."""
    paint = theme.paint(role)
    canvas.boxes(corners, w, h, paint.fill, theme.pen("cell"))
    if paint.hatch:
        canvas.lines([line for x, y in corners for line in hatching(x, y, w, h)], Pen(paint.hatch, 0.8))


def marks(corners: list[Point], w: float, h: float, mark: str, theme: Theme, canvas: Canvas) -> None:
    """Draw the corners of shared cells, or the strokes through holes."""
    if mark == "shared":
        size = min(CORNER, 0.3 * h)
        wedges = [((x + w - size, y), (x + w, y), (x + w, y + size)) for x, y in corners]
        canvas.areas(wedges, theme.pen("mark").colour)
    elif mark == "hole":
        canvas.lines([((x, y + h), (x + w, y)) for x, y in corners], theme.pen("hole"))


def hatching(x: float, y: float, w: float, h: float) -> list[tuple[Point, Point]]:
    """The lines across a hatched cell, from the left and the bottom to the top and the right."""
    steps = [HATCH * (k + 0.5) for k in range(int((w + h) / HATCH))]
    return [
        ((x + max(0.0, s - h), y + min(s, h)), (x + min(s, w), y + max(0.0, s - w))) for s in steps if 0 < s < w + h
    ]
