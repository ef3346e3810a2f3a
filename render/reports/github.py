"""Findings as workflow commands, which GitHub Actions shows beside the changed lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from .told import told

if TYPE_CHECKING:
    from laycalc.diagnostics.report import Finding, Result, Tally


class CheckReport:
    """One command a finding; the message says how to go on."""

    summary = True

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def add(self, result: Result) -> None:
        for found in result.findings:
            self.stream.write(annotation(found) + "\n")

    def end(self, tally: Tally, quiet: bool = False) -> None:
        if not quiet:
            self.stream.write(f"{tally}\n")


def annotation(found: Finding) -> str:
    """``::error file=tiles.layout,line=3,...::message``."""
    diagnostic = found.diagnostic
    where = {"file": found.file.replace("\\", "/")}
    if found.line:
        where |= {"line": str(found.line), "endLine": str(found.end_line), "col": str(found.column)}
        if found.end_line == found.line:
            # GitHub wants end columns on one line only.
            where["endColumn"] = str(max(found.end_column, found.column))
    where["title"] = f"{diagnostic.code} {diagnostic.name}"
    properties = ",".join(f"{key}={_property(value)}" for key, value in where.items())
    return f"::{diagnostic.severity} {properties}::{_data(chr(10).join(told(found)))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
