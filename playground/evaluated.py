"""What a text comes to, statement by statement, with the table of its last layout."""

from __future__ import annotations

from itertools import islice
from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.diagnostics.model import Diagnostic
from laycalc.grammar.language.values import kind_of, text_of
from laycalc.grammar.run.repairs import repaired
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import Outcome
from laycalc.render.kinds.table import Sheet, table_of
from laycalc.render.reports.json import diagnostic_object
from laycalc.render.reports.measures import measures

from .question import Question

__all__ = ["evaluated"]

SHOWN = 200
"""Statements whose results a page shows; that there are more is said."""


def evaluated(question: Question) -> dict[str, Any]:
    """The results of all statements, and the table of the last layout."""
    scope = question.scope()
    outcomes = question.outcomes(scope)
    if not outcomes:
        empty = Diagnostic("LC101", "the expression is empty", question.text)
        return {"results": [{"error": diagnostic_object(empty), "warnings": [], "notes": []}], "more": 0}
    last = outcomes[-1]
    table = _table(last.value) if last.error is None and last.report is None else {}
    return {
        "results": [_result(outcome, question.text, scope) for outcome in islice(outcomes, SHOWN)],
        "more": max(0, len(outcomes) - SHOWN),
        **table,
    }


def _result(outcome: Outcome, text: str, scope: Scope) -> dict[str, Any]:
    """One statement: its value or its error."""
    found: dict[str, Any] = {
        "statement": _statement(outcome),
        "warnings": [_told(warning, outcome, text, scope) for warning in outcome.warnings],
        "notes": list(outcome.notes),
        "case": outcome.combination,
    }
    if outcome.error is not None:
        return found | {"error": _told(outcome.error, outcome, text, scope)}
    if outcome.report is not None:
        return found | {
            "value": str(outcome.report),
            "kind": kind_of(outcome.value),
            "report": outcome.report.as_json(),
        }
    lines = [line.strip() for line in measures(outcome.value)]
    return found | {"value": text_of(outcome.value), "kind": kind_of(outcome.value), "measures": lines}


def _told(diagnostic: Diagnostic, outcome: Outcome, text: str, scope: Scope) -> dict[str, Any]:
    """A diagnostic whose suggestions say what the whole text becomes: its other statements stay."""
    found = diagnostic_object(diagnostic)
    own = outcome.statement is not None and outcome.place is None and outcome.source == text
    start, end = outcome.statement.span if own and outcome.statement is not None else (0, len(text))
    if start > 0 or end < len(text):
        for suggestion, entry in zip(diagnostic.suggestions, found["suggestions"], strict=True):
            mended = repaired(text, (start, end), diagnostic, suggestion, scope)
            entry["text"] = None if mended is None else text[:start] + mended + text[end:]
    return found


def _statement(outcome: Outcome) -> str:
    """The text of a statement; that of a pasted form stands in no statement of its own."""
    if outcome.statement is None or outcome.place is not None:
        return ""
    return outcome.source[outcome.statement.span.start : outcome.statement.span.end]


def _table(value: Any) -> dict[str, Any]:
    """The offsets of a layout with its nested headers; nothing for other values, the reason where there is none."""
    if not isinstance(value, (Layout, Composed, Tensor)):
        return {}
    try:
        made = table_of(value)
    except LayoutError as error:
        return {"table": {"sheets": [], "note": str(error)}}
    return {"table": {"sheets": [_sheet(sheet) for sheet in made.sheets], "note": made.note}}


def _sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "title": sheet.title,
        "columns": [[list(span) for span in level] for level in reversed(sheet.column_axis.levels)],
        "rows": [[list(span) for span in level] for level in reversed(sheet.row_axis.levels)],
        "cells": [list(row) for row in sheet.cells],
    }
