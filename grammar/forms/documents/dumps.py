"""``print`` of a TiledMMA or TiledCopy, in the spellings of C++ and of the DSL: named layouts."""

from __future__ import annotations

import re
from typing import Any

from ...syntax import nodes
from ...syntax.nodes import Expression
from ..dialects.pieces import reading
from ..dialects.seen import Seen
from ..dialects.terms import Terms
from ..reading.form import Form
from ..reading.reading import Reading, bad
from ..reading.spell import spelled

__all__ = ["FORM"]

_HEAD = re.compile(r"\s*+(?:(?:Tiled|Thr)\s?(?:MMA|Mma|Copy)|(?:MMA|Mma|Copy)[ _]Atom)[ \t]*+(?:\n|:|\Z)")
_LINE = re.compile(r"^[ \t]*(?P<name>[A-Za-z_][\w ]{0,60}?)[ \t]*+:[ \t]*+(?P<value>\S[^\n]*+)", re.MULTILINE)
_TITLE = re.compile(r"\s*+(?:(?:Tiled|Thr)\s?(?:MMA|Mma|Copy)|(?:MMA|Mma|Copy)[ _]Atom)?\s*+")

# The spelling of C++ and that of the DSL, without blanks, underscores and case.
_NAMES = {
    "thrlayoutvmnk": "thr_layout_vmnk",
    "permutationmnk": "permutation_mnk",
    "shapemnk": "shape_mnk",
    "layoutatv": "A",
    "tvlayouta": "A",
    "layoutbtv": "B",
    "tvlayoutb": "B",
    "layoutctv": "C",
    "tvlayoutc": "C",
    "tilermn": "tiler_mn",
    "tiledlayouttv": "tv",
    "tvlayouttiled": "tv",
    "vallayoutsrc": "src",
    "tvlayoutsrc": "src",
    "vallayoutdst": "dst",
    "tvlayoutdst": "dst",
    "vallayoutref": "ref",
    "tvlayoutref": "ref",
    "valuetype": "value_type",
    "thrid": "thr_id",
    "thridx": "thr_idx",
}
_TILERS = frozenset({"permutation_mnk", "tiler_mn"})
_SHOWN = {"tv": "the thread-value layout of the copy", "C": "the thread-value layout of the accumulator C"}


def recognise(text: str) -> bool:
    """Does the text begin like such a dump?"""
    return _HEAD.match(text) is not None


def read(text: str, shape: Any = None) -> Reading:
    """The layouts by name; the expression is the accumulator of an MMA or the thread-value layout of a copy."""
    seen, found, bits = Seen(), dict[str, Expression](), None
    position = 0
    for line in _LINE.finditer(text):
        _check_title(text, position, line.start())
        position = line.end()
        name = _NAMES.get(re.sub(r"[ _]", "", line["name"]).lower())
        if name is None:
            raise bad(text, *line.span("name"), f"a dump has no line {line['name']}")
        if name == "value_type":
            bits = re.search(r"[0-9]+", line["value"])
        elif name not in found:  # the thread id stands with the MMA and with its atom
            found[name] = _value(text, line, name, seen)
    _check_title(text, position, len(text))
    main = next((k for k in ("tv", "C", "src", "A", "thr_layout_vmnk") if k in found), None)
    if main is None:
        raise bad(text, 0, len(text.split("\n", 1)[0]), "a dump without layouts", "its lines are missing")
    seen.notes.insert(0, f"the expression is {_SHOWN.get(main, main)}; all layouts of the dump are kept by name")
    named = {name: spelled(node).text for name, node in found.items()}
    facts = _facts(named, main) | ({"element_bits": int(bits[0])} if bits is not None else {})
    order = tuple(sorted(named.items(), key=lambda item: item[0] != main))
    return reading(text, found[main], seen, "dumps").replace(named=order, facts=facts)


def _check_title(text: str, start: int, end: int) -> None:
    """Between the lines stand the names of the objects, and nothing else."""
    between = text[start:end]
    for word in re.finditer(r"\S[^\n]*", between):
        if not _TITLE.fullmatch(word[0]):
            raise bad(text, start + word.start(), start + word.end(), "this is no line of a dump")


def _value(text: str, line: re.Match[str], name: str, seen: Seen) -> Expression:
    terms = Terms(text, line.start("value"), line.start("value") + len(line["value"].rstrip()))
    node = terms.whole()
    seen.learn(terms)
    if name in _TILERS and isinstance(node, (nodes.Tuple, nodes.Paren)):
        return nodes.Tiler(node.span, node.items if isinstance(node, nodes.Tuple) else (node.item,))
    return node


def _facts(named: dict[str, str], main: str) -> dict[str, Any]:
    facts: dict[str, Any] = {"object": "copy" if main in ("tv", "src") else "mma"}
    if "tiler_mn" in named:
        facts["tile"] = named["tiler_mn"]
    if "shape_mnk" in named:
        facts["shape_mnk"] = named["shape_mnk"]
        if main == "C" and (extents := re.findall(r"[0-9]+", named["shape_mnk"])):
            facts["tile"] = f"<{','.join(extents[:2])}>"
    return facts | {"canonical": _canonical(named, facts)}


def _canonical(named: dict[str, str], facts: dict[str, Any]) -> str:
    """``tv(L, <tile>)`` or ``mma(MxNxK; A=.., B=.., C=..)``; operands that no thread holds are left out."""
    if facts["object"] == "copy":
        return f"tv({named['tv']}, {named['tiler_mn']})" if {"tv", "tiler_mn"} <= named.keys() else named.get("tv", "")
    held = [f"{k}={named[k]}" for k in "ABC" if k in named and not re.search(r":\(0,", named[k])]
    extents = "x".join(re.findall(r"[0-9]+", named.get("shape_mnk", "")))
    return f"mma({extents}; {', '.join(held)})"


FORM = Form(
    name="dumps",
    title="prints of TiledMMA and TiledCopy",
    example="TiledCopy\\n  Tiler_MN: ..",
    aliases=("dump",),
    marks=("Tiled", "Atom"),
    recognise=recognise,
    order=10,
    read=read,
    surplus=(
        "TiledCopy\n  TiledLayout_TV: (8,8):(8,1)\n  Colour: _3",
        "TiledCopy\n  TiledLayout_TV: (8,8):(8,1)\n  and more",
    ),
)
