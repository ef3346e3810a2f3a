"""A small evaluator of expressions with unknown numbers: the operators and functions that the symbolic tests need."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from laycalc.algebra.base import decide
from laycalc.algebra.base.errors import refuse
from laycalc.algebra.operations.complement import complement
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.operations.divide import logical_divide, zipped_divide
from laycalc.algebra.operations.inverse import left_inverse, right_inverse
from laycalc.algebra.operations.product import logical_product
from laycalc.algebra.symbolic import Assumptions, claim, equal_functions, equal_values, form_matters, reading, symbol
from laycalc.algebra.values.coalesce import coalesce
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.tensor import slice_layout
from laycalc.algebra.values.tiler import Tiler
from laycalc.grammar.syntax import nodes
from laycalc.grammar.syntax.parser import parse, parse_expression

__all__ = ["assumptions", "program", "unknowns"]

UNKNOWN = re.compile(r"\?(?:\{(?:i\d+ )?div=(\d+)\})?")


def unknowns(text: str) -> tuple[str, list[str]]:
    """The text with its ``?`` named by position, and what their divisors say."""
    said: list[str] = []
    position = 0

    def name(match: re.Match[str]) -> str:
        nonlocal position
        position += 1
        if match[1]:
            said.append(f"{match[1]} | unknown_{position}")
        return f"unknown_{position}"

    return UNKNOWN.sub(name, text), said


@cache
def program(text: str) -> Callable[[Mapping[str, Any]], Any]:
    """The expression as a function of its symbols."""
    node = parse_expression(text)
    return lambda symbols: value(node, symbols)


def assumptions(lines: list[str], known: Assumptions | None = None) -> Assumptions:
    """The statements of some lines, each a list of claims between commas."""
    known = known or Assumptions()
    for line in lines:
        (statement,) = parse(text := f"assume {line}").statements
        assert isinstance(statement, nodes.Assume)
        for node in statement.facts:
            assert isinstance(node, nodes.Binary)
            symbols = _Unknown()
            with reading():
                left, right = value(node.left, symbols), value(node.right, symbols)
            known = known.assume(claim(node.operator, left, right), text[slice(*node.span)])
    return known


class _Unknown(dict[str, Any]):
    """Symbols outside an exploration."""

    def __missing__(self, name: str) -> Any:
        return symbol(name)


def value(node: nodes.Expression, symbols: Mapping[str, Any]) -> Any:
    """The value of a node."""
    match node:
        case nodes.Integer():
            return node.value
        case nodes.Name():
            return symbols[node.name]
        case nodes.Wildcard():
            return None
        case nodes.Coordinate():
            return Coordinate.of((path, c) for c, path in node.terms)
        case nodes.Unary():
            return -value(node.operand, symbols)
        case nodes.Paren():
            inner = value(node.item, symbols)
            plain = isinstance(node.item, (nodes.Integer, nodes.Name, nodes.Tuple))
            return (inner,) if plain else inner
        case nodes.Tuple():
            items = tuple(value(item, symbols) for item in node.items)
            return concat(*items) if items and all(isinstance(x, Layout) for x in items) else items
        case nodes.Tiler():
            return Tiler(value(item, symbols) for item in node.items)
        case nodes.Pair():
            return Layout(value(node.shape, symbols), value(node.stride, symbols))
        case nodes.Binary():
            return OPERATORS[node.operator](value(node.left, symbols), value(node.right, symbols))
        case nodes.Index():
            found = value(node.target, symbols)
            form_matters()
            return found[tuple(value(item, symbols) for item in node.items)]
        case nodes.Call():
            arguments = [value(item, symbols) for item in node.arguments]
            if isinstance(node.function, nodes.Name) and node.function.name in FUNCTIONS:
                return FUNCTIONS[node.function.name](*arguments)
            return _at(value(node.function, symbols), arguments[0] if len(arguments) == 1 else tuple(arguments))
    raise NotImplementedError(type(node).__name__)


def _at(layout: Layout, coordinate: Any) -> Any:
    free = coordinate is None or (isinstance(coordinate, tuple) and None in coordinate)
    return slice_layout(layout, coordinate) if free else layout(coordinate)


def _right_inverse(layout: Layout) -> Layout:
    form_matters()
    return right_inverse(layout)


def _divide(a: Any, b: Any) -> Any:
    if isinstance(a, Layout):
        return logical_divide(a, b)
    if not decide.divides(b, a):
        raise refuse("LC103", "{b} does not divide {a}", op="/", a=str(a), b=str(b))
    return decide.quotient(a, b)


def _multiply(a: Any, b: Any) -> Any:
    return logical_product(a, b) if isinstance(a, Layout) else a * b


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "o": composition,
    "/": _divide,
    "*": _multiply,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "%": lambda a, b: a % b,
    "|": decide.divides,
    "==": equal_values,
    "!=": lambda a, b: not equal_values(a, b),
    "===": equal_functions,
    "<=": decide.at_most,
    ">=": lambda a, b: decide.at_most(b, a),
    "<": decide.less,
    ">": lambda a, b: decide.less(b, a),
}

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "coalesce": coalesce,
    "complement": complement,
    "composition": composition,
    "left_inverse": left_inverse,
    "right_inverse": _right_inverse,
    "size": lambda x: size(x.shape if isinstance(x, Layout) else x),
    "zipped_divide": zipped_divide,
    "logical_divide": logical_divide,
}
