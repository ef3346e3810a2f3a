"""What ``print`` writes: layouts with underscores, pointers of every kind before `` o ``, labelled modes, tables."""

from __future__ import annotations

import re
from typing import Any

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.reading import Reading, cannot, leaf_text
from ..reading.tokens import Token
from ..reading.trees import is_shape
from .terms import Pointer, Terms

__all__ = ["document", "element_bits", "pointer", "read", "swizzled", "tensor", "write"]

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
_SWIZZLE = re.compile(r"\bS(?:w|wizzle)?<\s*+([0-9]{1,9})\s*+,\s*+([0-9]{1,9})\s*+,\s*+(-?[0-9]{1,9})\s*+>")
_TYPE = re.compile(r"\b(?:b?f|tf|u?i|s|u|int|uint|float|bfloat|half|e[0-9]m)([0-9]{1,6})")
_TABLE = re.compile(r"\n(?=[ \t]*+(?:\+-|[0-9.|-][0-9 \t.|-]*+$))", re.MULTILINE)
_NAMED = re.compile(r"\s*+(?P<name>[A-Za-z_][\w ]{0,60}?)\s*+(?::|=(?!=))\s*+(?=[(<\[]?[\s(<\[_?]*[0-9_?\"])")
_DATA = re.compile(r"\s*+tensor\((?P<inner>.*?)\bdata\s*+=", re.DOTALL)


def read(text: str, shape: Any = None) -> Reading:
    """A printed layout or tensor, with the pointer in front and the table behind it."""
    from .rewrite import rewrite

    found = document(text)
    return found if found is not None else rewrite(text, "printed")


def document(text: str) -> Reading | None:
    """A whole print: a header line with its values below, ``tensor(.., data=``, ``PermutationMNK: (..)``."""
    from .rewrite import reading

    end = len(text)
    note = ""
    if data := _DATA.match(text):
        inner = data["inner"].rstrip().removesuffix(",")
        start, note = data.start("inner"), "the printed values were not read"
        end = start + len(inner)
        return reading(text, Terms(text, start, end), "printed", note)
    if (table := _TABLE.search(text)) and ":" in text[: table.start()] and "=" not in text[: table.start()]:
        end, note = table.start(), "the printed table was not read"
    if (named := _NAMED.match(text, 0, end)) and text[named.end() - 1] != "=" and "\n" not in text[:end].strip():
        name = named["name"].replace(" ", "")
        is_tiler = re.match(r"(?i)permutation|tiler|tile", name) is not None
        if is_tiler or not note:
            return _labelled(text, named.end(), end, name, note) if is_tiler else None
    if note:
        return reading(text, Terms(text, 0, end), "printed", note)
    return None


def _labelled(text: str, start: int, end: int, name: str, note: str) -> Reading:
    """``PermutationMNK: (..)``: a list in round brackets is a tiler here."""
    from .rewrite import reading

    terms = Terms(text, start, end)
    node = terms.whole()
    if isinstance(node, nodes.Tuple):
        node = nodes.Tiler(node.span, node.items)
    terms.note(f"the name {name} was dropped")
    return reading(text, terms, "printed", note, node)


def element_bits(type_name: str) -> int | None:
    """The width of an element type: ``f16``, ``bf16``, ``f8E4M3FN``, ``i32``."""
    found = _TYPE.search(type_name.strip())
    return int(found[1]) if found else None


def pointer(terms: Terms, token: Token) -> Expression | None:
    """The pointer or iterator that begins at a token, or None."""
    text, start = terms.text, token.start
    if token.kind == "swizzle":
        # `Sw<3,4,3>_smem_ptr[16b](0x..)`: the pointer carries the swizzle.
        if (found := _POINTER.match(text, token.end)) is None or not text.startswith("_", token.end):
            return None
        bits, base, shift = map(int, _SWIZZLE.match(token.text).groups())  # type: ignore[union-attr]
        swizzle = nodes.Swizzle(Span(token.start, token.end), bits, base, shift)
        return _pointer(terms, start, found, swizzle)
    if token.kind == "address":
        found = _ADDRESS.match(text, start)
        return _jump(terms, Pointer(Span(start, found.end()))) if found else None
    if found := _MLIR_POINTER.match(text, start):
        # The swizzle of a pointer type acts on the address.
        carried: nodes.Swizzle | None = None
        if inner := _SWIZZLE.search(found["rest"]):
            at = found.start("rest")
            span = Span(at + inner.start(), at + inner.end())
            carried = nodes.Swizzle(span, int(inner[1]), int(inner[2]), int(inner[3]))
        return _jump(terms, Pointer(Span(start, found.end()), element_bits(found["type"]), carried))
    if (found := _POINTER.match(text, start)) and (
        found["bits"] or found["old"] or found["address"] or _COMPOSES.match(text, found.end())
    ):
        return _pointer(terms, start, found, None)
    if token.text in ("smem_ptr_flag",):
        terms.take()
        return Pointer(Span(start, token.end), 1)
    if found := _ITERATOR.match(text, start):
        terms.note("the iterator was dropped")
        return _jump(terms, Pointer(Span(start, found.end())))
    if found := _OFFSETS.match(text, start):
        terms.take()
        opened = terms.take()
        items = terms.items(")", opened)
        offset = (
            items[0] if found[0] == "counting_iter" and items else nodes.Tuple(Span(opened.start, terms.end), items)
        )
        return Pointer(Span(start, terms.end), None, None, offset)
    return None


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


