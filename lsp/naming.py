"""Names in a document: the symbols of a file, where a name is bound, what completes a word, what a function takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from laycalc.grammar.language.functions import Function, functions
from laycalc.grammar.language.values import text_of
from laycalc.grammar.source.notes import in_words
from laycalc.grammar.syntax import nodes

from .document import Document, value_of
from .pieces import Piece
from .places import Place, Range, call_at, function_named, range_of, word_at

__all__ = ["Completion", "Hint", "Symbol", "completions", "definition", "hints", "signature", "symbols"]

HINT = 60
"""Characters of a value that stands behind its name."""


class Symbol(NamedTuple):
    """A name of a file: what it is, and where."""

    name: str
    detail: str
    range: Range


class Completion(NamedTuple):
    """A word that may stand there; ``function`` is None for a name of the document."""

    name: str
    function: Function | None


class Hint(NamedTuple):
    """A value behind the place of its name."""

    place: Place
    text: str


def symbols(document: Document) -> Iterator[Symbol]:
    """The names that a document binds, and the layouts of a kernel; their values are not computed for it."""
    for piece in document.pieces.pieces:
        for name in piece.binds:
            start = piece.text.find(name)
            yield Symbol(name, "", range_of(piece, start, start + len(name)))
    for found in document.kernel.layouts(document.text):
        yield Symbol(found.name, in_words(found.outcome), _line(document, found.line - 1))


def _line(document: Document, line: int) -> Range:
    text = document.pieces.lines[line] if line < len(document.pieces.lines) else ""
    return Range(Place(line, len(text) - len(text.lstrip())), Place(line, len(text)))


def definition(document: Document, place: Place) -> Range | None:
    """Where the name at a place is bound."""
    word, _, _ = word_at(document.pieces, place)
    piece = document.pieces.at(place.line)
    if piece is None:
        found = document.kernel.named(document.text, word, place.line) if word else None
        return None if found is None else _line(document, found.line - 1)
    binder = document.evaluation.binder(word, piece) if word else None
    binder = piece if binder is None and word in piece.binds else binder
    return None if binder is None else _bound(binder, word)


def _bound(piece: Piece, name: str) -> Range:
    start = piece.text.find(name)
    return range_of(piece, start, start + len(name))


def completions(document: Document, place: Place) -> list[Completion]:
    """The functions and the names above; nothing outside of what is ours in another language."""
    piece = document.pieces.at(place.line)
    if piece is None and document.pieces.ours is not None:
        return []
    names = document.evaluation.names(piece, place.line)
    return [*(Completion(name, None) for name in names), *(Completion(f.name, f) for f in functions())]


def signature(document: Document, place: Place) -> tuple[Function, int] | None:
    """The function whose arguments stand at a place, and which of them."""
    piece = document.pieces.at(place.line)
    if piece is None:
        return None
    above = piece.lines[: place.line - piece.first]
    text = "\n".join((*above, piece.lines[place.line - piece.first][: place.column]))
    called = call_at(text)
    function = function_named(called[0]) if called is not None else None
    return None if called is None or function is None else (function, called[1])


def hints(document: Document, first: int, last: int) -> Iterator[Hint]:
    """The value of each binding on the lines from the first to the last."""
    for piece in document.pieces.pieces:
        if piece.binds and first <= piece.first <= last:
            for outcome in document.evaluation.of(piece).outcomes:
                value = outcome.value if outcome.report is None else outcome.report.value
                if isinstance(outcome.statement, nodes.Let) and outcome.error is None and value is not None:
                    end = range_of(piece, *outcome.statement.span).end
                    yield Hint(end, _short(text_of(value)))
    for found in document.kernel.layouts(document.text):
        if first <= found.line - 1 <= last and value_of(found.outcome) is not None:
            yield Hint(_line(document, found.line - 1).end, _short(in_words(found.outcome)))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= HINT else f"{text[:HINT]}..."
