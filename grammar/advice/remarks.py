"""Remarks about results that are right and perhaps not meant: LC403, LC405 and LC409.

The algebra makes its own remarks while it computes; these look at a call as somebody wrote it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laycalc.algebra.base.errors import LayoutError, observing, remark
from laycalc.algebra.values.htuple import entries
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.shape import prefix_products
from laycalc.algebra.values.tiler import Tiler

__all__ = ["look"]

DIVIDES = frozenset({"logical_divide", "zipped_divide", "tiled_divide", "flat_divide"})
PRODUCTS = frozenset({"logical_product", "zipped_product", "tiled_product", "flat_product"})
GREATEST = (1 << 31) - 1
VALUES = 1 << 14
"""Elements of a product that are compared to tell whether blocks overlap."""
COMPARED = 1 << 12
"""Elements of a tile that are compared to tell whether two tilers differ."""


def look(function: Any, arguments: Sequence[Any], result: Layout) -> None:
    """Remark on the result of a call, if there is something to say."""
    reach = _reach(result)
    if reach > GREATEST and not any(type(x) is Layout and _reach(x) > GREATEST for x in arguments):
        remark(
            "LC405",
            "offsets of {layout} reach {reach}, 32-bit integers end at {limit}",
            op=function.__name__,
            layout=str(result),
            reach=reach,
            limit=GREATEST,
        )
    if len(arguments) > 1:
        if type(arguments[1]) is Layout and function.__name__ in DIVIDES:
            _meant_by_mode(function, arguments[0], arguments[1], result)
        elif type(arguments[1]) is Tiler and function.__name__ in PRODUCTS:
            _overlapping(function, arguments[0], arguments[1], result)


def _reach(layout: Layout) -> int:
    """The greatest offset of integer strides; size-1 modes do not count."""
    reach = 0
    for s, d in zip(*layout.flat(), strict=True):
        if type(d) is int and type(s) is int:
            reach += (s - 1) * abs(d)
    return reach


def _overlapping(function: Any, layout: Any, tiler: Tiler, result: Layout) -> None:
    """LC409: a product by mode knows one mode at a time, and its blocks may meet those of another mode."""
    if type(layout) is not Layout or type(result.size) is not int or result.size > VALUES:
        return
    if any(d == 0 for m in tiler.modes if isinstance(m, Layout) for d in m.flat()[1]):
        return
    values, before = result.elements(), layout.elements()
    if len(set(values)) < len(values) and len(set(before)) == len(before):
        seen: set[Any] = set()
        twice = next(v for v in values if v in seen or seen.add(v))  # type: ignore[func-returns-value]
        remark(
            "LC409",
            "the blocks of {layout} overlap: the product by mode {result} takes the value {value} twice",
            op=function.__name__,
            layout=str(layout),
            result=str(result),
            value=twice if type(twice) is int else str(twice),
            left_path=(),
            right_path=(),
        )


def _meant_by_mode(function: Any, layout: Any, tile: Layout, result: Layout) -> None:
    """LC403: a compact tile with an extent for each mode of the layout, none longer than the mode."""
    if type(layout) is not Layout or tile.rank < 2 or layout.rank != tile.rank:
        return
    if tile.stride != prefix_products(tile.shape) or type(tile.size) is not int or tile.size > COMPARED:
        return
    if any(type(m.size) is not int or m.size < t.size for m, t in zip(layout.modes(), tile.modes(), strict=True)):
        return
    from laycalc.algebra.operations.divide import zipped_divide

    try:
        with observing():  # what these trials remark is not about the result
            meant = zipped_divide(layout, Tiler(entries(tile.shape)))
            given = zipped_divide(layout, tile)
    except LayoutError:
        return
    if set(meant[0].elements()) == set(given[0].elements()):
        return
    remark(
        "LC403",
        "{tile} is a tiler of one mode, {size} consecutive elements of {layout}; by mode, {tiler} gives tiles {shape}",
        op=function.__name__,
        tile=str(tile),
        tiler=str(Tiler(entries(tile.shape))),
        size=tile.size,
        layout=str(layout),
        rank=layout.rank,
        shape=str(meant[0]),
        left_path=(),
        right_path=(),
    )
