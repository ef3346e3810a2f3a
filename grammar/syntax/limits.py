"""How large a text may be; input is hostile until parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .nodes import Span

__all__ = ["DEPTH", "DIGITS", "MISTAKES", "NESTING", "RANGE", "TEXT", "LimitExceeded"]

NESTING = 200
"""Brackets open at once; also indices in one coordinate path."""

DEPTH = 500
"""Levels of a syntax tree: a chain of operators grows one level an operator."""

TEXT = 2**20
"""Characters of one text."""

DIGITS = 2_000
"""Digits of one integer, counted before it is converted."""


RANGE = 100_000
"""Numbers of a range such as {1..8}."""

MISTAKES = 100
"""Statements of one text that may be wrong before reading ends."""


class LimitExceeded(Exception):
    """A limit was passed at ``span``; the parser turns it into an LC104."""

    def __init__(self, span: Span, message: str, label: str) -> None:
        super().__init__(message)
        self.span = span
        self.message = message
        self.label = label
