"""Shapes and their coordinates (CuTe paper, sections 2.2 and 2.3)."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from ..base.decide import floor_quotient, same
from ..base.errors import refuse
from ..base.words import word
from .htuple import HTuple, Nested, entries, flatten, format_htuple


@word("""
    modes: size(x: tuple)
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
    coordinates: compatible(a: tuple, b: tuple)
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
    if not isinstance(shape, tuple):
        return start
    strides = []
    for mode in shape:
        strides.append(prefix_products(mode, start))
        start = start * size(mode)
    return tuple(strides)


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


@word("""
    coordinates: crd2crd(c: coordinate, from: shape, to: shape)
    the coordinate of another shape with the same index
    crd2crd((1,2), (4,6), ((2,2),6))
""")
def crd2crd(coordinate: HTuple, source: HTuple, target: HTuple) -> HTuple:
    """The coordinate into ``target`` with the index that ``coordinate`` has in ``source``.

    >>> crd2crd((1, 2), (4, 6), ((2, 2), 6))
    ((1, 0), 2)
    """
    return natural(crd2idx(coordinate, source), target)


def check_coordinate(coordinate: Nested, shape: Nested) -> None:
    """LC205 unless the coordinate is admissible: weakly congruent with the shape."""
    if not isinstance(coordinate, tuple):
        return
    text = {"op": "eval", "coordinate": format_htuple(coordinate), "shape": format_htuple(shape)}
    if not isinstance(shape, tuple):
        raise refuse("LC205", "coordinate {coordinate} is deeper than the shape {shape}", **text)
    if len(coordinate) != len(shape):
        raise refuse(
            "LC205",
            "coordinate {coordinate} has rank {left}, shape {shape} has rank {right}",
            left=len(coordinate),
            right=len(shape),
            **text,
        )
    for c, mode in zip(coordinate, shape, strict=True):
        if isinstance(c, tuple) and not isinstance(mode, tuple):
            raise refuse("LC205", "coordinate {coordinate} is deeper than the shape {shape}", **text)
        check_coordinate(c, mode)


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
    for stride 0.

    >>> idx2crd_strided(7, (4, 8), (8, 1))
    (0, 7)
    """
    if isinstance(shape, tuple):
        return tuple(idx2crd_strided(index, s, d) for s, d in zip(shape, stride, strict=True))
    return (
        0
        if same(stride, 0)
        else floor_quotient(index, stride) - floor_quotient(floor_quotient(index, stride), shape) * shape
    )
