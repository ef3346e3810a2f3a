"""Nodes that several notations of CuTe build: tensors, swizzled layouts, pointers; and what is seen beside a layout."""

from __future__ import annotations

import re

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.trees import is_shape

__all__ = ["Pointer", "Seen", "composed", "element_bits", "in_elements", "is_offset", "swizzled", "tensor"]

_TYPE = re.compile(r"\b(?:b?f|tf|u?i|s|u|int|uint|float|bfloat|half|e[0-9]m)([0-9]{1,6})")


class Seen:
    """What a text says beside its layout: ``notes``, axis ``titles``, the ``bits`` of an element, its ``family``."""

    def __init__(self) -> None:
        self.family = ""
        """The form that the first telling construct belongs to."""
        self.notes: list[str] = []
        self.bits: int | None = None
        self.titles: list[tuple[tuple[int, ...], str]] = []

    def note(self, text: str) -> None:
        """Remember a sentence once."""
        if text not in self.notes:
            self.notes.append(text)

    def is_from(self, family: str) -> None:
        """The construct at hand is of this form; the first one names the reading."""
        self.family = self.family or family


class Pointer(Expression):
    """A pointer or iterator before `` o ``: the bits of an element, a swizzle of its address, a constant offset."""

    bits: int | None = None
    swizzle: nodes.Swizzle | None = None
    offset: Expression | None = None


def element_bits(type_name: str) -> int | None:
    """The width of an element type: ``f16``, ``bf16``, ``f8E4M3FN``, ``i32``."""
    found = _TYPE.search(type_name.strip())
    return int(found[1]) if found else None


def tensor(offset: Expression, right: Expression) -> Expression:
    """``{offset} o right``."""
    span = Span(min(offset.span.start, right.span.start), max(offset.span.end, right.span.end))
    inner = offset.item if isinstance(offset, nodes.Offset) else offset
    return nodes.Binary(span, "o", nodes.Offset(offset.span, inner), right, offset.span)


def is_offset(node: Expression) -> bool:
    """May the node stand before `` o `` as the origin of a coordinate tensor?"""
    return isinstance(node, nodes.Tuple) and is_shape(node)


def composed(span: Span, outer: Expression, offset: Expression, inner: Expression) -> Expression:
    """``outer o offset o inner``."""
    return nodes.Binary(span, "o", nodes.Binary(span, "o", outer, offset, span), inner, span)


def swizzled(seen: Seen, at: Pointer, right: Expression) -> Expression:
    """``Sw o 0 o right`` for a swizzle that acts on an address of bytes, in units of elements.

    Sw<B,M,S> on bytes is Sw<B,M-k,S> on elements of 2^k bytes; bits that would fall below an element are cut.
    """
    written, bits = at.swizzle, at.bits
    assert written is not None
    swizzle = written
    if bits is None:
        seen.note(f"no element type stands beside {_text(written)}: its units are kept as written")
    else:
        seen.bits = seen.bits or bits
        swizzle = in_elements(written, bits)
        if bits & (bits - 1):
            seen.note(f"{_text(written)} counts bytes; elements of {bits} bits are no power of two: kept as written")
        elif swizzle != written:
            seen.note(f"{_text(written)} counts bytes; for elements of {bits} bits it is {_text(swizzle)}")
    return composed(at.span, swizzle, nodes.Integer(at.span, 0), right)


def in_elements(swizzle: nodes.Swizzle, bits: int) -> nodes.Swizzle:
    """A swizzle of byte addresses in units of elements."""
    if bits & (bits - 1) or bits < 1:
        return swizzle
    base = swizzle.base + 3 - (bits.bit_length() - 1)
    count = max(0, swizzle.bits + min(0, base))
    return nodes.Swizzle(swizzle.span, count, max(0, base), swizzle.shift)


def _text(swizzle: nodes.Swizzle) -> str:
    return f"Sw<{swizzle.bits},{swizzle.base},{swizzle.shift}>"
