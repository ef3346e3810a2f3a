"""How far things reach in a text whose notation is not known yet: statements, and operands with their brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...syntax.nodes import Span

__all__ = ["operand_end", "statement_at"]

_SKIPPED = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|#[^\n]*|/\*.*?\*/', re.DOTALL)
_PREFIX = re.compile(r"\s*+(?:assert\b(?!\s*=)|(?:let\s+)?[A-Za-z_]\w*\s*+=(?!=)|for\b[^:\n]*:)?\s*+")
_NAME = re.compile(r"[A-Za-z_]\w*")
_OPENING, _CLOSING = "([{", ")]}"


def _marks(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Brackets, separators and where they stand, outside of strings and comments."""
    position = start
    while position < end:
        found = _SKIPPED.match(text, position, end) if text[position] in "\"'#/" else None
        if found is not None:
            position = found.end()
            continue
        if text[position] in "()[]{};\n":
            yield position, text[position]
        position += 1


def statement_at(text: str, position: int) -> Span:
    """The expression of the statement around a position, without what a statement begins with: ``x =``, ``assert``."""
    level, start, end = 0, 0, len(text)
    for at, mark in _marks(text, 0, len(text)):
        if mark in _OPENING:
            level += 1
        elif mark in _CLOSING:
            level = max(0, level - 1)
        elif level == 0:
            if at >= position:
                end = at
                break
            start = at + 1
    prefix = _PREFIX.match(text, start, position)
    start = prefix.end() if prefix is not None else start
    return Span(start, start + len(text[start:end].rstrip()))


def operand_end(text: str, position: int) -> int:
    """The end of a name with its members and brackets, ``a.b(..)[..]``; of the text if a bracket is never closed."""
    while (found := _NAME.match(text, position)) is not None:
        position = found.end()
        while text[position : position + 1] in tuple(_OPENING[:2]):
            position = _closed(text, position)
        if text[position : position + 1] != "." or not text[position + 1 : position + 2].isidentifier():
            break
        position += 1
    return position


def _closed(text: str, position: int) -> int:
    level = 0
    for at, mark in _marks(text, position, len(text)):
        level += (mark in _OPENING) - (mark in _CLOSING)
        if level == 0:
            return at + 1
    return len(text)
