"""The words of an access: ``write: row, 16 B``, ``read: ldmatrix.x4.trans``, ``write: cp.async.cg``, ``read: tv ..``.

An access is a direction and phrases between commas, in any order:

    read:  write:                     the direction; read if none is said and no instruction tells it
    row  column                       neighbouring lanes walk along a row, or down a column
    16 B   8 elements   128 bits      what a lane moves
    along columns   along rows        its elements lie inside a row, or inside a column; found if unsaid
    ldmatrix.x4.trans  stmatrix.x2    8x8 matrices of 16-byte rows
    cp.async.ca  cp.async.cg          a copy from global memory; without a mark ca, which is never dearer for cg
    ld.shared.v4.b32  LDS.128         the width from an instruction
    tv LAYOUT   block 16x8            a thread-value layout (thread, value) -> row + 16 * column over blocks of the tile
    tiled_copy(..)                    any expression for a tiled copy
    from LAYOUT                       the tile in global memory that cp.async reads; a dense one if unsaid
    ds_read_b128                      the width from an instruction of AMD
    [[[0,0],[1,0],null],..]           the lanes' first elements of each instruction, written out
    128 threads                       the size of the thread block
    tcgen05.ld  tcgen05.st            the shapes that reach a layout of tensor memory
    tma  wgmma K-major  mn columns    an engine: a condition on the layout, no wavefronts

The same as plain data are the objects with ``kind`` lanes, matrix, tv, list, tma and wgmma.
"""

from __future__ import annotations

import json
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from laycalc.algebra.values.layout import Layout
from laycalc.atoms.tiling.copy_tiling import TiledCopy

from ..instructions.refusal import argument, nearest
from ..memory.machines import DEFAULT
from ..memory.pattern import Engine, Pattern
from .tiled_access import tiled_access

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["access_of", "read_pattern"]

Reader = "Callable[[str], Any]"
"""From the text of an expression to its value."""

_WAYS = {"row": "rows", "rows": "rows", "col": "columns", "cols": "columns", "column": "columns", "columns": "columns"}
_MATRIX = re.compile(
    r"(ldmatrix|stmatrix)(?:\.sync)?(?:\.aligned)?(?:\.m8n8)?(?:\.x([124]))?(\.trans)?(?:\.shared)?(?:\.b16)?"
)
_COPY = re.compile(r"cp\.async(?:\.(ca|cg))?(?:\.shared)?(?:\.global)?")
_PLAIN = re.compile(r"(ld|st)\.shared(?:\.v([24]))?\.[busf](8|16|32|64|128)|(LD|ST)S\.(?:U?(8|16|32|64|128))")
_LDS = re.compile(r"ds_(read|write|load|store)_[bui](8|16|32|64|128)")
_WIDTH = re.compile(r"(\d+) ?(B|bytes?|bits?|elements?)")
_TCGEN05 = re.compile(r"tcgen05\.(ld|st)")
_THREADS = re.compile(r"(\d+) threads")
_DIRECTIONS = ("read", "load", "write", "store")
_WORDS = (
    *("row", "column", "along", "ldmatrix", "stmatrix", "cp.async", "tv", "block", "threads", "from"),
    *("tma", "wgmma", "tcgen05.ld", "tcgen05.st"),
)


