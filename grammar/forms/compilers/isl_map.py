"""The text of one isl map: parameters, inputs, outputs, a conjunction of comparisons."""

from __future__ import annotations

from typing import NamedTuple

from ..reading.affine import Tree
from ..reading.affine_text import Cursor
from ..reading.reading import bad, cannot

__all__ = ["Bound", "Map", "Parser"]


class Bound(NamedTuple):
    """``left relation right``, relation one of < <= =."""

    left: Tree
    relation: str
    right: Tree


class Map(NamedTuple):
    """Parameters, inputs, outputs and the conjunction of constraints."""

    parameters: list[str]
    inputs: list[str]
    outputs: list[Tree]
    bounds: list[Bound]
    unknown: list[str]


class Parser(Cursor):
    def map(self) -> Map:
        parameters: list[str] = []
        if self.at("["):
            parameters = self._names()
            self.expect("->")
        self.expect("{")
        if self.token.kind == "name":
            self.take()
        inputs = self._names()
        self.expect("->")
        if self.token.kind == "name":
            self.take()
        outputs = self._tuple()
        bounds: list[Bound] = []
        unknown: list[str] = []
        if self.accept(":"):
            self._conjunction(bounds, unknown)
        self.expect("}")
        if self.token.kind != "end":
            raise self.unexpected()
        # A name in the output that is no input is defined by the constraints.
        return Map(parameters, inputs, outputs, bounds, unknown)

    def _names(self) -> list[str]:
        self.expect("[")
        found: list[str] = []
        while not self.at("]"):
            found.append(self.name())
            if not self.accept(","):
                break
        self.expect("]")
        if len(set(found)) != len(found):
            raise bad(self.text, self.end - 1, self.end, "a name occurs twice")
        return found

    def _tuple(self) -> list[Tree]:
        self.expect("[")
        found = []
        while not self.at("]"):
            found.append(self.expression())
            if not self.accept(","):
                break
        self.expect("]")
        return found

    def _conjunction(self, bounds: list[Bound], unknown: list[str]) -> None:
        while True:
            if self.accept("exists"):
                self.expect("(")
                unknown.append(self.name())
                while self.accept(","):
                    unknown.append(self.name())
                self.expect(":")
                self._conjunction(bounds, unknown)
                self.expect(")")
            elif self.at("(") and self._is_group():
                self.take()
                self._conjunction(bounds, unknown)
                self.expect(")")
            else:
                self._comparison(bounds)
            if not self.accept("and", "&"):
                break
            self.accept("&")
        if self.at("or"):
            raise cannot("a union of maps is no layout", source=self.text)

    def _is_group(self) -> bool:
        level = 0
        for i in range(self.token.start, self.limit):
            c = self.text[i]
            level += (c == "(") - (c == ")")
            if level == 0:
                return any(op in self.text[self.token.start : i] for op in ("<", ">", "="))
        return False

    def _comparison(self, bounds: list[Bound]) -> None:
        left = self.expression()
        seen = False
        while self.at("<", "<=", ">", ">=", "=", "=="):
            relation = self.take().text
            right = self.expression()
            if relation in (">", ">="):
                bounds.append(Bound(right, relation.replace(">", "<"), left))
            else:
                bounds.append(Bound(left, "=" if relation == "==" else relation, right))
            left, seen = right, True
        if not seen:
            raise self.unexpected("a comparison is expected")
