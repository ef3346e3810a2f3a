"""What is told of a place: the value of a name, an expression or a definition, or a function."""

from __future__ import annotations

from typing import Any

from laycalc.diagnostics.model import Failure
from laycalc.grammar.run.context import Unbound
from laycalc.grammar.run.evaluator import Evaluator
from laycalc.grammar.run.scope import Deferred, Scope
from laycalc.grammar.run.unknowns import investigate
from laycalc.grammar.syntax import nodes

from .document import Document, value_of
from .pieces import Piece
from .places import Place, Range, function_named, node_at, range_of, word_at
from .told import function_in_markdown, in_markdown

__all__ = ["hover", "value_at"]

_PARTS = (
    nodes.Integer,
    nodes.Tuple,
    nodes.Paren,
    nodes.Truth,
    nodes.String,
    nodes.Wildcard,
    nodes.Coordinate,
    nodes.Xor,
)
"""What is only a part of what is meant: of a hover over a number the layout around it is told."""


def hover(document: Document, place: Place, pictures: bool = True) -> tuple[str, Range] | None:
    """What is told of a place, in Markdown, and the range that it is about."""
    word, start, end = word_at(document.pieces, place)
    here = Range(Place(place.line, start), Place(place.line, end))
    piece = document.pieces.at(place.line)
    if piece is None or piece.blank:
        found = document.kernel.named(document.text, word, place.line) if word else None
        return None if found is None else (in_markdown(value_of(found.outcome), found.name, pictures), here)
    function = function_named(word)
    if function is not None and word not in document.evaluation.scope(piece):
        return function_in_markdown(function), here
    told = value_at(document, place)
    if told is None:
        return None
    name, value, around = told
    return in_markdown(value, name, pictures), around


def value_at(document: Document, place: Place) -> tuple[str, Any, Range] | None:
    """The name, the value and the range of what stands at a place; None where nothing has a value."""
    piece = document.pieces.at(place.line)
    if piece is None or piece.blank:
        word, start, end = word_at(document.pieces, place)
        found = document.kernel.named(document.text, word, place.line) if word else None
        here = Range(Place(place.line, start), Place(place.line, end))
        return None if found is None else (found.name, value_of(found.outcome), here)
    if not piece.lines[place.line - piece.first].strip():
        return None
    scope = document.evaluation.scope(piece)
    for node in node_at(piece, place):
        if isinstance(node, _PARTS):
            continue
        value = _value(node, piece, scope)
        if value is not None:
            name = node.name if isinstance(node, nodes.Name) else ""
            return name, value, range_of(piece, *node.span)
    return _whole(document, piece)


def _value(node: nodes.Expression, piece: Piece, scope: Scope) -> Any:
    """The value of an expression, the report on it where sizes are unknown; None if it has none."""
    try:
        return Evaluator(piece.text, scope).value(node)
    except Unbound as unbound:
        return investigate(node, piece.text, scope, unbound).report
    except (Failure, RecursionError):
        return None


def _whole(document: Document, piece: Piece) -> tuple[str, Any, Range] | None:
    """The last value of a piece, under the name that it binds."""
    found = document.evaluation.of(piece)
    for outcome in reversed(found.outcomes):
        value = value_of(outcome)
        if outcome.error is None and value is not None:
            name = outcome.statement.name if isinstance(outcome.statement, nodes.Let) else ""
            value = None if isinstance(value, Deferred) else value
            return None if value is None else (name, value, range_of(piece, 0, len(piece.text)))
    return None
