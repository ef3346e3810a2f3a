"""``laycalc diff``: where two layouts differ."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ..streams.command import command
from ..streams.inputs import scope_of, shape_of
from ..streams.options import AsJson, Define, Shape
from ..streams.outfile import writing
from ..streams.output import show, terminal_width, write_json
from ..streams.value import value_of

__all__ = ["run"]


@command(130, "Where two layouts differ.", "laycalc diff '(4,8):(8,1)' '(4,8):(8,2)'")
def run(
    left: Annotated[str, typer.Argument(metavar="A", help="A layout, or a pasted form of another system.")],
    right: Annotated[str, typer.Argument(metavar="B", help="The layout to compare with.")],
    output: Annotated[str, typer.Option("--output", "-o", help="Draw both, differing cells marked.")] = "",
    shape: Shape = "",
    as_json: AsJson = False,
    define: Define = None,
) -> int:
    """Compare two layouts as functions of the index and show the cells that differ. Exit code 1 if any does."""
    from laycalc.render.draw import save
    from laycalc.render.kinds.difference import difference, difference_text

    scope = scope_of(define)
    a, b = (value_of(text, scope, shape_of(shape)) for text in (left, right))
    found = difference(a, b)
    if output:
        with writing(output):
            save((a, b), output, kind="difference")
    elif as_json:
        write_json({"schema": 1, "same": not found.indices, "text": str(found)})
    else:
        form = "rich" if sys.stdout.isatty() else "plain"
        show(difference_text(a, b, format=form, width=terminal_width()) if found.indices else str(found))
    return 1 if found.indices else 0
