"""The tones of text reports, and the decision whether a stream gets colours."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import IO, Any


@dataclass(frozen=True, slots=True)
class Style:
    """Wraps text in the escape codes of a tone, or leaves it as it is."""

    colour: bool

    def _tone(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    def error(self, text: str) -> str:
        return self._tone("1;31", text)

    def warning(self, text: str) -> str:
        return self._tone("1;33", text)

    def good(self, text: str) -> str:
        return self._tone("32", text)

    def mark(self, text: str) -> str:
        return self._tone("31", text)

    def strong(self, text: str) -> str:
        return self._tone("1", text)

    def dim(self, text: str) -> str:
        return self._tone("2", text)


PLAIN = Style(False)


def style_for(stream: IO[Any]) -> Style:
    """Colours on a terminal; NO_COLOR forbids them, FORCE_COLOR brings them elsewhere."""
    if os.environ.get("NO_COLOR"):
        return PLAIN
    if os.environ.get("FORCE_COLOR"):
        return Style(True)
    return Style(stream.isatty() and os.environ.get("TERM") != "dumb")
