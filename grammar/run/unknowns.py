"""Expressions with unknown numbers: names without a binding, ``?``, assumptions, and the report on all values.

The numeric evaluator runs unchanged; its names come from a mapping that the search over cases fills.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.base.record import Record
from laycalc.algebra.symbolic import (
    Assumptions,
    claim,
    explore,
    reading,
    unknown,
)
from laycalc.algebra.symbolic.search import Symbols
from laycalc.diagnostics.model import Diagnostic, Failure, Label, Suggestion

from ..syntax import nodes
from .calls import accepts_ragged
from .context import Unbound
from .evaluator import Evaluator
from .scope import Deferred, Scope

if TYPE_CHECKING:
    from laycalc.algebra.symbolic import Case, Report


_NOT_NUMBERS = frozenset({"LC101", "LC102", "LC103", "LC203", "LC205"})
"""If an expression fails everywhere with one of these, its unbound name was no unknown number but a slip."""


class Investigation(Record):
    """What an expression with unknowns came to: the report, or an error; ``finding`` is what a check says about it.

    ``false`` is a claim that holds for no values.
    """

    report: Report | None = None
    error: Diagnostic | None = None
    finding: Diagnostic | None = None
    warnings: tuple[Diagnostic, ...] = ()
    false: bool = False


def investigate(
    node: nodes.Expression, source: str, scope: Scope, unbound: Unbound, given: tuple[nodes.Expression, ...] = ()
) -> Investigation:
    """Explore an expression over all values of its unknowns that the assumptions of the scope allow."""
    if isinstance(node, nodes.Name) and not isinstance(_bound(node, scope), Deferred):
        return Investigation(error=unbound.diagnostic)
    try:
        known = scope.assumptions or Assumptions()
        for position, divisor in _divisors(node, source, scope):
            _, fact = unknown(position, divisor)
            known = known if fact is None else known.assume(fact, str(fact))
        for fact_node in given:
            known = assume(fact_node, source, scope, known)
        report = explore(
            lambda values: Evaluator(source, scope, values).value(node),
            known,
            ragged=scope.settings.ragged or accepts_ragged(node),
            caught=(Failure,),
        )
    except Failure as failure:
        return Investigation(error=failure.diagnostic)
    except LayoutError as error:
        return Investigation(error=_diagnostic(error.code, str(error), source, node))
    return _judged(report, source, node, unbound, scope)


def _judged(report: Report, source: str, node: nodes.Expression, unbound: Unbound, scope: Scope) -> Investigation:
    refusals = [c for c in report.cases if c.status == "refused"]
    if report.value is None and refusals and len(refusals) == len(report.cases):
        if all(set(c.codes) <= _NOT_NUMBERS for c in refusals):
            return Investigation(error=unbound.diagnostic)
        if all(c.codes == ("LC501",) for c in refusals):
            return Investigation(false=True, finding=_finding(report, source, node))
        failure = refusals[0].error
        if isinstance(failure, Failure):
            return Investigation(error=failure.diagnostic.replace(notes=(_extent(report, refusals),)))
    warnings = tuple(_near(report, source, node, scope))
    if report.is_clean:
        return Investigation(report, warnings=warnings)
    finding = _finding(report, source, node)
    if report.verdict == "gives-up":
        warnings = (*warnings, finding.replace(severity="warning"))
    return Investigation(report, finding=finding, warnings=warnings)


def _extent(report: Report, refusals: list[Case]) -> str:
    """For which values an expression is refused, as far as that is proven."""
    names = ", ".join(report.symbols)
    perhaps = {outcome for case in refusals for outcome in case.perhaps}
    if not perhaps:
        return f"refused for all values of {names}"
    if perhaps == {"LC401"}:
        return f"exact for no values of {names}; some may be ragged"
    return f"refused for the values of {names} that were tried; others may be right by coincidence"


def _near(report: Report, source: str, node: nodes.Expression, scope: Scope) -> Iterator[Diagnostic]:
    """LC102 as a warning for a symbol that nearly is a bound name: it is perhaps a slip."""
    bound = scope.all_names()
    for used in walk(node):
        if isinstance(used, nodes.Name) and used.name in report.symbols:
            for near in get_close_matches(used.name, bound, n=1, cutoff=0.7):
                label = Label(used.span.start, used.span.end, f"did you mean {near}?")
                message = f"{used.name} is taken for an unknown number, and {near} is bound"
                yield Diagnostic("LC102", message, source, (label,), severity="warning")


def _finding(report: Report, source: str, node: nodes.Expression) -> Diagnostic:
    """LC503 with the condition to add, LC501 if it holds nowhere, LC504 if the search gave up."""
    code = report.code
    implied = " (not implied by the assumptions)" if report.assumptions else ""
    messages = {
        "LC503": f"valid {'iff' if report.verdict == 'valid-iff' else 'if'} {report.condition}{implied}",
        "LC501": "valid for no values" if report.value is None else f"exact for no values: {report.why}",
        "LC504": f"the search gave up: {report.why}; give values with -D, or try --sweep",
    }
    point = report.counterexample
    witness = "" if point is None else f"{point}: {point.why}" if point.why else str(point)
    notes = tuple(f"{o.condition}: {o.source}" for o in report.obligations if o.source)
    works = (Suggestion(f"assume {report.condition}"),) if code == "LC503" and report.condition else ()
    found = _diagnostic(code, messages[code], source, node)
    return found.replace(witness=f"counterexample {witness}" if witness else "", notes=notes, suggestions=works)


def _diagnostic(code: str, message: str, source: str, node: nodes.Expression) -> Diagnostic:
    return Diagnostic(code, message, source, (Label(node.span.start, node.span.end),))


def assume(node: nodes.Expression, source: str, scope: Scope, known: Assumptions | None = None) -> Assumptions:
    """The assumptions with one more fact: a relation between integers, or several joined by ``and``."""
    known = known or scope.assumptions or Assumptions()
    if isinstance(node, nodes.Binary) and node.operator == "and":
        return assume(node.right, source, scope, assume(node.left, source, scope, known))
    evaluator = Evaluator(source, scope, Symbols())
    if not isinstance(node, nodes.Binary) or node.operator not in ("|", "==", "!=", "<=", "<", ">=", ">", "in"):
        raise evaluator.fail("LC103", "an assumption is a relation between integers, as M % 128 == 0 or K >= 64", node)
    with reading():
        left, right = evaluator.value(node.left), evaluator.value(node.right)
    text = source[node.span.start : node.span.end]
    if all(type(x) is int for x in (left, *(right if isinstance(right, tuple) else (right,)))):
        return known  # a fact about numbers says nothing about unknowns
    try:
        return known.assume(claim(node.operator, left, right), text)
    except LayoutError as error:
        raise Failure(_diagnostic(error.code, str(error), source, node)) from None


def _bound(node: nodes.Name, scope: Scope) -> Any:
    try:
        return scope.get(node.name)
    except KeyError:
        return None


def _divisors(node: nodes.Expression, source: str, scope: Scope) -> Iterator[tuple[int, int]]:
    """(position, divisor) of every ``?`` in an expression, counted from 1."""
    found = sorted((n for n in walk(node) if isinstance(n, nodes.Unknown)), key=lambda n: n.span)
    for position, mark in enumerate(found, 1):
        if mark.divisor < 1:
            raise Evaluator(source, scope).fail("LC103", "a divisor is at least 1", mark)
        yield mark.number or position, mark.divisor


def walk(node: Any) -> Iterator[nodes.Node]:
    """Every node below and including ``node``."""
    if isinstance(node, nodes.Node):
        yield node
        for name in node.fields:
            yield from walk(getattr(node, name))
    elif type(node) is tuple:
        for item in node:
            yield from walk(item)
