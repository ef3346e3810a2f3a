"""Results and diagnostics as plain dicts for JSON; ``schema`` is 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laycalc.diagnostics.model import Diagnostic

__all__ = ["SCHEMA", "diagnostic_object", "result_object"]

SCHEMA = 1


def diagnostic_object(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic with labels as character offsets into the expression."""
    found: dict[str, Any] = {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "labels": [{"start": x.start, "end": x.end, "text": x.text} for x in diagnostic.labels],
        "facts": dict(diagnostic.facts),
    }
    if diagnostic.witness:
        found["witness"] = diagnostic.witness
    if diagnostic.notes:
        found["notes"] = list(diagnostic.notes)
    found["suggestions"] = [{"expr": s.expr, "value": s.value, "change": s.change} for s in diagnostic.suggestions]
    return found


def result_object(
    expr: str, kind: str, value: str, error: Diagnostic | None, warnings: Sequence[Diagnostic], **extra: Any
) -> dict[str, Any]:
    """One evaluated expression."""
    found: dict[str, Any] = {"schema": SCHEMA, "expr": expr, "ok": error is None}
    if error is None:
        found |= {"kind": kind, "value": value, "warnings": [diagnostic_object(w) for w in warnings]}
    else:
        found |= {"error": diagnostic_object(error), "warnings": [diagnostic_object(w) for w in warnings]}
    return found | {key: value for key, value in extra.items() if value}
