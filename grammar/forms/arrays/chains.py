"""Chains of torch and numpy calls, ``torch.empty(2, 3, 4).permute(2, 0, 1)``, read without either package."""

from __future__ import annotations

import ast
from operator import add, floordiv, mod, mul, sub
from typing import Any

from laycalc.diagnostics.model import Failure

from ..reading.pytext import at, call_name, parse, position
from ..reading.reading import RANK_LIMIT, argument_error, limit, needs
from ..reading.signatures import bind_call
from . import torch_copies as torch_copies
from . import torch_views
from .numpy_views import NUMPY, field
from .steps import Step
from .torch_made import TORCH
from .view import Element, TooMany, Unfit, View, cut, inserted, selected

LARGEST = 1 << 48
"""An extent."""

_MODULES = {"torch": TORCH, "np": NUMPY, "numpy": NUMPY}
_LIBRARIES = {"torch": TORCH, "numpy": NUMPY}

# What inductor and torch write without a module; sizes and strides are all that they say of an array by name.
_BARE = frozenset({
    "assert_size_stride", "reinterpret_tensor", "_reinterpret_tensor", "empty_strided_cuda", "empty_strided_cpu",
    "empty_strided_xpu", "empty_strided_mtia", "FixedLayout", "FlexibleLayout", "from_sizes_strides", "as_strided",
    "empty_strided",
})  # fmt: skip
_PLACED = frozenset({"as_strided", "reinterpret_tensor", "_reinterpret_tensor"})
"""Functions that give an array of which only the name is known sizes and strides of their own."""

_NAMED = frozenset({
    "permute", "transpose", "swapdims", "swapaxes", "movedim", "moveaxis", "t", "T", "mT", "H", "mH", "adjoint",
    "detach", "data", "requires_grad_", "as_strided", "reinterpret_tensor", "_reinterpret_tensor",
})  # fmt: skip
"""What can be done to sizes that are names."""


def view_of(source: str, itemsize: int | None = None) -> tuple[View, str]:
    """The view that a chain of calls and subscripts denotes, and the library that it is of.

    ``itemsize`` is that of an array of which only the name is known.
    """
    chain = _Chain(source, itemsize)
    found = chain.view(parse(source))
    return found, chain.library.name


