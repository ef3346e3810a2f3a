"""Foreign tokens to the syntax tree of the language: one parser for C++, Python, MLIR and printed layouts.

It reads one expression; what a name followed by ``<..>`` or ``(..)`` means is looked up in the vocabulary that the
families fill. Spans point into the foreign text.
"""

from __future__ import annotations

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.reading import bad
from ..reading.tokens import Token
from ..reading.trees import basis
from .builders import Pointer, is_offset, swizzled, tensor
from .primaries import Primaries

__all__ = ["Terms"]

_POSTFIXES = {"*": "*", "-": "-1", "R": "R", "L": "L"}
_TAKE_POINTERS = frozenset({"make_tensor", "make_composed_layout", "Tensor"})
_OPERATORS = {"∘": "o", "⊗": "*", "⊘": "/"}


class Terms(Primaries):
    """Reads expressions: operators over atoms."""

    def whole(self) -> Expression:
        """One expression that uses up the text."""
        found = self.expression()
        while self.accept(";"):
            pass
        if self.token.kind != "end":
            raise self.unexpected()
        if isinstance(found, Pointer):
            raise bad(self.text, *found.span, "a pointer without a layout", "` o ` and a layout are expected after it")
        return found

    # ---- operators ----

    def expression(self) -> Expression:
        left = self._product()
        while self.at("+", "-"):
            left = self._binary(left, self._product)
        return left

    def _product(self) -> Expression:
        left = self.composition()
        while self.at("*", "/", "%", "⊗", "⊘", "//"):
            left = self._binary(left, self.composition)
        return left

    def composition(self) -> Expression:
        """Operands joined by `` o ``; a pointer hands its swizzle to the layout after it."""
        left = self._signed()
        while self.at("o", "∘"):
            operator = self.take()
            left = self._compose(left, self._signed(), operator)
        return left

    def _binary(self, left: Expression, right: object) -> Expression:
        operator = self.take()
        operand: Expression = right()  # type: ignore[operator]
        symbol = "/" if operator.text == "//" else _OPERATORS.get(operator.text, operator.text)
        if isinstance(left, Pointer) and symbol == "+":
            return left.replace(span=Span(left.span.start, operand.span.end), offset=operand)
        self.no_pointer(left, operand)
        span = Span(left.span.start, operand.span.end)
        if symbol == "*" and isinstance(left, nodes.Integer) and isinstance(operand, nodes.Coordinate):
            return nodes.Coordinate(span, tuple((left.value * c, path) for c, path in operand.terms))
        return nodes.Binary(span, symbol, left, operand, Span(operator.start, operator.end))

    def _compose(self, left: Expression, right: Expression, operator: Token) -> Expression:
        span = Span(left.span.start, right.span.end)
        if isinstance(left, nodes.Paren) and isinstance(left.item, nodes.Swizzle):
            left = left.item
        if isinstance(right, nodes.Offset) and isinstance(left, nodes.Swizzle):
            right = right.item  # tensor-layouts prints `(Swizzle(3, 0, 3)) o {5} o (L)`
        if isinstance(right, Pointer) and isinstance(left, nodes.Swizzle):
            return right.replace(span=span, swizzle=left)
        self.no_pointer(right)
        if is_offset(left):
            return tensor(left, right)
        if isinstance(left, Pointer):
            if left.swizzle is not None:
                right = swizzled(self, left, right)
            return right if left.offset is None else tensor(left.offset, right)
        return nodes.Binary(span, "o", left, right, Span(operator.start, operator.end))

    def _signed(self) -> Expression:
        if not self.at("-"):
            return self.operand()
        self.deeper()
        sign = self.take()
        operand = self._signed()
        self.depth -= 1
        if isinstance(operand, nodes.Integer):
            return nodes.Integer(Span(sign.start, operand.span.end), -operand.value)
        self.no_pointer(operand)
        return nodes.Unary(Span(sign.start, operand.span.end), "-", operand)

    # ---- operands ----

    def operand(self) -> Expression:
        """An atom with what follows it: ``{}``, calls, indices, ``:stride``."""
        node = self.atom()
        while True:
            span = Span(node.span.start, self.token.end)
            if self.at("{"):
                if self.text[self.token.end : self.limit].lstrip()[:1] != "}":
                    return node
                self.take()
                node = node.replace(span=Span(node.span.start, self.take().end))
            elif isinstance(node, Pointer):
                return node
            elif self.at("("):
                node = self._call(node)
            elif self.at("["):
                opened = self.take()
                items = self.items("]", opened)
                node = nodes.Index(Span(node.span.start, self.end), node, items)
            elif self.at(":"):
                if not self.text[self.token.end : self.limit].split("\n", 1)[0].strip():
                    # print_tensor writes a colon after the layout, then the values.
                    self.take()
                    return node
                node = self._pair(node)
            elif self.at(".") and self.text[self.token.end : self.token.end + 1].isalpha():
                self.take()
                name = self.take()
                node = nodes.Attribute(Span(span.start, name.end), node, name.text)
            elif self._is_scaled(node):
                node = self._scaled_coordinate(node)
            elif self.at("^", "†", "‡"):
                node = self._postfix(node)
            else:
                return node

    def _pair(self, shape: Expression) -> Expression:
        self.take()
        self.no_pointer(shape)
        sign = self.token.start
        negative = self.accept("-")
        stride = self.atom()
        if self._is_scaled(stride):
            stride = self._scaled_coordinate(stride)
        self.no_pointer(stride)
        if negative:
            span = Span(sign, stride.span.end)
            stride = (
                nodes.Integer(span, -stride.value)
                if isinstance(stride, nodes.Integer)
                else nodes.Unary(span, "-", stride)
            )
        pair = nodes.Pair(Span(shape.span.start, self.end), shape, stride)
        self._entitle(shape, ())
        return pair

    def _entitle(self, shape: Expression, path: tuple[int, ...]) -> None:
        """Turn the labels inside a shape into axis titles."""
        name = self._labels.get(shape.span.start) if path else None
        if name is not None:
            self.titles.append((path, name))
        if isinstance(shape, (nodes.Tuple, nodes.Paren)):
            for i, item in enumerate(shape.items if isinstance(shape, nodes.Tuple) else (shape.item,)):
                self._entitle(item, (*path, i))

    def _is_scaled(self, node: Expression) -> bool:
        """Does ``@1`` follow a name or an unknown number? A matrix product in Python has no number there."""
        if not self.at("@") or not isinstance(node, (nodes.Unknown, nodes.Name)):
            return False
        return self.text[self.token.end : self.token.end + 1].isdigit()

    def _scaled_coordinate(self, factor: Expression) -> Expression:
        """``?@1``, ``m@0``: a multiple of a basis element; the innermost index is written first."""
        path: list[int] = []
        while self.accept("@"):
            if self.token.kind != "integer":
                raise self.unexpected("an axis is expected")
            path.insert(0, int(self.take().text.lstrip("_")))
        span = Span(factor.span.start, self.end)
        return nodes.Binary(span, "*", factor, basis(span, 1, tuple(path)), span)

    def _postfix(self, node: Expression) -> Expression:
        mark = self.take().text
        operator = {"†": "L", "‡": "R"}.get(mark)
        if operator is None:
            sign = self.take()
            operator = _POSTFIXES.get(sign.text)
            if operator == "-1":
                self.expect("1") if self.at("1") else self.take()
            if operator is None:
                raise bad(self.text, sign.start, sign.end, "this does not fit here")
        return nodes.Postfix(Span(node.span.start, self.end), operator, node)

    def _call(self, function: Expression) -> Expression:
        opened = self.take()
        if (found := self.vocabulary.constructed(self, function, opened)) is not None:
            return found
        if self.at(")") and not isinstance(function, nodes.Name):
            # `_4()`, `Layout<..>()`: C++ value initialisation.
            return function.replace(span=Span(function.span.start, self.take().end))
        arguments, keywords = self.arguments(")", opened)
        span = Span(function.span.start, self.end)
        if isinstance(function, nodes.Name):
            if function.name not in _TAKE_POINTERS:
                self.no_pointer(*arguments, *(k.value for k in keywords))
            handler = self.vocabulary.calls.get(function.name)
            found = handler(self, span, arguments, {k.name: k.value for k in keywords}) if handler else None
            if found is not None:
                return found
        self.no_pointer(*arguments, *(k.value for k in keywords))
        return nodes.Call(span, function, arguments, keywords)
