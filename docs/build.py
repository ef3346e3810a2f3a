"""Writes docs/reference.md from the function table and the table of codes, docs/names.md from the names of CuTe.

python docs/build.py           write what changed
python docs/build.py --check   exit 1 if one is stale
"""

from __future__ import annotations

import re
import sys
from itertools import groupby
from pathlib import Path

from laycalc.diagnostics.codes import codes
from laycalc.grammar.forms.dialects.cpp_names import CPP
from laycalc.grammar.forms.dialects.kernel_builders import BUILDERS
from laycalc.grammar.forms.dialects.python_names import CALLS
from laycalc.grammar.language.functions import FAMILIES, Function, functions
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import evaluate

HERE = Path(__file__).parent
WIDTH = 100

ABOUT_NAMES = """\
Written by `python docs/build.py` from the tables in which the readers of C++ and of the DSL look names up. An argument
that a signature has not is refused. `=None` may be left out, `*i` stands for any number of arguments, `T` for an
element type; `self` is what stands before a member. Names in `cute::`, `cutlass::` and `cute.` are the same without it.
"""

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


def names() -> str:
    """The page of CuTe's names: how each is written, and what that is here."""
    return "\n".join(
        [
            "# The names of CuTe\n",
            ABOUT_NAMES,
            "## C++\n",
            *table(CPP, "C++"),
            "## DSL\n",
            *table(CALLS, "`cute.`"),
        ]
    )


def table(text: str, system: str) -> list[str]:
    """The rows of a table under the headings that it has."""
    lines: list[str] = []
    for line in text.strip().splitlines():
        if line.startswith("# "):
            lines += [
                *([""] if lines else []),
                f"### {line[2:].capitalize()} in {system}\n",
                f"| {system} | here |",
                "|---|---|",
            ]
        elif line:
            written, made = re.split(r"\s{2,}", line, maxsplit=1)
            lines.append(f"| `{written.replace('|', '&#124;')}` | {meaning(made)} |")
    return [*lines, ""]


def meaning(made: str) -> str:
    """The expression that a row makes, or what its builder says of itself."""
    if not made.startswith("@"):
        return f"`{made}`"
    about = BUILDERS[made.split()[0][1:]].__doc__ or ""
    return about.split("\n")[0].replace("``", "`").replace("|", "&#124;")


def main(arguments: list[str]) -> int:
    """Write the pages, or with ``--check`` only compare."""
    code = 0
    for name, text in {"reference.md": reference(), "names.md": names()}.items():
        page = HERE / name
        if page.exists() and page.read_text("utf-8") == text:
            continue
        if "--check" in arguments:
            print(f"stale: {name}")
            code = 1
        else:
            page.write_text(text, encoding="utf-8", newline="\n")
            print(f"written: {name}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
