"""What a Python file defines: Python's tree finds the definitions, our reader has their expressions. Nothing runs.

Attributes of ``self`` belong to the class, wherever a method sets them; the text is evaluated in that method.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from typing import Any

from ..forms.dialects.around import Names
from ..syntax.nodes import Expression
from .definitions import Block, Condition, Definition, Extent, Parameter, Unread
from .modules import module_of
from .python_terms import FilePython

__all__ = ["PythonFile", "read_python"]

DEPTH = 100
"""Statements inside one another."""
_NUMBERS = frozenset({
    "int", "bool", "Int32", "Int64", "Uint32", "Boolean", "Constexpr[int]", "Constexpr[bool]", "Int8", "Int16",
})  # fmt: skip


class PythonFile:
    """A file of Python as blocks of definitions."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.unread: list[Unread] = []
        self.includes: list[str] = []
        self.root = Block("file", "", 1, Extent(0, len(text)), None)
        self.modules: dict[str, list[str]] = {}
        """The path that an import gives a name."""

    def expression(self, extent: Extent, names: Names) -> Expression:
        """The tree of an expression of the file, whatever it is: a value, a type, a word."""
        python = FilePython(self.text, extent.start, extent.end, names)
        return python.node(python.parse())

    def foreign(self, text: str, names: Names) -> Expression:
        """The tree of an expression that stands elsewhere."""
        python = FilePython(text, names=names)
        return python.node(python.parse())

    def module(self, name: str) -> list[str] | None:
        """The path that an import gives a name, None for a name that no import makes."""
        return self.modules.get(name)


