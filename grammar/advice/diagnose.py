"""From an error of the algebra and the call that met it to a diagnostic about the source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from laycalc.algebra.base.errors import LayoutError, Remark
from laycalc.diagnostics.codes import code_of
from laycalc.diagnostics.model import Advice, Diagnostic, Label

from ..language.values import text_of
from ..syntax import nodes
from .edits import Case
from .labelled_modes import Guilty, guilty
from .locate import at_mode, places

__all__ = ["diagnose", "warn"]


def diagnose(
    error: LayoutError,
    source: str,
    node: nodes.Expression,
    operands: Sequence[nodes.Expression],
    arguments: Sequence[Any],
    function: Callable[..., Any],
) -> Diagnostic:
    """The diagnostic of an error: the guilty modes labelled, the numbers as facts, advice on demand.

    ``function(*arguments)`` is the call that failed, written ``node``; ``operands`` are the nodes of its arguments.
    """
    case = Case(error.code, error.facts, source, node, operands, arguments, function)
    return _diagnostic(str(error), case)


def warn(
    remark: Remark,
    source: str,
    node: nodes.Expression,
    operands: Sequence[nodes.Expression],
    arguments: Sequence[Any],
    function: Callable[..., Any],
) -> Diagnostic:
    """The diagnostic of a remark: a warning."""
    case = Case(remark.code, remark.facts, source, node, operands, arguments, function)
    return _diagnostic(str(remark), case)


def _diagnostic(message: str, case: Case) -> Diagnostic:
    def advice() -> Advice:
        from .suggest import advise

        return advise(case)

    return Diagnostic(
        code=case.code,
        message=message,
        source=case.source,
        labels=_labels(case),
        facts={key: _json(value) for key, value in case.facts.items()},
        advice=None if case.code.startswith(("LC1", "LC9")) else advice,
    )


def _labels(case: Case) -> tuple[Label, ...]:
    found: list[Label] = []
    written = case.written
    for mode in guilty(case.code, case.facts, case.name, case.arguments):
        if mode.operand < len(written):
            _add(found, written[mode.operand], case.arguments[mode.operand], mode, case)
    return tuple(found) or (
        Label(*case.node.span, "reaches {reach}".format(**case.facts) if case.code == "LC405" else ""),
    )


def _add(labels: list[Label], node: nodes.Expression, value: Any, mode: Guilty, case: Case) -> None:
    """A label a place; the remark stands at the first only."""
    entry = code_of(case.code)
    for i, place in enumerate(places(node, value, mode.path, mode.part)):
        if all((label.start, label.end) != place.span for label in labels):
            this = "" if place.whole else _named(value, mode.path)
            text = (
                f"{this}: {mode.text}" if this and mode.text else mode.text or entry.label(mode.side, case.facts, this)
            )
            if mode.side == "right" and case.facts.get("in_rest"):
                text = f"in its complement, {text}"
            labels.append(Label(*place.span, text if i == 0 else ""))


def _named(value: Any, path: tuple[int, ...]) -> str:
    """A mode that is not written out, in words: ``mode 1, 6:3,``."""
    found = at_mode(value, path)
    if not path or found is None:
        return f"{text_of(value)}"
    return f"mode {'.'.join(map(str, path))}, {text_of(found)}"


def _json(value: Any) -> Any:
    """A fact as JSON can carry it."""
    if isinstance(value, (bool, int, str)) or value is None:
        return value
    if isinstance(value, (list, tuple)):
        return [_json(v) for v in value]
    return text_of(value) if not isinstance(value, dict) else {k: _json(v) for k, v in value.items()}
