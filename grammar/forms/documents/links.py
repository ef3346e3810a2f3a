"""Share links of the CuTe layout visualiser: ``?key=tv-1-(32,4):(1,32)-(8,16)``."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

from laycalc.algebra.values.layout import Layout

from ..reading.form import Form
from ..reading.reading import Reading, bad, cannot

__all__ = ["FORM"]

_KEY = re.compile(r"(?:.*[?&])?key=(?P<kind>[a-z]+)(?:-(?P<n>\d+))?-(?P<body>\(.*|\d.*)", re.DOTALL)
_PART = re.compile(r"-(?=\()")


def recognise(text: str) -> bool:
    """Is there a key of such a link?"""
    return "key=" in text and _KEY.match(unquote(text.strip())) is not None


def read(text: str, shape: Any = None) -> Reading:
    """The layout of the link; the tile of a thread-value layout is kept beside it."""
    link = unquote(text.strip())
    found = _KEY.match(link)
    if found is None:
        raise bad(text, 0, len(text), "this is no share link", "?key=KIND-N-(shape):(stride) is expected")
    kind, body = found["kind"], re.split("[&#]", found["body"])[0]
    layout, *rest = _PART.split(body)
    if ":" not in layout:
        raise bad(text, 0, len(text), "the link has no layout")
    if kind not in ("layout", "tv"):
        raise bad(text, text.find("key="), len(text), f"no link is of kind {kind}", "layout or tv is expected")
    if len(rest) > (kind == "tv"):
        raise bad(text, max(text.rfind(rest[-1]), 0), len(text), f"a link of kind {kind} has no part {rest[-1]}")
    notes = [f"{link[found.start('body') + len(body) :]} is no part of the layout"] if body != found["body"] else []
    facts: dict[str, Any] = {"object": kind}
    if rest:
        facts["tile"] = f"<{rest[0].strip('()')}>"
        facts["canonical"] = f"tv({layout}, {facts['tile']})"
        notes.insert(0, f"a thread-value layout over the tile {rest[0]}")
    return Reading("share", layout, tuple(notes), facts=facts, source=text)


def write(value: Any, shape: Any = None) -> str:
    """The key of a layout; with a shape that of a thread-value layout over it."""
    if not isinstance(value, Layout) or value.semimodule != "Z":
        raise cannot("a share link holds a layout with integer strides")
    if shape is None:
        return f"?key=layout-1-{value}"
    return f"?key=tv-1-{value}-({','.join(map(str, shape))})"


FORM = Form(
    name="share",
    title="links of the CuTe layout visualiser",
    example="?key=tv-1-(32,4):(1,32)-(8,16)",
    aliases=("link", "url"),
    marks=("?key=",),
    recognise=recognise,
    order=110,
    read=read,
    write=write,
    surplus=(
        "?key=tv-1-(32,4):(1,32)-(8,16)-(3,4)",
        "?key=layout-1-(32,4):(1,32)-(8,16)",
        "?key=heat-1-(32,4):(1,32)",
    ),
)
