"""What reading a foreign text gives: the same layout in the language, and what was seen beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, NamedTuple

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Diagnostic, Failure, Label, Suggestion

from ...syntax.lexer import Foreign

__all__ = [
    "RANK_LIMIT", "Reading", "Segment", "about", "argument_error", "bad", "cannot", "leaf_text", "limit", "needs",
    "refused",
]  # fmt: skip


RANK_LIMIT = 64
"""Dimensions of an array."""


class Segment(NamedTuple):
    """``expression[start:end]`` stands for ``source[source_start:source_end]``."""

    start: int
    end: int
    source_start: int
    source_end: int


class Reading(Record):
    """A foreign text, read.

    ``expression`` is canonical text of the language and all that an evaluator needs; ``value`` is its value where the
    reader had to compute it. ``notes`` say what was converted or dropped, in sentences; ``titles`` are axis titles by
    path of the mode; ``named`` are the further layouts of a dump; ``facts`` are numbers for --json: ``element_bits``,
    ``shape``, ``logical``, ``padding``, ``direction``, ``lost``. ``segments`` map the expression to the source.
    ``foreign`` has the nodes of the pieces that were read, by where they stand in the expression: it is parsed around
    them.
    """

    form: str
    expression: str
    notes: tuple[str, ...] = ()
    titles: tuple[tuple[tuple[int, ...], str], ...] = ()
    named: tuple[tuple[str, str], ...] = ()
    facts: Mapping[str, Any] = MappingProxyType({})
    value: Any = None
    source: str = ""
    segments: tuple[Segment, ...] = ()
    foreign: Mapping[int, Foreign] = MappingProxyType({})

    @property
    def divisors(self) -> tuple[int, ...]:
        """The known divisor of each unknown number ``?`` in the expression, in their order; 1 where none is known."""
        return tuple(int(n or 1) for n in re.findall(r"\?(?:\{div=([0-9]+)\})?", self.expression))

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """Where in the source a range of the expression comes from; the whole source if that is not known."""
        first = _smallest(self.segments, start, max(end, start + 1))
        if first is not None:
            return first
        inside = [s for s in self.segments if s.start < max(end, start + 1) and start < s.end]
        if not inside:
            return 0, len(self.source)
        copied = [s.end - s.start == s.source_end - s.source_start for s in inside]
        starts = [s.source_start + max(0, start - s.start) * same for s, same in zip(inside, copied, strict=True)]
        ends = [s.source_end - max(0, s.end - end) * same for s, same in zip(inside, copied, strict=True)]
        return min(starts), max(ends)

    def relocate(self, diagnostic: Diagnostic, span: tuple[int, int] | None = None) -> Diagnostic:
        """A diagnostic about the expression, or about the statement at ``span`` of it, as one about the source."""
        if diagnostic.source == self.source != self.expression:
            return diagnostic  # a reader says why it could not read a piece
        labels = tuple(Label(*self.locate(label.start, label.end), label.text) for label in diagnostic.labels)
        said, written = self.expression, self.source.strip()
        if span is not None:
            said, written = said[slice(*span)], self.source[slice(*self.locate(*span))]
        note = f"read as {said}"
        known = note in diagnostic.notes or said == written
        notes = diagnostic.notes if known else (*diagnostic.notes, note)
        return diagnostic.replace(source=self.source, labels=labels, notes=notes)


def _smallest(segments: tuple[Segment, ...], start: int, end: int) -> tuple[int, int] | None:
    """The source of the narrowest segment around a range; text copied as it stands is mapped by character."""
    around = [s for s in segments if s.start <= start and end <= s.end]
    if not around:
        return None
    s = min(around, key=lambda s: s.end - s.start)
    if s.end - s.start == s.source_end - s.source_start:
        return s.source_start + start - s.start, s.source_start + end - s.start
    return s.source_start, s.source_end


@contextmanager
def about(source: str) -> Iterator[None]:
    """What fails inside is about ``source``: a diagnostic without a place gets the whole text as its label."""
    try:
        yield
    except Failure as failure:
        if failure.diagnostic.source:
            raise
        label = Label(0, len(source))
        raise Failure(failure.diagnostic.replace(source=source, labels=(label,))) from None
    except LayoutError as error:
        raise cannot(str(error), source=source) from None
    except RecursionError:
        raise limit(source, 0, len(source), "the text is nested too deeply") from None


def leaf_text(x: Any) -> str:
    """The text of a number; an unknown one without a name is ``?``."""
    return re.sub(r"\?[0-9]+", "?", str(x))


def bad(source: str, start: int, end: int, message: str, label: str = "", *, notes: tuple[str, ...] = ()) -> Failure:
    """LC101: a text that is no such form; the caller raises it."""
    start = max(0, min(start, len(source)))
    return _failure("LC101", message, source, Label(start, max(start, min(end, len(source))), label), notes=notes)


def argument_error(source: str, start: int, end: int, message: str, label: str = "") -> Failure:
    """LC103 at its place: an argument, field or keyword that is not known or does not fit."""
    return _failure("LC103", message, source, Label(start, end, label))


def cannot(message: str, *, source: str = "", **further: Any) -> Failure:
    """LC103: a value that the other form does not have, or a foreign text that denotes no layout; with the reason."""
    return _failure("LC103", message, source, Label(0, len(source)), **further)


def needs(source: str, message: str, **further: Any) -> Failure:
    """LC106: something that the text does not say, such as the shape of the tensor."""
    return _failure("LC106", message, source, Label(0, len(source)), **further)


def refused(source: str, start: int, end: int, message: str) -> Failure:
    """LC314: extents that CuTe refuses where it chooses or builds an instruction."""
    return _failure("LC314", message, source, Label(start, end))


def limit(source: str, start: int, end: int, message: str) -> Failure:
    """LC104: a text beyond what is read."""
    return _failure("LC104", message, source, Label(start, end))


def _failure(
    code: str,
    message: str,
    source: str,
    label: Label,
    *,
    notes: tuple[str, ...] = (),
    facts: Mapping[str, Any] = MappingProxyType({}),
    suggestions: tuple[Suggestion, ...] = (),
) -> Failure:
    labels = (label,) if source else ()
    return Failure(Diagnostic(code, message, source, labels, notes, facts, suggestions=suggestions))
