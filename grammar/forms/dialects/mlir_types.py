"""Types of the CuTe dialect to nodes: the quoted layouts, and the swizzle on the pointer of a memref."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.reading import argument_error, bad
from ..reading.tokens import Token
from .builders import composed, in_elements, tensor
from .pointers import pointer_fields, split_fields
from .reader import Reader

__all__ = ["closing", "cute_type"]

_HEAD = re.compile(r"!cute\.(?P<kind>[\w.]+)<")
_QUOTED = re.compile(r'(?:(?P<key>\w+)\s*+=\s*+)?<?\s*+"(?P<layout>[^"]*)"\s*+>?')
_ONE = frozenset({"layout", "composed_layout", "tile", "tiler", "int_tuple", "shape", "stride", "coord", "swizzle"})
_TILED = frozenset({"tiled_copy", "tiled_mma"})
_MAIN = ("layout_copy_tv", "layout_tv", "tv_layout", "layout_c_tv", "atom_layout_mnk", "atom_layout_MNK")


class _Quoted(NamedTuple):
    key: str
    node: Expression


def cute_type(reader: Reader, token: Token) -> Expression:
    """``!cute.KIND<...>``: its layout; every field is used or refused."""
    text, start = reader.text, token.start
    head = _HEAD.match(text, start)
    if head is None:
        raise bad(text, start, start + 6, "a type of the CuTe dialect is expected", "!cute.layout<..>")
    end = closing(reader, head.end())
    reader.is_from("mlir")
    kind, span = head["kind"].rpartition(".")[2], Span(start, end + 1)
    fields = list(split_fields(text, head.end(), end))
    if kind == "memref":
        return _memref(reader, span, fields)
    quoted = [_quoted(reader, field) for field in fields]
    reader.jump(end + 1)
    found = [q for q in quoted if q is not None]
    if not found:
        raise bad(text, *span, f"!cute.{head['kind']} without a layout", "a quoted layout is expected")
    if kind in _TILED:
        return _tiled(reader, found)
    if None in quoted:
        raise argument_error(text, *fields[quoted.index(None)], f"!cute.{head['kind']} has no such field")
    if kind == "coord_tensor" and len(found) == 2:
        return tensor(found[0].node, found[1].node)  # !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
    if len(found) > 1:
        raise argument_error(text, *fields[1], f"!cute.{head['kind']} has one layout, this is one more")
    node = found[0].node
    if kind in ("tile", "tiler") and isinstance(node, nodes.Bracket):
        return nodes.Tiler(span, node.items)
    return node


def _quoted(reader: Reader, field: Span) -> _Quoted | None:
    """``"(4,8):(1,4)"`` or ``tiler_mn = <"..">``; None for any other field."""
    found = _QUOTED.fullmatch(reader.text, *field)
    return None if found is None else _Quoted(found["key"] or "", reader.inside(*found.span("layout")))


def _tiled(reader: Reader, found: list[_Quoted]) -> Expression:
    """A tiled copy or MMA: all its layouts by name; the first of `_MAIN` is the expression."""
    main = next((q for key in _MAIN for q in found if q.key == key), found[0])
    reader.named += [(q.key or f"layout{i}", _tiler(q)) for i, q in enumerate(found)]
    reader.note(f"the expression is {main.key or 'the first layout'}; all layouts of the type are kept by name")
    return main.node


def _tiler(quoted: _Quoted) -> Expression:
    node = quoted.node
    return nodes.Tiler(node.span, node.items) if isinstance(node, nodes.Bracket) else node


def _memref(reader: Reader, span: Span, fields: list[Span]) -> Expression:
    """``f16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)"``: the swizzle of the pointer is kept as written."""
    found = _quoted(reader, fields[-1]) if fields else None
    if found is None:
        raise bad(reader.text, *span, "!cute.memref without a layout", "a quoted layout is expected")
    before = pointer_fields(reader.text, span.start + len("!cute.memref<"), fields[-1].start)
    reader.jump(span.end)
    bits, swizzle = before
    reader.bits = reader.bits or bits
    width = f"; an element has {bits} bits" if bits else ""
    reader.note(f"element type, memory space and alignment were dropped{width}")
    if swizzle is None:
        return found.node
    inner = in_elements(swizzle, bits or 8)
    converted = f": in elements of {bits} bits it is Sw<{inner.bits},{inner.base},{inner.shift}>"
    reader.note(
        f"S<{swizzle.bits},{swizzle.base},{swizzle.shift}> stands on the pointer, where it counts bytes; it is kept as "
        f"written{converted if bits and inner != swizzle else ''}"
    )
    return composed(span, swizzle, nodes.Integer(swizzle.span, 0), found.node)


def closing(reader: Reader, position: int) -> int:
    """The ``>`` that closes the type; quoted text does not count."""
    level, text, quoted = 1, reader.text, False
    for i in range(position, reader.limit):
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
