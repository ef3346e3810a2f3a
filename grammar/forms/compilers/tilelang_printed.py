"""What TileLang prints: ``Layout((8, 4) -> (8, 4), transform: ..)`` and ``Fragment((16, 16) -> (8,), ..)``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..reading.affine import Tree, sizes_of, substituted
from ..reading.affine_text import Cursor
from ..reading.reading import bad
from ..reading.signatures import Argument, bind, signature
from .tilelang_maps import FragmentMap, LayoutMap, coordinates

_Item = TypeVar("_Item")

_UNBOUNDED = "pos_inf"
"""What TVM prints where it has no bound, as for the XOR of two coordinates."""

_LAYOUT = signature("Layout(*, transform)")
_FRAGMENT = signature("Fragment(*, replicate=1, thread=None, forward_thread, forward_index, thread_range=None)")


def printed(text: str) -> tuple[LayoutMap | FragmentMap, tuple[str, ...]]:
    """The map of a print, and what was dropped."""
    cursor = Cursor(text)
    kind = cursor.name()
    opened = cursor.expect("(")
    sizes = sizes_of(_listed(cursor, cursor.integer), text)
    cursor.expect("->")
    extents = tuple(_listed(cursor, cursor.integer))
    fields = []
    while cursor.accept(","):
        fields.append(_field(cursor))
    cursor.expect(")", opened)
    if cursor.token.kind != "end":
        raise cursor.unexpected()
    if kind == "Layout":
        names, outputs = bind(_LAYOUT, text, fields)["transform"]
        if len(names) != len(sizes) or len(outputs) != len(extents):
            raise bad(text, 0, len(text), "the transform has another rank than the shapes")
        known = {n: ("v", c) for n, c in zip(names, coordinates(len(sizes)), strict=True)}
        return LayoutMap(sizes, tuple(substituted(t, known) for t in outputs), extents), ()
    found = bind(_FRAGMENT, text, fields)
    index = tuple(found["forward_index"])
    if len(index) != len(extents):
        raise bad(text, 0, len(text), "forward_index has another rank than the output")
    dropped = ("the range of threads was dropped: threads count from its beginning",) if "thread_range" in found else ()
    threads = found.get("thread") or 0
    return FragmentMap(sizes, found["forward_thread"], index, found.get("replicate", 1), threads, extents), dropped


def _field(cursor: Cursor) -> Argument:
    """``key: value``."""
    start = cursor.token.start
    key = cursor.name()
    cursor.expect(":")
    read = _VALUES.get(key, Cursor.expression)
    return Argument(key, read(cursor), start, cursor.end)


def _bound(cursor: Cursor) -> int | None:
    return None if cursor.accept(_UNBOUNDED) else cursor.integer()


def _transform(cursor: Cursor) -> tuple[list[str], list[Tree]]:
    names = _listed(cursor, cursor.name)
    cursor.expect("->")
    return names, _listed(cursor, cursor.expression)


def _range(cursor: Cursor) -> list[int]:
    """``I.Range(0, 128)``."""
    if cursor.name().rpartition(".")[2] != "Range":
        raise bad(cursor.text, cursor.end - 1, cursor.end, "a range of threads is expected", "Range(0, 128)")
    return _listed(cursor, cursor.integer)


def _listed(cursor: Cursor, item: Callable[[], _Item]) -> list[_Item]:
    """``(item, ..)``."""
    opened = cursor.expect("(")
    found = []
    while not cursor.at(")"):
        found.append(item())
        if not cursor.accept(","):
            break
    cursor.expect(")", opened)
    return found


_VALUES: dict[str, Callable[[Cursor], Any]] = {
    "transform": _transform,
    "replicate": Cursor.integer,
    "thread": _bound,
    "forward_index": lambda cursor: _listed(cursor, cursor.expression),
    "thread_range": _range,
}
