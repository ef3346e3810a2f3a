"""A swizzle seen from an offset: a plain layout where it acts linearly, a swizzled one otherwise."""

from __future__ import annotations

from typing import Any

from ..base.effort import VALUES
from ..base.errors import refuse
from .coalesce import merged
from .htuple import Nested, map_leaves
from .layout import Layout, make
from .semimodule import Coordinate, Xor
from .swizzle import Composed, Swizzle


def swizzled_offset(swizzle: Swizzle, start: int, layout: Layout) -> tuple[int, Layout | Composed]:
    """(outside, inner) with ``Sw(start + L(c)) = outside + inner(c)``.

    Inner is a plain layout, perhaps with negative strides, where the swizzle acts linearly on L from ``start``; else it
    is swizzled, and the part of the start that the swizzle neither reads nor changes stands outside.
    """
    plain = linear_part(swizzle, start, layout)
    if plain is not None:
        return swizzle(start), plain
    active = start & (swizzle.source | swizzle.target)
    values = layout.values()
    if all(swizzle(start + v) == start - active + swizzle(active + v) for v in values):
        return start - active, Composed(swizzle, active, layout)
    return 0, Composed(swizzle, start, layout)


def linear_part(swizzle: Swizzle, start: int, layout: Layout) -> Layout | None:
    """The layout R with ``Sw(start + L(c)) = Sw(start) + R(c)``, modes of L split where bits part, or None.

    Each leaf is tried as it stands, then bit by bit: a bit of the coordinate moves the value by a fixed amount,
    negative where the swizzle clears what it adds. The whole is then compared value by value (LC104 above 2^20 values).
    """
    if any(isinstance(d, (Coordinate, Xor)) for d in layout.flat()[1]):
        return None
    total = layout.size
    if type(total) is not int or total > VALUES:
        raise refuse(
            "LC104",
            "slicing a swizzled layout with {size} free elements; the limit is {limit}",
            op="slice",
            size=total,
            limit=VALUES,
        )
    origin = swizzle(start)
    pieces: list[tuple[Nested, Nested]] = []

    def split(s: int, d: int) -> int:
        pieces.append(_leaf(swizzle, start, origin, s, d))
        return len(pieces) - 1

    where = map_leaves(split, layout.shape, layout.stride)
    result = make(map_leaves(lambda i: pieces[i][0], where), map_leaves(lambda i: pieces[i][1], where))
    moved = [swizzle(start + v) - origin for v in layout.elements()]
    return result if result.elements() == moved else None


def _leaf(swizzle: Swizzle, start: int, origin: int, s: int, d: int) -> tuple[Nested, Nested]:
    step = swizzle(start + d) - origin if s > 1 else d
    if all(swizzle(start + c * d) == origin + c * step for c in range(s)):
        return s, step
    shape: list[Any] = []
    stride: list[Any] = []
    weight = 1
    while s % 2 == 0:
        shape.append(2)
        stride.append(swizzle(start + weight * d) - origin)
        weight, s = weight * 2, s // 2
    if s > 1:
        shape.append(s)
        stride.append(swizzle(start + weight * d) - origin)
    modes = merged(tuple(shape), tuple(stride))
    if len(modes) == 1:
        return modes[0]
    return tuple(n for n, _ in modes), tuple(x for _, x in modes)
