"""Layouts near one that no descriptor reads: its own strides with another swizzle, then the atoms of its shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.htuple import entries, flatten
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor

from .canonical import Operand
from .smem_atoms import smem_layout

__all__ = ["candidates"]


def candidates(layout: Any, operand: Operand) -> Iterator[Layout | Composed]:
    """Layouts to try, the nearest first; none if an extent or stride is unknown."""
    inside: Any = layout.layout if isinstance(layout, Tensor) else layout
    start, plain = (inside.offset, inside.layout) if isinstance(inside, Composed) else (0, inside)
    if any(type(x) is not int for x in (*flatten(plain.shape), *flatten(plain.stride), start)):
        return
    base = operand.unit.bit_length() - 1
    for bits in (3, 2, 1):
        yield Composed(Swizzle(bits, base, 3), start, plain)
    rows = 64 if operand.letter == "A" else 8
    mn, k, *stages = map(size, entries(plain.shape))
    shape = (-(-mn // rows) * rows, -(-k // operand.k) * operand.k, *stages)
    try:
        yield smem_layout(operand.major.upper(), operand.bits, shape)
    except LayoutError:
        return
