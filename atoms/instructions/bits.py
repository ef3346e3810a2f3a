"""The layouts of a copy in elements: from bit numbers to element numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.htuple import flatten, map_leaves
from laycalc.algebra.values.layout import Layout

if TYPE_CHECKING:
    from .record import Atom

__all__ = ["in_elements", "sides"]


def in_elements(layout: Layout, bits: int, op: str = "recast") -> Layout:
    """A (thread, bit) -> bit layout as (thread, element) -> element, elements of ``bits`` bits.

    Law: with R the result and L the layout, ``L(t, bits*v + b) = bits*R(t, v) + b`` for 0 <= b < bits. LC312 if an
    element would be cut: a stride is no multiple of ``bits``, or a run of neighbouring bits is not.

    >>> in_elements(Layout(((8, 4), 128), ((128, 0), 1)), 16)
    Layout('((8,4),8):((8,0),1)')
    """
    for extent, stride in zip(flatten(layout.shape), flatten(layout.stride), strict=True):
        if extent > 1 and stride % bits and (stride != 1 or extent % bits):
            raise refuse(
                "LC312",
                "elements of {bits} bits do not fit {layout}: its mode {extent}:{stride} cuts them",
                op=op,
                bits=bits,
                layout=str(layout),
                extent=extent,
                stride=stride,
                left_path=(),
            )

    def fewer(s: int, d: int) -> int:
        return s // bits if d == 1 and s > 1 else s

    def shorter(s: int, d: int) -> int:
        return 1 if d == 1 else d // bits

    return Layout(map_leaves(fewer, layout.shape, layout.stride), map_leaves(shorter, layout.shape, layout.stride))


def sides(atom: Atom, bits: int) -> tuple[Layout, Layout, Layout]:
    """(source, destination, reference) of a copy atom in elements of ``bits`` bits; LC103 for a matrix instruction."""
    made = [in_elements(atom.operand(side), bits, op=atom.name) for side in ("src", "dst", "ref")]
    return made[0], made[1], made[2]
