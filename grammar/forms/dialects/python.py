"""The reader of Python: Python's own tree of one expression to the syntax tree of the language. Nothing is executed.

A layout ``(4,8):(1,4)`` may stand inside a call: its colon is none of Python's there, and is read as the pair it is.
"""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from typing import Any

from ...language.functions import find
from ...syntax import nodes
from ...syntax.limits import NESTING
from ...syntax.nodes import Expression, Keyword, Span
from ..reading.reading import argument_error, bad, limit
from ..reading.signatures import Argument
from ..reading.trees import tuple_to_tiler
from .arithmetic import conditional, floored, negated, operated
from .around import NOTHING, Declared, Names
from .kernel_builders import BUILDERS
from .kinds import ElementType, IntegerType, element_type
from .names import enumerator
from .python_names import CALLS, CLASSES, MODULES
from .rows import Use, Vocabulary
from .seen import Seen
from .settle import settled

__all__ = ["Python"]

_LIMIT = 20_000
_OPERATORS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
}  # fmt: skip
_LOST = frozenset({"loc", "ip"})
"""Where a call stands in the source and where its code is put: keywords of every function of the DSL."""

_BUILTINS = (["min"], ["max"])
"""Functions of Python itself that have a row."""
_FAMILIES = {
    "Tensor": "tensor-layouts",
    **dict.fromkeys(("IntTuple", "row_major", "col_major", "Layout::row_major", "Layout::col_major"), "mojo"),
}
"""The form of a class; the others are PyCuTe's."""


