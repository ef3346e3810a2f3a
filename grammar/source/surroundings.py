"""The names around one expression of a file, and the end of its reading: what it comes to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from laycalc.algebra.values.htuple import flatten
from laycalc.diagnostics.model import Diagnostic, Failure, Label

from ..forms.dialects.around import Declared, Lacking, Names
from ..forms.dialects.kinds import is_run_time
from ..forms.dialects.settle import settled
from ..language.functions import find as find_function
from ..run.context import Unbound
from ..run.evaluator import CONSTANTS, Evaluator
from ..syntax import nodes
from ..syntax.nodes import Expression, Span
from .entities import Declaration
from .frames import Frame, Needs, Outcome, Step, Table
from .literals import PLAIN, free_names, literal

__all__ = ["Surroundings", "first_thread"]

_INDEX = re.compile(
    r"(?:threadIdx|blockIdx)\.[xyz]|thread_idx|thr_idx|tidx?|thread_id|(?:lane|warp|warp_group|warpgroup)_(?:thread_)?idx?"
)
"""Indices that are taken for 0 where nobody says another number: the first thread of the first block."""

EXTENTS = 1024
"""Extents of a layout that other definitions may use: each use writes them out."""


def _extents(value: Any) -> int:
    """How many extents a value has."""
    shape = value if isinstance(value, tuple) else getattr(value, "shape", ())
    return len(flatten(shape)) if isinstance(shape, tuple) else 1


def first_thread(name: str, needs: Needs, span: Span) -> Expression | None:
    """0 for the index of a thread or block, which the first one stands for; None for another name."""
    if not _INDEX.fullmatch(name):
        return None
    needs.assumed.add(f"{name} = 0")
    return nodes.Integer(span, 0)


class Surroundings(Names):
    """The names around one expression, and what was needed and drawn while it was evaluated."""

    in_file = True

    def __init__(self, symbols: Table, frame: Frame, at: int, text: str | None = None) -> None:
        self.symbols = symbols
        self.frame = frame
        self.at = at
        self.text = frame.file.text if text is None else text
        self.needs = Needs()
        self.steps: list[Step] = []
        """The operations on numbers, in their order."""
        self.warnings: list[Diagnostic] = []

    def find(self, name: str, span: Span) -> Expression | None:
        found = self.symbols.lookup(self.frame, name, self.at, self.needs, span)
        return first_thread(name, self.needs, span) if found is None else found

    def module(self, name: str) -> list[str] | None:
        return self.frame.file.module(name)

    def written(self, node: Expression) -> Expression:
        return self.symbols.written.get(node.name, node) if isinstance(node, nodes.Name) else node

    def computed(self, node: Expression) -> Expression:
        """The literal of an expression whose names are all known; a value without one gets a name."""
        if not isinstance(node, (nodes.Call, nodes.Binary, nodes.Index, nodes.Attribute, nodes.Unary, nodes.Paren)):
            return node
        if any(not self._is_known(name) for name in free_names(node)):
            return node
        try:
            value = self._value(settled(self.text, node))
        except Unbound:
            return node
        return literal(value, node.span) or nodes.Name(node.span, self.symbols.keep(value, node))

    def settle(self, node: Expression) -> Outcome:
        """What an expression comes to."""
        text, symbols = self.text, self.symbols
        if isinstance(node, Lacking):
            return Outcome(failure=Diagnostic("LC106", f"needs {node.name}", text), needs=frozenset(self.needs.names))
        if isinstance(node, PLAIN):
            value = getattr(node, "value", None) if isinstance(node, (nodes.Integer, nodes.Truth)) else None
            return Outcome(node, self._value(node) if isinstance(node, nodes.Swizzle) else value, None, self._needs())
        if isinstance(node, nodes.Tuple) and not all(map(_is_number, node.items)):
            return self._several(node)
        written, node = node, settled(text, node)
        missing = [name for name in free_names(node) if not self._is_known(name) and name not in symbols.numbers]
        if missing:
            self.needs.names.update(missing)
            return Outcome(failure=Diagnostic("LC106", f"needs {missing[0]}", text), needs=self._needs())
        try:
            value = self._value(node)
        except Unbound as unbound:
            return symbols.open(node, text, unbound, self.needs)
        found = written if is_run_time(written) else literal(value, node.span)
        found = found or nodes.Name(node.span, symbols.keep(value, node))
        return Outcome(found, value, None, self._needs(), tuple(self.warnings))

    def _several(self, node: nodes.Tuple) -> Outcome:
        """A tuple of layouts, tensors and the like, each for itself: several results."""
        found = [self.settle(item) for item in node.items]
        failed = next((outcome for outcome in found if outcome.node is None), None)
        if failed is not None:
            return failed
        items = tuple(outcome.node for outcome in found if outcome.node is not None)
        return Outcome(node.replace(items=items), None, None, self._needs())

    def function_at(self, start: int) -> tuple[Expression, int] | None:
        frame: Frame | None = self.frame
        while frame is not None:
            for block in frame.block.blocks.get("", ()):
                if block.extent.start == start and block.kind == "function":
                    only = Declaration(self.symbols, frame, "", within=block)
                    return Declared(Span(*block.extent), only), block.extent.end
            frame = frame.outer
        return None

    def is_number(self, name: str) -> bool:
        return name in self.symbols.numbers

    def assume(self, words: str) -> None:
        self.needs.assumed.add(words)

    @contextmanager
    def in_vain(self) -> Iterator[None]:
        before = set(self.needs.names)
        try:
            yield
        finally:
            self.needs.names = before

    def lacks(self, node: Expression) -> None:
        if isinstance(node, Lacking):
            self.needs.names |= node.needs or {node.name}

    def met(self, symbol: str, left: Expression, right: Expression, result: Expression) -> None:
        self.steps.append(Step(symbol, left, right, result))

    def _needs(self) -> frozenset[str]:
        return frozenset(self.needs.names)

    def _value(self, node: Expression) -> Any:
        evaluator = Evaluator(self.text, self.symbols.scope)
        value = evaluator.value(node)
        self.warnings += evaluator.warnings
        if _extents(value) > EXTENTS:
            label = (Label(node.span.start, node.span.end),)
            raise Failure(Diagnostic("LC104", f"the layout has more than {EXTENTS:,} extents", self.text, label))
        return value

    def _is_known(self, name: str) -> bool:
        return name in self.symbols.scope.names or name in CONSTANTS or find_function(name) is not None


def _is_number(node: Expression) -> bool:
    """May an entry of a tuple stay in it: a number, a free mode, a tuple of such?"""
    if isinstance(node, (nodes.Tuple, nodes.Paren)):
        return all(map(_is_number, node.items if isinstance(node, nodes.Tuple) else (node.item,)))
    numbers = (nodes.Integer, nodes.Wildcard, nodes.Coordinate, nodes.Unary, nodes.Truth)
    return isinstance(node, numbers) or (isinstance(node, nodes.Name) and not node.name.startswith("#"))
