"""The layouts of a C++, CUDA or Python document, as `laycalc scan` finds them."""

from __future__ import annotations

from collections.abc import Iterator

from laycalc.cli.checks.kernels import SUFFIXES
from laycalc.cli.checks.sources import suffix_of
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.source.project import Project
from laycalc.grammar.source.scan import Scanned, is_layout
from laycalc.grammar.source.values import Found

__all__ = ["Kernel"]

LIMIT = 1 << 20
"""A document of more characters is not scanned as it is typed."""
AT_ONCE = 1 << 15
"""A document of more characters is scanned in a pause alone, but for the first time."""


class Kernel:
    """A document of another language: scanned when somebody asks, once for each text.

    Questions about a long one are answered from the scan of the text before, until `refresh` scans the new one.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.read = suffix_of(path) in SUFFIXES
        self._text: str | None = None
        self._scanned: Scanned | None = None

    def scanned(self, text: str) -> Scanned | None:
        """What a scan of the text finds; None for a document that is no kernel, is too long or cannot be read."""
        if not self.read or len(text) > LIMIT:
            return None
        if self._text is None or len(text) <= AT_ONCE:
            self.refresh(text)
        return self._scanned

    def refresh(self, text: str) -> None:
        """Scan the text, unless that is done."""
        if self._text != text and self.read and len(text) <= LIMIT:
            self._text, self._scanned = text, _scan(self.path, text)

    def named(self, text: str, word: str, line: int) -> Found | None:
        """The value of a name: of the definition that is nearest above a line, else of the first."""
        scanned = self.scanned(text)
        found = [] if scanned is None else [f for f in scanned.values if f.name.rpartition("::")[2] == word]
        above = [f for f in found if f.line <= line + 1]
        return above[-1] if above else found[0] if found else None

    def layouts(self, text: str) -> Iterator[Found]:
        """The layouts in the order of their lines."""
        scanned = self.scanned(text)
        yield from () if scanned is None else (found for found in scanned.values if is_layout(found.value))

    def findings(self, text: str) -> tuple[Diagnostic, ...]:
        """What is wrong with the layouts of this very text."""
        self.refresh(text)
        scanned = self.scanned(text)
        return () if scanned is None else scanned.findings


def _scan(path: str, text: str) -> Scanned | None:
    try:
        return Project({path: text}).scan(path)
    except (Failure, RecursionError):
        # Half a class, or a language that this is not: what can be read is read after the next change.
        return None
