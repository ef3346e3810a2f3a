"""Where a repair goes: the part of a statement that it replaces, tried before it is offered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from laycalc.diagnostics.model import Diagnostic, Suggestion

from ..syntax import nodes
from ..syntax.parser import statements
from .scope import Scope
from .statements import run

__all__ = ["covering", "expressions", "repaired"]


def repaired(
    source: str, span: tuple[int, int], diagnostic: Diagnostic, suggestion: Suggestion, scope: Scope
) -> str | None:
    """The statement ``source[span]`` with a suggestion in it, None if no place for it mends what is wrong.

    >>> text = "A = (4,6,8):(2,3,5) o 6:3"
    >>> error = next(run(text)).error
    >>> repaired(text, (0, len(text)), error, error.suggestions[0], Scope())
    'A = (4,6,8):(2,3,5) o 6:2'
    """
    first, last = span
    piece = source[first:last]
    labels = [(label.start - first, label.end - first) for label in diagnostic.labels]
    start, end = min((a for a, _ in labels), default=0), max((b for _, b in labels), default=len(piece))
    for node in covering(piece, start, end):
        text = piece[: node.span.start] + suggestion.expr + piece[node.span.end :]
        if _mended(text, diagnostic, scope):
            return text
    return suggestion.expr if _mended(suggestion.expr, diagnostic, scope) else None


def _mended(text: str, diagnostic: Diagnostic, scope: Scope) -> bool:
    """Has a text no error, and not the warning that it is about?"""
    outcomes = list(run(text, scope.inner({})))
    if not outcomes or any(outcome.error is not None for outcome in outcomes):
        return False
    told = [warning.code for outcome in outcomes for warning in outcome.warnings]
    return diagnostic.severity == "error" or diagnostic.code not in told


def covering(text: str, start: int, end: int) -> list[nodes.Expression]:
    """The expressions of a text that reach over ``text[start:end]``, the smallest first."""
    found = [
        node
        for item in statements(text)
        if not isinstance(item, Diagnostic)
        for node in expressions(item)
        if node.span.start <= start and end <= node.span.end
    ]
    return sorted(found, key=lambda node: node.span.end - node.span.start)


def expressions(node: Any) -> Iterator[nodes.Expression]:
    """A node, if it is an expression, and all those inside it."""
    pending = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, (tuple, list)):
            pending += node
        elif isinstance(node, nodes.Node):
            if isinstance(node, nodes.Expression):
                yield node
            pending += [getattr(node, name) for name in node.fields]
