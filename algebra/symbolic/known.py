"""What the modules below `Facts` need to know of them, and the count of the work that they do.

The facts ask for signs, quotients and samples, and these ask the facts in turn, about smaller numbers. So the modules
that answer are written against `Known`, and stand below the facts.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, Protocol

from .condition import Condition
from .domain import Domain
from .poly import Number
from .terms import Monomial, Terms

QUESTION = 8
"""How many steps a question costs that was not asked before."""


class Work:
    """The steps of work that went into facts and into all that was learnt from them; the same on every machine.

    A step is a question, a sum of inequalities that a proof tries, or a point that is looked at: some ten microseconds.
    """

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps = 0


class Hint(NamedTuple):
    """A sum that is never negative, in variables that are never negative: all terms, the negative ones, its degree."""

    terms: Terms
    negative: list[tuple[Monomial, int]]
    degree: int


class Known(Protocol):
    """Facts, as the modules below see them; `facts.Facts` says what the parts mean."""

    domains: dict[str, Domain]
    solved: dict[str, Number]
    integral: tuple[Number, ...]
    apart: tuple[Number, ...]
    nonzero: tuple[Number, ...]
    conditions: tuple[Condition, ...]
    work: Work

    def domain(self, name: str) -> Domain: ...
    def lower(self, atom: str) -> int | None: ...
    def normal(self, p: Number) -> Number: ...
    def fractional_part(self, q: Number) -> Fraction | None: ...
    def hints(self) -> list[Hint]: ...
    def divides(self, a: Number, b: Number) -> bool | None: ...
    def at_least_zero(self, p: Number) -> bool | None: ...


def is_positive(facts: Known, m: Monomial) -> bool:
    """Is a product at least 1 because each of its atoms is?"""
    return all((facts.lower(atom) or 0) >= 1 for atom, _ in m)
