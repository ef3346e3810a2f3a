"""Syntax tree to value. Spans are attached here: an error of the algebra leaves as a diagnostic about the source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.bounds import bounded
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler
from laycalc.diagnostics.model import Failure

from ..language import access, operators
from ..language.functions import find
from ..language.kinds import is_htuple, is_truth
from ..language.values import Text, Verdict, a_kind, kind_of, text_of
from ..syntax import nodes
from ..syntax.literals import is_plain
from . import calls
from .context import Context, Unbound
from .scope import Deferred

CONSTANTS = {
    name: Text(tag, bare=True)
    for tag, names in {
        "LayoutLeft": ("LayoutLeft", "GenColMajor"),
        "LayoutRight": ("LayoutRight", "GenRowMajor"),
    }.items()
    for name in names
}
"""Names that stand for themselves."""


class Evaluator(Context):
    """Evaluates the nodes of one source text: a method for each construct, more in `calls`."""

    def value(self, node: nodes.Expression) -> Any:
        """The value of a node."""
        return _VISIT[type(node)](self, node)

    # -- literals ----------------------------------------------------------------------------------------

    def integer(self, node: nodes.Integer) -> int:
        return node.value

    def truth(self, node: nodes.Truth) -> bool:
        return node.value

    def string(self, node: nodes.String) -> Text:
        return Text(node.value)

    def unread(self, node: nodes.Unread) -> Any:
        raise Failure(node.reason)

    def star(self, node: nodes.Star) -> int:
        # A profile only says where: any integer is a mark.
        return 1

    def wildcard(self, node: nodes.Wildcard) -> None:
        return None

    def coordinate(self, node: nodes.Coordinate) -> Any:
        return self.apply(Coordinate.of, node, (), ([(path, c) for c, path in node.terms],))

    def xor(self, node: nodes.Xor) -> Any:
        return Xor.of(node.value)

    def swizzle(self, node: nodes.Swizzle) -> Swizzle:
        return self.apply(Swizzle, node, (), (node.bits, node.base, node.shift))  # type: ignore[no-any-return]

    def offset(self, node: nodes.Offset) -> Tensor:
        return Tensor(access.offset_of(self.value(node.item)))

    def pair(self, node: nodes.Pair) -> Layout:
        shape, stride = self.value(node.shape), self.value(node.stride)
        for part, side, word in ((shape, node.shape, "shape"), (stride, node.stride, "stride")):
            if not is_htuple(part):
                raise self.fail(
                    "LC201", f"a {word} is an integer or a tuple, not the {kind_of(part)} {text_of(part)}", side
                )
        return self.apply(Layout, node, (node, node), (shape, stride))  # type: ignore[no-any-return]

    def name(self, node: nodes.Name) -> Any:
        try:
            value = self.scope.get(node.name)
        except KeyError:
            if node.name in CONSTANTS:
                return CONSTANTS[node.name]
            if self.unknowns is not None and find(node.name) is None:
                return self.unknowns[node.name]
            raise self.unknown_name(node) from None
        if type(value) is Deferred:
            if self.unknowns is None:
                raise Unbound(self.fail("LC106", f"{node.name} has unknowns", node).diagnostic)
            return Evaluator(value.source, value.scope, self.unknowns).value(value.node)
        return value

    def unknown(self, node: nodes.Unknown) -> Any:
        if self.unknowns is None:
            raise Unbound(self.fail("LC106", "an unknown extent ? needs a value here", node).diagnostic)
        return self.unknowns[f"?{node.number or self.source.count('?', 0, node.span.start) + 1}"]

    # -- brackets ----------------------------------------------------------------------------------------

    def paren(self, node: nodes.Paren) -> Any:
        value = self.value(node.item)
        return (value,) if is_plain(node.item) and is_htuple(value, free=True) else value

    def tuple_(self, node: nodes.Tuple) -> Any:
        values = tuple([self.value(item) for item in node.items])
        if values and all(isinstance(v, Layout) for v in values):
            return self.apply(concat, node, (node,), values)
        if any(isinstance(v, Layout) for v in values) and all(
            isinstance(v, (Layout, Tiler)) or v is None or is_htuple(v) for v in values
        ):
            odd = next(i for i, v in enumerate(values) if not isinstance(v, Layout))
            raise self.fail(
                "LC103",
                "a tuple of layouts is their concatenation; a tiler is written <...>",
                node.items[odd],
                f"the {kind_of(values[odd])} {text_of(values[odd])} is no layout",
            )
        return self.nested(node, values)

    def nested(self, node: nodes.Tuple, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """A tuple of values, which may be large themselves."""
        if any(isinstance(v, tuple) for v in values):
            try:
                bounded(values)
            except LayoutError as error:
                raise self.fail(error.code, str(error), node) from None
        return values

    def bracket(self, node: nodes.Bracket) -> Any:
        if len(node.items) == 1 and not is_plain(node.items[0]):
            return self.value(node.items[0])
        return self.tiler(node)

    def tiler(self, node: nodes.Tiler | nodes.Bracket) -> Any:
        modes = []
        for item in node.items:
            value = self.value(item)
            if not isinstance(value, (Layout, Tiler)) and not is_htuple(value, free=True):
                raise self.fail("LC103", f"a tiler has layouts and shapes, not the {kind_of(value)}", item)
            modes.append(value)
        return self.apply(Tiler, node, (node,), (modes,))

    # -- operators ---------------------------------------------------------------------------------------

    def unary(self, node: nodes.Unary) -> Any:
        if node.operator == "not":
            value = self.value(node.operand)
            return Verdict(not value, getattr(value, "diagnostic", None)) if is_truth(value) else self.bad(node, value)
        value = self.value(node.operand)
        if type(value) is int or isinstance(value, Coordinate) or hasattr(value, "symbols"):
            return -value
        return self.bad(node, value)

    def bad(self, node: nodes.Unary, value: Any) -> Any:
        if node.operator == "-" and isinstance(node.operand, nodes.Pair):
            raise self.fail("LC202", f"shape entry -{text_of(value.shape)} is not a positive integer", node)
        raise self.fail("LC103", f"{node.operator} does not apply to {a_kind(value)}", node.operand)

    def binary(self, node: nodes.Binary) -> Any:
        if node.operator in ("and", "or"):
            left = self.value(node.left)
            if bool(left) is (node.operator == "or"):
                return left
            return self.value(node.right)
        if (regrouped := self.regrouped(node)) is not None:
            return self.value(regrouped)
        left, right = self.value(node.left), self.value(node.right)
        operation = operators.choose(node.operator, left, right)
        if operation is None:
            raise self.fail(
                "LC103",
                f"{node.operator} does not apply to {a_kind(left)} and {a_kind(right)}"
                + operators.hint(node.operator, left, right),
                node,
            )
        if self.unknowns is not None:
            from .symbolic_operators import operation as symbolic_operation

            operation = symbolic_operation(node.operator, operation)
        result = self.apply(operation, node, (node.left, node.right), (left, right))
        self.check(node, operation.__name__, (left, right), result)
        return result

    def regrouped(self, node: nodes.Binary) -> nodes.Binary | None:
        """``Sw1 o (Sw2 o L)`` for ``Sw1 o Sw2 o L`` where Sw1 o Sw2 is no swizzle: composition associates."""
        inner = node.left
        if node.operator != "o" or not isinstance(inner, nodes.Binary) or inner.operator != "o":
            return None
        if not all(isinstance(side, nodes.Swizzle) for side in (inner.left, inner.right)):
            return None
        try:
            self.value(inner)
        except Failure:
            span = nodes.Span(inner.right.span.start, node.right.span.end)
            return node.replace(left=inner.left, right=node.replace(span=span, left=inner.right))
        return None

    def postfix(self, node: nodes.Postfix) -> Any:
        function = find({"*": "complement", "R": "right_inverse", "L": "left_inverse", "-1": "inverse"}[node.operator])
        assert function is not None
        return calls.apply(self, calls.Application(function, node, (node.operand,), (self.value(node.operand),)))

    def morphism(self, node: nodes.Morphism) -> Any:
        build = find("make_morphism")
        assert build is not None
        parts = (self.value(node.domain), node.map, self.value(node.codomain))
        return self.apply(build.load(), node, (node.domain, node, node.codomain), parts)


_VISIT: dict[type, Callable[[Evaluator, Any], Any]] = {
    nodes.Integer: Evaluator.integer,
    nodes.Truth: Evaluator.truth,
    nodes.String: Evaluator.string,
    nodes.Wildcard: Evaluator.wildcard,
    nodes.Star: Evaluator.star,
    nodes.Unread: Evaluator.unread,
    nodes.Unknown: Evaluator.unknown,
    nodes.Coordinate: Evaluator.coordinate,
    nodes.Xor: Evaluator.xor,
    nodes.Swizzle: Evaluator.swizzle,
    nodes.Offset: Evaluator.offset,
    nodes.Pair: Evaluator.pair,
    nodes.Name: Evaluator.name,
    nodes.Paren: Evaluator.paren,
    nodes.Tuple: Evaluator.tuple_,
    nodes.Bracket: Evaluator.bracket,
    nodes.Tiler: Evaluator.tiler,
    nodes.Unary: Evaluator.unary,
    nodes.Binary: Evaluator.binary,
    nodes.Postfix: Evaluator.postfix,
    nodes.Morphism: Evaluator.morphism,
    nodes.Call: calls.call,
    nodes.Index: calls.index,
    nodes.Attribute: calls.attribute,
}
