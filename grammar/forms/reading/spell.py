"""Syntax trees to text of the language, to show what was read; the tree itself moves to where its text stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from .reading import Segment

__all__ = ["Spelled", "spell", "spelled"]

# How tightly a construct binds; the higher the tighter.
_LEVELS = {
    "or": 0, "and": 1, "not": 2,
    **dict.fromkeys(("|", "in", "==", "!=", "~", "<~", "<", "<=", ">", ">=", "==="), 3),
    "+": 4, "-": 4, "*": 5, "/": 5, "%": 5, "o": 6,
}  # fmt: skip
_SUM, _SIGNED, _ATOM = 4, 7, 8


class Spelled(NamedTuple):
    """The text of a tree, the tree with its places in that text, and where each node came from."""

    text: str
    node: Expression
    segments: tuple[Segment, ...]


def spelled(node: Expression, offset: int = 0) -> Spelled:
    """The text of a tree, thought to begin at ``offset``."""
    speller = _Speller(offset)
    moved = speller.node(node, 0)
    return Spelled("".join(speller.parts), moved, tuple(speller.segments))


def spell(node: Expression, offset: int = 0) -> tuple[str, tuple[Segment, ...]]:
    """The text of a tree and its segments."""
    found = spelled(node, offset)
    return found.text, found.segments


class _Speller:
    """Writes a tree from left to right; each method gives the node with its new place."""

    def __init__(self, offset: int) -> None:
        self.parts: list[str] = []
        self.segments: list[Segment] = []
        self.length = offset

    def write(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def node(self, node: Any, level: int) -> Any:
        """Write a node where only what binds at least as tightly as ``level`` may stand bare."""
        start = self.length
        bare = _level(node) >= level
        self.write("" if bare else "(")
        moved = _WRITERS[type(node)](self, node)
        self.write("" if bare else ")")
        self.segments.append(Segment(start, self.length, *node.span))
        return moved.replace(span=Span(start, self.length))

    def listed(self, opening: str, items: tuple[Any, ...], closing: str, level: int = 0) -> tuple[Any, ...]:
        """Write items between brackets."""
        self.write(opening)
        moved = []
        for i, item in enumerate(items):
            self.write("," if i else "")
            moved.append(self.node(item, level))
        self.write(closing)
        return tuple(moved)

    def tuple_(self, node: nodes.Tuple) -> nodes.Tuple:
        return node.replace(items=self.listed("(", node.items, ",)" if len(node.items) == 1 else ")"))

    def paren(self, node: nodes.Paren) -> nodes.Paren:
        return node.replace(item=self.listed("(", (node.item,), ")")[0])

    def bracket(self, node: nodes.Bracket) -> nodes.Bracket:
        return node.replace(items=self.listed("[", node.items, "]"))

    def tiler(self, node: nodes.Tiler) -> nodes.Tiler:
        return node.replace(items=self.listed("<", node.items, ">", _SUM))

    def offset(self, node: nodes.Offset) -> nodes.Offset:
        return node.replace(item=self.listed("{", (node.item,), "}")[0])

    def pair(self, node: nodes.Pair) -> nodes.Pair:
        shape = self.node(node.shape, _ATOM)
        self.write(":")
        signed = isinstance(node.stride, nodes.Unary)
        return node.replace(shape=shape, stride=self.node(node.stride, _SIGNED if signed else _ATOM))

    def unary(self, node: nodes.Unary) -> nodes.Unary:
        self.write("not " if node.operator == "not" else node.operator)
        return node.replace(operand=self.node(node.operand, _level(node)))

    def binary(self, node: nodes.Binary) -> nodes.Binary:
        level = _LEVELS[node.operator]
        left = self.node(node.left, level)
        tight = node.operator in "+-*/%"
        start = self.length + (not tight)
        self.write(node.operator if tight else f" {node.operator} ")
        where = Span(start, start + len(node.operator))
        return node.replace(left=left, right=self.node(node.right, level + 1), operator_span=where)

    def call(self, node: nodes.Call) -> nodes.Call:
        function = self.node(node.function, _ATOM)
        return node.replace(function=function, **self.arguments(node))

    def arguments(self, node: nodes.Call) -> dict[str, Any]:
        arguments = self.listed("(", node.arguments, "")
        keywords: list[nodes.Keyword] = []
        for keyword in node.keywords:
            self.write("," if arguments or keywords else "")
            start = self.length
            self.write(f"{keyword.name}=")
            value = self.node(keyword.value, 0)
            self.segments.append(Segment(start, self.length, *keyword.span))
            keywords.append(keyword.replace(span=Span(start, self.length), value=value))
        self.write(")")
        return {"arguments": arguments, "keywords": tuple(keywords)}

    def index(self, node: nodes.Index) -> nodes.Index:
        target = self.node(node.target, _ATOM)
        return node.replace(target=target, items=self.listed("[", node.items, "]"))

    def attribute(self, node: nodes.Attribute) -> nodes.Attribute:
        target = self.node(node.target, _ATOM)
        self.write(f".{node.name}")
        return node.replace(target=target)

    def postfix(self, node: nodes.Postfix) -> nodes.Postfix:
        operand = self.node(node.operand, _ATOM)
        self.write(f"^{node.operator}")
        return node.replace(operand=operand)


def _word(text: Callable[[Any], str]) -> Callable[[_Speller, Any], Any]:
    """A node that is one word."""

    def write(speller: _Speller, node: Any) -> Any:
        speller.write(text(node))
        return node

    return write


def _level(node: Any) -> int:
    if isinstance(node, (nodes.Binary, nodes.Unary)):
        return _SIGNED if isinstance(node, nodes.Unary) and node.operator == "-" else _LEVELS[node.operator]
    return _ATOM


def _coordinate(node: nodes.Coordinate) -> str:
    text = ""
    for factor, path in node.terms:
        sign = "-" if factor < 0 else "+" if text else ""
        text += f"{sign}{'' if abs(factor) == 1 else abs(factor)}e{'.'.join(map(str, path))}"
    return text or "0"


def _string(node: nodes.String) -> str:
    return '"' + node.value.replace("\\", "\\\\").replace('"', '\\"') + '"'


_WRITERS: dict[type, Callable[[_Speller, Any], Any]] = {
    nodes.Integer: _word(lambda node: str(node.value)),
    nodes.Truth: _word(lambda node: str(node.value).lower()),
    nodes.Name: _word(lambda node: str(node.name)),
    nodes.Wildcard: _word(lambda _: "_"),
    nodes.Unknown: _word(lambda node: "?" if node.divisor == 1 else f"?{{div={node.divisor}}}"),
    nodes.Coordinate: _word(_coordinate),
    nodes.Xor: _word(lambda node: f"f{node.value}"),
    nodes.String: _word(_string),
    nodes.Swizzle: _word(lambda node: f"Sw<{node.bits},{node.base},{node.shift}>"),
    nodes.Unread: _word(lambda node: str(node.text)),
    nodes.Paren: _Speller.paren,
    nodes.Tuple: _Speller.tuple_,
    nodes.Bracket: _Speller.bracket,
    nodes.Tiler: _Speller.tiler,
    nodes.Offset: _Speller.offset,
    nodes.Pair: _Speller.pair,
    nodes.Unary: _Speller.unary,
    nodes.Binary: _Speller.binary,
    nodes.Call: _Speller.call,
    nodes.Index: _Speller.index,
    nodes.Attribute: _Speller.attribute,
    nodes.Postfix: _Speller.postfix,
}
