"""What a search for a better layout is given: the plain layout, its accesses, what they cost, and a budget of work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laycalc.algebra.values.layout import Layout

from ..memory.banks import Operation, operation
from ..memory.cost import wavefronts
from ..memory.patterns import bank_survey
from ..memory.placed import Placed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from laycalc.algebra.values.swizzle import Composed

    from ..memory.pattern import Pattern
    from .fixes import Cost

__all__ = ["BUDGET", "Task"]

BUDGET = 60_000
"""Warp instructions that a search for the best swizzle or padding counts, where none frees all accesses."""


class Task:
    """A plain layout at an offset with its accesses; ``before`` is what they cost as they are, ``accept`` says which
    layouts may be the answer.
    """

    def __init__(
        self,
        plain: Layout,
        offset: int,
        patterns: Sequence[Pattern],
        before: int,
        accept: Callable[[Layout | Composed], bool],
    ) -> None:
        self.plain, self.offset, self.patterns = plain, offset, patterns
        self.before, self.accept = before, accept
        self.left, self.whole = BUDGET, True

    @property
    def bits(self) -> int:
        """The width of an element."""
        return self.patterns[0].bits

    @property
    def operation(self) -> Operation:
        """The operation of the first access: all are of one machine."""
        return operation(self.patterns[0].op)

    def spend(self, amount: int) -> bool:
        """Is there enough left of the budget? Once there is not, the search ends."""
        self.left -= amount
        if self.left < 0:
            self.whole = False
        return self.left >= 0

    def costs(self, layout: Layout | Composed) -> tuple[Cost, ...]:
        """What each access costs on a layout; the errors of `accesses`."""
        placed = Placed(layout)
        return tuple(wavefronts(placed, pattern) for pattern in self.patterns)

    def sectors(self, layout: Layout | Composed) -> tuple[int | None, ...]:
        """The requests of each access by cp.async.cg, None for the others."""
        return tuple(bank_survey(layout, p).sectors if p.copy == "cg" else None for p in self.patterns)
