"""``laycalc help``: the functions of the language."""

from __future__ import annotations

from itertools import groupby
from textwrap import fill
from typing import Annotated

import typer

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.language.functions import Function, find, functions, nearest

from ..streams import completion
from ..streams.command import command
from ..streams.output import terminal_width, write_line

__all__ = ["describe", "run"]

_OPERATORS = {
    "o": "composition",
    "/": "logical_divide",
    "*": "logical_product",
    "^*": "complement",
    "^-1": "inverse",
    "^R": "right_inverse",
    "^L": "left_inverse",
    "===": "equal",
    "~": "congruent",
    "<~": "weakly_congruent",
    "<=": "compatible",
}
"""The function that an operator stands for."""


@command(150, "What a function of the language does.", "laycalc help coalesce", "laycalc help")
def run(
    name: Annotated[
        list[str] | None,
        typer.Argument(
            help="Functions; without one all are listed.",
            autocompletion=completion.functions,
        ),
    ] = None,
) -> int:
    """Say what a function of the language does: its law, its other names and an example."""
    if not name:
        for family, rows in groupby(functions(), key=lambda row: row.family):
            line = f"{family}: {' '.join(row.name for row in rows)}"
            width = terminal_width()
            write_line(fill(line, width, subsequent_indent="  ", break_long_words=False) if width else line)
        return 0
    for word in name:
        for line in describe(_known(word)):
            write_line(line)
    return 0


def _known(name: str) -> Function:
    function = find(_OPERATORS.get(name, name))
    if function is None:
        guess = nearest(name)
        hint = f"; did you mean {guess}?" if guess else ""
        raise Failure(Diagnostic("LC102", f"no function {name}{hint}"))
    return function


def describe(function: Function) -> list[str]:
    """The help of a function, line by line."""
    lines = [f"{function.signature}: {function.help}"]
    if function.law:
        lines.append(f"  law:     {function.law}")
    if function.aliases:
        lines.append(f"  also:    {', '.join(function.aliases)}")
    lines.append(f"  example: {function.example}")
    return lines