class Python(Seen):
    """Reads ``text[start:end]``; ``names`` are those that the text around binds."""

    def __init__(self, text: str, start: int = 0, end: int | None = None, names: Names = NOTHING) -> None:
        super().__init__()
        self.text = text
        self.start = start
        self.end = len(text) if end is None else end
        self.names = names
        self.calls = Vocabulary(CALLS, BUILDERS)
        self.classes = Vocabulary(CLASSES, BUILDERS)
        self._depth = 0

    def whole(self) -> Expression:
        """The expression that the text is."""
        return settled(self.text, self.node(self.parse()))

    # ---- Python's tree, and where its nodes stand ----

    def parse(self) -> ast.expr:
        """Python's tree; LC101 if the text is no expression of Python."""
        if self.end - self.start > _LIMIT:
            raise limit(self.text, self.start, self.end, f"a Python form has more than {_LIMIT:,} characters")
        source = self._without_pairs(f"({self.text[self.start : self.end]}\n)")
        self._lines = source.splitlines(keepends=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(source, mode="eval").body
        except SyntaxError as error:
            at = min(self._offset(error.lineno or 1, max((error.offset or 1) - 1, 0), characters=True), self.end)
            told = error.msg or ""
            if len(self._open) > 1:
                at = self._open[-1]
                raise bad(self.text, at, at + 1, f"'{self.text[at]}' is never closed") from None
            raise bad(self.text, at, at + 1, "this does not fit here", told.split("(")[0].strip()) from None
        except (ValueError, RecursionError, MemoryError):
            raise bad(self.text, self.start, self.end, "this is no Python expression") from None

    def _without_pairs(self, source: str) -> str:
        """``:`` right inside round brackets, which only a layout has there, as ``@``."""
        self._pairs: set[int] = set()
        self._open: list[int] = []
        characters = list(source)
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        try:
            for token in tokenize.generate_tokens(io.StringIO(source).readline):
                if token.string == "lambda":
                    return source
                at = starts[token.start[0] - 1] + token.start[1]
                if at == len(source) - 1:
                    break
                if token.string in ("(", "[", "{"):
                    self._open.append(self.start + at - 1)
                elif token.string in (")", "]", "}") and self._open:
                    self._open.pop()
                elif token.string == ":" and self._open and source[self._open[-1] - self.start + 1] == "(":
                    characters[at] = "@"
                    self._pairs.add(self.start + at - 1)
        except (tokenize.TokenError, SyntaxError):
            return source
        return "".join(characters)

    def _offset(self, line: int, column: int, *, characters: bool = False) -> int:
        before = sum(map(len, self._lines[: line - 1]))
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        inside = column if characters else len(text.encode()[:column].decode(errors="ignore"))
        return max(self.start, self.start + before + inside - 1)

    def span(self, node: Any) -> Span:
        """Where a node of Python's tree stands."""
        start = self._offset(node.lineno, node.col_offset)
        return Span(start, self._offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset))

    # ---- expressions ----

    def node(self, tree: ast.expr) -> Expression:
        """The node of an expression."""
        self._depth += 1
        if self._depth > NESTING:
            raise limit(self.text, *self.span(tree), f"the expression is nested more than {NESTING} deep")
        visit = _VISIT.get(type(tree))
        if visit is None:
            raise bad(self.text, *self.span(tree), "this has no meaning in a layout")
        found: Expression = getattr(self, visit)(tree)
        self._depth -= 1
        return found

    def constant(self, tree: ast.Constant) -> Expression:
        span, value = self.span(tree), tree.value
        if isinstance(value, bool):
            return nodes.Truth(span, value)
        if isinstance(value, int):
            return nodes.Integer(span, value)
        if value is None:
            return nodes.Wildcard(span)
        if isinstance(value, str):
            return nodes.String(span, value)
        raise bad(self.text, *span, "this has no meaning in a layout", "integers are expected")

    def name(self, tree: ast.Name) -> Expression:
        span = self.span(tree)
        if (bound := self.names.find(tree.id, span)) is not None:
            return bound.replace(span=span)
        if tree.id == "_":
            return nodes.Wildcard(span)
        if tree.id == "UNKNOWN_VALUE":
            return nodes.Unknown(span, 1)
        return element_type(tree.id, span) or nodes.Name(span, tree.id)

    def tuple_(self, tree: ast.Tuple) -> Expression:
        return tuple_to_tiler(self.span(tree), tuple(map(self.node, tree.elts)), python=True)

    def list_(self, tree: ast.List) -> Expression:
        return nodes.Tuple(self.span(tree), tuple(map(self.node, tree.elts)))

    def binary(self, tree: ast.BinOp) -> Expression:
        left, right = self.names.computed(self.node(tree.left)), self.names.computed(self.node(tree.right))
        sign = Span(left.span.end, right.span.start)
        if isinstance(tree.op, ast.MatMult):
            if not any(self.text[i] == ":" and i in self._pairs for i in range(*sign)):
                raise bad(self.text, *sign, "@ has no meaning in a layout")
            return nodes.Pair(Span(left.span.start, right.span.end), left, right)
        symbol = _OPERATORS[type(tree.op)]
        if symbol in ("//", "%"):
            return floored(self.text, sign, symbol, left, right)
        return operated(self.text, sign, symbol, left, right)

    def unary(self, tree: ast.UnaryOp) -> Expression:
        operand, span = self.names.computed(self.node(tree.operand)), self.span(tree)
        if isinstance(tree.op, ast.USub):
            return negated(span.start, operand)
        if isinstance(tree.op, ast.UAdd):
            return operand
        if isinstance(tree.op, ast.Not):
            known = isinstance(operand, nodes.Truth)
            return nodes.Truth(span, not operand.value) if known else nodes.Unary(span, "not", operand)  # type: ignore[attr-defined]
        raise bad(self.text, *span, "~ has no meaning in a layout")

    def joined(self, tree: ast.BoolOp) -> Expression:
        found, *rest = [self.names.computed(self.node(value)) for value in tree.values]
        for right in rest:
            sign = Span(found.span.end, right.span.start)
            found = operated(self.text, sign, "and" if isinstance(tree.op, ast.And) else "or", found, right)
        return found

    def compared(self, tree: ast.Compare) -> Expression:
        found: Expression | None = None
        left = self.names.computed(self.node(tree.left))
        for operator, comparator in zip(tree.ops, tree.comparators, strict=True):
            right = self.names.computed(self.node(comparator))
            sign = Span(left.span.end, right.span.start)
            if type(operator) not in _OPERATORS:
                raise bad(self.text, *sign, "this comparison has no meaning in a layout")
            link = operated(self.text, sign, _OPERATORS[type(operator)], left, right)
            found = link if found is None else operated(self.text, sign, "and", found, link)
            left = right
        assert found is not None
        return found

    def conditional(self, tree: ast.IfExp) -> Expression:
        test = self.names.computed(self.node(tree.test))
        if isinstance(test, (nodes.Truth, nodes.Integer)):
            return self.node(tree.body if test.value else tree.orelse)
        return conditional(self.text, test, self.node(tree.body), self.node(tree.orelse))

    def subscript(self, tree: ast.Subscript) -> Expression:
        """``t[i, None]``, ``x.shape[0]``; ``row_major[2, 2]`` of Mojo takes its parameters so."""
        if isinstance(tree.slice, ast.Slice):
            return self._part(tree, tree.slice)
        items = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
        of = self.names.computed(self.node(tree.value))
        return nodes.Index(self.span(tree), of, tuple(map(self.node, items)))

    def _part(self, tree: ast.Subscript, part: ast.Slice) -> Expression:
        """``tiler[:2]``: some entries of a tuple that is written out."""
        of, span = self.names.computed(self.node(tree.value)), self.span(tree)
        bounds = [None if b is None else self.names.computed(self.node(b)) for b in (part.lower, part.upper, part.step)]
        numbers = [bound.value for bound in bounds if isinstance(bound, nodes.Integer)]
        if not isinstance(of, nodes.Tuple) or len(numbers) != sum(b is not None for b in bounds):
            raise bad(self.text, *span, "a part of a tuple needs the tuple and its bounds")
        taken = iter(numbers)
        chosen = slice(*[None if bound is None else next(taken) for bound in bounds])
        return nodes.Tuple(span, of.items[chosen])

    # ---- names behind points, and calls ----

    def attribute(self, tree: ast.Attribute) -> Expression:
        span = self.span(tree)
        if (bound := self._around(tree, span)) is not None:
            return bound
        dotted = _dotted(tree)
        if dotted is not None and (word := enumerator(dotted, span)) is not None:
            return word
        if (path := self._path(tree)) is not None:
            found = enumerator(path, span) or element_type(path[-1], span) or _width(path, span)
            if found is not None:
                return found
            raise argument_error(self.text, *span, f"{path[0]} has no {path[-1]} that is known here")
        use = Use(f".{tree.attr}", self.text, span, self, receiver=self.names.computed(self.node(tree.value)))
        member = f".{tree.attr}"
        if tree.attr == "width" and isinstance(use.receiver, (ElementType, IntegerType)):
            return nodes.Integer(span, use.receiver.bits)
        if member in self.calls and not self.calls.is_called(member):
            return self.calls.made(use)
        assert use.receiver is not None
        return nodes.Attribute(span, use.receiver, tree.attr)

    def _around(self, tree: ast.Attribute, span: Span) -> Expression | None:
        """What the text around says of a dotted path, ``self.tiler``."""
        path = _dotted(tree)
        bound = None if path is None else self.names.find(".".join(path), span)
        return None if bound is None else bound.replace(span=span)

    def _path(self, tree: ast.expr) -> list[str] | None:
        """``cute.nvgpu.warp``: the names of a path that begins with a module."""
        path = _dotted(tree)
        if path is None or self.names.find(path[0], self.span(tree)) is not None:
            return None
        path = [*(self.names.module(path[0]) or path[:1]), *path[1:]]
        return path if path[0] in MODULES else None

    def call(self, tree: ast.Call) -> Expression:
        span = self.span(tree)
        if (path := self._path(tree.func)) is not None and len(path) > 1:
            return self._of_module(path, tree, span)
        dotted = _dotted(tree.func)
        if dotted in _BUILTINS and self.names.find(dotted[0], span) is None:
            return self.calls.made(Use(dotted[0], self.text, span, self, None, self._arguments(tree)))
        around = None if dotted is None else self.names.find(".".join(dotted), span)
        if isinstance(around, Declared):
            returned = around.entity.called(self._arguments(tree), span)
            self.names.lacks(returned)
            return returned
        if isinstance(tree.func, ast.Attribute):
            return self._of_object(tree.func, tree, span)
        if isinstance(tree.func, (ast.Name, ast.Subscript)):
            name = tree.func if isinstance(tree.func, ast.Name) else tree.func.value
            if isinstance(name, ast.Name) and name.id in self.classes:
                return self._constructed(name.id, tree, span)
        if not isinstance(tree.func, ast.Name) and len(tree.args) > 1:
            raise argument_error(self.text, *self.span(tree.args[1]), "a coordinate is one tuple, L((2, 3))")
        return self._plain(self.node(tree.func), tree, span)

    def _of_module(self, path: list[str], tree: ast.Call, span: Span) -> Expression:
        """``cute.make_layout(..)``, ``cutlass.Int32(4)``; what has no row is a function of the language by its name."""
        self.is_from(MODULES[path[0]])
        name = path[-1]
        if len(path) > 1 and f"{path[-2]}::{name}" in self.calls:
            name = f"{path[-2]}::{name}"
        if MODULES[path[0]] == "dsl" and name in self.calls:
            return self.calls.made(Use(name, self.text, span, self, None, self._arguments(tree)))
        if name in self.classes:
            return self._constructed(name, tree, span)
        if find(name) is None:
            raise argument_error(self.text, *self.span(tree.func), f"{path[0]} has no {name} that is known here")
        return self._plain(nodes.Name(self.span(tree.func), name), tree, span)

    def _of_object(self, function: ast.Attribute, tree: ast.Call, span: Span) -> Expression:
        """A method, ``mma.get_slice(3)``; ``Layout.row_major(2, 3)`` is a constructor of Mojo."""
        if isinstance(function.value, ast.Name) and f"{function.value.id}::{function.attr}" in self.classes:
            return self._constructed(f"{function.value.id}::{function.attr}", tree, span)
        member = f".{function.attr}"
        receiver = self.names.computed(self.node(function.value))
        if self.calls.is_called(member):
            return self.calls.made(Use(member, self.text, span, self, None, self._arguments(tree), receiver))
        raise argument_error(self.text, *self.span(function), f"no member is called {function.attr}")

    def _constructed(self, name: str, tree: ast.Call, span: Span) -> Expression:
        """A class of PyCuTe, tensor-layouts or Mojo; Mojo's parameters stand in square brackets."""
        template = None
        if isinstance(tree.func, ast.Subscript):
            items = tree.func.slice.elts if isinstance(tree.func.slice, ast.Tuple) else [tree.func.slice]
            template = tuple(Argument("", self.node(item), *self.span(item)) for item in items)
        arguments = self._arguments(tree)
        called = None if template is not None and not arguments else arguments
        self.is_from(_FAMILIES.get(name, "pycute"))
        return self.classes.made(Use(name, self.text, span, self, template, called))

    def _arguments(self, tree: ast.Call) -> tuple[Argument, ...]:
        found = []
        for value in tree.args:
            if isinstance(value, ast.Starred):
                raise argument_error(self.text, *self.span(value), "what a * unpacks is not known here")
            found.append(Argument("", self.names.computed(self.node(value)), *self.span(value)))
        for keyword in tree.keywords:
            if keyword.arg is None:
                raise argument_error(self.text, *self.span(keyword), "what a ** unpacks is not known here")
            if keyword.arg not in _LOST:
                given = self.names.computed(self.node(keyword.value))
                found.append(Argument(keyword.arg, given, *self.span(keyword)))
        return tuple(found)

    def _plain(self, function: Expression, tree: ast.Call, span: Span) -> Expression:
        """A call of the language: of one of its functions, or of a layout."""
        arguments = self._arguments(tree)
        keywords = tuple(Keyword(Span(a.start, a.end), a.name, a.value) for a in arguments if a.name)
        return nodes.Call(span, function, tuple(a.value for a in arguments if not a.name), keywords)


def _width(path: list[str], span: Span) -> Expression | None:
    """``cutlass.Float16.width``: the bits of an element type."""
    kind = element_type(path[-2], span) if len(path) > 1 and path[-1] == "width" else None
    return nodes.Integer(span, kind.bits) if isinstance(kind, (ElementType, IntegerType)) else None


def _dotted(tree: ast.expr) -> list[str] | None:
    """The names of a path ``a.b.c``."""
    parts: list[str] = []
    while isinstance(tree, ast.Attribute):
        parts.insert(0, tree.attr)
        tree = tree.value
    return [tree.id, *parts] if isinstance(tree, ast.Name) else None


_VISIT: dict[type, str] = {
    ast.Constant: "constant",
    ast.Name: "name",
    ast.Tuple: "tuple_",
    ast.List: "list_",
    ast.BinOp: "binary",
    ast.UnaryOp: "unary",
    ast.BoolOp: "joined",
    ast.Compare: "compared",
    ast.IfExp: "conditional",
    ast.Subscript: "subscript",
    ast.Attribute: "attribute",
    ast.Call: "call",
}
