"""Integer arithmetic of C++ and Python in foreign text: computed where both sides are numbers, else left to be."""

from __future__ import annotations

import operator
from collections.abc import Callable

from ...syntax import nodes
from ...syntax.limits import DIGITS
from ...syntax.nodes import Expression, Span
from ..reading.reading import bad, limit
from ..reading.trees import call, is_shape

__all__ = ["conditional", "floored", "negated", "operated", "truncated"]

_SPELLINGS = {"∘": "o", "⊗": "*", "⊘": "/", "&&": "and", "||": "or"}
_NUMBERS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip
_RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_BITS = frozenset({"&", "|", "^", "<<", ">>", "**"})
"""What the language has not: both sides must be numbers."""


def operated(text: str, sign: Span, symbol: str, left: Expression, right: Expression) -> Expression:
    """``left symbol right``, where both mean the same in the language as in the foreign text."""
    span = Span(left.span.start, right.span.end)
    left, right = _bare(left), _bare(right)
    symbol = _SPELLINGS.get(symbol, symbol)
    if isinstance(left, nodes.Integer) and isinstance(right, nodes.Integer):
        if symbol in _NUMBERS:
            return nodes.Integer(span, _NUMBERS[symbol](left.value, right.value))
        if symbol in _RELATIONS:
            return nodes.Truth(span, _RELATIONS[symbol](left.value, right.value))
        if symbol in ("<<", ">>", "**"):
            return _raised(text, span, symbol, left.value, right.value)
    if symbol in ("and", "or") and isinstance(left, nodes.Truth):
        return right if left.value is (symbol == "and") else left
    if symbol == "*" and isinstance(left, nodes.Integer) and isinstance(right, nodes.Coordinate):
        return nodes.Coordinate(span, tuple((left.value * c, path) for c, path in right.terms))
    if symbol in _BITS:
        raise bad(text, *sign, f"{symbol} has no meaning here", "both sides would have to be numbers")
    return nodes.Binary(span, symbol, left, right, sign)


def _raised(text: str, span: Span, symbol: str, left: int, right: int) -> Expression:
    if right < 0:
        raise bad(text, *span, f"{symbol} by a negative number")
    if right * (left.bit_length() if symbol == "**" else 1) > 3 * DIGITS:
        raise limit(text, *span, "the number is too large")
    raised = left << right if symbol == "<<" else left >> right if symbol == ">>" else left**right
    return nodes.Integer(span, raised)


def truncated(text: str, sign: Span, symbol: str, left: Expression, right: Expression) -> Expression:
    """``/`` and ``%`` of C++ integers, which round towards 0; of layouts ``/`` is the divide of the language."""
    return _divided(text, sign, symbol, left, right, -1)


def floored(text: str, sign: Span, symbol: str, left: Expression, right: Expression) -> Expression:
    """``//`` and ``%`` of Python integers, which round down."""
    return _divided(text, sign, symbol, left, right, 1)


def _divided(text: str, sign: Span, symbol: str, left: Expression, right: Expression, rounds: int) -> Expression:
    span = Span(left.span.start, right.span.end)
    left, right = _bare(left), _bare(right)
    if isinstance(left, nodes.Integer) and isinstance(right, nodes.Integer):
        a, b = left.value, right.value
        if b == 0:
            raise bad(text, *right.span, "a division by 0")
        quotient = a // b if rounds > 0 or (a < 0) == (b < 0) else -(-a // b)
        return nodes.Integer(span, a - b * quotient if symbol == "%" else quotient)
    if symbol == "%":
        return nodes.Binary(span, "%", left, right, sign)
    quotient_of = nodes.Binary(span, "/", left, right, sign)
    whole = symbol == "//" or (_is_number(left) and _is_number(right))
    return call(span, "floor", quotient_of) if whole else quotient_of


def _bare(node: Expression) -> Expression:
    """A number without the brackets around it, which make no tuple in arithmetic."""
    return node.item if isinstance(node, nodes.Paren) and isinstance(node.item, nodes.Integer) else node


def _is_number(node: Expression) -> bool:
    """Surely an integer: a number, a size, or a sum of such; a name alone may stand for a layout."""
    if isinstance(node, nodes.Binary):
        return node.operator in "+-*%" and _is_number(node.left) and _is_number(node.right)
    if isinstance(node, nodes.Call) and isinstance(node.function, nodes.Name):
        return node.function.name in ("size", "cosize", "rank", "depth", "floor", "ceil", "ceil_div")
    return isinstance(node, (nodes.Integer, nodes.Name)) and is_shape(node)


def negated(sign: int, operand: Expression) -> Expression:
    """``-x``, the minus at ``sign``."""
    span = Span(sign, operand.span.end)
    if isinstance(operand, nodes.Integer):
        return nodes.Integer(span, -operand.value)
    return nodes.Unary(span, "-", operand)


def conditional(text: str, condition: Expression, yes: Expression, no: Expression) -> Expression:
    """``condition ? yes : no``, which must be known."""
    if isinstance(condition, nodes.Truth):
        return yes if condition.value else no
    if isinstance(condition, nodes.Integer):
        return yes if condition.value else no
    raise bad(text, *condition.span, "the condition is not known", "its names need values")
