"""What a value is, in the words with which kinds of picture say that they are meant."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.values.swizzle import Swizzle
from laycalc.algebra.values.tiler import Tiler

from .scene.sample import has_layouts


def described(value: Any, tile: Any) -> str:
    """The word for a value that is to be drawn, or for a list of values, over a tile or without one.

    >>> described(Swizzle(3, 0, 3), None), described([1, 2], (16, 8, 16))
    ('swizzle', 'layouts over M x N x K')
    """
    if isinstance(value, (list, tuple)) and value:
        return _several(value[0], value[1:], tile)
    if hasattr(value, "domain") and hasattr(value, "codomain"):
        return "morphism"
    if has_layouts(value, "ABC"):
        return "MMA"
    if has_layouts(value, ("src", "dst")) or (has_layouts(value, "SD") and hasattr(value, "tiler")):
        return "copy"
    if hasattr(value, "gstrides"):
        return "tensor map"
    if isinstance(value, Swizzle):
        return "swizzle"
    return "layout" if tile is None else "layout over a tile"


def _several(first: Any, others: Any, tile: Any) -> str:
    if isinstance(tile, tuple) and len(tile) == 3:
        return "layouts over M x N x K"
    if others and all(isinstance(v, Tiler) for v in others):
        return "layout and tilers"
    if others and hasattr(first, "shape") and all(isinstance(v, tuple) for v in others):
        return "layout and coordinates"
    return "layouts"
