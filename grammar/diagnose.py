"""From an error of the algebra and the nodes of its operands to a diagnostic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laycalc.algebra.errors import LayoutError, Remark
from laycalc.diagnostics.codes import code_of
from laycalc.diagnostics.model import Diagnostic, Label

from . import nodes
from .locate import locate
from .values import text_of

__all__ = ["diagnose", "warn"]

# Which half of `shape:stride` the condition is about, left and right.
_PARTS = {
    "LC301": ("shape", "stride"),
    "LC302": ("shape", "shape"),
    "LC303": ("shape", "both"),
    "LC305": ("both", "both"),
    "LC306": ("stride", "both"),
    "LC307": ("stride", "both"),
    "LC404": ("stride", "both"),
    "LC401": ("shape", "both"),
    "LC402": ("shape", "both"),
}


def diagnose(
    error: LayoutError, source: str, node: nodes.Expression, operands: Sequence[nodes.Expression], values: Sequence[Any]
) -> Diagnostic:
    """The diagnostic of an error: both guilty modes labelled, the numbers as facts, a witness, what CUTLASS does, what works.

    ``operands`` and ``values`` are the left and right operand of ``node``, or the arguments of a call.
    """
    from .suggest import advise

    facts = _plain(error.facts)
    notes, witness, suggestions = advise(error, source, node, operands, values)
    return Diagnostic(
        code=error.code,
        name=code_of(error.code).name,
        message=str(error),
        source=source,
        labels=_labels(error.code, error.facts, node, operands),
        notes=notes,
        facts=facts,
        witness=witness,
        suggestions=suggestions,
    )


def warn(remark: Remark, source: str, node: nodes.Expression, operands: Sequence[nodes.Expression]) -> Diagnostic:
    """The diagnostic of a remark: a warning."""
    return Diagnostic(
        code=remark.code,
        name=code_of(remark.code).name,
        message=str(remark),
        source=source,
        labels=_labels(remark.code, remark.facts, node, operands),
        facts=_plain(remark.facts),
        severity="warning",
    )


def _labels(
    code: str, facts: dict[str, Any], node: nodes.Expression, operands: Sequence[nodes.Expression]
) -> tuple[Label, ...]:
    entry = code_of(code)
    left_part, right_part = _PARTS.get(code, ("both", "both"))
    found: list[Label] = []
    if "left_path" in facts and operands:
        _add(found, locate(operands[0], facts["left_path"], left_part), entry.label("left", facts))
    if len(operands) > 1:
        for path in facts.get("right_paths") or ([facts["right_path"]] if "right_path" in facts else []):
            _add(found, locate(operands[1], path, right_part), entry.label("right", facts))
    return tuple(found) or (Label(*node.span, ""),)


def _add(labels: list[Label], spans: list[nodes.Span], text: str) -> None:
    """A label a span; the text stands at the first only."""
    for i, span in enumerate(spans):
        if all((label.start, label.end) != span for label in labels):
            labels.append(Label(*span, text if i == 0 else ""))


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts as JSON can carry them."""
    return {key: _json(value) for key, value in facts.items()}


def _json(value: Any) -> Any:
    if isinstance(value, (bool, int, str)) or value is None:
        return value
    if isinstance(value, (list, tuple)):
        return [_json(v) for v in value]
    return text_of(value) if not isinstance(value, dict) else {k: _json(v) for k, v in value.items()}
