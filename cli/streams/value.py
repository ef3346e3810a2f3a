"""The one value that a command works on, from the text of an argument."""

from __future__ import annotations

from typing import Any

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import run as run_text

from .inputs import expressions, names_a_file
from .output import complain, remark

__all__ = ["value_of"]


def value_of(text: str, scope: Scope, shape: tuple[int, ...] | None = None) -> Any:
    """The value of an expression (``-`` reads standard input); warnings are shown, a failure is raised.

    ``shape`` is that of the tensor, for pasted forms that do not say it.
    """
    (source,) = expressions([text], ())
    if names_a_file(source):
        from .kernels import value_in

        found = value_in(source, scope)
        remark(found.notes)
        complain(found.warnings)
        return found.value
    value = None
    for outcome in run_text(source, scope, shape):
        remark(outcome.notes)
        complain(outcome.warnings)
        if outcome.error is not None:
            raise Failure(outcome.error)
        value = outcome.value
    if value is None:
        raise Failure(Diagnostic("LC101", "the expression is empty", source))
    return value
