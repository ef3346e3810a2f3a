"""The function table: every name of the language, read by the evaluator, help, completion, docs and did-you-mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

from laycalc.algebra.base.record import Record

__all__ = ["Function", "Parameter", "find", "functions", "nearest"]


class Parameter(Record):
    """One argument: its name, its kind (a word of `coerce`), whether it may be left out or repeated."""

    name: str
    kind: str
    optional: bool = False
    many: bool = False


class Function(Record):
    """A row of the table. ``target`` is ``module:attribute`` below laycalc, imported at the first call."""

    name: str
    parameters: tuple[Parameter, ...]
    target: str
    help: str
    law: str = ""
    example: str = ""
    result: str = ""
    family: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """``name(A, B[, size])``."""
        text = ""
        for i, p in enumerate(self.parameters):
            word = f"{p.name}, ..." if p.many else p.name
            comma = ", " if i else ""
            text += f"[{comma}{word}]" if p.optional else comma + word
        return f"{self.name}({text})"

    def load(self) -> Callable[..., Any]:
        """The function itself."""
        return _load(self.target)


@cache
def _load(target: str) -> Callable[..., Any]:
    module, _, attribute = target.partition(":")
    found = import_module("laycalc." + module)
    vocabulary = getattr(found, "VOCABULARY", None)
    return vocabulary[attribute] if vocabulary is not None else getattr(found, attribute)  # type: ignore[no-any-return]


@cache
def _index() -> dict[str, Function]:
    from .function_rows import ROWS

    found: dict[str, Function] = {}
    for row in ROWS:
        for name in (row.name, *row.aliases):
            found[name] = row
    return found


def find(name: str) -> Function | None:
    """The function with this name or alias."""
    return _index().get(name)


def functions() -> Iterator[Function]:
    """Every function once, in the order of the table."""
    from .function_rows import ROWS

    yield from ROWS


def nearest(name: str, others: Iterator[str] | list[str] = ()) -> str | None:  # type: ignore[assignment]
    """The known name that ``name`` was probably meant to be."""
    from difflib import get_close_matches

    found = get_close_matches(name, [*_index(), *others], n=1, cutoff=0.7)
    return found[0] if found else None
