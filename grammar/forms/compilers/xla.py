"""XLA and JAX: ``f32[64,256]{1,0:T(8,128)}``, a shape with the order of its dimensions and tiles."""

from __future__ import annotations

import re
from math import prod
from typing import Any

from laycalc.diagnostics.model import Failure

from ..reading.form import Form
from ..reading.reading import RANK_LIMIT, Reading, argument_error, bad, cannot, limit, needs
from .xla_rule import Tiles, digits, layout, padded_size, tabulated
from .xla_write import write

_TYPES = r"(?:pred|bf16|token|opaque|[fsucFSU]\d+(?:e\d+m\d+\w*)?|F32|BF16|f8\w*|c64|c128)"
_SHAPE = re.compile(
    rf"(?<![\w\[])(?P<type>{_TYPES})\[(?P<dims>[\d,<=?\s]*)\](?!\[)(?P<layout>\{{(?P<inside>[^{{}}]*)(?P<closed>\}})?)?"
)
_LINE = re.compile(
    rf"\s*+(?:ROOT\s+)?(?:%?[\w.-]+\s*+=\s*+)?\(*{_TYPES}\[[\d,<=\s]*\](?!\s*+[\[.])|.*entry_computation_layout=|\s*+HloModule\b",
    re.DOTALL,
)
_AFTER = re.compile(r"\s*+(?:[;,)\]}\"'`]++\s*+$|$|[a-z][\w-]*\s*+\(|->|\}\s*+(?:,|$))")
"""What may stand behind the only shape of a text: nothing, or the instruction that it belongs to."""

_LARGEST = 1 << 40
_SHAPES = 1000


def recognise(text: str) -> bool:
    """Does a line with an XLA shape begin here?"""
    found = _LINE.match(text)
    return found is not None and _SHAPE.search(text) is not None and "==" not in text


def read(text: str, shape: Any = None) -> Reading:
    """One shape, or all shapes of a line of HLO in turn."""
    shapes = list(_SHAPE.finditer(text))
    if not shapes:
        raise bad(text, 0, len(text), "a shape is expected", "f32[64,256]{1,0:T(8,128)}")
    if len(shapes) > _SHAPES:
        raise limit(text, shapes[_SHAPES].start(), len(text), f"more than {_SHAPES:,} shapes")
    if len(shapes) == 1 and not _AFTER.match(text, shapes[0].end()):
        raise bad(text, shapes[0].end(), len(text), "what follows the shape is no instruction of HLO")
    readings = [_read(text, found) for found in shapes]
    if len(readings) == 1:
        return readings[0]
    named = tuple((found[0], r.expression) for found, r in zip(shapes, readings, strict=True))
    return readings[0].replace(
        named=named, notes=(*readings[0].notes, f"the first of {len(readings)} shapes; all are kept by name")
    )


def _read(text: str, found: re.Match[str]) -> Reading:
    dims = _sizes(text, found)
    order, tiles, notes = _layout(text, found, len(dims))
    if "<=" in found["dims"]:
        notes.insert(0, "a dimension with <= is only an upper bound")
    padded = padded_size(dims, order, tiles)
    try:
        value: Any = layout(dims, digits(dims, order, tiles))
    except Failure as failure:
        value = tabulated(dims, order, tiles)
        if value is None:
            raise cannot(failure.diagnostic.message, source=text) from None
        notes.append(f"the rule of digits does not apply ({failure.diagnostic.message}); found by tabulating")
    logical = prod(dims)
    facts: dict[str, Any] = {"logical": list(dims), "padded_elements": padded, "lost": "the element type"}
    if padded != logical:
        facts["padding"] = round(padded / logical, 3)
        facts["lost"] = "the element type, and the logical size: the sizes of the modes are the padded ones"
        notes.append(f"padding: {padded} elements for {logical}, {padded / logical:.3f} times")
    return Reading("xla", str(value), tuple(notes), facts=facts, value=value, source=text)


def _sizes(text: str, found: re.Match[str]) -> tuple[int, ...]:
    """The dimensions; one with ``<=`` counts with its bound."""
    if "?" in found["dims"]:
        raise needs(text, "a dimension ? has no bound: its layout depends on its size")
    dims = _numbers(text, found.span("dims"), r"(?:<=)?\s*+(\d+)")
    if len(dims) > RANK_LIMIT:
        raise limit(text, *found.span("dims"), f"more than {RANK_LIMIT} dimensions")
    if any(n < 1 for n in dims):
        raise cannot("an array with a dimension of 0 has no elements", source=text)
    return dims


