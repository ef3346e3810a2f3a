"""tensor-layouts: constructors, and its prints ``(4, 8) : (1, 4)`` and ``{5} ∘ (4, 8) : (1, 4)``."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ..dialects.whole import read_python
from ..reading.form import Form
from ..reading.reading import Reading, cannot
from .pycute import spelled

__all__ = ["FORM"]


def read(text: str, shape: Any = None) -> Reading:
    """Constructors and prints of tensor-layouts."""
    return read_python(text, "tensor-layouts")


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


FORM = Form(
    name="tensor-layouts",
    title="the package tensor-layouts",
    example="Layout((4, 8), (1, 4))",
    aliases=("tensor_layouts",),
    marks=("Layout(", "Tensor(", "Tile("),
    read=read,
    write=write,
    surplus=(
        "Layout((4, 8), (1, 4), offset=3)",
        "Tensor(Layout(4, 1), shift=3)",
    ),
)
