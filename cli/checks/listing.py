"""What a scan found, as rows of a table and as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from laycalc.diagnostics.report import Policy
from laycalc.grammar.source.notes import data_of, in_words, kind_in_words, remarks, text_in_full
from laycalc.grammar.source.scan import is_layout
from laycalc.render.reports.json import finding_object
from laycalc.render.reports.kernels import Row

from .kernels import Case, findings_of

__all__ = ["counted", "objects_of", "rows_of"]


def rows_of(cases: list[Case], everything: bool) -> list[Row]:
    """The lines of the table of one file; what differs between the cases of a sweep has a line for each value."""
    found: dict[Row, list[str]] = {}
    for case in cases:
        for row in _rows(case, everything):
            found.setdefault(row, []).append(case.words)
    rows = []
    for row, words in found.items():
        where = "" if len(words) == len(cases) else "; ".join(dict.fromkeys(words))
        rows.append(row._replace(notes=", ".join(filter(None, (where, row.notes)))))
    return sorted(rows, key=lambda row: row.line)


def _rows(case: Case, everything: bool) -> Iterable[Row]:
    for found in case.scanned.values:
        if everything or is_layout(found.value):
            yield Row(found.line, found.name, in_words(found.outcome), "; ".join(remarks(found)))
    for piece in case.scanned.unread:
        yield Row(piece.line, piece.name or piece.text, piece.reason, "not read")


def counted(cases: list[Case]) -> str:
    """``71 of 83 layouts read``, of all cases of a sweep together."""
    read = sum(case.scanned.layouts for case in cases)
    unread = sum(len(case.scanned.unread) for case in cases)
    return f"{read} of {read + unread} layouts read"


def objects_of(cases: list[Case], policy: Policy) -> list[dict[str, Any]]:
    """An object a file and case: ``file``, ``values``, ``unread``, ``findings``; ``case`` in a sweep."""
    found = []
    for case in cases:
        scanned = case.scanned
        values = [
            {
                "name": each.name,
                "line": each.line,
                "kind": kind_in_words(each.outcome),
                "value": text_in_full(each.outcome),
                "data": data_of(each.outcome),
            }
            for each in scanned.values
        ]
        unread = [{"line": piece.line, "text": piece.text, "reason": piece.reason} for piece in scanned.unread]
        findings = [finding_object(each) for each in findings_of(case, policy)]
        head = {"file": scanned.file} | ({"case": case.words} if case.words else {})
        found.append({**head, "values": values, "unread": unread, "findings": findings})
    return found
