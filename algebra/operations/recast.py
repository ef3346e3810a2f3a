"""Reading a layout in wider or narrower elements (CUTLASS layout.hpp, swizzle_layout.hpp)."""

from __future__ import annotations

from typing import Any

from ..base.decide import ceil_quotient, divides, known_same, less, same
from ..base.errors import LayoutError, refuse, remark
from ..base.words import word
from ..values.htuple import map_leaves, nth_leaf_path, unflatten
from ..values.layout import Layout, make
from ..values.semimodule import Coordinate, Xor
from ..values.swizzle import Composed
from ..values.tensor import Tensor
from .image import bounded_values

LIMIT = 1 << 20
"""Values that are looked at to say whether a swizzle moves parts of an element."""


@word("""
    modes: upcast(L: any-layout, n: integer)
    the layout in units n times larger
    upcast(8:1, 4)
""")
def upcast(layout: Any, factor: int) -> Any:
    """The layout in elements ``factor`` times as wide: strides divided, contiguous runs shortened.

    Law: the wide elements are those that hold the narrow ones, ``image(R) = {v div factor}``. LC312 where a stride
    neither divides nor is divided by ``factor``, or runs of several modes add up past a wide element.

    >>> upcast(Layout((8, 4), (1, 8)), 4)
    Layout('(2,4):(1,2)')
    """
    if not isinstance(layout, Layout):
        return _inside(layout, factor, up=True)
    _check_factor("upcast", layout, factor)
    shape, stride = layout.flat()
    modes = [_wider(layout, s, d, factor, leaf) for leaf, (s, d) in enumerate(zip(shape, stride, strict=True))]
    within: dict[tuple[int, ...], Any] = {}
    for path, reach in (mode[2] for mode in modes):
        within[path] = within.get(path, 0) + reach
        if not less(within[path], factor):
            raise refuse(
                "LC312",
                "the contiguous runs of {layout} add up to {reach}, past an element {factor} times as wide",
                op="upcast",
                layout=str(layout),
                reach=within[path],
                factor=factor,
                left_path=(),
            )
    return make(unflatten((s for s, _, _ in modes), layout.shape), unflatten((d for _, d, _ in modes), layout.shape))


def _wider(layout: Layout, s: Any, d: Any, factor: int, leaf: int) -> tuple[Any, Any, tuple[tuple[int, ...], Any]]:
    """Extent and stride of a leaf in wide elements, and (axis, reach) of its coordinates inside one of them."""
    if same(d, 0):
        return s, 0, ((), 0)
    axis, coefficient = d.basis if isinstance(d, Coordinate) and d.basis else ((), d)
    if isinstance(coefficient, (Coordinate, Xor)):
        raise _no_units("upcast", layout, d)
    step = -coefficient if less(coefficient, 0) else coefficient
    if not divides(factor, step) and not divides(step, factor):
        raise refuse(
            "LC312",
            "stride {stride} of {layout} neither divides nor is divided by {factor}",
            op="upcast",
            layout=str(layout),
            stride=str(d),
            factor=factor,
            left_path=nth_leaf_path(layout.shape, leaf),
        )
    run = ceil_quotient(factor, step)
    stride = ceil_quotient(step, factor)
    stride = stride if step is coefficient else -stride
    reach = 0 if known_same(run, 1) else ((s if less(s, run) else run) - 1) * step
    return ceil_quotient(s, run), Coordinate.of([(axis, stride)]) if axis else stride, (axis, reach)


@word("""
    modes: downcast(L: any-layout, n: integer)
    the layout in units n times smaller
    downcast((2,2):(1,2), 2)
""")
def downcast(layout: Any, factor: int) -> Any:
    """The layout in elements ``factor`` times as narrow: the contiguous mode is stretched, other strides multiplied.

    Law: with the stretched mode's coordinate written ``j + factor*c``, ``R(.., j + factor*c, ..) = factor*L(.., c, ..)
    + j``. LC313 if no mode has stride 1.

    >>> downcast(Layout((2, 4), (4, 1)), 2)
    Layout('(2,8):(8,1)')
    """
    if not isinstance(layout, Layout):
        return _inside(layout, factor, up=False)
    _check_factor("downcast", layout, factor)
    shape, stride = layout.flat()
    units = [i for i, d in enumerate(stride) if not isinstance(d, (Coordinate, Xor)) and same(d, 1)]
    if not units and factor != 1:
        raise refuse(
            "LC313",
            "no mode of {layout} has stride 1, so narrower elements are not contiguous",
            op="downcast",
            layout=str(layout),
            factor=factor,
            left_path=(),
        )
    # Only one mode can take the narrow elements: the first that moves, else the first of size 1.
    grown = next((i for i in units if not same(shape[i], 1)), units[0] if units else -1)
    return make(
        unflatten((s * factor if i == grown else s for i, s in enumerate(shape)), layout.shape),
        unflatten((d if i == grown else factor * d for i, d in enumerate(stride)), layout.shape),
    )


