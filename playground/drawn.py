"""The picture of what a text denotes, as `laycalc draw` makes it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from laycalc.render.draw import render, scene_of

from .question import Question, refused

__all__ = ["OPTIONS", "drawn"]

NUMBERS = ("wrap", "bits", "access", "vector", "limit", "warp")
FLAGS = ("legend", "top_down", "fold", "order")
TEXTS = ("kind", "tile", "color_by", "highlight", "label", "theme", "title", "crop", "lanes", "width", "min_font")

OPTIONS = {**dict.fromkeys(TEXTS, "text"), **dict.fromkeys(NUMBERS, "number"), **dict.fromkeys(FLAGS, "flag")}
"""The options of a picture and what each of them is."""

WRITTEN = ("svg", "tex", "tikz", "typ", "html", "txt", "png", "pdf")


def drawn(question: Question) -> dict[str, Any]:
    """The picture and what is to be noted; a file of bytes in base 64."""
    format = question.options.get("format", "svg")
    if format not in WRITTEN:
        raise refused(f"format is one of {', '.join(WRITTEN)}, not {str(format)[:80]}")
    wishes = dict(_wishes({name: wish for name, wish in question.options.items() if name != "format"}))
    values = question.values()
    scene = scene_of(values[0] if len(values) == 1 else values, **wishes)
    made = render(scene, format)
    # A file ends as `laycalc draw` ends it: with one line end.
    found = {"bytes": b64encode(made).decode()} if isinstance(made, bytes) else {"text": made.rstrip("\n") + "\n"}
    return {**found, "notes": list(scene.notes)}


def _wishes(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that say something, each of its type; LC103 for one that is none."""
    found = {}
    for name, wish in options.items():
        kind = OPTIONS.get(name)
        if kind is None:
            raise refused(f"a picture has no option {name[:80]}")
        if wish in ("", None):
            continue
        wanted = {"number": int, "flag": bool, "text": str}[kind]
        if type(wish) is not wanted:
            raise refused(f"the option {name} is a {kind}")
        found[name] = wish
    return found