def read_python(text: str) -> PythonFile:
    """The definitions of a file; one that is no Python is a piece that was not read."""
    found = PythonFile(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        reason = f"this is no Python: {getattr(error, 'msg', None) or 'it is nested too deeply'}"
        found.unread.append(Unread(line, text.split("\n")[line - 1].strip() if text else "", reason))
        return found
    _Reader(found).body(tree.body, _Around(found.root, found.root.extent))
    return found


class _Around:
    """Where the walk is: the block, the conditions on the way, whether in a loop, the depth."""

    __slots__ = ("block", "depth", "looped", "owner", "reach", "when")

    def __init__(self, block: Block, reach: Extent) -> None:
        self.block = block
        self.reach = reach
        self.owner: Block | None = None
        """The class whose method is read."""
        self.when: tuple[Condition, ...] = ()
        self.looped = False
        self.depth = 0

    def inside(self, **changes: Any) -> _Around:
        found = _Around(self.block, self.reach)
        found.owner, found.when, found.looped, found.depth = self.owner, self.when, self.looped, self.depth + 1
        for name, value in changes.items():
            setattr(found, name, value)
        return found


class _Reader:
    """The walk over the statements of a file."""

    def __init__(self, file: PythonFile) -> None:
        self.file = file
        self._starts = [0]
        for line in file.text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._ascii = file.text.isascii()

    def extent(self, node: Any) -> Extent:
        """Where a node of Python's tree stands."""
        return Extent(self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset))

    def _offset(self, line: int, column: int) -> int:
        start = self._starts[line - 1]
        if self._ascii:
            return start + column
        text = self.file.text[start : self._starts[line]]
        return start + len(text.encode()[:column].decode(errors="ignore"))

    # ---- statements ----

    def body(self, statements: list[ast.stmt], around: _Around) -> None:
        for statement in statements:
            self.visit(statement, around)

    def visit(self, node: ast.stmt, around: _Around) -> None:
        if around.depth > DEPTH:
            self.file.unread.append(Unread(node.lineno, "", "it is nested too deeply"))
            return
        method = _VISIT.get(type(node))
        if method is not None:
            method(self, node, around)

    def _import(self, node: ast.Import, around: _Around) -> None:
        for alias in node.names:
            path = alias.name.split(".")
            self.file.includes.append("/".join(path) + ".py")
            if alias.asname:
                self.file.modules[alias.asname] = module_of(path)
            else:
                self.file.modules.setdefault(path[0], module_of(path[:1]))

    def _import_from(self, node: ast.ImportFrom, around: _Around) -> None:
        path = (node.module or "").split(".")
        self.file.includes.append("/".join(path) + ".py")
        for alias in node.names:
            self.file.modules[alias.asname or alias.name] = module_of([*path, alias.name])

    def _class(self, node: ast.ClassDef, around: _Around) -> None:
        block = Block("class", node.name, node.lineno, self.extent(node), around.block)
        block.bases = [self.extent(base) for base in node.bases]
        around.block.enter(block)
        self.body(node.body, around.inside(block=block, owner=block, when=()))

    def _function(self, node: ast.FunctionDef, around: _Around) -> None:
        block = Block("function", node.name, node.lineno, self.extent(node), around.block)
        block.parameters = tuple(self._parameters(node.args, method=around.block.kind == "class"))
        around.block.enter(block)
        owner = around.block if around.block.kind == "class" else around.owner
        inside = around.inside(block=block, owner=owner, reach=block.extent, when=(), looped=False)
        self.body(node.body, inside)

    def _parameters(self, given: ast.arguments, *, method: bool) -> Iterator[Parameter]:
        plain = [*given.posonlyargs, *given.args]
        defaults: list[ast.expr | None] = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
        if method and plain and plain[0].arg in ("self", "cls"):
            plain, defaults = plain[1:], defaults[1:]
        for argument, default in (
            *zip(plain, defaults, strict=True), *zip(given.kwonlyargs, given.kw_defaults, strict=True)
        ):  # fmt: skip
            where = None if default is None else self.extent(default)
            yield Parameter(argument.arg, "number" if _counts(argument.annotation) else "value", where)

    def _assign(self, node: ast.Assign, around: _Around) -> None:
        for target in node.targets:
            self._bind(target, node.value, around, node.lineno)

    def _annotated(self, node: ast.AnnAssign, around: _Around) -> None:
        if node.value is not None:
            self._bind(node.target, node.value, around, node.lineno)
        elif isinstance(node.target, ast.Name) and _counts(node.annotation):
            self._define(around, node.target.id, "number", None, node.lineno)

    def _augmented(self, node: ast.AugAssign, around: _Around) -> None:
        if isinstance(node.target, ast.Name):
            self._change(around, node.target.id)

    def _change(self, around: _Around, name: str) -> None:
        known = around.block.definitions.get(name)
        if known:
            around.block.definitions[name] = [d.replace(changes=True) for d in known]

    def _bind(self, target: ast.expr, value: ast.expr, around: _Around, line: int) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            pairs = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
            for entry, part in enumerate(target.elts):
                name = _target(part)
                if name and name != "_":
                    whole, place = (value, entry) if pairs is None else (pairs[entry], None)
                    self._define(around, name, "value", whole, line, place)
            return
        name = _target(target)
        if not name:
            return
        if around.looped and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value)):
            self._change(around, name)
        self._define(around, name, "value", value, line)

    def _define(
        self, around: _Around, name: str, kind: str, value: ast.expr | None, line: int, entry: int | None = None
    ) -> None:
        text = Extent(around.reach.start, around.reach.start) if value is None else self.extent(value)
        found = Definition(name, kind, text, line, around.reach, around.when, entry)
        if name.startswith("self.") and around.owner is not None:
            around.owner.add(found.replace(within=around.block))
        elif "." not in name:
            around.block.add(found)

    def _return(self, node: ast.Return, around: _Around) -> None:
        if node.value is not None and around.block.kind == "function":
            self._define(around, "", "return", node.value, node.lineno)

    def _assertion(self, node: ast.Assert, around: _Around) -> None:
        self._define(around, "", "assertion", node.test, node.lineno)

    # ---- what holds other statements ----

    def _if(self, node: ast.If, around: _Around) -> None:
        test = self.extent(node.test)
        for branch, truth in ((node.body, True), (node.orelse, False)):
            if branch:
                whole = Extent(self.extent(branch[0]).start, self.extent(branch[-1]).end)
                condition = Condition(test, truth, whole)
                self.body(branch, around.inside(when=(*around.when, condition)))

    def _loop(self, node: Any, around: _Around) -> None:
        if isinstance(node, ast.For):
            for target in ast.walk(node.target):
                if isinstance(target, ast.Name):
                    self._define(around, target.id, "number", None, node.lineno)
        self.body([*node.body, *node.orelse], around.inside(looped=True))

    def _with(self, node: ast.With, around: _Around) -> None:
        self.body(node.body, around.inside())

    def _try(self, node: ast.Try, around: _Around) -> None:
        self.body([*node.body, *node.orelse, *node.finalbody], around.inside())


def _counts(annotation: ast.expr | None) -> bool:
    """Does an annotation say that it is a number?"""
    if annotation is None:
        return False
    return ast.unparse(annotation).rpartition("cutlass.")[2].rpartition("cute.")[2] in _NUMBERS


def _target(node: ast.expr) -> str:
    """``x`` or ``self.x``; nothing for another target."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
        return f"self.{node.attr}"
    return ""


_VISIT: dict[type, Any] = {
    ast.Import: _Reader._import,
    ast.ImportFrom: _Reader._import_from,
    ast.ClassDef: _Reader._class,
    ast.FunctionDef: _Reader._function,
    ast.AsyncFunctionDef: _Reader._function,
    ast.Assign: _Reader._assign,
    ast.AnnAssign: _Reader._annotated,
    ast.AugAssign: _Reader._augmented,
    ast.Return: _Reader._return,
    ast.Assert: _Reader._assertion,
    ast.If: _Reader._if,
    ast.For: _Reader._loop,
    ast.While: _Reader._loop,
    ast.With: _Reader._with,
    ast.Try: _Reader._try,
}
"""How each kind of statement is read; the others define nothing."""
