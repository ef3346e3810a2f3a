"""CuTe C++: types (``Layout<Shape<_4,_8>>{}``), constructors (``make_layout(..)``), compiler spellings."""

from __future__ import annotations

from typing import Any

from ..reading.form import Form
from ..reading.reading import Reading
from .cpp_write import write, write_call
from .pieces import rewrite

__all__ = ["CALLS", "FORM"]


def read(text: str, shape: Any = None) -> Reading:
    """C++ types and constructors, as in source or in a compiler message."""
    return rewrite(text, "cpp")


FORM = Form(
    name="cpp",
    title="CuTe C++ types and constructors",
    example="Layout<Shape<_4,_8>,Stride<_1,_4>>{}",
    aliases=("c++", "cute-cpp", "cutlass"),
    marks=(
        "{}", "_-", "::", "Shape<", "Layout<", "Stride<", "Int<", "Tile<", "tuple<", "ensor<", "make_shape(",
        "make_stride(", "make_tile(", "make_coord(", "LayoutLeft{", "order=", "using ", "auto ",
    ),
    read=read,
    write=write,
)  # fmt: skip

CALLS = Form(
    name="cpp-call",
    title="CuTe C++ calls",
    example="make_layout(make_shape(_4{}, _8{}), make_stride(_1{}, _4{}))",
    aliases=("make_layout", "cpp-make"),
    read=read,
    write=write_call,
)
