"""What the calls of the DSL, PyCuTe, tensor-layouts and Mojo build."""

from __future__ import annotations

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.reading import bad
from ..reading.tokens import Token
from ..reading.trees import Items, basis, compact, is_layout, is_shape, layout, number
from .builders import composed, tensor
from .constructors import TEMPLATES, Keywords
from .terms import Terms

__all__ = ["CALLS", "constructed"]


# ---- the DSL ----


def _basis(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    """``cute.E(0)``, ``cute.E([0, 1])``: the outermost axis first."""
    return _scaled(terms, span, (nodes.Integer(span, 1), *items), keywords)


def _scaled(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    """``cute.ScaledBasis(6, 1)``: 6 times e1."""
    if len(items) != 2:
        return None
    terms.is_from("dsl")
    value, mode = items
    axes = mode.items if isinstance(mode, (nodes.Bracket, nodes.Tuple)) else (mode,)
    path = tuple(n for n in map(number, axes) if n is not None and n >= 0)
    if len(path) != len(axes) or not path:
        raise bad(terms.text, *mode.span, "the axes of a basis element are integers")
    factor = number(value)
    unit = basis(span, 1 if factor is None else factor, path)
    return unit if factor is not None else nodes.Binary(span, "*", value, unit, span)


# ---- PyCuTe ----


def _layout(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    """``Layout(shape)``, ``Layout(shape, stride)``, and ``Layout(A, B)`` of layouts."""
    if keywords.keys() - {"stride", "shape"}:
        return None
    items = (*([keywords["shape"]] if "shape" in keywords else []), *items)
    items = (*items, keywords["stride"]) if "stride" in keywords else items
    if not items or any(isinstance(i, nodes.Bracket) for i in items):
        return None
    terms.is_from("pycute")
    if all(map(is_layout, items)):
        return nodes.Tuple(span, items)
    if not is_shape(items[0]) or len(items) > 2:
        return None
    if len(items) == 1:
        return layout(span, items[0], compact(items[0], right=False, zero_ones=False))
    if isinstance(items[1], nodes.Wildcard):
        return layout(span, items[0], compact(items[0], right=False, zero_ones=False))
    if not is_shape(items[1]):
        return None
    return layout(span, items[0], items[1])


def _swizzle(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    terms.is_from("pycute")
    items = (*items, *(keywords[k] for k in ("bits", "base", "shift") if k in keywords))
    return TEMPLATES["Swizzle"](terms, span, items) if len(items) == 3 else None


def _composed(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    """``ComposedLayout(outer, offset, inner)``; tensor-layouts has the offset last, as a keyword."""
    if "offset" in keywords and len(items) == 2:
        items = (items[0], keywords["offset"], items[1])
    elif len(items) == 2 and not keywords:
        items = (items[0], nodes.Integer(span, 0), items[1])
    if len(items) != 3:
        raise bad(terms.text, *span, "ComposedLayout takes an outer layout, an offset and an inner layout", "")
    terms.is_from("pycute")
    outer, offset, inner = items
    return composed(span, outer, offset, inner)


def _tile(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    return nodes.Tiler(span, items) if items and not keywords else None


# ---- tensor-layouts ----


def _tensor(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    """``Tensor(layout, offset=5)``; the print has a bare layout inside."""
    if len(items) != 1 or not is_layout(items[0]) or keywords.keys() - {"offset"}:
        return None
    terms.is_from("tensor-layouts")
    return tensor(keywords["offset"], items[0]) if "offset" in keywords else items[0]


# ---- Mojo ----


def _int_tuple(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    terms.is_from("mojo")
    return nodes.Tuple(span, items)


def constructed(terms: Terms, function: Expression, opened: Token) -> Expression | None:
    """``Layout.row_major(2, 3)``, ``Layout.col_major(IntTuple(2, 3))``, ``row_major[2, 2]()``; else None."""
    name, items = function, None
    if isinstance(function, nodes.Index):
        name, items = function.target, function.items
    word = name.name if isinstance(name, (nodes.Attribute, nodes.Name)) else ""
    if word not in ("row_major", "col_major") or (items is None and terms.at(")")):
        return None
    arguments = terms.items(")", opened)
    return _major(terms, Span(function.span.start, terms.end), items or arguments, word == "row_major")


def _major(terms: Terms, span: Span, items: Items, right: bool) -> Expression:
    terms.is_from("mojo")
    shape = items[0] if len(items) == 1 else nodes.Tuple(span, items)
    return layout(span, shape, compact(shape, right=right, zero_ones=False))


CALLS = {
    "E": _basis,
    "ScaledBasis": _scaled,
    "Layout": _layout,
    "Swizzle": _swizzle,
    "ComposedLayout": _composed,
    "Tile": _tile,
    "Tensor": _tensor,
    "IntTuple": _int_tuple,
}
