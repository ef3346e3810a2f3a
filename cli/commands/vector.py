"""``laycalc vector``: the widest legal vector of a copy."""

from __future__ import annotations

from typing import Annotated

import typer

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.language.coerce import coerce
from laycalc.grammar.language.values import kind_of

from ..streams.command import command
from ..streams.inputs import scope_of
from ..streams.options import AsJson, Bits, Define
from ..streams.output import write_json, write_line
from ..streams.value import value_of

__all__ = ["run"]


@command(
    90,
    "The widest legal vector of a copy between two layouts.",
    "laycalc vector '(4,8):(1,4)' '(4,8):(1,6)' --bits 16",
    "laycalc vector '(128,64):(64,1)' '(128,64):(64,1)' --bits 16 --arch sm100 --pointer 256,128",
)
def run(
    source: Annotated[str, typer.Argument(metavar="A", help="The layout that is read.")],
    target: Annotated[str, typer.Argument(metavar="B", help="The layout that is written.")],
    bits: Bits = 32,
    width: Annotated[int, typer.Option(help="The vector that is wanted, in bits.", show_default="128")] = 0,
    pointer: Annotated[
        str, typer.Option(help="The alignment of the pointers in bits: 128, or 128,64.", show_default="the width")
    ] = "",
    space: Annotated[str, typer.Option(help="Where both lie: global,shared or register.", show_default=False)] = "",
    pred: Annotated[
        str, typer.Option(metavar="LAYOUT", help="From the index to its predicate: (4,8):(0,1).", show_default=False)
    ] = "",
    valid: Annotated[
        str, typer.Option(metavar="MxN", help="The extents that are moved, where a tile is ragged.", show_default=False)
    ] = "",
    arch: Annotated[str, typer.Option(help="The machine; from sm100 on the width is 256 bits.")] = "",
    as_json: AsJson = False,
    define: Define = None,
) -> int:
    """Find the widest vector that moves elements from A to B, and why it is no wider.

    Exit code 1 says that it is narrower than wanted.
    """
    from laycalc.atoms.memory.vector import Sides, widest_vector

    from ..streams.found import vector_text

    scope = scope_of(define)
    predicate = value_of(pred, scope) if pred else None
    if predicate is not None and not isinstance(predicate, (Layout, Composed, Tensor)):
        raise Failure(Diagnostic("LC103", f"--pred takes a layout, not the {kind_of(predicate)}"))
    sides = Sides(_pointers(pointer), _spaces(space), predicate, _extents(valid), arch)
    # 256 bits are for global memory of the machines that have them.
    width = width or (sides.widest if arch and "shared" not in sides.spaces else 128)
    copied, written = (
        coerce(value_of(text, scope), "any-layout", "vector", name) for text, name in ((source, "A"), (target, "B"))
    )
    found = widest_vector(copied, written, bits, width, None, sides)
    if as_json:
        write_json({"schema": 1, **found.as_dict()})
    else:
        write_line(vector_text(found))
    return 0 if found.bits >= width else 1


def _pointers(text: str) -> tuple[int, int] | None:
    """One alignment for both pointers, or two."""
    if not text:
        return None
    parts = text.replace(" ", "").split(",")
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise Failure(Diagnostic("LC103", f"--pointer wants the alignment in bits, as 128 or 128,64, not {text}"))
    return int(parts[0]), int(parts[-1])


def _extents(text: str) -> tuple[int, ...]:
    """``128x60`` as extents."""
    parts = text.strip("()").replace(",", "x").replace(" ", "").split("x") if text else []
    if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise Failure(Diagnostic("LC103", f"--valid wants extents, as 128x60, not {text}"))
    return tuple(map(int, parts))


def _spaces(text: str) -> tuple[str, str]:
    parts = text.replace(" ", "").split(",") if text else ["", ""]
    if len(parts) != 2:
        raise Failure(Diagnostic("LC103", f"--space wants where source and target lie, as global,shared, not {text}"))
    return parts[0], parts[1]
