"""The comments of Python: strings are not taken for them, nor what stands in the text of formatted strings.

A scanner of its own, because `tokenize` reads the same text in another way from one Python to the next, and gives up on
what one of them does not know. Where it reads a text, both find the same comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .comments import Comment

_TOKENS = r"""(?P<comment>#+)|(?P<prefix>(?<!\w)[A-Za-z]{1,2})?(?P<quote>"{3}|'{3}|"|')"""
_CODE, _EXPRESSION = re.compile(_TOKENS), re.compile(_TOKENS + r"|(?P<mark>[()\[\]{}:])")
_FORMATTED = frozenset(("f", "t", "fr", "rf", "tr", "rt"))
_REST = {
    quote: re.compile(rf"(?:{inside}|\\(?:\r\n|.)){'*+'}", re.DOTALL)
    for quote, inside in (
        ('"', r'[^"\\\n]++'),
        ("'", r"[^'\\\n]++"),
        ('"""', r'[^"\\]++|"(?!"")'),
        ("'''", r"[^'\\]++|'(?!'')"),
    )
}
"""What a string has between its quotes."""
_TEXT = {
    quote: re.compile(rf"(?:{inside}|\{{\{{|\}}\}}|\\(?:N\{{[^}}\n]*+\}}|\r\n|[^{{])|\\(?=\{{))*+", re.DOTALL)
    for quote, inside in (
        ('"', r'[^"\\\n{}]++'),
        ("'", r"[^'\\\n{}]++"),
        ('"""', r'[^"\\{}]++|"(?!"")'),
        ("'''", r"[^'\\{}]++|'(?!'')"),
    )
}
"""What a formatted string has before its end, a field or the end of one."""


class _Field:
    """A field of a formatted string: the brackets that are open in its expression, or its format is read."""

    __slots__ = ("depth", "format", "quote", "start")

    def __init__(self, quote: str, start: int) -> None:
        self.quote = quote
        self.start = start
        self.depth = 0
        self.format = False


def comments(text: str) -> Iterator[Comment]:
    """The comments of a text, in order."""
    at = 0
    fields: list[_Field] = []
    while at < len(text):
        if fields and fields[-1].format:
            at = _formatted(text, at, fields[-1].quote, fields[-1].start, fields)
            continue
        found = (_EXPRESSION if fields else _CODE).search(text, at)
        if found is None:
            break
        at = found.end()
        if found["comment"]:
            end = text.find("\n", at)
            start, at = at, end if end >= 0 else len(text)
            yield Comment(start, at)
        elif fields and found["mark"]:
            at = _mark(text, at, fields)
        elif (found["prefix"] or "").lower() in _FORMATTED:
            at = _formatted(text, at, found["quote"], found.start(), fields)
        else:
            at = _plain(text, at, found["quote"])
        if at < 0:
            yield Comment(found.start(), len(text), "unended")
            return
    if fields:
        yield Comment(fields[0].start, len(text), "unended")


def _plain(text: str, at: int, quote: str) -> int:
    """Where the code goes on behind a string; -1 if it has no end. One in one line ends with the line."""
    rest = _REST[quote].match(text, at)
    at = rest.end() if rest is not None else at
    if text.startswith(quote, at):
        return at + len(quote)
    return at if len(quote) == 1 else -1


def _formatted(text: str, at: int, quote: str, start: int, fields: list[_Field]) -> int:
    """Where the code goes on behind the text of a formatted string: behind its end, or in a field, which is opened."""
    while True:
        rest = _TEXT[quote].match(text, at)
        at = rest.end() if rest is not None else at
        if text.startswith("{", at):
            fields.append(_Field(quote, start))
            return at + 1
        if not text.startswith("}", at):
            break
        if fields and fields[-1].format and fields[-1].start == start:
            fields.pop()
        at += 1
    while fields and fields[-1].start == start:
        fields.pop()  # a format that the end of the string cuts off
    if text.startswith(quote, at):
        return at + len(quote)
    return at if len(quote) == 1 else -1


def _mark(text: str, at: int, fields: list[_Field]) -> int:
    """Take a bracket or a colon in the expression of a field."""
    field, mark = fields[-1], text[at - 1]
    if mark in "([{":
        field.depth += 1
    elif field.depth and mark != ":":
        field.depth -= 1
    elif mark == ":" and not field.depth:
        field.format = True
    elif mark == "}":
        fields.pop()
        return _formatted(text, at, field.quote, field.start, fields)
    return at
