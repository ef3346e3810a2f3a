"""Types of the CuTe dialect to nodes: the quoted layout, and the swizzle on the pointer of a memref."""

from __future__ import annotations

import re

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.reading import bad
from ..reading.tokens import Token, swizzle_in
from .builders import composed, element_bits, in_elements, tensor
from .terms import Terms

__all__ = ["cute_type"]

_HEAD = re.compile(r"!cute\.(?P<kind>\w+)<")
_QUOTED = re.compile(r'"[^"]*"')


def cute_type(terms: Terms, token: Token) -> Expression | None:
    """``!cute.KIND<...>``: the quoted layout, with a swizzle that stands beside it; None for any other mark."""
    start = token.start
    if not terms.text.startswith("!cute.", start):
        return None
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


def _memref(terms: Terms, span: Span, before: str, at: int, layout: Expression) -> Expression:
    """The swizzle of a memref stands on its pointer, and the text keeps it as it is."""
    bits = element_bits(before.split(",")[0])
    terms.bits = terms.bits or bits
    terms.note(
        "element type, memory space and alignment were dropped" + (f"; an element has {bits} bits" if bits else "")
    )
    swizzle = swizzle_in(before, at)
    if swizzle is None:
        return layout
    text = f"S<{swizzle.bits},{swizzle.base},{swizzle.shift}>"
    inner = in_elements(swizzle, bits or 8)
    converted = f"Sw<{inner.bits},{inner.base},{inner.shift}>"
    terms.note(
        f"{text} stands on the pointer, where it counts bytes; it is kept as written"
        + (f": in elements of {bits} bits it is {converted}" if bits and inner != swizzle else "")
    )
    return composed(span, swizzle, nodes.Integer(swizzle.span, 0), layout)


def _closing(terms: Terms, position: int) -> int:
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
