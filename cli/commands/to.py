"""``laycalc to``: a value in the notation of another system."""

from __future__ import annotations

from typing import Annotated

import typer

from laycalc.diagnostics.model import Diagnostic, Failure

from ..streams.command import command
from ..streams.inputs import scope_of, shape_of
from ..streams.options import Define, Shape
from ..streams.output import write_line
from ..streams.value import value_of

__all__ = ["run"]


@command(
    100,
    "Write a value as C++, DSL, numpy, torch, LaTeX, Triton, ...",
    "laycalc to cpp '(4,8):(8,1)'",
    "laycalc to list",
)
def run(
    form: Annotated[str, typer.Argument(help="The form; 'list' names them all.")],
    expr: Annotated[str, typer.Argument(help="What to write in it.")] = "",
    shape: Shape = "",
    define: Define = None,
) -> int:
    """Write a value in another notation: cpp, dsl, pycute, numpy, torch, latex, triton, ..."""
    from laycalc.grammar.forms import write

    if form == "list" and not expr:
        return _list()
    if not expr:
        raise Failure(Diagnostic("LC103", "what to write is missing: laycalc to cpp '(4,8):(1,4)'"))
    write_line(write(value_of(expr, scope_of(define)), form, shape_of(shape)))
    return 0


def _list() -> int:
    from laycalc.grammar.forms import forms

    known = sorted(forms().values(), key=lambda form: form.name)
    width = max(len(form.name) for form in known)
    for form in known:
        write_line(f"{form.name:<{width}}  {form.title}")
    return 0
