"""MLIR memrefs: ``memref<4x8xf32, strided<[8, 1], offset: 16>>``."""

from __future__ import annotations

import re
from math import prod
from typing import Any

from laycalc.algebra.finding.fit import fit

from ..reading.affine import box, evaluate, sizes_of
from ..reading.affine_text import Cursor
from ..reading.form import Form
from ..reading.reading import RANK_LIMIT, Reading, bad, cannot, limit
from .strided import flat_strides
from .views import row_major

__all__ = ["FORM"]

_MEMREF = re.compile(r"memref<(?P<dims>(?:(?:\d+|\?)x)*)(?P<type>[\w!.]+(?:<[^<>]*>)?)(?P<rest>[^\n]*)", re.DOTALL)
_STRIDED = re.compile(
    r"\s*+,\s*+strided<\s*+\[(?P<strides>[^\]]*)\]\s*+(?:,\s*+offset\s*+:\s*+(?P<offset>\?|-?\d{1,400})\s*+)?>"
)
_MAP = re.compile(r"\s*+,\s*+affine_map<")


def recognise(text: str) -> bool:
    """Is there a memref, and none of the CuTe dialect?"""
    return re.search(r"(?<![.\w])memref<", text) is not None


def read(text: str, shape: Any = None) -> Reading:
    """A memref type; without a layout it is row-major, an unknown stride or offset is a symbol."""
    found = re.search(r"(?<![.\w])memref<.*", text, re.DOTALL)
    match = _MEMREF.match(text, found.start()) if found else None
    if match is None:
        raise bad(
            text, found.start() if found else 0, len(text), "this is no memref", "memref<4x8xf32, strided<[8, 1]>>"
        )
    dims = _dims(text, match)
    rest, at = match["rest"], match.start("rest")
    lost = {"lost": "element type, memory space", "shape": list(dims)}
    if (mapped := _MAP.match(rest)) is not None:
        return _mapped(text, dims, at + mapped.end(), lost)
    strided = _STRIDED.match(rest)
    closing = rest[strided.end() if strided else 0 :]
    if not re.match(r"\s*+(?:,[^<>]*+(?:<[^<>]*+>)?+\s*+)?>", closing):
        raise bad(
            text,
            at,
            len(text),
            "the type is not closed" if ">" not in closing else "a layout strided<[..]> is expected",
        )
    if strided is None:
        if any(d == "?" for d in dims[1:]):
            strides: tuple[Any, ...] = tuple(
                "?" if "?" in dims[k + 1 :] else prod(dims[k + 1 :]) for k in range(len(dims))
            )
        else:
            strides = row_major(tuple(1 if d == "?" else d for d in dims))
        return _reading(text, dims, strides, 0, lost)
    strides = _entries(text, strided["strides"], at + strided.start("strides"))
    if len(strides) != len(dims):
        raise bad(text, at + strided.start("strides"), at + strided.end("strides"), f"{len(dims)} strides are expected")
    offset = strided["offset"]
    return _reading(text, dims, strides, "?" if offset == "?" else int(offset or "0"), lost)


def _dims(text: str, match: re.Match[str]) -> tuple[Any, ...]:
    parts = [p for p in match["dims"].split("x") if p]
    if len(parts) > RANK_LIMIT or any(len(p) > 40 for p in parts):
        raise limit(
            text, *match.span("dims"), f"more than {RANK_LIMIT} dimensions, or an extent of more than 40 digits"
        )
    return tuple("?" if p == "?" else int(p) for p in parts)


def _entries(text: str, inside: str, at: int) -> tuple[Any, ...]:
    parts = [p.strip() for p in inside.split(",") if p.strip()]
    if any(p != "?" and (not re.fullmatch(r"-?\d{1,400}", p)) for p in parts):
        raise bad(text, at, at + len(inside), "a stride is an integer or ?")
    return tuple("?" if p == "?" else int(p) for p in parts)


def _reading(text: str, dims: tuple[Any, ...], strides: tuple[Any, ...], offset: Any, facts: dict[str, Any]) -> Reading:
    if not dims:
        return Reading("memref", "1:0", facts=facts, source=text)
    named = tuple(f"S{k}" if d == "?" else d for k, d in enumerate(strides))
    notes = []
    if named != strides:
        notes.append("unknown strides are the symbols " + ", ".join(str(d) for d in named if isinstance(d, str)))
    if offset == "?":
        notes.append("the unknown offset is the symbol O")
    layout = f"{_tuple(dims)}:{_tuple(named)}"
    prefix = "{O} o " if offset == "?" else f"{{{offset}}} o " if offset else ""
    return Reading("memref", prefix + layout, tuple(notes), facts=facts, source=text)


def _tuple(leaves: tuple[Any, ...]) -> str:
    return str(leaves[0]) if len(leaves) == 1 else f"({','.join(map(str, leaves))})"


def _mapped(text: str, dims: tuple[Any, ...], position: int, facts: dict[str, Any]) -> Reading:
    """``affine_map<(i, j) -> (..)>``: tabulated over the box."""
    sizes = sizes_of(dims, text)
    cursor = Cursor(text, position)
    cursor.expect("(")
    names = [cursor.name()] if not cursor.at(")") else []
    while cursor.accept(","):
        names.append(cursor.name())
    cursor.expect(")")
    cursor.expect("->")
    cursor.expect("(")
    results = [cursor.expression()]
    while cursor.accept(","):
        results.append(cursor.expression())
    cursor.expect(")")
    cursor.expect(">")
    if len(names) != len(sizes):
        raise bad(text, position, cursor.end, f"the map has {len(names)} inputs, the memref {len(sizes)} dimensions")
    env = dict(zip(names, box(sizes), strict=True))
    columns = [evaluate(tree, env, prod(sizes)) for tree in results]
    if any(min(c) < 0 for c in columns):
        raise cannot("the map has negative results", source=text)
    values = [0] * prod(sizes)
    for column in columns:
        values = [a * (max(column) + 1) + c for a, c in zip(values, column, strict=True)]
    found = fit(values, sizes)
    if found.value is None:
        raise cannot("a skewed affine map is neither strides nor XOR", source=text, notes=(found.reason,))
    return Reading("memref", str(found.value), facts=facts, value=found.value, source=text)


def write(value: Any, shape: Any = None) -> str:
    """A memref of f32; a mode that is no single leaf becomes several dimensions."""
    sizes, strides, offset, _ = flat_strides(value, "a memref")
    if any(type(x) is not int for x in (*sizes, *strides, offset)):
        raise cannot("a memref writes what is not known as ?, and loses its name: bind the symbols first")
    dims = "".join(f"{n}x" for n in sizes)
    if offset == 0 and strides == row_major(sizes):
        return f"memref<{dims}f32>"
    at = f", offset: {offset}" if offset else ""
    return f"memref<{dims}f32, strided<[{', '.join(map(str, strides))}]{at}>>"


FORM = Form(
    name="memref",
    title="MLIR memref",
    example="memref<4x8xf32, strided<[8, 1], offset: 16>>",
    lost="the element type and the memory space; written: the nesting of modes",
    marks=("memref<",),
    recognise=recognise,
    order=40,
    read=read,
    write=write,
)
