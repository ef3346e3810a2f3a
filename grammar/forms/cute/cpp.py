"""CuTe C++: types (``Layout<Shape<_4,_8>>{}``), constructors (``make_layout(..)``), compiler spellings."""

from __future__ import annotations

from typing import Any

from ..dialects.pieces import foreign_calls, template_heads
from ..dialects.whole import read_terms
from ..reading.form import Form
from ..reading.reading import Reading
from .cpp_write import write, write_call

__all__ = ["CALLS", "FORM"]


def read(text: str, shape: Any = None) -> Reading:
    """C++ types and constructors, as in source or in a compiler message."""
    return read_terms(text, "cpp")


def write_kernel(value: Any) -> str:
    """Tiled MMAs and copies and their atoms as types."""
    from .kernel_write import write_cpp

    return write_cpp(value)


def write_kernel_call(value: Any) -> str:
    """The same as calls."""
    from .kernel_write import write_cpp_call

    return write_cpp_call(value)


FORM = Form(
    name="cpp",
    title="CuTe C++ types and constructors",
    example="Layout<Shape<_4,_8>,Stride<_1,_4>>{}",
    aliases=("c++", "cute-cpp", "cutlass"),
    marks=(
        "{}", "_-", "::", "ensor<", "using ", "auto ", "const ", "constexpr ", "/*",
        "Layout ", "Tensor ", *template_heads(), *(f"{name}(" for name in foreign_calls()),
    ),
    read=read,
    write=write,
    write_kernel=write_kernel,
    surplus=(
        "Layout<Shape<_4,_8>,Stride<_1,_4>,_3>{}",
        "Layout<Shape<_4,_8>>{}.shape(3)",
        "Swizzle<3,3,3,1>{}",
    ),
)  # fmt: skip

CALLS = Form(
    name="cpp-call",
    title="CuTe C++ calls",
    example="make_layout(make_shape(_4{}, _8{}), make_stride(_1{}, _4{}))",
    aliases=("make_layout", "cpp-make"),
    read=read,
    write=write_call,
    write_kernel=write_kernel_call,
    surplus=(
        "make_composed_layout(Swizzle<3,3,3>{}, _0{}, Layout<_8>{}, _3{})",
        "make_swizzle(3, 3, 3, 1)",
        "make_shape(4, rows=8)",
        "get<0>(make_shape(4, 8), 3)",
    ),
)