def _numbers(text: str, span: tuple[int, int], entry: str = r"(\d+)") -> tuple[int, ...]:
    parts = text[slice(*span)].split(",")
    if not parts[-1].strip():
        parts.pop()
    found = [re.fullmatch(entry, part.strip()) for part in parts]
    numbers = [int(m[1]) for m in found if m is not None and len(m[1]) <= 13]
    if len(numbers) < len(parts) or any(n > _LARGEST for n in numbers):
        raise bad(text, *span, "integers are expected")
    return tuple(numbers)


# ---- the layout: order, tiles and what does not move elements ----

_FIELD = re.compile(r"\s*+(?P<name>[A-Za-z]+|[#*])(?P<values>(?:\([^()]*\))++)")
_UNMOVED = {
    "D": r"\(D(?:,D)*\)",  # dimensions that are dense
    "L": r"\(\d+\)",  # elements to which the end is padded
    "#": r"\(\w+\)",  # types of the indices of sparse arrays
    "*": r"\(\w+\)",
    "E": r"\(\d+\)",  # bits of an element
    "S": r"\(\d+\)",  # memory space
    "M": r"\(\d+\)",  # bytes before the array
}
"""Fields that say where the array lies and what its elements are, and move none of them."""

_MOVED = {
    "D": "a dimension that is not dense (D)",
    "SC": "an array that is split between memories (SC)",
    "P": "a physical shape of its own (P)",
}


def _layout(text: str, found: re.Match[str], rank: int) -> tuple[list[int], Tiles, list[str]]:
    """``{minor_to_major:fields}``: the order, the tiles, and notes of what was dropped."""
    dense = list(range(rank))[::-1]
    if found["layout"] is None:
        return dense, [], []
    if found["closed"] is None:
        raise bad(text, found.start("layout"), found.start("layout") + 1, "'{' is never closed", "a '}' is missing")
    inside, colon, tail = found["inside"].partition(":")
    start = found.start("inside")
    order = list(_numbers(text, (start, start + len(inside)))) or dense
    if sorted(order) != dense[::-1]:
        raise bad(text, start, start + len(inside), f"minor to major is a permutation of 0..{rank - 1}")
    tiles, dropped = _fields(text, start + len(inside) + len(colon), tail)
    notes = [f"{' '.join(dropped)} was dropped: it does not change the layout"] if dropped else []
    return order, tiles, notes


def _fields(text: str, start: int, tail: str) -> tuple[Tiles, list[str]]:
    """Every field of a layout, each at most once: tiles, and those that were dropped."""
    tiles: Tiles = []
    seen: list[str] = []
    dropped: list[str] = []
    position, end = start, start + len(tail.rstrip())
    while position < end:
        field = _FIELD.match(text, position, end)
        if field is None:
            raise bad(text, position, end, "tiles are expected", ":T(8,128)")
        name, position = field["name"], field.end()
        if name in seen:
            raise argument_error(text, *field.span(), f"{name} is given twice")
        seen.append(name)
        if name == "T":
            tiles = [_tile(text, field, tile) for tile in re.findall(r"\(([^()]*)\)", field["values"])]
        elif name in _UNMOVED and re.fullmatch(_UNMOVED[name], field["values"]):
            dropped.append(field[0].strip())
        elif name in _MOVED:
            raise argument_error(text, *field.span(), f"{_MOVED[name]} is not covered")
        else:
            raise argument_error(text, *field.span(), f"{field[0].strip()} is no field of a layout that is known")
    return tiles, dropped


def _tile(text: str, field: re.Match[str], inside: str) -> list[int | None]:
    """One tile; None is ``*``, a dimension that merges with the next one."""
    parts = [t.strip() for t in inside.split(",")]
    if any(t != "*" and (not re.fullmatch(r"\d{1,12}", t) or int(t) < 1) for t in parts) or parts[-1] == "*":
        raise bad(text, *field.span(), "a tile is a list of positive integers or *", "the last is no *")
    return [None if t == "*" else int(t) for t in parts]


FORM = Form(
    name="xla",
    title="XLA and JAX shapes with tiling",
    example="f32[64,256]{1,0:T(8,128)}",
    aliases=("jax", "hlo"),
    lost="the element type, and the logical size when padded",
    marks=(
        "]{", "f64[", "f32[", "f16[", "s32[", "s8[", "s4[", "i64[", "i32[", "u32[", "u8[", "pred[",
    ),
    recognise=recognise,
    order=80,
    read=read,
    write=write,
    surplus=(
        "f32[64,256]{1,0:T(8,128)Z(3)}",
        "f32[64,256]{1,0:T(8,128)}{3}",
        "f32[64,256]{1,0,colour}",
    ),
)  # fmt: skip
