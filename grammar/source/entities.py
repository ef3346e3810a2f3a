"""Structs, functions and templates as names: at template arguments, called, with their members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laycalc.diagnostics.model import Failure

from ..forms.dialects.around import Declared, Entity, Lacking
from ..forms.dialects.kinds import RunTime
from ..syntax import nodes
from ..syntax.nodes import Expression, Span
from .definitions import Block, Parameter
from .frames import Frame, Needs, Table

__all__ = ["Constructed", "Declaration"]


class Declaration(Entity):
    """The structs, functions or alias templates of a name in a frame, perhaps with template arguments."""

    def __init__(
        self,
        symbols: Table,
        frame: Frame,
        name: str,
        arguments: tuple[Expression, ...] | None = None,
        within: Block | None = None,
    ) -> None:
        self.symbols = symbols
        self._only = within
        self.frame = frame
        self.name = name
        self.arguments = arguments

    @property
    def blocks(self) -> list[Block]:
        """All blocks of the name: a template and its specialisations, overloads."""
        return self.frame.block.blocks[self.name] if self._only is None else [self._only]

    @property
    def is_namespace(self) -> bool:
        return all(block.kind == "namespace" for block in self.blocks)

    @property
    def takes_template(self) -> bool:
        return self.arguments is None and any(block.template is not None for block in self.blocks)

    def of(self, arguments: Sequence[Any], span: Span) -> Expression:
        found = Declaration(self.symbols, self.frame, self.name, tuple(arguments))
        block = self.blocks[0]
        if block.kind != "alias":
            return Declared(span, found)
        frame = self.symbols.frame(block, self.frame, found.bound(block))
        outcome = self.symbols.outcome(frame, block.definitions[""][0])
        return outcome.node or Lacking(span, self.name)

    def bound(self, block: Block) -> dict[str, Expression]:
        """The template parameters of a block with their arguments."""
        bound: dict[str, Expression] = {}
        arguments = list(self.arguments or ())
        for parameter in block.template or ():
            if parameter.many:
                bound[parameter.name] = nodes.Tuple(Span(0, 0), tuple(arguments))
                break
            if arguments:
                bound[parameter.name] = arguments.pop(0)
        return bound

    def inside(self) -> Frame:
        """The frame of the struct or namespace."""
        block, bound = self._specialised()
        return self.symbols.frame(block, self.frame, bound)

    def _specialised(self) -> tuple[Block, dict[str, Expression]]:
        """The specialisation that the arguments are for, or the template itself."""
        primary = next((block for block in self.blocks if block.patterns is None), self.blocks[0])
        if self.arguments is not None:
            for block in self.blocks:
                if block.patterns is not None and (bound := self._matched(block)) is not None:
                    return block, bound
        return primary, self.bound(primary)

    def _matched(self, block: Block) -> dict[str, Expression] | None:
        """The parameters of a specialisation at the arguments, None if it is for others."""
        bound: dict[str, Expression] = {}
        free = {parameter.name for parameter in block.template or ()}
        patterns, arguments = block.patterns or (), self.arguments or ()
        if len(patterns) != len(arguments):
            return None
        for pattern, argument in zip(patterns, arguments, strict=True):
            written = self.frame.file.text[pattern.start : pattern.end].strip()
            if written in free:
                if bound.setdefault(written, argument) != argument:
                    return None
            elif self.symbols.evaluate(self.frame, pattern).node != argument:
                return None
        return bound

    def member(self, name: str, span: Span) -> Expression | None:
        frame = self.inside()
        if frame.block.kind == "function":
            return None
        found = self.symbols.member(frame, name, span)
        return self.symbols.namesake(frame, name, span) if found is None and self.is_namespace else found

    def called(self, arguments: Sequence[Any], span: Span) -> Expression:
        for block in self.blocks:
            if block.kind == "function" and len(block.parameters) >= len(arguments):
                bound = {**self.bound(block), **_at_run_time(block, _given(block.parameters, arguments))}
                found = self._returned(self.symbols.frame(block, self.frame, bound), span)
                if found is not None:
                    return found
            if block.kind == "class":
                return Declared(span, Constructed(self, block, arguments))
        return Declared(span, self) if not arguments else Lacking(span, self.name)

    def _returned(self, frame: Frame, span: Span) -> Expression | None:
        """What a function returns at its arguments; None if it is not known which of its returns does it."""
        for definition in frame.block.definitions.get("", ()):
            if definition.kind != "return":
                continue
            holds = self.symbols.holds(frame, definition.when, Needs(), -1)
            if holds is None:
                return None
            if holds:
                outcome = self.symbols.outcome(frame, definition)
                if outcome.failure is not None and not outcome.needs:
                    raise Failure(outcome.failure)
                return outcome.node or Lacking(span, self.name, outcome.needs)
        return None


class Constructed(Entity):
    """An object of a class of Python, made with these arguments."""

    def __init__(self, declaration: Declaration, block: Block, arguments: Sequence[Any]) -> None:
        self.declaration = declaration
        self.block = block
        made = block.blocks.get("__init__")
        self.bound = _given(made[0].parameters, arguments) if made else {}

    @property
    def is_namespace(self) -> bool:
        return False

    @property
    def takes_template(self) -> bool:
        return False

    @property
    def blocks(self) -> list[Block]:
        """The class."""
        return [self.block]

    def inside(self) -> Frame:
        """The frame of the object."""
        return self.declaration.symbols.frame(self.block, self.declaration.frame, self.bound)

    def of(self, arguments: Sequence[Any], span: Span) -> Expression:
        return Lacking(span, self.block.name)

    def member(self, name: str, span: Span) -> Expression | None:
        frame = self.inside()
        return self.declaration.symbols.member(frame, f"self.{name}", span)

    def called(self, arguments: Sequence[Any], span: Span) -> Expression:
        return Lacking(span, self.block.name)


def _given(parameters: Sequence[Parameter], arguments: Sequence[Any]) -> dict[str, Expression]:
    """The parameters of a function with the arguments of a call, by position and by keyword."""
    places = iter(parameters)
    found: dict[str, Expression] = {}
    for argument in arguments:
        name = argument.name or getattr(next(places, None), "name", "")
        found[name] = argument.value
    return found


def _at_run_time(block: Block, given: dict[str, Expression]) -> dict[str, Expression]:
    """The arguments as a function has them: one for an ``int`` is known when it runs, whatever the caller wrote."""
    numbers = {parameter.name for parameter in block.parameters if parameter.kind == "number"}
    return {
        name: RunTime(node.span, node.value, name) if name in numbers and isinstance(node, nodes.Integer) else node
        for name, node in given.items()
    }
