"""Swizzles met by swizzles and layouts, and swizzles as XOR strides (CUTLASS swizzle_layout.hpp; CuTe paper, 4.3.2)."""

from __future__ import annotations

from typing import Any

from .coalesce import merged, unwrap
from .errors import LayoutError, refuse
from .htuple import unflatten
from .layout import Layout, make
from .semimodule import Xor
from .swizzle import Composed, Swizzle

__all__ = ["as_swizzle", "as_xor", "compose_swizzles", "layout_after_swizzle"]

LIMIT = 1 << 20
"""How many values are compared to show that a swizzle can change sides."""


def compose_swizzles(left: Swizzle, right: Swizzle) -> Swizzle:
    """Sw1 o Sw2 where that is a swizzle again; LC303 otherwise.

    Law: ``R(i) = Sw1(Sw2(i))`` for every i. Swizzles are linear over F2, so their single bits decide.

    >>> str(compose_swizzles(Swizzle(2, 1, 4), Swizzle(1, 3, 4)))
    'Sw<3,1,4>'
    """
    bits = max(left.period, right.period).bit_length()
    moved = {b: left(right(1 << b)) ^ 1 << b for b in range(bits)}
    found = _from_moves({b: m for b, m in moved.items() if m})
    if found is None:
        raise refuse(
            "LC303",
            "{left} o {right} is no swizzle",
            op="composition",
            left=str(left),
            right=str(right),
            left_path=(),
            right_path=(),
        )
    return found if found.bits else Swizzle(0, left.base, left.shift)


def _from_moves(moves: dict[int, int]) -> Swizzle | None:
    """The swizzle that adds to every bit of a run of neighbours one bit, always at the same distance."""
    if not moves:
        return Swizzle(0, 0, 0)
    first, last = min(moves), max(moves)
    shift = first - (moves[first].bit_length() - 1)
    if len(moves) != last - first + 1 or abs(shift) < len(moves):
        return None
    if any(b < shift or m != 1 << (b - shift) for b, m in moves.items()):
        return None
    return Swizzle(len(moves), first - max(0, shift), shift)


def layout_after_swizzle(layout: Layout, swizzle: Swizzle) -> Layout | Composed:
    """L o Sw as Sw' o L: the layout carries the bits that the swizzle reads and changes to places of their own.

    Law: ``R(c) = L(Sw(c))`` for 0 <= c < |L|, compared value by value. LC303 where no Sw' does that.

    >>> str(layout_after_swizzle(Layout((8, 4), (4, 1)), Swizzle(1, 0, -1)))
    'Sw<1,2,-1> o 0 o (8,4):(4,1)'
    """
    if not swizzle.bits:
        return layout
    total = layout.size
    if type(total) is not int or total > LIMIT:
        raise refuse(
            "LC104", "comparing {size} values; the limit is {limit}", op="composition", size=total, limit=LIMIT
        )
    source, target = layout.element(swizzle.source), layout.element(swizzle.target)
    if type(source) is int and type(target) is int and source > 0 and target > 0:
        low, high = source & -source, target & -target
        shift = low.bit_length() - high.bit_length()
        if abs(shift) >= swizzle.bits:
            result = Composed(Swizzle(swizzle.bits, min(low, high).bit_length() - 1, shift), 0, layout)
            if result.elements() == [layout.element(swizzle(i)) for i in range(total)]:
                return result
    raise refuse(
        "LC303",
        "{layout} o {swizzle} is no swizzled layout: the bits that {swizzle} reads and changes do not stay together",
        op="composition",
        layout=str(layout),
        swizzle=str(swizzle),
        left_path=(),
        right_path=(),
    )


def as_xor(composed: Composed | Swizzle | Layout, count: int | None = None) -> Layout:
    """The XOR layout with the values of ``Sw o 0 o L``; of a swizzle on 0..count-1.

    It exists where the bits of L do not meet: extents are powers of two (but the last) and strides do not overlap. Law:
    ``R(i) = C(i)`` for every index i. LC303 otherwise.

    >>> as_xor(Composed(Swizzle(2, 0, 2), 0, Layout((4, 4), (1, 4))))
    Layout('(4,4):(f1,f5)')
    """
    if isinstance(composed, Swizzle):
        return composed.linear(composed.period if count is None else count)
    swizzle, offset, layout = (
        (Swizzle(0, 0, 0), 0, composed)
        if isinstance(composed, Layout)
        else (composed.swizzle, composed.offset, composed.layout)
    )
    if offset:
        raise _no_xor(composed)
    if layout.semimodule == "F2" and not swizzle.bits:
        return layout
    shape: list[int] = []
    stride: list[Any] = []
    seen = 0
    for s, d in merged(*layout.flat()):
        steps = [(2, d << b) for b in range(s.bit_length() - 1)] if not s & (s - 1) else [(s, d)]
        for n, step in steps:
            mask = 0
            for b in range((n - 1).bit_length()):
                mask |= step << b
            carries = type(step) is not int or step < 0 or mask & seen or (n != 2 and step & (step - 1))
            if carries:
                raise _no_xor(composed)
            seen |= mask
            shape.append(n)
            stride.append(Xor.of(swizzle(step)))
    result = unwrap(merged(tuple(shape), tuple(stride)))
    # A last extent that is no power of two may cut a bit that the swizzle reads.
    if any(s & (s - 1) for s in shape) and result.values() != composed.values():
        raise _no_xor(composed)
    return result


def _no_xor(composed: Composed | Layout) -> LayoutError:
    return refuse(
        "LC303",
        "{layout} has no XOR strides: its offset or strides carry from bit to bit",
        op="as_xor",
        layout=str(composed),
        left_path=(),
    )


def as_swizzle(layout: Layout) -> Composed:
    """``Sw o 0 o L`` with the values of an XOR layout, where one swizzle turns every stride bit into a single bit.

    Law: ``C(i) = layout(i)`` for every index i. LC303 where there is none.

    >>> str(as_swizzle(Layout((4, 4), (Xor(1), Xor(5)))))
    'Sw<2,0,2> o 0 o (4,4):(1,4)'
    """
    columns: list[int] = []
    for s, d in zip(*layout.flat(), strict=True):
        value = d.value if isinstance(d, Xor) else d
        columns += [value << b for b in range((s - 1).bit_length())]
    pairs = [(c & -c, c & (c - 1)) for c in columns if c & (c - 1)]
    single = sum({c for c in columns if not c & (c - 1)})
    for read_high in (True, False):
        moves = {}
        for low, high in pairs:
            source, target = (high, low) if read_high else (low, high)
            moves[source.bit_length() - 1] = target
        found = _from_moves(moves)
        if found is None or found.source & single or any(high & (high - 1) for _, high in pairs):
            continue
        strides = unflatten([found(d.value) if isinstance(d, Xor) else d for d in layout.flat()[1]], layout.stride)
        result = Composed(found, 0, make(layout.shape, strides))
        if result.elements() == layout.values():
            return result
    raise refuse(
        "LC303",
        "{layout} is not one swizzle of a plain layout",
        op="as_swizzle",
        layout=str(layout),
        left_path=(),
    )
