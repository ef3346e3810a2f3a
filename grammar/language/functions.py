"""The functions of the language: what evaluator, help, completion, docs and did-you-mean know of them.

Each function says everything about itself at its definition (`laycalc.algebra.base.words`); words.tsv lists that.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.algebra.base.words import WORDS

FAMILIES = {
    "algebra": ("Layout algebra", "The operations of the algebra. Each result was checked against the law beside it."),
    "modes": ("Modes and layouts", "Parts of a layout, and layouts from parts."),
    "coordinates": ("Coordinates", "Indices, coordinates and how shapes relate."),
    "values": ("Values and questions", "What a layout does, as a list, a table or a truth."),
    "atoms": ("Instructions", "Hardware instructions, alone and tiled over threads and values."),
    "categories": ("Morphisms", "Layouts as morphisms of nested tuples: `domain --(map)--> codomain`."),
}
"""The families in the order of the reference: title and what they are about."""


class Parameter(Record):
    """One argument: its name, its kind (a word of `coerce`), whether it may be left out or repeated."""

    name: str
    kind: str
    optional: bool = False
    many: bool = False


class Function(Record):
    """A function as it describes itself; ``module`` below laycalc defines it and is imported at the first call."""

    family: str
    name: str
    arguments: str
    result: str
    aliases: tuple[str, ...]
    help: str
    law: str
    example: str
    over: str
    module: str

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The arguments that it takes."""
        return _parameters(self.arguments)

    @property
    def signature(self) -> str:
        """``name(A, B[, size])``."""
        text = ""
        for i, p in enumerate(self.parameters):
            word = f"{p.name}, ..." if p.many else p.name
            comma = ", " if i else ""
            text += f"[{comma}{word}]" if p.optional else comma + word
        return f"{self.name}({text})"

    def default(self, position: int) -> Any:
        """The value of an argument that may be left out, where one behind it is given."""
        from inspect import signature

        return list(signature(self.load()).parameters.values())[position].default

    def load(self) -> Callable[..., Any]:
        """The function itself, over all kinds of layouts that it takes."""
        return _load(self)


@cache
def _parameters(text: str) -> tuple[Parameter, ...]:
    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, kind = map(str.strip, part.partition(":"))
        found.append(Parameter(name, kind.rstrip("?."), kind.endswith("?"), "..." in kind))
    return tuple(found)


@cache
def _load(row: Function) -> Callable[..., Any]:
    import_module("laycalc." + row.module)
    function = WORDS[row.name][0]
    if row.over == "inside":
        from laycalc.algebra.values.lifting import lift

        return lift(function)
    if row.over == "shape":
        from .readings import over_shape

        return over_shape(function)
    return function


@cache
def _lines() -> dict[str, str]:
    """The line of words.tsv of each name and alias; a line is read when its function is asked for."""
    with open(os.path.join(os.path.dirname(__file__), "words.tsv"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    found = {}
    for line in lines:
        _, name, _, _, aliases, _ = line.split("\t", 5)
        for each in (name, *aliases.split()):
            found[each] = line
    return found


@cache
def _row(line: str) -> Function:
    family, name, arguments, result, aliases, *others = line.split("\t")
    help_, law, example, over, module = others
    return Function(family, name, arguments, result, tuple(aliases.split()), help_, law, example, over, module)


def find(name: str) -> Function | None:
    """The function with this name or alias."""
    line = _lines().get(name)
    return None if line is None else _row(line)


def functions() -> Iterator[Function]:
    """Every function once, by family, then by name."""
    yield from map(_row, dict.fromkeys(_lines().values()))


def nearest(name: str, others: Iterable[str] = ()) -> str | None:
    """The known name that ``name`` was probably meant to be."""
    from difflib import get_close_matches

    found = get_close_matches(name, [*_lines(), *others], n=1, cutoff=0.7)
    return found[0] if found else None
