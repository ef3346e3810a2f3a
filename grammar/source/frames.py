"""What is known of a file while its names are being found: frames of its blocks, and what definitions came to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Diagnostic

from ..forms.dialects.around import Names
from ..run.context import Unbound
from ..run.scope import Scope
from ..syntax.nodes import Expression, Span
from .definitions import Block, Condition, Definition, Extent, Unread

__all__ = ["Frame", "Needs", "Outcome", "SourceFile", "Step", "Table"]


class SourceFile(Protocol):
    """A file with its blocks, and a reader of its expressions."""

    text: str
    root: Block
    includes: list[str]
    unread: list[Unread]

    def expression(self, extent: Extent, names: Names) -> Expression:
        """The tree of an expression of the file."""

    def foreign(self, text: str, names: Names) -> Expression:
        """The tree of an expression in the language of the file."""

    def module(self, name: str) -> list[str] | None:
        """The path that an import gives a name."""


class Outcome(Record):
    """What a definition came to: a node to stand for it, its value, or why it has none; ``needs`` are the names that
    nobody bound and that it depends on.
    """

    node: Expression | None = None
    value: Any = None
    failure: Diagnostic | None = None
    needs: frozenset[str] = frozenset()
    warnings: tuple[Diagnostic, ...] = ()
    report: Any = None
    finding: Diagnostic | None = None
    assumed: frozenset[str] = frozenset()
    """What was taken for known, in words: ``threadIdx.x = 0``."""
    defaults: bool = False
    """Does it depend on a parameter that has its default because nobody gave an argument?"""
    question: Any = None
    """Tree, text and error of an expression with unknown numbers that nobody explored yet."""


class Needs:
    """The names that an expression lacks on its way, and what it takes for known."""

    __slots__ = ("assumed", "defaults", "names")

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.assumed: set[str] = set()
        self.defaults = False

    def add(self, name: str) -> None:
        """One more name that nobody bound."""
        self.names.add(name)

    def frozen(self) -> frozenset[str]:
        """The names as they are now."""
        return frozenset(self.names)

    def learn(self, found: Outcome | Needs, name: str = "") -> None:
        """What another expression needs, and ``name`` if that is nothing."""
        names = found.needs if isinstance(found, Outcome) else found.names
        self.names |= names or ({name} if name else set())
        self.assumed |= found.assumed
        self.defaults |= found.defaults


class Step(NamedTuple):
    """An operation on numbers and what it came to."""

    symbol: str
    left: Expression
    right: Expression
    result: Expression


class Frame:
    """A block at certain arguments; ``explicit`` if somebody gave them."""

    __slots__ = ("block", "bound", "explicit", "file", "outcomes", "outer")

    def __init__(self, block: Block, file: SourceFile, outer: Frame | None, bound: Mapping[str, Expression]) -> None:
        self.block = block
        self.file = file
        self.outer = outer
        self.bound = bound
        self.explicit: bool = bool(bound) or (outer is not None and outer.explicit)
        self.outcomes: dict[int, Outcome] = {}


class Table(ABC):
    """What the names of a file ask of the table of its symbols."""

    scope: Scope
    numbers: set[str]
    """The names of unknown numbers."""
    written: dict[str, Expression]
    """The expressions of the values that the scope keeps."""

    @abstractmethod
    def frame(self, block: Block, outer: Frame, bound: Mapping[str, Expression]) -> Frame:
        """The frame of a block at arguments, the same one each time."""

    @abstractmethod
    def lookup(self, frame: Frame, name: str, at: int, needs: Needs, span: Span) -> Expression | None:
        """What stands for a name at a place of a frame."""

    @abstractmethod
    def member(self, frame: Frame, name: str, span: Span) -> Expression | None:
        """What a struct calls by a name."""

    @abstractmethod
    def namesake(self, frame: Frame, name: str, span: Span) -> Expression | None:
        """What a namespace of the same name calls so in another file."""

    @abstractmethod
    def outcome(self, frame: Frame, definition: Definition) -> Outcome:
        """What a definition comes to in a frame."""

    @abstractmethod
    def evaluate(self, frame: Frame, extent: Extent, entry: int | None = None) -> Outcome:
        """What an expression of a file comes to in a frame."""

    @abstractmethod
    def holds(self, frame: Frame, conditions: Sequence[Condition], needs: Needs, at: int) -> bool | None:
        """Do all conditions hold? None if nobody knows."""

    @abstractmethod
    def keep(self, value: Any, node: Expression) -> str:
        """A name in the scope for a value that has no literal."""

    @abstractmethod
    def open(self, node: Expression, text: str, unbound: Unbound, needs: Needs) -> Outcome:
        """An expression with unknown numbers, which stands for itself."""
