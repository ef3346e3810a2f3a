"""Foreign tokens to the syntax tree of the language: one parser for C++, Python, MLIR and printed layouts.

It reads one expression; what a name followed by ``<..>`` or ``(..)`` means is looked up in the vocabulary that the
families fill. Spans point into the foreign text.
"""

from __future__ import annotations

import re

from .. import nodes
from ..nodes import Expression, Keyword, Span
from .build import Items, basis, tuple_to_tiler
from .reading import bad
from .tokens import Token, Tokens

__all__ = ["Pointer", "Terms"]

_NAMESPACES = frozenset(
    ["cute", "cutlass", "pycute", "tensor_layouts", "tl", "ct", "std", "detail", "T", "tilelang", "tir", "layout", "np", "numpy", "torch", "ttgl", "gl", "triton", "experimental", "gluon"]
)
_SKIPPED = frozenset(["typename", "const", "constexpr", "static", "class", "struct", "template", "volatile"])
_INTEGERS = frozenset(
    ["int", "unsigned", "signed", "long", "short", "char", "size_t", "ptrdiff_t", "index", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "i8", "i16", "i32", "i64", "u32", "u64", "Int32", "Int64", "Uint32"]
)
_PRINTED = re.compile(r"\s*(?:0[xX]|\(|ptr<|raw_ptr|S<|\{)")
_LABEL = re.compile(r"\s*=(?!=)")
_NUMBER = re.compile(r"-?[0-9]+")
_DIVISOR = re.compile(r"div\s*=\s*([0-9]+)")
_POSTFIXES = {"*": "*", "-": "-1", "R": "R", "L": "L"}
_OPERATORS = {"∘": "o", "⊗": "*", "⊘": "/"}


class Pointer(Expression):
    """A pointer or iterator before `` o ``: the bits of an element, a swizzle of its address, a constant offset."""

    bits: int | None = None
    swizzle: nodes.Swizzle | None = None
    offset: Expression | None = None


