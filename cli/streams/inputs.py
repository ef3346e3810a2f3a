"""What commands read: expressions from arguments, files and standard input."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.run.given import define, scope_of, shape_of

__all__ = [
    "define", "expressions", "file_and_name", "lines_of", "names_a_file", "read_text", "reading", "scope_of",
    "shape_of",
]  # fmt: skip

LIMIT = 1 << 20
"""A text of more bytes than this is refused."""


@contextmanager
def reading(path: str) -> Iterator[IO[bytes]]:
    """The bytes of a regular file, or of standard input for ``-``; LC103 for anything else and while it is read.

    A pipe or a device could keep a check waiting for ever; those that the shell has opened, /dev/stdin and /dev/fd/N,
    are read as they are.
    """
    try:
        if path == "-":
            yield sys.stdin.buffer
            return
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode) and not _SHELL.fullmatch(path):
                raise Failure(Diagnostic("LC103", f"cannot read {path}: it is no regular file; - is standard input"))
            yield file
    except OSError as error:
        raise Failure(Diagnostic("LC103", f"cannot read {path}: {error.strerror or error}")) from None


_SHELL = re.compile(r"/dev/(stdin|fd/\d+)")


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe that nobody writes to is opened, too, and not waited for."""
    if _SHELL.fullmatch(path):
        return os.open(path, flags)
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def lines_of(path: str) -> Iterator[bytes]:
    """The lines of a file or of standard input, as they come."""
    with reading(path) as file:
        yield from file


def read_text(path: str, limit: int = LIMIT) -> str:
    """The text of a file, ``-`` for standard input; LC103 or LC104 if it cannot be read."""
    with reading(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise Failure(Diagnostic("LC104", f"{path} has more than {limit:,} bytes"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure(Diagnostic("LC101", f"{path} is not UTF-8 text (byte {error.start})")) from None


def expressions(given: Iterable[str], files: Iterable[str]) -> Iterable[str]:
    """The texts to evaluate, in order: arguments (``-`` is standard input), then files."""
    for text in given:
        yield read_text("-") if text == "-" else unquoted(text.removeprefix(" "))
    for path in files:
        yield read_text(path)


def unquoted(text: str) -> str:
    """The text without quotes around all of it, which some shells pass on and some editors make round."""
    for first, last in ("''", "\u2018\u2019", "\u201c\u201d"):
        inside = text[1:-1]
        if len(text) > 1 and text[0] == first and text[-1] == last and first not in inside and last not in inside:
            return inside
    return text


_NAMED = re.compile(r"([^\n]+?\.(?:cuh?|h|hh|hpp|hxx|cc|cpp|cxx|inl|ipp|py)):(?!:)(.*\S)", re.DOTALL)


def file_and_name(text: str) -> tuple[str, str] | None:
    """The parts of ``FILE:NAME``, if there is such a file of C++, CUDA or Python."""
    found = _NAMED.fullmatch(text.strip()) if "." in text else None
    return (found[1], found[2]) if found is not None and os.path.isfile(found[1]) else None


def names_a_file(text: str) -> bool:
    """Is a text ``FILE:NAME``?"""
    return file_and_name(text) is not None
