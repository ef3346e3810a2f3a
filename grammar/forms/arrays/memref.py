"""MLIR memrefs: ``memref<4x8xf32, strided<[8, 1], offset: 16>>``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import Any

from laycalc.algebra.finding.fit import fit
from laycalc.diagnostics.model import Failure

from ..reading.affine import box, evaluate, sizes_of
from ..reading.affine_text import Cursor
from ..reading.form import Form
from ..reading.reading import RANK_LIMIT, Reading, bad, cannot, limit
from .strided import flat_strides
from .view import row_major

_HEAD = re.compile(r"(?<![.\w])memref<")
_DIMS = re.compile(r"(?P<dims>(?:(?:\d+|\?)x)*)(?P<type>[\w!.]+(?:<[^<>]*>)?)")
_STRIDED = re.compile(
    r"\s*+,\s*+strided<\s*+\[(?P<strides>[^\]]*)\]\s*+(?:,\s*+offset\s*+:\s*+(?P<offset>\?|-?\d{1,400})\s*+)?>"
)
_MAP = re.compile(r"\s*+,\s*+affine_map<")
# The memory space: a number, a string or an attribute.
_END = re.compile(r"\s*+(?:,\s*+(?:\d+(?:\s*+:\s*+\w+)?|\"[^\"]*\"|#[\w.]+(?:<[^<>]*+>)?)\s*+)?>")
_TYPES = 1000


def recognise(text: str) -> bool:
    """Is there a memref, and none of the CuTe dialect?"""
    return _HEAD.search(text) is not None


def read(text: str, shape: Any = None) -> Reading:
    """The memref types of a text; without a layout one is row-major, an unknown stride or offset is a symbol."""
    heads = list(_HEAD.finditer(text))
    if not heads:
        raise bad(text, 0, len(text), "this is no memref", "memref<4x8xf32, strided<[8, 1]>>")
    if len(heads) > _TYPES:
        raise limit(text, heads[_TYPES].start(), len(text), f"more than {_TYPES:,} types")
    if len(heads) == 1:
        return _read(text, heads[0])[0]
    readings: dict[str, Reading] = {}
    failures: list[Failure] = []
    for head in heads:
        try:
            reading, end = _read(text, head)
            readings.setdefault(text[head.start() : end], reading)
        except Failure as failure:
            failures.append(failure)
    if not readings:
        raise failures[0]
    first = next(iter(readings.values()))
    notes = tuple(dict.fromkeys(failure.diagnostic.message for failure in failures))
    if len(readings) > 1:
        named = tuple((name, reading.expression) for name, reading in readings.items())
        notes = (f"the first of {len(readings)} types; all are kept by name", *notes)
        first = first.replace(named=named)
    return first.replace(notes=(*first.notes, *notes))


def _read(text: str, head: re.Match[str]) -> tuple[Reading, int]:
    """One type, and where it ends."""
    start, at = head.start(), head.end()
    if text.startswith("*x", at):
        raise cannot("a memref without a rank has no layout", source=text)
    match = _DIMS.match(text, at)
    if match is None:
        raise bad(text, start, len(text), "this is no memref", "memref<4x8xf32, strided<[8, 1]>>")
    dims = _dims(text, match)
    facts = {"lost": "element type, memory space", "shape": list(dims)}
    if (mapped := _MAP.match(text, match.end())) is not None:
        reading, at = _mapped(text, dims, mapped.end(), facts)
        return reading, _end(text, at)
    strided = _STRIDED.match(text, match.end())
    end = _end(text, strided.end() if strided else match.end())
    if strided is None:
        return _reading(text, dims, _dense(dims), 0, facts), end
    strides = _entries(text, *strided.span("strides"))
    if len(strides) != len(dims):
        raise bad(text, *strided.span("strides"), f"{len(dims)} strides are expected")
    offset = strided["offset"]
    return _reading(text, dims, strides, "?" if offset == "?" else int(offset or "0"), facts), end


def _end(text: str, position: int) -> int:
    """Behind the memory space and the bracket that closes the type."""
    found = _END.match(text, position)
    if found is None:
        message = (
            "a layout strided<[..]> or a memory space is expected" if ">" in text[position:] else "'<' is never closed"
        )
        raise bad(text, position, len(text), message)
    return found.end()


def _dense(dims: tuple[Any, ...]) -> tuple[Any, ...]:
    """Row-major strides; behind an unknown extent they are unknown."""
    return tuple("?" if "?" in dims[k + 1 :] else prod(dims[k + 1 :]) for k in range(len(dims)))


def _dims(text: str, match: re.Match[str]) -> tuple[Any, ...]:
    parts = [p for p in match["dims"].split("x") if p]
    if len(parts) > RANK_LIMIT or any(len(p) > 40 for p in parts):
        raise limit(
            text, *match.span("dims"), f"more than {RANK_LIMIT} dimensions, or an extent of more than 40 digits"
        )
    return tuple("?" if p == "?" else int(p) for p in parts)


def _entries(text: str, start: int, end: int) -> tuple[Any, ...]:
    parts = [p.strip() for p in text[start:end].split(",")]
    if parts == [""]:
        return ()
    if any(p != "?" and (not re.fullmatch(r"-?\d{1,400}", p)) for p in parts):
        raise bad(text, start, end, "a stride is an integer or ?")
    return tuple("?" if p == "?" else int(p) for p in parts)


def _reading(text: str, dims: tuple[Any, ...], strides: tuple[Any, ...], offset: Any, facts: dict[str, Any]) -> Reading:
    named = tuple(f"S{k}" if d == "?" else d for k, d in enumerate(strides))
    notes = []
    if named != strides:
        notes.append("unknown strides are the symbols " + ", ".join(str(d) for d in named if isinstance(d, str)))
    if offset == "?":
        notes.append("the unknown offset is the symbol O")
    layout = f"{_tuple(dims)}:{_tuple(named)}" if dims else "1:0"
    prefix = "{O} o " if offset == "?" else f"{{{offset}}} o " if offset else ""
    return Reading("memref", prefix + layout, tuple(notes), facts=facts, source=text)


def _tuple(leaves: tuple[Any, ...]) -> str:
    return str(leaves[0]) if len(leaves) == 1 else f"({','.join(map(str, leaves))})"


def _mapped(text: str, dims: tuple[Any, ...], position: int, facts: dict[str, Any]) -> tuple[Reading, int]:
    """``affine_map<(i, j) -> (..)>``: tabulated over the box."""
    sizes = sizes_of(dims, text)
    cursor = Cursor(text, position)
    names = _listed(cursor, cursor.name)
    if cursor.at("["):
        raise cannot("a map with symbols has no values here", source=text)
    cursor.expect("->")
    results = _listed(cursor, cursor.expression)
    cursor.expect(">")
    if len(names) != len(sizes):
        raise bad(text, position, cursor.end, f"the map has {len(names)} inputs, the memref {len(sizes)} dimensions")
    if not results:
        raise bad(text, position, cursor.end, "the map has no result")
    env = dict(zip(names, box(sizes), strict=True))
    values = _row_major([evaluate(tree, env, prod(sizes)) for tree in results], text)
    found = fit(values, sizes)
    if found.value is None:
        raise cannot("a skewed affine map is neither strides nor XOR", source=text, notes=(found.reason,))
    return Reading("memref", str(found.value), facts=facts, value=found.value, source=text), cursor.end


def _listed(cursor: Cursor, item: Any) -> list[Any]:
    """``(item, ..)``."""
    opened = cursor.expect("(")
    found = [item()] if not cursor.at(")") else []
    while cursor.accept(","):
        found.append(item())
    cursor.expect(")", opened)
    return found


def _row_major(columns: Sequence[Sequence[int]], text: str) -> list[int]:
    """The results of a map as one offset, the last result fastest."""
    if any(min(c) < 0 for c in columns):
        raise cannot("the map has negative results", source=text)
    values = [0] * len(columns[0])
    for column in columns:
        values = [a * (max(column) + 1) + c for a, c in zip(values, column, strict=True)]
    return values


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
    surplus=(
        "memref<4x8xf32, strided<[8, 1], offset: 16, colour: 3>>",
        "memref<4x8xf32, strided<[8, 1], offset: 16>, 3, 4>",
        "memref<4x8xf32, strided<[8, 1, 1]>>",
    ),
)
