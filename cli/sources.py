"""Where the language stands: whole files, comments of other languages, fenced blocks of Markdown; read in windows."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatch
from typing import IO

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.diagnostics.source import Source

__all__ = ["FILE_LIMIT", "SUFFIXES", "files_of", "windows"]

FILE_LIMIT = 1 << 26
"""A file of more bytes than this is refused."""
LINE_LIMIT = 1 << 20
"""A line of more bytes than this is refused, and so is a statement."""
WINDOW = 1 << 16
"""About so many characters are read and parsed at a time."""

Mask = Callable[[str], str]
"""A line of a file to what is ours in it, at the same columns; empty if nothing is."""


def _whole() -> Mask:
    return lambda line: line


def _comments(mark: str) -> Callable[[], Mask]:
    ours = re.compile(rf"(?:^|.*?\s){re.escape(mark)}+[ \t]*laycalc:")

    def mask(line: str) -> str:
        if "laycalc:" not in line:
            return ""
        found = ours.match(line)
        # After an odd number of quotes the mark stands in a string.
        quoted = found is not None and found[0].replace('\\"', "").count('"') % 2
        return " " * found.end() + line[found.end() :] if found and not quoted else ""

    return lambda: mask


def _fences() -> Mask:
    fence = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([^`]*)$")
    opened, ours = "", False

    def mask(line: str) -> str:
        nonlocal opened, ours
        found = fence.match(line)
        if found and not opened:
            opened, ours = found[1], found[2].split()[:1] == ["layout"]
            return ""
        if found and found[1].startswith(opened) and not found[2].strip():
            opened = ""
            return ""
        return line if opened and ours else ""

    return mask


SUFFIXES: dict[str, Callable[[], Mask]] = {
    ".layout": _whole,
    **dict.fromkeys((".cu", ".cuh", ".h", ".hpp", ".cpp"), _comments("//")),
    ".py": _comments("#"),
    ".md": _fences,
}
"""File name endings to what reads a line of such a file; other files are read whole."""

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
                if os.path.splitext(name)[1] in SUFFIXES and not _excluded(full, patterns) and os.path.isfile(full):
                    yield full


def _excluded(path: str, patterns: list[str]) -> bool:
    path = os.path.normpath(path).replace(os.sep, "/")
    return any(fnmatch(path, p) or fnmatch(path, f"*/{p}") or fnmatch(os.path.basename(path), p) for p in patterns)


def windows(path: str, progress: Callable[[int], None] = lambda count: None) -> Iterator[Source]:
    """The text of a file, some lines at a time, each cut between two statements; `Failure` for what cannot be read.

    ``progress`` is told how many bytes were read.
    """
    name = "<stdin>" if path == "-" else path
    suffix = os.path.splitext(path)[1]
    shown: list[str] = []
    ours: list[str] = []
    before = length = 0
    brackets: int | None = None
    for line, mine in _lines(path, name, SUFFIXES.get(suffix, _whole)(), progress):
        if length >= WINDOW:
            brackets = sum(map(_opened, ours)) if brackets is None else brackets
            if mine and _begins(mine, brackets, ours):
                yield Source("\n".join(ours), name, before, "\n".join(shown))
                before += len(shown)
                shown, ours, length, brackets = [], [], 0, None
            elif length > LINE_LIMIT:
                raise _refuse("LC104", "limit", f"no statement ends within {LINE_LIMIT:,} characters", name)
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


def _lines(path: str, name: str, mask: Mask, progress: Callable[[int], None]) -> Iterator[tuple[str, str]]:
    """Each line as it stands, and what is ours in it."""
    embedded = os.path.splitext(path)[1] in SUFFIXES and not path.endswith(".layout")
    read = 0
    try:
        with _open(path) as file:
            while raw := file.readline(LINE_LIMIT + 1):
                read += len(raw)
                if b"\0" in raw:
                    raise _refuse("LC101", "syntax", f"{name} is not UTF-8 text: a NUL byte in it", name)
                if len(raw) > LINE_LIMIT or read > FILE_LIMIT:
                    what, limit = ("a line", LINE_LIMIT) if len(raw) > LINE_LIMIT else (name, FILE_LIMIT)
                    raise _refuse("LC104", "limit", f"{what} has more than {limit:,} bytes", name)
                try:
                    # In the files of other languages only our own lines must be readable.
                    line = raw.decode("utf-8", "replace" if embedded else "strict").rstrip("\r\n")
                except UnicodeDecodeError:
                    raise _refuse("LC101", "syntax", f"{name} is not UTF-8 text", name) from None
                progress(len(raw))
                line = line.removeprefix("\ufeff") if read == len(raw) else line
                yield line, mask(line)
    except OSError as error:
        raise _refuse("LC103", "argument", f"cannot read {name}: {error.strerror or error}", name) from None


def _open(path: str) -> IO[bytes]:
    return open(sys.stdin.fileno(), "rb", closefd=False) if path == "-" else open(path, "rb")


def _refuse(code: str, name: str, message: str, file: str) -> Failure:
    return Failure(Diagnostic(code, name, message, Source("", file)))
