"""Which form a text is in: the forms of whole texts in turn, then foreign pieces inside an expression."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from laycalc.diagnostics.model import Failure

from .gate import is_marked
from .index import INDEX
from .reading.reading import Reading, Segment, about, bad
from .registry import load, read_as
from .wrappers import is_closed, unwrapped

__all__ = ["anything", "detect"]


def detect(text: str, shape: Any = None) -> Reading | None:
    """The reading of a foreign text; None for a text of the language."""
    wrapped = unwrapped(text)
    if wrapped is None:
        return _detect(text, shape)
    try:
        return wrapped.reading(_detect(wrapped.text, shape) or _of_the_language(wrapped.text))
    except Failure as failure:
        raise Failure(wrapped.told(failure.diagnostic)) from None


def _detect(text: str, shape: Any) -> Reading | None:
    with about(text):
        for entry in INDEX:
            if entry.whole and any(mark in text for mark in entry.marks):
                form = load(entry)
                if form.recognise is not None and form.recognise(text):
                    return read_as(form, text, shape)
        from .dialects.pieces import pieces

        return pieces(text)


# ---- what only `laycalc from` takes ----

_AT = re.compile(r"(?<=[\w)>}])\s+@\s+(?=[\w(<{?])")
_STRIDED_BY = re.compile(
    r"\s*+(?P<shape>\([\d,\s_]+\))\s*+:\s*+(?P<stride>\([^()]*[A-Za-z][^()]*\))\s*+/\s*+(?P<by>\d+)\s*+"
)
_BREAK = re.compile(r"\\n|\r?\n")
_ENTRY = re.compile(r"\s*+(?:[\d(_<][^=;#]*|_)\s*+")


def anything(text: str, shape: Any = None) -> Reading:
    """A text of any form, the ambiguous ones too."""
    wrapped = unwrapped(text, strings=True)
    if wrapped is None:
        return _anything(text, shape)
    try:
        return wrapped.reading(_anything(wrapped.text, shape))
    except Failure as failure:
        raise Failure(wrapped.told(failure.diagnostic)) from None


def _of_the_language(text: str) -> Reading:
    expression = text.strip()
    start = text.find(expression)
    here = (Segment(0, len(expression), start, start + len(expression)),)
    return Reading("laycalc", expression, source=text, segments=here)


def _anything(text: str, shape: Any) -> Reading:
    for attempt in _ATTEMPTS:
        with about(text):
            found = attempt(text, shape)
        if found is not None:
            return found if found.source else found.replace(source=text)
    if not text.strip():
        raise bad(text, 0, len(text), "the text is empty", "a layout is expected")
    return _of_the_language(text)


def _known(text: str, shape: Any) -> Reading | None:
    return detect(text, shape) if is_marked(text) else None


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
    if len(lines) < 2 or not all(_ENTRY.fullmatch(line) and "==" not in line and is_closed(line) for line in lines):
        return None
    return Reading("lines", "<" + ",".join(lines) + ">", ("one entry a line: a tiler by mode",))


def _asked(text: str, shape: Any) -> Reading | None:
    """A form that resembles an expression."""
    for entry in INDEX:
        if entry.asked:
            form = load(entry)
            if form.guess is not None and form.guess(text):
                return read_as(form, text, shape)
    return None


_ATTEMPTS: tuple[Callable[[str, Any], Reading | None], ...] = (_strided, _at_sign, _known, _asked, _lines)
