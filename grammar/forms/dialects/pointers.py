"""Pointers and iterators in front of `` o ``, as C++ and the DSL print them, to `Pointer`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.reading import argument_error
from ..reading.tokens import Token, swizzle_in
from .kinds import Pointer, element_bits, element_type
from .reader import Reader

__all__ = ["Fields", "pointer", "pointer_fields", "split_fields"]

_SPACES = r"(?:gmem|smem|rmem|tmem|lmem|dsmem|raw|trans|generic|sub|sparse<[0-9]+>)"
_POINTER = re.compile(
    rf"_?(?:{_SPACES}_)*(?:sub)?(?:ptr|{_SPACES}_(?=\[))"
    r"(?:_(?P<old>[0-9]{1,6})b)?(?:\[(?P<bits>[0-9]{1,6})b\])?(?P<address>\((?:[^()\n]|\([^()\n]*\))*\))?"
)
_TYPED = re.compile(r"ptr<(?P<fields>(?:[^<>]|<[^<>]*+>)*+)>")
_ITERATOR = re.compile(r"(?:\w+::)*\w*Iterator(?:<[^<>]*>)?(?=\s+o\b)")
_ADDRESS = re.compile(r"0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]+)?(?:@\w+)?")
_OFFSETS = re.compile(r"(?:ArithTuple(?:Iter|Iterator)?|counting_iter)(?=\()")
_COMPOSES = re.compile(r"\s*+(?:o|∘)(?!\w)")
_FLAG = re.compile(r"smem_ptr_flag(?!\w)")
_FIELD = re.compile(
    rf"{_SPACES}|align<\s*+[0-9]++\s*+>|(?P<swizzle>S(?:w|wizzle)?<[^<>]*>)|(?:[!#%]?\w[\w.]*)?0[xX][0-9a-fA-F.]+(?:@\w+)?"
    r"|\(?nil\)?|unset|(?:[A-Z]+_)*[A-Z]+|%\w+|0"
)


class Fields(NamedTuple):
    """What stands beside the address of a pointer: the width of an element, a swizzle of the address."""

    bits: int | None = None
    swizzle: nodes.Swizzle | None = None


def split_fields(text: str, start: int, end: int, separators: str = ",") -> Iterator[Span]:
    """The parts of ``text[start:end]`` between commas outside of brackets and quotes, without blanks around them."""
    level, begin, quoted = 0, start, False
    for i in range(start, end + 1):
        c = text[i] if i < end else separators[0]
        if c == '"':
            quoted = not quoted
        elif c in "<([{" and not quoted:
            level += 1
        elif c in ">)]}" and not quoted and text[i - 1] != "-":
            level -= 1
        elif c in separators and (i == end or (level == 0 and not quoted)):
            part = text[begin:i]
            lead = len(part) - len(part.lstrip())
            if part.strip():
                yield Span(begin + lead, begin + len(part.rstrip()))
            begin = i + 1


def pointer_fields(text: str, start: int, end: int, separators: str = ",:") -> Fields:
    """Each field of a pointer is known, or refused: ``0x400: f16, smem, align<1024>, S<3,4,3>``."""
    bits, swizzle = None, None
    for span in split_fields(text, start, end, separators):
        word = text[span.start : span.end]
        field = _FIELD.fullmatch(word)
        if field is not None and field["swizzle"]:
            swizzle = swizzle_in(word, span.start)
            if swizzle is None:
                raise argument_error(text, *span, "a swizzle has three integers B, M, S")
        elif field is None:
            bits = _width(word)
            if bits is None:
                raise argument_error(text, *span, f"a pointer has no field {word}")
    return Fields(bits, swizzle)


def _width(word: str) -> int | None:
    found = element_type(word.removesuffix("*").strip().rpartition("::")[2], Span(0, 0))
    return getattr(found, "bits", None) or (element_bits(word) if re.fullmatch(r"\w+", word) else None)


def pointer(reader: Reader, token: Token) -> Expression | None:
    """The pointer or iterator that begins at a token, or None."""
    text, start = reader.text, token.start
    if token.kind == "swizzle":
        # `Sw<3,4,3>_smem_ptr[16b](0x..)`: the pointer carries the swizzle.
        found = _POINTER.match(text, token.end) if text.startswith("_", token.end) else None
        return None if found is None else _spaced(reader, found, start, swizzle_in(token.text, start))
    for pattern, read in _READERS:
        if (found := pattern.match(text, start)) is not None and (node := read(reader, found)) is not None:
            return node
    return None


def _address(reader: Reader, found: re.Match[str]) -> Pointer:
    return _jump(reader, Pointer(Span(*found.span())))


def _typed(reader: Reader, found: re.Match[str]) -> Pointer:
    """``ptr<f16, smem, align<1024>, S<3,4,3>>``: the swizzle of a pointer type acts on the address."""
    return _jump(reader, Pointer(Span(*found.span()), *pointer_fields(reader.text, *found.span("fields"))))


def _named(reader: Reader, found: re.Match[str]) -> Pointer | None:
    """``smem_ptr[16b](0x..)``; a name that only looks like one has neither bits nor address, and composes nothing."""
    if found["bits"] or found["old"] or found["address"] or _COMPOSES.match(reader.text, found.end()):
        return _spaced(reader, found, found.start(), None)
    return None


def _spaced(reader: Reader, found: re.Match[str], start: int, swizzle: nodes.Swizzle | None) -> Pointer:
    width = found["bits"] or found["old"]
    bits = int(width) if width else None
    if found["address"]:
        inside = pointer_fields(reader.text, found.start("address") + 1, found.end("address") - 1)
        bits, swizzle = bits or inside.bits, swizzle or inside.swizzle
    reader.note("the pointer was dropped" + (f"; an element has {bits} bits" if bits is not None else ""))
    return _jump(reader, Pointer(Span(start, found.end()), bits, swizzle))


def _flag(reader: Reader, found: re.Match[str]) -> Pointer:
    reader.take()
    return Pointer(Span(*found.span()), 1)


def _iterator(reader: Reader, found: re.Match[str]) -> Pointer:
    reader.note("the iterator was dropped")
    return _jump(reader, Pointer(Span(*found.span())))


def _offsets(reader: Reader, found: re.Match[str]) -> Pointer:
    """``ArithTuple(_0,_32)``, ``counting_iter(5)``: an iterator that is an offset."""
    reader.take()
    opened = reader.take()
    items = reader.items(")", opened)
    alone = found[0] == "counting_iter" and len(items) == 1
    offset = items[0] if alone else nodes.Tuple(Span(opened.start, reader.end), items)
    return Pointer(Span(found.start(), reader.end), None, None, offset)


_READERS: tuple[tuple[re.Pattern[str], Callable[[Reader, re.Match[str]], Pointer | None]], ...] = (
    (_ADDRESS, _address),
    (_TYPED, _typed),
    (_POINTER, _named),
    (_FLAG, _flag),
    (_ITERATOR, _iterator),
    (_OFFSETS, _offsets),
)


def _jump(reader: Reader, found: Pointer) -> Pointer:
    """Go on after a pointer, which is no sequence of tokens."""
    reader.is_from("printed")
    reader.jump(found.span.end)
    reader.bits = reader.bits or found.bits
    return found
