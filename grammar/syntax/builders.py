"""Builds the nodes of `nodes` while the parser reduces; each function serves the alias of that name in layout.lark.

A builder gets the span of its construct, then the values of its children: nodes, lists, and the tokens that carry
meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from . import nodes
from .limits import DIGITS, NESTING, RANGE, LimitExceeded
from .nodes import Expression, Keyword, Span, Statement

if TYPE_CHECKING:
    from .lexer import Token

__all__ = ["BUILDERS", "FLAT"]

Items = Sequence[Expression]

# The unicode spellings of operators, and what they stand for.
SPELLINGS = {"∘": "o", "⊗": "*", "⊘": "/", "∼": "~", "≲": "<~", "⪯": "<=", "≤": "<=", "≥": ">=", "≠": "!=", "≡": "==="}
POSTFIXES = {"^*": "*", "^-1": "-1", "^R": "R", "‡": "R", "^L": "L", "†": "L"}
RELATIONS = frozenset({"|", "in", "==", "!=", "~", "<~", "<", "<=", ">", ">=", "==="})

TERM = re.compile(r"([+-]?)(?:E<([^>]*)>|(?:_?([0-9]+))?e([0-9.]+)|_?([0-9]+)((?:@_?[0-9]+)+))")
NUMBER = re.compile(r"-?[0-9]+")


# ---- literals ----


def _int(digits: str, span: Span) -> int:
    """Convert digits, a leading underscore and a minus sign allowed; count them first, conversion is quadratic."""
    if len(digits) > DIGITS:
        raise LimitExceeded(span, f"an integer has more than {DIGITS:,} digits", f"{len(digits):,} digits")
    return int(digits.lstrip("_"))


def integer(span: Span, token: Token) -> nodes.Integer:
    return nodes.Integer(span, _int(token[1], span))


def coordinate(span: Span, token: Token) -> nodes.Coordinate:
    terms = []
    for sign, written, scale, outermost_first, factor, innermost_first in TERM.findall(token[1]):
        indices: list[str]
        if innermost_first:
            scale, indices = factor, NUMBER.findall(innermost_first)[::-1]
        else:
            indices = NUMBER.findall(written or outermost_first)
        if len(indices) > NESTING:
            raise LimitExceeded(span, f"a path has more than {NESTING} indices", f"{len(indices):,} indices")
        coefficient = _int(sign + (scale or "1"), span)
        terms.append((coefficient, tuple(_int(index, span) for index in indices)))
    return nodes.Coordinate(span, tuple(terms))


def xor(span: Span, token: Token) -> nodes.Xor:
    return nodes.Xor(span, _int(token[1][1:], span))


def swizzle(span: Span, token: Token) -> nodes.Swizzle:
    bits, base, shift = NUMBER.findall(re.sub(r"-\s+", "-", token[1]))
    return nodes.Swizzle(span, _int(bits, span), _int(base, span), _int(shift, span))


def unknown(span: Span, token: Token) -> nodes.Unknown:
    mark, _, divisor = token[1].partition("=")
    number = mark[1:].partition("{")[0]
    return nodes.Unknown(span, _int(divisor.strip(" \t}"), span) if divisor else 1, _int(number, span) if number else 0)


def string(span: Span, token: Token) -> nodes.String:
    return nodes.String(span, _unescape(token))


def _unescape(token: Token) -> str:
    r"""Only ``\"`` and ``\\`` are escapes, so that a Windows path reads as it is written."""
    return re.sub(r'\\(["\\])', r"\1", token[1][1:-1])


def wildcard(span: Span, token: Token) -> nodes.Wildcard:
    return nodes.Wildcard(span)


def star(span: Span, token: Token) -> nodes.Star:
    return nodes.Star(span)


def truth(span: Span, token: Token) -> nodes.Truth:
    return nodes.Truth(span, token[1].lower() == "true")


def name(span: Span, token: Token) -> nodes.Name:
    return nodes.Name(span, token[1])


def foreign(span: Span, token: Token) -> Expression:
    node: Expression = token[1].node  # type: ignore[attr-defined]
    return node


# ---- brackets ----


def first(span: Span, item: Any) -> list[Any]:
    return [item]


def more(span: Span, items: list[Any], item: Any) -> list[Any]:
    items.append(item)
    return items


def paren(span: Span, item: Expression) -> nodes.Paren:
    return nodes.Paren(span, item)


def tuple_(span: Span, items: Items = ()) -> nodes.Tuple:
    return nodes.Tuple(span, tuple(items))


