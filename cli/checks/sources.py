"""Where the language stands: whole files, comments of other languages, fenced blocks of Markdown; read in windows."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatch
from itertools import islice

from laycalc.diagnostics.model import Diagnostic, Failure, Label
from laycalc.diagnostics.source import Source
from laycalc.grammar.syntax import nodes
from laycalc.grammar.syntax.parser import statements

from ..streams.inputs import reading

__all__ = ["FILE_LIMIT", "SUFFIXES", "files_of", "suffix_of", "windows"]

FILE_LIMIT = 1 << 26
"""A file of more bytes than this is refused."""
LINE_LIMIT = 1 << 20
"""A line of more bytes than this is refused, and so is a statement."""
WINDOW = 1 << 16
"""About so many characters are read and parsed at a time."""

Doubt = tuple[int, int, str]
"""Start and end of a comment on a line that looks like ours and is not read, and why."""
Mask = Callable[[str], tuple[str, Doubt | None]]
"""A line of a file to what is ours in it, at the same columns and empty if nothing is, and to what is in doubt."""


def _whole() -> Mask:
    return lambda line: (line, None)


class _Comments:
    """The comments of another language on a line, and what of them is ours."""

    mark: str
    shown: str
    tokens: re.Pattern[str]

    def __init__(self) -> None:
        self.ours = re.compile(rf"(?:(?:|.*?\s){self.mark})?[ \t]*laycalc[ \t]*:", re.IGNORECASE)
        self.marked = False

    def __call__(self, line: str) -> tuple[str, Doubt | None]:
        mine, doubt = "", None
        for start, end in self.parts(line):
            found = self.ours.match(line, start, end)
            if found is None:
                doubt = doubt or self.doubt(line, start, end)
            elif mine:
                doubt = (found.end(), end, "a line holds one laycalc comment; this one was not checked")
            else:
                mine, self.marked = " " * found.end() + line[found.end() : end], True
        return mine, doubt

    def parts(self, line: str) -> Iterator[tuple[int, int]]:
        """Start and end of the text of each comment on the line."""
        tokens = self.tokens.finditer(line) if "laycalc" in line.lower() else iter(())
        if found := next((token for token in tokens if token[0].startswith(self.shown)), None):
            yield found.end(), len(line)

    def doubt(self, line: str, start: int, end: int) -> Doubt | None:
        """A comment that was meant for us, as it seems: a wrong mark and a statement behind it."""
        message = f"a laycalc comment is written `{self.shown} laycalc: ...`; this one was not checked"
        # Few are enough, each of them has the rest of the line parsed.
        for found in islice(NAMED.finditer(line, start, end), 4):
            if _is_statement(line[found.end() : end]):
                return found.start(), end, message
        return None


class _Python(_Comments):
    mark, shown = "#+", "#"
    # A lone apostrophe is one in the prose of a docstring; the bound keeps long lines of them linear.
    tokens = re.compile(r"""\#+|"(?:[^"\\]|\\.)*(?:"|\\?$)|'(?:[^'\\]|\\.){0,200}'""", re.VERBOSE)


