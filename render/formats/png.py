"""PNG through Pillow, imported when needed: an image of indexed colours, every text drawn once and pasted."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from itertools import pairwise
from math import ceil, hypot
from typing import TYPE_CHECKING, Any, NamedTuple

from ..scene.place import place
from ..scene.records import Format
from .fonts import font_path
from .strokes import Pixels, paint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scene.palette import Pen
    from ..scene.placed import Placed, Point
    from ..scene.scene import Scene

POINTS = 72.0
SCALE = 2.0
"""Pixels for each point of the scene."""
PRINTED = 300 / POINTS
"""The same of a picture for a width: that of print."""
LARGE = 3_000
"""Scenes that would have more pixels along a side get fewer for each point, at least one where the file allows it."""
MAX_PIXELS = 30_000
"""Longest side of a PNG."""
COLOURS = 256
SHADES = (15, 7, 3, 1)
"""Shades between a text and what it stands on; fewer where the colours would not suffice."""
HEAT = 160
"""Colours of a heat map, so that its texts have some too."""
FINE = 4
"""How many times finer slanted lines are drawn before they are averaged."""


class _Full(Exception):
    """All colours are taken."""


def png(scene: Scene) -> bytes:
    """The scene as a PNG, two pixels a point."""
    placed = place(scene)
    longest = max(placed.width, placed.height)
    wished = PRINTED if scene.look.width else SCALE
    scale = min(wished, max(1.0, LARGE / longest), MAX_PIXELS / longest)
    for shades in SHADES:
        try:
            return _drawn(placed, scale, shades)
        except _Full:
            continue
    raise AssertionError("a theme has fewer colours than an image")


def _drawn(placed: Placed, scale: float, shades: int) -> bytes:
    image = _Image(placed, scale, shades)
    paint(placed, image)
    return image.file()


class _Glyph(NamedTuple):
    """The mask of a character, its advance, and where it lies from the start of its baseline."""

    mask: Any
    advance: float
    x: int
    y: int


class _Image:
    """A canvas of pixels, each the number of a colour."""

    def __init__(self, placed: Placed, scale: float, shades: int) -> None:
        from PIL import Image, ImageDraw

        self.scale = scale
        self.shades = shades
        self.colours: dict[tuple[int, ...], int] = {}
        self.atlas: dict[tuple[Any, ...], tuple[Any, Any]] = {}
        self.streaks: dict[tuple[Any, ...], Any] = {}
        size = ceil(placed.width * scale), ceil(placed.height * scale)
        self.pixels: Any = Image.new("L", size, self.colour(placed.theme.page))
        self.draw: Any = ImageDraw.Draw(self.pixels)

    def file(self) -> bytes:
        """The finished PNG."""
        self.pixels.putpalette([channel for colour in self.colours for channel in colour])
        out = BytesIO()
        dpi = POINTS * self.scale
        self.pixels.save(out, "PNG", compress_level=6, dpi=(dpi, dpi))
        return out.getvalue()

    def colour(self, code: str) -> int:
        """The number of a colour."""
        return self.entry(tuple(int(code[i : i + 2], 16) for i in (1, 3, 5)))

    def entry(self, colour: tuple[int, ...]) -> int:
        if colour not in self.colours:
            if len(self.colours) == COLOURS:
                raise _Full
            self.colours[colour] = len(self.colours)
        return self.colours[colour]

    def below(self, x: int, y: int, width: int, height: int) -> int:
        """The colour that is the most frequent in a rectangle."""
        counts = self.pixels.crop((x, y, x + width, y + height)).histogram()
        found: int = counts.index(max(counts))
        return found

    def paste(self, key: tuple[Any, ...], mask: Any, x: int, y: int, below: int, ink: int) -> None:
        """Ink through a mask on a colour; what the mask becomes there is kept under its key."""
        made = self.atlas.get((key, below, ink))
        if made is None:
            made = self.atlas[key, below, ink] = mask.point(self.grades(below, ink)), mask.point(_SEEN, "1")
        self.pixels.paste(made[0], (x, y), made[1])

    def grades(self, below: int, ink: int) -> list[int]:
        """The colours from one to another, for each of the 256 grades of a mask."""
        known, steps = list(self.colours), self.shades + 1
        pairs = list(zip(known[below], known[ink], strict=True))
        mixed = [self.entry(tuple(round(a + (b - a) * k / steps) for a, b in pairs)) for k in range(steps + 1)]
        return [mixed[round(grade / 255 * steps)] for grade in range(256)]

    def boxes(self, corners: Sequence[Point], width: float, height: float, fill: str, pen: Pen) -> None:
        s, inside, edge, thick = self.scale, self.colour(fill), self.colour(pen.colour), self.thick(pen)
        for x, y in corners:
            sides = round(x * s), round(y * s), round((x + width) * s), round((y + height) * s)
            self.draw.rectangle(sides, inside, edge, thick)

    def thick(self, pen: Pen) -> int:
        return max(1, round(pen.width * self.scale))

    def areas(self, paths: Sequence[Sequence[Point]], fill: str) -> None:
        for path in paths:
            self.draw.polygon([(round(x * self.scale), round(y * self.scale)) for x, y in path], self.colour(fill))

    def lines(self, paths: Sequence[Sequence[Point]], pen: Pen) -> None:
        ink = self.colour(pen.colour)
        for path in paths:
            scaled = [(x * self.scale, y * self.scale) for x, y in path]
            for start, end in pairwise(scaled):
                for one, other in _dashes(start, end, [d * self.scale for d in pen.dash]):
                    if one[0] == other[0] or one[1] == other[1]:
                        self.straight(one, other, self.thick(pen), ink)
                    else:
                        self.slanted(one, other, max(1.0, pen.width * self.scale), ink)

    def straight(self, start: Point, end: Point, thick: int, ink: int) -> None:
        """A line along the pixels, with square ends as the borders of cells need."""
        (x0, x1), (y0, y1) = (sorted((round(a), round(b))) for a, b in zip(start, end, strict=True))
        before = thick // 2
        after = thick - before - 1
        self.draw.rectangle((x0 - before, y0 - before, x1 + after, y1 + after), ink)

    def slanted(self, start: Point, end: Point, width: float, ink: int) -> None:
        """A line across the pixels: drawn fine, then averaged."""
        from PIL import Image, ImageDraw

        left, top = (int(min(a, b) - width) for a, b in zip(start, end, strict=True))
        size = tuple(int(max(a, b) + width) + 2 - at for a, b, at in zip(start, end, (left, top), strict=True))
        ends = [round((v - at) * FINE) for p in (start, end) for v, at in zip(p, (left, top), strict=True)]
        key = (size, *ends, width)
        if key not in self.streaks:
            fine = Image.new("L", (size[0] * FINE, size[1] * FINE))
            ImageDraw.Draw(fine).line(ends, 255, round(width * FINE))
            self.streaks[key] = fine.reduce(FINE)
        self.paste(key, self.streaks[key], left, top, self.below(left, top, *size), ink)

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
        ink, share = self.colour(colour), {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        for x, y, text in runs:
            glyphs = [_glyph(character, size * self.scale, bold, turned) for character in text]
            length = sum(glyph.advance for glyph in glyphs)
            start, step = (y * self.scale + length * share, -1) if turned else (x * self.scale - length * share, 1)
            across = round((x if turned else y) * self.scale)
            below, at = self.background(start, across, length, size * self.scale, turned), start
            for character, glyph in zip(text, glyphs, strict=True):
                corner = (across, round(at)) if turned else (round(at), across)
                key = character, size, bold, turned
                self.paste(key, glyph.mask, corner[0] + glyph.x, corner[1] + glyph.y, below, ink)
                at += step * glyph.advance

    def background(self, start: float, across: int, length: float, size: float, turned: bool) -> int:
        """The colour below a text."""
        along, high = max(1, round(length)), max(1, round(0.7 * size))
        if turned:
            return self.below(across - high, round(start) - along, high, along)
        return self.below(round(start), across - high, along, high)

    def image(self, corner: Point, width: float, height: float, pixels: Pixels) -> None:
        from PIL import Image

        colours = list(pixels.colours)
        if len(colours) > HEAT:
            # Neighbours on the ramp share a colour.
            colours[1:] = [colours[1 + k * HEAT // 255 * 255 // HEAT] for k in range(255)]
        table = bytes(map(self.entry, colours)).ljust(256, b"\0")
        raster = Image.frombytes("L", (pixels.columns, pixels.rows), pixels.levels.translate(table))
        x, y = (round(v * self.scale) for v in corner)
        size = max(1, round((corner[0] + width) * self.scale) - x), max(1, round((corner[1] + height) * self.scale) - y)
        self.pixels.paste(raster.resize(size, Image.Resampling.NEAREST), (x, y))


@cache
def _glyph(character: str, size: float, bold: bool, turned: bool) -> _Glyph:
    """A character, drawn once for all its places."""
    from PIL import Image

    font = _font(size, bold)
    # Halves of characters are none.
    clean = character.encode("utf-8", "replace").decode()
    core, (x, y) = font.getmask2(clean, "L", anchor="ls")
    mask = Image.new("L", (max(1, core.size[0]), max(1, core.size[1])))
    if all(core.size):
        mask.im.paste(core, (0, 0, *core.size))
    if turned:
        x, y, mask = y, -x - mask.width, mask.transpose(Image.Transpose.ROTATE_90)
    return _Glyph(mask, font.getlength(clean), x, y)


@cache
def _font(size: float, bold: bool) -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(str(font_path(bold=bold)), size, layout_engine=ImageFont.Layout.BASIC)


def _dashes(start: Point, end: Point, pattern: Sequence[float]) -> list[tuple[Point, Point]]:
    """The stretches of a line that are drawn."""
    if not pattern:
        return [(start, end)]
    length = hypot(end[0] - start[0], end[1] - start[1])
    found, at = [], 0.0
    while at < length:
        ends = (at / length, min(at + pattern[0], length) / length)
        one, other = ((start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t) for t in ends)
        found.append((one, other))
        at += sum(pattern)
    return found


_SEEN = [0] + [255] * 255

PNG = Format("png", png)
