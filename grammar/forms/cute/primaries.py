"""The atoms of foreign text: numbers, names with what they mean, brackets, strings; the operators are in `terms`."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ...syntax import nodes
from ...syntax.builders import coordinate, swizzle
from ...syntax.nodes import Expression, Keyword, Span
from ..reading.reading import bad
from ..reading.tokens import Token, Tokens
from ..reading.trees import Items, tuple_to_tiler
from .builders import Pointer, Seen

__all__ = ["Primaries", "Vocabulary"]

_NAMESPACES = frozenset({
    "cute", "cutlass", "pycute", "tensor_layouts", "tl", "ct", "std", "detail", "layout", "np", "numpy", "torch",
    "T", "tilelang", "tir", "ttgl", "gl", "triton", "experimental", "gluon",
})  # fmt: skip
_SKIPPED = frozenset({"typename", "const", "constexpr", "static", "class", "struct", "template", "volatile"})
_INTEGERS = frozenset({
    "int", "unsigned", "signed", "long", "short", "char", "size_t", "ptrdiff_t", "index",
    "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
    "i8", "i16", "i32", "i64", "u32", "u64", "Int32", "Int64", "Uint32",
})  # fmt: skip
_PRINTED = re.compile(r"\s*+(?:0[xX]|\(|ptr<|raw_ptr|S<|\{)")
_LABEL = re.compile(r"\s*+=(?!=)")
_DIVISOR = re.compile(r"div\s*+=\s*+([0-9]+)")


class Vocabulary(NamedTuple):
    """What names mean: of templates, of calls; and readers of what is no name, each of which may decline."""

    templates: Mapping[str, Callable[..., Expression]]
    calls: Mapping[str, Callable[..., Expression | None]]
    pointer: Callable[..., Expression | None]
    bracketed: Callable[..., Expression | None]
    constructed: Callable[..., Expression | None]


class Primaries(Tokens, Seen, ABC):
    """Reads atoms; collects ``notes``, axis titles and the element width on the way."""

    def __init__(
        self, text: str, position: int = 0, end: int | None = None, *, vocabulary: Vocabulary, python: bool = False
    ) -> None:
        Seen.__init__(self)
        self.vocabulary = vocabulary
        self.python = python
        """In Python ``(8)`` is 8 and a tuple with a layout in it is a tiler."""
        self._labels: dict[int, str] = {}
        super().__init__(text, position, end)

    @abstractmethod
    def expression(self) -> Expression:
        """An expression of any kind."""

    @abstractmethod
    def whole(self) -> Expression:
        """One expression that uses up the text."""

    def no_pointer(self, *operands: Expression) -> None:
        for operand in operands:
            if isinstance(operand, Pointer):
                raise bad(self.text, *operand.span, "a pointer has no place here")

    def atom(self) -> Expression:
        self.deeper()
        try:
            return self._atom_here()
        finally:
            self.depth -= 1

    def _atom_here(self) -> Expression:
        token = self.token
        span = Span(token.start, token.end)
        if token.kind in ("name", "address", "swizzle") and (found := self.vocabulary.pointer(self, token)) is not None:
            return found
        match token.kind:
            case "integer":
                self.take()
                return nodes.Integer(span, int(token.text.lstrip("_").rstrip("uUlL")))
            case "coordinate":
                self.take()
                return coordinate(span, token)
            case "swizzle":
                self.take()
                return swizzle(span, token)
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
            self.no_pointer(item)
            self.expect("}", opened)
            return nodes.Offset(Span(token.start, self.end), item)
        if (found := self.vocabulary.bracketed(self, token)) is not None:
            return found
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
            self.no_pointer(item)
            return nodes.Paren(span, item)
        self.no_pointer(*items)
        return tuple_to_tiler(span, items, python=self.python)

    def items(self, closing: str, opened: Token) -> Items:
        """Expressions up to the closing bracket, with ``,`` or ``;`` between them."""
        found = self._listed(closing, opened)[0]
        self.no_pointer(*found)
        return found

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
        part = type(self)(self.text, start, end, vocabulary=self.vocabulary)
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
            return self.atom()
        scope, _, last = name.rpartition("::")
        if last == "Apply" and self.at("<"):
            name = scope.rpartition("::")[2] + "::Apply"
        elif scope:
            name = last
        if re.fullmatch(r"_[0-9]+", name):
            return nodes.Integer(span, int(name[1:]))
        if name == "UNKNOWN_VALUE":
            return nodes.Unknown(span, 1)
        if name in _INTEGERS:
            while self.token.kind == "name" and self.token.text in _INTEGERS:
                span = Span(span.start, self.take().end)
            return nodes.Unknown(span, 1)
        if name in ("None", "_", "Underscore", "X"):
            return nodes.Wildcard(span) if name != "X" else nodes.Name(span, name)
        if name in ("True", "False", "true", "false"):
            return nodes.Truth(span, name.lower() == "true")
        if self.at("<") and (name in self.vocabulary.templates or name == "tensor"):
            return self._template(name, span)
        if re.fullmatch(r"f[0-9]+", name):
            return nodes.Xor(span, int(name[1:]))
        return nodes.Name(span, name.lstrip("$%"))

    def _template(self, name: str, span: Span) -> Expression:
        opened = self.take()
        build = self.vocabulary.templates["Tensor" if name == "tensor" else name]
        if name in ("Tensor", "tensor") and _PRINTED.match(self.text, opened.end, self.limit):
            # `Tensor<0x..@gmem o (..)>`: what the DSL prints.
            found = self.expression()
            self.expect(">", opened)
            return found
        if name in ("Tensor", "counting_iterator"):
            # The engine is a type that says nothing about the layout.
            self.skip(",", ">")
            self.accept(",")
        items = self._listed(">", opened)[0]
        self.no_pointer(*(i for i in items if name != "ComposedLayout"))
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
