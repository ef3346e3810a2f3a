"""``laycalc diff``: where two layouts differ."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer

from laycalc.algebra.finding.fit import fit
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.run.scope import Scope

from ..streams.command import command
from ..streams.found import difference_object, fit_text
from ..streams.inputs import names_a_file, read_text, scope_of, shape_of
from ..streams.offsets import is_printed, read_table
from ..streams.options import AsJson, Define, Shape
from ..streams.outfile import writing
from ..streams.output import show, terminal_width, write_json
from ..streams.value import value_of

__all__ = ["run"]

TABLE = 1 << 24
"""A file of more bytes than this is refused."""


@command(130, "Where two layouts differ.", "laycalc diff '(4,8):(8,1)' '(4,8):(8,2)'")
def run(
    left: Annotated[str, typer.Argument(metavar="A", help="A layout, a pasted form, or a printed array.")],
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
    a, b = (_operand(text, scope, shape_of(shape)) for text in (left, right))
    found = difference(a, b)
    if output:
        with writing(output):
            save((a, b), output, kind="difference")
    elif as_json:
        write_json({"schema": 1, **difference_object(a, b, found)})
    else:
        form = "rich" if sys.stdout.isatty() else "plain"
        show(difference_text(a, b, format=form, width=terminal_width()) if found.indices else str(found))
    return 1 if found.indices else 0


def _operand(text: str, scope: Scope, shape: tuple[int, ...] | None) -> Any:
    """The layout that a text says, or that a printed array, perhaps in a file, is the table of."""
    given = read_text(text, TABLE) if os.path.isfile(text) and not names_a_file(text) else text
    if not is_printed(given):
        return value_of(given, scope, shape)
    found = fit(*read_table(given, shape, True))
    if found.value is None:
        raise Failure(Diagnostic("LC303", fit_text(found)))
    return found.value
