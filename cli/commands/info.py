"""``laycalc info``: everything about one layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

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

if TYPE_CHECKING:
    from laycalc.algebra.questions.misses import Coverage

__all__ = ["run"]


@command(20, "Everything about one layout.", "laycalc info '((4,8),2):((16,1),8)'")
def run(
    expr: LayoutText,
    limit: Annotated[int, typer.Option(help="List up to so many values; beyond, only what the strides decide.")] = 1
    << 20,
    as_json: AsJson = False,
    tile: Annotated[str, typer.Option(help="The tile that a thread-value layout fills: 8x8.")] = "",
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
    filled = _filled(value, tile) if tile else None
    if as_json:
        data = {} if filled is None else {"tile": {name: getattr(filled, name) for name in filled.fields}}
        write_json({"schema": 1, **analysis_object(found), "tractable": tractable, **data})
        return 0
    for line in analysis_lines(found, tractable):
        write_line(line)
    if filled is not None:
        write_line(f"tile            {'; '.join(filled.lines()) or f'each of {filled.cells} cells has one owner'}")
    return 0


def _filled(layout: Any, tile: str) -> Coverage:
    """How a thread-value layout fills a tile."""
    box = shape_of(tile)
    if box is None or len(box) != 2 or not isinstance(layout.shape, tuple) or len(layout.shape) != 2:
        raise Failure(
            Diagnostic("LC103", f"--tile {tile} wants a layout of threads and values, and a tile such as 8x8")
        )
    from laycalc.algebra.questions.misses import coverage

    return coverage(layout, box)
