"""Triton's MLIR: the encodings of a text, each with the shape of its tensor.

A text is alias lines ``#name = #ttg..``, types ``tensor<64x64xf16, #name>`` and ``!ttg.memdesc<.., #smem, mutable>``
within lines of IR, or encodings alone.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from laycalc.diagnostics.model import Failure

from ..reading.attributes import Attribute, Attributes
from ..reading.reading import argument_error, bad, limit

DIALECTS = r"(?:ttg|ttng|triton_gpu|triton_nvidia_gpu)"
SPACES = frozenset({"shared_memory", "tensor_memory"})
"""Memory spaces, which are attributes and no encodings."""

_ENCODING = re.compile(rf"#{DIALECTS}\.\w+")
_TYPE = re.compile(
    rf"(?:(?P<tensor>tensor)|!(?:{DIALECTS}|tt)\.memdesc)<(?P<dims>(?:\d+x)*)(?P<type>[\w.!<>]{{0,80}}?)\s*+,\s*+(?=#)"
)
_ALIAS = re.compile(r"^[ \t]*+(?P<name>#[\w.]++)[ \t]*+=[ \t]*+(?=#)", re.MULTILINE)
_MEMORY = re.compile(
    r"\s*+(?:,\s*+#(?P<space>[\w.]++)\s*+)?(?:,\s*+mutable\s*+)?(?:,\s*+(?P<whole>\d+(?:x\d+)*)\s*+)?>"
)
_TENSOR = re.compile(r"\s*+>")
_BESIDE_ALIASES = re.compile(r"\s*+(?:(?://|#loc\w*+\s*+=|module\b).*|[{}]?\s*+)")
_BESIDE_ONE = re.compile(r"\s*+(?:[%#]?[\w.]++\s*+[:=]\s*+)?|\s*+[,;]?\s*+(?://.*)?")
_TYPES = 1000
_LONGEST = 200
"""Characters of the dimensions of a type."""


class Found(NamedTuple):
    """An encoding as the text has it, and the shape of its tensor where it is told."""

    text: str
    encoding: Attribute
    shape: tuple[int, ...] | None


def recognise(text: str) -> bool:
    """Is there an encoding, or a type with one?"""
    return _ENCODING.search(text) is not None or _TYPE.search(text) is not None


def encodings(text: str) -> list[Found | Failure]:
    """Every type in turn; without types every alias that no other one builds on, or the encoding that stands alone.

    A type that cannot be read is the failure that says why.
    """
    reader = Attributes(text)
    spans = []
    for line in _ALIAS.finditer(text):
        reader.jump(line.start("name"))
        name = reader.alias()
        spans.append((line.start(), reader.aliases[name].end))
    types = list(_TYPE.finditer(text))
    if len(types) > _TYPES:
        raise limit(text, types[_TYPES].start(), len(text), f"more than {_TYPES:,} types")
    if types:
        return [_typed(reader, found) for found in types]
    if reader.aliases:
        _only(text, spans, _BESIDE_ALIASES, "this is no line of aliases")
        used = {name for alias in reader.aliases.values() for name in _parents(alias, reader.aliases)}
        return [
            Found(f"#{name}", attribute, None)
            for name, attribute in reader.aliases.items()
            if attribute.kind not in SPACES and name not in used
        ]
    start = _ENCODING.search(text)
    if start is None:
        raise bad(text, 0, len(text), "an encoding #ttg... is expected")
    reader.jump(start.start())
    attribute = reader.attribute()
    _only(text, [(attribute.start, attribute.end)], _BESIDE_ONE, "this belongs to no encoding")
    return [Found(text[attribute.start : attribute.end], attribute, None)]


def _parents(alias: Attribute, aliases: dict[str, Attribute]) -> list[str]:
    """The aliases that an encoding builds on."""
    parent = alias.get("parent")
    return [name for name, other in aliases.items() if isinstance(parent, Attribute) and other.given == parent.given]


def _only(text: str, spans: list[tuple[int, int]], beside: re.Pattern[str], message: str) -> None:
    """LC101 at what stands outside of the spans and is not of the kind that may."""
    at = 0
    for start, end in [*spans, (len(text), len(text))]:
        for line in re.finditer(r"[^\n]+", text[at:start]):
            if not beside.fullmatch(line[0]):
                raise bad(text, at + line.start(), at + line.end(), message)
        at = end


def _typed(reader: Attributes, found: re.Match[str]) -> Found | Failure:
    """One type: its shape, its encoding, and for a memory where it lies and what it is a part of."""
    text = reader.text
    try:
        if len(found["dims"]) > _LONGEST:
            raise limit(text, *found.span("dims"), "the dimensions of a type are too many")
        reader.jump(found.end())
        attribute = reader.attribute()
        dims = tuple(int(n) for n in found["dims"].split("x") if n)
        if attribute.kind in SPACES:
            raise bad(text, attribute.start, attribute.end, "this is a memory space, not an encoding")
        end = (_TENSOR if found["tensor"] else _MEMORY).match(text, attribute.end)
        if end is None:
            raise bad(text, attribute.end, attribute.end + 1, "this does not fit into the type")
        whole = end.groupdict().get("whole")
        if whole is not None and tuple(map(int, whole.split("x"))) != dims:
            what = f"a part of a larger buffer of {whole}: where it lies there is not told"
            raise argument_error(text, *end.span("whole"), what)
        return Found(text[found.start() : end.end()], attribute, dims or None)
    except Failure as failure:
        return failure
