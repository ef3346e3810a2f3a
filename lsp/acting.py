"""What can be done at a place: verified repairs, a check of a value, and the commands that tell more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from laycalc.cli.checks.sources import suffix_of
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.explain.derivation import derive
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.evaluator import Evaluator
from laycalc.grammar.run.repairs import repaired
from laycalc.grammar.syntax import nodes
from laycalc.render.reports.derivation import derivation_text

from .document import Document, Told
from .hovering import value_at
from .pieces import Piece
from .places import Place, Range, node_at, range_of

__all__ = ["Edit", "Repair", "check_of", "draw", "explain", "repairs", "why"]


class Edit(NamedTuple):
    """A text in place of a range."""

    range: Range
    text: str


class Repair(NamedTuple):
    """An edit that mends what a diagnostic says, tried before it is offered."""

    title: str
    told: Told
    edit: Edit


def repairs(document: Document, first: int, last: int) -> Iterator[Repair]:
    """The repairs of what is told between two lines."""
    for piece in _pieces(document, first, last):
        for told in document.told(piece):
            yield from _repairs(document, piece, told)


def _pieces(document: Document, first: int, last: int) -> Iterator[Piece]:
    """The pieces of some lines, each once."""
    line = first
    while line <= last:
        piece = document.pieces.at(line)
        if piece is not None:
            yield piece
        line = line + 1 if piece is None else piece.last


def _repairs(document: Document, piece: Piece, told: Told) -> Iterator[Repair]:
    statement = told.outcome.statement
    if str(told.diagnostic.source) != piece.text:
        return
    start, end = (0, len(piece.text)) if statement is None or told.outcome.place is not None else statement.span
    scope = document.evaluation.scope(piece)
    for suggestion in told.diagnostic.suggestions:
        text = repaired(piece.text, (start, end), told.diagnostic, suggestion, scope)
        if text is not None:
            change = f" ({suggestion.change})" if suggestion.change else ""
            edit = Edit(range_of(piece, start, end), text)
            yield Repair(f"use {suggestion.expr}{change}", told, edit)


def check_of(document: Document, place: Place) -> Edit | None:
    """A line below that fails when the value at a place changes: an assertion of the language that the file is in."""
    found = value_at(document, place)
    if found is None:
        return None
    name, value, around = found
    piece = document.pieces.at(place.line)
    if piece is None or piece.blank:
        return _check_of_kernel(document, name, value, place.line)
    value = getattr(value, "value", value) if hasattr(value, "obligations") else value
    left = name or _bound(document, piece, around) or f"({_text(document, around)})"
    mark = {".layout": "", ".md": "", ".py": "# laycalc: "}.get(suffix_of(document.path), "// laycalc: ")
    return _below(document, around.end.line, f"{mark}assert {left} == {text_of(value)}")


def _bound(document: Document, piece: Piece, around: Range) -> str:
    """The name that is bound to the expression of a range; empty if there is none."""
    for outcome in document.evaluation.of(piece).outcomes:
        if isinstance(outcome.statement, nodes.Let) and range_of(piece, *outcome.statement.value.span) == around:
            return outcome.statement.name
    return ""


def _check_of_kernel(document: Document, name: str, value: Any, line: int) -> Edit | None:
    """The same for a layout of a kernel, which its compiler checks; only sizes that are known."""
    size, name = getattr(value, "size", None), name.rpartition("::")[2]
    found = document.kernel.named(document.text, name, line)
    if type(size) is not int or found is None:
        return None
    if suffix_of(document.path) == ".py":
        return _below(document, found.line - 1, f"assert cute.size({name}) == {size}")
    written = document.pieces.lines[found.line - 1]
    made = f"{name}{{}}" if re.search(r"\b(?:using|typedef)\b", written) else f"decltype({name}){{}}"
    return _below(document, found.line - 1, f"static_assert(cute::size({made}) == {size});")


def _below(document: Document, line: int, text: str) -> Edit:
    """A line of text below another, as far from the margin."""
    shown = document.pieces.lines[line]
    at = Place(line, len(shown))
    return Edit(Range(at, at), f"\n{shown[: len(shown) - len(shown.lstrip())]}{text}")


def _text(document: Document, around: Range) -> str:
    lines = document.pieces.lines[around.start.line : around.end.line + 1]
    lines[-1] = lines[-1][: around.end.column]
    lines[0] = lines[0][around.start.column :]
    return "\n".join(lines)


def draw(document: Document, place: Place, **wishes: Any) -> str:
    """The SVG of what stands at a place; LC103 where nothing has a value."""
    from laycalc.render.draw import draw as drawn

    return str(drawn(_value(document, place), format="svg", **wishes))


def _value(document: Document, place: Place) -> Any:
    found = value_at(document, place)
    if found is None:
        raise Failure(Diagnostic("LC103", "nothing here has a value"))
    return found[1]


def explain(document: Document, place: Place) -> str:
    """The derivation of the statement at a place."""
    piece = document.pieces.at(place.line)
    if piece is None or piece.blank:
        raise Failure(Diagnostic("LC103", "a derivation is that of a statement"))
    found = derive(piece.text, document.evaluation.scope(piece))
    return "\n".join(derivation_text(each) for each in found if each.text)


def why(document: Document, place: Place) -> str:
    """How far the composition at a place gets."""
    from laycalc.algebra.categories.why import why as how_far

    piece = document.pieces.at(place.line)
    found = [] if piece is None else node_at(piece, place)
    for node in found:
        if piece is not None and isinstance(node, nodes.Binary) and node.operator == "o":
            evaluator = Evaluator(piece.text, document.evaluation.scope(piece))
            return str(how_far(evaluator.value(node.left), evaluator.value(node.right)))
    raise Failure(Diagnostic("LC103", "why looks at a composition: A o B"))
