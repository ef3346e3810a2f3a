"""Values as calls of the CuTe DSL in Python."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ..reading.reading import cannot, leaf_text

__all__ = ["write"]


def write(value: Any, shape: Any = None) -> str:
    """Calls of ``cute.``, ready to paste below ``import cutlass.cute as cute``."""
    match value:
        case Layout():
            return f"cute.make_layout({_python(value.shape)}, stride={_python(value.stride)})"
        case Composed(swizzle=swizzle, offset=offset, layout=inner):
            return f"cute.make_composed_layout({write(swizzle)}, {_python(offset)}, {write(inner)})"
        case Tensor(layout=None):
            raise cannot("a tensor without free modes is a single value: the DSL has no layout for it")
        case Tensor(layout=Layout() as inner) if inner.semimodule == "Z^P":
            raise cannot(
                "the DSL makes coordinate tensors with make_identity_tensor and slices; an offset has no constructor"
            )
        case Tensor(offset=offset, layout=inner):
            return f"cute.make_tensor(ptr + {_python(offset)}, {write(inner)})"
        case Swizzle(bits=bits, base=base, shift=shift):
            return f"cute.make_swizzle({bits}, {base}, {shift})"
        case Tiler(modes=modes):
            items = ["None" if m is None else write(m) for m in modes]
            if not any(isinstance(m, (Layout, Tiler)) for m in modes):
                raise cannot(
                    "a Python tuple of integers is a shape; the DSL reads it as a tiler where one is expected: "
                    f"{_python(tuple(modes))}"
                )
            return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"
    return _python(value)


def _python(x: Any) -> str:
    match x:
        case tuple():
            return "(" + ", ".join(map(_python, x)) + ("," if len(x) == 1 else "") + ")"
        case Coordinate():
            if x.basis is None:
                raise cannot(f"the DSL scales one basis element a stride; {x} is a sum of several")
            path, factor = x.basis
            axes = str(path[0]) if len(path) == 1 else str(list(path))
            return f"cute.E({axes})" if factor == 1 else f"cute.ScaledBasis({_python(factor)}, {axes})"
        case Xor():
            raise cannot(f"the DSL has no XOR stride {x}; write the layout with a swizzle if it has one")
        case None:
            return "None"
    text = leaf_text(x)
    if "?" in text:
        raise cannot("an unknown extent ? has no name to write in Python")
    return text
