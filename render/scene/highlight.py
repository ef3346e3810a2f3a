"""What a reader may pick out of a picture: threads, values, coordinates, offsets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse

if TYPE_CHECKING:
    from .scene import Cell, Panel


@dataclass(frozen=True, slots=True)
class Pick:
    """What to highlight: a thread, a value, both, a coordinate (in the ``panel`` of a name) or an offset, as text."""

    thread: int | None = None
    value: int | None = None
    coordinate: tuple[int, int] | None = None
    offset: str | None = None
    panel: str = ""

    def __str__(self) -> str:
        if self.coordinate is not None:
            return f"{self.panel} ({self.coordinate[0]},{self.coordinate[1]})".lstrip()
        if self.offset is not None:
            return f"offset {self.offset}"
        thread = "" if self.thread is None else f"T{self.thread}"
        return thread + ("" if self.value is None else f"V{self.value}")

    def takes(self, cell: Cell, panel: Panel) -> bool:
        """Is this cell of a panel meant?"""
        if self.coordinate is not None:
            named = self.panel.upper() in ("", panel.name.upper())
            return named and cell.mark != "more" and self.coordinate == panel.coordinate(cell.row, cell.column)
        if self.offset is not None:
            return self.offset == cell.value
        return any(self.thread in (None, t) and self.value in (None, v) for t, v in cell.owners)


# Numbers have at most 18 digits.
_PICK = re.compile(
    r"\s*(?:T(?P<thread>\d{1,18})\s*(?:V(?P<both>\d{1,18}))?|V(?P<value>\d{1,18})"
    r"|(?P<panel>[A-Z]\w*)?\s*\(\s*(?P<row>\d{1,18})\s*,\s*(?P<column>\d{1,18})\s*\)|(?:offset\s*)?(?P<offset>-?\d+|\(.*\)))\s*",
    re.IGNORECASE,
)


def parse_highlight(text: Any) -> tuple[Pick, ...]:
    """``T11``, ``V3``, ``T11V3``, ``(2,5)``, ``B (2,5)``, ``offset 26``, several with ``;``; LC103 for anything else.

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
        return Pick(coordinate=(int(found["row"]), int(found["column"])), panel=found["panel"] or "")
    if found["offset"]:
        return Pick(offset=found["offset"].replace(" ", ""))
    return Pick(_number(found["thread"]), _number(found["both"] or found["value"]))


def _number(digits: str | None) -> int | None:
    return None if digits is None else int(digits)
