"""``laycalc table``: the offsets of a layout."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ..streams.command import command
from ..streams.inputs import names_a_file, scope_of
from ..streams.options import Define, LayoutText
from ..streams.output import show, terminal_width
from ..streams.value import value_of

__all__ = ["run"]


@command(
    30,
    "The offsets of a layout as a table.",
    "laycalc table '(4,8):(8,1)'",
    "laycalc table '((2,2),4):((1,8),2)' --format markdown",
)
def run(
    expr: LayoutText,
    format: Annotated[str, typer.Option(help="rich, plain, csv, markdown or json.", show_default="by terminal")] = "",
    cells: Annotated[str, typer.Option(help="What a cell shows: offset, coord or index.")] = "offset",
    limit: Annotated[int, typer.Option(help="Show the corner of a table with more cells than this.")] = 4096,
    define: Define = None,
) -> int:
    """Print the offsets with nested row and column headers; rank 3 and more as titled slices."""
    from laycalc.render.kinds.table import table

    value = value_of(expr, scope_of(define, written=names_a_file(expr)))
    chosen = format or ("rich" if sys.stdout.isatty() else "plain")
    show(table(value, format=chosen, cells=cells, limit=limit, width=terminal_width()))
    return 0