def swizzled(terms: Terms, at: Pointer, right: Expression) -> Expression:
    """``Sw o 0 o right`` for a swizzle that acts on an address of bytes, in units of elements.

    Sw<B,M,S> on bytes is Sw<B,M-k,S> on elements of 2^k bytes; bits that would fall below an element are cut.
    """
    written, bits = at.swizzle, at.bits
    assert written is not None
    swizzle = written
    if bits is None:
        terms.note(f"no element type stands beside {_text(written)}: its units are kept as written")
    else:
        terms.bits = terms.bits or bits
        swizzle = in_elements(written, bits)
        if bits & (bits - 1):
            terms.note(f"{_text(written)} counts bytes; elements of {bits} bits are no power of two: kept as written")
        elif swizzle != written:
            terms.note(f"{_text(written)} counts bytes; for elements of {bits} bits it is {_text(swizzle)}")
    zero = nodes.Integer(at.span, 0)
    return nodes.Binary(at.span, "o", nodes.Binary(at.span, "o", swizzle, zero, at.span), right, at.span)


def in_elements(swizzle: nodes.Swizzle, bits: int) -> nodes.Swizzle:
    """A swizzle of byte addresses in units of elements."""
    if bits & (bits - 1) or bits < 1:
        return swizzle
    base = swizzle.base + 3 - (bits.bit_length() - 1)
    count = max(0, swizzle.bits + min(0, base))
    return nodes.Swizzle(swizzle.span, count, max(0, base), swizzle.shift)


def tensor(offset: Expression, right: Expression) -> Expression:
    """``{offset} o right``."""
    span = Span(min(offset.span.start, right.span.start), max(offset.span.end, right.span.end))
    inner = offset.item if isinstance(offset, nodes.Offset) else offset
    return nodes.Binary(span, "o", nodes.Offset(offset.span, inner), right, offset.span)


def is_offset(node: Expression) -> bool:
    """May the node stand before `` o `` as the origin of a coordinate tensor?"""
    return isinstance(node, nodes.Tuple) and is_shape(node)


def _text(swizzle: nodes.Swizzle) -> str:
    return f"Sw<{swizzle.bits},{swizzle.base},{swizzle.shift}>"


def write(value: Any, shape: Any = None) -> str:
    """As C++ ``print`` writes it: every static integer with an underscore."""
    from laycalc.algebra.values.semimodule import Xor
    from laycalc.algebra.values.tensor import Tensor

    if isinstance(value, Tensor) and value.layout is None:
        raise cannot("a tensor without free modes is a single value, which print has no layout for")
    if any(isinstance(d, Xor) for d in _strides(value)):
        raise cannot("C++ CuTe prints no XOR strides")
    return _printed(value)


def _strides(value: Any) -> tuple[Any, ...]:
    from laycalc.algebra.values.layout import Layout

    inner = getattr(value, "layout", value)
    return inner.flat()[1] if isinstance(inner, Layout) else ()


def _printed(x: Any) -> str:
    from laycalc.algebra.values.layout import Layout
    from laycalc.algebra.values.semimodule import Coordinate
    from laycalc.algebra.values.swizzle import Composed, Swizzle
    from laycalc.algebra.values.tensor import Tensor
    from laycalc.algebra.values.tiler import Tiler

    match x:
        case tuple():
            return "(" + ",".join(map(_printed, x)) + ")"
        case None:
            return "_"
        case bool():
            return str(x).lower()
        case int():
            return f"_{x}"
        case Coordinate():
            if x.basis is None:
                raise cannot(f"C++ CuTe scales one basis element a stride; {x} is a sum of several")
            path, factor = x.basis
            return _printed(factor) + "".join(f"@{i}" for i in reversed(path))
        case Layout():
            return f"{_printed(x.shape)}:{_printed(x.stride)}"
        case Swizzle():
            return str(x)
        case Composed():
            return f"{x.swizzle} o {_printed(x.offset)} o {_printed(x.layout)}"
        case Tensor():
            if isinstance(x.layout, Layout) and x.layout.semimodule == "Z^P":
                return f"ArithTuple{_underscored(x.offset_text())} o {_printed(x.layout)}"
            return f"counting_iter({x.offset}) o {_printed(x.layout)}"
        case Tiler(modes=modes):
            if not any(isinstance(m, Layout) for m in modes) or not any(type(m) is int or m is None for m in modes):
                raise cannot(
                    "print writes a tiler in round brackets, where only layouts beside integers tell it from a tuple"
                )
            if any(isinstance(m, Tiler) for m in modes):
                raise cannot("print writes a tiler in round brackets, where a nested one reads as a tuple")
            return "(" + ",".join(map(_printed, modes)) + ")"
    return leaf_text(x)


def _underscored(text: str) -> str:
    return re.sub(r"(?<![\w])(-?)([0-9]+)", r"\1_\2", text)
