"""Places in a document: lines and columns of the editor, offsets in a piece, the word and the expression there."""

from __future__ import annotations

import re
from typing import NamedTuple

from laycalc.grammar.language.functions import Function, functions
from laycalc.grammar.run.repairs import covering
from laycalc.grammar.syntax import nodes

from .pieces import Piece, Pieces

__all__ = ["Place", "Range", "call_at", "function_named", "node_at", "range_of", "word_at"]


class Place(NamedTuple):
    """A line and a column, both from 0, columns in code points."""

    line: int
    column: int


class Range(NamedTuple):
    """From a place to the one behind the last character."""

    start: Place
    end: Place


_WORD = re.compile(r"[^\W\d]\w*")


def word_at(pieces: Pieces, place: Place) -> tuple[str, int, int]:
    """The word at a place and the columns that it has; empty where there is none."""
    text = pieces.lines[place.line] if place.line < len(pieces.lines) else ""
    for found in _WORD.finditer(text):
        if found.start() <= place.column <= found.end():
            return found[0], found.start(), found.end()
    return "", place.column, place.column


def offset_of(piece: Piece, place: Place) -> int:
    """The offset in a piece of a place in the document."""
    above = piece.lines[: place.line - piece.first]
    return sum(len(line) + 1 for line in above) + place.column


def place_of(piece: Piece, offset: int) -> Place:
    """The place in the document of an offset in a piece."""
    before = piece.text[:offset]
    line = before.count("\n")
    return Place(piece.first + line, offset - (before.rfind("\n") + 1))


def range_of(piece: Piece, start: int, end: int) -> Range:
    """The range of a part of a piece."""
    return Range(place_of(piece, start), place_of(piece, end))


def node_at(piece: Piece, place: Place) -> list[nodes.Expression]:
    """The expressions at a place, the smallest first."""
    offset = offset_of(piece, place)
    return covering(piece.text, offset, offset)


def function_named(name: str) -> Function | None:
    """The function of a name or of an alias."""
    return next((f for f in functions() if name == f.name or name in f.aliases), None)


def call_at(text: str) -> tuple[str, int] | None:
    """The function whose brackets are open at the end of a text, and how many of its arguments are behind."""
    depth, commas = 0, 0
    for i in range(len(text) - 1, -1, -1):
        char = text[i]
        if char in ")]}":
            depth += 1
        elif char in "([{":
            if depth == 0:
                found = re.search(r"([^\W\d]\w*)\s*$", text[:i]) if char == "(" else None
                if found is None:
                    commas = 0
                    continue
                return found[1], commas
            depth -= 1
        elif char == "," and depth == 0:
            commas += 1
    return None
