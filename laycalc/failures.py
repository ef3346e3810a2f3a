"""Errors in full: the diagnostic of an error that the algebra raised, and its text for people."""

from __future__ import annotations

from laycalc.algebra.base.errors import LayoutError
from laycalc.diagnostics.model import Diagnostic, Failure

__all__ = ["diagnostic_of", "page", "words"]


def diagnostic_of(error: LayoutError) -> Diagnostic:
    """The diagnostic of an error: what the evaluator says of the same call, with the operands as its source."""
    from laycalc.grammar.language.values import text_of
    from laycalc.grammar.run.statements import evaluate

    found = Diagnostic(error.code, error.message, facts=error.facts)
    if error.call is None:
        return found
    name, operands = error.call
    try:
        evaluate(f"{name}({', '.join(map(text_of, operands))})")
    except Failure as failure:
        return failure.diagnostic if failure.code == error.code else found
    return found


def words(diagnostic: Diagnostic) -> str:
    """The whole text of a diagnostic."""
    from laycalc.render.reports.style import PLAIN
    from laycalc.render.reports.text import diagnostic_text

    return diagnostic_text(diagnostic, PLAIN)


def page(error: LayoutError | Diagnostic) -> str:
    """The same for a notebook."""
    from html import escape

    found = error.diagnostic if isinstance(error, LayoutError) else error
    return f"<pre>{escape(words(found))}</pre>"
