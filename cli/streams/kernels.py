"""Kernels as input: the text of their files, the names that -D binds in them, and ``FILE:NAME`` as an expression."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import Outcome
from laycalc.grammar.syntax import nodes

from .inputs import file_and_name, reading

if TYPE_CHECKING:
    from laycalc.grammar.source.project import Project

__all__ = ["LIMIT", "bindings", "outcome_of", "refuse_unused", "source_text", "value_in"]

LIMIT = 1 << 26
"""A file of more bytes than this is refused."""


_NEXT = re.compile(r"\s*,\s*(?=\w+\s*=[^=])")
"""Where a second NAME=VALUE begins in the text of one -D, if no bracket is open there."""


def source_text(path: str) -> str:
    """The text of a source file; what is no UTF-8 in it is replaced."""
    with reading(path) as file:
        data = file.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise Failure(Diagnostic("LC104", f"{path} has more than {LIMIT:,} bytes"))
    return data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")


def bindings(definitions: Iterable[str]) -> list[tuple[str, str]]:
    """The names of ``NAME=TEXT`` with their texts, which the language of the file reads."""
    found = []
    for text in definitions:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise Failure(Diagnostic("LC103", f"-D wants NAME=VALUE, not {text}"))
        each = _NEXT.split(text)
        if len(each) > 1 and all(each[0].count(a) == each[0].count(b) for a, b in ("()", "[]", "{}", "<>")):
            raise Failure(Diagnostic("LC103", f"-D binds one name: {' '.join(f'-D {one}' for one in each)}"))
        found.append((name.strip(), value.strip()))
    return found


def outcome_of(text: str, scope: Scope) -> Outcome:
    """What ``FILE:NAME`` comes to with the definitions of the scope."""
    from laycalc.grammar.source.project import Project

    found = file_and_name(text)
    if found is None:
        raise Failure(Diagnostic("LC103", f"{text} names no file"))
    path, name = found
    project = Project({path: source_text(path)}, bindings(scope.settings.given), scope.settings.verify)
    outcome = project.value(path, name)
    refuse_unused(project)
    span = nodes.Span(0, len(text))
    statement = nodes.Evaluate(span, nodes.Name(span, name))
    notes = tuple(sorted(outcome.assumed))
    return Outcome(
        statement, outcome.value, outcome.failure, outcome.warnings, source=text, notes=notes, report=outcome.report,
        finding=outcome.finding,
    )  # fmt: skip


def value_in(text: str, scope: Scope) -> Outcome:
    """The outcome of ``FILE:NAME`` if it has a value; its failure is raised, LC106 if it has several cases."""
    outcome = outcome_of(text, scope)
    if outcome.error is not None:
        raise Failure(outcome.error)
    report = outcome.report
    if report is None:
        return outcome
    if report.verdict != "proven":
        names = ", ".join(report.symbols)
        raise Failure(Diagnostic("LC106", f"{text} depends on {names}; -D gives names their values"))
    return outcome.replace(value=report.value)


def refuse_unused(project: Project) -> None:
    """LC103 for a name of -D that nothing asks for."""
    unused = project.unused()
    if unused:
        files = ", ".join(project.files)
        raise Failure(Diagnostic("LC103", f"-D {unused[0]}: nothing in {files} asks for this name"))
