"""What is known about the symbols, and the three-valued answers that follow from it.

`Facts` never change: learning a condition gives new ones, remembered by the old, so that every path of a case search
that has learnt the same conditions shares the same answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd
from typing import Any

from . import condition as conditions
from .condition import AT_LEAST_ZERO, DIVIDES, Condition
from .domain import EXTENT, Domain
from .integrality import fractional_part, is_integer
from .known import QUESTION, Hint, Work, is_positive
from .normal import residual, rounded, split, substitute
from .poly import Number, Poly, Rounding
from .quotient import fraction
from .sample import Sample, root
from .sign import decide_sign, decide_zero, hint_of, one_by_one, rounding_floor, simpler_sign, simpler_zero

_UNSEEN: Any = object()


class Facts:
    """Known conditions on symbols. Every symbol is an integer >= 1 unless its domain says otherwise.

    >>> from .closure import learn
    >>> from .poly import symbol
    >>> M, N = symbol("M"), symbol("N")
    >>> known = learn(Facts(), conditions.divides(128, M))
    >>> known.divides(64, M * N), known.divides(256, M), known.at_least_zero(M - 128)
    (True, None, True)
    """

    __slots__ = (
        "_answers",
        "_hints",
        "_known",
        "_lower",
        "_normal",
        "apart",
        "conditions",
        "domains",
        "integral",
        "next",
        "nonneg",
        "nonzero",
        "pairs",
        "samples",
        "solved",
        "work",
    )

    def __init__(self) -> None:
        self.domains: dict[str, Domain] = {}
        self.solved: dict[str, Number] = {}
        """Symbols that equal a polynomial in the others."""
        self.integral: tuple[Number, ...] = ()
        """Quotients known to be integers."""
        self.apart: tuple[Number, ...] = ()
        """Quotients known to be none."""
        self.pairs: tuple[Condition, ...] = ()
        """Divisibility by sums, which no quotient expresses."""
        self.nonneg: tuple[Number, ...] = ()
        self.nonzero: tuple[Number, ...] = ()
        self.conditions: tuple[Condition, ...] = ()
        """All that was learnt, in order."""
        self.samples: list[Sample] = root()
        """Points at which all of this is true."""
        self.next: dict[Condition, Facts | None] = {}
        """What was learnt from here, by condition; see `closure.learn`."""
        self.work = Work()
        self._forget()

    def _forget(self) -> None:
        self._answers: dict[Condition, bool | None] = {}
        self._known: dict[Condition, Condition] = {}
        self._normal: dict[Number, Number] = {}
        self._lower: dict[str, int | None] = {}
        self._hints: list[Hint] | None = None

    # -- reading ---------------------------------------------------------------------------------------------

    def domain(self, name: str) -> Domain:
        """What is known about a symbol by itself."""
        return self.domains.get(name, EXTENT)

    def lower(self, atom: str) -> int | None:
        """A lower bound of a symbol or rounding."""
        if not isinstance(atom, Rounding):
            return self.domain(atom).lo
        if atom not in self._lower:
            self._lower[atom] = None  # a rounding inside itself has no bound yet
            self._lower[atom] = rounding_floor(self, atom)
        return self._lower[atom]

    def normal(self, p: Number) -> Number:
        """``p`` with solved symbols replaced and exact roundings resolved."""
        if type(p) is int:
            return p
        found = self._normal.get(p)
        if found is None:
            # A rounding inside what is known of itself is left as it is.
            self._normal[p] = p
            values: dict[str, Number] = {}
            for atom in p.atoms():  # type: ignore[union-attr]
                if isinstance(atom, Rounding):
                    value = rounded(self, self.normal(atom.p), self.normal(atom.q), up=atom.up)
                    if value != Poly({((atom, 1),): 1}, 1):
                        values[atom] = value
                elif atom in self.solved:
                    values[atom] = self.solved[atom]
            found = self._normal[p] = substitute(p, values)
        return found

    def fractional_part(self, q: Number) -> Fraction | None:
        """q minus the integer below it, where that is one constant."""
        return fractional_part(self, q)

    def hints(self) -> list[Hint]:
        """What is never negative, ready to be added up."""
        if self._hints is None:
            self._hints = []
            for p in list(self._floors()):
                if (hint := hint_of(self, fraction(p)[0])) is not None:
                    self._hints.append(hint)  # the bound of a rounding may be asked for meanwhile
        return self._hints

    def _floors(self) -> Iterator[Number]:
        """Polynomials that are never negative."""
        yield from [self.normal(p) for p in self.nonneg]
        for name, domain in self.domains.items():
            if domain.hi is not None and name not in self.solved:
                yield domain.hi - Poly({((name, 1),): 1}, 1)
        for q in self.integral:
            above, below = fraction(self.normal(q))
            if isinstance(above, Poly) and all(c > 0 and is_positive(self, m) for m, c in above.terms.items()):
                # A positive multiple of the divisor is no less than it.
                yield above - below

    # -- questions -------------------------------------------------------------------------------------------

    def simplified(self, condition: Condition) -> Condition:
        """The condition in its shortest form under these facts."""
        found = self._known.get(condition)
        if found is None:
            found = self._known[condition] = self._simplify(condition)
        return found

    def _simplify(self, condition: Condition) -> Condition:
        if condition.kind == DIVIDES:
            if condition.quotient is not None:
                found = conditions.of_quotient(split(self.normal(condition.quotient))[1])
                if type(found.poly) is int and found.poly == 1:
                    # Only 1 divides 1.
                    found = simpler_zero(self, found.divisor - 1)
            else:
                found = conditions.divides(self.normal(condition.divisor), self.normal(condition.poly))
        elif condition.kind == AT_LEAST_ZERO:
            found = simpler_sign(self, condition.poly)
        else:
            found = simpler_zero(self, condition.poly)
        return found if condition.holds else found.negated()

    def decide(self, condition: Condition) -> bool | None:
        """True or False where the facts imply it, None where it is open."""
        if not condition.holds:
            found = self.decide(condition.negated())
            return None if found is None else not found
        found = self._answers.get(condition, _UNSEEN)
        if found is _UNSEEN:
            self.work.steps += QUESTION
            answers = (condition.true_at(sample) for sample in self.samples)
            first, found = next(answers, None), None
            if all(answer is first for answer in answers):
                found = self._decide(self.simplified(condition), first)
            self._answers[condition] = found
        return found

    def _decide(self, condition: Condition, hunch: bool | None) -> bool | None:
        """The answer to a condition in its shortest form; ``hunch`` is the only possible one besides None."""
        if condition.kind == AT_LEAST_ZERO:
            return decide_sign(self, condition.poly, hunch)
        if condition.kind == DIVIDES:
            return self._decide_divides(condition)
        return decide_zero(self, condition.poly, hunch)

    def _decide_divides(self, condition: Condition) -> bool | None:
        for known in self.pairs:
            if known.poly == condition.poly and known.divisor == condition.divisor:
                return known.holds
        if condition.quotient is not None:
            found = is_integer(self, condition.quotient)
            return one_by_one(self, condition) if found is None else found
        if self.at_least_zero(condition.poly - 1) and self.at_least_zero(condition.divisor - condition.poly - 1):
            return False
        return None

    def divides(self, a: Number, b: Number) -> bool | None:
        """a | b?"""
        return self.decide(conditions.divides(a, b))

    def at_least_zero(self, p: Number) -> bool | None:
        """p >= 0?"""
        return p >= 0 if type(p) is int else self.decide(conditions.at_least_zero(p))

    def is_zero(self, p: Number) -> bool | None:
        """p == 0?"""
        return p == 0 if type(p) is int else self.decide(conditions.is_zero(p))

    def divisor(self, p: Number) -> int:
        """The greatest constant known to divide p: the ``div`` of an unknown extent.

        >>> from .poly import symbol
        >>> Facts().divisor(192 * symbol("M"))
        192
        """
        p = residual(self, self.normal(p))
        if type(p) is int:
            return abs(p)
        return gcd(*p.terms.values()) if p.den == 1 and p.is_integral() else 1  # type: ignore[union-attr]

    # -- learning --------------------------------------------------------------------------------------------

    def copy(self) -> Facts:
        """A copy to be changed by `closure`, without samples."""
        made = Facts.__new__(Facts)
        made.domains, made.solved = dict(self.domains), dict(self.solved)
        made.integral, made.apart, made.pairs = self.integral, self.apart, self.pairs
        made.nonneg, made.nonzero, made.conditions = self.nonneg, self.nonzero, self.conditions
        made.samples, made.next, made.work = [], {}, self.work
        made._forget()
        return made

    def fresh(self) -> Facts:
        """The same facts as if nothing had been asked of them: what is found does not depend on earlier questions."""
        made = self.copy()
        made.samples = [sample.copy() for sample in self.samples]
        made.work = Work()
        return made
