"""The comments of C, C++ and CUDA: strings, raw strings and digit separators are not taken for them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .comments import Comment

_SPLICE = r"(?:\\\r?\n)*+"
"""A backslash before a line end: the language sees neither of them."""

_TOKEN = re.compile(
    rf"""
    (?P<line>/{_SPLICE}/[/!]*<?)
    | (?P<block>/{_SPLICE}\*(?:[*!]+(?!/))?)
    | (?<!\w)(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{{0,16}})\(
    | "(?:[^"\\\n]++|\\(?:\r?\n|.))*+"?
    | (?<![\w.])\.?\d(?:[\w.]|'(?=\w)|(?<=[eEpP])[+-])*+        # the quotes between digits
    | '(?:[^'\\\n]++|\\.)*+'
    | ^[ \t]*\#[ \t]*include[ \t]*<[^>\n]*>
    """,
    re.VERBOSE | re.MULTILINE,
)
_LINE = re.compile(r"(?:[^\\\n]++|\\(?:\r?\n)?)*+")
_BLOCK_END = re.compile(rf"\*{_SPLICE}/")


def comments(text: str) -> Iterator[Comment]:
    """The comments of a text, in order."""
    at = 0
    while (found := _TOKEN.search(text, at)) is not None:
        at = found.end()
        if found["line"] is not None:
            line = _LINE.match(text, at)
            start, at = at, line.end() if line is not None else at
            yield Comment(start, at)
        elif found["block"] is not None:
            end = _BLOCK_END.search(text, at)
            start, at = at, end.end() if end is not None else len(text)
            yield Comment(start, end.start() if end is not None else at, "block")
        elif found["delimiter"] is not None:
            mark = f'){found["delimiter"]}"'
            stop = text.find(mark, at)
            if stop < 0:
                yield Comment(found.start(), len(text), "unended")
                return
            at = stop + len(mark)
