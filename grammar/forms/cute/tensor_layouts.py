"""tensor-layouts: constructors, and its prints ``(4, 8) : (1, 4)`` and ``{5} ∘ (4, 8) : (1, 4)``."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ...syntax.nodes import Expression, Span
from ..reading.reading import Reading, cannot
from ..reading.trees import Items, is_layout
from .cpp import Keywords
from .printed import tensor
from .pycute import spelled
from .terms import Terms

__all__ = ["CALLS", "read", "write"]


def read(text: str, shape: Any = None) -> Reading:
    """Constructors and prints of tensor-layouts."""
    from .rewrite import rewrite

    return rewrite(text, "tensor-layouts", python=True)


def _tensor(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    """``Tensor(layout, offset=5)``; the print has a bare layout inside."""
    if len(items) != 1 or not is_layout(items[0]) or keywords.keys() - {"offset"}:
        return None
    terms.is_from("tensor-layouts")
    return tensor(keywords["offset"], items[0]) if "offset" in keywords else items[0]


CALLS = {"Tensor": _tensor}


def write(value: Any, shape: Any = None) -> str:
    """Constructors of tensor-layouts, which has integer strides only."""
    match value:
        case Composed(swizzle=swizzle, offset=offset, layout=inner):
            return f"ComposedLayout({write(swizzle)}, {write(inner)}, offset={offset})"
        case Tensor(layout=None):
            raise cannot("a tensor without free modes is a single value: tensor-layouts has no layout for it")
        case Tensor(offset=offset, layout=inner):
            return f"Tensor({write(inner)}, offset={spelled(offset, 'tensor-layouts', ', ')})"
        case Tiler(modes=modes):
            if any(not isinstance(m, Layout) for m in modes):
                raise cannot("a Tile of tensor-layouts has layouts only, no integers and no _")
            return f"Tile({', '.join(map(write, modes))})"
    return spelled(value, "tensor-layouts", ", ")
