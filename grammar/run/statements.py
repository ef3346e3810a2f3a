"""Runs a text statement by statement; one bad statement never stops the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Diagnostic, Failure, Label

from ..advice.relations import why_false, why_not
from ..forms import recognise
from ..language.values import Text, Verdict, kind_of, text_of
from ..syntax import nodes
from ..syntax.lexer import Foreign
from ..syntax.parser import statements
from .context import Unbound
from .evaluator import Evaluator
from .scope import Deferred, Scope

if TYPE_CHECKING:
    from ..forms.reading.reading import Reading


COMBINATIONS = 100_000
"""Combinations of values that a loop may have, with the loops inside it."""
SHOWN = 120
"""Characters of an assertion, and of each side of it, that a message repeats."""


class Outcome(Record):
    """What one statement came to: a value or an error, and the warnings on the way.

    ``checked`` says that it was an assertion; ``combination`` names the values of the loop variables it ran with.
    ``report`` is that on an expression with unknowns, ``finding`` what a check says if it does not hold for all.
    ``place`` is where the statement stands in ``source``, if that is a foreign text and its own span is not meant.
    """

    statement: nodes.Statement | None
    value: Any = None
    error: Diagnostic | None = None
    warnings: tuple[Diagnostic, ...] = ()
    checked: bool = False
    combination: str = ""
    source: str = ""
    notes: tuple[str, ...] = ()
    report: Any = None
    finding: Diagnostic | None = None
    place: tuple[int, int] | None = None


def run(text: str, scope: Scope | None = None, shape: tuple[int, ...] | None = None) -> Iterator[Outcome]:
    """Execute a text lazily; bindings go into ``scope``. A pasted foreign notation is read as what it denotes.

    ``shape`` is that of the tensor, for notations that do not say it.
    """
    scope = Scope() if scope is None else scope
    try:
        reading = recognise(text, shape)
    except Failure as failure:
        yield Outcome(None, error=failure.diagnostic, source=text)
        return
    if reading is None:
        yield from _statements(text, scope)
    else:
        yield from run_reading(reading, scope)


def evaluate(text: str, scope: Scope | None = None) -> Any:
    """The value of the last expression of a text; `Failure` with a diagnostic if there is none.

    An expression with unknowns gives the `Report` on all their values.

    >>> str(evaluate("(8,16):(20,1) / <4:1,8:2>"))
    '((4,2),(8,2)):((20,80),(2,1))'
    """
    value = None
    for outcome in run(text, scope):
        if outcome.error is not None:
            raise Failure(outcome.error)
        value = outcome.value if outcome.report is None else outcome.report
    return value


def _statements(text: str, scope: Scope, foreign: Mapping[int, Foreign] | None = None) -> Iterator[Outcome]:
    for item in statements(text, foreign):
        if isinstance(item, Diagnostic):
            yield Outcome(None, error=_proven(item, scope), source=text)
        else:
            yield from execute(item, text, scope)


def _proven(diagnostic: Diagnostic, scope: Scope) -> Diagnostic:
    """A syntax error without the repairs that parse and have no value."""
    if not diagnostic.suggestions:
        return diagnostic
    kept = tuple(s for s in diagnostic.suggestions if _works(s.expr, scope))
    return diagnostic if len(kept) == len(diagnostic.suggestions) else diagnostic.replace(suggestions=kept)


def _works(text: str, scope: Scope) -> bool:
    for item in statements(text):
        if isinstance(item, Diagnostic):
            return False
        for outcome in execute(item, text, scope.inner({})):
            if outcome.error is not None or isinstance(outcome.value, Text):
                return False
    return True


def run_reading(reading: Reading, scope: Scope) -> Iterator[Outcome]:
    """The outcomes of a reading, told about the text that was pasted; the layouts of a dump are bound by name."""
    notes = reading.notes
    for name, expression in reading.named:
        for outcome in _statements(expression, scope):
            if outcome.error is None and name.isidentifier():
                scope.names[name] = outcome.value
    for outcome in _statements(reading.expression, scope, reading.foreign):
        if outcome.source != reading.expression:  # of an included file
            yield outcome
            continue
        span = None if outcome.statement is None else outcome.statement.span
        error = None if outcome.error is None else reading.relocate(outcome.error, span)
        warnings = tuple(reading.relocate(warning, span) for warning in outcome.warnings)
        place = None if span is None else reading.locate(*span)
        yield outcome.replace(error=error, warnings=warnings, source=reading.source, notes=notes, place=place)
        notes = ()


def execute(
    statement: nodes.Statement, source: str, scope: Scope, combinations: int | None = None
) -> Iterator[Outcome]:
    """Execute one statement: one outcome, or one a combination of a loop, or those of an included file.

    ``combinations`` is how many a loop may have, with the loops inside it.
    """
    if isinstance(statement, nodes.For):
        yield from _loop(statement, source, scope, COMBINATIONS if combinations is None else combinations)
        return
    if isinstance(statement, nodes.Include):
        yield from _include(statement, source, scope)
        return
    evaluator = Evaluator(source, scope)
    checked = isinstance(statement, nodes.Assert)
    value, error = None, None
    try:
        value = _EXECUTE[type(statement)](evaluator, statement)
    except Unbound as unbound:
        if scope.settings.unknowns:
            yield _with_unknowns(statement, source, scope, unbound)
            return
        error = unbound.diagnostic
    except Failure as failure:
        error = failure.diagnostic
    except RecursionError:
        error = Diagnostic("LC104", "the expression is nested too deeply", source, (Label(*statement.span),))
    said = _witness(evaluator, statement.value) if value is False and isinstance(statement, nodes.Evaluate) else ""
    notes = (said,) if said else ()
    yield Outcome(statement, value, error, tuple(evaluator.warnings), checked, source=source, notes=notes)


def _witness(evaluator: Evaluator, node: nodes.Expression) -> str:
    """What makes a question about a layout false: two coordinates with one value, a value that nobody has."""
    if not isinstance(node, nodes.Call) or not isinstance(node.function, nodes.Name) or node.keywords:
        return ""
    if node.function.name not in ("bijective", "injective", "surjective"):
        return ""
    again = Evaluator(evaluator.source, evaluator.scope)
    return why_not(node.function.name, [again.value(argument) for argument in node.arguments])


def _evaluate(evaluator: Evaluator, statement: nodes.Evaluate) -> Any:
    return evaluator.value(statement.value)


def _let(evaluator: Evaluator, statement: nodes.Let) -> Any:
    value = evaluator.value(statement.value)
    evaluator.scope.names[statement.name] = value
    return value


def _assert(evaluator: Evaluator, statement: nodes.Assert) -> Any:
    value = evaluator.value(statement.value)
    if not isinstance(value, (bool, Verdict)):
        raise evaluator.fail(
            "LC103", f"assert wants a truth, not the {kind_of(value)} {text_of(value)}", statement.value,
            "compare it with something",
        )  # fmt: skip
    if value:
        return value
    reason = value.diagnostic if isinstance(value, Verdict) else None
    raise Failure(reason if reason is not None else _false(evaluator, statement.value))


def _false(evaluator: Evaluator, node: nodes.Expression) -> Diagnostic:
    """LC501, with what the two sides of a relation came to."""
    labels, advice = [Label(*node.span, "this is false")], None
    message = f"the assertion is false: {_cut(evaluator.source[node.span.start : node.span.end])}"
    if isinstance(node, nodes.Binary) and node.operator not in ("and", "or", "in"):
        # An evaluator of its own: the warnings of the sides were given when the relation was evaluated.
        again = Evaluator(evaluator.source, evaluator.scope)
        sides = [again.value(side) for side in (node.left, node.right)]
        labels = [Label(*side.span, text_of(x)) for side, x in zip((node.left, node.right), sides, strict=True)]
        advice = partial(why_false, node.operator, *sides)
        values = f"{_cut(text_of(sides[0]))} {node.operator} {_cut(text_of(sides[1]))}"
        message += "" if message.endswith(f": {values}") else f"; {values}"
    elif said := _witness(evaluator, node):
        return Diagnostic("LC501", message, evaluator.source, tuple(labels), witness=said)
    return Diagnostic("LC501", message, evaluator.source, tuple(labels), advice=advice)


def _cut(text: str) -> str:
    """A text of one line, short enough for a message."""
    text = " ".join(text.split())
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _assume(evaluator: Evaluator, statement: nodes.Assume) -> Any:
    from .unknowns import assume

    for fact in statement.facts:
        evaluator.scope.facts = assume(fact, evaluator.source, evaluator.scope)
    return evaluator.scope.facts


def _with_unknowns(statement: Any, source: str, scope: Scope, unbound: Unbound) -> Outcome:
    """The outcome of a statement whose expression has unknowns."""
    from .unknowns import investigate

    checked = isinstance(statement, nodes.Assert)
    found = investigate(statement.value, source, scope, unbound, statement.given if checked else ())
    error = found.error
    if checked and error is None and found.finding is not None:
        gave_up = found.finding.code == "LC504" and not scope.settings.strict
        error = None if gave_up else found.finding
    if isinstance(statement, nodes.Let) and error is None:
        # The names as they are now: a later let of one of them, or of this one, is not meant.
        names = Scope(scope.settings, dict(scope.names), scope.outer, scope.facts)
        scope.names[statement.name] = Deferred(statement.value, source, names)
    value = False if found.false else None if found.report is None else found.report.value
    return Outcome(statement, value, error, found.warnings, checked, "", source, (), found.report, found.finding)


def _loop(statement: nodes.For, source: str, scope: Scope, limit: int) -> Iterator[Outcome]:
    names = [name for name, _ in statement.bindings]
    try:
        values = [[Evaluator(source, scope).value(v) for v in items] for _, items in statement.bindings]
    except Failure as failure:
        yield Outcome(statement, error=failure.diagnostic, source=source)
        return
    total = prod(map(len, values))
    if total > limit:
        message = f"a loop over more than {COMBINATIONS:,} combinations"
        error = Diagnostic("LC104", message, source, (Label(*statement.span, "none of them was tried"),))
        yield Outcome(statement, error=error, source=source)
        return
    for combination in product(*values):
        bound = dict(zip(names, combination, strict=True))
        words = ", ".join(f"{name} = {text_of(value)}" for name, value in bound.items())
        for outcome in execute(statement.body, source, scope.inner(bound), limit // total):
            where = f"{words}, {outcome.combination}" if outcome.combination else words
            yield outcome.replace(combination=where)


def _include(statement: nodes.Include, source: str, scope: Scope) -> Iterator[Outcome]:
    loader = scope.settings.loader
    try:
        if loader is None:
            raise Failure(Diagnostic("LC103", "include works in files only"))
        yield from loader(statement.path, scope)
    except Failure as failure:
        found = failure.diagnostic
        if not found.source:
            found = found.replace(source=source, labels=(Label(*statement.span),))
        yield Outcome(statement, error=found, source=source)


_EXECUTE: dict[type, Any] = {
    nodes.Evaluate: _evaluate,
    nodes.Let: _let,
    nodes.Assert: _assert,
    nodes.Assume: _assume,
}
