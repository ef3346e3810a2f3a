"""PyCuTe: ``Layout((4,8),(1,4))``, ``Swizzle(3,0,3)``, ``ComposedLayout(..)``."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ..dialects.whole import read_python
from ..reading.form import Form
from ..reading.reading import Reading, cannot

__all__ = ["FORM", "spelled"]


def read(text: str, shape: Any = None) -> Reading:
    """Constructors of pycute; a Python tuple with a layout in it is a tiler."""
    return read_python(text, "pycute")


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


FORM = Form(
    name="pycute",
    title="PyCuTe",
    example="Layout((4, 8),(1, 4))",
    marks=("Layout(", "Swizzle(", "Tile(", "stride="),
    read=read,
    write=write,
    surplus=(
        "Layout((4, 8),(1, 4),colour=3)",
        "Swizzle(3,0,3,1)",
        "ComposedLayout(Swizzle(3,0,3),0,Layout(4,1),3)",
    ),
)
