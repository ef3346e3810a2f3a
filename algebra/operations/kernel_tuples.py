"""Integers and tuples as kernels compute with them: tiles that cover an extent, and tuples diced by another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.decide import divides, quotient
from ..base.errors import refuse
from ..base.words import word
from ..values.htuple import HTuple, format_htuple
from ..values.shape import size


def _each(f: Callable[[Any, Any], Any], a: HTuple, b: HTuple, op: str) -> Any:
    """``f`` of the leaves; an integer stands for all entries of a tuple beside it, entries too many stay."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        if len(b) > len(a):
            raise refuse(
                "LC103", "{op}: {b} has more modes than {a}", op=op, a=format_htuple(a), b=format_htuple(b)
            )  # fmt: skip
        return (*(_each(f, x, y, op) for x, y in zip(a, b, strict=False)), *a[len(b) :])
    if isinstance(a, tuple):
        return tuple(_each(f, x, b, op) for x in a)
    return f(a, size(b) if isinstance(b, tuple) else b)


def _rounded_up(a: Any, b: Any) -> Any:
    if divides(b, a):
        return quotient(a, b)
    return -(-a // b)


@word("""
    coordinates: ceil_div(a: numbers, b: shape)
    how many tiles of b cover a, mode by mode
    law: b*(R - 1) < a <= b*R
    ceil_div((1000,70), (128,64))
""")
def ceil_div(a: HTuple, b: HTuple) -> Any:
    """The quotient rounded up, mode by mode; modes of ``a`` beyond those of ``b`` stay.

    >>> ceil_div((1000, 70, 3), (128, 64))
    (8, 2, 3)
    """
    return _each(_rounded_up, a, b, "ceil_div")


@word("""
    coordinates: round_up(a: numbers, b: shape)
    the least multiple of b that is not below a, mode by mode
    law: R = b*ceil_div(a,b)
    round_up(1000, 128)
""")
def round_up(a: HTuple, b: HTuple) -> Any:
    """``a`` rounded up to a multiple of ``b``.

    >>> round_up((1000, 64), (128, 64))
    (1024, 64)
    """
    return _each(lambda x, y: _rounded_up(x, y) * y, a, b, "round_up")


@word("""
    coordinates: elem_scale(a: numbers, b: numbers)
    the products, mode by mode
    elem_scale((4,8), (2,3))
""")
def elem_scale(a: HTuple, b: HTuple) -> Any:
    """The product of each entry of ``a`` with that of ``b``; a tuple in ``b`` counts as its size.

    >>> elem_scale((4, 8), (2, (3, 2)))
    (8, 48)
    """
    return _each(lambda x, y: x * y, a, b, "elem_scale")


@word("""
    coordinates: product_each(shape: shape)
    the size of each mode
    product_each((8,(2,4)))
""")
def product_each(shape: HTuple) -> Any:
    """The extents of a shape at one level.

    >>> product_each((8, (2, 4)))
    (8, 8)
    """
    return tuple(map(size, shape)) if isinstance(shape, tuple) else shape


@word("""
    modes: dice(c: coordinate, x: any)
    the modes where the coordinate is not free, the opposite of a slice
    dice((1,_,1), (128,96,64))
""")
def dice(coordinate: HTuple, operand: Any) -> Any:
    """The entries of a tuple, or the modes of a layout, where ``coordinate`` has no ``_``.

    >>> dice((1, None, 1), (128, 96, 64))
    (128, 64)
    """
    from .modes import select

    if not isinstance(coordinate, tuple):
        return operand if coordinate is not None else ()
    rank = len(operand) if isinstance(operand, tuple) else getattr(operand, "rank", 1)
    if len(coordinate) != rank:
        raise refuse(
            "LC205", "dice: {c} has {left} entries, {x} has {right} modes",
            op="dice", c=format_htuple(coordinate), left=len(coordinate), right=rank, x=str(operand),
        )  # fmt: skip
    return select(operand, *(i for i, c in enumerate(coordinate) if c is not None))
