"""Shapes and their coordinates (CuTe paper, sections 2.2 and 2.3)."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from ..base.decide import floor_quotient, inside, same
from ..base.errors import LayoutError, refuse
from ..base.words import word
from .codomain import as_coordinate
from .htuple import HTuple, Nested, congruent, entries, flatten, format_htuple
from .semimodule import Coordinate, Xor


@word("""
    modes: size(x: sized)
    the number of coordinates
    size((4,(3,2)):(2,(8,1)))
    over: shape
""")
def size(shape: HTuple) -> int:
    """|S|, the product of the leaves of a shape.

    >>> size(((2, 2), (4, 2)))
    32
    """
    if not isinstance(shape, tuple):
        return shape
    extent: int = prod(flatten(shape))
    return extent


@word("""
    coordinates: compatible(a: numbers, b: numbers)
    every coordinate of a is one of b
    compatible(24, (4,6))
    over: shape
""")
def compatible(a: HTuple, b: HTuple) -> bool:
    """``a`` coarsens ``b``: an integer of the same size, or tuples of equal rank compatible mode by mode (paper 2.2).

    Every coordinate of ``a`` is then one of ``b``.

    >>> compatible(24, (4, 6)), compatible((24,), (4, 6))
    (True, False)
    """
    if not isinstance(a, tuple):
        return same(a, size(b))
    return isinstance(b, tuple) and len(a) == len(b) and all(map(compatible, a, b))


@word("""
    coordinates: prefix_products(shape: shape)
    the compact column-major strides of a shape
    prefix_products((4,(3,2)))
    over: shape
""")
def prefix_products(shape: HTuple, start: int = 1) -> HTuple:
    """The compact column-major strides of a shape: each leaf's stride is the product of the leaves before it.

    >>> prefix_products((4, (3, 2)))
    (1, (4, 12))
    """
    return _stacked(shape, start)[0]


def _stacked(shape: HTuple, start: int) -> tuple[HTuple, int]:
    """The compact strides from ``start`` on, and where they end."""
    if not isinstance(shape, tuple):
        return start, start * shape
    strides: list[HTuple] = []
    for mode in shape:
        if isinstance(mode, tuple):
            below, start = _stacked(mode, start)
            strides.append(below)
        else:
            strides.append(start)
            start = start * mode
    return tuple(strides), start


def idx2crd(index: int, shape: HTuple) -> HTuple:
    """One level of index to coordinate: entry k is ``floor(index / S_0...S_{k-1}) mod S_k`` (paper, eq. 1).

    The last entry is not reduced, so that an index beyond |S| lands in the last mode.

    >>> idx2crd(22, ((2, 2), (4, 2))), idx2crd(40, (4, 8))
    ((2, 5), (0, 10))
    """
    if not isinstance(shape, tuple):
        return index
    digits = []
    for mode in shape[:-1]:
        extent = size(mode)
        rest = floor_quotient(index, extent)
        digits.append(index - rest * extent)
        index = rest
    return (*digits, index) if shape else ()


def natural(coordinate: HTuple, shape: Nested) -> HTuple:
    """The natural coordinate: ``idx2crd`` applied until the profile is that of ``shape``.

    >>> natural(22, ((2, 2), (4, 2)))
    ((0, 1), (1, 1))
    """
    if not isinstance(shape, tuple):
        return coordinate
    if not isinstance(coordinate, tuple):
        coordinate = idx2crd(coordinate, shape)
    return tuple(map(natural, entries(coordinate), shape))


def crd2idx(coordinate: HTuple, shape: HTuple) -> int:
    """The index of a coordinate: its inner product with the prefix products (paper, eq. 2).

    Inverts `idx2crd` in bounds; out of bounds different coordinates may collide.

    >>> crd2idx((2, 5), (4, 8)), crd2idx(((0, 1), (1, 1)), ((2, 2), (4, 2)))
    (22, 22)
    """
    if not isinstance(coordinate, tuple):
        return coordinate
    check_coordinate(coordinate, shape)
    index, weight = 0, 1
    for c, mode in zip(coordinate, entries(shape), strict=True):
        index = index + crd2idx(c, mode) * weight
        weight = weight * size(mode)
    return index


def inner_product(coordinate: Nested, shape: HTuple, stride: Nested) -> Any:
    """``<natural(c), D>``: what a coordinate of the shape is worth under strides; LC205 if it is none.

    >>> inner_product((22, 1), (((2, 2), (4, 2)), 3), (((1, 8), (2, 16)), 100))
    126
    """
    value = _worth(coordinate, shape, stride)
    if value is None:
        check_coordinate(coordinate, shape)
    return value


def _worth(coordinate: Nested, shape: HTuple, stride: Nested) -> Any:
    """`inner_product`, None where the coordinate is not weakly congruent with the shape."""
    if not isinstance(shape, tuple):
        return None if isinstance(coordinate, tuple) else _leaf(coordinate, shape, stride)
    if not isinstance(coordinate, tuple):
        _check_number(coordinate)
        extents = flatten(shape)
        if {type(coordinate), *map(type, extents)} == {int}:
            return at_index(coordinate, extents, flatten(stride))
        coordinate = idx2crd(coordinate, shape)
    if len(coordinate) != len(shape):
        return None
    total: Any = 0
    for c, s, d in zip(coordinate, shape, stride, strict=True):
        part = _worth(c, s, d) if type(s) is tuple or type(c) is tuple else _leaf(c, s, d)
        if part is None:
            return None
        total = total + part
    return total


def at_index(index: Any, extents: tuple[Any, ...], strides: tuple[Any, ...]) -> Any:
    """What an index is worth under flat modes; what lies beyond their size counts in the last one."""
    total: Any = 0
    for s, d in zip(extents[:-1], strides, strict=False):
        if index == 0:
            return total
        index, c = divmod(index, s)
        total = total + c * d
    return total + _leaf(index, extents[-1], strides[-1]) if strides else total


def _leaf(c: Any, s: Any, d: Any) -> Any:
    if type(c) is not int or type(s) is not int or c >= s:
        _check_number(c)
        inside(c, s)
    return c * d


def _check_number(c: Any) -> None:
    """LC205 for an entry of a coordinate that is no number of the algebra."""
    if type(c) is not int and not (isinstance(c, (Coordinate, Xor)) or hasattr(c, "symbols")):
        raise refuse("LC205", "{coordinate} is no coordinate", op="eval", coordinate=format_htuple(c))


@word("""
    coordinates: crd2crd(c: point, from: shape, to: shape)
    the coordinate of another shape with the same index
    crd2crd((1,2), (4,6), ((2,2),6))
