"""The derivation of a result, recorded by the code that computes it.

An operation asks for the recorder once; without one nothing is built. A `Step` has a rule (a word that the renderer
turns into a sentence), the numbers of the step, and the steps inside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Recorder", "Step", "recorder", "recording"]


@dataclass(slots=True)
class Step:
    """One step of a derivation: ``rule`` names it, ``facts`` holds its numbers and texts."""

    rule: str
    facts: dict[str, Any]
    steps: list[Step] = field(default_factory=list)


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


@contextmanager
def recording() -> Iterator[Recorder]:
    """Record the derivations of the operations inside the block."""
    made = Recorder()
    token = recorder.set(made)
    try:
        yield made
    finally:
        recorder.reset(token)
