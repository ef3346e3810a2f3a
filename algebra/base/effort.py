"""How much was computed, in values listed: budgets count this, never seconds, so that an answer is the same on every
machine.
"""

from __future__ import annotations

from typing import Any

from .errors import refuse

VALUES = 1 << 20
"""Values that are listed or compared at the most, where nothing else answers."""

COMPARED = 1 << 17
"""Values of XOR strides that are computed and compared one by one."""

_listed = 0


HELD = 1 << 26
"""How many values a list of them may have at all: what a machine holds."""


def check_held(size: Any) -> None:
    """LC104 for more values than a machine holds."""
    if type(size) is int and size > HELD:
        raise refuse("LC104", "a list of {size} values; the limit is {limit}", op="values", size=size, limit=HELD)


def spend(values: int) -> None:
    """Tell that so many values were listed; what lists values says it here."""
    global _listed
    _listed += values


def check_listed(
    op: str, count: Any, what: str = "entries", *, name: str = "count", each: int = 1, **facts: Any
) -> None:
    """LC104 if there are too many to list, LC106 if their number is not known; ``name`` is the fact that tells it, an
    entry costs as much as ``each`` values.
    """
    if type(count) is not int:
        raise refuse("LC106", f"{{op}} needs the value of {{{name}}}", op=op, **{name: str(count)}, **facts)
    if count > (limit := VALUES // each):
        template = f"{{op}} would list {{{name}}} {what}; the limit is {{limit}}"
        raise refuse("LC104", template, op=op, **{name: count}, **facts, limit=limit)


def check_compared(op: str, size: Any, *, each: int = 1) -> None:
    """LC104 if the values are too many to compare, or their number is not known."""
    limit = VALUES // each
    if type(size) is not int or size > limit:
        raise refuse("LC104", "comparing {size} values; the limit is {limit}", op=op, size=size, limit=limit)


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
