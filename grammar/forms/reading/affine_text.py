"""Text to trees of integer expressions: the notations of isl, MLIR and TileLang, and Python's own tree."""

from __future__ import annotations

import ast
import re

from ...syntax.limits import NESTING
from .affine import Tree
from .pytext import call_name, position
from .reading import bad, cannot, limit
from .tokens import Tokens

_TOKEN = re.compile(
    r"(?P<blank>\s++)|(?P<integer>\d+)|(?P<name>[A-Za-z_]\w*'?(?:\.[A-Za-z_]\w*)*)"
    r"|(?P<mark>->|<=|>=|==|!=|//|\*\*|[-+*/%^()\[\]{}<>=,:;&|.])|(?P<bad>.)",
    re.DOTALL,
)
_CALLS = {
    "floord": "//", "floordiv": "//", "floormod": "%", "truncdiv": "truncdiv", "truncmod": "truncmod", "indexdiv": "//",
    "indexmod": "%", "bitwise_xor": "^", "xor": "^",
}  # fmt: skip
_WORDS = {"mod": "%", "floordiv": "//", "ceildiv": "ceildiv"}


class Cursor(Tokens):
    """Reads expressions from a text; LC101 at what does not fit."""

    pattern = _TOKEN

    def name(self) -> str:
        """A name that must come next."""
        if self.token.kind != "name":
            raise self.unexpected("a name is expected")
        return self.take().text

    def integer(self) -> int:
        """An integer that must come next."""
        sign = -1 if self.accept("-") else 1
        if self.token.kind != "integer":
            raise self.unexpected("an integer is expected")
        return sign * int(self.take().text)

    def expression(self) -> Tree:
        """Sums, with XOR looser than + and tighter than a comparison."""
        self.deeper()
        left = self._sum()
        while self.accept("^"):
            left = ("^", left, self._sum())
        self.depth -= 1
        return left

    def _sum(self) -> Tree:
        left = self._product()
        while self.at("+", "-"):
            left = (self.take().text, left, self._product())
        return left

    def _product(self) -> Tree:
        left = self._unary()
        while True:
            if self.at("*", "%", "//", "/"):
                left = (self.take().text, left, self._unary())
            elif self.at(*_WORDS):
                left = (_WORDS[self.take().text], left, self._unary())
            elif left[0] == "n" and (self.token.kind == "name" or self.at("(")) and not self.at("and", "or"):
                left = ("*", left, self._atom())  # isl: `8j`, `2(i mod 4)`
            else:
                return left

    def _unary(self) -> Tree:
        if self.at("-"):
            self.depth += 1
            if self.depth > NESTING:
                raise limit(self.text, self.token.start, self.token.end, "too many signs")
            self.take()
            found = ("-", ("n", 0), self._unary())
            self.depth -= 1
            return found
        return self._atom()

    def _atom(self) -> Tree:
        token = self.token
        if token.kind == "integer":
            self.take()
            return ("n", int(token.text))
        if self.accept("("):
            found = self.expression()
            self.expect(")")
            return found
        if token.kind != "name":
            raise self.unexpected()
        self.take()
        word = token.text.rpartition(".")[2]
        if not self.at("("):
            return ("v", token.text)
        self.take()
        if word == "floor":
            found = self.expression()
            self.expect(")")
            if found[0] != "/":
                raise bad(self.text, token.start, self.end, "floor takes a quotient, floor(x/4)")
            return ("//", found[1], found[2])
        if word not in _CALLS:
            raise cannot(f"{word} is not read: sums, products with numbers, floor, mod and XOR are", source=self.text)
        left = self.expression()
        self.expect(",")
        right = self.expression()
        self.accept(",")
        self.expect(")")
        return (_CALLS[word], left, right)


def lambda_names(source: str, node: ast.Lambda, *ranks: int) -> list[str]:
    """The coordinates that a lambda takes, as many as one of ``ranks``; defaults and ``*`` are refused."""
    found = node.args
    names = [a.arg for a in (*found.posonlyargs, *found.args)]
    if found.vararg or found.kwarg or found.kwonlyargs or found.defaults:
        raise bad(source, *position(source, node), "the lambda takes plain coordinates, without defaults and *")
    if len(names) not in ranks:
        raise bad(
            source, *position(source, node), f"the lambda takes {len(names)} coordinates, the shape has {ranks[0]}"
        )
    return names


_AST = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.BitXor: "^"}


def from_ast(source: str, node: ast.expr, depth: int = 0) -> Tree:
    """The tree of a Python expression; a subscript ``x[0]`` is the variable ``x0``."""
    if depth > NESTING:
        raise limit(source, 0, len(source), f"the expression is nested more than {NESTING} deep")
    match node:
        case ast.Constant(value=int() as value) if type(value) is int:
            return ("n", value)
        case ast.Name(id=name):
            return ("v", name)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _AST:
            return (_AST[type(op)], from_ast(source, left, depth + 1), from_ast(source, right, depth + 1))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ("-", ("n", 0), from_ast(source, operand, depth + 1))
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int() as k)):
            return ("v", f"{name}{k}")
        case ast.Call(args=[left, right]) if (word := call_name(node).rpartition(".")[2]) in _CALLS:
            return (_CALLS[word], from_ast(source, left, depth + 1), from_ast(source, right, depth + 1))
        case ast.Call(args=[n, ast.Name(id=name)]) if call_name(node) == "antidiag":
            return ("antidiag", from_ast(source, n, depth + 1), ("v", f"{name}0"), ("v", f"{name}1"))
    raise bad(source, *position(source, node), "+ - * // % ^ of coordinates and integers are read")
