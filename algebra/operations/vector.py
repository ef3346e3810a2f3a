"""What two layouts have in common, and how far one is contiguous (CUTLASS layout.hpp; CuTe paper, 4.1)."""

from __future__ import annotations

from math import gcd
from typing import Any

from ..base.decide import known_same, less, same
from ..base.effort import VALUES, check_compared
from ..base.errors import refuse
from ..base.words import word
from ..finding.synthesis import layout_of
from ..values.coalesce import Modes, merged, unwrap
from ..values.layout import Layout, concat
from ..values.lifting import Lifted
from ..values.swizzle import Composed
from ..values.tensor import Tensor
from .composition import composition
from .inverse import right_inverse


@word("""
    values: max_common_layout(A: any-layout, B: any-layout)
    the coordinates of those elements
    max_common_layout((4,4):(1,4), ((2,2),4):((1,8),2))
""")
def max_common_layout(a: Lifted, b: Lifted) -> Layout:
    """The indices over which both layouts run through 0, 1, 2, ... together: where ``A^R`` and ``B^R`` agree.

    Law: ``A(R(k)) = B(R(k)) = k`` for 0 <= k < |R|, R(k) inside both domains. Coordinate layouts are compared axis by
    axis; a swizzle is asked for no more than the 2^M elements that it keeps together everywhere. Source: paper 4.1.

    >>> max_common_layout(Layout(((2, 2), (2, 2)), ((8, 2), (4, 1))), Layout(((2, 2), (2, 2)), ((4, 2), (8, 1))))
    Layout('(2,2):(8,2)')
    """
    if isinstance(a, Layout) and isinstance(b, Layout):
        if "F2" in (a.semimodule, b.semimodule):
            return _common_by_value(a, b)
        return _common(right_inverse(a), right_inverse(b))
    unit = gcd(kept_together(a), kept_together(b))
    common = max_common_layout(_inner(a), _inner(b))
    return composition(common, gcd(common.size, unit)) if unit else common


def _inner(layout: Lifted) -> Layout:
    if isinstance(layout, Layout):
        return layout
    return unwrap([]) if layout.layout is None else _inner(layout.layout)


def kept_together(layout: Lifted) -> int:
    """How many elements a swizzle keeps together; 0 where nothing parts them.

    Bit t of an offset moves with bit s only if some offset has bit s; of the pairs that move the lowest bit counts.

    >>> from ..values.swizzle import Swizzle
    >>> kept_together(Composed(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1))))
    8
    >>> kept_together(Composed(Swizzle(1, 0, 4), 0, Layout((8, 2), (1, 8))))
    0
    """
    if isinstance(layout, Tensor):
        return 0 if layout.layout is None else kept_together(layout.layout)
    if not isinstance(layout, Composed) or not layout.swizzle.bits:
        return 0
    swizzle, reached = layout.swizzle, -1
    if type(layout.size) is int and layout.size <= VALUES:
        reached = 0
        for value in layout.layout.elements():
            reached |= layout.offset + value
    for k in range(swizzle.bits):
        if reached >> (swizzle.base + max(0, swizzle.shift) + k) & 1:
            return gcd(1 << (swizzle.base + k), layout.offset)
    return 0


def _common(x: Layout, y: Layout) -> Layout:
    """The longest common beginning of two coalesced layouts; by mode for a coordinate domain."""
    if isinstance(x.shape, tuple) and isinstance(y.shape, tuple) and x.depth > 1:
        return concat(*map(_common, x.modes(), y.modes()))
    result: Modes = []
    for s, d, t, e in zip(*x.flat(), *y.flat(), strict=False):
        if not same(d, e):
            break
        result.append((t if less(t, s) else s, d))
        if not same(s, t):
            break
    return unwrap(merged(tuple(s for s, _ in result), tuple(d for _, d in result)))


def _common_by_value(a: Layout, b: Layout) -> Layout:
    check_compared("max_common_layout", max(a.size, b.size), each=4)
    first, second = _first_index(a), _first_index(b)
    indices: list[int] = []
    while (k := len(indices)) in first and first[k] == second.get(k):
        indices.append(first[k])
    # Only a prefix that some layout describes counts; powers of two are tried first.
    for count in range(len(indices), 1, -1):
        found = layout_of(indices[:count])
        if found is not None:
            return found
    return unwrap([])


def _first_index(layout: Layout) -> dict[int, int]:
    found: dict[int, int] = {}
    for i, v in enumerate(layout.values()):
        found.setdefault(v, i)
    return found


@word("""
    values: max_common_vector(A: any-layout, B: any-layout)
    how many elements both layouts hold contiguously alike
    max_common_vector((4,4):(1,4), ((2,2),4):((1,8),2))
""")
def max_common_vector(a: Lifted, b: Lifted) -> Any:
    """How many elements two layouts have contiguous at the same coordinates: the size of `max_common_layout`.

    >>> max_common_vector(Layout((4, 4), (1, 4)), Layout(((2, 2), 4), ((1, 8), 2)))
    2
    """
    return max_common_layout(a, b).size


@word("""
    values: max_alignment(L: layout)
    the largest power of two that divides all strides past the contiguous part
    max_alignment((8,8):(1,16))
""")
def max_alignment(layout: Layout) -> Any:
    """The greatest V such that the values come in whole aligned runs of V.

    Law: V divides the length of the chain 0, 1, 2, ... that L contains and every stride that is not part of it.

    >>> max_alignment(Layout((8, 4), (1, 16))), max_alignment(Layout((8, 4), (1, 12)))
    (8, 4)
    """
    inverse = right_inverse(layout)
    if layout.semimodule == "F2":
        return 1 << (inverse.size.bit_length() - 1)
    if layout.semimodule == "Z^P":
        raise refuse(
            "LC304",
            "alignment is asked of offsets, not of coordinates: {layout}",
            op="max_alignment",
            layout=str(layout),
        )
    weights = set(inverse.flat()[1])
    result, weight = inverse.size, 1
    for s, d in merged(*layout.flat()):
        if not any(known_same(weight, w) for w in weights) or inverse.size == 1:
            result = gcd(result, d)
        weight = weight * s
    return result
