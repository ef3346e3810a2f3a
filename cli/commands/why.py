"""``laycalc why``: how far a composition gets, and what stops it."""

from __future__ import annotations

from typing import Annotated

import typer

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.advice.locate import bare
from laycalc.grammar.syntax import nodes
from laycalc.grammar.syntax.parser import parse_expression

from ..streams.command import command
from ..streams.inputs import scope_of
from ..streams.options import AsJson, Define
from ..streams.output import write_json, write_line
from ..streams.value import value_of

__all__ = ["run"]


@command(140, "How far a composition gets, and what stops it.", "laycalc why '(4,3):(1,5)' 3:2")
def run(
    outer: Annotated[str, typer.Argument(metavar="A", help="The outer (left) layout.")],
    inner: Annotated[
        str, typer.Argument(metavar="[B]", help="The inner (right) layout, or a tiler; A may be 'A o B' instead.")
    ] = "",
    as_json: AsJson = False,
    define: Define = None,
) -> int:
    """Say how far A o B gets.

    Five levels, from morphisms that compose as they stand to a mere table of values; the mode at fault, the boundary it
    straddles, the nearest sizes that work, and what CUTLASS and its DSL answer.
    """
    from laycalc.algebra.categories.why import why

    scope = scope_of(define)
    left, right = (outer, inner) if inner else _sides(outer)
    found = why(value_of(left, scope), value_of(right, scope))
    if as_json:
        write_json({"schema": 1, **found.as_json()})
    else:
        write_line(str(found))
    return 0 if found.level <= 3 or found.composed else 1


def _sides(text: str) -> tuple[str, str]:
    """The operands of ``A o B`` as texts; LC103 for anything else."""
    node = bare(parse_expression(text))
    if not isinstance(node, nodes.Binary) or node.operator != "o":
        raise Failure(Diagnostic("LC103", "why takes two layouts, or one composition 'A o B'"))
    return text[node.left.span.start : node.left.span.end], text[node.right.span.start : node.right.span.end]