class Terms(Tokens):
    """Reads expressions; collects ``notes``, axis titles and the element width on the way."""

    def __init__(self, text: str, position: int = 0, end: int | None = None, *, python: bool = False) -> None:
        from .vocabulary import CALLS, TEMPLATES, pointer

        self.calls, self.templates, self.pointer = CALLS, TEMPLATES, pointer
        self.python = python
        """In Python ``(8)`` is 8 and a tuple with a layout in it is a tiler."""
        self.family = ""
        """The form that the first telling construct belongs to."""
        self.notes: list[str] = []
        self.bits: int | None = None
        self.titles: list[tuple[tuple[int, ...], str]] = []
        self._labels: dict[int, str] = {}
        super().__init__(text, position, end)

    def note(self, text: str) -> None:
        """Remember a sentence once."""
        if text not in self.notes:
            self.notes.append(text)

    def is_from(self, family: str) -> None:
        """The construct at hand is of this form; the first one names the reading."""
        self.family = self.family or family

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
        self._no_pointer(left, operand)
        span = Span(left.span.start, operand.span.end)
        return nodes.Binary(span, symbol, left, operand, Span(operator.start, operator.end))

    def _compose(self, left: Expression, right: Expression, operator: Token) -> Expression:
        from .printed import is_offset, swizzled, tensor

        span = Span(left.span.start, right.span.end)
        if isinstance(right, Pointer) and isinstance(left, nodes.Swizzle):
            return right.replace(span=span, swizzle=left)
        self._no_pointer(right)
        if is_offset(left):
            return tensor(left, right)
        if isinstance(left, Pointer):
            if left.swizzle is not None:
                right = swizzled(self, left, right)
            return right if left.offset is None else tensor(left.offset, right)
        return nodes.Binary(span, "o", left, right, Span(operator.start, operator.end))

    def _no_pointer(self, *operands: Expression) -> None:
        for operand in operands:
            if isinstance(operand, Pointer):
                raise bad(self.text, *operand.span, "a pointer has no place here")

    def _signed(self) -> Expression:
        if not self.at("-"):
            return self.operand()
        self.deeper()
        sign = self.take()
        operand = self._signed()
        self.depth -= 1
        if isinstance(operand, nodes.Integer):
            return nodes.Integer(Span(sign.start, operand.span.end), -operand.value)
        self._no_pointer(operand)
        return nodes.Unary(Span(sign.start, operand.span.end), "-", operand)

    # ---- operands ----

    def operand(self) -> Expression:
        """An atom with what follows it: ``{}``, calls, indices, ``:stride``."""
        node = self._atom()
        while True:
            span = Span(node.span.start, self.token.end)
            if self.at("{"):
                if self.text[self.token.end : self.limit].lstrip()[:1] != "}":
                    return node
                self.take()
                node = node.replace(span=Span(node.span.start, self.take().end))
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
            elif self.at("@") and isinstance(node, nodes.Unknown):
                node = self._unknown_coordinate(node)
            elif self.at("^", "†", "‡"):
                node = self._postfix(node)
            else:
                return node

    def _pair(self, shape: Expression) -> Expression:
        self.take()
        self._no_pointer(shape)
        sign = self.token.start
        negative = self.accept("-")
        stride = self._atom()
        if self.at("@") and isinstance(stride, nodes.Unknown):
            stride = self._unknown_coordinate(stride)
        self._no_pointer(stride)
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

    def _unknown_coordinate(self, unknown: nodes.Unknown) -> Expression:
        """``?@1``: an unknown multiple of a basis element; the innermost index is written first."""
        path: list[int] = []
        while self.accept("@"):
            if self.token.kind != "integer":
                raise self.unexpected("an axis is expected")
            path.insert(0, int(self.take().text.lstrip("_")))
        span = Span(unknown.span.start, self.end)
        return nodes.Binary(span, "*", unknown, basis(span, 1, tuple(path)), span)

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
        from .mojo import constructed

        opened = self.take()
        if (found := constructed(self, function, opened)) is not None:
            return found
        if self.at(")") and not isinstance(function, nodes.Name):
            # `_4()`, `Layout<..>()`: C++ value initialisation.
            return function.replace(span=Span(function.span.start, self.take().end))
        arguments, keywords = self.arguments(")", opened)
        span = Span(function.span.start, self.end)
        if isinstance(function, nodes.Name):
            handler = self.calls.get(function.name)
            found = handler(self, span, arguments, {k.name: k.value for k in keywords}) if handler else None
            if found is not None:
                return found
        self._no_pointer(*arguments)
        return nodes.Call(span, function, arguments, keywords)

    # ---- atoms ----

    def _atom(self) -> Expression:
        self.deeper()
        try:
            return self._atom_here()
        finally:
            self.depth -= 1

    def _atom_here(self) -> Expression:
        token = self.token
        span = Span(token.start, token.end)
        if token.kind in ("name", "address", "swizzle") and (found := self.pointer(self, token)) is not None:
            return found
        match token.kind:
            case "integer":
                self.take()
                return nodes.Integer(span, int(token.text.lstrip("_").rstrip("uUlL")))
            case "coordinate":
                self.take()
                return _coordinate(span, token.text)
            case "swizzle":
                self.take()
                bits, base, shift = map(int, _NUMBER.findall(re.sub(r"-\s+", "-", token.text)))
                return nodes.Swizzle(span, bits, base, shift)
            case "unknown":
                self.take()
                divisor = _DIVISOR.search(token.text)
                return nodes.Unknown(span, int(divisor[1]) if divisor else 1)
            case "string":
                return self._string()
            case "name":
                return self._name()
            case "mark":
                return self._bracketed(token)
        raise self.unexpected()

    def _bracketed(self, token: Token) -> Expression:
        if token.text == "(":
            return self._paren()
        if token.text == "[":
            opened = self.take()
            items = self.items("]", opened)
            return nodes.Bracket(Span(token.start, self.end), items)
        if token.text == "<":
            opened = self.take()
            items = self.items(">", opened)
            # `<"[32:1;32:1]">`: the inner brackets are the tiler.
            if len(items) == 1 and isinstance(items[0], nodes.Bracket):
                items = items[0].items
            return nodes.Tiler(Span(token.start, self.end), items)
        if token.text == "{":
            opened = self.take()
            item = self.expression()
            self.expect("}", opened)
            return nodes.Offset(Span(token.start, self.end), item)
        if token.text == "!" and self.text.startswith("!cute.", token.start):
            from .mlir import cute_type

            return cute_type(self)
        raise self.unexpected()

    def _paren(self) -> Expression:
        opened = self.take()
        items, comma = self._listed(")", opened)
        span = Span(opened.start, self.end)
        if len(items) == 1 and not comma:
            item = items[0]
            if isinstance(item, nodes.Unknown) and self.token.kind == "integer":
                # `(int)8`: a cast.
                number = self.take()
                return nodes.Integer(Span(opened.start, number.end), int(number.text.lstrip("_").rstrip("uUlL")))
            if self.python and not isinstance(item, nodes.Pair):
                return item if isinstance(item, Pointer) else item.replace(span=span)
            self._no_pointer(item)
            return nodes.Paren(span, item)
        self._no_pointer(*items)
        return tuple_to_tiler(span, items, python=self.python)

    def items(self, closing: str, opened: Token) -> Items:
        """Expressions up to the closing bracket, with ``,`` or ``;`` between them."""
        return self._listed(closing, opened)[0]

    def _listed(self, closing: str, opened: Token) -> tuple[Items, bool]:
        """The items, and whether a comma follows the last one."""
        found: list[Expression] = []
        comma = False
        while not self.at(closing):
            label = self._label()
            item = self.expression()
            if label:
                self._labels[item.span.start] = label
            found.append(item)
            comma = self.at(",", ";")
            if not comma:
                break
            self.take()
        self.expect(closing, opened)
        return tuple(found), comma

    def _label(self) -> str:
        """``MMA_M=`` in front of an item."""
        if self.token.kind == "name" and _LABEL.match(self.text, self.token.end):
            name = self.take().text
            self.take()
            return name
        return ""

    def arguments(self, closing: str, opened: Token) -> tuple[Items, tuple[Keyword, ...]]:
        """The arguments of a call; a keyword is a label."""
        found: list[Expression] = []
        keywords: list[Keyword] = []
        while not self.at(closing):
            start = self.token.start
            label = self._label()
            item = self.expression()
            if label:
                keywords.append(Keyword(Span(start, self.end), label, item))
            else:
                found.append(item)
            if not self.accept(","):
                break
        self.expect(closing, opened)
        return tuple(found), tuple(keywords)

    def _string(self) -> Expression:
        """A quoted layout is read in its place; any other string stays one."""
        token = self.take()
        span = Span(token.start, token.end)
        inner = token.text[1:-1]
        if ":" not in inner and not inner.strip().startswith(("(", "[", "S<", "?")):
            return nodes.String(span, inner)
        return self.inside(token.start + 1, token.end - 1)

    def inside(self, start: int, end: int) -> Expression:
        """Read a part of the text on its own."""
        part = type(self)(self.text, start, end)
        part.depth = self.depth
        found = part.whole()
        self.titles += part.titles
        for note in part.notes:
            self.note(note)
        self.bits = self.bits or part.bits
        return found

    def _name(self) -> Expression:
        token = self.take()
        name = token.text
        while name in _NAMESPACES and self.at(".") and self.text[self.token.end : self.token.end + 1].isalpha():
            if name in ("cute", "pycute", "tensor_layouts"):
                self.is_from({"cute": "dsl", "tensor_layouts": "tensor-layouts"}.get(name, name))
                self.python = True
            self.take()
            name = self.take().text
        span = Span(token.start, self.end)
        if name in _SKIPPED:
            return self._atom()
        scope, _, last = name.rpartition("::")
        if last == "Apply" and self.at("<"):
            name = scope.rpartition("::")[2] + "::Apply"
        elif scope:
            name = last
        if re.fullmatch(r"_[0-9]+", name):
            return nodes.Integer(span, int(name[1:]))
        if name in _INTEGERS:
            while self.token.kind == "name" and self.token.text in _INTEGERS:
                span = Span(span.start, self.take().end)
            return nodes.Unknown(span, 1)
        if name in ("None", "_", "Underscore", "X"):
            return nodes.Wildcard(span) if name != "X" else nodes.Name(span, name)
        if name in ("True", "False", "true", "false"):
            return nodes.Truth(span, name.lower() == "true")
        if self.at("<") and (name in self.templates or name == "tensor"):
            return self._template(name, span)
        if re.fullmatch(r"f[0-9]+", name):
            return nodes.Xor(span, int(name[1:]))
        return nodes.Name(span, name.lstrip("$%"))

    def _template(self, name: str, span: Span) -> Expression:
        opened = self.take()
        build = self.templates.get(name, self.templates["Tensor"])
        if name in ("Tensor", "tensor") and _PRINTED.match(self.text, opened.end, self.limit):
            # `Tensor<0x..@gmem o (..)>`: what the DSL prints.
            found = self.expression()
            self.expect(">", opened)
            return found
        if name in ("Tensor", "counting_iterator"):
            # The engine is a type that says nothing about the layout.
            self.skip(",", ">")
            self.accept(",")
        items = self.items(">", opened)
        self._no_pointer(*(i for i in items if name != "ComposedLayout"))
        return build(self, Span(span.start, self.end), items)

    def skip(self, *stops: str) -> None:
        """Step over balanced text up to one of the marks."""
        level = 0
        while self.token.kind != "end":
            if level == 0 and self.at(*stops):
                return
            if self.at("<", "(", "[", "{"):
                level += 1
            elif self.at(">", ")", "]", "}"):
                level -= 1
            self.take()


def _coordinate(span: Span, text: str) -> Expression:
    terms = []
    for sign, factor, path, innermost in re.findall(r"([+-]?)(?:([0-9]*)e([0-9.]+)|_?(-?[0-9]+(?:@[0-9]+)+))", text):
        if innermost:
            factor, *indices = innermost.split("@")
            indices.reverse()
        else:
            indices = path.split(".")
        terms.append((int((sign if sign == "-" else "") + (factor or "1")), tuple(map(int, indices))))
    return nodes.Coordinate(span, tuple(terms))


