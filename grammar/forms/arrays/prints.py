"""Sizes and strides as they print: ``size=(4, 8), stride=(8, 1)``, ``torch.Size([2, 3]) (3, 1)``, inductor's lines.

Every entry of a print counts: it is used, known to say nothing of the layout, or refused by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..reading.reading import RANK_LIMIT, argument_error, bad, limit, needs
from ..reading.signatures import Argument, bind, signature
from .elements import element_of
from .view import Element, Unfit, View, row_major

_LIST = r"[\[(](?P<{0}>[^\[\]()]*+)[\])]"
_TYPE = r"(?:torch\.|np\.|numpy\.|dtype\(')?(?:bool|b8|(?:bfloat|float|int|uint|complex|bf|f|i|u|s)\d+\w*)(?:'\))?"
_DEVICE = r"(?:cpu|cuda|xpu|mps|meta|hip)(?::\d+)?"

INDUCTOR = re.compile(
    rf"\s*+(?:[%\w.]+\s*+:\s*+)?\"?(?P<type>{_TYPE}){_LIST.format('size')}{_LIST.format('stride')}"
    rf"\s*+(?P<device>{_DEVICE})?\"?\s*+[,;]?\s*+"
)

_KEYS = {
    "size": ("size", "elements"), "sizes": ("size", "elements"), "shape": ("size", ""),
    "stride": ("stride", "elements"), "strides": ("stride", ""),
    "storage_offset": ("offset", "elements"), "offset": ("offset", ""),
    "itemsize": ("itemsize", ""), "element_size": ("itemsize", ""),
    "typestr": ("typestr", "bytes"), "dtype": ("dtype", ""),
}  # fmt: skip
"""What a key says, and whether it tells that strides count elements or bytes."""

_UNUSED = frozenset(
    {"device", "data", "version", "descr", "ndim", "requires_grad", "nbytes", "layout", "is_contiguous"}
)
"""Keys that say nothing of the layout."""

_PRINT = signature("array(*, size, stride=None, offset=0, itemsize=None, typestr=None, dtype=None, unused=None)")

_KEY = re.compile(
    rf"['\"]?(?:[\w.]+\.)?(?P<key>{'|'.join([*_KEYS, *sorted(_UNUSED)])})['\"]?\s*+(?:\(\))?\s*+"
    r"(?:[=:]\s*+|(?=torch\.Size|[\[(]))"
)
_UNKNOWN_KEY = re.compile(r"['\"]?(?P<key>[A-Za-z_][\w.]*+)['\"]?\s*+(?:\(\))?\s*+[=:]")
_VALUE = re.compile(
    rf"(?:torch\.Size\(\s*+)?{_LIST.format('list')}(?:(?<=\])\s*+\))?|(?P<string>'[^']*'|\"[^\"]*\")|(?P<type>{_TYPE})"
    rf"|(?P<device>{_DEVICE})|(?P<number>-?\d{{1,400}})(?![\w.])|(?P<word>None|True|False|torch\.strided)"
)
_NESTED = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")
_SEPARATOR = re.compile(r"[\s,;{}]*+")
_LEAF = re.compile(r"-?\s*+\w+(?:\s*+\*\s*+\w+)*")


def inductor(text: str, found: re.Match[str]) -> View:
    """``f32[8, 128, 64][8192, 64, 1]cuda:0``, with the name of the argument in front or not."""
    return _view(text, leaves(text, *found.span("size")), leaves(text, *found.span("stride")), 0, None)


def entries(text: str) -> View:
    """The view that the entries of a print tell."""
    arguments = list(_arguments(text))
    given = bind(_PRINT, text, [a._replace(name=_name(a.name)) for a in arguments])
    size, stride = given["size"], given.get("stride")
    if not isinstance(size, tuple) or not isinstance(stride, (tuple, type(None))):
        raise bad(text, 0, len(text), "sizes and strides are lists", "size=(..), stride=(..)")
    element = _element(text, given)
    in_bytes = _in_bytes(text, {a.name for a in arguments})
    if in_bytes and element is None and stride is not None:
        raise needs(text, "strides of numpy are bytes: the size of an element is not told, itemsize=.. or dtype=..")
    unit = element.itemsize if in_bytes and element is not None else 1
    strides = row_major(size, unit) if stride is None else stride
    return _view(text, size, strides, given.get("offset", 0), element if in_bytes else None)


def _in_bytes(text: str, keys: set[str]) -> bool:
    """Do the strides count bytes? numpy's do, unless a word of torch stands beside them."""
    known = {_KEYS[key][1] for key in keys if key in _KEYS}
    return "bytes" in known or ("strides" in keys and "elements" not in known and "torch.Size" not in text)


