"""Results and diagnostics as plain dicts for JSON; ``schema`` is 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

from laycalc.diagnostics.source import position

from .visible import visible_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laycalc.diagnostics.model import Diagnostic
    from laycalc.diagnostics.report import Finding, Result, Tally

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


def finding_object(found: Finding) -> dict[str, Any]:
    """A finding of a check: a diagnostic with its place in a file."""
    place: dict[str, Any] = {"file": found.file}
    if found.line:
        place |= {
            "line": found.line,
            "column": found.column,
            "end_line": found.end_line,
            "end_column": found.end_column,
        }
    if found.case:
        place["case"] = found.case
    source = found.diagnostic.source
    labels = []
    for label in found.diagnostic.labels:
        (line, column), (end_line, end_column) = position(source, label.start), position(source, label.end)
        labels.append(
            {"line": line, "column": column, "end_line": end_line, "end_column": end_column, "text": label.text}
        )
    return place | diagnostic_object(found.diagnostic) | {"labels": labels}


class CheckReport:
    """``{"schema": 1, "findings": [...], "summary": {...}}``, written finding by finding."""

    summary = False

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.count = 0
        from json import dumps  # slow to import, and not needed for text

        self.dumps = dumps
        stream.write(f'{{"schema": {SCHEMA}, "findings": [')

    def add(self, result: Result) -> None:
        for found in result.findings:
            text = self.dumps(finding_object(found), ensure_ascii=False)
            self.stream.write((",\n" if self.count else "\n") + visible_json(text))
            self.count += 1

    def end(self, tally: Tally, quiet: bool = False) -> None:
        summary = {name: getattr(tally, name) for name in ("files", "passed", "failed", "warnings", "exit_code")}
        self.stream.write(f'\n], "summary": {self.dumps(summary)}}}\n')
