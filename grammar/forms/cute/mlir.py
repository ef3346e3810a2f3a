"""Types of the CuTe dialect: ``!cute.layout<"(4,8):(1,4)">``, ``!cute.memref<f16, smem, align<128>, "..">``."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ..dialects.whole import read_terms
from ..reading.form import Form
from ..reading.reading import Reading, cannot, leaf_text

__all__ = ["FORM"]


def read(text: str, shape: Any = None) -> Reading:
    """A type of the CuTe dialect, wherever it stands in a line of MLIR."""
    return read_terms(text, "mlir")


def write(value: Any, shape: Any = None) -> str:
    """``!cute.layout<"..">`` and its kin; coordinate strides with the innermost axis first, ``1@0``."""
    match value:
        case Layout():
            return f'!cute.layout<"{_printed(value)}">'
        case Composed():
            return f'!cute.composed_layout<"{_printed(value)}">'
        case Tensor(layout=Layout() as inner) if inner.semimodule == "Z^P":
            return f'!cute.coord_tensor<"{value.offset_text()}", "{_printed(inner)}">'
        case Tensor():
            raise cannot("the CuTe dialect keeps an integer offset in the pointer, not in a type")
        case Tiler():
            return f'!cute.tile<"{_printed(value)}">'
        case Swizzle():
            return f'!cute.swizzle<"{_printed(value)}">'
    return f'!cute.int_tuple<"{_printed(value)}">'


def _printed(x: Any) -> str:
    """As the DSL prints a value: no underscores, ``S<3,4,3>``, ``1@0``."""
    match x:
        case tuple():
            return "(" + ",".join(map(_printed, x)) + ")"
        case Coordinate():
            if x.basis is None:
                raise cannot(f"the DSL scales one basis element a stride; {x} is a sum of several")
            path, factor = x.basis
            return f"{factor}" + "".join(f"@{i}" for i in reversed(path))
        case Xor():
            raise cannot(f"the DSL has no XOR stride {x}")
        case Layout():
            return f"{_printed(x.shape)}:{_printed(x.stride)}"
        case Swizzle():
            return f"S<{x.bits},{x.base},{x.shift}>"
        case Composed():
            return f"{_printed(x.swizzle)} o {_printed(x.offset)} o {_printed(x.layout)}"
        case Tiler():
            return "[" + ";".join("_" if m is None else _printed(m) for m in x.modes) + "]"
        case None:
            return "_"
    return leaf_text(x)


FORM = Form(
    name="mlir",
    title="types of the CuTe dialect",
    example='!cute.layout<"(4,8):(1,4)">',
    aliases=("cute-mlir",),
    marks=("cute", '<"'),
    read=read,
    write=write,
)
