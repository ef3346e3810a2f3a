"""The reader of C++ inside a whole file, where most of what stands beside a layout is known to nobody.

A name that nothing binds is `Lacking`, with all that follows it; a pointer is a place and no more; brackets around one
thing group it; a slice of a layout has no offset.
"""

from __future__ import annotations

import re

from laycalc.diagnostics.model import Failure

from ..forms.dialects.around import Lacking
from ..forms.dialects.instructions import instruction
from ..forms.dialects.kinds import Pointer
from ..forms.dialects.names import Meaning
from ..forms.dialects.terms import Terms
from ..forms.reading.reading import bad
from ..forms.reading.tokens import Token
from ..forms.reading.trees import call, is_free
from ..language.functions import find
from ..run.evaluator import CONSTANTS
from ..syntax import nodes
from ..syntax.nodes import Expression, Span

__all__ = ["FileTerms"]

_POINTERS = frozenset({"make_gmem_ptr", "make_smem_ptr", "make_rmem_ptr", "make_ptr", "recast_ptr", "raw_pointer_cast"})
_CASTS = frozenset({"reinterpret_cast", "static_cast", "const_cast", "dynamic_cast"})
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_QUALIFIED = re.compile(r"(?:cute|cutlass|std)::")


class FileTerms(Terms):
    """Reads an expression of a file."""

    # ---- what nobody knows ----

    def _name(self) -> Expression:
        token = self.token
        name = _QUALIFIED.sub("", token.text)
        if name in _CASTS:
            return self._casted()
        if name in _POINTERS and self._around_name(token) is None:
            return self._place(self.take())
        found = super()._name()
        if isinstance(found, nodes.Name) and not self._means_something(found.name):
            return self._lacking(found.name, found.span)
        return found

    def _meaning(self, token: Token) -> Meaning:
        try:
            return super()._meaning(token)
        except Failure:
            return Meaning(token.text, self._lacking(token.text, Span(token.start, token.end)))

    def _no_template(self, token: Token) -> Expression:
        return self._lacking(token.text, Span(token.start, token.end))

    def _function(self, name: str, span: Span) -> Expression:
        return super()._function(name, span) if find(name) is not None else self._lacking(name, span)

    def _around_name(self, token: Token) -> Expression | None:
        return self.names.find(token.text.split("::")[0], Span(token.start, token.end))

    def _means_something(self, name: str) -> bool:
        """Is a name a symbol, a value of ours, a word of the language, or one of its functions that is called?"""
        called = self.at("(") and find(name) is not None
        return called or name.startswith("#") or self.names.is_number(name) or name in CONSTANTS

    def _lacking(self, name: str, span: Span) -> Expression:
        """A name that nobody knows, with its template arguments."""
        node = Lacking(span, name)
        if self.at("<") and self.token.start == self.end:
            self._skip_angles()
        if self.names.find(f"{name}.x", span) is None:
            self.names.lacks(node)
        return node

    def _atom_here(self) -> Expression:
        """A function that stands where it is called, ``[&] { return x; }()``, or another atom."""
        found = self.names.function_at(self.token.start) if self.at("[") else None
        if found is None:
            return super()._atom_here()
        node, end = found
        self.jump(end)
        return node

    def _followed(self, node: Expression) -> Expression | None:
        if isinstance(node, Pointer) and self.at(".", "->"):
            self.take()
            self.take()
            if self.at("("):
                self._skip()
            return node  # `t.data().get()` is the same place
        if not isinstance(node, Lacking):
            return super()._followed(node)
        mark = self.token.text if self.token.kind == "mark" else ""
        if mark in _CLOSING:
            self._skip()
            return node
        if mark in (".", "::", "->"):
            self.take()
            name = self.take()
            bound = self.names.find(f"{node.name}.{name.text}", node.span)
            if self.at("<") and self.token.start == self.end:
                self._skip_angles()
            return bound if bound is not None else node
        return None

    def _skip(self) -> None:
        """Step over brackets and what is in them."""
        opened = self.take()
        level = 1
        while level:
            if self.token.kind == "end":
                raise bad(self.text, opened.start, opened.end, f"{opened.text!r} is never closed")
            level += self.at("(", "[", "{") - self.at(")", "]", "}")
            self.take()

    def _skip_angles(self) -> None:
        """Step over template arguments."""
        opened = self.take()
        level = 1
        while level:
            if self.at("(", "[", "{"):
                self._skip()
                continue
            if self.token.kind == "end" or self.at(";", ")", "]", "}"):
                raise bad(self.text, opened.start, opened.end, "'<' is never closed")
            level += self.at("<") - self.at(">")
            self.take()

    # ---- pointers and casts ----

    def _casted(self) -> Expression:
        """``static_cast<T>(x)``: the value, whatever its type is."""
        token = self.take()
        if self.at("<"):
            self._skip_angles()
        if not self.at("("):
            raise bad(self.text, token.start, token.end, f"{token.text} casts a value in brackets")
        opened = self.take()
        found = self.items(")", opened)
        if len(found) != 1:
            raise bad(self.text, token.start, self.end, "a cast has one value")
        return found[0]

    def _place(self, token: Token) -> Expression:
        """``make_smem_ptr(x)``: a place; only an offset that is known tells it from any other."""
        if self.at("<"):
            self._skip_angles()
        if not self.at("("):
            return Lacking(Span(token.start, self.end), token.text)
        opened = self.take()
        with self.names.in_vain():
            try:
                found = self.items(")", opened)
            except Failure:
                found = ()
        if self.end <= opened.end or self.text[self.end - 1] != ")" or not found:
            self.jump(opened.start)
            self._skip()
        span = Span(token.start, self.end)
        known = found[0] if len(found) == 1 else None
        if isinstance(known, Pointer):
            return known.replace(span=span)
        if "+" in self.text[opened.end : self.end]:
            self.names.assume("the offset of a pointer is taken for 0")
        return Pointer(span)

    def _signed(self) -> Expression:
        if not self.at("&", "*"):
            return super()._signed()
        sign = self.take()
        operand = self._signed()
        return operand if isinstance(operand, Lacking) else Lacking(Span(sign.start, operand.span.end), "a pointer")

    # ---- what C++ means by it ----

    def _paren(self) -> Expression:
        found = super()._paren()
        return found.item if isinstance(found, nodes.Paren) else found

    def _called(self, node: Expression) -> Expression:
        found = super()._called(node)
        if isinstance(node, nodes.Pair) and isinstance(found, nodes.Call) and any(map(is_free, found.arguments)):
            # A layout drops the offset of its slice, a tensor keeps it.
            arguments = found.arguments
            coordinate = arguments[0] if len(arguments) == 1 else nodes.Tuple(found.span, arguments)
            return nodes.Attribute(found.span, call(found.span, "slice", node, coordinate), "layout")
        return found

    def _operation(self, name: str, start: int) -> Expression:
        """An instruction whose template arguments are names of the file."""
        if not self.at("<"):
            return super()._operation(name, start)
        opened = self.token
        try:
            items = self.items(">", self.take())
        except Failure:
            self.jump(opened.start)
            return super()._operation(name, start)
        return instruction(self.text, name, Span(start, self.end), items)
