"""The text of words.tsv: every function of the language with what it says of itself; `laycalc.generate` writes it."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from textwrap import dedent

from laycalc.algebra.base.words import WORDS

from .functions import FAMILIES

INDEX = Path(__file__).with_name("words.tsv")
ROOMS = ("laycalc.algebra", "laycalc.atoms", "laycalc.design", "laycalc.grammar.language")
"""Where functions of the language are defined."""


def gathered() -> str:
    """The text of words.tsv: a line for each function, by family, then by name."""
    for room in filter(find_spec, ROOMS):
        for module in walk_packages(import_module(room).__path__, f"{room}."):
            import_module(module.name)
    order = list(FAMILIES)
    rows = [(*_fields(text), function.__module__.removeprefix("laycalc.")) for function, text in WORDS.values()]
    rows.sort(key=lambda row: (order.index(row[0]), row[1]))
    return "".join("\t".join(row) + "\n" for row in rows)


def _fields(text: str) -> tuple[str, ...]:
    """family, name, arguments, result, aliases, help, law, example, over."""
    # A signature that is too long for a line goes on after a comma.
    head, *lines = re.sub(r",\n\s*", ", ", dedent(text).strip()).splitlines()
    marked = {}
    for mark in ("law", "over"):
        marked[mark] = next((line.removeprefix(f"{mark}: ") for line in lines if line.startswith(f"{mark}: ")), "")
        lines = [line for line in lines if not line.startswith(f"{mark}: ")]
    if len(lines) != 2:
        raise ValueError(f"a sentence and an example are expected in {text!r}")
    help_, example = lines
    head, _, aliases = head.partition(" alias ")
    head, _, result = head.partition(" -> ")
    family, _, signature = head.partition(": ")
    name, _, arguments = signature.removesuffix(")").partition("(")
    return family, name, arguments, result, aliases.replace(",", ""), help_, marked["law"], example, marked["over"]
