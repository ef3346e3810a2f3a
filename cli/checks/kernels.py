"""Scans for the command line: the files of paths, the combinations of swept names, results as a check has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.diagnostics.report import Finding, Policy, Result, finding
from laycalc.grammar.source.project import Project
from laycalc.grammar.source.scan import Scanned

from ..streams.inputs import scope_of
from ..streams.kernels import bindings, refuse_unused, source_text
from .sources import CPP, files_of, suffix_of

if TYPE_CHECKING:
    from laycalc.grammar.source.values import Found

__all__ = ["Case", "for_the_language", "results_of", "scans_of", "source_files"]

SUFFIXES = frozenset({*CPP, ".py"})
COMBINATIONS = 256
"""Combinations of swept names."""
_SET = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"(\d+)\s*\.\.\s*(\d+)(?:\s*:\s*(\d+))?")


class Case(Record):
    """The scan of a file with the values of the swept names in words, nothing without a sweep."""

    words: str
    scanned: Scanned


def source_files(paths: Iterable[str], exclude: Iterable[str] = ()) -> list[str]:
    """The files of C++, CUDA and Python: those named, and those in the directories that are named."""
    named = list(paths)
    found = [path for path in files_of(named, exclude) if suffix_of(path) in SUFFIXES or path in named]
    return list(dict.fromkeys(found))


def scans_of(paths: Sequence[str], define: Iterable[str], *, strict: bool = True) -> Iterator[Case]:
    """The scans of files at every combination of the swept names; LC103 for a name that nothing asks for, if
    ``strict``.
    """
    texts = {path: source_text(path) for path in paths}
    swept = [(name, _values(text)) for name, text in bindings(define)]
    total = prod(len(values) for _, values in swept)
    if total > COMBINATIONS:
        raise Failure(Diagnostic("LC104", f"a sweep over {total:,} combinations; the limit is {COMBINATIONS}"))
    many = [name for name, values in swept if len(values) > 1]
    for combination in product(*(values for _, values in swept)):
        given = list(zip((name for name, _ in swept), combination, strict=True))
        words = ", ".join(f"{name} = {value}" for name, value in given if name in many)
        project = Project(texts, given)
        scans = [project.scan(path) for path in paths]
        if strict:
            refuse_unused(project)
        for scanned in scans:
            yield Case(words, scanned)


def for_the_language(define: Iterable[str]) -> tuple[str, ...]:
    """The definitions that the language itself can read; the others are types and sweeps of a scan."""
    found = []
    for text in define:
        value = text.partition("=")[2].strip()
        if _SET.fullmatch(value) or _RANGE.fullmatch(value):
            continue
        try:
            scope_of([text])
        except Failure:
            continue
        found.append(text)
    return tuple(found)


def _values(text: str) -> list[str]:
    """The values of a definition: ``{64,96}`` and ``64..256:64`` have several."""
    if found := _SET.fullmatch(text):
        values = [part.strip() for part in found[1].split(",") if part.strip()]
        if values:
            return values
    if found := _RANGE.fullmatch(text):
        first, last, step = int(found[1]), int(found[2]), int(found[3] or 1)
        count = len(range(first, last + 1, step)) if step else 0
        if 0 < count <= COMBINATIONS:
            return [str(n) for n in range(first, last + 1, step)]
        raise Failure(Diagnostic("LC104" if count else "LC103", f"{text} has {count:,} values"))
    return [text]


def results_of(case: Case, policy: Policy) -> Iterator[Result]:
    """The findings of a scan at their places, and a result for each layout that was read."""
    scanned = case.scanned
    for found in findings_of(case, policy):
        yield Result(scanned.file, found.line, "", (found,), counted=False, case=case.words)
    for value in scanned.values:
        yield Result(scanned.file, value.line, _told(value), counted=True, case=case.words)


def findings_of(case: Case, policy: Policy) -> Iterator[Finding]:
    """The findings that a policy lets through."""
    for diagnostic in case.scanned.findings:
        judged = policy.judge(diagnostic)
        if judged is not None:
            yield finding(judged, case.scanned.file, case.words)


def _told(found: Found) -> str:
    return found.name
