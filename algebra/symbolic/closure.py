"""Learning one condition: it is stored, and what follows from it by simple steps is learnt too.

A condition on one symbol narrows its domain; an equality is solved for a symbol; whatever mentions a changed symbol is
looked at again. A contradiction ends in None. Nothing here is needed for soundness: what is not noticed stays open.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import Any

from . import condition as conditions
from .condition import AT_LEAST_ZERO, DIVIDES, Condition
from .domain import Domain
from .facts import Facts
from .normal import substitute
from .poly import Number, Poly, Rounding, parts
from .products import among_factors, solvable, under_limit
from .quotient import fraction
from .sample import heirs
from .sign import DEPTH, prove
from .terms import ONE

ROUNDS = 64
"""How many consequences are drawn, and how often the end of a range is moved."""

_UNSEEN: Any = object()


class Contradiction(Exception):
    """The conditions exclude one another."""


def learn(facts: Facts, condition: Condition) -> Facts | None:
    """The facts and one condition more; None if they exclude it."""
    found: Facts | None = facts.next.get(condition, _UNSEEN)
    if found is _UNSEEN:
        known = facts.decide(condition)
        if known is not None:
            return facts if known else None
        found = facts.next[condition] = _closed(facts, facts.simplified(condition))
    return found


def _closed(facts: Facts, condition: Condition) -> Facts | None:
    made = facts.copy()
    made.conditions = (*facts.conditions, condition)
    try:
        learner = _Learner(made)
        learner.learn(condition)
        learner.settle()
    except Contradiction:
        return None
    return _finished(made, facts, condition)


def narrowed(facts: Facts, name: str, domain: Domain) -> Facts | None:
    """The facts with another domain for a symbol; None if it has no value in it."""
    made = facts.copy()
    try:
        learner = _Learner(made)
        learner.set_domain(name, domain)
        learner.settle()
    except Contradiction:
        return None
    return _finished(made, facts, None)


def _finished(made: Facts, parent: Facts, condition: Condition | None) -> Facts | None:
    made._forget()
    if condition is not None and made.decide(condition) is False:
        return None
    made.samples = heirs(parent.samples, made, condition)
    return made


class _Learner:
    """Works on its own copy of the facts."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.changed: set[str] = set()
        self.left = ROUNDS

    def learn(self, condition: Condition) -> None:
        """Store a condition that is in its shortest form."""
        names = condition.symbols
        if not names:
            if not condition.true_at({}):
                raise Contradiction
            return
        if self.is_range(condition):
            return
        if len(names) == 1:
            self.narrow(condition, *names)
        if condition.kind == AT_LEAST_ZERO:
            self.learn_sign(condition.poly)
        elif condition.kind == DIVIDES:
            self.learn_divides(condition)
        elif condition.holds:
            self.learn_zero(condition.poly)
        else:
            self.learn_nonzero(condition.poly)
        self.facts._forget()

    def again(self, condition: Condition) -> None:
        """Learn something that follows, unless it is known."""
        self.left -= 1
        if self.left >= 0:
            self.renew(condition)

    # -- one symbol ------------------------------------------------------------------------------------------

    def set_domain(self, name: str, domain: Domain | None) -> None:
        if domain is None:
            raise Contradiction
        if domain == self.facts.domain(name):
            return
        self.facts.domains[name] = domain
        self.facts._forget()
        self.changed.add(name)
        if domain.size == 1 and name not in self.facts.solved:
            self.solve(name, domain.lo)

    def set_domains(self, domains: dict[str, Domain | None]) -> bool:
        """Narrow several symbols; was there news?"""
        before = dict(self.facts.domains)
        for name, domain in domains.items():
            self.set_domain(name, domain)
        return before != self.facts.domains

    def is_range(self, condition: Condition) -> bool:
        """A bound or a residue of one symbol is all in its domain."""
        p, by = condition.poly, condition.divisor
        if not isinstance(p, Poly) or not condition.holds or type(by) is not int:
            return False
        terms = [(m, c) for m, c in p.terms.items() if m]
        ((m, c), *others) = terms
        if others or len(m) != 1 or m[0][1] != 1 or isinstance(m[0][0], Rounding):
            return False
        name, k, domain = m[0][0], p.terms.get(ONE, 0), self.facts.domain(m[0][0])
        if condition.kind == AT_LEAST_ZERO:
            self.set_domain(name, domain.meet(lo=-(k // c)) if c > 0 else domain.meet(hi=k // -c))
            return True
        if condition.kind != DIVIDES:
            return False
        # c*x + k = 0 mod D: a common factor of c and D would divide k too, and it is in lowest terms.
        if gcd(c, by) > 1:
            raise Contradiction
        self.set_domain(name, domain.meet(mod=by, rem=-k * pow(c, -1, by) % by))
        return True

    def narrow(self, condition: Condition, name: str) -> None:
        """A condition on one symbol: filter few values, or move the ends of the range."""
        domain: Domain | None = self.facts.domain(name)
        assert domain is not None
        if name in self.facts.solved:
            return
        if domain.is_finite:
            self.set_domain(name, domain.where(lambda x: condition.true_at({name: x})))
            return
        for _ in range(ROUNDS):
            if condition.true_at({name: domain.lo}):
                break
            domain = domain.meet(lo=domain.lo + 1)
            if domain is None:
                raise Contradiction
        else:
            return
        self.set_domain(name, domain)

    # -- inequalities ----------------------------------------------------------------------------------------

    def learn_sign(self, p: Number) -> None:
        terms, _ = parts(p)
        k = terms.get(ONE, 0)
        rest = {m: c for m, c in terms.items() if m}
        if len(rest) == 1:
            ((m, c),) = rest.items()
            if c < 0:
                self.set_domains(under_limit(self.facts, m, k // -c))
        self.facts.nonneg = (*self.facts.nonneg, p)
        self.facts._forget()
        if prove(self.facts, -p, 1):
            # Known already, but not yet solved for a symbol.
            self.learn(self.facts.simplified(conditions.is_zero(p)))

    # -- equalities ------------------------------------------------------------------------------------------

    def learn_zero(self, p: Number) -> None:
        terms, _ = parts(p)
        rest = {m: c for m, c in terms.items() if m}
        k = terms.get(ONE, 0)
        if len(rest) == 1:
            ((m, c),) = rest.items()
            if k % c or -(k // c) < 0:
                raise Contradiction
            if self.set_domains(among_factors(self.facts, m, -(k // c))):
                self.again(conditions.is_zero(p))
                return
        found = solvable(self.facts, p)
        if found is not None:
            self.solve(*found)
        else:
            self.facts.nonneg = (*self.facts.nonneg, p, -p)

    def solve(self, name: str, value: Number) -> None:
        """Put ``name := value`` into the facts, with what was known about the symbol."""
        facts = self.facts
        domain = facts.domain(name)
        facts.solved = {x: substitute(v, {name: value}) for x, v in facts.solved.items()}
        facts.solved[name] = value
        facts._forget()
        self.changed.add(name)
        if type(value) is int:
            if value not in domain:
                raise Contradiction
            facts.domains[name] = Domain(value, value, 1, 0, (value,))
            return
        above, below = fraction(value)
        if not (type(below) is int and below == 1):
            self.again(conditions.of_quotient(value))
        self.again(conditions.at_least_zero(above - domain.lo * below))
        if domain.hi is not None:
            self.again(conditions.at_least_zero(domain.hi * below - above))
        if domain.mod > 1:
            self.again(conditions.divides(domain.mod, value - domain.rem))
        if domain.only is not None and isinstance(value, Poly) and len(value.symbols) == 1:
            (other,) = value.symbols
            source = facts.domain(other)
            if source.is_finite:
                self.set_domain(other, source.where(lambda x: value.at({other: x}) in domain))

    def learn_nonzero(self, p: Number) -> None:
        self.facts.nonzero = (*self.facts.nonzero, p)
        self.facts._forget()
        if prove(self.facts, p, DEPTH):
            self.again(conditions.at_least_zero(p - 1))
        elif prove(self.facts, -p, DEPTH):
            self.again(conditions.at_least_zero(-p - 1))

    # -- divisibility ----------------------------------------------------------------------------------------

    def learn_divides(self, condition: Condition) -> None:
        facts = self.facts
        if condition.quotient is None:
            facts.pairs = (*facts.pairs, condition)
            if condition.holds:
                self.at_least_divisor(condition.poly, condition.divisor)
            return
        if not condition.holds:
            facts.apart = (*facts.apart, condition.quotient)
            return
        above, below = condition.poly, condition.divisor
        if type(above) is int and isinstance(below, Poly):
            ((m, c),) = below.terms.items()
            if above % c:
                raise Contradiction
            self.set_domains(among_factors(facts, m, above // c))
        facts.integral = (*facts.integral, condition.quotient)
        self.at_least_divisor(above, below)

    def at_least_divisor(self, above: Number, below: Number) -> None:
        """b = k*a with b > 0 makes b >= a."""
        if self.facts.at_least_zero(above - 1):
            self.again(conditions.at_least_zero(above - below))

    # -- consequences ----------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Look again at what mentions a changed symbol, until nothing changes."""
        for _ in range(8):
            changed, self.changed = self.changed, set()
            if not changed:
                return
            self.facts._forget()
            self.review(changed)

    def review(self, changed: set[str]) -> None:
        for p in self.taken("nonneg", changed):
            self.renew(conditions.at_least_zero(p))
        for p in self.taken("nonzero", changed):
            self.renew(conditions.is_zero(p).negated())
        for q in self.taken("integral", changed):
            self.renew(conditions.of_quotient(q))
            if not q.is_integral():
                # It stays of use in products, even if a domain implies it.
                self.facts.integral = (*self.facts.integral, q)
        for q in self.taken("apart", changed):
            self.renew(conditions.of_quotient(q).negated())

    def taken(self, kind: str, changed: set[str]) -> Iterator[Poly]:
        """Take what mentions a changed symbol out of the known polynomials of a kind, one after another."""
        for p in getattr(self.facts, kind):
            if isinstance(p, Poly) and not changed.isdisjoint(p.symbols):
                setattr(self.facts, kind, tuple(x for x in getattr(self.facts, kind) if x is not p))
                yield p

    def renew(self, condition: Condition) -> None:
        """Learn a condition in the form that the new facts give it; drop it where they imply it."""
        self.facts._forget()
        known = self.facts.decide(condition)
        if known is None:
            self.learn(self.facts.simplified(condition))
        elif not known:
            raise Contradiction
