"""Types of the CuTe dialect: ``!cute.layout<"(4,8):(1,4)">``, ``!cute.memref<f16, smem, align<128>, "..">``."""

from __future__ import annotations

import re
from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler
from laycalc.diagnostics.model import Failure

from ...syntax.nodes import Expression, Span, Unread
from ..dialects.mlir_types import closing
from ..dialects.pieces import several
from ..dialects.seen import Seen
from ..dialects.terms import Terms
from ..dialects.whole import read_terms
from ..reading.form import Form
from ..reading.reading import Reading, cannot, leaf_text

__all__ = ["FORM"]


_TYPE = re.compile(r"!cute\.[\w.]+<")
_OPERATION = re.compile(
    r"\s*+(?:%[\w$.#]+(?::\d+)?(?:\s*,\s*%[\w$.#:]+)*\s*=|\"?[a-z_]+\.[\w.]+\"?[ (]|func\.|module\b|!\w+\s*=)"
)
_BESIDE = re.compile(r"[\s.,()>-]*")
_LONGEST = 1 << 16


def recognise(text: str) -> bool:
    """Are there types of the dialect among other things: operations, or several types side by side?"""
    if len(text) > _LONGEST or len(starts := [found.start() for found in _TYPE.finditer(text)]) == 0:
        return False
    return _OPERATION.match(text) is not None or (len(starts) > 1 and _BESIDE.fullmatch(_without(text)) is not None)


def read(text: str, shape: Any = None) -> Reading:
    """A type of the CuTe dialect, wherever it stands in lines of MLIR; several types are several results."""
    found, seen = _types(text)
    if len(found) < 2 and not recognise(text):
        return read_terms(text, "mlir")
    return several(text, [node for node, _ in found], seen, "mlir")


def _types(text: str) -> tuple[list[tuple[Expression, int]], Seen]:
    """The types with where they end, and what was seen in them."""
    found: list[tuple[Expression, int]] = []
    seen = Seen()
    position = 0
    while head := _TYPE.search(text, position):
        terms = Terms(text, head.start())
        try:
            node = terms.finished(terms.operand())
            position = terms.end
            seen.learn(terms)
        except Failure as failure:
            position = closing(terms, head.end()) + 1
            node = Unread(Span(head.start(), position), text[head.start() : position], failure.diagnostic)
        if all(node != other for other, _ in found):
            found.append((node, position))
    return found, seen


def _without(text: str) -> str:
    """The text with a dot for each type."""
    parts, position = [], 0
    while head := _TYPE.search(text, position):
        parts.append(text[position : head.start()])
        position = closing(Terms(text), head.end()) + 1
    return ".".join([*parts, text[position:]])


def write(value: Any, shape: Any = None) -> str:
    """``!cute.layout<"..">`` and its kin; coordinate strides with the innermost axis first, ``1@0``."""
    match value:
        case Layout():
            return f'!cute.layout<"{_printed(value)}">'
        case Composed():
            return f'!cute.composed_layout<"{_printed(value)}">'
        case Tensor(layout=Layout() as inner) if inner.semimodule == "Z^P":
            return f'!cute.coord_tensor<"{value.offset_text()}", "{_printed(inner)}">'
        case Tensor():
            raise cannot("the CuTe dialect keeps an integer offset in the pointer, not in a type")
        case Tiler():
            return f'!cute.tile<"{_printed(value)}">'
        case Swizzle():
            return f'!cute.swizzle<"{_printed(value)}">'
    return f'!cute.int_tuple<"{_printed(value)}">'


def _printed(x: Any) -> str:
    """As the DSL prints a value: no underscores, ``S<3,4,3>``, ``1@0``."""
    match x:
        case tuple():
            return "(" + ",".join(map(_printed, x)) + ")"
        case Coordinate():
            if x.basis is None:
                raise cannot(f"the DSL scales one basis element a stride; {x} is a sum of several")
            path, factor = x.basis
            return f"{factor}" + "".join(f"@{i}" for i in reversed(path))
        case Xor():
            raise cannot(f"the DSL has no XOR stride {x}")
        case Layout():
            return f"{_printed(x.shape)}:{_printed(x.stride)}"
        case Swizzle():
            return f"S<{x.bits},{x.base},{x.shift}>"
        case Composed():
            return f"{_printed(x.swizzle)} o {_printed(x.offset)} o {_printed(x.layout)}"
        case Tiler():
            return "[" + ";".join("_" if m is None else _printed(m) for m in x.modes) + "]"
        case None:
            return "_"
    return leaf_text(x)


FORM = Form(
    name="mlir",
    title="types of the CuTe dialect",
    example='!cute.layout<"(4,8):(1,4)">',
    aliases=("cute-mlir",),
    marks=("!cute", '<"'),
    recognise=recognise,
    order=45,
    read=read,
    write=write,
    surplus=(
        '!cute.layout<"(4,8):(1,4)", padded>',
        '!cute.memref<f16, smem, padded<2>, "4:1">',
        '!cute.layout<"4:1" : 3>',
    ),
)
