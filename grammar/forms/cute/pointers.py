"""Pointers and iterators in front of `` o ``, as C++ and the DSL print them, to `Pointer`."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.tokens import Token, swizzle_in
from .builders import Pointer, element_bits
from .terms import Terms

__all__ = ["pointer"]

_SPACES = r"(?:gmem|smem|rmem|tmem|lmem|dsmem|raw|trans|generic|sub|sparse<[0-9]+>)"
_POINTER = re.compile(
    rf"_?(?:{_SPACES}_)*(?:sub)?(?:ptr|{_SPACES}_(?=\[))"
    r"(?:_(?P<old>[0-9]{1,6})b)?(?:\[(?P<bits>[0-9]{1,6})b\])?(?P<address>\((?:[^()\n]|\([^()\n]*\))*\))?"
)
_MLIR_POINTER = re.compile(r"ptr<(?P<type>[^<>,]+)(?P<rest>(?:[^<>]|<[^<>]*+>)*+)>")
_ITERATOR = re.compile(r"(?:\w+::)*\w*Iterator(?:<[^<>]*>)?(?=\s+o\b)")
_ADDRESS = re.compile(r"0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]+)?(?:@\w+)?")
_OFFSETS = re.compile(r"(?:ArithTuple(?:Iter|Iterator)?|counting_iter)(?=\()")
_COMPOSES = re.compile(r"\s*+(?:o|∘)(?!\w)")
_FLAG = re.compile(r"smem_ptr_flag(?!\w)")


def pointer(terms: Terms, token: Token) -> Expression | None:
    """The pointer or iterator that begins at a token, or None."""
    text, start = terms.text, token.start
    if token.kind == "swizzle":
        # `Sw<3,4,3>_smem_ptr[16b](0x..)`: the pointer carries the swizzle.
        found = _POINTER.match(text, token.end) if text.startswith("_", token.end) else None
        return None if found is None else _pointer(terms, start, found, swizzle_in(token.text, start))
    for pattern, read in _READERS:
        if (found := pattern.match(text, start)) is not None and (node := read(terms, found)) is not None:
            return node
    return None


def _address(terms: Terms, found: re.Match[str]) -> Pointer:
    return _jump(terms, Pointer(Span(*found.span())))


def _typed(terms: Terms, found: re.Match[str]) -> Pointer:
    """``ptr<f16, smem, align<1024>, S<3,4,3>>``: the swizzle of a pointer type acts on the address."""
    swizzle = swizzle_in(found["rest"], found.start("rest"))
    return _jump(terms, Pointer(Span(*found.span()), element_bits(found["type"]), swizzle))


def _spaced(terms: Terms, found: re.Match[str]) -> Pointer | None:
    """``smem_ptr[16b](0x..)``; a name that only looks like one has neither bits nor address, and composes nothing."""
    if found["bits"] or found["old"] or found["address"] or _COMPOSES.match(terms.text, found.end()):
        return _pointer(terms, found.start(), found, None)
    return None


def _flag(terms: Terms, found: re.Match[str]) -> Pointer:
    terms.take()
    return Pointer(Span(*found.span()), 1)


def _iterator(terms: Terms, found: re.Match[str]) -> Pointer:
    terms.note("the iterator was dropped")
    return _jump(terms, Pointer(Span(*found.span())))


def _offsets(terms: Terms, found: re.Match[str]) -> Pointer:
    """``ArithTuple(_0,_32)``, ``counting_iter(5)``: an iterator that is an offset."""
    terms.take()
    opened = terms.take()
    items = terms.items(")", opened)
    alone = found[0] == "counting_iter" and items
    offset = items[0] if alone else nodes.Tuple(Span(opened.start, terms.end), items)
    return Pointer(Span(found.start(), terms.end), None, None, offset)


_READERS: tuple[tuple[re.Pattern[str], Callable[[Terms, re.Match[str]], Pointer | None]], ...] = (
    (_ADDRESS, _address),
    (_MLIR_POINTER, _typed),
    (_POINTER, _spaced),
    (_FLAG, _flag),
    (_ITERATOR, _iterator),
    (_OFFSETS, _offsets),
)


def _pointer(terms: Terms, start: int, found: re.Match[str], swizzle: nodes.Swizzle | None) -> Pointer:
    width = found["bits"] or found["old"]
    bits = int(width) if width else element_bits(found["address"] or "") if ":" in (found["address"] or "") else None
    if bits is not None:
        terms.note(f"the pointer was dropped; an element has {bits} bits")
    else:
        terms.note("the pointer was dropped")
    terms.is_from("printed")
    return _jump(terms, Pointer(Span(start, found.end()), bits, swizzle))


def _jump(terms: Terms, found: Pointer) -> Pointer:
    """Go on after a pointer, which is no sequence of tokens."""
    terms.is_from("printed")
    terms.jump(found.span.end)
    terms.bits = terms.bits or found.bits
    return found
