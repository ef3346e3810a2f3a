"""XLA and JAX: ``f32[64,256]{1,0:T(8,128)}``, a shape with the order of its dimensions and tiles."""

from __future__ import annotations

import re
from math import prod
from typing import Any

from laycalc.diagnostics.model import Failure

from ..reading.form import Form
from ..reading.reading import RANK_LIMIT, Reading, bad, cannot, limit
from .xla_rule import digits, layout, padded_size, tabulated
from .xla_write import write

__all__ = ["FORM"]

_TYPES = r"(?:pred|bf16|token|opaque|[fsucFSU]\d+(?:e\d+m\d+\w*)?|F32|BF16|f8\w*|c64|c128)"
_SHAPE = re.compile(
    rf"(?<![\w\[])(?P<type>{_TYPES})\[(?P<dims>[\d,<=\s]*)\](?!\[)(?:\{{(?P<order>[\d,\s]*)(?P<tail>(?::[^{{}}]*)?)\}})?"
)
_TILES = re.compile(r"\(([\d,*\s]+)\)")
_SUFFIX = re.compile(r"[A-SU-Z]\([^()]*\)|#\([^()]*\)")
_LINE = re.compile(
    rf"\s*+(?:ROOT\s+)?(?:%?[\w.-]+\s*+=\s*+)?\(*{_TYPES}\[[\d,<=\s]*\](?!\s*+[\[.])|.*entry_computation_layout=|\s*+HloModule\b",
    re.DOTALL,
)
_MAX = 1 << 40


def recognise(text: str) -> bool:
    """Does a line with an XLA shape begin here?"""
    found = _LINE.match(text)
    return found is not None and _SHAPE.search(text) is not None and "==" not in text


def read(text: str, shape: Any = None) -> Reading:
    """One shape, or all shapes of a line of HLO in turn."""
    shapes = list(_SHAPE.finditer(text))
    if not shapes:
        raise bad(text, 0, len(text), "a shape is expected", "f32[64,256]{1,0:T(8,128)}")
    readings = [_read(text, found) for found in shapes[:1000]]
    if len(readings) == 1:
        return readings[0]
    named = tuple((found[0], r.expression) for found, r in zip(shapes, readings, strict=False))
    return readings[0].replace(
        named=named, notes=(*readings[0].notes, f"the first of {len(readings)} shapes; all are kept by name")
    )


def _read(text: str, found: re.Match[str]) -> Reading:
    notes = []
    dims, order, tiles = _parts(text, found)
    if "<=" in found["dims"]:
        notes.append("a dimension with <= is only an upper bound")
    if dropped := " ".join(_SUFFIX.findall(found["tail"] or "")):
        notes.append(f"{dropped} was dropped: it does not change the layout")
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


def _parts(text: str, found: re.Match[str]) -> tuple[tuple[int, ...], list[int], list[list[int | None]]]:
    """Sizes, minor to major, tiles (None is ``*``)."""
    dims = _numbers(text, found, "dims", found["dims"].replace("<=", ""))
    if len(dims) > RANK_LIMIT:
        raise limit(text, *found.span("dims"), f"more than {RANK_LIMIT} dimensions")
    rank = len(dims)
    order = (
        _numbers(text, found, "order", found["order"] or "") if found["order"] is not None else tuple(range(rank))[::-1]
    )
    if rank and not order and found["order"] is not None:
        order = tuple(range(rank))[::-1]
    if sorted(order) != list(range(rank)):
        raise bad(text, *found.span("order"), f"minor to major is a permutation of 0..{rank - 1}")
    if any(n < 1 for n in dims):
        raise cannot("an array with a dimension of 0 has no elements", source=text)
    tail = found["tail"] or ""
    tiles: list[list[int | None]] = []
    if (start := tail.find("T(")) >= 0:
        end = start + 1
        while match := _TILES.match(tail, end):
            parts = [t.strip() for t in match[1].split(",")]
            if any(t != "*" and (not t.isdigit() or len(t) > 12 or int(t) < 1) for t in parts) or parts[-1] == "*":
                raise bad(text, *found.span("tail"), "a tile is a list of positive integers or *", "the last is no *")
            tiles.append([None if t == "*" else int(t) for t in parts])
            end = match.end()
    elif tail and not _SUFFIX.search(tail) and tail.strip(": "):
        raise bad(text, *found.span("tail"), "tiles are expected", ":T(8,128)")
    return dims, list(order), tiles


def _numbers(text: str, found: re.Match[str], group: str, inside: str) -> tuple[int, ...]:
    parts = [p.strip() for p in inside.split(",") if p.strip()]
    if any(not p.isdigit() or int(p[:14]) > _MAX or len(p) > 13 for p in parts):
        raise bad(text, *found.span(group), "integers are expected")
    return tuple(map(int, parts))


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
)  # fmt: skip
