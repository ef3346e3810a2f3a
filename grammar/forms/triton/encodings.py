"""Triton and Gluon: encodings in MLIR and in Python, and printed linear layouts, each with the shape of its tensor.

A distributed encoding becomes ``(T,V)`` or ``(T,V,CTA)`` to coordinates, T = lane + lanes*warp; a shared one a layout
from coordinates to offsets; tensor memory one from coordinates to (row, column).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.tensor import Tensor
from laycalc.diagnostics.model import Failure

from ..reading.attributes import Attribute
from ..reading.form import Form
from ..reading.reading import RANK_LIMIT, Reading, argument_error, cannot, limit
from . import distributed, gluon, printed, shared, shared_write, tensor_memory, typed
from .bases_write import bases_of
from .fields import MAX_EXTENT
from .typed import Found

_PYTHON = re.compile(rf"\s*+(?:\w+\s*+=\s*+)?(?:\w+\.)*(?:{'|'.join(gluon.CLASSES)}|AutoLayout|CoalescedLayout)[.(]")
_LOST = "parameters that do not change the map, and the element type"


def recognise(text: str) -> bool:
    """Is there an encoding in the text?"""
    return typed.recognise(text) or _PYTHON.match(text) is not None or printed.recognise(text)


def read(text: str, shape: Any = None) -> Reading:
    """An encoding with the shape of its tensor, from the text or from ``shape``; several of a text by name."""
    if printed.recognise(text):
        encoding, own = printed.encoding_of(text)
        return _reading(text, Found(text, encoding, own), shape)
    if _PYTHON.match(text):
        return _reading(text, Found(text, gluon.encoding_of(text), None), shape)
    readings: dict[str, Reading] = {}
    failures: list[Failure] = []
    for found in typed.encodings(text):
        try:
            if isinstance(found, Failure):
                raise found
            readings.setdefault(found.text, _reading(text, found, shape))
        except Failure as failure:
            failures.append(failure)
    if failures and not readings:
        raise failures[0]
    if not readings:
        raise cannot("the text has memory spaces and no encoding", source=text)
    *_, last = readings.values()
    notes = tuple(dict.fromkeys(failure.diagnostic.message for failure in failures))
    if len(readings) > 1:
        named = tuple((name, reading.expression) for name, reading in readings.items())
        notes = (f"the last of {len(readings)} encodings; all are kept by name", *notes)
        last = last.replace(named=named)
    return last.replace(notes=(*last.notes, *notes))


def _shape(text: str, found: Found, shape: Any) -> tuple[int, ...] | None:
    """The shape of the tensor: that of the text, or the one that is given."""
    given = None if shape is None else tuple(shape)
    if found.shape is not None and given is not None and found.shape != given:
        raise cannot(f"the text has a tensor of {found.shape}, the shape that is given is {given}", source=text)
    known = found.shape or given
    if known is None:
        return None
    if len(known) > RANK_LIMIT:
        raise limit(text, 0, len(text), f"more than {RANK_LIMIT} dimensions")
    for n in known:
        if type(n) is not int or n < 1:
            raise cannot(f"tensor extent {n} is not a power of two: no linear layout", source=text)
        if n > MAX_EXTENT:
            raise cannot(f"tensor extent {n} is beyond 2^30", source=text)
    return known


def _linear_extents(text: str, shape: tuple[int, ...] | None) -> None:
    for n in shape or ():
        if n & (n - 1):
            raise cannot(f"tensor extent {n} is not a power of two: no linear layout", source=text)


# ---- encodings to values ----


def _reading(text: str, found: Found, shape: Any) -> Reading:
    known, encoding = _shape(text, found, shape), found.encoding
    if encoding.kind in shared.KINDS:
        memory = shared.memory_of(text, encoding, known)
        facts = {"direction": "coordinate -> offset", "shape": list(memory.shape), "lost": _LOST}
        return Reading("triton", str(memory.value), memory.notes, facts=facts, value=memory.value, source=text)
    _linear_extents(text, known)
    if encoding.kind in distributed.KINDS:
        return _distribution(text, encoding, known)
    if encoding.kind in tensor_memory.KINDS:
        value = tensor_memory.layout_of(text, encoding, known)
        notes = ("coordinates to (row, column) of tensor memory, columns in elements",)
        facts = {"direction": "coordinate -> (row, column)", "shape": list(known or ()), "lost": _LOST}
        return Reading("triton", str(value), notes, facts=facts, value=value, source=text)
    raise argument_error(text, encoding.start, encoding.end, f"#{encoding.name} is no encoding that is covered")


def _distribution(text: str, encoding: Attribute, shape: tuple[int, ...] | None) -> Reading:
    bases = distributed.bases_of(text, encoding, shape)
    value = bases.layout()
    note = f"({'T,V,CTA' if bases.block else 'T,V'}) to coordinates, T = lane + {1 << len(bases.lane)}*warp"
    facts = {
        "direction": "(thread, value) -> coordinate",
        "bases": bases.table(),
        "matrix": bases.matrix(),
        "integer": str(integer_form(value, bases.shape)),
        "shape": list(bases.shape),
        "lost": _LOST,
    }
    return Reading("triton", str(value), (note,), facts=facts, value=value, source=text)


def integer_form(layout: Layout, shape: Sequence[int]) -> Layout:
    """The same with coordinates as integers, first axis fastest: ``a*e0 + b*e1`` becomes ``a + b*D0``."""
    from laycalc.algebra.values.htuple import map_leaves

    weights = [1]
    for n in shape:
        weights.append(weights[-1] * n)

    def leaf(d: Any) -> Any:
        return sum(c * weights[p[0]] for p, c in d.terms) if isinstance(d, Coordinate) else d

    return Layout(layout.shape, map_leaves(leaf, layout.stride))


# ---- values to encodings ----


def write(value: Any, shape: Any = None) -> str:
    """``#ttg.linear`` for a thread-value layout; for memory ``#ttg.swizzled_shared``, else ``#ttg.shared_linear``."""
    if _is_distributed(value):
        return bases_of(value, shape).text()
    swizzled = shared_write.swizzled(value)
    return swizzled if swizzled is not None else shared_write.linear(value, shape)


def write_linear(value: Any, shape: Any = None) -> str:
    """``#ttg.linear`` or ``#ttg.shared_linear``: every basis spelled out."""
    return bases_of(value, shape).text() if _is_distributed(value) else shared_write.linear(value, shape)


def _is_distributed(value: Any) -> bool:
    if isinstance(value, Tensor):
        return False
    return isinstance(value, Layout) and value.semimodule == "Z^P"


FORM = Form(
    name="triton",
    title="Triton and Gluon encodings, with the shape of the tensor",
    example="#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>",
    aliases=("ttg", "gluon"),
    lost="parameters that do not change the map, the element type; written: the nesting of modes",
    marks=("#ttg", "#ttng", "#triton", "!ttg", "register=", "=1 ->", "Layout(", "Layout.", "tensor<"),
    recognise=recognise,
    order=30,
    read=read,
    write=write,
    surplus=(
        "tensor<32x32xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], "
        "order = [1, 0], colour = 3}>>",
        "BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0], colour=3)",
    ),
)

SPELLED_OUT = Form(
    name="triton-linear",
    title="Triton with every basis spelled out",
    example="#ttg.linear<{register = [[0, 1]], lane = [], warp = [], block = []}>",
    aliases=("ttg.linear", "ttg.shared_linear"),
    read=read,
    write=write_linear,
    surplus=("#ttg.linear<{register = [[0, 1]], lane = [], warp = [], block = [], colour = [[1, 0]]}>",),
)
