"""What the templates and calls of CuTe C++ build: ``Layout<Shape<_4,_8>>``, ``make_layout(..)``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.reading import bad
from ..reading.spell import spell
from ..reading.trees import Items, arranged, basis, compact, identity, is_layout, is_shape, layout, leaves
from .builders import Pointer, composed, swizzled, tensor
from .terms import Terms

__all__ = ["CALLS", "TEMPLATES", "Keywords"]

Keywords = Mapping[str, Expression]

_RIGHT = frozenset({"LayoutRight", "GenRowMajor"})
_LEFT = frozenset({"LayoutLeft", "GenColMajor"})


# ---- templates ----


def _tuple(terms: Terms, span: Span, items: Items) -> Expression:
    terms.is_from("cpp")
    return nodes.Tuple(span, items)


def _tile(terms: Terms, span: Span, items: Items) -> Expression:
    terms.is_from("cpp")
    return nodes.Tiler(span, items)


def _constant(terms: Terms, span: Span, items: Items) -> Expression:
    terms.is_from("cpp")
    if not items:
        raise bad(terms.text, *span, "an integer constant without a value")
    value = items[-1]
    return nodes.Integer(span, value.value) if isinstance(value, nodes.Integer) else value


def _scaled_basis(terms: Terms, span: Span, items: Items) -> Expression:
    """``ScaledBasis<T, N0, N1...>``: T times e_{N0.N1...}."""
    terms.is_from("cpp")
    scale, *path = items or (nodes.Integer(span, 1),)
    if not path:
        return scale
    unit = basis(span, 1, _path(terms, span, tuple(path)))
    if isinstance(scale, nodes.Integer):
        return basis(span, scale.value, _path(terms, span, tuple(path)))
    if isinstance(scale, nodes.Binary) and scale.operator == "/":
        terms.note(f"a rational stride {_text(scale)} has no value in the language: it only stands in the text")
    return nodes.Binary(span, "*", scale, unit, span)


def _basis(terms: Terms, span: Span, items: Items) -> Expression:
    terms.is_from("cpp")
    return basis(span, 1, _path(terms, span, items)) if items else nodes.Integer(span, 1)


def _path(terms: Terms, span: Span, items: Items) -> tuple[int, ...]:
    path = tuple(i.value for i in items if isinstance(i, nodes.Integer) and i.value >= 0)
    if len(path) != len(items):
        raise bad(terms.text, *span, "the axes of a basis element are integers")
    return path


def _rational(terms: Terms, span: Span, items: Items) -> Expression:
    if len(items) != 2:
        raise bad(terms.text, *span, "a rational R<N,D> has two numbers")
    return nodes.Binary(span, "/", items[0], items[1], span)


def _layout(terms: Terms, span: Span, items: Items) -> Expression:
    terms.is_from("cpp")
    if not items or len(items) > 2:
        raise bad(terms.text, *span, "Layout<Shape, Stride> takes one or two types", "")
    stride = items[1] if len(items) == 2 else nodes.Name(span, "LayoutLeft")
    return layout(span, items[0], _strides(items[0], stride))


def _strides(shape: Expression, stride: Expression) -> Expression:
    name = stride.name if isinstance(stride, nodes.Name) else ""
    if name in _RIGHT or name in _LEFT:
        return compact(shape, right=name in _RIGHT)
    return stride


def _composed(terms: Terms, span: Span, items: Items) -> Expression:
    """``ComposedLayout<A, Offset, B>``; the offset may be the flag of a pointer, whose units are then bits or bytes."""
    terms.is_from("cpp")
    if len(items) != 3:
        raise bad(terms.text, *span, "ComposedLayout<A, Offset, B> takes three types", "")
    outer, offset, inner = items
    if isinstance(offset, Pointer):
        if not isinstance(outer, nodes.Swizzle):
            raise bad(terms.text, *outer.span, "a swizzle is expected before the flag of a pointer")
        return swizzled(terms, Pointer(span, offset.bits, outer), inner)
    return composed(span, outer, offset, inner)


def _swizzle(terms: Terms, span: Span, items: Items) -> Expression:
    terms.is_from("cpp")
    numbers = [i.value for i in items if isinstance(i, nodes.Integer)]
    if len(numbers) != len(items) or len(numbers) not in (1, 2, 3):
        raise bad(terms.text, *span, "a swizzle has three integers B, M, S")
    # Swizzle<B, M = 0, S = B>
    bits, base, shift = (*numbers, *(0, numbers[0])[len(numbers) - 1 :])
    return nodes.Swizzle(span, bits, base, shift)


def _flag(terms: Terms, span: Span, items: Items) -> Expression:
    bits = items[0] if items else None
    return Pointer(span, bits.value if isinstance(bits, nodes.Integer) else None)


def _apply(right: bool) -> Callable[[Terms, Span, Items], Expression]:
    return lambda terms, span, items: compact(_last(terms, span, items), right=right)


def _last(terms: Terms, span: Span, items: Items) -> Expression:
    terms.is_from("cpp")
    if not items:
        raise bad(terms.text, *span, "a type is expected")
    return items[-1]


def _counting(terms: Terms, span: Span, items: Items) -> Expression:
    """``counting_iterator<int>{5}``: a pointer that is an offset."""
    opened = terms.expect("{") if terms.at("{") else terms.expect("(")
    items = terms.items("}" if opened.text == "{" else ")", opened)
    return Pointer(Span(span.start, terms.end), None, None, items[0] if items else None)


TEMPLATES: dict[str, Callable[[Terms, Span, Items], Expression]] = {
    **dict.fromkeys(("Shape", "Stride", "Coord", "Step", "IntTuple", "tuple", "ArithmeticTuple", "ArithTuple"), _tuple),
    **dict.fromkeys(("Int", "C", "constant", "integral_constant", "Constant"), _constant),
    "Tile": _tile,
    "ScaledBasis": _scaled_basis,
    "E": _basis,
    "R": _rational,
    "Layout": _layout,
    "ComposedLayout": _composed,
    "Swizzle": _swizzle,
    "smem_ptr_flag_bits": _flag,
    "LayoutLeft::Apply": _apply(right=False),
    "LayoutRight::Apply": _apply(right=True),
    "Tensor": _last,
    "counting_iterator": _counting,
}


# ---- calls ----


def _make_tuple(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    return _tuple(terms, span, items) if items and not keywords else None


def _make_tile(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    return _tile(terms, span, items) if items and not keywords else None


def _make_layout(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    if "order" in keywords:
        return _make_ordered(terms, span, items, keywords)
    stride = keywords.get("stride")
    if stride is not None:
        items = (*items[:1], stride)
    if not len(items) >= 1 or all(map(is_layout, items)):
        return _tuple(terms, span, items) if len(items) > 1 else items[0] if items else None
    if len(items) == 1 and is_shape(items[0]):
        return layout(span, items[0], compact(items[0], right=False))
    if len(items) == 2 and is_shape(items[0]) and is_shape(items[1]):
        return layout(span, items[0], _strides(items[0], items[1]))
    return None


def _make_ordered(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    """Strides grow with the order of the leaves; leaves of equal order from left to right."""
    order = keywords.get("order", items[1] if len(items) == 2 else None)
    if not items or order is None or not is_shape(items[0]):
        return None
    tag = [n.value for n in leaves(order) if isinstance(n, nodes.Integer)]
    if len(tag) != sum(1 for _ in leaves(items[0])):
        raise bad(terms.text, *order.span, "the order has another number of leaves than the shape", "")
    return layout(span, items[0], arranged(items[0], lambda i: (tag[i], i)))


def _make_identity(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    if len(items) != 1 or not is_shape(items[0]):
        return None
    return layout(span, items[0], identity(items[0]))


def _make_swizzle(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    return _swizzle(terms, span, items) if len(items) == 3 else None


def _make_composed(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    return _composed(terms, span, items) if len(items) == 3 and not keywords else None


def _make_tensor(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    """``make_tensor(pointer, layout)``: a pointer ``p + 5`` is an offset of 5, an ``ArithTuple`` one of coordinates."""
    if len(items) < 2:
        return None
    pointer, *rest = items
    found = rest[0] if len(rest) == 1 and is_layout(rest[0]) else _make_layout(terms, span, tuple(rest), keywords)
    if found is None:
        return None
    offset: Expression | None = None
    if isinstance(pointer, Pointer):
        terms.bits = terms.bits or pointer.bits
        if pointer.swizzle is not None:
            found = swizzled(terms, pointer, found)
        offset = pointer.offset
    elif isinstance(pointer, nodes.Binary) and pointer.operator == "+":
        offset = pointer.right
    elif isinstance(pointer, nodes.Call) and isinstance(pointer.function, nodes.Name):
        name = pointer.function.name
        if name in ("make_inttuple_iter", "make_coord_iter") and pointer.arguments:
            arguments = pointer.arguments
            nested = len(arguments) == 1 and isinstance(arguments[0], (nodes.Tuple, nodes.Paren))
            offset = arguments[0] if nested else nodes.Tuple(pointer.span, arguments)
    if offset is None:
        terms.note("the pointer was dropped")
    return found if offset is None else tensor(offset, found)


def _drop(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    """``decltype(..)``, ``Int32(4)``, ``cutlass.Int32(4)``: what is inside."""
    return items[0] if len(items) == 1 else None


CALLS: dict[str, Callable[[Terms, Span, Items, Keywords], Expression | None]] = {
    **dict.fromkeys(
        ("make_shape", "make_stride", "make_coord", "make_step", "make_tuple", "make_arithmetic_tuple"), _make_tuple
    ),
    "make_tile": _make_tile,
    "make_layout": _make_layout,
    "make_ordered_layout": _make_ordered,
    **dict.fromkeys(("make_identity_layout", "make_identity_tensor"), _make_identity),
    "make_swizzle": _make_swizzle,
    "make_composed_layout": _make_composed,
    "make_tensor": _make_tensor,
    **dict.fromkeys(("decltype", "Int32", "Int64", "Constexpr"), _drop),
}


def _text(node: Expression) -> str:
    return spell(node)[0]
