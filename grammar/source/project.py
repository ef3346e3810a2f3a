"""The files of a scan and the names that are bound from outside: one table of symbols for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from laycalc.atoms.instructions.refusal import nearest
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.diagnostics.source import Source

from ..language.values import text_of
from .cpp import read_cpp
from .frames import Frame, Outcome, SourceFile
from .macros import Macros
from .python import read_python
from .scan import Scanned, scanned
from .symbols import Symbols

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
        """What an expression comes to in a file: at its top, or in the first block that knows its names.

        A member of a struct without arguments has those of the struct that a name from outside stands for.
        """
        frames = list(self.symbols.frames_below(self.symbols.root(self.files[path])))
        owners = [frame for frame in frames if text in frame.block.definitions]
        asked = [self.symbols.ask(frame, text, frame.block.extent.end) for frame in owners or frames]
        found = [self.symbols.explored(outcome) for outcome in asked]
        good = _first(text, owners, found)
        if good is not None and good.report is None:
            return good
        member = self._member_given(path, text) if owners else None
        return member or good or self._failed(path, text, found, frames)

    def _member_given(self, path: str, text: str) -> Outcome | None:
        """The value of a member in a struct that -D names at its arguments."""
        root, end = self.symbols.root(self.files[path]), len(self.files[path].text)
        members = (self.symbols.ask(root, f"{name}::{text}", end) for name, _ in self.symbols.structs_given())
        return next((member for member in members if member.value is not None), None)

    def _failed(self, path: str, text: str, found: Sequence[Outcome], frames: Sequence[Frame]) -> Outcome:
        """Why none of the blocks that know a name has a value for it; LC103 if it is a type."""
        if not any(text in frame.block.definitions for frame in frames):
            _known(path, text, frames, found)
        failed = [outcome for outcome in found if outcome.failure is not None]
        if not failed:
            raise Failure(Diagnostic("LC103", f"{text} is a type, and no layout", text))
        best = min(failed, key=lambda outcome: text in outcome.needs)
        if best.needs and best.failure is not None and best.failure.code in ("LC106", "LC103"):
            told = f"{text} {self.symbols.wanted(best.needs)}; -D gives names their values"
            return best.replace(failure=best.failure.replace(message=told))
        return best


def _first(text: str, owners: Sequence[Frame], found: Sequence[Outcome]) -> Outcome | None:
    """The value that all blocks with a value agree on; one without unknown numbers, if there is one."""
    valued = [outcome for outcome in found if outcome.failure is None and outcome.value is not None]
    good = [outcome for outcome in valued if outcome.report is None] or valued
    if any(text_of(outcome.value) != text_of(good[0].value) for outcome in good[1:]):
        raise Failure(_ambiguous(text, owners))
    return good[0] if good else None


def _known(path: str, text: str, frames: Sequence[Frame], found: Sequence[Outcome]) -> None:
    """LC106 for a parameter, which has no value of its own; LC102 for a name that no block of the file has."""
    if not any(text in outcome.needs for outcome in found):
        return
    blocks = [frame.block for frame in frames]
    if any(text == parameter.name for block in blocks for parameter in (*(block.template or ()), *block.parameters)):
        raise Failure(Diagnostic("LC106", f"{text} is a parameter of {path}; it has the value that -D gives it"))
    known = dict.fromkeys(name for block in blocks for name in block.definitions)
    longer = [name for name in known if text.casefold() in name.casefold()]
    close = nearest(text, known) or longer[:4] or list(known)[:4]
    raise Failure(Diagnostic("LC102", f"{path} has no {text}" + (f"; it has {', '.join(close)}" if close else "")))


def _ambiguous(text: str, owners: Sequence[Frame]) -> Diagnostic:
    """LC103 for a name with several values, with the names that tell them apart."""
    paths = dict.fromkeys(frame.block.path for frame in owners)
    told = " or ".join(f"{path}::{text}" if path else text for path in paths)
    lines = ", ".join(str(d.line) for frame in owners for d in frame.block.definitions[text])
    return Diagnostic("LC103", f"{text} has several values, at the lines {lines}: say {told}", text)


def _read(text: Source, numbers: dict[str, int]) -> SourceFile:
    if text.file.endswith(".py"):
        return read_python(text)
    return read_cpp(text, Macros(numbers))
