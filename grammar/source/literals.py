"""Values as nodes, so that what one definition came to can stand in the expression of another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ..forms.dialects.around import Declared, Lacking
from ..forms.dialects.kinds import ElementType, IntegerType, Pointer
from ..language.values import Text, Verdict
from ..syntax import nodes
from ..syntax.nodes import Expression, Node, Span

__all__ = ["PLAIN", "free_names", "literal"]

PLAIN = (
    nodes.Integer, nodes.Truth, nodes.String, nodes.Wildcard, nodes.Swizzle, ElementType, IntegerType, Pointer,
    Declared, Lacking,
)  # fmt: skip
"""Nodes that say all by themselves."""


def literal(value: Any, span: Span) -> Expression | None:
    """The node that a value reads back from; None for a kind that has none."""
    write = _WRITE.get(type(value))
    return None if write is None else write(value, span)


def _number(value: int, span: Span) -> Expression:
    return nodes.Integer(span, value)


def _truth(value: Any, span: Span) -> Expression:
    return nodes.Truth(span, bool(value))


def _free(value: None, span: Span) -> Expression:
    return nodes.Wildcard(span)


def _word(value: Text, span: Span) -> Expression:
    return nodes.String(span, value.value)


def _tuple(value: tuple[Any, ...], span: Span) -> Expression | None:
    items = _all(value, span)
    return None if items is None else nodes.Tuple(span, items)


def _all(values: Iterable[Any], span: Span) -> tuple[Expression, ...] | None:
    """The nodes of several values, None if one of them has none."""
    found = [literal(value, span) for value in values]
    known = tuple(node for node in found if node is not None)
    return known if len(known) == len(found) else None


def _swizzle(value: Swizzle, span: Span) -> Expression:
    return nodes.Swizzle(span, value.bits, value.base, value.shift)


def _basis(value: Coordinate, span: Span) -> Expression | None:
    if any(type(c) is not int for _, c in value.terms):
        return None
    return nodes.Coordinate(span, tuple((c, path) for path, c in value.terms))


def _layout(value: Layout, span: Span) -> Expression | None:
    sides = _all((value.shape, value.stride), span)
    return None if sides is None else nodes.Pair(span, *sides)


def _composed(value: Composed, span: Span) -> Expression | None:
    parts = _all((value.swizzle, value.offset, value.layout), span)
    if parts is None:
        return None
    swizzle, offset, inner = parts
    return nodes.Binary(span, "o", nodes.Binary(span, "o", swizzle, offset, span), inner, span)


def _tensor(value: Tensor, span: Span) -> Expression | None:
    parts = None if value.layout is None else _all((value.offset, value.layout), span)
    return None if parts is None else nodes.Binary(span, "o", nodes.Offset(span, parts[0]), parts[1], span)


def _tiler(value: Tiler, span: Span) -> Expression | None:
    items = _all(value.modes, span)
    return None if items is None else nodes.Tiler(span, items)


_WRITE: dict[type, Callable[[Any, Span], Expression | None]] = {
    bool: _truth,
    Verdict: _truth,
    int: _number,
    type(None): _free,
    Text: _word,
    tuple: _tuple,
    Layout: _layout,
    Swizzle: _swizzle,
    Coordinate: _basis,
    Composed: _composed,
    Tensor: _tensor,
    Tiler: _tiler,
}


def free_names(node: Any, function: bool = False) -> Iterator[str]:
    """The names that an expression uses and that are no functions where they are called."""
    if isinstance(node, nodes.Name):
        if not function:
            yield node.name
    elif isinstance(node, nodes.Call):
        yield from free_names(node.function, function=True)
        yield from free_names(node.arguments)
        yield from free_names(node.keywords)
    elif isinstance(node, Node):
        for field in node.fields:
            yield from free_names(getattr(node, field))
    elif type(node) is tuple:
        for item in node:
            yield from free_names(item)
