"""Writes docs/reference.md from the function table and the table of codes.

python docs/build.py           write it if it changed
python docs/build.py --check   exit 1 if it is stale
"""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

from laycalc.diagnostics.codes import codes
from laycalc.grammar.language.functions import FAMILIES, Function, functions
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import evaluate

PAGE = Path(__file__).with_name("reference.md")
WIDTH = 100

CODE_FAMILIES = {
    "LC1": "Text and arguments (exit code 2)",
    "LC2": "Values (exit code 1)",
    "LC3": "Admissibility (exit code 1)",
    "LC4": "Warnings (exit code 0 unless denied)",
    "LC5": "Checks (exit code 1)",
    "LC9": "Our own faults (exit code 3)",
}


def reference() -> str:
    """The whole page."""
    parts = [
        "# Reference\n",
        "Written by `python docs/build.py` from the table that the program itself reads. The language around these\n"
        "functions is described in [language.md](language.md).\n",
        contents(),
    ]
    for family, rows in groupby(functions(), key=lambda f: f.family):
        title, about = FAMILIES[family]
        parts += [f"## {title}\n", f"{about}\n", *map(entry, rows)]
    return "\n".join([*parts, table_of_codes()])


def contents() -> str:
    """A line of links for each family."""
    lines = []
    for family, rows in groupby(functions(), key=lambda f: f.family):
        links = ", ".join(f"[{f.name}](#{f.name.lower()})" for f in rows)
        lines.append(f"**{FAMILIES[family][0]}**: {links}\n")
    return "\n".join(lines)


def entry(function: Function) -> str:
    """One function: how it is called, what it does, and an example with its value."""
    about = f"`{function.signature}`: {function.help}."
    if function.law:
        about += f" Law: `{function.law}`."
    if function.aliases:
        about += f" Also called {' and '.join(f'`{name}`' for name in function.aliases)}."
    return f"### {function.name}\n\n{about}\n\n```layout\n{example(function.example)}\n```\n"


def example(expression: str) -> str:
    """An expression and its value as a comment: behind it, or below if that would be too long."""
    value = text_of(evaluate(expression))
    if "\n" not in value and len(expression) + len(value) + 4 <= WIDTH:
        return f"{expression}  # {value}"
    return "\n".join([expression, *(f"# {line}" for line in value.splitlines())])


def table_of_codes() -> str:
    """The table of codes."""
    lines = ["## Codes\n", "`laycalc explain CODE` shows the page of a code.\n"]
    for family, about in CODE_FAMILIES.items():
        lines += [f"### {about}\n", "| code | name | title |", "|---|---|---|"]
        lines += [f"| {c.code} | {c.name} | {c.title} |" for c in codes().values() if c.code.startswith(family)]
        lines.append("")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Write the page, or with ``--check`` only compare."""
    text = reference()
    if PAGE.exists() and PAGE.read_text("utf-8") == text:
        return 0
    if "--check" in arguments:
        print(f"stale: {PAGE.name}")
        return 1
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    print(f"written: {PAGE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