def _name(key: str) -> str:
    return "unused" if key in _UNUSED else _KEYS[key][0] if key in _KEYS else key


def _arguments(text: str) -> Iterator[Argument]:
    """Keys with their values, and the values without keys: sizes, strides, an offset, a type, a device."""
    position, unnamed = 0, iter(("shape", "stride", "storage_offset"))
    while (position := _SEPARATOR.match(text, position).end()) < len(text):  # type: ignore[union-attr]
        start, key = position, _KEY.match(text, position)
        if key is None and (other := _UNKNOWN_KEY.match(text, position)):
            raise argument_error(text, *other.span("key"), f"{other['key']} is none of the entries that are covered")
        position = key.end() if key else position
        name = key["key"] if key else ""
        value, position = _value(text, position, name)
        if name in _UNUSED:
            continue
        if not name:
            name = _told_by(value, unnamed)
            if not name:
                raise bad(text, start, position, "this is not understood beside sizes, strides and an offset")
        if name == "strides" and value is None:
            continue
        if name:
            yield Argument(name, value, start, position)


class _Word(str):
    """A value that is a word: a type, a device, a string."""


class _Type(_Word):
    """A type of elements."""


class _Device(_Word):
    """A device."""


def _told_by(value: Any, unnamed: Iterator[str]) -> str:
    """The key of a value without one."""
    if isinstance(value, _Type):
        return "dtype"
    if isinstance(value, _Device):
        return "device"
    if isinstance(value, (tuple, int)):
        return next(unnamed, "")
    return ""


def _value(text: str, position: int, name: str) -> tuple[Any, int]:
    if name in ("data", "descr") and (nested := _balanced(text, position)):
        return None, nested
    found = _VALUE.match(text, position)
    if found is None:
        raise bad(text, position, position + 1, "sizes and strides are expected", "size=(..), stride=(..)")
    if found["list"] is not None:
        return leaves(text, *found.span("list")), found.end()
    if found["number"] is not None:
        return int(found["number"]), found.end()
    if found["string"] is not None:
        return _Word(found["string"][1:-1]), found.end()
    if found["type"] is not None:
        return _Type(found["type"]), found.end()
    if found["device"] is not None:
        return _Device(found["device"]), found.end()
    return None if found["word"] == "None" else _Word(found["word"]), found.end()


def _balanced(text: str, position: int) -> int:
    """Where brackets that begin here end; 0 if none do."""
    depth = 0
    for i in range(position, min(len(text), position + 1000)):
        depth += (text[i] in "([") - (text[i] in ")]")
        if depth == 0:
            return i + 1 if i > position else 0
    return 0


def _element(text: str, given: dict[str, Any]) -> Element | None:
    """The element that a size in bytes, a type or a typestr tells."""
    found: set[int] = set()
    name = ""
    try:
        if (size := given.get("itemsize")) is not None:
            found.add(size if type(size) is int and size > 0 else 0)
        for key in ("typestr", "dtype"):
            if (word := given.get(key)) is not None:
                element = element_of(re.sub(r"^dtype\('|'\)$", "", word), numpy=True)
                found.add(element.itemsize)
                name = element.name
    except Unfit as error:
        raise bad(text, 0, len(text), str(error)) from None
    if len(found) > 1 or 0 in found:
        raise bad(text, 0, len(text), f"the size of an element is {' and '.join(map(str, sorted(found)))} bytes")
    return Element(name, found.pop()) if found else None


def _view(text: str, sizes: tuple[Any, ...], strides: tuple[Any, ...], offset: int, element: Element | None) -> View:
    if len(sizes) != len(strides):
        raise bad(text, 0, len(text), f"{len(sizes)} sizes and {len(strides)} strides", "their numbers differ")
    return View(sizes, strides, offset, element)


def leaves(text: str, start: int, end: int) -> tuple[Any, ...]:
    """The entries of a list: integers, or names and products of names (unknown sizes)."""
    found: list[Any] = []
    inside = text[start:end]
    if inside.count(",") > RANK_LIMIT:
        raise limit(text, start, end, f"more than {RANK_LIMIT} dimensions")
    parts = [p.strip() for p in inside.split(",")]
    if not parts[-1]:
        parts.pop()
    for part in parts:
        if not _LEAF.fullmatch(part) or len(part) > 100:
            raise bad(text, start, end, "an entry is an integer or a name")
        found.append(int(part) if re.fullmatch(r"-?\d+", part) else part)
    return tuple(found)