def _inside(operand: Any, factor: int, *, up: bool) -> Any:
    """Swizzle, offset and layout of a composed layout or a tensor, all in the new unit."""
    cast = upcast if up else downcast
    _check_factor(cast.__name__, operand, factor)
    if isinstance(operand, Tensor):
        inner = None if operand.layout is None else cast(operand.layout, factor)
        moved = Tensor(_offset(operand, operand.offset, factor, up=up), inner)
        if up and _descends(operand.layout) and not _same_units(operand, moved, factor):
            raise refuse(
                "LC312",
                "{layout} runs down from the first part of an element {factor} times as wide: it ends in another one",
                op="upcast",
                layout=str(operand),
                factor=factor,
                left_path=(),
            )
        return moved
    if not isinstance(operand, Composed):
        return operand.scaled(factor, up=up)
    result = Composed(
        operand.swizzle.scaled(factor, up=up),
        _offset(operand, operand.offset, factor, up=up),
        cast(operand.layout, factor),
    )
    mixes = operand.swizzle.base < factor.bit_length() - 1 or _descends(operand.layout)
    if up and mixes and not _same_units(operand, result, factor):
        raise refuse(
            "LC312",
            "{layout} mixes the halves of an element {factor} times as wide: no swizzle of wide elements does that",
            op="upcast",
            layout=str(operand),
            factor=factor,
            left_path=(),
        )
    if up:
        _remark_parts(operand, factor)
    return result


def _remark_parts(operand: Composed, factor: int) -> None:
    """LC410 where the swizzle changes a bit inside the wide element at some offset of the layout."""
    swizzle, width = operand.swizzle, factor.bit_length() - 1
    low = [k for k in range(swizzle.bits) if swizzle.base - min(0, swizzle.shift) + k < width]
    if not low or type(operand.layout.size) is not int or operand.layout.size > LIMIT:
        return
    reached = 0
    for value in operand.layout.elements():
        reached |= operand.offset + value
    read = swizzle.base + max(0, swizzle.shift)
    moved = [k for k in low if reached >> (read + k) & 1]
    if moved:
        remark(
            "LC410",
            "bit {bit} of the offsets of {layout} lies inside an element {factor} times as wide, whose parts move",
            op="upcast",
            layout=str(operand),
            bit=swizzle.base - min(0, swizzle.shift) + moved[0],
            factor=factor,
            left_path=(),
        )


def _descends(layout: Any) -> bool:
    """Has a layout of known size negative strides?"""
    while isinstance(layout, (Composed, Tensor)):
        layout = layout.layout
    if layout is None or type(layout.size) is not int:
        return False
    return any(type(d) is int and d < 0 for d in layout.flat()[1])


