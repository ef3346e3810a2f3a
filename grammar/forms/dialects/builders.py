"""What rows of the vocabulary build where an expression of the language does not say it: ``@layout`` and its like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.reading import argument_error, bad
from ..reading.trees import (
    arranged,
    basis,
    call,
    compact,
    identity,
    is_layout,
    is_literal,
    is_shape,
    layout,
    leaves,
    path_of,
)
from .arithmetic import conditional
from .kinds import Pointer
from .rows import Builder, Use
from .seen import Seen

__all__ = ["LAYOUTS", "composed", "given", "in_elements", "is_offset", "swizzled", "tensor"]

Holes = Mapping[str, Any]

_ORDERS = {
    "LayoutLeft": "LayoutLeft", "GenColMajor": "LayoutLeft", "LayoutRight": "LayoutRight", "GenRowMajor": "LayoutRight",
}  # fmt: skip


def given(holes: Holes) -> list[Expression]:
    """The arguments in the order of the signature, those of ``*items`` one by one, without what was left out."""
    found: list[Expression] = []
    for value in holes.values():
        found += value if isinstance(value, tuple) else () if value is None else (value,)
    return found


# ---- numbers and tuples ----


def _constant(use: Use, holes: Holes) -> Expression:
    """``Int<8>``, ``C<(int)8>``; the value stands where the type stands."""
    return given(holes)[-1].replace(span=use.span)


def _scaled_basis(use: Use, holes: Holes) -> Expression:
    """``ScaledBasis<T, N0, N1...>``: T times e_{N0.N1...}, the outermost axis first."""
    scale, *axes = given(holes)
    axes = [leaf for axis in axes for leaf in leaves(axis)]
    if not axes:
        return scale
    path = path_of(tuple(axes))
    if path is None:
        raise bad(use.text, *use.span, "the axes of a basis element are integers")
    if isinstance(scale, nodes.Integer):
        return basis(use.span, scale.value, path)
    return nodes.Binary(use.span, "*", scale, basis(use.span, 1, path), use.span)


def _basis(use: Use, holes: Holes) -> Expression:
    """``E<1,0>``; without an axis 1."""
    return _scaled_basis(use, {"scale": nodes.Integer(use.span, 1), **holes})


def _choose(use: Use, holes: Holes) -> Expression:
    """The one that the condition chooses, which must be known."""
    return conditional(use.text, *given(holes))


# ---- layouts ----


def _layout(use: Use, holes: Holes) -> Expression:
    """A shape with strides or their order, or layouts side by side.

    What is written out is computed here, so that it shows; names may stand for anything and are left to the language.
    """
    first, *rest = given(holes)
    stride = rest[0] if rest else nodes.Name(use.span, "LayoutLeft")
    order = _ORDERS.get(stride.name, "") if isinstance(stride, nodes.Name) else ""
    if len(rest) < 2 and is_shape(first):
        if order and is_literal(first):
            return layout(use.span, first, compact(first, right=order == "LayoutRight"))
        if is_shape(stride) and not isinstance(stride, nodes.Name):
            return layout(use.span, first, stride)
    return call(use.span, "make_layout", first, *rest)


def _pair(use: Use, holes: Holes) -> Expression:
    """``Layout(shape, stride = None)`` of PyCuTe, which keeps the strides of extents of 1; or two layouts."""
    first, *rest = given(holes)
    if is_layout(first):
        return nodes.Tuple(use.span, (first, *rest))
    if not rest or isinstance(rest[0], nodes.Wildcard):
        return layout(use.span, first, compact(first, right=False, zero_ones=False))
    return layout(use.span, first, rest[0])


def _major(right: bool) -> Builder:
    """``Layout.row_major(2, 3)`` of Mojo."""

    def build(use: Use, holes: Holes) -> Expression:
        """A compact layout of these extents."""
        parts = given(holes)
        shape = parts[0] if len(parts) == 1 else nodes.Tuple(use.span, tuple(parts))
        return layout(use.span, shape, compact(shape, right=right, zero_ones=False))

    return build


def _placed(use: Use, holes: Holes) -> Expression:
    """``Tensor(layout, offset=5)`` of tensor-layouts."""
    inner, *offset = given(holes)
    return tensor(offset[0], inner) if offset else inner


def _compact(right: bool) -> Builder:
    """``LayoutRight::Apply<Shape>``: the strides alone."""

    def build(use: Use, holes: Holes) -> Expression:
        """The compact strides of a shape."""
        shape = given(holes)[-1]
        if is_literal(shape):
            return compact(shape, right=right)
        order = nodes.Name(use.span, "LayoutRight" if right else "LayoutLeft")
        return call(use.span, "stride", call(use.span, "make_layout", shape, order))

    return build


def _ordered(use: Use, holes: Holes) -> Expression:
    """Strides grow with the order of the leaves; leaves of equal order from left to right."""
    shape, order = given(holes)
    tag = [n.value for n in leaves(order) if isinstance(n, nodes.Integer)]
    if not is_literal(shape) or len(tag) != sum(1 for _ in leaves(order)):
        return call(use.span, "make_ordered_layout", shape, order)
    if len(tag) != sum(1 for _ in leaves(shape)):
        raise bad(use.text, *order.span, "the order has another number of leaves than the shape", "")
    return layout(use.span, shape, arranged(shape, lambda i: (tag[i], i)))


def _identity(use: Use, holes: Holes) -> Expression:
    """The layout of the coordinates themselves."""
    (shape,) = given(holes)
    known = is_literal(shape)
    found = layout(use.span, shape, identity(shape)) if known else call(use.span, "make_identity_layout", shape)
    if use.name == "make_identity_tensor" and use.seen.names.in_file:
        return tensor(nodes.Integer(use.span, 0), found)
    return found


def _swizzle(use: Use, holes: Holes) -> Expression:
    """``Swizzle<B, M = 0, S = B>``."""
    parts = given(holes)
    numbers = [n.value for n in parts if isinstance(n, nodes.Integer)]
    if len(numbers) != len(parts):
        raise bad(use.text, *use.span, "a swizzle has three integers B, M, S")
    bits, base, shift = (*numbers, *(0, numbers[0])[len(numbers) - 1 :])
    return nodes.Swizzle(use.span, bits, base, shift)


def composed(span: Span, outer: Expression, offset: Expression, inner: Expression) -> Expression:
    """``outer o offset o inner``."""
    return nodes.Binary(span, "o", nodes.Binary(span, "o", outer, offset, span), inner, span)


def in_elements(swizzle: nodes.Swizzle, bits: int) -> nodes.Swizzle:
    """A swizzle of byte addresses in units of elements.

    Sw<B,M,S> on bytes is Sw<B,M-k,S> on elements of 2^k bytes; bits that would fall below an element are cut.
    """
    if bits & (bits - 1) or bits < 1:
        return swizzle
    base = swizzle.base + 3 - (bits.bit_length() - 1)
    count = max(0, swizzle.bits + min(0, base))
    return nodes.Swizzle(swizzle.span, count, max(0, base), swizzle.shift)


def swizzled(seen: Seen, at: Pointer, right: Expression) -> Expression:
    """``Sw o 0 o right`` for a swizzle that acts on an address of bytes, in units of elements."""
    written, bits = at.swizzle, at.bits
    assert written is not None
    swizzle = written
    if bits is None:
        seen.note(f"no element type stands beside {_text(written)}: its units are kept as written")
    else:
        seen.bits = seen.bits or bits
        swizzle = in_elements(written, bits)
        if bits & (bits - 1):
            seen.note(f"{_text(written)} counts bytes; elements of {bits} bits are no power of two: kept as written")
        elif swizzle != written:
            seen.note(f"{_text(written)} counts bytes; for elements of {bits} bits it is {_text(swizzle)}")
    return composed(at.span, swizzle, nodes.Integer(at.span, 0), right)


def _text(swizzle: nodes.Swizzle) -> str:
    return f"Sw<{swizzle.bits},{swizzle.base},{swizzle.shift}>"


# ---- tensors ----


def tensor(offset: Expression, right: Expression) -> Expression:
    """``{offset} o right``."""
    span = Span(min(offset.span.start, right.span.start), max(offset.span.end, right.span.end))
    inner = offset.item if isinstance(offset, nodes.Offset) else offset
    return nodes.Binary(span, "o", nodes.Offset(offset.span, inner), right, offset.span)


def is_offset(node: Expression) -> bool:
    """May the node stand before `` o `` as the origin of a coordinate tensor?"""
    return isinstance(node, nodes.Tuple) and all(not is_layout(n) for n in leaves(node))


def _composed(use: Use, holes: Holes) -> Expression:
    """The offset may be the flag of a pointer, whose units are then bits or bytes."""
    outer, *between, inner = given(holes)
    offset = between[0] if between else nodes.Integer(use.span, 0)
    if not isinstance(offset, Pointer):
        return composed(use.span, outer, offset, inner)
    if not isinstance(outer, nodes.Swizzle):
        raise bad(use.text, *outer.span, "a swizzle is expected before the flag of a pointer")
    return swizzled(use.seen, Pointer(use.span, offset.bits, outer), inner)


def _tensor(use: Use, holes: Holes) -> Expression:
    """``make_tensor(pointer, layout)``: a pointer ``p + 5`` is an offset of 5, an iterator one of coordinates."""
    pointer, *parts = given(holes)
    found = parts[0] if len(parts) == 1 and is_layout(parts[0]) else _layout(use, {"parts": tuple(parts)})
    if isinstance(pointer, (nodes.Integer, nodes.Tuple)):
        at_zero = isinstance(pointer, nodes.Integer) and pointer.value == 0
        return found if at_zero and not use.seen.names.in_file else tensor(pointer, found)
    if isinstance(pointer, Pointer):
        use.seen.bits = use.seen.bits or pointer.bits
        if pointer.swizzle is not None:
            found = swizzled(use.seen, pointer, found)
    offset = _offset_of(use, pointer)
    if offset is None:
        use.seen.note("the pointer was dropped")
        if use.seen.names.in_file:
            offset = nodes.Integer(use.span, 0)
    return found if offset is None else tensor(offset, found)


def _offset_of(use: Use, pointer: Expression) -> Expression | None:
    """How far a pointer stands behind its base."""
    if isinstance(pointer, Pointer):
        return pointer.offset
    if isinstance(pointer, nodes.Binary) and pointer.operator == "+":
        return pointer.right
    if not isinstance(pointer, nodes.Name):
        raise argument_error(use.text, *pointer.span, "a pointer is expected")
    return None


def _rational(use: Use, holes: Holes) -> Expression:
    """``R<1,16>``: a stride that is no integer."""
    numerator, denominator = given(holes)
    use.seen.note(f"a rational stride {use.text[use.span.start : use.span.end]} has no value in the language")
    return nodes.Binary(use.span, "/", numerator, denominator, use.span)


def _flag(use: Use, holes: Holes) -> Expression:
    """The flag of a pointer: a swizzle beside it counts bits or bytes."""
    (bits,) = given(holes)
    return Pointer(use.span, bits.value if isinstance(bits, nodes.Integer) else None)


def _pointer(use: Use, holes: Holes) -> Expression:
    """``make_smem_ptr(p)``: only marks the space; ``p + 5`` and a swizzle keep their meaning."""
    pointer = given(holes)[-1]
    if isinstance(pointer, Pointer):
        return pointer
    if isinstance(pointer, nodes.Binary) and pointer.operator == "+":
        return Pointer(use.span, None, None, pointer.right)
    if isinstance(pointer, (nodes.Name, nodes.Integer)):
        return Pointer(use.span)
    raise argument_error(use.text, *pointer.span, "a pointer is expected")


def _iterator(use: Use, holes: Holes) -> Expression:
    """An iterator that is an offset."""
    start = holes["start"]
    if len(start) == 1:
        return Pointer(use.span, None, None, start[0])
    return Pointer(use.span, None, None, nodes.Tuple(use.span, start) if start else None)


LAYOUTS: dict[str, Builder] = {
    "basis": _basis,
    "choose": _choose,
    "col_major": _major(right=False),
    "composed": _composed,
    "constant": _constant,
    "flag": _flag,
    "identity": _identity,
    "iterator": _iterator,
    "layout": _layout,
    "left": _compact(right=False),
    "ordered": _ordered,
    "pair": _pair,
    "placed": _placed,
    "pointer": _pointer,
    "rational": _rational,
    "right": _compact(right=True),
    "row_major": _major(right=True),
    "scaled_basis": _scaled_basis,
    "swizzle": _swizzle,
    "tensor": _tensor,
}
"""The builders of layouts by the names that rows have for them."""
