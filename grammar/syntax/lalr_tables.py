"""The tables that drive the parser, and the file that keeps them between runs.

lark computes the tables from layout.lark in some 100 ms, which is more than all the rest of a small command. They
depend on the grammar alone, so they are kept in a file of plain data that is owned by the user, and nothing goes wrong
without it.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Rule", "Tables", "load"]

FORMAT = 2
"""To be raised with every change to what `Tables` holds for the same grammar."""


class Rule(NamedTuple):
    """``size`` symbols become one of kind ``symbol``; ``builder`` gets those at ``kept`` (counted from the end)."""

    symbol: str
    size: int
    builder: str
    kept: tuple[int, ...]


class Tables(NamedTuple):
    """What lark knows of the grammar, as plain data.

    ``rows[state][symbol]`` is the next state, or ``~r`` to reduce by ``rules[r]``.
    """

    pattern: str
    literals: dict[str, str]
    rows: list[dict[str, int]]
    rules: list[Rule]
    start: int


def load(grammar: str, build: Callable[[str], Tables]) -> Tables:
    """The tables of ``grammar``: from the user's cache, or built and put there."""
    path = _path(grammar)
    tables = path and _read(path, grammar)
    if not tables:
        tables = build(grammar)
        if path:
            _write(path, grammar, tables)
    return tables


def _path(grammar: str) -> str:
    """The cache file for this grammar and this Python, or nothing where there is no place for it."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(base):  # so the XDG specification asks
            base = os.path.expanduser("~/.cache")
    if not os.path.isabs(base):
        return ""
    key = crc32(grammar.encode())
    return os.path.join(base, "laycalc", f"grammar-{FORMAT}-{sys.implementation.cache_tag}-{key:08x}.bin")


def _read(path: str, grammar: str) -> Tables | None:
    """The tables in the file if it is whole, for this very grammar, and nobody else can have written it."""
    try:
        # Not to wait for the other end, should the name be a pipe.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or not _private(status):
                return None
            content = file.read()
        # marshal must not be fed damaged data.
        if int.from_bytes(content[:4], "big") != crc32(content[4:]):
            return None
        written_for, pattern, literals, rows, rules, start = marshal.loads(content[4:])
        if written_for != grammar:
            return None
        return Tables(pattern, literals, rows, [Rule(*rule) for rule in rules], start)
    except (OSError, ValueError, TypeError, EOFError):
        return None


def _private(status: os.stat_result) -> bool:
    if sys.platform == "win32":
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _write(path: str, grammar: str, tables: Tables) -> None:
    """Write beside and rename, so that no reader ever sees half a file; a failure only costs time at the next run."""
    plain: Any = (grammar, *tables[:3], [tuple(rule) for rule in tables.rules], tables.start)
    content = marshal.dumps(plain)
    beside = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(crc32(content).to_bytes(4, "big") + content)
        os.replace(beside, path)
    except OSError:
        with suppress(OSError):
            os.unlink(beside)