class _Cpp(_Comments):
    mark, shown = "//[/!]*<?", "//"
    tokens = re.compile(
        r"""//[/!]*<? | /\*(?:[*!]+(?!/))? | (?<!\w)(?:u8|[uUL])?R"([^()\\\s"]{0,16})\( | "(?:[^"\\]|\\.)*(?:"|\\?$)
        | '(?:\\.|[^'\\])'""",
        re.VERBOSE,
    )
    worth = re.compile(r'laycalc|/\*|R"|\\$', re.IGNORECASE)
    stars = re.compile(r"[ \t]*(?:\*(?!/))*")
    quote = re.compile(r'(?:[^"\\]|\\.)*("?)')

    def __init__(self) -> None:
        super().__init__()
        self.open = ""  # what ends the block comment, string or line that an earlier line left open

    def parts(self, line: str) -> Iterator[tuple[int, int]]:
        at = 0
        if not self.open and not self.worth.search(line):
            return
        if self.open == "\n":
            yield 0, len(line)
            self.open = "\n" if line.endswith("\\") else ""
            return
        if self.open == '"' and (found := self.quote.match(line)):
            at, self.open = found.end(), '"' if not found[1] and line.endswith("\\") else ""
        elif self.open == "*/" and (found := self.stars.match(line)):
            at = found.end()
        while True:
            if self.open:
                end = line.find(self.open, at)
                if self.open == "*/":
                    yield at, len(line) if end < 0 else end
                if end < 0:
                    return
                at, self.open = end + len(self.open), ""
            found = self.tokens.search(line, at)
            if found is None:
                return
            at = found.end()
            if found[0].startswith("//"):
                yield at, len(line)
                self.open = "\n" if line.endswith("\\") else ""
                return
            if found[0].startswith("/*"):
                self.open, self.marked = "*/", False
            elif found[1] is not None:
                self.open = f'){found[1]}"'
            elif found[0].endswith("\\"):
                self.open = '"'

    def doubt(self, line: str, start: int, end: int) -> Doubt | None:
        if self.open == "*/" and self.marked and ASSERTION.match(line, start, end):
            return start, end, "each line of a block comment is written `laycalc: ...`; this one was not checked"
        return super().doubt(line, start, end)


NAMED = re.compile(r"\blaycalc\b[\])`'\"]*[ \t:;,>-]+", re.IGNORECASE)
ASSERTION = re.compile(r'(?i)[ \t]*(?:(?:assert|assume)\b|for\s+\w+\s+in\s*[^\w\s]|let\s+\w+\s*=|include\s*")')


def _is_statement(text: str) -> bool:
    """Is this a statement, and not the prose that a single word or number may be?"""
    if ASSERTION.match(text):
        return True
    found = list(islice(statements(text), 4))
    single = (nodes.Name, nodes.Integer, nodes.String, nodes.Truth)
    alone = len(found) == 1 and isinstance(found[0], nodes.Evaluate) and isinstance(found[0].value, single)
    return bool(found) and not alone and not any(isinstance(item, Diagnostic) for item in found)


