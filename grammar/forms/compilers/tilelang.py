"""TileLang: Layout and Fragment as they are written and as they print.

A Layout maps coordinates to an offset, row-major over its output; a Fragment maps them to (thread, register), and we
give the inverse, (T,V) to coordinates.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from ..reading import pytext
from ..reading.form import Form
from ..reading.reading import Reading, bad, needs
from ..reading.signatures import bind_call, signature
from ..triton.shared import nvmma_shared
from .tilelang_made import made
from .tilelang_maps import LayoutMap
from .tilelang_printed import printed
from .tilelang_write import write

_HEAD = re.compile(r"\s*+(?:\w+\s*+=\s*+)?(?:\w+\.)*(?:Layout|Fragment)\s*+\(")
_ARROW = re.compile(r"\s*+(?:Layout|Fragment)\s*+\(\s*+\([\d,\s]*\)\s*+->")
_BANK = re.compile(r"\s*+(?:\w+\s*+=\s*+)?(?:\w+\.)*make_(?P<kind>full|half|quarter)_bank_swizzled_layout\s*+\(")
_WIDTH = {"full": 128, "half": 64, "quarter": 32}
"""Bytes of a swizzled row."""

_SWIZZLED = signature("make_bank_swizzled_layout(buffer)")
# What makes a buffer: its shape and type decide, where it lies does not.
_BUFFERS = {
    "Buffer": signature("Buffer(shape, dtype, scope=None)"),
    "Tensor": signature("Tensor(shape, dtype, scope=None)"),
    "alloc_shared": signature("alloc_shared(shape, dtype, scope=None)"),
    "alloc_buffer": signature("alloc_buffer(shape, dtype, scope=None)"),
}
_TYPE = re.compile(r"(?:T\.)?(?:float|bfloat|int|uint)(?P<bits>8|16|32)(?:_\w+)?")


def recognise(text: str) -> bool:
    """Does the text make or print a Layout or a Fragment?"""
    if _ARROW.match(text) or _BANK.match(text):
        return True
    return _HEAD.match(text) is not None and "lambda" in text


def read(text: str, shape: Any = None) -> Reading:
    """A constructor or a print."""
    if _ARROW.match(text):
        return _of_map(text, *printed(text))
    body = pytext.right_hand_side(text)
    node = pytext.parse(body)
    if found := _BANK.match(text):
        return _bank(body, node, _WIDTH[found["kind"]])
    return _of_map(text, made(body, node))


def _bank(text: str, node: ast.expr, width: int) -> Reading:
    """``make_full_bank_swizzled_layout(T.Buffer((8, 64), "float16"))``."""
    if not isinstance(node, ast.Call):
        raise pytext.at(text, node, "a call is expected")
    buffer = bind_call(_SWIZZLED, text, node)["buffer"]
    kind = pytext.call_name(buffer).rpartition(".")[2]
    if not isinstance(buffer, ast.Call):
        raise needs(text, f"the shape and the type of {kind or 'the buffer'} are not told")
    if kind not in _BUFFERS:
        raise pytext.at(text, buffer, f"a buffer made by {', '.join(_BUFFERS)} is expected")
    given = bind_call(_BUFFERS[kind], text, buffer)
    dims = pytext.integers(text, given["shape"])
    element = _TYPE.fullmatch(str(pytext.literal(text, given["dtype"])))
    if len(dims) != 2 or element is None or any(n < 1 or n & (n - 1) for n in dims):
        what = "a buffer of two power-of-two extents and a type of 8, 16 or 32 bits is expected"
        raise bad(text, *pytext.position(text, buffer), what)
    return _reading(text, nvmma_shared(width, False, int(element["bits"]), dims), dims)


def _of_map(text: str, found: Any, notes: tuple[str, ...] = ()) -> Reading:
    if isinstance(found, LayoutMap):
        return _reading(text, found.value(text), found.sizes, notes, direction="coordinate -> offset")
    value, threads, integers = found.value(text)
    if integers:
        weights = " + ".join(f"{w}*dim{k}" if k else "dim0" for k, w in enumerate(found.pitches()))
        notes = (*notes, f"(T,V) to {weights}: coordinates have no XOR strides")
    return _reading(text, value, found.sizes, notes, direction="(thread, value) -> coordinate", threads=threads)


def _reading(text: str, value: Any, sizes: Sequence[int], notes: tuple[str, ...] = (), **facts: Any) -> Reading:
    lost = "the output shape (only the linear offset is kept)"
    return Reading(
        "tilelang", str(value), notes, facts={"shape": list(sizes), "lost": lost, **facts}, value=value, source=text
    )


FORM = Form(
    name="tilelang",
    title="TileLang Layout and Fragment",
    example="Layout([4, 8], lambda i, j: i * 8 + j)",
    aliases=("tile-lang",),
    lost="the output shape and the expressions",
    marks=("lambda", "transform:", "Fragment(", "bank_swizzled"),
    recognise=recognise,
    order=50,
    read=read,
    write=write,
    surplus=(
        "Layout([4, 8], lambda i, j: i * 8 + j, colour=3)",
        "Layout([4, 8], lambda i, j: i * 8 + j, 3, 4)",
    ),
)