class _Phrases:
    """What the phrases of an access have said so far; LC103 for a thing said twice."""

    def __init__(self, text: str, bits: int, read: Callable[[str], Any] | None) -> None:
        self.text, self.bits, self.read = text, bits, read
        self.said: dict[str, Any] = {}

    def say(self, name: str, value: Any) -> None:
        if self.said.setdefault(name, value) != value:
            template = "the access {text!r} says its {what} twice: {first} and {second}"
            raise self.fault(template, what=name, first=self.said[name], second=value)

    def fault(self, template: str, **facts: object) -> Exception:
        return argument("banks", template, text=self.text, **facts)

    def width(self, amount: int, unit: str) -> None:
        """What a lane moves, as elements."""
        bits = amount * {"B": 8, "b": 8, "i": 1, "e": self.bits}[unit[1] if unit.startswith("bi") else unit[0]]
        if bits % self.bits or not bits:
            template = "{amount} {unit} are no whole number of elements of {bits} bits"
            raise self.fault(template, amount=amount, unit=unit, bits=self.bits)
        self.say("vector", bits // self.bits)


def read_pattern(
    text: str,
    bits: int,
    read: Callable[[str], Any] | None = None,
    arch: str = DEFAULT,
    defaults: Mapping[str, Any] = MappingProxyType({}),
) -> Pattern | Engine:
    """The access that a text says, for elements of ``bits`` bits; ``read`` is the reader of layouts and tiled copies.

    ``defaults`` are the vector, the threads and the direction where the text does not say them.

    LC103 for a phrase that is none, or two that contradict each other.

    >>> read_pattern("write: row, 16 B", 16) == Pattern(16, 8, store=True)
    True
    """
    head, colon, rest = text.partition(":")
    way = head.strip().lower() if colon else ""
    if way in _DIRECTIONS:
        body = rest
    else:
        body, way = text, ""
    found = _Phrases(text, bits, read)
    if way:
        found.say("store", way in ("write", "store"))
    for phrase in filter(None, map(str.strip, _split(body))):
        _phrase(found, phrase)
    return _made(found, arch, defaults)


def _split(text: str) -> list[str]:
    """The phrases between the commas that stand in no bracket."""
    depth, parts = 0, [""]
    for i, sign in enumerate(text):
        # The > of an arrow closes nothing.
        depth += (sign in "([<{") - (sign in ")]}" or (sign == ">" and text[i - 1] not in "-=" and depth > 0))
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _phrase(found: _Phrases, phrase: str) -> None:
    for word, take in _INSTRUCTIONS:
        if match := word.match(phrase):
            take(found, match)
            _rest(found, phrase[match.end() :])
            return
    first = phrase.split()[0]
    if verb := _VERBS.get(first.lower()):
        verb(found, phrase[len(first) :].strip())
    elif phrase.startswith("[["):
        _list(found, phrase)
    elif re.search(r"[(:<]", phrase):
        _value(found, phrase)
    else:
        close = nearest(first, _WORDS)
        if first.lower() in _DIRECTIONS and " " in phrase:
            close = [f"{first}: {phrase[len(first) :].strip()}"]
        template = "{phrase!r} is no word of an access" + ("; did you mean {close}?" if close else "")
        raise found.fault(template, phrase=phrase, close=" or ".join(close))


def _matrix(found: _Phrases, match: re.Match[str]) -> None:
    found.say("lanes", match[1])
    found.say("store", match[1] == "stmatrix")
    found.say("vector", int(match[2] or 4))
    if match[3]:
        found.say("trans", True)


def _copy(found: _Phrases, match: re.Match[str]) -> None:
    found.say("copy", match[1] or "ca")
    found.say("store", True)


def _plain(found: _Phrases, match: re.Match[str]) -> None:
    found.say("store", (match[1] or match[4]).lower() == "st")
    found.width(int(match[2] or 1) * int(match[3] or match[5]), "bits")


def _rest(found: _Phrases, phrase: str) -> None:
    """What stands behind a word without a comma: ``ldmatrix.x4 along rows``."""
    if phrase and not phrase[0].isspace():
        raise found.fault("{phrase!r} is no part of an instruction in {text!r}", phrase=phrase)
    if phrase.strip():
        _phrase(found, phrase.strip())


def _lds(found: _Phrases, match: re.Match[str]) -> None:
    found.say("store", match[1] in ("write", "store"))
    found.width(int(match[2]), "bits")


def _tcgen05(found: _Phrases, match: re.Match[str]) -> None:
    found.say("engine", "tcgen05")
    found.say("store", match[1] == "st")


_INSTRUCTIONS: tuple[tuple[re.Pattern[str], Callable[[_Phrases, re.Match[str]], None]], ...] = (
    (_MATRIX, _matrix),
    (_COPY, _copy),
    (_PLAIN, _plain),
    (_LDS, _lds),
    (_TCGEN05, _tcgen05),
    (_WIDTH, lambda found, match: found.width(int(match[1]), match[2])),
    (_THREADS, lambda found, match: found.say("threads", int(match[1]))),
)


def _order(name: str) -> Callable[[_Phrases, str], None]:
    def say(found: _Phrases, rest: str) -> None:
        found.say("lanes", name)
        if rest:
            _phrase(found, rest)

    return say


def _way(found: _Phrases, rest: str, name: str, make: Callable[[str], Any]) -> None:
    """One of the two ways of a tile behind a word: ``along rows``, ``mn columns``."""
    word, _, more = rest.removeprefix("the ").partition(" ")
    if word not in _WAYS:
        raise found.fault("{name} is followed by rows or columns, not by {word!r}", name=name, word=word)
    found.say(name, make(_WAYS[word]))
    if more:
        _phrase(found, more)


def _by(found: _Phrases, rest: str) -> None:
    word, _, more = rest.removeprefix("the ").partition(" ")
    if word not in _WAYS:
        raise found.fault("by is followed by row or column, not by {word!r}", word=word)
    # Matrices have no order of lanes: their lines lie in rows, or in columns.
    if found.said.get("lanes") in ("ldmatrix", "stmatrix"):
        found.say("along", int(_WAYS[word] == "rows"))
    else:
        found.say("lanes", _WAYS[word][:-1])
    if more:
        _phrase(found, more)


def _tv(found: _Phrases, rest: str) -> None:
    if rest:
        _value(found, rest)
    else:
        found.say("lanes", "tv")


def _block(found: _Phrases, rest: str) -> None:
    extents = re.fullmatch(r"\(?(\d+) ?[x,] ?(\d+)\)?", rest)
    if extents is None or not int(extents[1]) * int(extents[2]):
        raise found.fault("block is followed by its extents as in 16x8, not by {rest!r}", rest=rest)
    found.say("block", (int(extents[1]), int(extents[2])))


def _tma(found: _Phrases, rest: str) -> None:
    found.say("engine", "tma")
    if rest:
        _phrase(found, rest)


def _wgmma(found: _Phrases, rest: str) -> None:
    found.say("engine", "wgmma")
    found.say("store", False)
    major = re.fullmatch(r"(k|mn)(?:[- ]major)?(?: (.*))?", rest.lower())
    if major is None:
        raise found.fault("wgmma is followed by K-major or MN-major, not by {rest!r}", rest=rest)
    found.say("major", major[1].upper())
    if major[2]:
        _phrase(found, major[2])


_VERBS: dict[str, Callable[[_Phrases, str], None]] = {
    **dict.fromkeys(("row", "rows"), _order("row")),
    **dict.fromkeys(("column", "columns", "col", "cols"), _order("column")),
    "by": _by,
    "from": lambda found, rest: found.say("source", _layout(found, rest)),
    "along": lambda found, rest: _way(found, rest, "along", lambda way: int(way == "columns")),
    "inner": lambda found, rest: _way(found, rest, "along", lambda way: int(way == "columns")),
    "mn": lambda found, rest: _way(found, rest, "mn", str),
    "tv": _tv,
    "block": _block,
    "tma": _tma,
    "wgmma": _wgmma,
}


def _read(found: _Phrases, text: str) -> Any:
    if found.read is None or not text:
        raise found.fault("{expr!r} is no expression that is read here", expr=text)
    return found.read(text)


def _layout(found: _Phrases, text: str) -> Layout:
    value = _read(found, text)
    if not isinstance(value, Layout):
        raise found.fault("{expr!r} is no layout", expr=text)
    return value


def _value(found: _Phrases, text: str) -> None:
    """A thread-value layout, or a tiled copy."""
    value = _read(found, text)
    if isinstance(value, TiledCopy):
        found.say("tiled", value)
    elif isinstance(value, Layout) and value.rank == 2:
        found.say("fragment", value)
    else:
        raise found.fault("{expr} is no thread-value layout (thread, value) and no tiled copy", expr=text)


def _list(found: _Phrases, text: str) -> None:
    try:
        found.say("listed", _instructions(json.loads(text)))
    except (ValueError, TypeError, IndexError, RecursionError):
        template = "{list!r} is no list of instructions, each a list of [row, column] or null"
        raise found.fault(template, list=text[:80]) from None


def _instructions(data: Any) -> tuple[tuple[tuple[int, int] | None, ...], ...]:
    found = tuple(tuple(None if p is None else (p[0], p[1]) for p in warp) for warp in data)
    if any(len(warp) > 32 for warp in found):
        raise ValueError("more than 32 lanes")
    if any(type(i) is not int for warp in found for place in warp if place for i in place):
        raise ValueError("no integers")
    return found


def _made(found: _Phrases, arch: str, defaults: Mapping[str, Any]) -> Pattern | Engine:
    said = dict(found.said)
    if kind := said.pop("engine", None):
        return _engine(found, kind, said)
    if "mn" in said:
        raise found.fault("mn belongs to wgmma, not to {text!r}")
    if copy := said.pop("tiled", None):
        pattern = tiled_access(copy, found.bits, said.pop("store", None), arch)
        if said.keys() - {"source"}:
            raise found.fault("a tiled copy says its {what} itself", what=", ".join(said))
        return pattern.replace(**said)
    if not said.keys() - {"store"}:
        raise found.fault("{text!r} says nothing of an access: row, column, ldmatrix, tv, ...")
    if "fragment" in said or "listed" in said:
        said.setdefault("lanes", "tv")
    if "copy" in said and "vector" not in said and "vector" not in defaults:
        said["vector"] = 128 // found.bits  # what copies move unless they must move less
    return Pattern(found.bits, arch=arch, **{**defaults, **said})


def _engine(found: _Phrases, kind: str, said: dict[str, Any]) -> Engine:
    along = said.pop("along", 1)
    engine = Engine(
        kind, said.pop("store", False), ("rows", "columns")[along], said.pop("major", "K"), said.pop("mn", "rows")
    )
    if said:
        raise found.fault("{engine} has no {what} of its lanes", engine=kind, what=", ".join(said))
    return engine


def access_of(fields: Mapping[str, Any], bits: int, read: Callable[[str], Any] | None = None) -> Pattern | Engine:
    """The access of an object with ``kind`` lanes, matrix, tv, list, tma or wgmma; LC103 for another, or a field
    that is missing, unknown or wrong.

    >>> access_of({"kind": "lanes", "op": "st", "vec": 8, "order": "row"}, 16) == Pattern(16, 8, store=True, along=1)
    True
    """
    kind = str(fields.get("kind"))
    known = _FIELDS.get(kind)
    if known is None:
        raise argument("banks", "an access has kind {known}, not {kind!r}", known=", ".join(_FIELDS), kind=kind)
    wrong = [n for n in fields if n != "kind" and n not in known]
    lacking = [n for n, default in known.items() if default is _NEEDED and n not in fields]
    if wrong or lacking:
        template = "an access of kind {kind} has the fields {known}" + ("; {wrong} is none" if wrong else "")
        raise argument("banks", template, kind=kind, known=", ".join(known), wrong=", ".join(wrong))
    given = {name: fields.get(name, default) for name, default in known.items()}
    try:
        return _MAKERS[kind](given, bits, read)
    except (KeyError, ValueError, TypeError, IndexError):
        raise argument("banks", "{fields} is no access of kind {kind}", kind=kind, fields=str(given)[:200]) from None


_NEEDED = object()
_FIELDS: dict[str, dict[str, Any]] = {
    "lanes": {"op": _NEEDED, "vec": 1, "order": "row", "along": "cols"},
    "matrix": {"op": _NEEDED, "num": 4, "along": "cols", "trans": False},
    "tv": {"op": _NEEDED, "vec": 1, "block": _NEEDED, "layout": _NEEDED},
    "list": {"op": _NEEDED, "vec": 1, "along": "cols", "instructions": _NEEDED},
    "tma": {"inner": "cols", "dir": "load"},
    "wgmma": {"major": _NEEDED, "mn": "rows"},
}


def _along(name: str) -> int:
    return int(_WAYS[name] == "columns")


def _op(name: str) -> dict[str, Any]:
    known: dict[str, dict[str, Any]] = {"ld": {}, "st": {"store": True}, "cp": {"store": True, "copy": "ca"}}
    return known[name]


def _tv_of(given: dict[str, Any], bits: int, read: Callable[[str], Any] | None) -> Pattern:
    layout = given["layout"] if isinstance(given["layout"], Layout) or read is None else read(given["layout"])
    if not isinstance(layout, Layout) or layout.rank != 2:
        raise ValueError("no thread-value layout")
    height, width = given["block"]
    return Pattern(bits, given["vec"], "tv", fragment=layout, block=(int(height), int(width)), **_op(given["op"]))


_MAKERS: dict[str, Callable[[dict[str, Any], int, Callable[[str], Any] | None], Pattern | Engine]] = {
    "lanes": lambda g, bits, _: Pattern(
        bits, g["vec"], {"row": "row", "col": "column"}[g["order"]], along=_along(g["along"]), **_op(g["op"])
    ),
    "matrix": lambda g, bits, _: Pattern(
        bits,
        g["num"],
        {"ldm": "ldmatrix", "stm": "stmatrix"}[g["op"]],
        store=g["op"] == "stm",
        along=_along(g["along"]),
        trans=bool(g["trans"]),
    ),
    "tv": _tv_of,
    "list": lambda g, bits, _: Pattern(
        bits, g["vec"], "tv", along=_along(g["along"]), listed=_instructions(g["instructions"]), **_op(g["op"])
    ),
    "tma": lambda g, bits, _: Engine("tma", {"load": False, "store": True}[g["dir"]], _WAYS[g["inner"]]),
    "wgmma": lambda g, bits, _: Engine("wgmma", major={"K": "K", "MN": "MN"}[g["major"]], mn=_WAYS[g["mn"]]),
}
