"""Values as CuTe C++: types where everything is a number, calls where names must be kept."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.layout import Layout
from laycalc.algebra.semimodule import Coordinate, Xor
from laycalc.algebra.swizzle import Composed, Swizzle
from laycalc.algebra.tensor import Tensor
from laycalc.algebra.tiler import Tiler

from .reading import cannot

__all__ = ["write", "write_call"]


def write(value: Any, shape: Any = None) -> str:
    """A C++ type with a value, ``Layout<Shape<_4,_8>,Stride<_1,_4>>{}``; `write_call` where names must be kept."""
    match value:
        case Tensor():
            return write_call(value)
        case Layout() | Composed() if _has_names(value):
            return write_call(value)
        case Tiler() if any(isinstance(m, (Layout, Tiler)) and _has_names(m) for m in value.modes):
            return write_call(value)
        case int():
            return f"{_integer(value)}{{}}"
        case tuple():
            return f"{_type(value, 'Shape')}{{}}"
    return f"{_type(value)}{{}}"


def write_call(value: Any, shape: Any = None) -> str:
    """The same with ``make_layout(make_shape(..), make_stride(..))``."""
    match value:
        case Layout():
            return f"make_layout({_call(value.shape, 'make_shape')}, {_call(value.stride, 'make_stride')})"
        case Composed(swizzle=swizzle, offset=offset, layout=inner):
            return f"make_composed_layout({_type(swizzle)}{{}}, {_call(offset)}, {write_call(inner)})"
        case Tensor(offset=offset, layout=inner):
            if inner is None:
                raise cannot("a tensor without free modes is a single value: C++ has no layout for it")
            return f"make_tensor({_iterator(value)}, {write_call(inner)})"
        case Tiler(modes=modes):
            return f"make_tile({', '.join('_' if m is None else write_call(m) for m in modes)})"
        case Swizzle():
            return f"{_type(value)}{{}}"
        case tuple():
            return _call(value, "make_shape")
    return _call(value)


def _iterator(tensor: Tensor) -> str:
    if isinstance(tensor.offset, Coordinate) or (
        isinstance(tensor.layout, Layout) and tensor.layout.semimodule == "Z^P"
    ):
        return f"make_inttuple_iter({tensor.offset_text().replace(',', ', ')})"
    return f"counting_iterator<int>{{{tensor.offset}}}"


def _has_names(value: Any) -> bool:
    """Has a layout leaves that are no integers?"""
    if isinstance(value, Composed):
        value = value.layout
    if isinstance(value, Tiler):
        return any(_has_names(m) for m in value.modes if m is not None)
    if not isinstance(value, Layout):
        return not isinstance(value, int)
    shape, stride = value.flat()
    parts = [*shape, *(c for d in stride for _, c in _terms(d))]
    return any(not isinstance(p, int) for p in parts)


def _terms(stride: Any) -> tuple[tuple[Any, Any], ...]:
    return stride.terms if isinstance(stride, Coordinate) else (((), 0 if isinstance(stride, Xor) else stride),)


def _type(x: Any, kind: str = "Shape") -> str:
    match x:
        case Layout():
            return f"Layout<{_type(x.shape)},{_type(x.stride, 'Stride')}>"
        case Composed(swizzle=swizzle, offset=offset, layout=inner):
            return f"ComposedLayout<{_type(swizzle)},{_integer(offset)},{_type(inner)}>"
        case Swizzle(bits=bits, base=base, shift=shift):
            return f"Swizzle<{bits},{base},{shift}>"
        case Tiler(modes=modes):
            return f"Tile<{','.join('Underscore' if m is None else _type(m) for m in modes)}>"
        case tuple():
            return f"{kind}<{','.join(_type(e, kind) for e in x)}>"
        case Coordinate():
            path, factor = _basis_of(x)
            return f"ScaledBasis<{_integer(factor)},{','.join(map(str, path))}>"
        case Xor():
            raise cannot(f"C++ CuTe has no XOR stride {x}; write the layout with a Swizzle if it has one")
        case int():
            return _integer(x)
    raise cannot(f"C++ CuTe has no form for {x}")


# The constants of cute/numeric/integral_constant.hpp that have a name.
_NAMED = frozenset([*range(11), 12, 16, 24, *range(32, 257, 8), 384, 512, 768, *(1 << k for k in range(10, 20))])


def _integer(n: Any) -> str:
    return f"_{n}" if n in _NAMED else f"Int<{n}>"


def _basis_of(x: Coordinate) -> tuple[tuple[int, ...], Any]:
    if x.basis is None:
        raise cannot(f"C++ CuTe scales one basis element a stride; {x} is a sum of several")
    return x.basis


def _call(x: Any, name: str = "make_shape") -> str:
    match x:
        case tuple():
            return f"{name}({', '.join(_call(e, name) for e in x)})"
        case Coordinate():
            path, factor = _basis_of(x)
            unit = f"E<{','.join(map(str, path))}>{{}}"
            return unit if factor == 1 else f"{_call(factor)} * {unit}"
        case Xor():
            return _type(x)
        case int():
            return f"{_integer(x)}{{}}"
    return str(x)
