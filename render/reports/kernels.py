"""What a scan found, as a table for people and as plain data for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .json import SCHEMA

__all__ = ["Row", "scan_object", "table_text"]

WIDTH = 72
"""Characters of a value that the table shows."""


class Row(NamedTuple):
    """A line of the table."""

    line: int
    name: str
    value: str
    notes: str


def table_text(rows: Iterable[Row]) -> str:
    """Line, name, value and notes in columns."""
    shown = [Row(row.line, row.name, _cut(row.value), row.notes) for row in rows]
    names = max([len(row.name) for row in shown] + [4])
    values = max([len(row.value) for row in shown] + [5])
    head = f"{'line':<5} {'name':<{names}}  {'value':<{values}}  notes"
    lines = [f"{row.line:<5} {row.name:<{names}}  {row.value:<{values}}  {row.notes}".rstrip() for row in shown]
    return "\n".join((head.rstrip(), *lines))


def _cut(text: str) -> str:
    first = text.split("\n", 1)[0]
    return first if len(first) <= WIDTH else first[: WIDTH - 2] + ".."


def scan_object(files: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The one object of ``scan --json``."""
    return {"schema": SCHEMA, "files": list(files)}