""")
def crd2crd(coordinate: HTuple, source: HTuple, target: HTuple) -> HTuple:
    """The coordinate into ``target`` with the index that ``coordinate`` has in ``source``.

    >>> crd2crd((1, 2), (4, 6), ((2, 2), 6))
    ((1, 0), 2)
    """
    return natural(crd2idx(as_coordinate(coordinate, source), source), target)


def check_coordinate(coordinate: Nested, shape: Nested) -> None:
    """LC205 unless the coordinate is admissible: weakly congruent with the shape."""
    if not isinstance(coordinate, tuple):
        return
    if not isinstance(shape, tuple):
        raise _misfit("coordinate {coordinate} is deeper than the shape {shape}", coordinate, shape)
    if len(coordinate) != len(shape):
        template = "coordinate {coordinate} has rank {left}, shape {shape} has rank {right}"
        raise _misfit(template, coordinate, shape, left=len(coordinate), right=len(shape))
    for c, mode in zip(coordinate, shape, strict=True):
        if isinstance(c, tuple) and not isinstance(mode, tuple):
            raise _misfit("coordinate {coordinate} is deeper than the shape {shape}", coordinate, shape)
        check_coordinate(c, mode)


def _misfit(template: str, coordinate: Nested, shape: HTuple, **ranks: int) -> LayoutError:
    text = {"coordinate": format_htuple(coordinate), "shape": format_htuple(shape)}
    return refuse("LC205", template, **ranks, op="eval", **text)


def coordinates(shape: HTuple) -> Iterator[HTuple]:
    """The natural coordinates in colexicographic order, first mode fastest.

    >>> list(coordinates((2, 2)))
    [(0, 0), (1, 0), (0, 1), (1, 1)]
    """
    if not isinstance(shape, tuple):
        yield from range(shape)
    elif not shape:
        yield ()
    else:
        for last in coordinates(shape[-1]):
            for rest in coordinates(shape[:-1]):
                yield (*entries(rest), last)


def idx2crd_strided(index: int, shape: HTuple, stride: Nested) -> HTuple:
    """The coordinate of an offset under given strides: ``(index / d) mod s`` at every leaf, as CUTLASS defines it; 0
    for stride 0. LC201 for strides of another profile.

    >>> idx2crd_strided(7, (4, 8), (8, 1))
    (0, 7)
    """
    if not congruent(shape, stride):
        raise refuse(
            "LC201", "strides {stride} are not congruent with the shape {shape}",
            op="idx2crd", stride=format_htuple(stride), shape=format_htuple(shape),
        )  # fmt: skip
    return _digits(index, shape, stride)


def _digits(index: int, shape: HTuple, stride: Nested) -> HTuple:
    if isinstance(shape, tuple):
        return tuple(_digits(index, s, d) for s, d in zip(shape, entries(stride), strict=True))
    if same(stride, 0):
        return 0
    steps = floor_quotient(index, stride)
    digit: int = steps - floor_quotient(steps, shape) * shape
    return digit
