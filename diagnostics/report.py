"""What a check found: findings with their places, results a statement, the policy that says what counts, the tally."""

from __future__ import annotations

from dataclasses import dataclass

from laycalc.algebra.base.record import Record

from .model import Diagnostic
from .source import position


class Finding(Record):
    """A diagnostic and where it stands; lines and columns count characters from 1, the end is exclusive.

    ``line`` is 0 if the finding is about a file as a whole. ``case`` names the values of the loop variables.
    """

    diagnostic: Diagnostic
    file: str
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    case: str = ""


class Result(Record):
    """What one statement came to. ``counted`` says that it is a check: an assertion or an expression, not a binding."""

    file: str
    line: int
    text: str
    findings: tuple[Finding, ...] = ()
    counted: bool = True
    case: str = ""

    @property
    def failed(self) -> bool:
        """Is one of the findings an error?"""
        return any(f.diagnostic.severity == "error" for f in self.findings)


def finding(diagnostic: Diagnostic, file: str, case: str = "") -> Finding:
    """A diagnostic at the place that its source and labels tell; ``file`` is for one without a source."""
    source = diagnostic.source
    file = getattr(source, "file", "") or file
    if not diagnostic.labels:
        return Finding(diagnostic, file, case=case)
    start, end = diagnostic.span
    return Finding(diagnostic, file, *position(source, start), *position(source, end), case)


class Policy(Record):
    """Which warnings count: those denied are errors, those allowed are not reported; strict denies the others."""

    deny: frozenset[str] = frozenset()
    allow: frozenset[str] = frozenset()
    strict: bool = False

    def judge(self, diagnostic: Diagnostic) -> Diagnostic | None:
        """The diagnostic as this policy sees it, None if it is allowed."""
        if diagnostic.code in self.allow:
            return None
        if diagnostic.severity == "warning" and (self.strict or diagnostic.code in self.deny):
            return diagnostic.replace(severity="error")
        return diagnostic


@dataclass(slots=True)
class Tally:
    """The counts of a run and its exit code."""

    files: int = 0
    passed: int = 0
    failed: int = 0
    warnings: int = 0
    exit_code: int = 0

    def add(self, result: Result) -> None:
        """Count a result."""
        if result.failed:
            self.failed += 1
        elif result.counted:
            self.passed += 1
        for found in result.findings:
            if found.diagnostic.severity == "warning":
                self.warnings += 1
            self.exit_code = max(self.exit_code, found.diagnostic.exit_code)

    def __str__(self) -> str:
        files = f"{self.files} file{'' if self.files == 1 else 's'}"
        warnings = f", {self.warnings} warning{'' if self.warnings == 1 else 's'}" if self.warnings else ""
        return f"{files}{warnings}: {self.passed} passed, {self.failed} failed"
