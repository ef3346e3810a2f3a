"""``laycalc design``: layouts that are searched for."""

from __future__ import annotations

from typing import Annotated

import typer

from laycalc.diagnostics.model import Diagnostic, Failure

from ..streams.command import command

__all__ = ["run"]


@command(125, "Find layouts: tasks in, answers out.", "laycalc design --jsonl tasks.jsonl")
def run(
    jsonl: Annotated[
        str, typer.Option("--jsonl", metavar="FILE", help="Tasks, an object a line; - is standard input.")
    ] = "",
) -> int:
    """Answer design tasks: an object a line in, an object with the same id a line out.

    {"id": 1, "kind": "left", "A": "(4,8):(1,8)", "C": "(2,2):(1,16)"} asks for X with A o X = C; "right" has B and C,
    "tiler" has L, T and op, compose or divide. An answer has X, or a verdict with its witness.
    """
    from ..streams.tasks import answer_lines

    if not jsonl:
        raise Failure(Diagnostic("LC103", "tasks are missing; --jsonl FILE reads them"))
    return answer_lines(jsonl)
