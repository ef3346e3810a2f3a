"""What a reader may pick out of a picture: threads, values, coordinates, offsets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from laycalc.algebra.base.errors import refuse


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


# Numbers have at most 18 digits.
_PICK = re.compile(
    r"\s*(?:T(?P<thread>\d{1,18})\s*(?:V(?P<both>\d{1,18}))?|V(?P<value>\d{1,18})"
    r"|\(\s*(?P<row>\d{1,18})\s*,\s*(?P<column>\d{1,18})\s*\)|(?:offset\s*)?(?P<offset>-?\d+|\(.*\)))\s*",
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
    return tuple(map(_pick, str(text).split(";")))


def _pick(part: str) -> Pick:
    found = _PICK.fullmatch(part)
    if found is None or len(found["offset"] or "") > 18:
        raise refuse(
            "LC103",
            "highlight is T11, V3, T11V3, (2,5) or offset 26, not {given}",
            op="draw",
            given=part.strip()[:80],
        )
    if found["row"]:
        return Pick(coordinate=(int(found["row"]), int(found["column"])))
    if found["offset"]:
        return Pick(offset=found["offset"].replace(" ", ""))
    return Pick(_number(found["thread"]), _number(found["both"] or found["value"]))


def _number(digits: str | None) -> int | None:
    return None if digits is None else int(digits)
