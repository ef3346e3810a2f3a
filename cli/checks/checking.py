"""Runs the statements of files and says what each came to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Diagnostic, Failure, Label, our_fault
from laycalc.diagnostics.report import Finding, Policy, Result, finding
from laycalc.diagnostics.source import Source, position
from laycalc.grammar.forms import recognise
from laycalc.grammar.language.values import Verdict
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import Outcome, execute, run_reading
from laycalc.grammar.syntax import nodes
from laycalc.grammar.syntax.parser import statements

from ..streams.inputs import scope_of
from .sources import SUFFIXES, apart, suffix_of, windows
from .tree import included, root_of

__all__ = ["INCLUDES", "Job", "check_file"]

INCLUDES = 1000
"""Files that one file may include, directly and through others."""
COMBINATIONS = 1 << 20
"""Outcomes of one statement: the combinations of a loop, the statements of an included file."""
SHOWN = 120
"""Characters of a statement that a report repeats."""

Progress = Callable[[int], None]


class Job(Record):
    """What is the same for every file of a check; ``listing`` wants the text and line of checks that pass, too."""

    definitions: tuple[str, ...] = ()
    policy: Policy = Policy()
    verify: int = 256
    listing: bool = False


def check_file(file: str, job: Job, progress: Progress = lambda count: None) -> Iterator[Result]:
    """The results of one file, one a statement and combination of loop variables."""
    told = file == "-" or suffix_of(file) in SUFFIXES
    try:
        scope = scope_of(job.definitions, verify=job.verify, strict=job.policy.strict)
        for outcome in _File(file, scope, progress).outcomes():
            if not told and outcome.error is not None and outcome.error.code == "LC101":
                outcome, told = outcome.replace(error=_with_endings(outcome.error, file)), True
            yield _result(outcome, file, job)
    except Failure as failure:
        error = failure.diagnostic
        error = error if told or error.code != "LC101" else _with_endings(error, file)
        yield Result(file, 0, "", (finding(error, file),), counted=False)


def _with_endings(error: Diagnostic, file: str) -> Diagnostic:
    """The error of a file that is perhaps no layout text, with the endings of the files that may hold some."""
    ending = f"with the ending {suffix_of(file)}" if suffix_of(file) else "without an ending"
    known = ", ".join(SUFFIXES)
    return error.replace(message=f"{error.message}; a file {ending} is read as layout text, known endings are {known}")


class _File:
    """A file and what it includes: the chain of files that are open, and how many were opened."""

    def __init__(self, file: str, scope: Scope, progress: Progress) -> None:
        self.file = file
        self.scope = scope
        self.progress = progress
        self.root = root_of(file)
        self.included = 0

    def outcomes(self) -> Iterator[Outcome]:
        yield from self._run(self.file, (), self.scope)

    def _run(self, file: str, chain: tuple[str, ...], scope: Scope) -> Iterator[Outcome]:
        chain = (*chain, file)

        def load(path: str, scope: Scope) -> Iterator[Outcome]:
            return self._include(included(path, file, self.root), chain, scope)

        # The names of an included file belong to the file that includes it; only its folder differs.
        inner = Scope(scope.settings.replace(loader=load), scope.names, scope.outer, scope.facts)
        doubts: list[Diagnostic] = []
        for text in windows(file, self.progress if len(chain) == 1 else lambda count: None, doubts.append):
            yield from (Outcome(None, warnings=(d,), source=d.source) for d in doubts)
            doubts.clear()
            yield from _executed(text, inner)
        scope.facts = inner.facts

    def _include(self, path: str, chain: tuple[str, ...], scope: Scope) -> Iterator[Outcome]:
        self.included += 1
        if any(os.path.realpath(path) == os.path.realpath(open_) for open_ in chain):
            way = " -> ".join((*chain, path))
            raise Failure(Diagnostic("LC103", f"{path} includes itself: {way}"))
        if self.included > INCLUDES:
            raise Failure(Diagnostic("LC104", f"more than {INCLUDES} files are included"))
        try:
            yield from self._run(path, chain, scope)
        except Failure as failure:
            # Seen from the include line, which is where somebody can mend it.
            raise Failure(failure.diagnostic.replace(source="")) from None


def _executed(text: Source, scope: Scope) -> Iterator[Outcome]:
    """The outcomes of a part of a file, whose foreign pieces are read as they are everywhere."""
    try:
        reading = recognise(text)
    except Failure as failure:
        yield from _unreadable(text, scope, failure.diagnostic)
        return
    if reading is None:
        yield from _plain(text, scope)
    else:
        for outcome in _guarded(run_reading(reading, scope), Label(0, len(text)), text):
            yield _told(outcome, text)


def _plain(text: Source, scope: Scope) -> Iterator[Outcome]:
    for item in statements(text):
        if isinstance(item, Diagnostic):
            yield Outcome(None, error=item, source=text)
        else:
            yield from _guarded(execute(item, text, scope), Label(*item.span), text, item)


def _unreadable(text: Source, scope: Scope, why: Diagnostic) -> Iterator[Outcome]:
    """The outcomes of a text that looks foreign and cannot be read so."""
    if not any(isinstance(item, Diagnostic) for item in statements(text)):
        yield from _plain(text, scope)  # what looked foreign stands in a comment
        return
    parts = list(apart(text))
    if len(parts) == 1:
        yield Outcome(None, error=_placed(why, text), source=text)
        return
    # One piece that cannot be read leaves the others their answers.
    for part in parts:
        yield from _executed(part, scope)


def _told(outcome: Outcome, text: Source) -> Outcome:
    """An outcome of a foreign text with its file and line; what was said about the reading goes with what is found."""
    if isinstance(outcome.source, Source) and outcome.source.file != text.file:
        return outcome
    error = None if outcome.error is None else _placed(outcome.error, text, outcome.notes)
    warnings = tuple(_placed(warning, text, outcome.notes) for warning in outcome.warnings)
    return outcome.replace(error=error, warnings=warnings, source=text)


def _placed(diagnostic: Diagnostic, text: Source, notes: tuple[str, ...] = ()) -> Diagnostic:
    """A diagnostic about a text, or about a piece of it, as one about the place in the file."""
    start = text.find(diagnostic.source) if diagnostic.source else -1
    labels = tuple(Label(x.start + start, x.end + start, x.text) for x in diagnostic.labels) if start >= 0 else ()
    found = diagnostic.replace(source=text, labels=labels or (Label(0, len(text.rstrip())),))
    return found.replace(notes=(*notes, *found.notes)) if notes else found


def _guarded(
    outcomes: Iterator[Outcome], place: Label, source: str, statement: nodes.Statement | None = None
) -> Iterator[Outcome]:
    """The outcomes of a statement, not too many; our own failure is a finding and does not stop the rest."""
    try:
        for count, outcome in enumerate(outcomes):
            if count == COMBINATIONS:
                label = Label(place.start, place.end, f"the first {COMBINATIONS:,} were checked")
                message = f"a loop has more than {COMBINATIONS:,} combinations"
                yield Outcome(statement, error=Diagnostic("LC104", message, source, (label,)), source=source)
                return
            yield outcome
    except (Failure, GeneratorExit):
        raise
    except Exception as error:
        if os.environ.get("LAYCALC_DEBUG"):
            raise
        yield Outcome(statement, error=our_fault(error, source, (Label(place.start, place.end),)), source=source)


def _result(outcome: Outcome, file: str, job: Job) -> Result:
    findings = tuple(_findings(outcome, file, job.policy))
    counted = isinstance(outcome.statement, (nodes.Assert, nodes.Evaluate))
    if not findings and not job.listing:
        # Most checks pass, and finding their lines would cost more than all the rest here.
        return Result(file, 0, "", (), counted)
    file, statement = getattr(outcome.source, "file", file), outcome.statement
    if statement is None:
        line = findings[0].line if findings else 0
        return Result(file, line, "", findings, counted=False, case=outcome.combination)
    start, end = outcome.place or statement.span
    line, _ = position(outcome.source, start)
    text = " ".join(outcome.source[start:end].split())
    text = text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
    return Result(file, line, text, findings, counted, outcome.combination)


def _findings(outcome: Outcome, file: str, policy: Policy) -> Iterator[Finding]:
    """The error and the warnings of an outcome, as far as the policy reports them."""
    error = outcome.error
    if error is None and outcome.finding is not None and outcome.finding.code != "LC504":
        # A plain line with unknowns is clean if it holds for all of them; where the search gave up there is a warning.
        error = outcome.finding
    if error is None and isinstance(outcome.statement, nodes.Evaluate):
        error = _unasserted(outcome.statement, outcome)
    for diagnostic in (*outcome.warnings, *([error] if error is not None else [])):
        judged = policy.judge(diagnostic)
        if judged is not None:
            yield finding(judged, file, outcome.combination)


def _unasserted(statement: nodes.Evaluate, outcome: Outcome) -> Diagnostic | None:
    """The warning that a plain line is false: whoever wrote it most likely meant to assert it."""
    node, value = statement.value, outcome.value
    if outcome.report is not None or not isinstance(value, (bool, Verdict)) or value or isinstance(node, nodes.Truth):
        return None
    what = "predicate" if isinstance(node, nodes.Call) else "relation"
    message = f"a {what} that is false and not asserted; write assert"
    labels = (Label(*node.span, "this is false"),)
    return Diagnostic("LC501", message, outcome.source, labels, severity="warning")
