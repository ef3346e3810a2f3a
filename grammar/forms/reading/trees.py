"""Syntax trees for what other languages compute at construction: default strides, orders, concatenation, tilers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from ...syntax import nodes
from ...syntax.nodes import Expression, Span

__all__ = [
    "Items",
    "arranged",
    "basis",
    "call",
    "compact",
    "identity",
    "is_free",
    "is_layout",
    "is_literal",
    "is_shape",
    "layout",
    "leaves",
    "number",
    "path_of",
    "times",
    "tuple_to_tiler",
]

Items: TypeAlias = tuple[Expression, ...]

LAYOUT_CALLS = frozenset({
    "make_layout", "make_ordered_layout", "make_identity_layout", "composition", "complement", "coalesce",
    "logical_divide", "zipped_divide", "tiled_divide", "logical_product", "blocked_product", "raked_product",
    "right_inverse", "left_inverse", "tile_to_shape", "retile", "fragment", "make_fragment_like", "make_layout_like",
    "smem_atom", "smem_atom_for", "tile_to_mma_shape",
})  # fmt: skip


def basis(span: Span, factor: int, path: tuple[int, ...]) -> Expression:
    """``factor * e_path``."""
    return nodes.Coordinate(span, ((factor, path),))


def call(span: Span, name: str, *arguments: Expression) -> Expression:
    """``name(arguments)``."""
    return nodes.Call(span, nodes.Name(span, name), arguments, ())


def is_layout(node: Expression) -> bool:
    """Is the node surely a layout?"""
    if isinstance(node, nodes.Call) and isinstance(node.function, nodes.Name):
        return node.function.name in LAYOUT_CALLS
    if isinstance(node, nodes.Paren):
        return is_layout(node.item)
    if isinstance(node, nodes.Tuple):
        return bool(node.items) and all(map(is_layout, node.items))
    return isinstance(node, nodes.Pair) or (isinstance(node, nodes.Binary) and node.operator == "o")


def is_shape(node: Expression) -> bool:
    """Is the node surely an integer or a nested tuple of them (names and unknowns count as integers)?"""
    if isinstance(node, nodes.Paren):
        return is_shape(node.item)
    if isinstance(node, (nodes.Tuple, nodes.Bracket)):
        return all(map(is_shape, node.items))
    if isinstance(node, nodes.Binary):
        return node.operator in "+-*/%" and is_shape(node.left) and is_shape(node.right)
    if isinstance(node, nodes.Call):
        return False
    return isinstance(node, (nodes.Integer, nodes.Name, nodes.Unknown, nodes.Unary, nodes.Coordinate, nodes.Xor))


def is_free(node: Expression) -> bool:
    """Is some entry of a coordinate free?"""
    return any(isinstance(leaf, nodes.Wildcard) for leaf in leaves(node))


def is_literal(node: Expression) -> bool:
    """Is every leaf an integer or an unknown one, so that what follows from it can be written out?"""
    return all(isinstance(leaf, (nodes.Integer, nodes.Unknown)) for leaf in leaves(node))


def path_of(axes: Items) -> tuple[int, ...] | None:
    """The axes of a basis element; None if one is no axis."""
    path = tuple(n.value for n in axes if isinstance(n, nodes.Integer) and n.value >= 0)
    return path if len(path) == len(axes) else None


def tuple_to_tiler(span: Span, items: Items, *, python: bool = False) -> Expression:
    """A tuple, or a tiler if it mixes layouts with integers (in Python: if it has any layout)."""
    layouts = sum(is_layout(i) or isinstance(i, nodes.Tiler) for i in items)
    mixed = sum(isinstance(i, (nodes.Integer, nodes.Wildcard, nodes.Unknown)) for i in items)
    if layouts and (mixed or python):
        return nodes.Tiler(span, items)
    return nodes.Tuple(span, items)


def modes(node: Expression) -> Items | None:
    """The items of a tuple, None for a leaf."""
    if isinstance(node, nodes.Paren):
        return (node.item,)
    if isinstance(node, (nodes.Tuple, nodes.Bracket)):
        return node.items
    return None


def leaves(node: Expression) -> Iterator[Expression]:
    """The leaves of a nested tuple, left to right."""
    items = modes(node)
    if items is None:
        yield node
    else:
        for item in items:
            yield from leaves(item)


def number(node: Expression) -> int | None:
    """The integer that a leaf is, None for a name."""
    return node.value if isinstance(node, nodes.Integer) else None


def times(a: Expression, b: Expression) -> Expression:
    """The product of two extents; a product with an unknown one is unknown."""
    span = b.span
    if isinstance(a, nodes.Integer) and isinstance(b, nodes.Integer):
        return nodes.Integer(span, a.value * b.value)
    for one, other in ((a, b), (b, a)):
        if number(one) == 1:
            return other
    unknown = [x for x in (a, b) if isinstance(x, nodes.Unknown)]
    if unknown:
        known = [number(x) or 1 for x in (a, b) if not isinstance(x, nodes.Unknown)]
        divisor = 1
        for x in unknown:
            divisor *= x.divisor
        return nodes.Unknown(span, divisor * (known[0] if known else 1))
    return nodes.Binary(span, "*", a, b, span)


def arranged(shape: Expression, order: Callable[[int], object] | None = None, *, zero_ones: bool = True) -> Expression:
    """The compact strides of a shape whose leaves are laid out by rising ``order(i)``, column-major by default.

    ``zero_ones`` gives extent 1 the stride 0, as C++ does.
    """
    extents = list(leaves(shape))
    strides: list[Expression] = list(extents)
    weight: Expression = nodes.Integer(shape.span, 1)
    for i in sorted(range(len(extents)), key=order or (lambda i: i)):  # type: ignore[arg-type]
        extent = extents[i]
        strides[i] = nodes.Integer(extent.span, 0) if zero_ones and number(extent) == 1 else _at(weight, extent.span)
        weight = times(weight, extent)
    rest = iter(strides)
    return _like(shape, lambda: next(rest))


def compact(shape: Expression, *, right: bool, zero_ones: bool = True) -> Expression:
    """LayoutLeft or LayoutRight strides."""
    return arranged(shape, (lambda i: -i) if right else None, zero_ones=zero_ones)


def identity(shape: Expression, path: tuple[int, ...] = ()) -> Expression:
    """The strides of the identity: each leaf its own basis element."""
    items = modes(shape)
    if items is None:
        return basis(shape.span, 1, path or (0,))
    return _tuple(shape.span, tuple(identity(item, (*path, i)) for i, item in enumerate(items)))


def layout(span: Span, shape: Expression, stride: Expression) -> Expression:
    """``shape:stride``; lists count as tuples."""
    return nodes.Pair(span, _tuples(shape), _tuples(stride))


def _tuples(node: Expression) -> Expression:
    items = modes(node)
    return node if items is None else _tuple(node.span, tuple(map(_tuples, items)))


def _tuple(span: Span, items: Items) -> Expression:
    return nodes.Tuple(span, items)


def _at(node: Expression, span: Span) -> Expression:
    return nodes.Integer(span, node.value) if isinstance(node, nodes.Integer) else node


def _like(shape: Expression, leaf: Callable[[], Expression]) -> Expression:
    items = modes(shape)
    if items is None:
        return leaf()
    return _tuple(shape.span, tuple(_like(item, leaf) for item in items))
