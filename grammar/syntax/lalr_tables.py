"""The tables that drive the parser: layout.lark as lark compiles it, kept beside it as plain data.

lark takes some 100 ms to compute them, more than all the rest of a small command. The file says for which text of the
grammar it was made: while layout.lark is being edited, lark computes the tables on the spot.
"""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple
from zlib import crc32

__all__ = ["GRAMMAR", "TABLES", "Rule", "Tables", "load", "plain", "read"]

GRAMMAR = os.path.join(os.path.dirname(__file__), "layout.lark")
TABLES = os.path.join(os.path.dirname(__file__), "layout.json")


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


def load(grammar: str) -> Tables | None:
    """The tables that are kept, None if they were made for another text of the grammar."""
    kept = json.loads(read(TABLES))
    if kept.pop("grammar") != crc32(grammar.encode()):
        return None
    kept["rules"] = [Rule(symbol, size, builder, tuple(at)) for symbol, size, builder, at in kept["rules"]]
    return Tables(**kept)


def read(path: str) -> str:
    """The text of a file of this package, also from a zip file."""
    text: str = __spec__.loader.get_data(path).decode()  # type: ignore[union-attr]
    return text


def plain(grammar: str, tables: Tables) -> dict[str, Any]:
    """What the file holds."""
    return {"grammar": crc32(grammar.encode()), **tables._asdict()}
