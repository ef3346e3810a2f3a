"""What of a file in another language is ours: its comments with the word laycalc, the layout blocks of Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from laycalc.diagnostics.model import Diagnostic
from laycalc.grammar.syntax import nodes
from laycalc.grammar.syntax.parser import statements

from . import cpp_comments, python_comments
from .comments import Comment
from .fences import fenced

__all__ = ["Block", "Doubt", "Found", "in_cpp", "in_markdown", "in_python"]


class Block(NamedTuple):
    """Neighbouring lines that are ours, to be read as one text, from line ``first``; a line has blanks for the rest."""

    first: int
    texts: list[str]


class Doubt(NamedTuple):
    """A piece of line ``first`` that looks like ours and is not read, and why."""

    first: int
    start: int
    end: int
    why: str


Found = Callable[[Sequence[str]], Iterator[Block | Doubt]]
"""From the lines of a file to what is ours in them, in order."""


def in_markdown(lines: Sequence[str]) -> Iterator[Block | Doubt]:
    """The blocks that say ``layout`` behind their fence."""
    blocks: dict[int, Block] = {}
    for number, start, info, fence in fenced(lines):
        if info.split()[:1] == ["layout"]:
            block = blocks.setdefault(fence, Block(number, []))
            block.texts.append(" " * start + lines[number][start:])
    yield from blocks.values()


def in_cpp(lines: Sequence[str]) -> Iterator[Block | Doubt]:
    """The comments ``// laycalc: ...`` and ``/* laycalc: ... */``."""
    return _in_comments(lines, cpp_comments.comments, "//[/!]*<?", "//")


def in_python(lines: Sequence[str]) -> Iterator[Block | Doubt]:
    """The comments ``# laycalc: ...``."""
    return _in_comments(lines, python_comments.comments, "#+", "#")


def _in_comments(
    lines: Sequence[str], scan: Callable[[str], Iterator[Comment]], mark: str, shown: str
) -> Iterator[Block | Doubt]:
    reader = _Reader(lines, mark, shown)
    text = "\n".join(lines)
    if _WORD.search(text):
        for piece in _pieces(text, scan(text)):
            reader.read(piece)
    doubts = iter(reader.doubts)
    doubt = next(doubts, None)
    for block in _runs(reader.ours):
        while doubt is not None and doubt.first < block.first + len(block.texts):
            yield doubt
            doubt = next(doubts, None)
        yield block
    yield from () if doubt is None else (doubt, *doubts)


def _runs(ours: dict[int, str]) -> Iterator[Block]:
    """Lines that follow one another, as blocks."""
    block: Block | None = None
    for number, text in ours.items():
        if block is None or number != block.first + len(block.texts):
            if block is not None:
                yield block
            block = Block(number, [])
        block.texts.append(text)
    if block is not None:
        yield block


class _Piece(NamedTuple):
    """The part of a comment that stands on one line."""

    line: int
    start: int
    end: int
    comment: Comment


_WORD = re.compile("laycalc", re.IGNORECASE)
_STARS = re.compile(r"[ \t]*(?:\*(?!/))*")
"""What stands at the left of a block comment."""


def _pieces(text: str, comments: Iterator[Comment]) -> Iterator[_Piece]:
    """The comments that have the word, cut at the line ends; a string without an end, if the word is behind it."""
    number = counted = 0
    for comment in comments:
        if not _WORD.search(text, comment.start, comment.end):
            continue
        number += text.count("\n", counted, comment.start)
        counted = comment.start
        begin = text.rfind("\n", 0, comment.start) + 1
        if comment.kind == "unended":
            yield _Piece(number, comment.start - begin, comment.start - begin + 1, comment)
            return
        at = comment.start
        for offset, line in enumerate(text[comment.start : comment.end].split("\n")):
            skipped = _STARS.match(line) if offset and comment.kind == "block" else None
            start = at - begin + (skipped.end() if skipped is not None else 0)
            # The backslash that continues a comment is no part of it.
            stop = at - begin + len(line.removesuffix("\\") if comment.kind == "line" else line)
            yield _Piece(number + offset, min(start, stop), stop, comment)
            at += len(line) + 1
            begin = at


class _Reader:
    """The lines that are ours in a text full of comments, and the pieces that are in doubt."""

    def __init__(self, lines: Sequence[str], mark: str, shown: str) -> None:
        self.lines = lines
        self.mark = re.compile(rf"(?:(?:|.*?\s){mark})?[ \t]*laycalc[ \t]*:", re.IGNORECASE)
        self.shown = shown
        self.ours: dict[int, str] = {}
        self.doubts: list[Doubt] = []
        self.marked: Comment | None = None

    def read(self, piece: _Piece) -> None:
        """Take the next piece of a comment."""
        number, start, end, comment = piece
        if comment.kind == "unended":
            self._doubt(number, start, end, "this string has no end; no comment behind it was read")
            return
        line = self.lines[number]
        found = self.mark.match(line, start, end)
        if found is None:
            self._unmarked(piece, line)
        elif number in self.ours:
            self._doubt(number, found.end(), end, "a line holds one laycalc comment; this one was not checked")
        else:
            self.ours[number] = " " * found.end() + line[found.end() : end]
            self.marked = comment

    def _unmarked(self, piece: _Piece, line: str) -> None:
        """A comment that was meant for us, as it seems: without the word below one that has it, or with a wrong mark
        and a statement behind it.
        """
        number, start, end, comment = piece
        if comment.kind == "block" and self.marked == comment and _ASSERTION.match(line, start, end):
            why = "each line of a block comment is written `laycalc: ...`; this one was not checked"
            self._doubt(number, start, end, why)
            return
        # Few are enough, each of them has the rest of the line parsed.
        for found in islice(_NAMED.finditer(line, start, end), 4):
            if _is_statement(line[found.end() : end]):
                why = f"a laycalc comment is written `{self.shown} laycalc: ...`; this one was not checked"
                self._doubt(number, found.start(), end, why)
                return

    def _doubt(self, number: int, start: int, end: int, why: str) -> None:
        if not self.doubts or self.doubts[-1].first != number:
            self.doubts.append(Doubt(number, start, end, why))


_NAMED = re.compile(r"\blaycalc\b[\])`'\"]*[ \t:;,>-]+", re.IGNORECASE)
_ASSERTION = re.compile(r'(?i)[ \t]*(?:(?:assert|assume)\b|for\s+\w+\s+in\s*[^\w\s]|let\s+\w+\s*=|include\s*")')


def _is_statement(text: str) -> bool:
    """Is this a statement, and not the prose that a single word or number may be?"""
    if _ASSERTION.match(text):
        return True
    found = list(islice(statements(text), 4))
    single = (nodes.Name, nodes.Integer, nodes.String, nodes.Truth)
    alone = len(found) == 1 and isinstance(found[0], nodes.Evaluate) and isinstance(found[0].value, single)
    return bool(found) and not alone and not any(isinstance(item, Diagnostic) for item in found)
