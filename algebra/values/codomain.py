"""Between semimodule elements and coordinates: what a value denotes, and a value used as a coordinate (paper, 4.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.errors import refuse
from .htuple import HTuple
from .semimodule import Coordinate, Xor


def profile_of(paths: Iterable[tuple[int, ...]]) -> HTuple:
    """The smallest nested tuple (leaves 0) that has every path."""
    found = list(paths)
    if any(i > _FEW for p in found for i in p):
        _check_axes(found)
    return _nested(found)


AXES = 1 << 16
"""Axes that a codomain may have."""

_FEW = 255
"""Indices up to which nothing needs to be counted."""


def _check_axes(paths: list[tuple[int, ...]]) -> None:
    """LC104 if a tuple with these paths would have too many entries."""
    last: dict[tuple[int, ...], int] = {}
    for p in paths:
        for level, i in enumerate(p):
            last[p[:level]] = max(i, last.get(p[:level], 0))
    if (count := sum(last.values()) + len(last)) > AXES:
        raise refuse("LC104", "a codomain with {count} axes; the limit is {limit}", op="value", count=count, limit=AXES)


def _nested(paths: list[tuple[int, ...]]) -> HTuple:
    if paths == [()] or not paths:
        return 0
    below: dict[int, list[tuple[int, ...]]] = {}
    for p in paths:
        below.setdefault(p[0], []).append(p[1:])
    return tuple([_nested(below.get(i, [])) for i in range(max(below) + 1)])


def value_of(element: Any, profile: HTuple) -> Any:
    """What a semimodule element denotes: an integer, or a coordinate tuple of the codomain profile."""
    if isinstance(element, Xor):
        return element.value
    if isinstance(element, Coordinate):
        return element.as_tuple(profile)
    return Coordinate(()).as_tuple(profile) if isinstance(profile, tuple) else element


def as_coordinate(element: Any, shape: HTuple) -> Any:
    """A codomain element used as a coordinate of ``shape``: an XOR value as its integer, absent entries as 0."""
    if isinstance(element, Xor):
        return element.value
    if isinstance(element, Coordinate):
        return _fill(element, shape)
    return element


def _fill(element: Coordinate, shape: HTuple) -> Any:
    profile = profile_of(p for p, _ in element.terms)
    known = element.as_tuple(profile)
    return _pad(known, shape)


def _pad(known: HTuple, shape: HTuple) -> HTuple:
    if not isinstance(known, tuple):
        return known
    if not isinstance(shape, tuple):
        # Mode 0 of a leaf is the leaf itself.
        return _pad(known[0], shape) if len(known) == 1 else known
    if len(known) > len(shape):
        return known
    missing = tuple(0 for _ in range(len(shape) - len(known)))
    return tuple(map(_pad, (*known, *missing), shape))
