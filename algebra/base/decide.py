"""The one place where the algebra asks a question about numbers.

Every algorithm asks ``divides(a, b)``, ``at_most(a, b)`` or ``same(a, b)`` instead of writing ``b % a == 0``. For
integers the answer is plain Python. A value that is not an integer (an unknown extent) is passed to
the decider of the running context, which may answer from facts or explore both answers; the algorithms do not change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, Protocol


class Decider(Protocol):
    """Answers questions about values that are not plain integers."""

    def divides(self, a: Any, b: Any) -> bool: ...
    def at_most(self, a: Any, b: Any) -> bool: ...
    def same(self, a: Any, b: Any) -> bool: ...
    def known_same(self, a: Any, b: Any) -> bool: ...
    def known_at_most(self, a: Any, b: Any) -> bool: ...
    def quotient(self, b: Any, a: Any) -> Any: ...
    def ceil_quotient(self, b: Any, a: Any) -> Any: ...
    def floor_quotient(self, b: Any, a: Any) -> Any: ...


class _Plain:
    """The decider of a context without unknowns: Python's own arithmetic."""

    def divides(self, a: Any, b: Any) -> bool:
        return bool(b % a == 0) if a else bool(b == 0)

    def at_most(self, a: Any, b: Any) -> bool:
        return bool(a <= b)

    def same(self, a: Any, b: Any) -> bool:
        return bool(a == b)

    known_same = same
    known_at_most = at_most

    def quotient(self, b: Any, a: Any) -> Any:
        return b // a

    def ceil_quotient(self, b: Any, a: Any) -> Any:
        return -(-b // a)

    floor_quotient = quotient


_PLAIN: Decider = _Plain()

active_decider: ContextVar[Decider] = ContextVar("decider", default=_PLAIN)


def apart(part: Any, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call ``function`` for one part of an operation that works part by part.

    A decider that explores answers may explore the parts one by one: their questions do not mix.
    """
    run = getattr(active_decider.get(), "apart", None)
    return function(*arguments) if run is None else run(part, function, *arguments)


def divides(a: Any, b: Any) -> bool:
    """a | b: does an integer k with b = k*a exist?"""
    if type(a) is int and type(b) is int:
        return b % a == 0 if a else b == 0
    return active_decider.get().divides(a, b)


def at_most(a: Any, b: Any) -> bool:
    """a <= b?"""
    if type(a) is int and type(b) is int:
        return a <= b
    return active_decider.get().at_most(a, b)


def less(a: Any, b: Any) -> bool:
    """a < b, for integers: a + 1 <= b."""
    if type(a) is int and type(b) is int:
        return a < b
    return active_decider.get().at_most(a + 1, b)


def same(a: Any, b: Any) -> bool:
    """a == b?"""
    if type(a) is int and type(b) is int:
        return a == b
    return active_decider.get().same(a, b)


def known_same(a: Any, b: Any) -> bool:
    """a == b, and known to be so; an open question counts as no (used where no is always a right answer)."""
    if type(a) is int and type(b) is int:
        return a == b
    return active_decider.get().known_same(a, b)


def known_at_most(a: Any, b: Any) -> bool:
    """a <= b, and known to be so; an open question counts as no."""
    if type(a) is int and type(b) is int:
        return a <= b
    return active_decider.get().known_at_most(a, b)


def inside(coordinate: Any, extent: Any) -> None:
    """Say that a coordinate is meant to be below an extent: a decider may ask whether it is."""
    meant = getattr(active_decider.get(), "inside", None)
    if meant is not None:
        meant(coordinate, extent)


def unlisted(outcome: str) -> None:
    """Say that only a list of values would tell, and unknown numbers have none.

    What is refused after this may end at some numbers as ``outcome``: a code of a warning, or ``coincidence``.
    """
    note = getattr(active_decider.get(), "unlisted", None)
    if note is not None:
        note(outcome)


def quotient(b: Any, a: Any) -> Any:
    """b/a, asked only after ``divides(a, b)`` was answered yes."""
    if type(a) is int and type(b) is int:
        return b // a
    return active_decider.get().quotient(b, a)


def exact_quotient(b: Any, a: Any) -> Any:
    """b/a, None if a does not divide b.

    >>> exact_quotient(12, 4), exact_quotient(13, 4)
    (3, None)
    """
    if type(a) is int and type(b) is int and a:
        found, rest = divmod(b, a)
        return None if rest else found
    return quotient(b, a) if divides(a, b) else None


def ceil_quotient(b: Any, a: Any) -> Any:
    """The least integer k with k*a >= b."""
    if type(a) is int and type(b) is int:
        return -(-b // a)
    return active_decider.get().ceil_quotient(b, a)


def ascending(values: Sequence[Any]) -> list[int]:
    """The positions of ``values`` in ascending, stable order; unknowns are asked about pair by pair.

    >>> ascending([4, 1, 8, 1])
    [1, 3, 0, 2]
    """
    if len(values) < 2 or set(map(type, values)) == {int}:
        return sorted(range(len(values)), key=values.__getitem__)
    order: list[int] = []
    for i, value in enumerate(values):
        at = len(order)
        while at and less(value, values[order[at - 1]]):
            at -= 1
        order.insert(at, i)
    return order


def floor_quotient(b: Any, a: Any) -> Any:
    """The greatest integer k with k*a <= b."""
    if type(a) is int and type(b) is int:
        return b // a
    return active_decider.get().floor_quotient(b, a)
