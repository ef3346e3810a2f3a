"""Values as CuTe C++: types where everything is a number, calls where names must be kept."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ..reading.reading import cannot, leaf_text

__all__ = ["write", "write_call"]


def write(value: Any, shape: Any = None) -> str:
    """A C++ type with a value, ``Layout<Shape<_4,_8>,Stride<_1,_4>>{}``; `write_call` where names must be kept."""
    match value:
        case Tensor():
            return write_call(value)
        case _ if _has_names(value):
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
    """An iterator whose value at 0 is the offset; one of coordinates begins at a coordinate."""
    origin = tensor(0)
    if isinstance(origin, Coordinate):
        raise cannot(f"the offset {origin} has an axis that no stride of {tensor.layout} has")
    if isinstance(origin, tuple):
        return f"make_inttuple_iter({_call(origin, 'make_coord')})"
    return f"counting_iterator<int>{{{tensor.offset}}}"


def _has_names(value: Any) -> bool:
    """Has a value leaves that are known by name, which no type can hold?"""
    match value:
        case Composed(layout=inner):
            return _has_names(inner)
        case Tiler(modes=modes):
            return any(_has_names(m) for m in modes)
        case Layout():
            return any(map(_has_names, (*value.flat()[0], *value.flat()[1])))
        case Coordinate(terms=terms):
            return any(_has_names(c) for _, c in terms)
        case tuple():
            return any(map(_has_names, value))
    return hasattr(value, "symbols") and leaf_text(value) != "?"


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
            return f"ScaledBasis<{_type(factor)},{','.join(map(str, path))}>"
        case Xor():
            raise cannot(f"C++ CuTe has no XOR stride {x}; write the layout with a Swizzle if it has one")
        case int():
            return _integer(x)
    if leaf_text(x) == "?":
        return "int"
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
    text = leaf_text(x)
    if "?" in text and text != "?":
        raise cannot(f"a number computed from an unknown one has no name to write: {x}")
    return "int{}" if text == "?" else text
