"""Types of the CuTe dialect: ``!cute.layout<"(4,8):(1,4)">``, ``!cute.memref<f16, smem, align<128>, "..">``."""

from __future__ import annotations

import re
from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.reading import Reading, bad, cannot
from .primaries import Primaries
from .printed import element_bits, in_elements, tensor

__all__ = ["cute_type", "read", "write"]

_HEAD = re.compile(r"!cute\.(?P<kind>\w+)<")
_QUOTED = re.compile(r'"[^"]*"')
_SWIZZLE = re.compile(r"\bS(?:w|wizzle)?<\s*+([0-9]{1,9})\s*+,\s*+([0-9]{1,9})\s*+,\s*+(-?[0-9]{1,9})\s*+>")


def read(text: str, shape: Any = None) -> Reading:
    """A type of the CuTe dialect, wherever it stands in a line of MLIR."""
    from .rewrite import rewrite

    return rewrite(text, "mlir")


def cute_type(terms: Primaries) -> Expression:
    """``!cute.KIND<...>``: the quoted layout, with a swizzle that stands beside it."""
    start = terms.token.start
    head = _HEAD.match(terms.text, start)
    if head is None:
        raise bad(terms.text, start, start + 6, "a type of the CuTe dialect is expected", "!cute.layout<..>")
    end = _closing(terms, head.end())
    quoted = [m.span() for m in _QUOTED.finditer(terms.text, head.end(), end)]
    terms.is_from("mlir")
    span = Span(start, end + 1)
    if not quoted:
        raise bad(terms.text, start, end + 1, f"!cute.{head['kind']} without a layout", "a quoted layout is expected")
    found = [terms.inside(a + 1, b - 1) for a, b in quoted]
    terms.jump(end + 1)
    if head["kind"] == "memref":
        return _memref(terms, span, terms.text[head.end() : quoted[-1][0]], head.end(), found[-1])
    if head["kind"] in ("tile", "tiler") and isinstance(found[-1], nodes.Bracket):
        return nodes.Tiler(span, found[-1].items)
    if len(found) == 2 and not isinstance(found[0], nodes.Pair):
        # !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
        return tensor(found[0], found[1])
    return found[-1]


def _memref(terms: Primaries, span: Span, before: str, at: int, layout: Expression) -> Expression:
    """The swizzle of a memref stands on its pointer, and the text keeps it as it is."""
    bits = element_bits(before.split(",")[0])
    terms.bits = terms.bits or bits
    terms.note(
        "element type, memory space and alignment were dropped" + (f"; an element has {bits} bits" if bits else "")
    )
    written = _SWIZZLE.search(before)
    if written is None:
        return layout
    swizzle = nodes.Swizzle(Span(at + written.start(), at + written.end()), *map(int, written.groups()))
    text = f"S<{swizzle.bits},{swizzle.base},{swizzle.shift}>"
    inner = in_elements(swizzle, bits or 8)
    converted = f"Sw<{inner.bits},{inner.base},{inner.shift}>"
    terms.note(
        f"{text} stands on the pointer, where it counts bytes; it is kept as written"
        + (f": in elements of {bits} bits it is {converted}" if bits and inner != swizzle else "")
    )
    zero = nodes.Integer(swizzle.span, 0)
    inside = nodes.Binary(swizzle.span, "o", swizzle, zero, swizzle.span)
    return nodes.Binary(span, "o", inside, layout, swizzle.span)


def _closing(terms: Primaries, position: int) -> int:
    """The ``>`` that closes the type; quoted text does not count."""
    level, text = 1, terms.text
    quoted = False
    for i in range(position, terms.limit):
        c = text[i]
        if c == '"':
            quoted = not quoted
        elif not quoted and c == "<":
            level += 1
        elif not quoted and c == ">" and text[i - 1] != "-":
            level -= 1
            if level == 0:
                return i
    raise bad(text, position - 1, position, "'<' is never closed", "a '>' is missing")


def write(value: Any, shape: Any = None) -> str:
    """``!cute.layout<"..">`` and its kin; coordinate strides with the innermost axis first, ``1@0``."""
    from .dsl import printed

    match value:
        case Layout():
            return f'!cute.layout<"{printed(value)}">'
        case Composed():
            return f'!cute.composed_layout<"{printed(value)}">'
        case Tensor(layout=Layout() as inner) if inner.semimodule == "Z^P":
            return f'!cute.coord_tensor<"{value.offset_text()}", "{printed(inner)}">'
        case Tensor():
            raise cannot("the CuTe dialect keeps an integer offset in the pointer, not in a type")
        case Tiler():
            return f'!cute.tile<"{printed(value)}">'
        case Swizzle():
            return f'!cute.swizzle<"{printed(value)}">'
    return f'!cute.int_tuple<"{printed(value)}">'
