"""What a notebook shows: one picture of a value, the whole text of an error, a result as a table."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.tiler import Tiler
from laycalc.diagnostics.model import Failure

__all__ = ["picture"]

ROOM = 200_000
"""Bytes that a picture in a notebook may have; it is kept with the notebook."""

_WISHES: tuple[dict[str, Any], ...] = ({"limit": 1024}, {"limit": 256}, {"crop": "16,32"}, {"crop": "8,8"})
"""What is tried in turn until the picture has room: all cells, a heat map, a corner."""


def picture(value: Any) -> str | None:
    """The SVG of a value in fewer than `ROOM` bytes; None for one that cannot be drawn.

    >>> str(picture(Layout((4, 8), (8, 1)))).startswith("<svg")
    True
    """
    from laycalc.render.draw import draw

    drawn = [Layout(_covered(value)), value] if isinstance(value, Tiler) else value
    for wishes in _WISHES:
        try:
            found = str(draw(drawn, **wishes))
        except (LayoutError, Failure):
            continue
        if len(found.encode()) < ROOM:
            return found
    return None


def _covered(tiler: Tiler) -> tuple[int, ...]:
    """The shape of a layout that the tiles of a tiler lie in."""
    return tuple(_reach(mode) for mode in tiler.modes)


def _reach(mode: Any) -> int:
    if isinstance(mode, Tiler):
        return size(_covered(mode))
    if isinstance(mode, Layout):
        values = mode.values()
        return max(map(int, values)) + 1 if all(type(v) is int for v in values) else mode.size
    return mode if type(mode) is int else 1
