"""What a reader may ask of a picture, read and checked once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from laycalc.algebra.base.errors import refuse

from .highlight import Pick, parse_highlight
from .look import INCH
from .palette import THEMES, theme_of
from .scene import Key, Panel, Scene

CELL_LIMIT = 8_192
"""How many labelled cells a picture holds; more are drawn as a heat map."""
HEAT_LIMIT = 1 << 24
"""How many cells a heat map holds."""
HEAT_SIDE = 1 << 16
"""How many of them along one side."""

LOOK = ("theme", "title", "legend", "width", "min_font")
"""The wishes that every picture grants."""
CHOICES = {
    "color_by": ("offset", "thread", "value", "warp", "quad", "bank", "tile", "mode", "none"),
    "label": ("offset", "coord", "index", "thread-value", "bank", "none"),
    "lanes": ("row", "column", "ldmatrix", "stmatrix", "tv"),
    "theme": THEMES,
}


@dataclass(frozen=True, slots=True)
class Options:
    """The choices of one picture; None leaves a choice to the kind. LC103 for one that does not exist.

    ``tile``: "8x8" or (8,8), the tile of a thread-value layout. ``color_by``: offset, thread, value, warp, quad,
    bank, tile, mode (mode1.0), none. ``highlight``: T11, V3, T11V3, (2,5), offset 26, several with ";". ``label``:
    offset, coord, index, thread-value, bank, none. ``theme``: laycalc, dark, print, cute, auto (as the page).
    ``crop``: "8,16" or "0:8,16:32". ``wrap``: columns of a folded layout of rank 1. ``limit``: labelled cells
    before a heat map takes over. ``bits``: of an element in memory. ``warp``: lanes of a warp (64 on CDNA).
    ``top_down``: diagrams of morphisms read downwards. ``width``: of the whole, "3.3in", "84mm" or "240pt"; panels
    and texts are arranged for it, no text smaller than ``min_font``, "7pt", if that can be. ``lanes``: row, column,
    ldmatrix, stmatrix or tv, how a warp reads shared memory, with ``vector`` elements a lane or matrices an
    instruction; ``access``: which of its instructions. ``fold``: draw once what repeats itself, which pictures of
    more cells than the limit do unless it is False. ``order``: a line through the cells in the order of their offsets.
    """

    tile: Any = None
    color_by: str | None = None
    highlight: tuple[Pick, ...] = ()
    label: str | None = None
    theme: str = "laycalc"
    title: str = ""
    legend: bool | None = None
    crop: tuple[range, range] | None = None
    wrap: int | None = None
    limit: int = CELL_LIMIT
    bits: int | None = None
    warp: int = 32
    top_down: bool = False
    width: float | None = None
    min_font: float = 7.0
    lanes: str | None = None
    access: int | None = None
    vector: int | None = None
    fold: bool | None = None
    order: bool = False

    @classmethod
    def of(cls, **wishes: Any) -> Options:
        """The options from wishes as they are written: "8x8", "T11; V3", "0:8,16:32"."""
        return cls(**{name: _READERS[name](wish) if name in _READERS else wish for name, wish in wishes.items()})

    def said(self) -> Iterator[tuple[str, Any]]:
        """The wishes that are not what every picture does by itself, beside those of the look."""
        for field in fields(self):
            if field.name not in LOOK and getattr(self, field.name) != field.default:
                yield field.name, getattr(self, field.name)

    @property
    def bare(self) -> bool:
        """Does the theme leave names, captions and legends away?"""
        return theme_of(self.theme).bare

    def scene(
        self,
        kind: str,
        panels: Iterable[Panel],
        description: str,
        *,
        caption: str = "",
        legend: Iterable[Key] = (),
        **facts: Any,
    ) -> Scene:
        """A scene in the wished look."""
        shown = not self.bare if self.legend is None else self.legend
        return Scene(
            kind,
            tuple(panels),
            caption="" if self.bare else caption,
            description=description,
            legend=tuple(legend) if shown else (),
            theme=self.theme,
            **({"title": self.title} | facts),
        )

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            # "mode1.0" names one mode.
            if value is not None and value not in choices and not (name == "color_by" and value.startswith("mode")):
                raise refuse(
                    "LC103",
                    "{option} is one of {choices}, not {given}",
                    op="draw",
                    option=name.replace("_", "-"),
                    choices=", ".join(choices),
                    given=value,
                )
        for name in ("wrap", "bits", "warp", "limit", "vector"):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or value < 1):
                raise refuse("LC103", "{option} is a positive number, not {given}", op="draw", option=name, given=value)
        if self.access is not None and (type(self.access) is not int or self.access < 0):
            raise refuse("LC103", "access is a number from 0, not {given}", op="draw", given=self.access)


def parse_tile(tile: Any) -> Any:
    """``"8x8"``, ``"16x8x16"``, a tuple or None; LC103 for any other text."""
    if not isinstance(tile, str):
        return tile
    parts = tile.lower().replace("×", "x").split("x")
    if len(parts) in (2, 3) and all(p.strip().isdecimal() and len(p) < 10 for p in parts):
        return tuple(map(int, parts))
    raise refuse("LC103", "a tile has two extents, as in 8x8, not {given}", op="draw", given=tile[:80])


_LENGTH = re.compile(r"\s*(\d{1,5}(?:\.\d{1,6})?)\s*(pt|in|mm|cm)?\s*")
_UNITS = {"pt": 1.0, None: 1.0, "in": INCH, "mm": INCH / 25.4, "cm": INCH / 2.54}


def parse_length(text: Any) -> float | None:
    """A length in points from ``3.3in``, ``84mm``, ``8.4cm``, ``240pt`` or a number of points; LC103 for anything else.

    >>> parse_length("3.3in"), parse_length("7pt")
    (237.6, 7.0)
    """
    if text is None or text == "":
        return None
    found = _LENGTH.fullmatch(str(text))
    points = round(float(found[1]) * _UNITS[found[2]], 2) if found else 0.0
    if 1 <= points <= 14_400:
        return points
    raise refuse("LC103", "a length is 3.3in, 84mm or 240pt, not {given}", op="draw", given=str(text)[:80])


_RANGE = re.compile(r"\s*(?:(\d{1,18})?\s*:)?\s*(\d{1,18})?\s*")


def parse_crop(text: Any) -> tuple[range, range] | None:
    """``8,16`` (the first rows and columns) or ``0:8,16:32``; LC103 for anything else.

    >>> parse_crop("8,16:32")
    (range(0, 8), range(16, 32))
    """
    if text is None or text == "":
        return None
    parts = text if isinstance(text, (tuple, list)) else str(text).split(",")
    ranges = [p if isinstance(p, range) else _range(str(p)) for p in parts]
    if len(ranges) == 2 and all(ranges):
        return ranges[0], ranges[1]
    raise refuse("LC103", "crop is rows,cols as in 8,16 or 0:8,16:32, not {given}", op="draw", given=str(text)[:80])


def _range(text: str) -> range:
    """The range that a part of a crop names; empty for anything else."""
    found = _RANGE.fullmatch(text)
    return range(int(found[1] or 0), int(found[2] or HEAT_LIMIT)) if found else range(0)


_READERS = {
    "tile": parse_tile,
    "highlight": parse_highlight,
    "crop": parse_crop,
    "width": parse_length,
    "min_font": parse_length,
}
