"""PyCuTe: ``Layout((4,8),(1,4))``, ``Swizzle(3,0,3)``, ``ComposedLayout(..)``."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.reading import Reading, bad, cannot
from ..reading.trees import Items, compact, is_layout, is_shape, layout
from .cpp import TEMPLATES, Keywords
from .terms import Terms

__all__ = ["CALLS", "read", "spelled", "write"]


def read(text: str, shape: Any = None) -> Reading:
    """Constructors of pycute; a Python tuple with a layout in it is a tiler."""
    from .rewrite import rewrite

    return rewrite(text, "pycute", python=True)


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
    return nodes.Binary(span, "o", nodes.Binary(span, "o", outer, offset, span), inner, span)


def _tile(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    return nodes.Tiler(span, items) if items and not keywords else None


CALLS = {"Layout": _layout, "Swizzle": _swizzle, "ComposedLayout": _composed, "Tile": _tile}


def write(value: Any, shape: Any = None) -> str:
    """Constructors of pycute, which has integer strides only."""
    return spelled(value, "pycute", ",")


def spelled(value: Any, system: str, comma: str) -> str:
    """The constructors that pycute and tensor-layouts share."""
    match value:
        case Layout():
            return f"Layout({_python(value.shape, system)}{comma}{_python(value.stride, system)})"
        case Swizzle(bits=bits, base=base, shift=shift):
            return f"Swizzle({bits}{comma}{base}{comma}{shift})"
        case Composed(swizzle=swizzle, offset=offset, layout=inner):
            parts = (spelled(swizzle, system, comma), _python(offset, system), spelled(inner, system, comma))
            return f"ComposedLayout({comma.join(parts)})"
        case Tensor():
            raise cannot(f"{system} has no layout with an offset: {value}")
        case Tiler(modes=modes):
            if not any(isinstance(m, (Layout, Tiler)) for m in modes):
                raise cannot(
                    f"a Python tuple of integers is a shape; {system} reads it as a tiler where one is expected"
                )
            items = ["None" if m is None else spelled(m, system, comma) for m in modes]
            return "(" + comma.join(items) + ("," if len(items) == 1 else "") + ")"
    return _python(value, system)


def _python(x: Any, system: str) -> str:
    if isinstance(x, tuple):
        return "(" + ", ".join(_python(e, system) for e in x) + ("," if len(x) == 1 else "") + ")"
    if isinstance(x, Coordinate):
        raise cannot(f"{system} has integer strides only: {x} is a coordinate")
    if isinstance(x, Xor):
        raise cannot(f"{system} has integer strides only: {x} is an XOR stride")
    if "?" in str(x):
        raise cannot("an unknown extent ? has no name to write in Python")
    return str(x)
