"""CuTe DSL in Python: ``cute.make_layout((4, 8), stride=(1, 4))`` and what its ``print`` writes."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.reading import Reading, bad, cannot, leaf_text
from ..reading.trees import Items, basis, number
from .cpp import Keywords
from .terms import Terms

__all__ = ["CALLS", "printed", "read", "write"]


def read(text: str, shape: Any = None) -> Reading:
    """Calls of the DSL, as in source; a Python tuple with a layout in it is a tiler."""
    from .rewrite import rewrite

    return rewrite(text, "dsl", python=True)


def _basis(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    """``cute.E(0)``, ``cute.E([0, 1])``: the outermost axis first."""
    return _scaled(terms, span, (nodes.Integer(span, 1), *items), keywords)


def _scaled(terms: Terms, span: Span, items: Items, keywords: Keywords) -> Expression | None:
    """``cute.ScaledBasis(6, 1)``: 6 times e1."""
    if len(items) != 2:
        return None
    terms.is_from("dsl")
    value, mode = items
    axes = mode.items if isinstance(mode, (nodes.Bracket, nodes.Tuple)) else (mode,)
    path = tuple(n for n in map(number, axes) if n is not None and n >= 0)
    if len(path) != len(axes) or not path:
        raise bad(terms.text, *mode.span, "the axes of a basis element are integers")
    factor = number(value)
    unit = basis(span, 1 if factor is None else factor, path)
    return unit if factor is not None else nodes.Binary(span, "*", value, unit, span)


CALLS = {"E": _basis, "ScaledBasis": _scaled}


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


def printed(x: Any) -> str:
    """As the DSL prints it: no underscores, ``S<3,4,3>``, ``1@0``."""
    match x:
        case tuple():
            return "(" + ",".join(map(printed, x)) + ")"
        case Coordinate():
            if x.basis is None:
                raise cannot(f"the DSL scales one basis element a stride; {x} is a sum of several")
            path, factor = x.basis
            return f"{factor}" + "".join(f"@{i}" for i in reversed(path))
        case Xor():
            raise cannot(f"the DSL has no XOR stride {x}")
        case Layout():
            return f"{printed(x.shape)}:{printed(x.stride)}"
        case Swizzle():
            return f"S<{x.bits},{x.base},{x.shift}>"
        case Composed():
            return f"{printed(x.swizzle)} o {printed(x.offset)} o {printed(x.layout)}"
        case Tiler():
            return "[" + ";".join("_" if m is None else printed(m) for m in x.modes) + "]"
        case None:
            return "_"
    return leaf_text(x)
