"""Which form a text is in: the families in turn, each by a cheap test, then foreign pieces inside an expression."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..syntax.nodes import Span
from .reading.reading import Reading, Segment, about, bad

__all__ = ["anything", "detect"]

_ARRAY_MARKS = (
    "torch.", "np.", "numpy.", "][", "size=", "size:", "sizes", "shape=", "shape:", "shape'", 'shape"', "stride=",
    "stride:", "strides", "_strided", "_stride(", "reinterpret", "FixedLayout(", "FlexibleLayout(",
)  # fmt: skip

# (form, module, marks): the module is imported when the text has one of the marks.
_DOCUMENTS = (
    ("dumps", "documents.dumps", ("Tiled", "Atom")),
    (
        "messages",
        "documents.messages",
        ("unable to", "nable to", "failed to", "not able to", "LShape", "LStride", "ivisibility"),
    ),
    ("triton", "triton.encodings", ("#ttg", "#triton", "!ttg", "=1 ->", "Layout(", "Layout.", "tensor<")),
    ("memref", "arrays.memref", ("memref<",)),
    ("tilelang", "compilers.tilelang", ("lambda", "transform:", "Fragment(", "bank_swizzled")),
    ("lego", "compilers.lego", ("OrderBy(", "GroupBy(")),
    ("isl", "compilers.isl", ("->",)),
    ("xla", "compilers.xla", ("[",)),
    ("torch", "arrays.strided", _ARRAY_MARKS),
    ("helayers", "compilers.helayers", ("TTShape", "/")),
    ("share", "documents.links", ("key=",)),
    ("latex", "documents.latex", ("\\",)),
    ("json", "documents.objects", ("{",)),
)
_SHAPE_AND_STRIDE = re.compile(
    r"\s*+(?:cute::)?make_shape\(.*\)\s*+,\s*+(?:cute::)?make_stride\(.*\)\s*+;?\s*+", re.DOTALL
)


def detect(text: str, shape: Any = None) -> Reading | None:
    """The reading of a foreign text; None for a text of the language."""
    with about(text):
        return _detect(text, shape)


def _detect(text: str, shape: Any) -> Reading | None:
    for _, name, marks in _DOCUMENTS:
        if any(mark in text for mark in marks):
            family = import_module(f"{__package__}.{name}")
            if family.recognise(text):
                found: Reading = family.read(text, shape)
                return found if found.source else found.replace(source=text)
    from .cute.printed import document
    from .cute.rewrite import rewritten

    if len(text) < 5000 and _SHAPE_AND_STRIDE.fullmatch(text):
        return _shape_and_stride(text)
    found_print = document(text)
    return found_print if found_print is not None else rewritten(text)


def _shape_and_stride(text: str) -> Reading | None:
    """``make_shape(m, k), make_stride(k, Int<1>{})``: the two halves of a layout."""
    from .cute.terms import Terms
    from .reading.spell import spell
    from .reading.trees import layout

    terms = Terms(text)
    first = terms.expression()
    if not terms.accept(","):
        return None
    node = layout(Span(0, len(text)), first, terms.whole())
    expression, segments = spell(node)
    return Reading("cpp", expression, tuple(terms.notes), source=text, segments=segments)


# ---- what only `laycalc from` takes ----

_AT = re.compile(r"(?<=[\w)>}])\s+@\s+(?=[\w(<{?])")
_STRIDED_BY = re.compile(
    r"\s*+(?P<shape>\([\d,\s_]+\))\s*+:\s*+(?P<stride>\([^()]*[A-Za-z][^()]*\))\s*+/\s*+(?P<by>\d+)\s*+"
)
_BREAK = re.compile(r"\\n|\r?\n")
_ENTRY = re.compile(r"\s*+(?:[\d(_<][^=;#]*|_)\s*+")


def anything(text: str, shape: Any = None) -> Reading:
    """A text of any form, the ambiguous ones too."""
    for attempt in _ATTEMPTS:
        with about(text):
            found = attempt(text, shape)
        if found is not None:
            return found if found.source else found.replace(source=text)
    if not text.strip():
        raise bad(text, 0, len(text), "the text is empty", "a layout is expected")
    return Reading("laycalc", text.strip(), source=text)


def _known(text: str, shape: Any) -> Reading | None:
    from . import recognise

    return recognise(text, shape)


def _strided(text: str, shape: Any) -> Reading | None:
    """``(3,6,2,8):(w,x,y,z) / 72``: the strides after stepping by 72, as the CuTe documents write it."""
    found = _STRIDED_BY.fullmatch(text) if len(text) < 1000 else None
    if found is None:
        return None
    extents = [int(n) for n in re.findall(r"\d+", found["shape"])]
    names = [n.strip() for n in found["stride"].strip("()").split(",") if n.strip()]
    if len(extents) != len(names):
        raise bad(text, found.start("stride"), found.end("stride"), "shape and stride differ in rank")
    by, strides = int(found["by"]), []
    for extent, name in zip(extents, names, strict=True):
        strides.append(name if by == 1 else f"{by}*{name}")
        by = max(1, -(-by // max(extent, 1)))
    return Reading(
        "cute-docs", f"({','.join(strides)})", ("/ steps through the layout: these are the strides of the result",)
    )


def _at_sign(text: str, shape: Any) -> Reading | None:
    """`` @ `` for composition."""
    if not _AT.search(text):
        return None
    expression = _AT.sub(" o ", text)
    inner = _known(expression, shape)
    segments = (Segment(0, len(text), 0, len(text)),) if len(expression) == len(text) else ()
    note = "@ was read as composition"
    if inner is not None:
        return inner.replace(notes=(*inner.notes, note), source=text, segments=())
    return Reading("laycalc", expression.strip(), (note,), segments=segments)


def _lines(text: str, shape: Any) -> Reading | None:
    """One layout or extent a line: a tiler by mode."""
    lines = [line.strip() for line in _BREAK.split(text.strip())]
    if len(lines) < 2 or not all(line and _ENTRY.fullmatch(line) and "==" not in line for line in lines):
        return None
    return Reading("lines", "<" + ",".join(lines) + ">", ("one entry a line: a tiler by mode",))


def _mojo(text: str, shape: Any) -> Reading | None:
    """``((-1, 8):(8, 1))``: an extent -1 can only be Mojo's UNKNOWN_VALUE."""
    extents, colon, _ = text.partition(":")
    if not colon or not extents.lstrip().startswith("((") or not re.search(r"[(,]\s*+-1\s*+[,)]", extents):
        return None
    from .cute.mojo import read

    return read(text)


def _helayers(text: str, shape: Any) -> Reading | None:
    if len(text) > 1000 or re.fullmatch(r"\s*+\[[\d/*?~,\s-]*/[\d/*?~,\s-]*\]?\s*+", text) is None:
        return None
    from .compilers.helayers import read

    return read(text)


def _graphene(text: str, shape: Any) -> Reading | None:
    if re.match(r"\s*+[#%]?\w+\s*+:\s*+\[", text) is None:
        return None
    from .compilers.graphene import read

    return read(text)


_ATTEMPTS: tuple[Callable[[str, Any], Reading | None], ...] = (
    _strided, _at_sign, _known, _graphene, _helayers, _mojo, _lines,
)  # fmt: skip
