"""What stands around a pasted text and is none of it: colours of a terminal, quotes, ``print(..)``, a last comma."""

from __future__ import annotations

import re
from bisect import bisect_right

from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Diagnostic, Label

from ..syntax.lexer import Foreign
from ..syntax.nodes import Unread
from .reading.reading import Reading, Segment

__all__ = ["Unwrapped", "is_closed", "unwrapped"]

_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_AROUND = re.compile(
    r"\s*+(?:(?P<print>(?:cute\.|cute::)?print(?:f|ln)?\s*+\()(?P<printed>.*)\)\s*+;?"
    r"|(?P<quote>```|[`'])(?:cpp|c\+\+|python|text|mlir)?(?P<quoted>.*)(?P=quote)"
    r"|(?:[A-Za-z_]\w*\s*+:\s*+)?\"(?P<string>[^\"]*)\""
    r"|(?P<listed>.*[^\s,])\s*+,)\s*+",
    re.DOTALL,
)


class Unwrapped(Record):
    """The ``text`` without what was around it; ``kept`` are the places in both where each part of it begins."""

    source: str
    text: str
    kept: tuple[tuple[int, int], ...]

    def place(self, position: int) -> int:
        """Where a place of the text is in the source."""
        begins, origin = self.kept[bisect_right(self.kept, (position, len(self.source) + 1)) - 1]
        return origin + position - begins

    def told(self, diagnostic: Diagnostic) -> Diagnostic:
        """A diagnostic about the text as one about the source."""
        if diagnostic.source != self.text:
            return diagnostic
        labels = tuple(Label(*self._range(x.start, x.end), x.text) for x in diagnostic.labels)
        return diagnostic.replace(source=self.source, labels=labels)

    def reading(self, found: Reading) -> Reading:
        """A reading of the text as one of the source."""
        segments = found.segments or (Segment(0, len(found.expression), 0, len(self.text)),)
        moved = tuple(Segment(s.start, s.end, *self._range(s.source_start, s.source_end)) for s in segments)
        foreign = {at: self._piece(piece) for at, piece in found.foreign.items()}
        return found.replace(source=self.source, segments=moved, foreign=foreign)

    def _piece(self, piece: Foreign) -> Foreign:
        node = piece.node
        return Foreign.of(piece, node.replace(reason=self.told(node.reason))) if isinstance(node, Unread) else piece

    def _range(self, start: int, end: int) -> tuple[int, int]:
        first = self.place(start)
        return first, max(first, self.place(end - 1) + 1) if end > start else first


def unwrapped(text: str, *, strings: bool = False) -> Unwrapped | None:
    """The text inside its wrappers, None if it has none; ``strings`` says that double quotes are a wrapper too."""
    ranges = _uncoloured(text)
    inner = "".join(text[a:b] for a, b in ranges)
    start, end = 0, len(inner)
    while (inside := _inside(inner, start, end, strings)) is not None:
        start, end = inside
    if inner[start:end].strip() == text.strip() or not inner[start:end].strip():
        return None
    kept: list[tuple[int, int]] = []
    begins = 0
    for a, b in ranges:
        if begins + b - a > start and begins < end:
            kept.append((max(begins - start, 0), a + max(start - begins, 0)))
        begins += b - a
    return Unwrapped(text, inner[start:end], tuple(kept))


def _uncoloured(text: str) -> list[tuple[int, int]]:
    ranges, position = [], 0
    for found in _COLOUR.finditer(text):
        ranges.append((position, found.start()))
        position = found.end()
    return [*ranges, (position, len(text))]


def _inside(text: str, start: int, end: int, strings: bool) -> tuple[int, int] | None:
    """The range inside one wrapper, None if there is none."""
    found = _AROUND.fullmatch(text, start, end)
    if found is None:
        return None
    if found["print"] is not None:
        return found.span("printed") if is_closed(found["printed"]) else None
    if found["quote"] is not None:
        return found.span("quoted") if found["quote"] not in found["quoted"] else None
    if found["string"] is not None:
        return found.span("string") if strings or ":" in text[start : found.start("string")] else None
    return found.span("listed") if is_closed(found["listed"]) else None


def is_closed(text: str) -> bool:
    """Are the brackets of a text its own?"""
    level = 0
    for c in text:
        level += (c in "([{") - (c in ")]}")
        if level < 0:
            return False
    return level == 0
