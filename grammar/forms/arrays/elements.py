"""Types of elements as torch and numpy name them: ``torch.float16``, ``np.int32``, ``'<i4'``, ``float``, records."""

from __future__ import annotations

import re
from typing import Any

from .view import Element, Unfit

_WORDS = {
    "double": 8, "single": 4, "float": 4, "half": 2, "int": 4, "short": 2, "byte": 1, "bool": 1, "bool_": 1, "long": 8,
    "char": 1, "longlong": 8, "intp": 8, "uintp": 8,
}  # fmt: skip
# Python's own types are wider in numpy than the words of torch.
_PYTHON = {"float": 8, "int": 8, "bool": 1, "complex": 16, "float_": 8, "int_": 8, "cdouble": 16, "csingle": 8}
_CANONICAL = {
    ("float", True): "float64", ("int", True): "int64", ("double", True): "float64", ("single", True): "float32",
    ("half", True): "float16", ("bool_", True): "bool", ("float", False): "float32", ("double", False): "float64",
    ("half", False): "float16", ("int", False): "int32", ("long", False): "int64", ("short", False): "int16",
    ("char", False): "int8", ("byte", False): "uint8",
}  # fmt: skip
"""Other words for the same types, in torch and in numpy."""

_NAMED = re.compile(r"(?:bfloat|float|int|uint|complex|b|f|i|u|s|bf)(\d{1,3})(?:_?e\d\w*)?")
_CODE = re.compile(r"[<>|=]?([biufcSV?])(\d{1,9})?")


def element_of(value: Any, *, numpy: bool = False) -> Element:
    """The element that a value of ``dtype=`` stands for; `Unfit` if it is not known."""
    if isinstance(value, list) and numpy:
        return _record(value)
    if isinstance(value, str):
        name = value.rpartition(".")[2]
        if numpy and (code := _CODE.fullmatch(value)) and value not in _PYTHON:
            return _coded(code[1], code[2])
        words = _WORDS | _PYTHON if numpy else _WORDS
        if name in words:
            return Element(_CANONICAL.get((name, numpy), name), words[name])
        bits = _NAMED.fullmatch(name)
        if bits and int(bits[1]) % 8 == 0 and int(bits[1]) > 0:
            return Element(name, int(bits[1]) // 8)
    raise Unfit(f"the type of an element is not known: {value}")


_KINDS = {"i": "int", "u": "uint", "f": "float", "c": "complex", "b": "bool", "?": "bool", "S": "bytes", "V": "void"}
_ALONE = {"b": ("int8", 1), "i": ("int32", 4), "u": ("uint32", 4), "f": ("float32", 4), "?": ("bool", 1)}


def _coded(kind: str, count: str | None) -> Element:
    """``i4``, ``f8``, ``b1``, ``S5``."""
    if count is None:
        if kind not in _ALONE:
            raise Unfit(f"the type of an element is not known: {kind}")
        return Element(*_ALONE[kind])
    bits = "" if kind in "b?" else str(8 * int(count))
    return Element(_KINDS[kind] + bits, int(count))


def _record(fields: list[Any]) -> Element:
    """``[('b', 'i2'), ('a', 'i4')]``: fields one behind the other."""
    parts = []
    offset = 0
    for field in fields:
        if not isinstance(field, tuple) or len(field) != 2 or not isinstance(field[0], str):
            raise Unfit("a record is a list of names and types")
        element = element_of(field[1], numpy=True)
        parts.append((field[0], offset, element))
        offset += element.itemsize
    return Element("record", offset, tuple(parts))
