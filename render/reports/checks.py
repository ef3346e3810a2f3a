"""The report of a check in the form for people, and the table of all forms."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, TextIO

from .style import style_for
from .text import diagnostic_text, headline

if TYPE_CHECKING:
    from laycalc.diagnostics.report import Result, Tally

FORMATS = ("text", "json", "github", "sarif", "junit")


class Report(Protocol):
    """Writes results as they come, so that a long check needs no memory for them."""

    summary: bool
    """Does the report itself end with the summary line?"""

    def add(self, result: Result) -> None: ...

    def end(self, tally: Tally, quiet: bool = False) -> None: ...


def report_for(form: str, stream: TextIO) -> Report:
    """The report writer of a format."""
    if form == "text":
        return TextReport(stream)
    made: Report = import_module(f"{__package__}.{form}").CheckReport(stream)
    return made


class TextReport:
    """Each finding with its source; the combinations of a loop that fail alike after the first one on a line each."""

    summary = True

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.style = style_for(stream)
        self._shown: tuple[str, int, str] | None = None

    def add(self, result: Result) -> None:
        for found in result.findings:
            key = (found.file, result.line, found.diagnostic.code)
            if found.case and key == self._shown:
                where = f"{found.file}:{found.line}:{found.column}"
                self._write(headline(found.diagnostic, self.style, where=where, case=found.case))
                continue
            self._shown = key if found.case else None
            self._write(diagnostic_text(found.diagnostic, self.style, file=found.file, case=found.case))

    def end(self, tally: Tally, quiet: bool = False) -> None:
        if not quiet:
            self._write(str(tally))

    def _write(self, text: str) -> None:
        encoding = self.stream.encoding or "utf-8"
        self.stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
