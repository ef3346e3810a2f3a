"""What a command computes from a value with unknown numbers: the answer with the conditions under which it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import evaluate

if TYPE_CHECKING:
    from laycalc.algebra.symbolic.report import Report

__all__ = ["assumed", "conditions", "explored", "told"]


def assumed(scope: Scope, facts: Iterable[str] | None) -> Scope:
    """The scope with the facts of --assume."""
    for fact in facts or ():
        evaluate(f"assume {fact}", scope)
    return scope


def explored(work: Callable[[Any], Any], value: Any, scope: Scope) -> tuple[Any, Report | None]:
    """``work(value)``, and where the value has unknown numbers the report on it.

    An error that all numbers meet is raised.
    """
    if not _unknown(value):
        return work(value), None
    from laycalc.algebra.symbolic import explore
    from laycalc.algebra.symbolic.normal import substitute
    from laycalc.algebra.symbolic.values import rewrite

    def program(numbers: Mapping[str, Any]) -> Any:
        return work(rewrite(value, lambda p: substitute(p, {name: numbers[name] for name in p.symbols})))

    report = explore(program, scope.assumptions)
    if report.value is None:
        errors = (case.error for case in report.cases if case.error is not None)
        raise next(errors, Failure(Diagnostic("LC504", f"the search gave up: {report.why}; give values with -D")))
    return report.value, report


def _unknown(value: Any) -> bool:
    from laycalc.algebra.symbolic.values import is_symbolic

    return is_symbolic(value)


def told(report: Report) -> list[str]:
    """The conditions in sentences, each with what stands on its other side."""
    found = [f"valid {_WORDS[report.verdict]} {report.condition}"] if report.condition else []
    found += [f"otherwise: {o.why}" for o in report.obligations if o.why]
    return found + [f"also valid when {', '.join(map(str, c.when))}" for c in report.cases if c.is_clean]


_WORDS = {"valid-iff": "iff", "valid-if": "if", "proven-by-cases": "if", "proven": "if", "gives-up": "if"}


def conditions(report: Report) -> dict[str, Any]:
    """The verdict and the conditions as plain data."""
    return {"verdict": report.verdict, "conditions": [str(o.condition) for o in report.obligations]}
