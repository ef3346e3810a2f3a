"""How much was computed, in values listed: budgets count this, never seconds, so that an answer is the same on every
machine.
"""

from __future__ import annotations

__all__ = ["Budget", "spend"]

_listed = 0


def spend(values: int) -> None:
    """Tell that so many values were listed; what lists values says it here."""
    global _listed
    _listed += values


class Budget:
    """An amount of work: values that may be listed, and calls that count as so many values each.

    >>> budget = Budget(100, call=40)
    >>> [budget.call() for _ in range(4)]
    [True, True, True, False]
    """

    def __init__(self, values: int, *, call: int = 0) -> None:
        self._end = _listed + values
        self._price = call

    @property
    def is_spent(self) -> bool:
        """Is all of it used up?"""
        return _listed >= self._end

    def call(self) -> bool:
        """Pay for one more call; False if nothing is left to pay with."""
        if self.is_spent:
            return False
        spend(self._price)
        return True
