"""What the text around an expression says of its names: values, and structs, templates and functions of the file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ...syntax.nodes import Expression, Span

__all__ = ["NOTHING", "Declared", "Entity", "Lacking", "Names"]


class Names:
    """The names that are bound around an expression: none, unless a subclass knows better."""

    in_file = False
    """Does the expression stand in a whole file, where a tensor is told from a layout?"""

    def find(self, name: str, span: Span) -> Expression | None:
        """What stands for a name, a dotted path or a word before ``::``; None if nothing binds it."""
        return None

    def module(self, name: str) -> list[str] | None:
        """The path of a module or of a name in it that an import gives another name."""
        return None

    def written(self, node: Expression) -> Expression:
        """The expression that a computed value comes from."""
        return node

    def function_at(self, start: int) -> tuple[Expression, int] | None:
        """The function without a name that begins at a place, and where it ends."""
        return None

    def is_number(self, name: str) -> bool:
        """Does a name stand for an unknown number?"""
        return False

    def assume(self, words: str) -> None:
        """Take note of what is taken for known."""

    def in_vain(self) -> AbstractContextManager[None]:
        """A part whose names are not needed, whatever they are."""
        return nullcontext()

    def lacks(self, node: Expression) -> None:
        """Take note of a member that is lacking."""

    def met(self, symbol: str, left: Expression, right: Expression, result: Expression) -> None:
        """Take note of an operation on numbers."""

    def computed(self, node: Expression) -> Expression:
        """The node, or the literal that it comes to, for those who need to see its value."""
        return node


NOTHING = Names()


class Entity(ABC):
    """A struct, a template, a function or a namespace of a file."""

    @property
    @abstractmethod
    def takes_template(self) -> bool:
        """May ``<`` after it open template arguments?"""

    @property
    @abstractmethod
    def is_namespace(self) -> bool:
        """Is it a namespace, which other files may have more of?"""

    @abstractmethod
    def of(self, arguments: Sequence[Any], span: Span) -> Expression:
        """The entity with its template arguments."""

    @abstractmethod
    def member(self, name: str, span: Span) -> Expression | None:
        """What it calls by a name; None if it has no such member."""

    @abstractmethod
    def called(self, arguments: Sequence[Any], span: Span) -> Expression:
        """What it returns for these arguments, each with its keyword or none."""


class Declared(Expression):
    """A name of an entity."""

    entity: Entity


class Lacking(Expression):
    """A name that stands for something which the text does not say, and the names that it waits for."""

    name: str
    needs: frozenset[str] = frozenset()
