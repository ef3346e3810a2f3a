"""Integer expressions over digits of coordinates: + - * floor-division mod and XOR; parsed here, never executed.

A tree is ``("n", 4)``, ``("v", "i")`` or ``(operator, left, right)``; it is evaluated on lists, one entry a point of a box.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

from laycalc.diagnostics.model import Failure

from ..limits import NESTING
from .pytext import call_name, position
from .reading import bad, cannot, limit

__all__ = ["BOX_LIMIT", "Cursor", "Tree", "axes", "box", "digits", "evaluate", "from_ast", "linear", "sizes_of"]

Tree = tuple[Any, ...]

BOX_LIMIT = 1 << 20
"""Points of a box that is tabulated."""

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<name>[A-Za-z_]\w*'?(?:\.[A-Za-z_]\w*)*)|(?P<mark>->|<=|>=|==|!=|//|\*\*|[-+*/%^()\[\]{}<>=,:;&|.])|(?P<bad>\S)|(?P<end>$))"
)
_CALLS = {
    "floord": "//", "floordiv": "//", "floormod": "%", "truncdiv": "//", "truncmod": "%", "indexdiv": "//", "indexmod": "%",
    "bitwise_xor": "^", "xor": "^",
}  # fmt: skip
_WORDS = {"mod": "%", "floordiv": "//", "ceildiv": "ceildiv"}
_NUMBER_LIMIT = 400


class Lexeme(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class Cursor:
    """Reads expressions from a text; LC101 at what does not fit."""

    def __init__(self, text: str, position: int = 0, end: int | None = None) -> None:
        self.text = text
        self.limit = len(text) if end is None else end
        self.depth = 0
        self._position = position
        self.end = position
        self.token = self._read()

    def _read(self) -> Lexeme:
        found = _TOKEN.match(self.text, self._position, self.limit)
        if found is None or found.lastgroup is None:
            return Lexeme("end", "", self.limit, self.limit)
        kind = found.lastgroup
        self._position = found.end()
        if kind == "number" and len(found[kind]) > _NUMBER_LIMIT:
            raise limit(self.text, found.start(kind), found.end(kind), "an integer has too many digits")
        return Lexeme(kind, found[kind], found.start(kind), found.end(kind))

    def take(self) -> Lexeme:
        """The token to come, and step over it."""
        token = self.token
        self.end = token.end
        self.token = self._read()
        return token

    def at(self, *texts: str) -> bool:
        """Does one of these come next?"""
        return self.token.text in texts and self.token.kind in ("mark", "name")

    def accept(self, *texts: str) -> bool:
        """Step over one of these if it comes next."""
        if not self.at(*texts):
            return False
        self.take()
        return True

    def expect(self, text: str) -> None:
        """Step over what must come next."""
        if not self.accept(text):
            raise self.unexpected(f"{text!r} is expected")

    def unexpected(self, message: str = "this does not fit here") -> Failure:
        """LC101 at the token to come; the caller raises it."""
        label = "the text ends here" if self.token.kind == "end" else ""
        return bad(self.text, self.token.start, self.token.end, message, label)

    def name(self) -> str:
        """A name that must come next."""
        if self.token.kind != "name":
            raise self.unexpected("a name is expected")
        return self.take().text

    def integer(self) -> int:
        """An integer that must come next."""
        sign = -1 if self.accept("-") else 1
        if self.token.kind != "number":
            raise self.unexpected("an integer is expected")
        return sign * int(self.take().text)

    def expression(self) -> Tree:
        """Sums, with XOR looser than + and tighter than a comparison."""
        self.depth += 1
        if self.depth > NESTING:
            raise limit(self.text, self.token.start, self.token.end, f"brackets are nested more than {NESTING} deep")
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
        if token.kind == "number":
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
            return ("v", word)
        self.take()
        if word == "floor":
            found = self.expression()
            self.expect(")")
            if found[0] != "/":
                raise bad(self.text, token.start, self.end, "floor takes a quotient, floor(x/4)")
            return ("//", found[1], found[2])
        if word not in _CALLS:
            raise cannot(f"{word} is not affine: sums, products with numbers, floor and mod are", source=self.text)
        left = self.expression()
        self.expect(",")
        right = self.expression()
        self.accept(",")
        self.expect(")")
        return (_CALLS[word], left, right)


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
    raise bad(source, *position(source, node), "only + - * // % ^ of coordinates and integers are read")


# ---- meaning ----


def evaluate(tree: Tree, env: Mapping[str, Sequence[int]], count: int) -> list[int]:
    """The values at every point; ``env`` holds a list of ``count`` values a variable. LC103 where there is no value."""
    op = tree[0]
    if op == "n":
        return [tree[1]] * count
    if op == "v":
        if tree[1] not in env:
            raise cannot(f"{tree[1]} has no value here")
        return list(env[tree[1]])
    left, right = evaluate(tree[1], env, count), evaluate(tree[2], env, count)
    if op in ("//", "%", "ceildiv", "/") and 0 in right:
        raise cannot("a division by 0")
    match op:
        case "+":
            return [a + b for a, b in zip(left, right, strict=True)]
        case "-":
            return [a - b for a, b in zip(left, right, strict=True)]
        case "*":
            if _far(left) * _far(right) > 4096:
                raise cannot("the values are beyond 2^4096")
            return [a * b for a, b in zip(left, right, strict=True)]
        case "//":
            return [a // b for a, b in zip(left, right, strict=True)]
        case "%":
            return [a % b for a, b in zip(left, right, strict=True)]
        case "ceildiv":
            return [-(-a // b) for a, b in zip(left, right, strict=True)]
        case "^":
            return [a ^ b for a, b in zip(left, right, strict=True)]
        case "antidiag":
            return [_antidiagonal(n, i, j) for n, i, j in zip(left, right, evaluate(tree[3], env, count), strict=True)]
        case "/":
            if any(a % b for a, b in zip(left, right, strict=True)):
                raise cannot("a quotient that is no integer; floor(x/n) rounds down")
            return [a // b for a, b in zip(left, right, strict=True)]
    raise cannot(f"{op} has no value")


def _far(values: list[int]) -> int:
    return max((v.bit_length() for v in values), default=0) or 1


def _antidiagonal(n: int, i: int, j: int) -> int:
    """The place of (i, j) when an n x n square is walked along its antidiagonals."""
    d = i + j
    if d < n:
        return d * (d + 1) // 2 + i
    return n * n - 1 - _antidiagonal(n, n - 1 - i, n - 1 - j)


def linear(tree: Tree) -> dict[str, int] | None:
    """The coefficients of an affine expression, the constant under ""; None if it has floor, mod or XOR."""
    op = tree[0]
    if op == "n":
        return {"": tree[1]}
    if op == "v":
        return {tree[1]: 1, "": 0}
    left, right = linear(tree[1]), linear(tree[2])
    if left is None or right is None:
        return None
    if op in ("+", "-"):
        sign = 1 if op == "+" else -1
        return {k: left.get(k, 0) + sign * right.get(k, 0) for k in left | right}
    if op == "*":
        for a, b in ((left, right), (right, left)):
            if not any(a[k] for k in a if k):
                return {k: a.get("", 0) * b[k] for k in b}
    return None


def sizes_of(shape: Sequence[Any], source: str) -> tuple[int, ...]:
    """A box to tabulate: positive integers, not too many points."""
    if any(type(n) is not int or n < 1 for n in shape):
        raise cannot(f"the extents {tuple(shape)} are not positive integers", source=source)
    if prod(shape) > BOX_LIMIT:
        raise limit(source, 0, len(source), f"{prod(shape):,} points; {BOX_LIMIT:,} are tabulated")
    return tuple(shape)


def box(shape: Sequence[int]) -> list[list[int]]:
    """The coordinates of every point of a box, a list an axis, first axis fastest."""
    count, weight, found = prod(shape), 1, []
    for n in shape:
        column = [c for c in range(n) for _ in range(weight)]
        found.append(column * (count // max(len(column), 1)))
        weight *= n
    return found


def axes(rank: int, prefix: str = "i") -> list[str]:
    """Names of coordinates: i, j, k, ... or i0, i1, ..."""
    return ["i", "j", "k", "l", "m", "n"][:rank] if rank <= 6 and not prefix.endswith("0") else [f"i{k}" for k in range(rank)]


def digits(name: str, leaves: Sequence[tuple[int, Any]], floor: str, mod: str) -> list[tuple[str, Any]]:
    """The digits of a coordinate over its leaves, each with the stride of its leaf; the last is not reduced.

    ``floor`` and ``mod`` are patterns such as ``"{x}//{n}"``.
    """
    found = []
    weight = 1
    for k, (n, d) in enumerate(leaves):
        text = name if weight == 1 else floor.format(x=name, n=weight)
        if k < len(leaves) - 1:
            text = mod.format(x=text, n=n)
        found.append((text, d))
        weight *= n
    return found