def _fences() -> Mask:
    fence = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([^`]*)$")
    opened, ours = "", False

    def mask(line: str) -> tuple[str, None]:
        nonlocal opened, ours
        found = fence.match(line)
        if found and not opened:
            opened, ours = found[1], found[2].split()[:1] == ["layout"]
        elif found and found[1].startswith(opened) and not found[2].strip():
            opened = ""
        elif opened and ours:
            return line, None
        return "", None

    return mask


CPP = (".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp")
SUFFIXES: dict[str, Callable[[], Mask]] = {
    ".layout": _whole,
    **dict.fromkeys(CPP, _Cpp),
    ".py": _Python,
    ".md": _fences,
}
"""File name endings to what reads a line of such a file; other files are read whole."""


def suffix_of(path: str) -> str:
    """The ending of a file name, in small letters."""
    return os.path.splitext(path)[1].lower()


SKIPPED = frozenset({"node_modules", "__pycache__"})


def files_of(paths: Iterable[str], exclude: Iterable[str] = ()) -> Iterator[str]:
    """The files to read, in order: files as given, directories searched for the known endings, hidden ones left out."""
    patterns = list(exclude)
    for path in paths:
        if path == "-" or not os.path.isdir(path):
            yield path
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(
                f
                for f in folders
                if not (f.startswith(".") or f in SKIPPED or _excluded(os.path.join(folder, f), patterns))
                and not os.path.exists(os.path.join(folder, f, "pyvenv.cfg"))
            )
            for name in sorted(names):
                full = os.path.normpath(os.path.join(folder, name))
                if suffix_of(name) in SUFFIXES and not _excluded(full, patterns) and os.path.isfile(full):
                    yield full


def _excluded(path: str, patterns: list[str]) -> bool:
    path = os.path.normpath(path).replace(os.sep, "/")
    return any(fnmatch(path, p) or fnmatch(path, f"*/{p}") or fnmatch(os.path.basename(path), p) for p in patterns)


def windows(
    path: str,
    progress: Callable[[int], None] = lambda count: None,
    warn: Callable[[Diagnostic], None] = lambda diagnostic: None,
) -> Iterator[Source]:
    """The text of a file, some lines at a time, each cut between two statements; `Failure` for what cannot be read.

    ``progress`` is told how many bytes were read, ``warn`` of comments that look like ours and are not read.
    """
    name = "<stdin>" if path == "-" else path
    shown: list[str] = []
    ours: list[str] = []
    before = length = 0
    brackets: int | None = None
    for line, mine, doubt in _lines(path, name, SUFFIXES.get(suffix_of(path), _whole)(), progress):
        if length >= WINDOW:
            brackets = sum(map(_opened, ours)) if brackets is None else brackets
            if mine and _begins(mine, brackets, ours):
                yield Source("\n".join(ours), name, before, "\n".join(shown))
                before += len(shown)
                shown, ours, length, brackets = [], [], 0, None
            elif length > LINE_LIMIT:
                raise _refuse("LC104", f"no statement ends within {LINE_LIMIT:,} characters", name)
        if doubt:
            place = Source(line, name, before + len(shown))
            warn(Diagnostic("LC101", doubt[2], place, (Label(*doubt[:2]),), severity="warning"))
        shown.append(line)
        ours.append(mine)
        length += len(line) + 1
        if brackets is not None:
            brackets += _opened(mine)
    yield Source("\n".join(ours), name, before, "\n".join(shown))


KEYWORD = re.compile(r"[ \t]*(?:let|assert|assume|for|include)\b")
HEAD = re.compile(r"[ \t]*(?!(?:o|in|and|or|not)\b)[\w({\[<\"]")
WAITING = re.compile(r"(?:[,<+*/%:=∘⊗⊘-]|\b(?:o|and|or|not|in))\s*$")
ASIDE = re.compile(r'"[^"]*"|(?:#|(?<!\S)//).*')


def _begins(line: str, brackets: int, above: list[str]) -> bool:
    """Does a line begin a statement, rather than go on with the one above it?"""
    if KEYWORD.match(line):
        return True
    last = next((x for x in reversed(above) if x.strip()), "")
    return brackets <= 0 and bool(HEAD.match(line)) and not WAITING.search(ASIDE.sub("", last))


def _opened(line: str) -> int:
    """How many brackets a line opens and leaves open."""
    text = ASIDE.sub("", line) if '"' in line or "#" in line or "//" in line else line
    return sum(map(text.count, "([{")) - sum(map(text.count, ")]}"))


def _lines(
    path: str, name: str, mask: Mask, progress: Callable[[int], None]
) -> Iterator[tuple[str, str, Doubt | None]]:
    """Each line as it stands, what is ours in it, and what is in doubt."""
    embedded = suffix_of(path) in SUFFIXES and suffix_of(path) != ".layout"
    read = 0
    with reading(path) as file:
        while raw := file.readline(LINE_LIMIT + 1):
            read += len(raw)
            if b"\0" in raw:
                raise _refuse("LC101", f"{name} is not UTF-8 text: a NUL byte in it", name)
            if len(raw) > LINE_LIMIT or read > FILE_LIMIT:
                what, limit = ("a line", LINE_LIMIT) if len(raw) > LINE_LIMIT else (name, FILE_LIMIT)
                raise _refuse("LC104", f"{what} has more than {limit:,} bytes", name)
            try:
                # In the files of other languages only our own lines must be readable.
                line = raw.decode("utf-8", "replace" if embedded else "strict").rstrip("\r\n")
            except UnicodeDecodeError:
                raise _refuse("LC101", f"{name} is not UTF-8 text", name) from None
            progress(len(raw))
            line = line.removeprefix("\ufeff") if read == len(raw) else line
            yield line, *mask(line)


def _refuse(code: str, message: str, file: str) -> Failure:
    return Failure(Diagnostic(code, message, Source("", file)))
