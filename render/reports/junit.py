"""Results as JUnit XML: a suite a file, a case a statement; most CI servers list these as tests."""

from __future__ import annotations

from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, TextIO
from xml.sax.saxutils import escape, quoteattr

from .style import PLAIN
from .text import diagnostic_text

if TYPE_CHECKING:
    from laycalc.diagnostics.report import Result, Tally

MEMORY = 1 << 20
"""Characters that are kept before the body of the report goes to a temporary file."""


class CheckReport:
    """The counts stand in front of the cases, so the cases of a suite wait in a temporary file for them."""

    summary = False

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.file: str | None = None
        self.tests = self.failures = 0
        self.body = SpooledTemporaryFile(MEMORY, "w+", encoding="utf-8", newline="\n")  # noqa: SIM115
        stream.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="laycalc">\n')

    def add(self, result: Result) -> None:
        if result.file != self.file:
            self._close()
            self.file = result.file
        self.tests += 1
        name = result.text or f"line {result.line}"
        name = f"{name} [{result.case}]" if result.case else name
        where = f"name={_attribute(name)} classname={_attribute(result.file)} file={_attribute(result.file)}"
        self.body.write(f'    <testcase {where} line="{result.line}" time="0"')
        if not result.findings:
            self.body.write("/>\n")
            return
        self.body.write(">\n")
        for found in result.findings:
            text = diagnostic_text(found.diagnostic, PLAIN, file=found.file, case=found.case)
            if found.diagnostic.severity == "error" and result.failed:
                attributes = f"message={_attribute(found.diagnostic.message)} type={_attribute(found.diagnostic.code)}"
                self.body.write(f"      <failure {attributes}>{_text(text)}</failure>\n")
            else:
                self.body.write(f"      <system-out>{_text(text)}</system-out>\n")
        self.failures += result.failed
        self.body.write("    </testcase>\n")

    def end(self, tally: Tally, quiet: bool = False) -> None:
        self._close()
        self.body.close()
        self.stream.write("</testsuites>\n")

    def _close(self) -> None:
        """Write the suite of the file that ends here."""
        if self.file is None:
            return
        counts = f'tests="{self.tests}" failures="{self.failures}" errors="0" skipped="0" time="0"'
        self.stream.write(f"  <testsuite name={_attribute(self.file)} {counts}>\n")
        self.body.seek(0)
        while piece := self.body.read(MEMORY):
            self.stream.write(piece)
        self.body.seek(0)
        self.body.truncate()
        self.stream.write("  </testsuite>\n")
        self.tests = self.failures = 0


def _text(text: str) -> str:
    return escape(_printable(text))


def _attribute(text: str) -> str:
    return quoteattr(_printable(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def _printable(text: str) -> str:
    """Without the characters that XML 1.0 has no way to write."""
    return "".join(
        c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "\ufffd"
        for c in text
    )
