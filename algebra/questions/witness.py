"""The laws of the operations as functions that return a witness: where a claimed result is wrong, or None.

Each compares the claim with the definition value by value, up to a limit of points; the exact criteria inside the
operations have no limit. A witness is (coordinate, value by definition, claimed value).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..operations.complement import complement, complement_of_tile
from ..values.htuple import entries
from ..values.layout import Layout, concat
from ..values.shape import natural

Witness = tuple[Any, Any, Any]

SILENT: Any = object()
"""Returned by a definition where the law says nothing."""


def _first_difference(shape: Any, points: int, definition: Callable[[int], Any], claim: Layout) -> Witness | None:
    for i in range(points):
        expected = definition(i)
        if expected is SILENT:
            continue
        found = claim.element(natural(i, shape))
        if found != expected:
            return natural(i, shape), expected, found
    return None


def coalesce_law(layout: Layout, result: Layout, limit: int) -> Witness | None:
    """``R(i) = L(i)`` for 0 <= i < |L|."""
    return _first_difference(result.shape, min(layout.size, limit), layout.element, result)


def composition_law(left: Layout, right: Layout, result: Layout, limit: int) -> Witness | None:
    """``R(c) = A(B(c))`` for every coordinate c of B."""
    points = min(right.size, limit)
    return _first_difference(right.shape, points, lambda i: left.element(right.element(i)), result)


def divide_law(layout: Layout, tile: Layout, result: Layout, limit: int) -> Witness | None:
    """``R(c) = A(C(c))`` with C = (B, B*_|A|), wherever C(c) < |A|."""
    extent = layout.size
    cover = concat(tile, complement_of_tile(tile, extent))

    def definition(i: int) -> Any:
        at = cover.element(i)
        return layout.element(at) if at < extent else SILENT

    return _first_difference(cover.shape, min(cover.size, limit), definition, result)


def product_law(layout: Layout, pattern: Layout, result: Layout, limit: int) -> Witness | None:
    """``R(a, b) = A(a) + A*(B(b))``."""
    free = complement(layout)
    both = (layout.shape, pattern.shape)

    def definition(i: int) -> Any:
        a, b = entries(natural(i, both))
        return layout.element(a) + free.element(pattern.element(b))

    return _first_difference(both, min(layout.size * pattern.size, limit), definition, result)


def right_inverse_law(layout: Layout, result: Layout, limit: int) -> Witness | None:
    """``L(R(k)) = k`` over the domain of R, for integer and XOR codomains."""
    for k in range(min(result.size, limit)):
        found = layout(result(k))
        if found != k:
            return k, k, found
    return None


def left_inverse_law(layout: Layout, result: Layout, limit: int) -> Witness | None:
    """``L(R(L(k))) = L(k)`` for 0 <= k < |L|."""
    for k in range(min(layout.size, limit)):
        value = layout(k)
        found = layout(result(value))
        if found != value:
            return k, value, found
    return None


LAWS: dict[str, Callable[..., Witness | None]] = {
    "coalesce": coalesce_law,
    "composition": composition_law,
    "logical_divide": divide_law,
    "logical_product": product_law,
    "right_inverse": right_inverse_law,
    "left_inverse": left_inverse_law,
}
