"""Tensor memory of Blackwell: ``#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>``.

A coordinate goes to (row, column) of tensor memory, columns counted in elements.
"""

from __future__ import annotations

from typing import Any

from laycalc.algebra.finding.criteria import layout_of_bits
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate

from ..reading.attributes import Attribute
from ..reading.reading import cannot, needs
from .bits import log2
from .fields import Fields, undivided

KINDS = frozenset({"tensor_memory_encoding"})

_ROWS = 128


def layout_of(text: str, encoding: Attribute, shape: tuple[int, ...] | None) -> Layout:
    """The layout of a tensor of ``shape``: blocks of 128 rows, or of 64 in every other 16 rows, side by side."""
    fields = Fields(text, encoding)
    for name in ("twoCTAs", "fp4Padded"):
        if fields.flag(name):
            raise fields.refuse(name, f"tensor memory with {name} is not covered")
    for name in ("CTASplitM", "CTASplitN"):
        if fields.integer(name, 1) != 1:
            raise fields.refuse(name, "tensor memory that CTAs divide is not covered: read the tensor of one CTA")
    undivided(fields, 2)
    if shape is None:
        raise needs(text, f"#{encoding.name} needs the shape of the tensor")
    if len(shape) != 2:
        raise cannot(f"tensor memory of rank 2 is covered, this tensor has rank {len(shape)}", source=text)
    block = fields.power("blockM"), fields.power("blockN")
    stride = fields.power("colStride", 1)
    if block[0] not in (64, _ROWS):
        raise fields.refuse("blockM", f"a block has 64 or {_ROWS} rows, not {block[0]}")
    if shape[0] < block[0] or shape[1] < block[1]:
        raise cannot(f"a block of {block} is no part of a tensor of {shape}", source=text)
    return _placed(block, stride, shape)


def _placed(block: tuple[int, int], stride: int, shape: tuple[int, ...]) -> Layout:
    rows = [_unit(0, 1 << b) for b in range(log2(_ROWS))]
    # The fifth row bit of a block of 64 rows is free for the next block.
    spare = [rows.pop(4)] if block[0] == 64 else []
    own = (rows, [_unit(1, stride << b) for b in range(log2(block[1]))])
    column = stride * block[1]
    for axis in (0, 1):
        for _ in range(log2(shape[axis] // block[axis])):
            if spare:
                own[axis].append(spare.pop())
                continue
            own[axis].append(_unit(1, column))
            column *= 2
    return layout_of_bits(own)


def _unit(axis: int, value: int) -> Any:
    return Coordinate.of((((axis,), value),))