def range_(span: Span, token: Token) -> nodes.Tuple:
    """``{8..64:8}``: every number from the first to the last, by the step."""
    first, last, step = ([_int(n, span) for n in NUMBER.findall(token[1])] + [1])[:3]
    count = max(0, (last - first) // step + 1) if step else 0
    if count > RANGE:
        raise LimitExceeded(span, f"a range of {count:,} numbers; the limit is {RANGE:,}", "this range")
    return nodes.Tuple(span, tuple(nodes.Integer(span, n) for n in range(first, last + 1, max(step, 1))[:count]))


def bracket(span: Span, items: Items = ()) -> nodes.Bracket:
    return nodes.Bracket(span, tuple(items))


def tiler(span: Span, less: Token, *rest: Any) -> nodes.Tiler:
    return nodes.Tiler(span, tuple(rest[0]) if len(rest) == 2 else ())


def offset(span: Span, item: Expression) -> nodes.Offset:
    return nodes.Offset(span, item)


# ---- operators ----


def pair(span: Span, shape: Expression, stride: Expression) -> nodes.Pair:
    return nodes.Pair(span, shape, stride)


def stride(span: Span, minus: Token, operand: Expression) -> Expression:
    """`4:-1` holds the integer -1; other operands keep their sign as a node."""
    if isinstance(operand, nodes.Integer):
        return nodes.Integer(span, -operand.value)
    return negative(span, minus, operand)


def negative(span: Span, minus: Token, operand: Expression) -> Expression:
    """In `-2e0+3e1` the sign belongs to the first term alone."""
    if isinstance(operand, nodes.Coordinate):
        (coefficient, path), *others = operand.terms
        return nodes.Coordinate(span, ((-coefficient, path), *others))
    return nodes.Unary(span, "-", operand)


def unary(span: Span, operator: Token, operand: Expression) -> nodes.Unary:
    return nodes.Unary(span, operator[1], operand)


def binary(span: Span, left: Expression, operator: Token, right: Expression) -> nodes.Binary:
    _, text, start, end = operator
    return nodes.Binary(span, SPELLINGS.get(text, text), left, right, Span(start, end))


def relation(span: Span, left: Expression, operator: Token, right: Expression) -> nodes.Binary:
    """`1 <= N <= 8` is `1 <= N and N <= 8`; an `and` without brackets on the left can only be such a chain."""
    if not isinstance(left, nodes.Binary) or (left.operator not in RELATIONS and left.operator != "and"):
        return binary(span, left, operator, right)
    last = left if left.operator in RELATIONS else left.right
    assert isinstance(last, nodes.Binary)
    link = binary(Span(last.right.span.start, span.end), last.right, operator, right)
    return nodes.Binary(span, "and", left, link, link.operator_span)


def call(span: Span, function: Expression, arguments: Sequence[Expression | Keyword] = ()) -> nodes.Call:
    keywords = tuple(item for item in arguments if isinstance(item, Keyword))
    return nodes.Call(span, function, tuple(item for item in arguments if not isinstance(item, Keyword)), keywords)


def keyword(span: Span, token: Token, value: Expression) -> Keyword:
    return Keyword(span, token[1], value)


def index(span: Span, target: Expression, items: Items) -> nodes.Index:
    return nodes.Index(span, target, tuple(items))


def attribute(span: Span, target: Expression, token: Token) -> nodes.Attribute:
    return nodes.Attribute(span, target, token[1])


def postfix(span: Span, operand: Expression, token: Token) -> nodes.Postfix:
    return nodes.Postfix(span, POSTFIXES[token[1]], operand)


def morphism(span: Span, domain: Expression, arrow: Token, codomain: Expression) -> nodes.Morphism:
    targets = re.findall(r"[0-9]+|\*", arrow[1])
    where = Span(arrow[2], arrow[3])
    return nodes.Morphism(span, domain, tuple(0 if t == "*" else _int(t, where) for t in targets), codomain)


# ---- statements ----


def evaluate(span: Span, value: Expression) -> nodes.Evaluate:
    return nodes.Evaluate(span, value)


def let(span: Span, token: Token, value: Expression) -> nodes.Let:
    return nodes.Let(span, token[1], value)


def assert_(span: Span, value: Expression, given: Items = ()) -> nodes.Assert:
    return nodes.Assert(span, value, tuple(given))


def assume(span: Span, facts: Items) -> nodes.Assume:
    return nodes.Assume(span, tuple(facts))


def for_(span: Span, bindings: list[tuple[str, tuple[Expression, ...]]], body: Statement) -> nodes.For:
    return nodes.For(span, tuple(bindings), body)


def binding(span: Span, token: Token, in_: Token, values: nodes.Tuple) -> tuple[str, tuple[Expression, ...]]:
    return token[1], values.items


def include(span: Span, token: Token) -> nodes.Include:
    return nodes.Include(span, _unescape(token))


Builder = Callable[..., Any]

BUILDERS: dict[str, Builder] = {
    builder.__name__: builder
    for builder in (
        integer, coordinate, xor, swizzle, unknown, string, wildcard, star, truth, name, foreign,
        first, more, paren, tuple_, range_, bracket, tiler, offset,
        pair, stride, negative, unary, binary, relation, call, keyword, index, attribute, postfix, morphism,
        evaluate, let, assert_, assume, for_, binding, include,
    )
}  # fmt: skip
FLAT = frozenset({"first", "more", "binding"})
"""Builders of lists, which add no level to the tree."""
