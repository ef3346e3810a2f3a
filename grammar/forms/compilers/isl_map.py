"""The text of one isl map: parameters, inputs, outputs, a conjunction of comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from ..reading.affine import Tree, names_of, substituted
from ..reading.affine_text import Cursor
from ..reading.reading import argument_error, bad, cannot

_Item = TypeVar("_Item")


class Constraint(NamedTuple):
    """``left relation right``, relation one of < <= =, and its place in the text."""

    left: Tree
    relation: str
    right: Tree
    start: int
    end: int

    @property
    def names(self) -> set[str]:
        """The variables that it speaks of."""
        return names_of(self.left) | names_of(self.right)


class Map(NamedTuple):
    """Parameters, inputs, outputs and the conjunction of constraints.

    ``unknown`` are the variables that the constraints define: the existential ones, and an output that is a new name.
    """

    parameters: list[str]
    inputs: list[str]
    outputs: list[Tree]
    constraints: list[Constraint]
    unknown: list[str]


def eliminated(found: Map) -> Map:
    """The same map without the unknowns that an equation defines at once, ``o = floor(i/4)``."""
    while True:
        for i, constraint in enumerate(found.constraints):
            if (known := _definition(constraint, set(found.unknown))) is not None:
                found = _substituted(found, [*found.constraints[:i], *found.constraints[i + 1 :]], known)
                break
        else:
            return found


_SMALL = 64
"""Parts of an expression that stands for an unknown wherever that occurs."""


def _definition(constraint: Constraint, unknown: set[str]) -> dict[str, Tree] | None:
    """The unknown that an equation gives, and its expression, if that is short and has no unknown itself."""
    if constraint.relation == "=":
        for side, other in ((constraint.left, constraint.right), (constraint.right, constraint.left)):
            if side[0] == "v" and side[1] in unknown and not names_of(other) & unknown and _size(other) <= _SMALL:
                return {side[1]: other}
    return None


def _size(tree: Tree) -> int:
    return 1 if tree[0] in ("n", "v") else 1 + sum(map(_size, tree[1:]))


def _substituted(found: Map, constraints: list[Constraint], known: dict[str, Tree]) -> Map:
    return found._replace(
        outputs=[substituted(t, known) for t in found.outputs],
        constraints=[
            c._replace(left=substituted(c.left, known), right=substituted(c.right, known)) for c in constraints
        ],
        unknown=[name for name in found.unknown if name not in known],
    )


class Parser(Cursor):
    """Reads one map; what isl has and we have not is refused by its name."""

    def map(self) -> Map:
        """The map that the whole text is."""
        parameters: list[str] = []
        if self.at("["):
            parameters = self._names()
            self.expect("->")
        opened = self.expect("{")
        inputs = self._tuple(self._names)
        self.expect("->")
        outputs = self._tuple(lambda: self._bracketed(self.expression))
        constraints: list[Constraint] = []
        unknown = [t[1] for t in outputs if t[0] == "v" and t[1] not in (*inputs, *parameters)]
        if self.accept(":"):
            self._conjunction(constraints, unknown)
        if self.at(";"):
            raise cannot("a union of maps is no layout", source=self.text)
        self.expect("}", opened)
        if self.token.kind != "end":
            raise self.unexpected()
        self._declared({*parameters, *inputs, *unknown}, outputs, constraints)
        return Map(parameters, inputs, outputs, constraints, list(dict.fromkeys(unknown)))

    def _tuple(self, entries: Callable[[], list[_Item]]) -> list[_Item]:
        """A tuple, whose name says nothing about the layout."""
        if self.token.kind == "name":
            self.take()
        return entries()

    def _names(self) -> list[str]:
        found = self._bracketed(self.name)
        if len(set(found)) != len(found):
            raise bad(self.text, self.end - 1, self.end, "a name occurs twice")
        return found

    def _bracketed(self, item: Callable[[], _Item]) -> list[_Item]:
        opened = self.expect("[")
        found: list[_Item] = []
        while not self.at("]"):
            found.append(item())
            if not self.accept(","):
                break
        self.expect("]", opened)
        return found

    def _declared(self, known: set[str], outputs: list[Tree], constraints: list[Constraint]) -> None:
        for constraint in constraints:
            for name in sorted(constraint.names - known):
                raise argument_error(
                    self.text, constraint.start, constraint.end, f"{name} is no input and no parameter"
                )
        for name in sorted({n for t in outputs for n in names_of(t)} - known):
            raise cannot(f"{name} is no input and no parameter", source=self.text)

    def _conjunction(self, constraints: list[Constraint], unknown: list[str]) -> None:
        while True:
            if self.at("not", "implies", "false", "true"):
                raise cannot(f"{self.token.text} is not covered: a conjunction of comparisons is", source=self.text)
            if self.accept("exists"):
                self._exists(constraints, unknown)
            elif self.at("(") and self._is_group():
                self.take()
                self._conjunction(constraints, unknown)
                self.expect(")")
            else:
                self._comparison(constraints)
            if not self.accept("and", "&"):
                break
            self.accept("&")
        if self.at("or", "|"):
            raise cannot("a union of maps is no layout", source=self.text)

    def _exists(self, constraints: list[Constraint], unknown: list[str]) -> None:
        """``exists (a, b : ..)`` or ``exists a, b : ..``."""
        opened = self.take() if self.at("(") else None
        unknown.append(self.name())
        while self.accept(","):
            unknown.append(self.name())
        self.expect(":")
        self._conjunction(constraints, unknown)
        if opened is not None:
            self.expect(")", opened)

    def _is_group(self) -> bool:
        level = 0
        for i in range(self.token.start, self.limit):
            c = self.text[i]
            level += (c == "(") - (c == ")")
            if level == 0:
                return any(op in self.text[self.token.start : i] for op in ("<", ">", "="))
        return False

    def _comparison(self, constraints: list[Constraint]) -> None:
        """``0 <= i, j < 8``: each of a side with each of the next one."""
        start, left = self.token.start, self._side()
        if not self.at(*_RELATIONS):
            raise self.unexpected("a comparison is expected")
        while self.at(*_RELATIONS):
            relation, swapped = _RELATIONS[self.take().text]
            next_, right = self.token.start, self._side()
            for a in left:
                for b in right:
                    first, second = (b, a) if swapped else (a, b)
                    constraints.append(Constraint(first, relation, second, start, self.end))
            start, left = next_, right

    def _side(self) -> list[Tree]:
        found = [self.expression()]
        while self.accept(","):
            found.append(self.expression())
        return found


_RELATIONS = {
    "<": ("<", False), "<=": ("<=", False), "=": ("=", False), "==": ("=", False), ">": ("<", True), ">=": ("<=", True),
}  # fmt: skip
