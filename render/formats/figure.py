"""PNG and PDF through matplotlib, imported when needed: a collection for each glyph, never an artist for each cell."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..scene.palette import Theme, ramp
from ..scene.place import place
from ..scene.placed import Bar, Placed, Sheet, Text
from ..scene.records import Format

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..scene.scene import Raster, Scene

POINTS = 72.0
SCALE = 2.0
"""Pixels of a PNG for each point of the scene."""
LARGE = 3_000
"""Scenes that would have more pixels along a side get fewer for each point, at least one where the file allows it."""
MAX_PIXELS = 30_000
"""Longest side of a PNG."""


def png(scene: Scene) -> bytes:
    """The scene as a PNG, two pixels a point."""
    placed = place(scene)
    longest = max(placed.width, placed.height)
    scale = min(SCALE, max(1.0, LARGE / longest), MAX_PIXELS / longest)
    return _save(placed, "png", POINTS * scale, {"Software": None})


def pdf(scene: Scene) -> bytes:
    """The scene as a PDF of one page, the same bytes on every run."""
    return _save(place(scene), "pdf", POINTS, {"CreationDate": None, "Producer": None, "Creator": None})


def _save(placed: Placed, format: str, dpi: float, metadata: dict[str, Any]) -> bytes:
    _writable_config()
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with rc_context({"path.simplify": False, "pdf.compression": 6}):
        figure = Figure(figsize=(placed.width / POINTS, placed.height / POINTS), facecolor=placed.theme.page)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, placed.width)
        axes.set_ylim(placed.height, 0)
        axes.axis("off")
        _Painter(axes, placed).paint()
        out = BytesIO()
        figure.savefig(out, format=format, dpi=dpi, metadata=metadata)
        return out.getvalue()


def _writable_config() -> None:
    """Give matplotlib a temporary folder where it cannot write to its own: it would complain at every picture."""
    if "matplotlib" in sys.modules or all(map(_writable, _config_folders())):
        return
    made = tempfile.mkdtemp(prefix="laycalc-matplotlib-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    os.environ["MPLCONFIGDIR"] = made
    # It has no list of fonts there, and says that it makes one.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)


def _config_folders() -> list[Path]:
    """Where matplotlib keeps its settings and its list of fonts; empty where that cannot be known."""
    if os.environ.get("MPLCONFIGDIR"):
        return [Path(os.environ["MPLCONFIGDIR"])]
    try:
        home = Path.home()
    except RuntimeError:
        return [Path(os.devnull)]
    if not sys.platform.startswith(("linux", "freebsd")):
        return [] if sys.platform == "win32" else [home / ".matplotlib"]
    names = (("XDG_CONFIG_HOME", ".config"), ("XDG_CACHE_HOME", ".cache"))
    return [Path(os.environ.get(name) or home / folder, "matplotlib") for name, folder in names]


def _writable(folder: Path) -> bool:
    """Is this a folder to write to, made if it is not there?"""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


class _Painter:
    """Collects rectangles, lines and glyphs of the whole scene, then adds a handful of artists."""

    def __init__(self, axes: Axes, placed: Placed) -> None:
        self.axes = axes
        self.placed = placed
        self.theme: Theme = placed.theme
        self.rectangles: dict[tuple[str, str, float], list[Any]] = {}
        self.segments: dict[str, list[Any]] = {}
        self.triangles: list[Any] = []
        # (size, colour, bold, turned) -> [(x, y, text, anchor)]
        self.runs: dict[tuple[float, str, bool, bool], list[tuple[float, float, str, str]]] = {}

    def paint(self) -> None:
        for sheet in self.placed.sheets:
            self.sheet(sheet)
        for line in self.placed.lines:
            self.segments.setdefault(line.pen, []).append([(line.x0, line.y0), (line.x1, line.y1)])
            self.segments.setdefault(line.pen.replace("-second", ""), []).extend(line.tips())
        for s in self.placed.swatches:
            self.cell(s.x, s.y, s.size, s.size, s.role)
            self.mark(s.mark, s.x, s.y, s.size, s.size)
        for bar in self.placed.bars:
            self.bar(bar)
        for text in self.placed.texts:
            self.text(text)
        self.add_rectangles()
        self.add_lines()
        self.add_glyphs()

    def cell(self, x: float, y: float, w: float, h: float, role: str) -> None:
        pen = self.theme.pen("cell")
        key = self.theme.paint(role).fill, pen.colour, pen.width
        self.rectangles.setdefault(key, []).append(((x, y), (x + w, y), (x + w, y + h), (x, y + h)))

    def mark(self, mark: str, x: float, y: float, w: float, h: float) -> None:
        if mark == "shared":
            self.triangles.append(((x + w - 7, y), (x + w, y), (x + w, y + 7)))
        elif mark == "hole":
            self.segments.setdefault("hole", []).append([(x, y + h), (x + w, y)])

    def sheet(self, sheet: Sheet) -> None:
        panel, w, h = sheet.panel, sheet.width, sheet.height
        if panel.raster is not None:
            self.raster(sheet, panel.raster)
        for cell in panel.cells:
            x, y = sheet.x + cell.column * w, sheet.y + cell.row * h
            self.cell(x, y, w, h, cell.role)
            if cell.mark:
                self.mark(cell.mark, x, y, w, h)
            n = len(cell.lines)
            if n:
                run = self.runs.setdefault((sheet.font, self.theme.paint(cell.role).text, False, False), [])
                base = y + h / 2 + sheet.font * 0.36 - (n - 1) * 6.5
                for k, line in enumerate(cell.lines):
                    run.append((x + w / 2, base + 13 * k, line, "middle"))
        for frame in panel.frames:
            self.segments.setdefault(frame.kind, []).extend(
                [(sheet.x + c0 * w, sheet.y + r0 * h), (sheet.x + c1 * w, sheet.y + r1 * h)]
                for r0, c0, r1, c1 in frame.segments
            )

    def raster(self, sheet: Sheet, raster: Raster) -> None:
        import numpy as np

        panel = sheet.panel
        colours = np.array([(255, 255, 255), *ramp(self.theme)], dtype=np.uint8)
        indices = np.frombuffer(raster.levels, dtype=np.uint8).reshape(panel.rows, panel.columns)
        extent = (sheet.x, sheet.x + panel.columns * sheet.width, sheet.y + panel.rows * sheet.height, sheet.y)
        self.image(colours[indices], extent)

    def bar(self, bar: Bar) -> None:
        import numpy as np

        extent = (bar.x, bar.x + bar.width, bar.y + bar.height, bar.y)
        self.image(np.array([ramp(self.theme)], dtype=np.uint8), extent)

    def image(self, pixels: Any, extent: tuple[float, float, float, float]) -> None:
        self.axes.imshow(pixels, extent=extent, aspect="auto", interpolation="nearest")
        self.axes.set_xlim(0, self.placed.width)
        self.axes.set_ylim(self.placed.height, 0)

    def text(self, text: Text) -> None:
        colour = self.theme.ink if text.tone == "ink" else self.theme.muted
        run = self.runs.setdefault((text.size, colour, text.bold, text.turned), [])
        run.append((text.x, text.y, text.text, text.anchor))

    def add_rectangles(self) -> None:
        from matplotlib.collections import PolyCollection

        for (fill, edge, width), corners in self.rectangles.items():
            made = PolyCollection(corners, facecolors=fill, edgecolors=edge, linewidths=width, zorder=1)
            self.axes.add_collection(made, autolim=False)
        if self.triangles:
            colour = self.theme.pen("mark").colour
            made = PolyCollection(self.triangles, facecolors=colour, linewidths=0, zorder=2)
            self.axes.add_collection(made, autolim=False)

    def add_lines(self) -> None:
        from matplotlib.collections import LineCollection

        for kind, segments in self.segments.items():
            pen = self.theme.pen(kind)
            dash: Any = (0, pen.dash) if pen.dash else "solid"
            made = LineCollection(
                segments, colors=pen.colour, linewidths=pen.width, linestyles=dash, capstyle="projecting", zorder=3
            )
            self.axes.add_collection(made, autolim=False)

    def add_glyphs(self) -> None:
        """A collection for each glyph of each style, with an offset for each time that it occurs."""
        from matplotlib.collections import PathCollection
        from matplotlib.transforms import Affine2D

        for (size, colour, bold, turned), run in self.runs.items():
            face = _Face(bold)
            places: dict[str, list[tuple[float, float]]] = {}
            for x, y, text, anchor in run:
                width = sum(map(face.advance, text)) * size
                at = 0.0 if anchor == "start" else -width / (2 if anchor == "middle" else 1)
                for character in text:
                    if not character.isspace():
                        where = (x, y - at) if turned else (x + at, y)
                        places.setdefault(character, []).append(where)
                    at += face.advance(character) * size
            # Outlines are given in inches: the axes' y points downwards, glyphs stand upright.
            inches = Affine2D().scale(size / POINTS).rotate_deg(90 if turned else 0)
            for character, offsets in places.items():
                made = PathCollection(
                    [face.path(character)],
                    offsets=offsets,
                    transOffset=self.axes.transData,
                    facecolors=colour,
                    linewidths=0,
                    zorder=4,
                )
                made.set_transform(inches + self.axes.figure.dpi_scale_trans)
                self.axes.add_collection(made, autolim=False)


class _Face:
    """Outlines and advances of matplotlib's own sans face, one em high."""

    def __init__(self, bold: bool) -> None:
        from matplotlib.font_manager import FontProperties, findfont, get_font

        self.properties = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
        self.font = get_font(findfont(self.properties))
        self.advances: dict[str, float] = {}

    def known(self, character: str) -> str:
        """The character, or the sign for one that the face does not have."""
        return character if self.font.get_char_index(ord(character)) else "\ufffd"

    def advance(self, character: str) -> float:
        found = self.advances.get(character)
        if found is None:
            self.font.set_size(100, 72)
            glyph = self.font.load_char(ord(self.known(character)))
            found = self.advances[character] = glyph.linearHoriAdvance / 65536 / 100
        return found

    def path(self, character: str) -> Any:
        from matplotlib.textpath import TextPath

        return TextPath((0, 0), self.known(character), size=1, prop=self.properties, usetex=False)


PNG = Format("png", png)
PDF = Format("pdf", pdf)
