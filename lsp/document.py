"""An open document: its pieces, what they come to, and the kernel that it may be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Diagnostic
from laycalc.diagnostics.source import position
from laycalc.grammar.run.statements import Outcome

from .evaluation import Evaluation
from .kernel import Kernel
from .pieces import Piece, Pieces
from .places import Place, Range, range_of

__all__ = ["Document", "Told", "value_of"]


class Told(Record):
    """A diagnostic with its range in the document, and the piece and the outcome that it came from, if any."""

    range: Range
    diagnostic: Diagnostic
    piece: Any = None
    outcome: Any = None


class Document:
    """A document as the editor has it."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.pieces = Pieces(path, text)
        self.evaluation = Evaluation(self.pieces)
        self.kernel = Kernel(path)

    def change(self, text: str) -> None:
        """The document is another text now."""
        self.text = text
        self.pieces.change(text)
        self.evaluation.changed()

    def told(self, piece: Piece) -> Iterator[Told]:
        """The errors and warnings of a piece."""
        for outcome in self.evaluation.of(piece).outcomes:
            for diagnostic in (*outcome.warnings, *filter(None, (outcome.error,))):
                yield Told(_range(piece, outcome, diagnostic), diagnostic, piece, outcome)

    def findings(self) -> Iterator[Told]:
        """What a scan of the kernel says of its layouts."""
        for diagnostic in self.kernel.findings(self.text):
            start, end = diagnostic.span
            first, last = (position(diagnostic.source, offset) for offset in (start, max(end, start + 1)))
            yield Told(Range(Place(first[0] - 1, first[1] - 1), Place(last[0] - 1, last[1] - 1)), diagnostic)


def _range(piece: Piece, outcome: Outcome, diagnostic: Diagnostic) -> Range:
    """Where a diagnostic points, if into this piece; else the statement, as for what an included file says."""
    if str(diagnostic.source) == piece.text and diagnostic.labels:
        start, end = diagnostic.span
        return range_of(piece, start, max(end, start + 1))
    if outcome.statement is not None and outcome.place is None and outcome.source == piece.text:
        return range_of(piece, *outcome.statement.span)
    begin = len(piece.text) - len(piece.text.lstrip())
    return range_of(piece, begin, len(piece.text.rstrip()))


def value_of(outcome: Any) -> Any:
    """The value of an outcome, the report on it where sizes are unknown."""
    return outcome.value if outcome.report is None else outcome.report
