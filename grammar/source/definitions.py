"""What a file defines, whatever its language: blocks with parameters, names with the text that says what they are.

A definition does not know its value; `symbols` finds that in the frame of a block, whose parameters are bound or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from laycalc.algebra.base.record import Record

__all__ = ["Block", "Condition", "Definition", "Extent", "Parameter", "Unread"]


class Extent(NamedTuple):
    """Half-open range of characters of a file."""

    start: int
    end: int


class Condition(NamedTuple):
    """The condition of an ``if`` that is decided before the program runs, what it must come to, and the branch."""

    text: Extent
    truth: bool
    branch: Extent


class Unread(Record):
    """A piece of a file that was not read: where it begins, its text, and why."""

    line: int
    text: str
    reason: str
    name: str = ""


class Definition(Record):
    """A name and the expression that says what it is.

    ``kind`` is ``type``, ``value``, ``number`` (declared as an integer), ``assertion``, ``return`` or ``call``.
    ``entry`` is the place in a structured binding. ``reach`` is the part of a function where the name is known, and
    ``when`` are the conditions on the way to it. ``changes`` says that it is assigned again: nobody knows its value.
    ``within`` is the function whose names it sees where that is not the block that holds it.
    """

    name: str
    kind: str
    text: Extent
    line: int
    reach: Extent
    when: tuple[Condition, ...] = ()
    entry: int | None = None
    changes: bool = False
    within: Any = None


class Parameter(Record):
    """A parameter of a template or a function: ``number``, ``type`` or ``value``; its type and its default."""

    name: str
    kind: str
    default: Extent | None = None
    type: Extent | None = None
    many: bool = False


class Block:
    """A file, namespace, struct, function, or the template of an alias, with what is defined in it."""

    __slots__ = (
        "bases", "blocks", "called", "conditions", "definitions", "extent", "kind", "line", "name", "parameters",
        "parent", "patterns", "template",
    )  # fmt: skip

    def __init__(self, kind: str, name: str, line: int, extent: Extent, parent: Block | None) -> None:
        self.kind = kind
        self.name = name
        self.line = line
        self.extent = extent
        self.parent = parent
        self.template: tuple[Parameter, ...] | None = None
        """The parameters of a template, None if it is none."""
        self.parameters: tuple[Parameter, ...] = ()
        """Those of a function."""
        self.patterns: tuple[Extent, ...] | None = None
        """The arguments that a specialisation is for."""
        self.bases: list[Extent] = []
        self.conditions: tuple[Condition, ...] = ()
        self.definitions: dict[str, list[Definition]] = {}
        self.blocks: dict[str, list[Block]] = {}

    def add(self, definition: Definition) -> None:
        """Put a definition into the block."""
        self.definitions.setdefault(definition.name, []).append(definition)

    def enter(self, block: Block) -> Block:
        """Put a block into the block."""
        self.blocks.setdefault(block.name, []).append(block)
        return block

    def all_definitions(self) -> Iterator[Definition]:
        """The definitions in the order of the file."""
        yield from sorted((d for some in self.definitions.values() for d in some), key=lambda d: (d.text, d.entry or 0))

    def inner(self) -> Iterator[Block]:
        """The blocks in it, in the order of the file."""
        yield from sorted((b for some in self.blocks.values() for b in some), key=lambda b: b.extent)

    def below(self) -> Iterator[Block]:
        """The block and all blocks in it."""
        yield self
        for block in self.inner():
            yield from block.below()

    @property
    def path(self) -> str:
        """The name with the names of the blocks around it."""
        names = [self.name] if self.name else []
        above = self.parent
        while above is not None:
            names = [above.name, *names] if above.name else names
            above = above.parent
        return "::".join(names)
