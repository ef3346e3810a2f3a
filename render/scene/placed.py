"""A scene with lengths, in points: what the backends draw.

The origin is the top left corner, y grows downwards. Text is placed by its baseline.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from .palette import Theme
    from .scene import Panel

Point: TypeAlias = tuple[float, float]

FONT = 11.0
"""Size of the text in cells and legends."""
LEADING = 13
MARGIN = 12


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; ``anchor`` is "start", "middle" or "end"; ``tone`` "ink" or "muted"; ``turned`` reads upwards.

    The node of a diagram has a ``name`` and a ``kind``.
    """

    x: float
    y: float
    text: str
    size: float = FONT
    anchor: str = "start"
    tone: str = "ink"
    bold: bool = False
    turned: bool = False
    name: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line drawn with a pen; ``head`` puts an open arrow head at its end, ``tail`` a bar at its start.

    The link of a diagram has a ``kind`` and ``ends``, the names of the nodes that it joins.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    pen: str
    head: bool = False
    tail: bool = False
    kind: str = ""
    ends: tuple[str, ...] = ()

    def tips(self) -> list[tuple[Point, ...]]:
        """The lines of head and tail."""
        length = hypot(self.x1 - self.x0, self.y1 - self.y0) or 1.0
        dx, dy = (self.x1 - self.x0) / length, (self.y1 - self.y0) / length
        found: list[tuple[Point, ...]] = []
        if self.tail:
            found.append(((self.x0 - 4 * dy, self.y0 + 4 * dx), (self.x0 + 4 * dy, self.y0 - 4 * dx)))
        if self.head:
            back = self.x1 - 6 * dx, self.y1 - 6 * dy
            found.append(
                ((back[0] + 4 * dy, back[1] - 4 * dx), (self.x1, self.y1), (back[0] - 4 * dy, back[1] + 4 * dx))
            )
        return found


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

    def path(self) -> list[Point]:
        """The middles of the cells that the panel's path visits."""
        return [(self.x + (c + 0.5) * self.width, self.y + (r + 0.5) * self.height) for r, c in self.panel.path]

    def baselines(self, lines: int) -> list[float]:
        """How far below the top of a cell its lines of text stand."""
        first = self.height / 2 + self.font * 0.36 - (lines - 1) * LEADING * self.font / FONT / 2
        return [first + k * LEADING * self.font / FONT for k in range(lines)]


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


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Lines no wider than ``width``, broken after blanks and commas."""
    room = max(12, int(width / (size * 0.6)))
    lines = []
    for part in text.splitlines():
        while len(part) > room:
            blank, comma = part.rfind(" ", 0, room), part.rfind(",", 0, room)
            # A layout is broken only where its line would be short without it.
            cut = (blank if 3 * blank >= room else max(blank, comma)) + 1 or room
            lines.append(part[:cut].rstrip())
            part = part[cut:].lstrip()
        if part:
            lines.append(part)
    return lines
