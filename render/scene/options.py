"""What a reader may ask of a picture, checked once: highlight, crop and the names of choices."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from laycalc.algebra.base.errors import refuse

__all__ = ["CELL_LIMIT", "HEAT_LIMIT", "HEAT_SIDE", "Options", "Pick", "parse_crop", "parse_highlight"]

CELL_LIMIT = 65_536
"""How many labelled cells a picture holds; more are drawn as a heat map."""
HEAT_LIMIT = 1 << 24
"""How many cells a heat map holds."""
HEAT_SIDE = 1 << 16
"""How many of them along one side."""

CHOICES = {
    "color_by": ("offset", "thread", "value", "warp", "quad", "bank", "tile", "mode", "none"),
    "label": ("offset", "coord", "index", "thread-value", "bank", "none"),
    "theme": ("laycalc", "cute", "print"),
}


@dataclass(frozen=True, slots=True)
class Pick:
    """What to highlight: a thread, a value, both, a coordinate (row, column) or an offset (as text)."""

    thread: int | None = None
    value: int | None = None
    coordinate: tuple[int, int] | None = None
    offset: str | None = None

    def __str__(self) -> str:
        if self.coordinate is not None:
            return f"({self.coordinate[0]},{self.coordinate[1]})"
        if self.offset is not None:
            return f"offset {self.offset}"
        thread = "" if self.thread is None else f"T{self.thread}"
        return thread + ("" if self.value is None else f"V{self.value}")

    def takes(self, row: int, column: int, value: str, owners: tuple[tuple[int, int], ...]) -> bool:
        """Is this cell meant?"""
        if self.coordinate is not None:
            return self.coordinate == (row, column)
        if self.offset is not None:
            return self.offset == value
        return any(self.thread in (None, t) and self.value in (None, v) for t, v in owners)


@dataclass(frozen=True, slots=True)
class Options:
    """The choices of one picture; None leaves a choice to the kind. LC103 for an unknown name."""

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
        for name in ("wrap", "bits", "warp", "limit"):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or value < 1):
                raise refuse("LC103", "{option} is a positive number, not {given}", op="draw", option=name, given=value)


_PICK = re.compile(
    r"\s*(?:T(?P<thread>\d+)\s*(?:V(?P<both>\d+))?|V(?P<value>\d+)"
    r"|\(\s*(?P<row>\d+)\s*,\s*(?P<column>\d+)\s*\)|(?:offset\s*)?(?P<offset>-?\d+|\(.*\)))\s*",
    re.IGNORECASE,
)


def parse_highlight(text: Any) -> tuple[Pick, ...]:
    """``T11``, ``V3``, ``T11V3``, ``(2,5)``, ``offset 26``, several with ``;`` between; LC103 for anything else.

    >>> parse_highlight("T11; offset 26")[1].offset
    '26'
    """
    if text is None or text == "":
        return ()
    if isinstance(text, Pick):
        return (text,)
    if isinstance(text, (list, tuple)):
        return tuple(pick for part in text for pick in parse_highlight(part))
    picks = []
    for part in str(text).split(";"):
        found = _PICK.fullmatch(part)
        if found is None or any(len(n or "") > 18 for n in found.groupdict().values()):
            raise refuse(
                "LC103",
                "highlight is T11, V3, T11V3, (2,5) or offset 26, not {given}",
                op="draw",
                given=part.strip()[:80],
            )
        d = found.groupdict()
        if d["row"] is not None:
            picks.append(Pick(coordinate=(int(d["row"]), int(d["column"]))))
        elif d["offset"] is not None:
            picks.append(Pick(offset=d["offset"].replace(" ", "")))
        else:
            value = d["both"] or d["value"]
            thread = d["thread"]
            picks.append(Pick(None if thread is None else int(thread), None if value is None else int(value)))
    return tuple(picks)


_RANGE = re.compile(r"\s*(?:(\d{1,18})?\s*:)?\s*(\d{1,18})?\s*")


def parse_crop(text: Any) -> tuple[range, range] | None:
    """``8,16`` (the first rows and columns) or ``0:8,16:32``; LC103 for anything else.

    >>> parse_crop("8,16:32")
    (range(0, 8), range(16, 32))
    """
    if text is None or text == "":
        return None
    if isinstance(text, tuple) and all(isinstance(r, range) for r in text):
        return text[0], text[1]
    parts = [str(p) for p in text] if isinstance(text, (tuple, list)) else str(text).split(",")
    found = [_RANGE.fullmatch(p) for p in parts]
    if len(parts) == 2 and all(found):
        ranges = [range(int(m[1] or 0), int(m[2]) if m[2] else HEAT_LIMIT) for m in found if m]
        if all(ranges):
            return ranges[0], ranges[1]
    raise refuse("LC103", "crop is rows,cols as in 8,16 or 0:8,16:32, not {given}", op="draw", given=str(text)[:80])
