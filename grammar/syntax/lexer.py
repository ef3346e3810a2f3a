"""Text to tokens: one regular expression, made from the terminals of layout.lark."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .limits import NESTING, LimitExceeded
from .nodes import Expression, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["BAD", "END", "FOREIGN", "Bracket", "Foreign", "Lexer", "Token"]

END = "END"
"""Kind of the token that ends a statement."""

BAD = "BAD"
"""Kind of a character that begins no token; no rule accepts it."""

FOREIGN = "FOREIGN"
"""Kind of the token that stands for a piece of another notation."""

Token = tuple[str, str, int, int]
"""Kind, text, start, end."""

OPENS = frozenset({"LPAR", "LSQB", "LBRACE", "LESS"})
CLOSES = {"RPAR": "(", "RSQB": "[", "RBRACE": "{", "MORE": "<"}
SPECIAL = OPENS | CLOSES.keys() | {"SEMICOLON", "NEWLINE", "COORDINATE"}

# After one of these an operand is complete, so that `<` is a relation and opens no tiler.
OPERAND_ENDS = CLOSES.keys() | {
    "COORDINATE", "FOREIGN", "INTEGER", "NAME", "POSTFIX", "STRING", "SWIZZLE", "TRUTH", "UNKNOWN", "WILDCARD", "XOR",
}  # fmt: skip

# `e0+e1` is one token in `4:e0+e1`, but a sum of products in `2*e0+e1` and in `e0+e1*2`.
SEVERAL_TERMS = re.compile(r"[^+-]+(?=[+-])")
TIGHTER_BEFORE = frozenset({"TIMES", "STAR", "O", "RING", "MINUS"})
TIGHTER_AFTER = re.compile(r"[ \t]*(?:[*/%:.(\[^‡†∘⊗⊘]|o\b)")


class Foreign(str):
    """The text of a piece of another notation, which its own reader has made a ``node`` of."""

    __slots__ = ("node",)

    node: Expression

    @classmethod
    def of(cls, text: str, node: Expression) -> Foreign:
        """The text that stands for a node whose places are those of the text."""
        found = cls(text)
        found.node = node
        return found


class Bracket(NamedTuple):
    """An opening bracket that waits for its partner."""

    text: str
    position: int


class Lexer:
    """Iterates over the tokens of ``text`` from ``position`` on.

    There is an END for each `;` and newline outside of brackets, and a last one for the end of the text. Newlines
    inside brackets are dropped. ``brackets`` holds the brackets that are open after the token last given. ``foreign``
    has the pieces of other notations by where they begin: each is one token.
    """

    def __init__(
        self,
        pattern: re.Pattern[str],
        literals: Mapping[str, str],
        text: str,
        position: int = 0,
        foreign: Mapping[int, Foreign] | None = None,
    ) -> None:
        self._foreign = foreign or {}
        self.brackets: list[Bracket] = []
        self.text = text
        self._match = pattern.match
        self._literals = literals
        self._position = position

    def __iter__(self) -> Iterator[Token]:
        match, literals, text, position = self._match, self._literals, self.text, self._position
        foreign = self._foreign
        before = previous = END
        while found := match(text, position):
            kind = found.lastgroup or BAD
            start, position = found.span(kind)
            value = text[start:position]
            if start in foreign:
                kind, value = FOREIGN, foreign[start]
                position = start + len(value)
            if kind == "NAME" or kind == "LITERAL":
                kind = literals.get(value, "NAME")
            if kind in SPECIAL:
                if kind == "COORDINATE":
                    if first := self._first_term(value, position, before, previous):
                        value, position = first, start + len(first)
                else:
                    kind = self._bracket(kind, start, previous)
                    if kind == "NEWLINE":
                        continue
            yield kind, value, start, position
            if kind == END and not value:
                return
            before, previous = previous, kind

    def _bracket(self, kind: str, start: int, previous: str) -> str:
        """Keep account of brackets; the kind of the token, which for separators depends on them."""
        brackets = self.brackets
        if kind in OPENS:
            if kind != "LESS" or previous not in OPERAND_ENDS:
                brackets.append(Bracket(self.text[start], start))
                if len(brackets) > NESTING:
                    message = f"brackets are nested more than {NESTING} deep"
                    raise LimitExceeded(Span(start, start + 1), message, f"bracket number {NESTING + 1}")
        elif kind in CLOSES:
            if brackets and brackets[-1].text == CLOSES[kind]:
                brackets.pop()
        elif not brackets:
            return END
        return kind

    def _first_term(self, value: str, position: int, before: str, previous: str) -> str:
        """The first term of a sum of coordinates that must be read as several tokens, else nothing."""
        first = SEVERAL_TERMS.match(value)
        if previous == "MINUS" and before not in OPERAND_ENDS:
            previous = before  # the minus is a sign
        if not first or previous == "COLON":
            return ""
        return first[0] if previous in TIGHTER_BEFORE or TIGHTER_AFTER.match(self.text, position) else ""
