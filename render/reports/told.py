"""A finding in plain lines, for reports that have one text field and no place to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from laycalc.diagnostics.model import Diagnostic, Label
    from laycalc.diagnostics.report import Finding

SHOWN = 60
"""Characters of a labelled piece of source that are repeated."""


def told(found: Finding) -> list[str]:
    """All that a diagnostic says: message, remarks on pieces of the source, witness, notes, what works."""
    diagnostic = found.diagnostic
    lines = [f"{found.case}: {diagnostic.message}" if found.case else diagnostic.message]
    lines += _remarks(diagnostic)
    lines += [f"witness: {diagnostic.witness}"] if diagnostic.witness else []
    lines += diagnostic.notes
    lines += [f"works: {s.expr}" + (f" = {s.value}" if s.value else "") for s in diagnostic.suggestions]
    return lines


def in_order(diagnostic: Diagnostic) -> list[Label]:
    """The labels as they stand in the source; the first is the place of the finding."""
    return sorted(diagnostic.labels, key=lambda label: label.start)


def _remarks(diagnostic: Diagnostic) -> Iterator[str]:
    """What the labels say, each with its piece of the source; one that only repeats its piece is left out."""
    for label in in_order(diagnostic):
        piece = " ".join(diagnostic.source[label.start : label.end].split())
        if label.text and label.text != piece:
            short = piece if len(piece) <= SHOWN else f"{piece[: SHOWN - 1]}…"
            yield f"{short}: {label.text}" if short else label.text
