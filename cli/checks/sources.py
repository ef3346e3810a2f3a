"""Where the language stands: whole files, comments of other languages, fenced blocks of Markdown; read in windows."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatch

from laycalc.diagnostics.model import Diagnostic, Failure, Label
from laycalc.diagnostics.source import Source

from ..streams.inputs import reading
from .embedded import Block, Found, in_cpp, in_markdown, in_python
from .tree import leads_outside

__all__ = ["FILE_LIMIT", "SUFFIXES", "files_of", "suffix_of", "windows"]

FILE_LIMIT = 1 << 26
"""A file of more bytes than this is refused."""
LINE_LIMIT = 1 << 20
"""A line of more bytes than this is refused, and so is a statement."""
WINDOW = 1 << 16
"""About so many characters are read and parsed at a time."""

CPP = (".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp")
EMBEDDED: dict[str, Found] = {**dict.fromkeys(CPP, in_cpp), ".py": in_python, ".md": in_markdown}
"""File name endings to what finds our lines in such a file; other files are read whole."""
SUFFIXES = (".layout", *EMBEDDED)
"""The endings of the files that are looked for in a directory."""


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
                if suffix_of(name) not in SUFFIXES or _excluded(full, patterns) or leads_outside(full, path):
                    continue
                if os.path.isfile(full):
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
    found = EMBEDDED.get(suffix_of(path))
    if found is None:
        yield from _windows(_lines(path, name, progress), name)
        return
    lines = _whole(path, name, progress)
    for part in found(lines):
        if isinstance(part, Block):
            shown = lines[part.first : part.first + len(part.texts)]
            yield from _windows(zip(shown, part.texts, strict=True), name, part.first)
        else:
            place = Source(lines[part.first], name, part.first)
            warn(Diagnostic("LC101", part.why, place, (Label(part.start, part.end),), severity="warning"))
    yield Source("", name, len(lines))


def _windows(lines: Iterable[tuple[str, str]], name: str, before: int = 0) -> Iterator[Source]:
    """Lines as they stand and what is ours in them, some at a time; ``before`` lines of the file are above them."""
    shown: list[str] = []
    ours: list[str] = []
    length = 0
    brackets: int | None = None
    for line, mine in lines:
        if len(mine) > LINE_LIMIT:
            raise _refuse("LC104", f"a line has more than {LINE_LIMIT:,} characters", name)
        if length >= WINDOW:
            brackets = sum(map(_opened, ours)) if brackets is None else brackets
            if mine and _begins(mine, brackets, ours):
                yield Source("\n".join(ours), name, before, "\n".join(shown))
                before += len(shown)
                shown, ours, length, brackets = [], [], 0, None
            elif length > LINE_LIMIT:
                raise _refuse("LC104", f"no statement ends within {LINE_LIMIT:,} characters", name)
        shown.append(line)
        ours.append(mine)
        length += len(mine) + 1
        if brackets is not None:
            brackets += _opened(mine)
    yield Source("\n".join(ours), name, before, "\n".join(shown))


def apart(text: Source) -> Iterator[Source]:
    """The statements of a text, each with its place in the file, as far as line ends tell them."""
    shown = text.shown.split("\n")
    ours = text.split("\n")
    begin = brackets = 0
    for number, line in enumerate(ours):
        if number > begin and line.strip() and _begins(line, brackets, ours[begin:number]):
            yield Source("\n".join(ours[begin:number]), text.file, text.before + begin, "\n".join(shown[begin:number]))
            begin, brackets = number, 0
        brackets += _opened(line)
    yield Source("\n".join(ours[begin:]), text.file, text.before + begin, "\n".join(shown[begin:]))


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


def _lines(path: str, name: str, progress: Callable[[int], None]) -> Iterator[tuple[str, str]]:
    """Each line of a file that is ours as a whole, twice: as it stands, and what is ours in it."""
    read = 0
    with reading(path) as file:
        while raw := file.readline(LINE_LIMIT + 1):
            first, read = not read, read + len(raw)
            if len(raw) > LINE_LIMIT or read > FILE_LIMIT:
                what, limit = ("a line", LINE_LIMIT) if len(raw) > LINE_LIMIT else (name, FILE_LIMIT)
                raise _refuse("LC104", f"{what} has more than {limit:,} bytes", name)
            progress(len(raw))
            line = _decoded(raw, name, "strict").rstrip("\r\n")
            line = line.removeprefix("\ufeff") if first else line
            yield line, line


def _whole(path: str, name: str, progress: Callable[[int], None]) -> list[str]:
    """The lines of a file in another language: only our own must be readable, and may not be too long."""
    with reading(path) as file:
        data = file.read(FILE_LIMIT + 1)
    if len(data) > FILE_LIMIT:
        raise _refuse("LC104", f"{name} has more than {FILE_LIMIT:,} bytes", name)
    progress(len(data))
    return _decoded(data, name, "replace").removeprefix("\ufeff").replace("\r\n", "\n").split("\n")


def _decoded(raw: bytes, name: str, errors: str) -> str:
    if b"\0" in raw:
        raise _refuse("LC101", f"{name} is not UTF-8 text: a NUL byte in it", name)
    try:
        return raw.decode("utf-8", errors)
    except UnicodeDecodeError:
        raise _refuse("LC101", f"{name} is not UTF-8 text", name) from None


def _refuse(code: str, message: str, file: str) -> Failure:
    return Failure(Diagnostic(code, message, Source("", file)))
