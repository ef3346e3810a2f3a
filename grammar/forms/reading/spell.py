"""Syntax trees to text of the language, with a segment for every node that has a place in the source."""

from __future__ import annotations

from ...syntax import nodes
from ...syntax.nodes import Expression
from .reading import Segment

__all__ = ["spell"]

# How tightly a construct binds; the higher the tighter.
_SUM, _PRODUCT, _COMPOSITION, _SIGNED, _ATOM = range(5)
_LEVELS = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "%": _PRODUCT, "o": _COMPOSITION}


def spell(node: Expression, offset: int = 0) -> tuple[str, tuple[Segment, ...]]:
    """The text of a tree and its segments, the text thought to begin at ``offset``."""
    speller = _Speller(offset)
    speller.node(node, _SUM)
    return "".join(speller.parts), tuple(speller.segments)


class _Speller:
    def __init__(self, offset: int) -> None:
        self.parts: list[str] = []
        self.segments: list[Segment] = []
        self.length = offset

    def text(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def node(self, node: Expression, level: int) -> None:
        """Write a node where only what binds at least as tightly as ``level`` may stand bare."""
        start = self.length
        bare = _level(node) >= level
        if not bare:
            self.text("(")
        self._bare(node)
        if not bare:
            self.text(")")
        self.segments.append(Segment(start, self.length, *node.span))

    def items(self, opening: str, items: tuple[Expression, ...], closing: str) -> None:
        self.text(opening)
        for i, item in enumerate(items):
            if i:
                self.text(",")
            self.node(item, _SUM)
        self.text(closing)

    def _bare(self, node: Expression) -> None:
        match node:
            case nodes.Integer(value=value):
                self.text(str(value))
            case nodes.Truth(value=value):
                self.text("true" if value else "false")
            case nodes.Name(name=name):
                self.text(name)
            case nodes.Wildcard():
                self.text("_")
            case nodes.Unknown(divisor=divisor):
                self.text("?" if divisor == 1 else f"?{{div={divisor}}}")
            case nodes.Coordinate(terms=terms):
                self.text(_coordinate(terms))
            case nodes.Xor(value=value):
                self.text(f"f{value}")
            case nodes.String(value=value):
                self.text('"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"')
            case nodes.Swizzle(bits=bits, base=base, shift=shift):
                self.text(f"Sw<{bits},{base},{shift}>")
            case nodes.Paren(item=item):
                self.items("(", (item,), ")")
            case nodes.Tuple(items=items):
                self.items("(", items, ",)" if len(items) == 1 else ")")
            case nodes.Bracket(items=items):
                self.items("[", items, "]")
            case nodes.Tiler(items=items):
                self.items("<", items, ">")
            case nodes.Offset(item=item):
                self.items("{", (item,), "}")
            case nodes.Pair(shape=shape, stride=stride):
                self.node(shape, _ATOM)
                self.text(":")
                self.node(stride, _SIGNED if isinstance(stride, nodes.Unary) else _ATOM)
            case nodes.Unary(operator=operator, operand=operand):
                self.text(operator)
                self.node(operand, _SIGNED)
            case nodes.Binary(operator=operator, left=left, right=right):
                level = _LEVELS[operator]
                self.node(left, level)
                self.text(f" {operator} " if level == _COMPOSITION else operator)
                self.node(right, level + 1)
            case nodes.Call(function=function, arguments=arguments, keywords=keywords):
                self.node(function, _ATOM)
                self.items("(", arguments, "" if keywords else ")")
                for i, keyword in enumerate(keywords):
                    self.text(f"{',' if arguments or i else ''}{keyword.name}=")
                    self.node(keyword.value, _SUM)
                if keywords:
                    self.text(")")
            case nodes.Index(target=target, items=items):
                self.node(target, _ATOM)
                self.items("[", items, "]")
            case nodes.Attribute(target=target, name=name):
                self.node(target, _ATOM)
                self.text("." + name)
            case nodes.Postfix(operator=operator, operand=operand):
                self.node(operand, _ATOM)
                self.text("^" + operator)
            case _:
                raise TypeError(type(node).__name__)


def _level(node: Expression) -> int:
    if isinstance(node, nodes.Binary):
        return _LEVELS[node.operator]
    return _SIGNED if isinstance(node, nodes.Unary) else _ATOM


def _coordinate(terms: tuple[tuple[int, tuple[int, ...]], ...]) -> str:
    text = ""
    for factor, path in terms:
        sign = "-" if factor < 0 else "+" if text else ""
        text += f"{sign}{'' if abs(factor) == 1 else abs(factor)}e{'.'.join(map(str, path))}"
    return text or "0"
