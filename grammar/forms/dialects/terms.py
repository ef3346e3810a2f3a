"""The reader of C++ and of prints: one expression, token by token, to the syntax tree of the language.

What a name means with its ``<..>`` and ``(..)`` is looked up in the vocabulary. Spans point into the foreign text.
"""

from __future__ import annotations

import re

from ...syntax import nodes
from ...syntax.builders import coordinate, swizzle
from ...syntax.nodes import Expression, Span
from ..reading.reading import bad
from ..reading.signatures import Argument
from ..reading.tokens import Token
from ..reading.trees import Items, basis, call, tuple_to_tiler
from .arithmetic import conditional, negated, operated, truncated
from .around import NOTHING, Declared, Names
from .builders import is_offset, swizzled, tensor
from .cpp_names import CPP
from .kernel_builders import BUILDERS
from .kinds import ElementType, IntegerType, Pointer, element_type
from .mlir_types import cute_type
from .names import Meaning, meaning
from .pointers import pointer
from .reader import Reader
from .rows import Use, Vocabulary
from .seen import Seen
from .settle import settled

__all__ = ["Terms"]

# How tightly operators bind; inside template arguments only what binds tighter than a relation is read.
_LEVELS = {
    "||": 0, "&&": 1, "==": 2, "!=": 2, "<": 3, "<=": 3, ">": 3, ">=": 3, "<<": 4,
    "+": 5, "-": 5, "*": 6, "/": 6, "%": 6, "⊗": 6, "⊘": 6, "o": 7, "∘": 7,
}  # fmt: skip
_SUM = 5
_SKIPPED = frozenset({"typename", "const", "constexpr", "static", "class", "struct", "template", "volatile"})
_LABEL = re.compile(r"\s*+=(?!=)")
_OPERATION = re.compile(r"SM\d+_\w+|G?MMA_\d+x\w+|DefaultCopy|AutoVectorizingCopy")
_ENDS = re.compile(r"(?:\s|const\b|&)*+(?:[,)>;]|\Z)")
_PRINTED = re.compile(r"\s*+(?:0[xX]|\(|ptr<|raw_ptr|S<|\{)")
_LITERAL = re.compile(r"-?\s*+_?-?[0-9]\w*")
_POSTFIXES = {"†": "L", "‡": "R", "*": "*", "R": "R", "L": "L"}


