"""Conditions on symbols: a | b, p >= 0 and p == 0, each true or false."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .poly import Number, Poly, combined, parts
from .quotient import fraction, leading, lowest_terms, over
from .terms import ONE

DIVIDES, AT_LEAST_ZERO, IS_ZERO = "divides", "at_least_zero", "is_zero"


class Condition:
    """One question and its answer.

    ``kind`` is ``divides`` (``divisor`` | ``poly``), ``at_least_zero`` (``poly`` >= 0) or ``is_zero``; ``holds`` says
    whether it is true or false. For ``divides`` the parts are in lowest terms, and ``quotient`` is the Laurent
    polynomial, or None where the divisor is a sum that does not divide the polynomial.
    """

    __slots__ = ("_hash", "_opposite", "divisor", "holds", "kind", "poly", "quotient")
    kind: str
    poly: Number
    divisor: Number
    quotient: Number | None
    holds: bool

    def __init__(self, kind: str, poly: Number, divisor: Number, quotient: Number | None, holds: bool = True) -> None:
        self.kind = kind
        self.poly = poly
        self.divisor = divisor
        self.quotient = quotient
        self.holds = holds
        self._hash = hash((kind, poly, divisor, holds))
        self._opposite: Condition | None = None

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Condition)
            and self.kind == other.kind
            and self.holds == other.holds
            and self.poly == other.poly
            and self.divisor == other.divisor
        )

    def __hash__(self) -> int:
        return self._hash

    def negated(self) -> Condition:
        """The opposite answer; p >= 0 becomes -p-1 >= 0."""
        if self._opposite is None:
            if self.kind == AT_LEAST_ZERO:
                self._opposite = Condition(AT_LEAST_ZERO, -self.poly - 1, 1, None)
            else:
                self._opposite = Condition(self.kind, self.poly, self.divisor, self.quotient, not self.holds)
        return self._opposite

    @property
    def symbols(self) -> frozenset[str]:
        """The names of the symbols that occur."""
        found: frozenset[str] = frozenset()
        for part in (self.poly, self.divisor):
            if isinstance(part, Poly):
                found |= part.symbols
        return found

    def true_at(self, values: Mapping[str, int]) -> bool:
        """Is it true where every symbol has a value? A condition that divides by 0 there is not."""
        try:
            at: Any = self.poly if type(self.poly) is int else self.poly.at(values)  # type: ignore[union-attr]
            if self.kind == AT_LEAST_ZERO:
                return bool(at >= 0)
            if self.kind == IS_ZERO:
                return (at == 0) is self.holds
            by: Any = self.divisor if type(self.divisor) is int else self.divisor.at(values)  # type: ignore[union-attr]
        except ZeroDivisionError:
            return False
        return (at % by == 0 if by else at == 0) is self.holds

    def __str__(self) -> str:
        if self.kind == DIVIDES:
            return f"{self.divisor} {'|' if self.holds else '∤'} {self.poly}"
        below, above = _sides(self.poly)
        if self.kind == IS_ZERO:
            # A number stands on the right.
            left, right = sorted((above, below), key=lambda side: (type(side) is int, str(side)))
            return f"{left} {'==' if self.holds else '!='} {right}"
        if type(above) is int:
            return f"{below} <= {above}"
        if type(below) is int:
            return f"{above} >= {below}"
        constant = parts(self.poly)[0].get(ONE, 0)
        if constant == -1:
            return f"{below - 1} < {above}"
        return f"{below} <= {above}"

    __repr__ = __str__


def _sides(p: Number) -> tuple[Number, Number]:
    """(below, above) with p = above - below, both without negative terms."""
    terms, _ = parts(fraction(p)[0])
    above = combined({m: c for m, c in terms.items() if c > 0})
    below = combined({m: -c for m, c in terms.items() if c < 0})
    return below, above


def divides(a: Number, b: Number) -> Condition:
    """``a | b`` in lowest terms.

    >>> from .poly import symbol
    >>> divides(8, 2 * symbol("M")), divides(symbol("M") * 4, symbol("M") * symbol("N"))
    (4 | M, 4 | N)
    """
    quotient = over(b, a)
    return Condition(DIVIDES, *lowest_terms(b, a), None) if quotient is None else of_quotient(quotient)


def of_quotient(quotient: Number) -> Condition:
    """The condition that a quotient is an integer."""
    above, below = fraction(quotient)
    if isinstance(above, Poly) and above.terms[leading(above)] < 0:
        above, quotient = -above, -quotient
    if type(below) is int and isinstance(above, Poly) and len(above.terms) == 1:
        # A coefficient has no factor in common with the divisor then: 2 | 3*M is 2 | M.
        above = Poly(dict.fromkeys(above.terms, 1), 1)
        quotient = above if below == 1 else Poly(above.terms, below)
    return Condition(DIVIDES, above, below, quotient)


def at_least_zero(p: Number) -> Condition:
    """``p >= 0``."""
    return Condition(AT_LEAST_ZERO, p, 1, None)


def is_zero(p: Number) -> Condition:
    """``p == 0``."""
    return Condition(IS_ZERO, p, 1, None)


def unanimous(answers: Iterable[bool]) -> bool | None:
    """The answer that all give, None if they differ."""
    rest = iter(answers)
    first = next(rest)
    return first if all(answer is first for answer in rest) else None
