"""Mojo's layout package: ``Layout(IntTuple(4, 8), IntTuple(1, 4))``, printed ``((4, 8):(1, 4))``."""

from __future__ import annotations

import re
from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor

from ...syntax import nodes
from ...syntax.nodes import Expression
from ..dialects.pieces import reading
from ..dialects.terms import Terms
from ..dialects.whole import read_python
from ..reading.form import Form
from ..reading.reading import Reading, cannot, leaf_text

__all__ = ["FORM"]

_UNKNOWN = re.compile(r"[(,]\s*+-1\s*+[,)]")


def read(text: str, shape: Any = None) -> Reading:
    """Constructors and prints of Mojo; an extent -1 is UNKNOWN_VALUE."""
    stripped = text.strip()
    if stripped.startswith("(") and ":" in stripped:
        # Printed: one pair of brackets around all.
        terms = Terms(text)
        node = terms.whole()
        inner = node.item if isinstance(node, nodes.Paren) else node
        if isinstance(inner, nodes.Pair):
            if "-1" in stripped:
                terms.note("an extent of -1 is UNKNOWN_VALUE")
            inner = nodes.Pair(inner.span, _known(inner.shape), inner.stride)
        elif isinstance(inner, nodes.Tuple) and len(inner.items) == 3:
            numbers = [i.value for i in inner.items if isinstance(i, nodes.Integer)]
            if len(numbers) == 3:
                inner = nodes.Swizzle(inner.span, *numbers)
        return reading(text, inner, terms, "mojo")
    swizzle = re.fullmatch(r"\(\s*+([0-9]{1,9})\s*+,\s*+([0-9]{1,9})\s*+,\s*+([0-9]{1,9})\s*+\)", stripped)
    if swizzle:
        return Reading("mojo", f"Sw<{swizzle[1]},{swizzle[2]},{swizzle[3]}>", source=text)
    return read_python(text, "mojo")


def _known(shape: Expression) -> Expression:
    """A shape whose leaves -1 are unknown."""
    if isinstance(shape, nodes.Integer) and shape.value == -1:
        return nodes.Unknown(shape.span, 1)
    if isinstance(shape, nodes.Paren):
        return nodes.Paren(shape.span, _known(shape.item))
    if isinstance(shape, nodes.Tuple):
        return nodes.Tuple(shape.span, tuple(map(_known, shape.items)))
    return shape


def write(value: Any, shape: Any = None) -> str:
    """``Layout(IntTuple(..), IntTuple(..))``, which has integer strides and no offset."""
    match value:
        case Layout():
            if value.semimodule != "Z":
                kind = "coordinate" if value.semimodule == "Z^P" else "XOR"
                raise cannot(f"Mojo IntTuple strides are integers: no {kind} strides")
            return f"Layout({_tuple(value.shape)}, {_tuple(value.stride)})"
        case Swizzle(bits=bits, base=base, shift=shift):
            if shift < 0:
                raise cannot("a Mojo Swizzle has no negative shift")
            return f"Swizzle({bits}, {base}, {shift})"
        case Tensor():
            raise cannot("Mojo Layout has no offset: add it to the pointer")
        case Composed():
            raise cannot("Mojo keeps a Swizzle apart from the Layout: write each on its own")
        case tuple() | int():
            return _tuple(value)
    raise cannot("Mojo has no form for tilers: use its tile functions")


def guess(text: str) -> bool:
    """``((-1, 8):(8, 1))``: an extent -1 can only be Mojo's UNKNOWN_VALUE."""
    extents, colon, _ = text.partition(":")
    return bool(colon) and extents.lstrip().startswith("((") and _UNKNOWN.search(extents) is not None


def _tuple(x: Any) -> str:
    if isinstance(x, tuple):
        return f"IntTuple({', '.join(map(_tuple, x))})"
    return leaf_text(x).replace("?", "UNKNOWN_VALUE")


FORM = Form(
    name="mojo",
    title="Mojo's layout package",
    example="Layout(IntTuple(4, 8), IntTuple(1, 4))",
    marks=("alias ", "var ", "IntTuple", "_major", "Layout.", "Layout("),
    guess=guess,
    read=read,
    write=write,
    surplus=(
        "Layout(IntTuple(4, 8), IntTuple(1, 4), colour=3)",
        "Layout.row_major(4, 8, order=3)",
    ),
)
