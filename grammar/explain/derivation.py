"""The derivation of a value: the calls of an expression, each with the steps that its own code took.

The algebra records what it does (`laycalc.algebra.base.derivations`); here calls are put around the steps, and the
steps into words. Nothing is computed a second way: a step says which numbers were compared, and the words show them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from laycalc.algebra.base.derivations import Recorder, Step, recording
from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout
from laycalc.diagnostics.model import Diagnostic, Failure

from ..language.values import text_of
from ..run.context import Unbound
from ..run.evaluator import Evaluator
from ..run.scope import Scope
from ..run.statements import execute
from ..syntax import nodes
from ..syntax.parser import statements
from .sentences import narrate, simple_steps

__all__ = ["Derivation", "Line", "derive"]

# Relations that only compare.
_PLAIN = frozenset({"equal", "unequal", "at_least", "at_most_", "above", "below", "contains"})
# Literals and conversions, of which nothing is told.
_SILENT = frozenset({"Layout", "Tiler", "coerce", "concat", "of", "Swizzle", "attribute", "mode"})


class Line(Record):
    """One line of a derivation and what follows from it; ``rule`` and ``facts`` are for programs."""

    text: str
    rule: str = ""
    facts: dict[str, Any] = {}  # noqa: RUF012 - a record shares its defaults and never changes them
    lines: tuple[Line, ...] = ()


class Derivation(Record):
    """What one statement came to, and how; ``call`` is its last operation with the operands."""

    text: str
    value: str = ""
    lines: tuple[Line, ...] = ()
    error: Diagnostic | None = None
    warnings: tuple[Diagnostic, ...] = ()
    call: tuple[str, tuple[Any, ...]] = ("", ())


def derive(text: str, scope: Scope | None = None) -> Iterator[Derivation]:
    """The derivation of each statement of a text; a failing one shows how far it got."""
    scope = Scope() if scope is None else scope
    # Comparing values is no step of a derivation.
    scope = Scope(scope.settings.replace(verify=0), scope.names, scope.outer, scope.facts)
    for item in statements(text):
        if isinstance(item, Diagnostic):
            yield Derivation("", error=item)
        elif isinstance(item, nodes.Assume):
            outcome = next(execute(item, text, scope))
            yield Derivation(text[item.span.start : item.span.end], error=outcome.error)
        else:
            yield _statement(item, text, scope)


def _statement(statement: nodes.Statement, source: str, scope: Scope) -> Derivation:
    text = source[statement.span.start : statement.span.end]
    value, error = "", None
    with recording() as trace:
        explainer = _Explainer(source, scope, trace)
        try:
            node = getattr(statement, "value", None)
            if not isinstance(node, nodes.Expression):
                raise explainer.fail("LC103", "only expressions, bindings and assertions are explained", statement)
            found = explainer.value(node)
            if isinstance(statement, nodes.Let):
                scope.names[statement.name] = found
            value, error = text_of(found), getattr(found, "diagnostic", None)
        except Unbound:
            return _with_unknowns(statement, text, source, scope)
        except Failure as failure:
            error = failure.diagnostic
    lines = tuple(_lines(trace.steps))
    if isinstance(statement, nodes.Let) and not lines:
        value = ""
    # The whole expression is the title already.
    if len(lines) == 1 and lines[0].facts.get("text") == text and lines[0].lines:
        lines = lines[0].lines
    calls = [step for step in trace.steps if step.rule == "call"]
    call = (calls[-1].facts["name"], calls[-1].facts["arguments"]) if calls else ("", ())
    return Derivation(text, value, lines, error, tuple(explainer.warnings), call)


def _with_unknowns(statement: nodes.Statement, text: str, source: str, scope: Scope) -> Derivation:
    """An expression with unknowns has a case for each answer to what was asked about them, and no single derivation."""
    outcome = next(execute(statement, source, scope))
    error = outcome.error
    lines = tuple(Line(line, "case") for line in str(outcome.report or "").splitlines())
    return Derivation(text, "", lines, error, outcome.warnings)


class _Explainer(Evaluator):
    """An evaluator that puts a step around each call."""

    def __init__(self, source: str, scope: Scope, trace: Recorder) -> None:
        super().__init__(source, scope)
        self.trace = trace

    def apply(
        self,
        function: Callable[..., Any],
        node: nodes.Expression,
        operands: Sequence[nodes.Expression],
        values: Sequence[Any],
        arguments: Sequence[Any] | None = None,
        **keywords: Any,
    ) -> Any:
        name = getattr(function, "__name__", "")
        if name in _SILENT or isinstance(node, nodes.Pair):
            return super().apply(function, node, operands, values, arguments, **keywords)
        given = values if arguments is None else arguments
        text = self.source[node.span.start : node.span.end]
        with self.trace.section("call", name=name, text=text, arguments=tuple(given)) as step:
            result = super().apply(function, node, operands, values, arguments, **keywords)
            step.facts["value"] = result
            if not step.steps:
                step.steps += simple_steps(name, given, result)
            return result


def _lines(steps: Sequence[Step]) -> list[Line]:
    """Steps in words; what a section computes only to spell its result is left out."""
    found: list[Line] = []
    for step in _grouped(steps):
        inner = tuple(_lines(_relevant(step)))
        if step.rule == "call" and not inner and step.facts["name"] in _PLAIN:
            continue
        facts = {key: _json(value) for key, value in step.facts.items()}
        text, detail = narrate(step)
        implied = tuple(Line(words, rule) for rule, words in detail)
        found.append(Line(text, step.rule, facts, (*implied, *inner)))
    return found


def _grouped(steps: Sequence[Step]) -> list[Step]:
    """What a leaf takes goes below the leaf, and the blocks of a complement below a step of their own."""
    found: list[Step] = []
    inside = any(step.rule in ("cover", "free") for step in steps)
    for step in steps:
        last = found[-1] if found else None
        if step.rule in ("skip", "take") and last is not None and last.rule == "leaf":
            last.steps.append(step)
        elif inside and step.rule in ("gap", "tail"):
            if last is None or last.rule != "complement":
                last = Step("complement", {"of": "B" if any(s.rule == "cover" for s in steps) else "A"})
                found.append(last)
            last.steps.append(step)
        else:
            # The recorded steps stay as they are.
            found.append(Step(step.rule, step.facts, list(step.steps)))
    return found


def _relevant(step: Step) -> list[Step]:
    if step.rule == "product":
        # A* cut to size and composed again gives the customary spelling, and the same function.
        composed = next((i for i, inner in enumerate(step.steps) if inner.rule == "composition"), len(step.steps))
        return step.steps[: composed + 1]
    if step.rule == "call" and len(step.steps) == 1 and step.steps[0].rule in ("composition", "divide", "product"):
        # One operation on the operands as they are written.
        only = step.steps[0]
        if only.facts.get("left") == str(step.facts["arguments"][0]):
            return _relevant(only)
    return step.steps


def _json(value: Any) -> Any:
    """A fact as JSON can carry it."""
    if isinstance(value, (bool, int, str)) or value is None:
        return value
    if isinstance(value, (list, tuple)):
        return [_json(v) for v in value]
    return str(value) if isinstance(value, Layout) else text_of(value)
