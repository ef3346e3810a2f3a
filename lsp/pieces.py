"""A document cut into pieces, a statement each; a change makes new pieces only where lines changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from laycalc.cli.checks.embedded import Block
from laycalc.cli.checks.sources import EMBEDDED, apart, suffix_of
from laycalc.diagnostics.source import Source

__all__ = ["Piece", "Pieces"]

_WORD = re.compile(r"[^\W\d]\w*")
_BOUND = re.compile(r"(?:^|[;\n])[ \t]*(?:let[ \t]+)?([^\W\d]\w*)[ \t]*=(?!=)")
_ASSUMES = re.compile(r"(?:^|[;\n])[ \t]*assume\b")
_INCLUDES = re.compile(r"(?:^|[;\n])[ \t]*include\b")


class Piece:
    """A statement, or several on a line: its lines from ``first`` on, the names it mentions and those it binds.

    ``found`` is what it came to, and holds as long as ``key`` does: the text is the same, and so are the pieces that
    define the names.
    """

    __slots__ = ("assumes", "binds", "first", "found", "includes", "key", "lines", "seen", "text")

    def __init__(self, first: int, lines: Sequence[str]) -> None:
        self.first = first
        self.lines = tuple(lines)
        self.text = "\n".join(lines)
        self.binds = tuple(dict.fromkeys(_BOUND.findall(self.text))) if "=" in self.text else ()
        self.assumes = "assume" in self.text and bool(_ASSUMES.search(self.text))
        self.includes = "include" in self.text and bool(_INCLUDES.search(self.text))
        self.key: Any = None
        self.found: Any = None
        self.seen = -1

    @property
    def mentions(self) -> frozenset[str]:
        """The words of the text."""
        return frozenset(_WORD.findall(self.text))

    @property
    def blank(self) -> bool:
        """Is there nothing to evaluate?"""
        return not self.text.strip()

    @property
    def last(self) -> int:
        """The line behind its last one."""
        return self.first + len(self.lines)


class Pieces:
    """The pieces of a document in order, and its lines as the editor has them."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.ours = EMBEDDED.get(suffix_of(path))
        self.lines: list[str] = []
        self.pieces: list[Piece] = []
        self.change(text)

    def change(self, text: str) -> None:
        """The document is another text now; pieces before and behind what changed stay the same objects."""
        lines = text.replace("\r\n", "\n").split("\n")
        before = _common(self.lines, lines)
        after = _common(self.lines[before:][::-1], lines[before:][::-1])
        old, self.lines = self.lines, lines
        if self.ours is None:
            self._cut_again(before, len(old) - after, len(lines) - len(old))
        elif before < len(old) or len(old) != len(lines):
            known = {(piece.first - (0 if piece.first < before else len(old) - len(lines)), piece.lines): piece
                     for piece in self.pieces}  # fmt: skip
            self.pieces = [self._kept(known, piece) for piece in self._embedded(self.ours(lines))]

    def _cut_again(self, start: int, stop: int, shift: int) -> None:
        """Pieces of whole files: cut anew from the one before the change to where a new one begins with an old one."""
        # The first line that changed may go on with the statement above it.
        keep = max(0, self._index(start - 1) - 1)
        begin = self.pieces[keep].first if keep < len(self.pieces) else 0
        rest = {piece.first + shift: i for i, piece in enumerate(self.pieces) if piece.first >= stop and i > keep}
        made: list[Piece] = []
        tail = len(self.pieces)
        for piece in _cut(self.lines[begin:], begin):
            if piece.first in rest:
                tail = rest[piece.first]
                break
            made.append(piece)
        behind = self.pieces[tail:]
        if shift:
            for piece in behind:
                piece.first += shift
        self.pieces[keep:] = [*made, *behind]

    def _embedded(self, found: Iterator[Any]) -> Iterator[Piece]:
        for block in found:
            if isinstance(block, Block):
                yield from _cut(block.texts, block.first)

    def _kept(self, known: dict[tuple[int, tuple[str, ...]], Piece], piece: Piece) -> Piece:
        old = known.get((piece.first, piece.lines))
        return piece if old is None else _moved(old, piece.first)

    def _index(self, line: int) -> int:
        """How many pieces begin at a line or before it."""
        low, high = 0, len(self.pieces)
        while low < high:
            middle = (low + high) // 2
            if self.pieces[middle].first <= line:
                low = middle + 1
            else:
                high = middle
        return low

    def at(self, line: int) -> Piece | None:
        """The piece that a line belongs to."""
        found = self._index(line) - 1
        piece = self.pieces[found] if found >= 0 else None
        return piece if piece is not None and line < piece.last else None


def _moved(piece: Piece, first: int) -> Piece:
    piece.first = first
    return piece


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many entries two lists have in common from the beginning."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _cut(lines: Sequence[str], first: int) -> Iterator[Piece]:
    """The statements of lines, one piece each, made as they are asked for."""
    for part in apart(Source("\n".join(lines), "", first)):
        yield Piece(part.before, part.split("\n"))
