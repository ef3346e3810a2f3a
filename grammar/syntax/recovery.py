"""Where to read on after a statement that is wrong, so that one mistake does not hide the next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .lexer import END, Bracket, Token
from .limits import LimitExceeded

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Recovery"]

# A line that can only be the beginning of a statement.
BEGINS = re.compile(r"^[ \t]*(?:(?:let|assert|assume|for|include)\b|[A-Za-z_]\w*[ \t]*=(?!=))", re.MULTILINE)


class Recovery:
    """Finds the ends of bad statements in one text, from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._upcoming = -1

    def after(self, found: Token, tokens: Iterator[Token], brackets: list[Bracket]) -> int:
        """Where to read on if ``found`` does not fit: behind the END, or sooner if an open bracket swallowed that."""
        stop = len(self._text)
        if brackets:
            stop = self._begins(brackets[-1].position if found[0] == END else found[2])
        if found[0] == END:
            return min(stop, found[3])
        try:
            for kind, _, start, end in tokens:
                if start >= stop:
                    break
                if kind == END:
                    return end
        except LimitExceeded as limit:
            return self.after_limit(limit.span.end)
        return stop

    def after_limit(self, position: int) -> int:
        """Where to read on if a limit was passed, which may be because of the brackets: at the end of the line."""
        end = self._text.find("\n", position)
        return len(self._text) if end < 0 else end

    def _begins(self, position: int) -> int:
        """The next line that begins a statement, kept so that no part of the text is searched twice."""
        if self._upcoming < position:
            found = BEGINS.search(self._text, position)
            self._upcoming = found.start() if found else len(self._text)
        return self._upcoming
