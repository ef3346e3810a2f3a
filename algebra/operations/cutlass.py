"""What the CUTLASS C++ headers answer to a composition, right or wrong (they test single leaves, never leaves
together).

Used to say what a user would see elsewhere, and to give a ragged divide the result that people know. Nothing here
decides what is right.
"""

from __future__ import annotations

from typing import Any

from ..values.coalesce import Modes, open_modes, unwrap
from ..values.htuple import map_leaves
from ..values.layout import Layout, make, nested
from ..values.semimodule import Coordinate, Xor, continues


class StaticAssert(Exception):
    """The compile-time refusal of the C++ headers; ``kind`` is ``stride-divisibility`` or ``shape-divisibility``."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def cutlass_composition(left: Layout, right: Layout) -> Layout:
    """The layout that C++ returns for A o B over integer or basis strides; `StaticAssert` where it refuses.

    >>> cutlass_composition(Layout((4, 6, 8), (2, 3, 5)), Layout(6, 3))
    Layout('(2,3):(6,3)')
    """
    return nested(map_leaves(lambda s, d: _leaf(left, s, d), right.shape, right.stride))


def _leaf(left: Layout, s: Any, d: Any) -> Layout:
    if isinstance(d, Coordinate):
        if d.basis is None:
            raise StaticAssert("scaled-basis-unsupported")
        path, d = d.basis
        left = left[path]
    if isinstance(d, Xor):
        raise StaticAssert("no XOR strides")
    if d == 0:
        return make(s, 0)
    modes = open_modes(left)
    result: Modes = []
    rest, step = s, d
    for extent, stride in modes[:-1]:
        if abs(step) % extent and abs(step) >= extent:
            raise StaticAssert("stride-divisibility")
        ceiling = -(-extent // abs(step))
        digits = min(ceiling, rest)
        if ceiling != 1 and rest != 1 and rest % digits:
            raise StaticAssert("shape-divisibility")
        _append(result, digits, step * stride)
        rest //= digits
        sign = -1 if step < 0 else 1
        step = sign * -(-abs(step) // extent)
    _append(result, rest, step * modes[-1][1])
    return unwrap(result) if result else make(1, step * modes[-1][1])


def _append(modes: Modes, s: Any, d: Any) -> None:
    if s == 1:
        return
    if modes and continues(*modes[-1], d):
        modes[-1] = (modes[-1][0] * s, modes[-1][1])
    else:
        modes.append((s, d))
