"""``laycalc vector``: the widest legal vector of a copy."""

from __future__ import annotations

from typing import Annotated

import typer

from ..streams.command import command
from ..streams.inputs import scope_of
from ..streams.options import AsJson, Bits, Define
from ..streams.output import write_json, write_line
from ..streams.value import value_of

__all__ = ["run"]


@command(
    90, "The widest legal vector of a copy between two layouts.", "laycalc vector '(4,8):(1,4)' '(4,8):(1,6)' --bits 16"
)
def run(
    source: Annotated[str, typer.Argument(metavar="A", help="The layout that is read.")],
    target: Annotated[str, typer.Argument(metavar="B", help="The layout that is written.")],
    bits: Bits = 32,
    width: Annotated[int, typer.Option(help="The vector that is wanted, in bits.")] = 128,
    pointer: Annotated[int, typer.Option(help="The alignment of both pointers in bits.", show_default="the width")] = 0,
    as_json: AsJson = False,
    define: Define = None,
) -> int:
    """Find the widest vector that moves elements from A to B, and why it is no wider.

    Exit code 1 says that it is narrower than wanted.
    """
    from laycalc.atoms.memory.vector import widest_vector

    from ..streams.found import vector_text

    scope = scope_of(define)
    found = widest_vector(value_of(source, scope), value_of(target, scope), bits, width, pointer or None)
    if as_json:
        write_json({"schema": 1, **found.as_dict()})
    else:
        write_line(vector_text(found))
    return 0 if found.bits >= width else 1
