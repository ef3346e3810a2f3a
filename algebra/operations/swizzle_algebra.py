"""Swizzles met by swizzles and layouts, and swizzles as XOR strides (CUTLASS swizzle_layout.hpp; CuTe paper, 4.3.2)."""

from __future__ import annotations

from typing import Any

from ..base.effort import VALUES, check_compared
from ..base.errors import LayoutError, refuse
from ..base.words import word
from ..finding.criteria import swizzle_form
from ..values.coalesce import merged, pair
from ..values.htuple import Nested, unflatten
from ..values.layout import Layout, make
from ..values.lifting import Lifted, swizzled
from ..values.semimodule import Xor
from ..values.swizzle import Composed, Swizzle
from ..values.tensor import Tensor


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

    L itself where the swizzle moves no index of it. Law: ``R(c) = L(Sw(c))`` for 0 <= c < |L|, compared value by value.
    LC303 where no Sw' does that.

    >>> str(layout_after_swizzle(Layout((8, 4), (4, 1)), Swizzle(1, 0, -1)))
    'Sw<1,2,-1> o 0 o (8,4):(4,1)'
    """
    if not swizzle.bits:
        return layout
    check_compared("composition", layout.size)
    wanted = [layout.element(swizzle(i)) for i in range(layout.size)]
    if wanted == layout.elements():
        return layout
    source, target = layout.element(swizzle.source), layout.element(swizzle.target)
    if type(source) is int and type(target) is int and source > 0 and target > 0:
        low, high = source & -source, target & -target
        shift = low.bit_length() - high.bit_length()
        if abs(shift) >= swizzle.bits:
            result = Composed(Swizzle(swizzle.bits, min(low, high).bit_length() - 1, shift), 0, layout)
            if result.elements() == wanted:
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


@word("""
    values: as_xor(S: any-layout)
    a swizzled layout with XOR strides
    law: as_xor(S)(i) = S(i)
    as_xor(Sw<2,0,2> o 0 o (4,4):(4,1))
""")
def as_xor(composed: Lifted | Swizzle, count: int | None = None) -> Layout:
    """The XOR layout with the values of ``Sw o 0 o L``; of a swizzle on 0..count-1.

    Each bit of a coordinate moves the value by what the swizzle makes of it, which is all if the bits of L do not meet.
    Law: ``R(i) = C(i)`` for every index i. LC303 where offset or strides carry from bit to bit.

    >>> as_xor(Composed(Swizzle(2, 0, 2), 0, Layout((4, (4, 3)), (1, (4, 16)))))
    Layout('(4,(4,3)):(f1,(f5,f16))')
    """
    if isinstance(composed, Swizzle):
        return composed.linear(composed.period if count is None else count)
    if isinstance(composed, Tensor) and composed.layout is not None and composed.offset == 0:
        return as_xor(composed.layout)
    if isinstance(composed, Layout):
        return composed if composed.semimodule == "F2" else _bit_by_bit(Composed(Swizzle(0, 0, 0), 0, composed))
    if isinstance(composed, Tensor):
        raise _no_xor(composed)
    return _bit_by_bit(composed)


def _bit_by_bit(composed: Composed) -> Layout:
    """The XOR layout of a swizzled one."""
    layout, swizzle = composed.layout, composed.swizzle
    shape, stride = layout.flat()
    if composed.offset or not all(type(d) is int and d >= 0 for d in stride):
        raise _no_xor(swizzled(swizzle, composed.offset, layout))
    modes = [_xor_modes(s, d, swizzle) for s, d in zip(shape, stride, strict=True)]
    result = _in_profile(modes, layout)
    if not _bits_apart(shape, stride) and (layout.size > VALUES or result.values() != composed.values()):
        raise _no_xor(composed)
    return result


def _xor_modes(s: int, d: int, swizzle: Swizzle) -> tuple[Nested, Nested]:
    """The leaf s:d with XOR strides: bit by bit for a power of two, else by its stride alone."""
    if s & (s - 1):
        return s, Xor.of(swizzle(d))
    bits = s.bit_length() - 1
    return pair(merged((2,) * bits, tuple(Xor.of(swizzle(d << b)) for b in range(bits))))


def _bits_apart(shape: tuple[int, ...], stride: tuple[int, ...]) -> bool:
    """Do all bits of the coordinates move bits of their own, whole powers of two of them?"""
    seen = 0
    for s, d in zip(shape, stride, strict=True):
        for b in range((s - 1).bit_length()):
            if s & (s - 1) or seen & d << b:
                return False
            seen |= d << b
    return True


def _in_profile(modes: list[tuple[Nested, Nested]], layout: Layout) -> Layout:
    """A layout of modes that stand for the leaves of another."""
    extents, strides = zip(*modes, strict=True) if modes else ((), ())
    return make(unflatten(extents, layout.shape), unflatten(strides, layout.shape))


def _no_xor(composed: Lifted) -> LayoutError:
    return refuse(
        "LC303",
        "{layout} has no XOR strides: its offset or strides carry from bit to bit",
        op="as_xor",
        layout=str(composed),
        left_path=(),
    )


@word("""
    values: as_swizzle(L: bit-layout)
    a layout with XOR strides as a swizzled one, where it is one
    law: as_swizzle(L)(i) = L(i)
    as_swizzle((4,4):(f5,f1))
""")
def as_swizzle(layout: Layout) -> Layout | Composed:
    """``Sw o 0 o L`` with the values of an XOR layout, L with integer strides; the smallest such swizzle, L if none.

    Law: ``C(i) = layout(i)`` for every index i. LC303 where no swizzle does that.

    >>> str(as_swizzle(Layout((4, 4), (Xor(1), Xor(5)))))
    'Sw<2,0,2> o 0 o (4,4):(1,4)'
    """
    if layout.semimodule == "Z":
        return layout
    shape, stride = layout.flat()
    columns = [[_number((1 << b) * d) for b in range((s - 1).bit_length())] for s, d in zip(shape, stride, strict=True)]
    found = swizzle_form(columns)
    swizzle = Swizzle(0, 0, 0) if found is None else found.swizzle
    modes = [_integer_modes(s, column, swizzle) for s, column in zip(shape, columns, strict=True)]
    result = swizzled(swizzle, 0, _in_profile(modes, layout))
    if found is None or any(s & (s - 1) for s in shape):
        check_compared("as_swizzle", layout.size)
    # Without a swizzle the layout may still be plain; extents that are no power of two cut a bit.
    if (found and not any(s & (s - 1) for s in shape)) or result.elements() == layout.values():
        return result
    raise refuse(
        "LC303",
        "{layout} is not one swizzle of a plain layout",
        op="as_swizzle",
        layout=str(layout),
        left_path=(),
    )


def _number(d: Any) -> int:
    return int(d.value if isinstance(d, Xor) else d)


def _integer_modes(s: int, column: list[int], swizzle: Swizzle) -> tuple[Nested, Nested]:
    """The leaf with integer strides after the swizzle is undone."""
    values = list(map(swizzle, column))
    if s & (s - 1):
        return s, values[0]
    return pair(merged((2,) * len(values), tuple(values)))
