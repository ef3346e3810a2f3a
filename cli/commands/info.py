"""``laycalc info``: everything about one layout."""

from __future__ import annotations

from typing import Annotated

import typer

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.language.values import kind_of

from ..streams.command import command
from ..streams.inputs import names_a_file, scope_of, shape_of
from ..streams.options import AsJson, Define, LayoutText, Shape
from ..streams.output import write_json, write_line
from ..streams.value import value_of

__all__ = ["run"]


@command(20, "Everything about one layout.", "laycalc info '((4,8),2):((16,1),8)'")
def run(
    expr: LayoutText,
    limit: Annotated[int, typer.Option(help="List up to so many values; beyond, only what the strides decide.")] = 1
    << 20,
    as_json: AsJson = False,
    shape: Shape = "",
    define: Define = None,
) -> int:
    """Tell everything about one layout: image, gaps, aliasing, contiguity, alignment, thread profile, permutation."""
    from laycalc.algebra.questions.analysis import analyse
    from laycalc.render.reports.analysis import analysis_lines, analysis_object, tractable_of

    value = value_of(expr, scope_of(define, written=names_a_file(expr)), shape_of(shape))
    if not isinstance(value, (Layout, Composed, Tensor)):
        raise Failure(Diagnostic("LC103", f"info takes a layout, not the {kind_of(value)}"))
    found, tractable = analyse(value, limit), tractable_of(value)
    if as_json:
        write_json({"schema": 1, **analysis_object(found), "tractable": tractable})
        return 0
    for line in analysis_lines(found, tractable):
        write_line(line)
    return 0
