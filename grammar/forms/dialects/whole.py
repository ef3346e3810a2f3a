"""A text of a dialect that is named: one whole expression if it is one, else statements with pieces of it."""

from __future__ import annotations

from collections.abc import Callable

from laycalc.diagnostics.model import Failure

from ...syntax.nodes import Expression
from ..reading.reading import Reading
from .pieces import pieces, reading
from .python import Python
from .terms import Terms

__all__ = ["read_python", "read_terms"]


def read_terms(text: str, form: str) -> Reading:
    """C++, MLIR types and prints."""
    terms = Terms(text)
    return _read(text, form, terms.whole, terms)


def read_python(text: str, form: str) -> Reading:
    """Python."""
    python = Python(text)
    return _read(text, form, python.whole, python)


def _read(text: str, form: str, whole: Callable[[], Expression], seen: Terms | Python) -> Reading:
    try:
        return reading(text, whole(), seen, form)
    except Failure as failure:
        if failure.diagnostic.code != "LC101":
            raise
        found = pieces(text, form)
        if found is None:
            raise
        return found
