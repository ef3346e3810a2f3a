"""The files of a scan and the names that are bound from outside: one table of symbols for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.diagnostics.source import Source

from ..forms.dialects.around import Declared, Lacking
from .cpp import read_cpp
from .macros import Macros
from .python import read_python
from .scan import Scanned, scanned
from .symbols import Outcome, SourceFile, Symbols

__all__ = ["Project"]


class Project:
    """Files by their paths, with definitions ``(name, text)`` from outside, the last of a name counts."""

    def __init__(self, texts: Mapping[str, str], given: Sequence[tuple[str, str]] = (), verify: int = 256) -> None:
        self.given = dict(given)
        numbers = {name: int(text) for name, text in given if text.strip().isdecimal()}
        self.files = {path: _read(Source(text, path), numbers) for path, text in texts.items()}
        self.symbols = Symbols(self.files, self.given, verify)

    def scan(self, path: str) -> Scanned:
        """All values of a file."""
        return scanned(path, self.files[path], self.symbols)

    def unused(self) -> list[str]:
        """The names from outside that nothing asked for."""
        return [name for name in self.given if name not in self.symbols.used]

    def value(self, path: str, text: str) -> Outcome:
        """What an expression comes to in a file: at its top, or in the first block that knows its names."""
        file = self.files[path]
        first: Outcome | None = None
        for frame in self.symbols.frames_below(self.symbols.root(file)):
            found = self.symbols.ask(frame, text, frame.block.extent.end)
            if found.failure is None and (found.value is not None or found.report is not None):
                return found
            if first is None or (first.needs and not found.needs):
                first = found
        assert first is not None
        if isinstance(first.node, (Declared, Lacking)) or first.failure is None:
            raise Failure(Diagnostic("LC103", f"{text} is a type, and no layout", text))
        return first


def _read(text: Source, numbers: dict[str, int]) -> SourceFile:
    if text.file.endswith(".py"):
        return read_python(text)
    return read_cpp(text, Macros(numbers))