class _Chain:
    def __init__(self, source: str, itemsize: int | None) -> None:
        self.source = source
        self.base = Element("", itemsize) if itemsize else None
        self.library = TORCH

    def view(self, node: ast.expr) -> View:
        """The view of a node."""
        found = self.value(node)
        if not isinstance(found, View):
            raise at(self.source, node, f"{len(found)} arrays: take one, [0]")
        return found

    def value(self, node: ast.expr) -> Any:
        """A view, or several."""
        match node:
            case ast.Call():
                found = self._call(node)
            case ast.Attribute(value=target, attr=name):
                view = self.view(target)
                if (step := self.library.attributes.get(name)) is None:
                    raise self._refuse(
                        node, f"{name} is none of the attributes of {self.library.name} arrays that are views"
                    )
                self._numbers(node, name, view)
                found = self._tried(node, name, lambda: step(view))
            case ast.Subscript(value=target, slice=index):
                found = self._subscript(node, self.value(target), index)
            case ast.Name(id=name):
                raise needs(self.source, f"the sizes and strides of {name} are not told")
            case _:
                raise at(self.source, node, "an array or a view of one is expected")
        for view in found if isinstance(found, tuple) else (found,):
            self._check(node, view)
        return found

    # ---- calls ----

    def _call(self, node: ast.Call) -> Any:
        dotted = call_name(node)
        root, name = dotted.split(".")[0], dotted.rpartition(".")[2]
        if root in _MODULES and root != name:
            self.library = _MODULES[root]
            return self._function(node, name)
        if name in _BARE and _is_bare(node):
            if any(k.arg == "strides" for k in node.keywords):
                self.library = NUMPY
            return self._function(node, name)
        if not isinstance(node.func, ast.Attribute):
            raise at(self.source, node, f"{name or 'this'} is none of the functions that are covered")
        if not dotted:
            return self._method(node, node.func.attr, self.view(node.func.value))
        if name in _PLACED and isinstance(node.func.value, ast.Name):
            return self._method(node, name, View((), ()))
        raise needs(self.source, f"the sizes and strides of {root} are not told")

    def _function(self, node: ast.Call, name: str) -> Any:
        """``torch.empty(4, 8)``, ``np.broadcast_to(x, (4, 5))``."""
        if (maker := self.library.makers.get(name)) is not None:
            given = {k: self._literal(v) for k, v in bind_call(maker.to, self.source, node).items()}
            return self._tried(node, name, lambda: maker.apply(**given))
        if (step := self.library.functions.get(name)) is None:
            raise self._refuse(node, f"{name} is none of the functions of {self.library.name} that are covered")
        first = step.to.positions[0]
        bound = bind_call(step.to, self.source, node)
        view = self._base(bound.pop(first), name in _PLACED)
        return self._step(node, name, step, view, bound)

    def _base(self, node: ast.expr, placed: bool) -> View:
        """The array that a function takes; of ``x`` and ``x[16:]`` the offset where sizes and strides are given."""
        if not placed or not _is_named(node):
            return self.view(node)
        if self.library is NUMPY and self.base is None:
            raise needs(self.source, "strides of numpy are bytes: the size of an element is not told")
        view = View((), (), 0, self.base)
        if isinstance(node, ast.Subscript):
            if not isinstance(node.slice, ast.Slice) or node.slice.upper or node.slice.step or not node.slice.lower:
                raise at(self.source, node, "where the array begins is not told")
            start = self._literal(node.slice.lower)
            unit = 1 if self.library is TORCH or self.base is None else self.base.itemsize
            view = view.replace(offset=start * unit if type(start) is int else start)
        return view

    def _method(self, node: ast.Call, name: str, view: View) -> Any:
        if (step := self.library.methods.get(name)) is None:
            raise self._refuse(node, f"{name} is none of the methods of {self.library.name} that are covered")
        return self._step(node, name, step, view, bind_call(step.to, self.source, node))

    def _step(self, node: ast.Call, name: str, step: Step, view: View, bound: dict[str, Any]) -> Any:
        self._numbers(node, name, view)
        given = {k: self.view(v) if k in step.views else self._literal(v) for k, v in bound.items()}
        return self._tried(node, name, lambda: step.apply(view, **given))

    # ---- subscripts ----

    def _subscript(self, node: ast.Subscript, target: Any, index: ast.expr) -> View:
        """Slices, integers, new axes and an ellipsis; masks and index arrays copy."""
        if not isinstance(target, View):
            i = self._literal(index)
            if type(i) is not int or not -len(target) <= i < len(target):
                raise at(self.source, index, f"one of {len(target)} arrays is expected")
            found: View = target[i]
            return found
        if self.library is NUMPY and isinstance(index, ast.Constant) and isinstance(index.value, str):
            name = index.value
            column: View = self._tried(node, name, lambda: field(target, name))
            return column
        self._numbers(node, "[]", target)
        parts = list(index.elts) if isinstance(index, ast.Tuple) else [index]
        taken = sum(not _is_constant(p, None) and not _is_constant(p, Ellipsis) for p in parts)
        if sum(_is_constant(p, Ellipsis) for p in parts) > 1:
            raise at(self.source, index, "a second ellipsis")
        if taken > target.rank:
            raise at(self.source, index, "the array has no further dimension")
        view, axis = target, 0
        for part in parts:
            if _is_constant(part, Ellipsis):
                axis += target.rank - taken
            else:
                view, axis = self._cut(part, view, axis)
        return view

    def _cut(self, part: ast.expr, view: View, axis: int) -> tuple[View, int]:
        """One entry of a subscript, and the dimension that the next one cuts."""
        if _is_constant(part, None):
            return (torch_views.new_axis(view, axis) if self.library is TORCH else inserted(view, axis, 0)), axis + 1
        if isinstance(part, ast.Slice):
            bounds = [None if x is None else self._literal(x) for x in (part.lower, part.upper, part.step)]
            if not all(b is None or type(b) is int for b in bounds):
                raise at(self.source, part, "the bounds of a slice are integers")
            if self.library is TORCH and bounds[2] is not None and bounds[2] < 1:
                raise self._refuse(part, "torch slices run forwards: a step is positive")
            return self._tried(part, "a slice", lambda: cut(view, axis, slice(*bounds))), axis + 1
        i = self._literal(part)
        if type(i) is not int:
            raise self._refuse(part, "an index array copies: no strides tell it")
        return self._tried(part, "an index", lambda: selected(view, axis, i)), axis

    # ---- values and failures ----

    def _literal(self, node: Any) -> Any:
        """Numbers, strings, lists of them, and sums and products, where names stay names."""
        match node:
            case tuple():
                return tuple(map(self._literal, node))
            case ast.Constant(value=bool() | int() | float() | str() | None as value):
                return value
            case ast.List(elts=items):
                return [self._literal(e) for e in items]
            case ast.Tuple(elts=items):
                return tuple(self._literal(e) for e in items)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                value = self._literal(operand)
                return -value if type(value) in (int, float) else f"-{value}"
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                return self._computed(node, self._literal(left), op, self._literal(right))
            case ast.Call() if (
                call_name(node).rpartition(".")[2] in ("Size", "device", "dtype") and len(node.args) == 1
            ):
                return self._literal(node.args[0])
            case ast.Name() | ast.Attribute() if call_name(node):
                return call_name(node)
        raise at(self.source, node, "a number, a string or a list of them is expected")

    def _computed(self, node: ast.expr, a: Any, op: ast.operator, b: Any) -> Any:
        sign, apply = _ARITHMETIC[type(op)]
        if type(a) is int and type(b) is int:
            if (b == 0 and sign in ("//", "%")) or max(a.bit_length(), b.bit_length()) > 1024:
                raise at(self.source, node, "this number is not computed")
            return apply(a, b)
        if sign not in ("*", "+") or not all(isinstance(x, (int, str)) for x in (a, b)):
            raise at(self.source, node, "sums and products of names and integers are read")
        return f"{a}{sign}{b}" if sign == "+" or not any("+" in str(x) for x in (a, b)) else f"({a}){sign}({b})"

    def _numbers(self, node: ast.AST, name: str, view: View) -> None:
        """LC103 where a step would compute with sizes that are names."""
        for x in (*view.sizes, *view.strides, view.offset):
            if type(x) is not int and name not in _NAMED:
                raise self._refuse(node, f"{name} needs numbers: {x} is none")

    def _tried(self, node: ast.AST, name: str, step: Any) -> Any:
        try:
            return step()
        except TooMany as error:
            raise limit(self.source, *position(self.source, node), f"{name}: {error}") from None
        except Unfit as error:
            message = str(error)
            raise self._refuse(node, message if message.startswith(f"{name} ") else f"{name}: {message}") from None
        except (TypeError, AttributeError, OverflowError):
            raise self._refuse(node, f"{name} does not take these arguments") from None

    def _check(self, node: ast.AST, view: View) -> None:
        if view.rank > RANK_LIMIT:
            raise at(self.source, node, f"an array has at most {RANK_LIMIT} dimensions")
        for n in view.sizes:
            if type(n) is int and not 1 <= n <= LARGEST:
                raise self._refuse(node, f"the sizes are {view.sizes}; a layout has extents from 1 to 2^48 here")
        for x in (*view.sizes, *view.strides, view.offset):
            if not isinstance(x, (int, str)) or isinstance(x, bool):
                raise self._refuse(node, f"sizes, strides and offset are integers, not {x}")

    def _refuse(self, node: ast.AST, message: str) -> Failure:
        return argument_error(self.source, *position(self.source, node), message)


def _is_bare(node: ast.Call) -> bool:
    """Is it a function that is called by its name, or of a module that is no array?"""
    return isinstance(node.func, ast.Name) or call_name(node).split(".")[0] in ("ir", "inductor", "_MeshLayout", "cls")


def _is_constant(node: ast.expr, value: Any) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def _is_named(node: ast.expr) -> bool:
    target = node.value if isinstance(node, ast.Subscript) else node
    return isinstance(target, ast.Name)


_WRAPPERS = frozenset({"Size", "device", "dtype"})

_ARITHMETIC = {
    ast.Add: ("+", add), ast.Sub: ("-", sub), ast.Mult: ("*", mul), ast.FloorDiv: ("//", floordiv), ast.Mod: ("%", mod),
}  # fmt: skip