class Terms(Reader):
    """Reads expressions and collects what is seen beside them; ``names`` are those that the text around binds."""

    def __init__(self, text: str, position: int = 0, end: int | None = None, names: Names = NOTHING) -> None:
        Seen.__init__(self)
        self.names = names
        self.vocabulary = Vocabulary(CPP, BUILDERS)
        self._labels: dict[int, str] = {}
        self._pairs = True
        self._angled = False
        """Does ``>`` close what is read now?"""
        super().__init__(text, position, end)

    # ---- what others ask for ----

    def whole(self) -> Expression:
        """One expression that uses up the text."""
        found = self.expression()
        while self.accept(";"):
            pass
        if self.token.kind != "end":
            raise self.unexpected()
        return self.finished(found)

    def piece(self) -> Expression:
        """An operand and what follows it, or operands joined by `` o `` if it begins with a pointer."""
        return self.finished(self.chain())

    def finished(self, node: Expression) -> Expression:
        """A node of the language: what only C++ has is refused where it stands."""
        return settled(self.text, node)

    def inside(self, start: int, end: int) -> Expression:
        """Read a part of the text on its own."""
        part = Terms(self.text, start, end, self.names)
        part.depth = self.depth
        found = part.whole()
        self.learn(part)
        return found

    # ---- operators ----

    def expression(self, level: int = 0) -> Expression:
        """An expression of operators that bind at least so tightly."""
        left = self._operators(level)
        if level == 0 and self.token.kind == "unknown" and self.token.text == "?":
            self.take()
            pairs, self._pairs = self._pairs, False
            yes = self.expression()
            self._pairs = pairs
            self.expect(":")
            return conditional(self.text, self.names.computed(left), yes, self.expression())
        return left

    def _operators(self, level: int) -> Expression:
        left = self._signed()
        while (binds := _LEVELS.get(self.token.text, -1)) >= level and self.at(self.token.text):
            if self._angled and self.at(">"):
                break
            operator = self.take()
            right = self._operators(binds + 1)
            left = self._binary(left, right, operator)
        return left

    def chain(self) -> Expression:
        """Operands joined by `` o ``."""
        return self._operators(_LEVELS["o"])

    def _binary(self, left: Expression, right: Expression, operator: Token) -> Expression:
        sign = Span(operator.start, operator.end)
        if operator.text in ("o", "∘"):
            return self._composed(left, right, sign)
        if isinstance(left, Pointer) and operator.text == "+":
            return left.replace(span=Span(left.span.start, right.span.end), offset=right)
        if operator.text != "∘":
            left, right = self.names.computed(left), self.names.computed(right)
        divides = operator.text in ("/", "%")
        result = (truncated if divides else operated)(self.text, sign, operator.text, left, right)
        self.names.met(operator.text, left, right, result)
        return result

    def _composed(self, left: Expression, right: Expression, sign: Span) -> Expression:
        """``left o right``; a pointer hands its swizzle and its offset to the layout after it."""
        if isinstance(left, nodes.Paren) and isinstance(left.item, nodes.Swizzle):
            left = left.item
        if isinstance(left, nodes.Swizzle):
            if isinstance(right, nodes.Offset):
                right = right.item  # tensor-layouts prints `(Swizzle(3, 0, 3)) o {5} o (L)`
            if isinstance(right, Pointer):
                return right.replace(span=Span(left.span.start, right.span.end), swizzle=left)
        if is_offset(left):
            return tensor(left, right)
        if isinstance(left, Pointer):
            if left.swizzle is not None:
                right = swizzled(self, left, right)
            return right if left.offset is None else tensor(left.offset, right)
        return operated(self.text, sign, "o", left, right)

    def _signed(self) -> Expression:
        if not self.at("-", "!"):
            return self.operand()
        if self.at("!") and self.text.startswith("!cute.", self.token.start):
            return self.operand()
        self.deeper()
        sign = self.take()
        operand = self.names.computed(self._signed())
        self.depth -= 1
        if sign.text == "!":
            if isinstance(operand, nodes.Integer):
                operand = nodes.Truth(operand.span, operand.value != 0)
            if not isinstance(operand, nodes.Truth):
                raise bad(self.text, *operand.span, "the condition is not known")
            return nodes.Truth(Span(sign.start, operand.span.end), not operand.value)
        return negated(sign.start, operand)

    # ---- operands ----

    def operand(self) -> Expression:
        """An atom with what follows it: ``{}``, calls, members, indices, ``:stride``."""
        node = self._atom()
        while (found := self._followed(node)) is not None:
            node = found
        return node

    def _followed(self, node: Expression) -> Expression | None:
        """The node with the next thing that belongs to it; None if there is none."""
        mark = self.token.text if self.token.kind == "mark" else ""
        if mark == "{" and self._closes_at_once():
            self.take()
            return node.replace(span=Span(node.span.start, self.take().end))
        if isinstance(node, Pointer):
            return None
        if mark == "(":
            return self._called(node)
        if mark == "[":
            items = self.items("]", self.take())
            return nodes.Index(Span(node.span.start, self.end), node, items)
        if mark == ":" and self._pairs:
            return self._pair(node)
        if mark in (".", "::"):
            return self._member(node)
        if mark == "@" and isinstance(node, (nodes.Unknown, nodes.Name)) and self._next_char().isdigit():
            return self._scaled(node)
        if mark in ("^", "†", "‡"):
            return self._postfix(node)
        return None

    def _next_char(self) -> str:
        return self.text[self.token.end : self.token.end + 1]

    def _closes_at_once(self) -> bool:
        return self.text[self.token.end : self.limit].lstrip()[:1] == "}"

    def _pair(self, shape: Expression) -> Expression | None:
        if not self.text[self.token.end : self.limit].split("\n", 1)[0].strip():
            self.take()  # print_tensor writes a colon after the layout, then the values
            return shape
        self.take()
        sign = self.token.start
        negative = self.accept("-")
        stride = self._atom()
        if self.at("@"):
            stride = self._scaled(stride)
        stride = negated(sign, stride) if negative else stride
        self._entitle(shape, ())
        return nodes.Pair(Span(shape.span.start, self.end), shape, stride)

    def _entitle(self, shape: Expression, path: tuple[int, ...]) -> None:
        """Turn the labels inside a shape into axis titles."""
        name = self._labels.pop(shape.span.start, None) if path else None
        if name is not None:
            self.titles.append((path, name))
        if isinstance(shape, (nodes.Tuple, nodes.Paren)):
            for i, item in enumerate(shape.items if isinstance(shape, nodes.Tuple) else (shape.item,)):
                self._entitle(item, (*path, i))

    def _scaled(self, factor: Expression) -> Expression:
        """``?@1``, ``m@0``: a multiple of a basis element; the innermost index is written first."""
        path: list[int] = []
        while self.accept("@"):
            if self.token.kind != "integer":
                raise self.unexpected("an axis is expected")
            path.insert(0, int(self.take().text.lstrip("_")))
        span = Span(factor.span.start, self.end)
        return nodes.Binary(span, "*", factor, basis(span, 1, tuple(path)), span)

    def _postfix(self, node: Expression) -> Expression:
        mark = self.take()
        sign = self.take() if mark.text == "^" else mark
        if sign.text == "-" and self.token.text == "1":
            self.take()
            return nodes.Postfix(Span(node.span.start, self.end), "-1", node)
        if sign.text not in _POSTFIXES:
            raise bad(self.text, sign.start, sign.end, "this does not fit here")
        return nodes.Postfix(Span(node.span.start, self.end), _POSTFIXES[sign.text], node)

    def _called(self, node: Expression) -> Expression:
        """``L(2,5)``: evaluation; nothing in the brackets is C++'s value initialisation, ``_4()``."""
        opened = self.take()
        if isinstance(node, Declared):
            given = self._arguments(")", opened)
            found = node.entity.called(given, Span(node.span.start, self.end))
            self.names.lacks(found)
            return found
        if self.at(")") and not isinstance(node, nodes.Name):
            return node.replace(span=Span(node.span.start, self.take().end))
        arguments = tuple(map(self.names.computed, self.items(")", opened)))
        span = Span(node.span.start, self.end)
        return nodes.Call(span, node, arguments, ())

    def _member(self, node: Expression) -> Expression:
        """``x.shape<0>()``, ``X::value``."""
        mark = self.take()
        self.accept("template")
        if self.token.kind != "name":
            raise self.unexpected("a name is expected")
        name = self.take()
        for part in name.text.split("::")[:-1]:
            node = self._inside(node, part, Span(name.start, name.end))
        own = name.text.rpartition("::")[2]
        return self._last(node, mark.text, name._replace(text=own))

    def _inside(self, node: Expression, name: str, span: Span) -> Expression:
        """``node::name`` in the middle of a path."""
        found = node.entity.member(name, span) if isinstance(node, Declared) else None
        if found is None:
            raise bad(self.text, *span, f"no member is called {name}")
        self.names.lacks(found)
        return found

    def _last(self, node: Expression, mark: str, name: Token) -> Expression:
        """``node.name`` or ``node::name`` with what follows it."""
        span = Span(node.span.start, name.end)
        if isinstance(node, Declared):
            return self._bound(self._inside(node, name.text, span), span)
        if isinstance(node, nodes.Name) and (bound := self.names.find(f"{node.name}.{name.text}", span)) is not None:
            return bound
        member = ("." if mark == "." else "::") + name.text
        if member not in self.vocabulary:
            if mark == "." and not self.at("(", "<"):
                return nodes.Attribute(span, node, name.text)
            raise bad(self.text, name.start, name.end, f"no member is called {name.text}")
        return self._used(member, node.span.start, self.names.computed(node))

    # ---- names ----

    def _name(self) -> Expression:
        """A name with its arguments, as the vocabulary says."""
        token = self.take()
        span = Span(token.start, token.end)
        if token.text in _SKIPPED:
            return self._atom()
        if (bound := self._around(token)) is not None:
            return bound
        found = self._meaning(token)
        if found.node is not None:
            return self._cast(found.node)
        if found.name in ("Tensor", "tensor") and self.at("<"):
            return self._tensor()
        if self._takes_arguments(found.name):
            return self._used(found.name, token.start)
        if _OPERATION.fullmatch(found.name):
            return self._operation(found.name, token.start)
        if self.at("<") and self.token.start == token.end:
            return self._no_template(token)
        if self.at("(") and found.qualified:
            return self._function(found.name, span)
        return nodes.Name(span, found.name)

    def _meaning(self, token: Token) -> Meaning:
        """What a name stands for in the vocabulary."""
        return meaning(self.text, token, self.vocabulary)

    def _no_template(self, token: Token) -> Expression:
        """A name with template arguments that the vocabulary has not."""
        raise bad(self.text, token.start, token.end, f"no template is called {token.text}")

    def _around(self, token: Token) -> Expression | None:
        """What the text around says of a name or of a path; the names of the vocabulary win where they are used."""
        first, *path = [part for part in token.text.split("::") if part != "template"]
        span = Span(token.start, token.end)
        found = self.names.find(first, span)
        if found is None or (isinstance(found, Declared) and not path and self._takes_arguments(first)):
            return None
        if not path:
            return self._bound(found, span)
        if isinstance(found, Declared) and found.entity.is_namespace and found.entity.member(path[0], span) is None:
            return None  # the namespace of CUTLASS has more names than the file puts into it
        for name in path[:-1]:
            found = self._inside(found, name, span)
        return self._last(found, "::", token._replace(text=path[-1]))

    def _bound(self, node: Expression, span: Span) -> Expression:
        """A name that the text around binds, with its template arguments if it is a template."""
        if isinstance(node, Declared) and node.entity.takes_template and self.at("<"):
            arguments = self._arguments(">", self.take())
            return node.entity.of([a.value for a in arguments], Span(span.start, self.end))
        return node.replace(span=span)

    def _takes_arguments(self, name: str) -> bool:
        """Do the arguments of a name of the vocabulary follow, in the brackets that it takes?"""
        if name not in self.vocabulary:
            return False
        template = self.at("<") and self.vocabulary.takes_template(name)
        return bool(template or (self.at("(") and self.vocabulary.is_called(name)))

    def _tensor(self) -> Expression:
        """``Tensor<0x..@gmem o (..)>`` of the DSL, or ``Tensor<Engine, Layout>`` of C++, whose engine is a type."""
        opened = self.take()
        if not _PRINTED.match(self.text, opened.end, self.limit):
            self._pass_over(",", ">")
            self.expect(",", opened)
        found = self.expression(_SUM)
        self.expect(">", opened)
        return found

    def _pass_over(self, *ends: str) -> None:
        """Go to one of these outside of brackets."""
        level = 0
        while self.token.kind != "end" and (level or not self.at(*ends)):
            level += self.at("<", "(") - self.at(">", ")")
            self.take()

    def _operation(self, name: str, start: int) -> Expression:
        """``SM90_64x128x16_F32F16F16_SS<Major::K, Major::K>``: an instruction by its name in the catalogue."""
        if not self.at("<"):
            return nodes.String(Span(start, self.end), name)
        opened = self.take()
        self._pass_over(">")
        self.expect(">", opened)
        inside = re.sub(r"\s+", "", self.text[opened.start : self.end])
        return nodes.String(Span(start, self.end), name + inside)

    def _cast(self, node: Expression) -> Expression:
        """``int(8)`` is 8, ``unsigned int`` one type; ``(int)8`` is read with the brackets."""
        if not isinstance(node, (ElementType, IntegerType)):
            return node
        while self.token.kind == "name" and element_type(self.token.text, node.span) is not None:
            self.take()
        if not self.at("("):
            return node.replace(span=Span(node.span.start, self.end))
        items = self.items(")", self.take())
        if len(items) != 1:
            raise bad(self.text, node.span.start, self.end, "a cast has one value")
        return items[0].replace(span=Span(node.span.start, self.end))

    def _function(self, name: str, span: Span) -> Expression:
        """``cute::f(x)``: a function of the language under its name in C++."""
        arguments = self.items(")", self.take())
        return call(span, name, *arguments).replace(span=Span(span.start, self.end))

    def _used(self, name: str, start: int, receiver: Expression | None = None) -> Expression:
        """A name of the vocabulary with the brackets that follow it."""
        self.is_from("cpp")
        template = called = None
        if self.at("<") and self.vocabulary.takes_template(name):
            template = self._arguments(">", self.take())
        if self.at("(") and self.vocabulary.is_called(name, template=template is not None):
            called = self._arguments(")", self.take())
        elif self.at("{") and self.vocabulary.is_called(name, template=template is not None):
            called = self._arguments("}", self.take())
        span = Span(start, self.end)
        found = self.vocabulary.made(Use(name, self.text, span, self, template, called, receiver))
        while self.at("const", "&", "&&") and _ENDS.match(self.text, self.token.end, self.limit):
            self.take()  # what else is said of a type: `Layout<..> const&`
        return found

    # ---- atoms and brackets ----

    def _atom(self) -> Expression:
        self.deeper()
        try:
            return self._atom_here()
        finally:
            self.depth -= 1

    def _atom_here(self) -> Expression:
        token = self.token
        span = Span(token.start, token.end)
        if token.kind in ("name", "address", "swizzle") and (found := pointer(self, token)) is not None:
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
                return nodes.Unknown(span, _divisor(token.text))
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
            items = self.items("]", self.take())
            return nodes.Bracket(Span(token.start, self.end), items)
        if token.text == "<":
            items = self.items(">", self.take(), _SUM)
            # `<"[32:1;32:1]">`: the inner brackets are the tiler.
            if len(items) == 1 and isinstance(items[0], nodes.Bracket):
                items = items[0].items
            return nodes.Tiler(Span(token.start, self.end), items)
        if token.text == "{":
            opened = self.take()
            item = self.expression()
            self.expect("}", opened)
            return nodes.Offset(Span(token.start, self.end), item)
        if token.text == "!":
            return cute_type(self, token)
        raise self.unexpected()

    def _paren(self) -> Expression:
        opened = self.take()
        pairs, self._pairs = self._pairs, True
        items, comma = self._listed(")", opened, 0, labels=True)
        self._pairs = pairs
        span = Span(opened.start, self.end)
        if len(items) == 1 and not comma:
            item = items[0]
            if isinstance(item, nodes.Unknown) and self.token.kind == "integer":
                return self._atom().replace(span=Span(opened.start, self.end))  # `(int)8`: a cast
            written = self.text[opened.end : span.end - 1].strip()
            computed = isinstance(item, nodes.Integer) and not _LITERAL.fullmatch(written)
            return item if computed or isinstance(item, (Pointer, nodes.Truth)) else nodes.Paren(span, item)
        return tuple_to_tiler(span, items)

    def items(self, closing: str, opened: Token, level: int = 0) -> Items:
        """Expressions up to the closing bracket, with ``,`` or ``;`` between them."""
        return self._listed(closing, opened, level)[0]

    def _listed(self, closing: str, opened: Token, level: int, *, labels: bool = False) -> tuple[Items, bool]:
        """The items, and whether a comma follows the last one; a label of an item, ``MMA_M=4``, is an axis title."""
        found: list[Expression] = []
        comma = False
        before, self._angled = self._angled, closing == ">"
        while not self.at(closing) and self.token.kind != "end":
            label = self._label() if labels else ""
            item = self.expression(level)
            if label:
                self._labels[item.span.start] = label
            found.append(item)
            comma = self.at(",", ";")
            if not comma:
                break
            self.take()
        self._angled = before
        self.expect(closing, opened)
        return tuple(found), comma

    def _label(self) -> str:
        """``MMA_M=`` in front of an item."""
        if self.token.kind != "name" or not _LABEL.match(self.text, self.token.end, self.limit):
            return ""
        name = self.take().text
        self.take()
        return name

    def _arguments(self, closing: str, opened: Token) -> tuple[Argument, ...]:
        """The arguments of a template or call."""
        items = map(self.names.computed, self.items(closing, opened))
        return tuple(Argument("", item, *item.span) for item in items)

    def _string(self) -> Expression:
        """A quoted layout is read in its place; any other string stays one."""
        token = self.take()
        inner = token.text[1:-1]
        if ":" not in inner and not inner.strip().startswith(("(", "[", "S<", "?")):
            return nodes.String(Span(token.start, token.end), inner)
        return self.inside(token.start + 1, token.end - 1)


def _divisor(text: str) -> int:
    """The known divisor of ``?{i64 div=8}``."""
    _, _, written = text.partition("div")
    digits = written.strip(" =}")
    return int(digits) if digits.isdigit() else 1
