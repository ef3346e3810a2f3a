"""Untrusted text made visible: the one place that decides what of a name, an option or a source line is written.

File names, option values and source lines come from people who may wish the reader ill: an escape sequence would move
the cursor or recolour the lines above, a bidirectional mark would show code in another order than it runs.
"""

from __future__ import annotations

import re
from typing import IO, Any

__all__ = ["Guarded", "visible", "visible_json"]

_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0001-\U000e007f"
)
"""Control characters but for tab and line end, marks without a width, halves of characters."""

_ONE = re.compile(f"[{_HIDDEN}]")
_BUT_TONES = re.compile(f"\x1b\\[[0-9;]*m|[{_HIDDEN}]")


def visible(text: str) -> str:
    """Control characters as pictures, so that a terminal shows the text as it is; lines and tabs stay.

    >>> visible("a\\x1b[31mb\\u202e")
    'a\u241b[31mb\ufffd'
    """
    return text if text.isascii() and text.isprintable() else _ONE.sub(_picture, text)


def visible_json(text: str) -> str:
    """The same for JSON, where a character has an escape; the value stays what it is.

    >>> visible_json('{"name": "\\x9b"}')
    '{"name": "\\\\u009b"}'
    """
    return text if text.isascii() and "\x7f" not in text else _ONE.sub(_escape, text)


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 32 else "\u2421" if code == 127 else "\ufffd"


def _escape(found: re.Match[str]) -> str:
    pairs = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{pairs[i : i + 2].hex()}" for i in range(0, len(pairs), 2))


class Guarded:
    """A text stream to which nothing hidden is written; tones pass where ``coloured``, which our own reports have."""

    def __init__(self, stream: IO[str], *, coloured: bool = False) -> None:
        self.unguarded = stream
        self.coloured = coloured

    def write(self, text: str) -> int:
        """Write a text, made visible."""
        if not self.coloured:
            return self.unguarded.write(visible(text))
        return self.unguarded.write(_BUT_TONES.sub(lambda m: m[0] if len(m[0]) > 1 else _picture(m), text))

    def writelines(self, lines: Any) -> None:
        """Write several."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unguarded, name)