def _same_units(narrow: Composed | Tensor, wide: Composed | Tensor, factor: int) -> bool:
    """Does every wide element hold exactly the narrow ones that it held before?"""
    return {v // factor for v in bounded_values(narrow, "upcast")} == set(bounded_values(wide, "upcast"))


def _offset(operand: Any, offset: Any, factor: int, *, up: bool) -> Any:
    if not up:
        return factor * offset
    if type(offset) is int and offset % factor == 0:
        return offset // factor
    raise refuse(
        "LC312",
        "offset {offset} of {layout} is no whole number of elements {factor} times as wide",
        op="upcast",
        layout=str(operand),
        offset=str(offset),
        factor=factor,
        left_path=(),
    )


@word("""
    modes: recast_layout(L: any-layout, old: integer, new: integer) alias recast
    the layout of elements of another width in bits
    recast_layout((8,4):(1,8), 32, 16)
""")
def recast_layout(layout: Any, old_bits: int, new_bits: int) -> Any:
    """The layout of elements of ``old_bits`` read in elements of ``new_bits``.

    Law: ``upcast`` by new/old where that is whole, ``downcast`` by old/new, else ``downcast`` after ``upcast`` by the
    reduced fraction, and then ``|R|*new = |L|*old``. LC312 where the bits are no whole elements.

    >>> recast_layout(Layout((4, 8), (8, 1)), 16, 32)
    Layout('(4,4):(4,1)')
    """
    if type(old_bits) is not int or type(new_bits) is not int or old_bits < 1 or new_bits < 1:
        raise refuse(
            "LC103", "element widths are positive, not {old} and {new}", op="recast", old=old_bits, new=new_bits
        )
    common = _gcd(old_bits, new_bits)
    up, down = new_bits // common, old_bits // common
    result = upcast(layout, up) if up > 1 else layout
    if down > 1:
        result = downcast(result, down)
    if up > 1 and down > 1 and not same(result.size * new_bits, layout.size * old_bits):
        raise refuse(
            "LC312",
            "{layout} of {old}-bit elements has {bits} bits, which are no whole {new}-bit elements",
            op="recast",
            layout=str(layout),
            old=old_bits,
            new=new_bits,
            bits=layout.size * old_bits,
            factor=up,
            left_path=(),
        )
    return result


@word("""
    values: to_bytes(L: any-layout, bits: positive)
    a layout of elements of so many bits, in bytes
    law: R(c) = L(c)*bits/8
    to_bytes(Sw<3,3,3> o 0 o (8,64):(64,1), 16)
""")
def to_bytes(layout: Any, bits: int) -> Any:
    """A layout in elements of ``bits`` as offsets in bytes: every stride times bits/8.

    Law: ``R(c) = L(c) * bits / 8``. LC312 if a stride is no whole number of bytes.

    >>> to_bytes(Layout((4, 8), (1, 4)), 16)
    Layout('(4,8):(2,8)')
    """
    return _scaled(layout, bits, 8)


@word("""
    values: to_elements(L: any-layout, bits: positive)
    a layout in bytes, in elements of so many bits
    law: R(c) = L(c)*8/bits
    to_elements((4,8):(2,8), 16)
""")
def to_elements(layout: Any, bits: int) -> Any:
    """A layout in bytes as offsets in elements of ``bits``: the inverse of `to_bytes`.

    >>> to_elements(Layout((4, 8), (2, 8)), 16)
    Layout('(4,8):(1,4)')
    """
    return _scaled(layout, 8, bits)


def _scaled(layout: Any, times: int, over: int) -> Any:
    if isinstance(layout, Composed):
        common = _gcd(times, over)
        up, down = over // common, times // common
        swizzle = layout.swizzle
        swizzle = swizzle.scaled(down, up=False) if down > 1 else swizzle
        swizzle = swizzle.scaled(up, up=True) if up > 1 else swizzle
        if swizzle.bits != layout.swizzle.bits:
            raise _no_units("recast", layout.layout, layout.swizzle)
        return Composed(swizzle, _unit(layout, layout.offset, times, over), _scaled(layout.layout, times, over))
    if isinstance(layout, Tensor):
        inner = None if layout.layout is None else _scaled(layout.layout, times, over)
        return Tensor(_unit(layout, layout.offset, times, over), inner)
    return make(layout.shape, map_leaves(lambda d: _unit(layout, d, times, over), layout.stride))


def _unit(layout: Any, d: Any, times: int, over: int) -> Any:
    if isinstance(d, (Coordinate, Xor)):
        raise _no_units("recast", layout, d)
    if not divides(over, times * d):
        raise _no_units("recast", layout, d)
    return ceil_quotient(times * d, over)


def _no_units(op: str, layout: Any, stride: Any) -> LayoutError:
    return refuse(
        "LC312",
        "{stride} of {layout} is no whole number of the new units",
        op=op,
        layout=str(layout),
        stride=str(stride),
        left_path=(),
    )


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def _check_factor(op: str, layout: Layout, factor: Any) -> None:
    if type(factor) is not int or factor < 1:
        raise refuse("LC103", "{op} takes a positive factor, not {factor}", op=op, layout=str(layout), factor=factor)
