"""Known values of a layout at some coordinates: one mode taken off, and the strides that are left to be found.

A row is a coordinate (an integer an axis), the digits of it that are paid by strides not known yet, and a value. Taking
a mode of radix r along an axis off a set of rows divides that entry of the coordinate by r. Two rows that differ in the
rest alone, and in no digit that is open, tell the stride: (v - v') / (rest - rest'). Where no such rows are, the stride
stays open, and the rests join the open digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..base.effort import spend
from ..values.semimodule import Coordinate
from .integers import solve

__all__ = ["OPEN", "Row", "open_strides", "taken_off"]

OPEN: Any = None
"""A stride that the rows do not tell by themselves."""


class Row(NamedTuple):
    """One known value: the coordinate that is left, the digits whose strides are open, the value that is left."""

    at: tuple[int, ...]
    digits: tuple[int, ...]
    value: Any


def taken_off(rows: Sequence[Row], axis: int, radix: int) -> tuple[Any, list[Row]] | None:
    """The stride of a mode of that radix and the rows behind it; None if no stride serves all rows."""
    spend(1)
    groups: dict[Any, tuple[int, Any]] = {}
    stride, rests = OPEN, False
    for at, digits, value in rows:
        above, rest = divmod(at[axis], radix)
        rests = rests or rest > 0
        key = (*at[:axis], above, *at[axis + 1 :], digits)
        if key not in groups:
            groups[key] = rest, value
            continue
        first, known = groups[key]
        spend(1)
        if rest == first:
            continue
        found = quotient(minus(value, known), rest - first)
        if found is None or (stride is not OPEN and stride != found):
            return None
        stride = found
    if stride is OPEN and rests:
        return OPEN, _opened(rows, axis, radix)
    # Without a rest the stride may be any; 0 makes the smallest codomain.
    stride = 0 if stride is OPEN else stride
    left = _divided(rows, axis, radix, stride)
    return None if left is None else (stride, left)


def _opened(rows: Sequence[Row], axis: int, radix: int) -> list[Row]:
    """The rows with their rests among the open digits."""
    spend(len(rows))
    return [Row(_above(at, axis, radix), (*digits, at[axis] % radix), value) for at, digits, value in rows]


def _divided(rows: Sequence[Row], axis: int, radix: int, stride: Any) -> list[Row] | None:
    """The rows without what their rests pay; None if two of them contradict each other."""
    left: dict[Any, Any] = {}
    for at, digits, value in rows:
        spend(1)
        rest = at[axis] % radix
        key = _above(at, axis, radix), digits
        without = minus(value, rest * stride) if rest else value
        if left.setdefault(key, without) != without:
            return None
    return [Row(at, digits, value) for (at, digits), value in left.items()]


def _above(at: tuple[int, ...], axis: int, radix: int) -> tuple[int, ...]:
    return (*at[:axis], at[axis] // radix, *at[axis + 1 :])


def open_strides(rows: Sequence[Row], weights: Sequence[int]) -> list[Any] | None:
    """The open strides from rows of which nothing but open digits is left.

    Where there is a choice, such that the sum of ``weights[i]`` times stride i, the codomain, is small.
    """
    matrix = [row.digits for row in rows]
    axes = sorted({path for row in rows if isinstance(row.value, Coordinate) for path, _ in row.value.terms})
    if not axes:
        return solve(matrix, [row.value for row in rows], weights)
    sides = [[row.value.axis(path) if isinstance(row.value, Coordinate) else 0 for row in rows] for path in axes]
    found = [solve(matrix, side, weights) for side in sides]
    parts = [part for part in found if part is not None]
    if len(parts) < len(axes):
        return None
    return [Coordinate.of(zip(axes, column, strict=True)) for column in zip(*parts, strict=True)]


def minus(a: Any, b: Any) -> Any:
    """a - b of two integers or coordinates."""
    return a - b if type(a) is int and type(b) is int else a + -1 * b


def quotient(value: Any, n: int) -> Any:
    """value / n, None if it is no integer or coordinate."""
    if type(value) is int:
        found, rest = divmod(value, n)
        return None if rest else found
    if any(c % n for _, c in value.terms):
        return None
    return Coordinate.of((path, c // n) for path, c in value.terms)
