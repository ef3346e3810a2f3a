"""The one diagnostic type, shared by the evaluator that fills it and the renderers that show it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from laycalc.algebra.record import Record

__all__ = ["Diagnostic", "Failure", "Label", "Suggestion"]


class Label(Record):
    """A remark about ``source[start:end]`` (character offsets, half open)."""

    start: int
    end: int
    text: str = ""


class Suggestion(Record):
    """An expression that works, with its value as text; ``change`` says in words what differs."""

    expr: str
    value: str = ""
    change: str = ""


class Diagnostic(Record):
    """One finding.

    ``code`` is stable (``LC301``), ``name`` its slug; ``labels`` point into ``source``; ``facts`` holds the
    numbers behind ``message``; ``witness`` is a coordinate where the claim fails, in words.
    """

    code: str
    name: str
    message: str
    source: str = ""
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = MappingProxyType({})
    witness: str = ""
    suggestions: tuple[Suggestion, ...] = ()
    severity: str = "error"

    @property
    def exit_code(self) -> int:
        """0 for a warning; else 1 for a finding, 2 for bad text, 3 for our own fault."""
        if self.severity == "warning":
            return 0
        return {"LC1": 2, "LC9": 3}.get(self.code[:3], 1)


class Failure(Exception):
    """Carries a `Diagnostic` up to whoever shows it."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
