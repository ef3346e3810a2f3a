"""The derivation of a result, recorded by the code that computes it.

An operation asks for the recorder once; without one nothing is built. A `Step` has a rule (a word that the renderer
turns into a sentence), the numbers of the step, and the steps inside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

A = TypeVar("A")
B = TypeVar("B")
R = TypeVar("R")


class Step:
    """One step of a derivation: ``rule`` names it, ``facts`` holds its numbers and texts."""

    __slots__ = ("facts", "rule", "steps")

    def __init__(self, rule: str, facts: dict[str, Any], steps: list[Step] | None = None) -> None:
        self.rule = rule
        self.facts = facts
        self.steps: list[Step] = [] if steps is None else steps

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Step) and (self.rule, self.facts, self.steps) == (other.rule, other.facts, other.steps)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Step({self.rule!r}, {self.facts!r}, {self.steps!r})"


class Recorder:
    """Collects steps; `section` opens a step that holds the following ones."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._open: list[list[Step]] = [self.steps]

    def step(self, rule: str, **facts: Any) -> Step:
        """Record one step."""
        made = Step(rule, facts)
        self._open[-1].append(made)
        return made

    @contextmanager
    def section(self, rule: str, **facts: Any) -> Iterator[Step]:
        """Record a step and put what follows inside it."""
        made = self.step(rule, **facts)
        self._open.append(made.steps)
        try:
            yield made
        finally:
            self._open.pop()


recorder: ContextVar[Recorder | None] = ContextVar("recorder", default=None)


def derived(rule: str, work: Callable[[A, B], R], left: A, right: B) -> R:
    """``work(left, right)``; where a derivation is recorded, as a section of it that ends with the result."""
    trace = recorder.get()
    if trace is None:
        return work(left, right)
    with trace.section(rule, left=str(left), right=str(right)) as step:
        result = work(left, right)
        step.facts["result"] = str(result)
        return result


@contextmanager
def recording() -> Iterator[Recorder]:
    """Record the derivations of the operations inside the block."""
    made = Recorder()
    token = recorder.set(made)
    try:
        yield made
    finally:
        recorder.reset(token)


def noted(rule: str, **facts: Any) -> None:
    """Record one step, if anybody records."""
    trace = recorder.get()
    if trace is not None:
        trace.step(rule, **facts)


@contextmanager
def unrecorded() -> Iterator[None]:
    """What is only tried inside the block is no step of the derivation."""
    token = recorder.set(None)
    try:
        yield
    finally:
        recorder.reset(token)
