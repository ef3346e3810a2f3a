"""The reader of Python inside a whole file, where most of what stands beside a layout is known to nobody.

A name that nothing binds is `Lacking`, and so is what is called or read of it; types compare, and so does None.
"""

from __future__ import annotations

import ast
from math import gcd

from laycalc.diagnostics.model import Failure

from ..forms.dialects.around import Lacking
from ..forms.dialects.kinds import ElementType, IntegerType
from ..forms.dialects.python import Python
from ..forms.reading.trees import call
from ..language.functions import find
from ..syntax import nodes
from ..syntax.nodes import Expression
from .modules import module_of

__all__ = ["FilePython"]

_KINDS = (ElementType, IntegerType, nodes.String)
_READ = (
    ast.Constant, ast.Name, ast.Tuple, ast.List, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp,
    ast.Subscript, ast.Attribute, ast.Call,
)  # fmt: skip
"""The kinds of expression that may mean something; any other one is lacking."""


class FilePython(Python):
    """Reads an expression of a file."""

    _called: ast.expr | None = None
    """What is called now, which may be a function of the language."""

    def node(self, tree: ast.expr) -> Expression:
        if not isinstance(tree, _READ) or (isinstance(tree, ast.Constant) and isinstance(tree.value, (float, bytes))):
            return self._lacking(tree, ast.unparse(tree)[:40])
        return super().node(tree)

    def _lacking(self, tree: ast.expr, name: str) -> Expression:
        found = Lacking(self.span(tree), name)
        self.names.lacks(found)
        return found

    def name(self, tree: ast.Name) -> Expression:
        found = super().name(tree)
        if isinstance(found, nodes.Name) and tree is not self._called and not self._means_something(found.name):
            return self._lacking(tree, tree.id)
        return found

    def _means_something(self, name: str) -> bool:
        return name.startswith("#") or self.names.is_number(name)

    def attribute(self, tree: ast.Attribute) -> Expression:
        path = _path(tree)
        if path[:1] == ["self"]:
            return self._around(tree, self.span(tree)) or self._of_self(tree, path)
        if isinstance(self._receiver(tree), Lacking):
            return self._around(tree, self.span(tree)) or self._receiver(tree)
        try:
            return super().attribute(tree)
        except Failure as failure:
            if self._path(tree) is None:
                raise failure
            return self._lacking(tree, ".".join(path))

    def _of_self(self, tree: ast.Attribute, path: list[str]) -> Expression:
        """``self.x.y``: an attribute of what a method set; what none did is lacking."""
        if len(path) == 2:
            return self._lacking(tree, ".".join(path))
        inner = self.node(tree.value)
        return inner if isinstance(inner, Lacking) else super().attribute(tree)

    def _receiver(self, tree: ast.Attribute) -> Expression:
        """What stands before the point, if that is no module."""
        if self._path(tree) is not None:
            return nodes.Wildcard(self.span(tree))
        return self.node(tree.value)

    def subscript(self, tree: ast.Subscript) -> Expression:
        inner = self.node(tree.value)
        return inner if isinstance(inner, Lacking) else super().subscript(tree)

    def compared(self, tree: ast.Compare) -> Expression:
        if len(tree.ops) == 1 and isinstance(tree.ops[0], (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
            left, right = (self.names.computed(self.node(side)) for side in (tree.left, tree.comparators[0]))
            same = _same(left, right)
            if same is not None:
                return nodes.Truth(self.span(tree), same is isinstance(tree.ops[0], (ast.Is, ast.Eq)))
            if isinstance(left, Lacking) or isinstance(right, Lacking):
                return left if isinstance(left, Lacking) else right
        elif any(isinstance(op, (ast.NotIn, ast.In, ast.Is, ast.IsNot)) for op in tree.ops):
            return self._lacking(tree, ast.unparse(tree)[:40])
        return super().compared(tree)

    def call(self, tree: ast.Call) -> Expression:
        path = _path(tree.func)
        own = _OWN.get(".".join(path))
        if own is not None and self.names.find(path[0], self.span(tree)) is None:
            return own(self, tree)
        lacking = self._uncalled(tree, path)
        self._called = tree.func
        return lacking or super().call(tree)

    def _uncalled(self, tree: ast.Call, path: list[str]) -> Expression | None:
        """What stands for a call of something that nobody knows; None for a call that is read."""
        if self._path(tree.func) is not None:
            return None if self._is_read(path) else self._lacking(tree, f"{'.'.join(path)}()")
        around = self.names.find(".".join(path), self.span(tree)) if path else None
        if around is not None:
            return around if isinstance(around, Lacking) else None
        if isinstance(tree.func, ast.Attribute):
            receiver = self.node(tree.func.value)
            if isinstance(receiver, Lacking):
                return receiver
            known = self.calls.is_called(f".{tree.func.attr}")
            return None if known else self._lacking(tree, f".{tree.func.attr}()")
        named = path[:1] and (path[0] in ("min", "max", *self.classes.rows) or find(path[0]) is not None)
        return self._lacking(tree, f"{path[0]}()") if path and not named else None

    def _path(self, tree: ast.expr) -> list[str] | None:
        found = super()._path(tree)
        return None if found is None else module_of(found)

    def _is_read(self, path: list[str]) -> bool:
        """Has the vocabulary a function of a module?"""
        words = module_of([*(self.names.module(path[0]) or path[:1]), *path[1:]])
        name = words[-1]
        known = name in self.calls or name in self.classes or find(name) is not None
        return known or (len(words) > 1 and f"{words[-2]}::{name}" in self.calls)

    # ---- functions of Python itself ----

    def ceil(self, tree: ast.Call) -> Expression:
        """``math.ceil(a / b)``, ``math.floor(a / b)``: of a quotient of integers."""
        (argument,) = tree.args
        if not isinstance(argument, ast.BinOp) or not isinstance(argument.op, ast.Div):
            return self.node(argument)
        left, right = (self.names.computed(self.node(side)) for side in (argument.left, argument.right))
        if isinstance(left, Lacking) or isinstance(right, Lacking):
            return left if isinstance(left, Lacking) else right
        span = self.span(tree)
        rounded = "ceil" if ast.unparse(tree.func).endswith("ceil") else "floor"
        return call(span, rounded, nodes.Binary(span, "/", left, right, span))

    def gcd(self, tree: ast.Call) -> Expression:
        """``math.gcd(a, b)`` of numbers that are known."""
        found = [self.names.computed(self.node(argument)) for argument in tree.args]
        numbers = [node.value for node in found if isinstance(node, nodes.Integer)]
        if len(numbers) != len(found):
            return next((node for node in found if isinstance(node, Lacking)), self._lacking(tree, "math.gcd"))
        return nodes.Integer(self.span(tree), gcd(*numbers))

    def length(self, tree: ast.Call) -> Expression:
        """``len(x)`` of a tuple."""
        found = self.names.computed(self.node(tree.args[0]))
        if isinstance(found, nodes.Tuple):
            return nodes.Integer(self.span(tree), len(found.items))
        return found if isinstance(found, Lacking) else self._lacking(tree, "len()")

    def same(self, tree: ast.Call) -> Expression:
        """``int(x)``, ``tuple(x)``, ``cutlass.const_expr(x)``: the value itself."""
        return self.node(tree.args[0]) if len(tree.args) == 1 else self._lacking(tree, ast.unparse(tree.func))


_OWN = {
    "math.ceil": FilePython.ceil, "math.floor": FilePython.ceil, "math.gcd": FilePython.gcd, "len": FilePython.length,
    "int": FilePython.same, "tuple": FilePython.same, "const_expr": FilePython.same, "bool": FilePython.same,
}  # fmt: skip
"""Functions of Python itself that kernels compute their tiles with."""


def _same(left: Expression, right: Expression) -> bool | None:
    """Are two types, words or Nones the same? None where that is not the question, or not known."""
    if isinstance(left, nodes.Wildcard) or isinstance(right, nodes.Wildcard):
        if isinstance(left, Lacking) or isinstance(right, Lacking):
            return None
        return isinstance(left, nodes.Wildcard) and isinstance(right, nodes.Wildcard)
    if isinstance(left, _KINDS) and isinstance(right, _KINDS):
        return left == right
    return None


def _path(tree: ast.expr) -> list[str]:
    """The names of a path ``a.b.c``, none for another expression."""
    parts: list[str] = []
    while isinstance(tree, ast.Attribute):
        parts.insert(0, tree.attr)
        tree = tree.value
    return [tree.id, *parts] if isinstance(tree, ast.Name) else []
