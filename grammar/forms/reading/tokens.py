"""Foreign text to tokens: C++, MLIR and printed layouts share one lexer."""

from __future__ import annotations

import re
from typing import NamedTuple

from laycalc.diagnostics.model import Failure

from ...syntax import nodes
from ...syntax.builders import swizzle
from ...syntax.limits import DIGITS, NESTING
from .reading import bad, limit

__all__ = ["Token", "Tokens", "swizzle_in"]

_BASIS = r"(?:[0-9]*e[0-9]+(?:\.[0-9]+)*|_?-?[0-9]+(?:@[0-9]+)+)(?![\w@.])"

_SWIZZLE = r"(?:Sw|S|Swizzle)<\s*+[0-9]{1,2000}\s*+,\s*+[0-9]{1,2000}\s*+,\s*+-?\s*+[0-9]{1,2000}\s*+>"
_SWIZZLE_IN = re.compile(rf"\b{_SWIZZLE}")

# `%0` is a name of MLIR, but `M %N` a remainder.
_SIGIL = r"(?<![\w)\]>}])(?<![\w)\]>}]\ )[$%]"

_TOKEN = re.compile(
    rf"""
      (?P<blank>(?:\s|//[^\n]*|/\*.*?\*/)+)
    | (?P<string>"(?:[^"\\]|\\.)*")
    | (?P<address>0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]+)?)
    | (?P<coordinate>{_BASIS}(?:[+-]{_BASIS})*)
    | (?P<swizzle>{_SWIZZLE})
    | (?P<integer>(?:_-?)?[0-9]+(?:[uU]?[lL]{{0,2}}[uU]?)(?!\w))
    | (?P<unknown>\?(?:\{{[^{{}}]*\}})?)
    | (?P<name>(?:[A-Za-z_]|{_SIGIL}[A-Za-z_0-9])\w*(?:::~?[A-Za-z_]\w*)*)
    | (?P<mark>->|==|!=|<=|>=|::|&&|\|\||<<|[()\[\]{{}}<>,;:=+\-*/%.@&|^~!'\#∘?†‡])
    | (?P<bad>.)
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """Kind, text, start, end."""

    kind: str
    text: str
    start: int
    end: int


def swizzle_in(text: str, start: int) -> nodes.Swizzle | None:
    """The first swizzle in a part of a source that begins at ``start`` there."""
    found = _SWIZZLE_IN.search(text)
    if found is None:
        return None
    span = nodes.Span(start + found.start(), start + found.end())
    return swizzle(span, ("SWIZZLE", found[0], *span))


class Tokens:
    """A cursor over ``text[position:end]``; failures are LC101 with a label at the token."""

    pattern = _TOKEN
    """The groups are the kinds; ``blank`` is stepped over, ``mark`` and ``name`` are what `at` compares."""

    def __init__(self, text: str, position: int = 0, end: int | None = None) -> None:
        self.text = text
        self.limit = len(text) if end is None else end
        self.depth = 0
        self._position = position
        self.end = position
        """Where the token last taken ends."""
        self.token = self._read()
        """The token to come."""

    def _read(self) -> Token:
        position = self._position
        while position < self.limit:
            found = self.pattern.match(self.text, position, self.limit)
            kind = found.lastgroup if found else None
            if found is None or kind is None:
                break
            position = found.end()
            if kind != "blank":
                self._position = position
                if position - found.start() > DIGITS and kind != "string":
                    what = (
                        "an integer has more than {n} digits"
                        if kind == "integer"
                        else "a word has more than {n} letters"
                    )
                    raise limit(self.text, found.start(), position, what.format(n=f"{DIGITS:,}"))
                return Token(kind, found[0], found.start(), position)
        self._position = self.limit
        return Token("end", "", self.limit, self.limit)

    def take(self) -> Token:
        """The token to come, and step over it."""
        token = self.token
        self.end = token.end
        self.token = self._read()
        return token

    def at(self, *texts: str) -> bool:
        """Does one of these marks or names come next?"""
        return self.token.text in texts and self.token.kind in ("mark", "name")

    def accept(self, *texts: str) -> bool:
        """Step over one of these marks or names if it comes next."""
        if not self.at(*texts):
            return False
        self.take()
        return True

    def expect(self, text: str, opened: Token | None = None) -> Token:
        """Step over a mark that must come next; ``opened`` is the bracket that it closes."""
        if self.at(text):
            return self.take()
        if opened is not None and self.token.kind == "end":
            raise bad(self.text, opened.start, opened.end, f"{opened.text!r} is never closed", f"a {text!r} is missing")
        raise self.unexpected(f"{text!r} is expected")

    def unexpected(self, message: str = "this does not fit here") -> Failure:
        """LC101 at the token to come; the caller raises it."""
        token = self.token
        label = "the text ends here" if token.kind == "end" else message if message != "this does not fit here" else ""
        return bad(self.text, token.start, token.end, message, label)

    def deeper(self) -> None:
        """Count a level of nesting; LC104 beyond the limit."""
        self.depth += 1
        if self.depth > NESTING:
            raise limit(self.text, self.token.start, self.token.end, f"brackets are nested more than {NESTING} deep")

    def jump(self, position: int) -> None:
        """Go on at a position: what lies before it was read by other means."""
        self._position = self.end = position
        self.token = self._read()
