"""Questions about values: is it a number, a stride, something that may stand to the right of an operator?"""

from __future__ import annotations

from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from .values import Verdict

LAYOUTS = (Layout, Composed, Tensor)
"""The kinds that have a shape and values."""


def is_number(value: Any) -> bool:
    """An integer, known or not; a boolean is none."""
    return type(value) is int or hasattr(value, "symbols")


def is_element(value: Any) -> bool:
    """A number or a stride of another semimodule."""
    return is_number(value) or isinstance(value, (Coordinate, Xor))


def is_operand(value: Any) -> bool:
    """May it stand to the right of o, / and *?"""
    return value is None or isinstance(value, (*LAYOUTS, Tiler, tuple, Swizzle)) or is_number(value)


def is_htuple(value: Any, *, free: bool = False) -> bool:
    """A nested tuple of numbers and strides; with ``free`` some entries may be None."""
    if isinstance(value, tuple):
        return all(is_htuple(v, free=free) for v in value)
    return is_element(value) or (free and value is None)


def is_numbers(value: Any) -> bool:
    """A number, or a nested tuple of them."""
    if isinstance(value, tuple):
        return all(map(is_numbers, value))
    return is_number(value)


def is_coordinate(value: Any, *, free: bool = False) -> bool:
    """A nested tuple of numbers, or a value of a layout with other strides; with ``free`` some entries may be None."""
    return isinstance(value, (Coordinate, Xor)) or _is_index(value, free)


def _is_index(value: Any, free: bool) -> bool:
    if isinstance(value, tuple):
        return all(_is_index(v, free) for v in value)
    return is_number(value) or (free and value is None)


def has_free(value: Any) -> bool:
    """Is some entry of a coordinate free?"""
    return value is None or (isinstance(value, tuple) and any(map(has_free, value)))


def is_truth(value: Any) -> bool:
    """True, false, or a verdict with its reason."""
    return isinstance(value, (bool, Verdict))
