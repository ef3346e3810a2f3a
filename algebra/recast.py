"""Reading a layout in wider or narrower elements (CUTLASS layout.hpp, swizzle_layout.hpp)."""

from __future__ import annotations

from typing import Any

from .decide import ceil_quotient, divides, known_same
from .errors import LayoutError, refuse
from .htuple import HTuple, leaf_paths, map_leaves
from .layout import Layout, make
from .semimodule import Coordinate, Xor
from .swizzle import Composed
from .tensor import Tensor

__all__ = ["downcast", "recast_layout", "to_bytes", "to_elements", "upcast"]


def upcast(layout: Any, factor: int) -> Any:
    """The layout in elements ``factor`` times as wide: strides divided, contiguous runs shortened.

    Law: the wide elements hold the narrow ones, ``image(R) = {v div factor}``. LC312 where a stride neither divides nor
    is divided by ``factor`` or a run is no whole number of wide elements.

    >>> upcast(Layout((8, 4), (1, 8)), 4)
    Layout('(2,4):(1,2)')
    """
    if isinstance(layout, Layout):
        _check_factor("upcast", layout, factor)
        return _by_leaf(layout, lambda s, d, path: _wider(layout, s, d, factor, path))
    return _inside(layout, factor, up=True)


def _by_leaf(layout: Layout, f: Any) -> Layout:
    paths = leaf_paths(layout.shape)
    leaves = map_leaves(lambda s, d: Layout.flat(f(s, d, next(paths))), layout.shape, layout.stride)
    return make(_pick(leaves, layout.shape, 0), _pick(leaves, layout.shape, 1))


def _pick(leaves: HTuple, shape: HTuple, which: int) -> HTuple:
    if not isinstance(shape, tuple):
        return leaves[which][0]
    return tuple(_pick(x, s, which) for x, s in zip(leaves, shape, strict=True))


def _wider(layout: Layout, s: Any, d: Any, factor: int, path: tuple[int, ...]) -> Layout:
    if type(d) is int and d == 0:
        return make(s, 0)
    coefficient = d.basis[1] if isinstance(d, Coordinate) and d.basis else d
    if isinstance(d, Xor) or isinstance(coefficient, Coordinate):
        raise _no_units("upcast", layout, d, path)
    magnitude = -coefficient if type(coefficient) is int and coefficient < 0 else coefficient
    run = ceil_quotient(factor, magnitude)
    if not (divides(factor, magnitude) or divides(magnitude, factor)) or not (known_same(s, 1) or divides(run, s)):
        raise refuse(
            "LC312",
            "{extent}:{stride} cannot be read in elements {factor} times as wide: {factor} neither divides the stride"
            " nor makes a whole number of runs",
            op="upcast",
            layout=str(layout),
            extent=s,
            stride=d,
            factor=factor,
            left_path=path,
        )
    stride = ceil_quotient(magnitude, factor)
    if magnitude is not coefficient:
        stride = -stride
    if isinstance(d, Coordinate) and d.basis:
        stride = Coordinate.of([(d.basis[0], stride)])
    return make(ceil_quotient(s, run), stride)


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
    units = [i for i, d in enumerate(stride) if type(d) is int and d == 1]
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
    grown = next((i for i in units if not known_same(shape[i], 1)), units[0] if units else -1)
    counter = iter(range(len(shape)))

    def narrower(s: Any, d: Any, path: tuple[int, ...]) -> Layout:
        return make(s * factor, d) if next(counter) == grown else make(s, factor * d)

    return _by_leaf(layout, narrower)


def _inside(operand: Any, factor: int, *, up: bool) -> Any:
    """Swizzle, offset and layout of a composed layout or a tensor, all in the new unit."""
    cast = upcast if up else downcast
    if isinstance(operand, Tensor):
        inner = None if operand.layout is None else cast(operand.layout, factor)
        return Tensor(_offset(operand, operand.offset, factor, up=up), inner)
    if not isinstance(operand, Composed):
        return operand.scaled(factor, up=up)
    result = Composed(
        operand.swizzle.scaled(factor, up=up),
        _offset(operand, operand.offset, factor, up=up),
        cast(operand.layout, factor),
    )
    if up and operand.swizzle.base < factor.bit_length() - 1 and not _same_units(operand, result, factor):
        raise refuse(
            "LC312",
            "{layout} mixes the halves of an element {factor} times as wide: no swizzle of wide elements does that",
            op="upcast",
            layout=str(operand),
            factor=factor,
            left_path=(),
        )
    return result


def _same_units(narrow: Composed, wide: Composed, factor: int) -> bool:
    """Does every wide element hold exactly the narrow ones that it held before?"""
    return {v // factor for v in narrow.elements()} == set(wide.elements())


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


def recast_layout(layout: Any, old_bits: int, new_bits: int) -> Any:
    """The layout of elements of ``old_bits`` read in elements of ``new_bits``.

    Law: ``upcast`` by new/old where that is whole, ``downcast`` by old/new, else ``downcast`` after ``upcast`` by the
    reduced fraction.

    >>> recast_layout(Layout((4, 8), (8, 1)), 16, 32)
    Layout('(4,4):(4,1)')
    """
    if type(old_bits) is not int or type(new_bits) is not int or old_bits < 1 or new_bits < 1:
        raise refuse(
            "LC103", "element widths are positive, not {old} and {new}", op="recast", old=old_bits, new=new_bits
        )
    common = _gcd(old_bits, new_bits)
    up, down = new_bits // common, old_bits // common
    if up > 1:
        layout = upcast(layout, up)
    return downcast(layout, down) if down > 1 else layout


def to_bytes(layout: Any, bits: int) -> Any:
    """A layout in elements of ``bits`` as offsets in bytes: every stride times bits/8.

    Law: ``R(c) = L(c) * bits / 8``. LC312 if a stride is no whole number of bytes.

    >>> to_bytes(Layout((4, 8), (1, 4)), 16)
    Layout('(4,8):(2,8)')
    """
    return _scaled(layout, bits, 8)


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
            raise _no_units("recast", layout.layout, str(layout.swizzle), ())
        return Composed(swizzle, _unit(layout, layout.offset, times, over), _scaled(layout.layout, times, over))
    if isinstance(layout, Tensor):
        inner = None if layout.layout is None else _scaled(layout.layout, times, over)
        return Tensor(_unit(layout, layout.offset, times, over), inner)
    return make(layout.shape, map_leaves(lambda d: _unit(layout, d, times, over), layout.stride))


def _unit(layout: Any, d: Any, times: int, over: int) -> Any:
    if isinstance(d, (Coordinate, Xor)):
        raise _no_units("recast", layout, d, ())
    if not divides(over, times * d):
        raise _no_units("recast", layout, d, ())
    return ceil_quotient(times * d, over)


def _no_units(op: str, layout: Any, stride: Any, path: tuple[int, ...]) -> LayoutError:
    return refuse(
        "LC312",
        "{stride} of {layout} is no whole number of the new units",
        op=op,
        layout=str(layout),
        stride=str(stride),
        left_path=path,
    )


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def _check_factor(op: str, layout: Layout, factor: Any) -> None:
    if type(factor) is not int or factor < 1:
        raise refuse("LC103", "{op} takes a positive factor, not {factor}", op=op, layout=str(layout), factor=factor)
