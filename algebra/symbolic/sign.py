"""Is a polynomial at least zero, or zero, at every admissible substitution?"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import Any

from .condition import Condition, at_least_zero, divides, is_zero, unanimous
from .known import Hint, Known, Work, is_positive
from .normal import residual, shifted
from .poly import Number, Poly, Rounding, combined, parts
from .quotient import fraction, over
from .terms import ONE, Monomial, Terms, degree, inverse, times

DEPTH = 2
"""How many known inequalities are added up."""


def simpler_sign(facts: Known, p: Number) -> Condition:
    """The condition that stands for ``p >= 0``: a shorter inequality, or a divisibility.

    ``p = g*q + k`` with a positive g and a constant k smaller than g is ``q >= 1`` or ``q >= 0``.
    """
    p = fraction(facts.normal(p))[0]
    while isinstance(p, Poly):
        shorter = _divided(facts, p)
        if shorter == p:
            break
        p = shorter
    if isinstance(p, Poly) and (found := _as_divisibility(facts, p, sign=True)) is not None:
        return found
    return at_least_zero(p)


def simpler_zero(facts: Known, p: Number) -> Condition:
    """The condition that stands for ``p == 0``: without common factors, or a divisibility."""
    p = fraction(facts.normal(p))[0]
    if isinstance(p, Poly):
        common = gcd(*p.terms.values())
        shared = _shared(facts, p.terms)
        p = combined({times(m, inverse(shared)): c // common for m, c in p.terms.items()})
    if isinstance(p, Poly):
        if (found := _as_divisibility(facts, p, sign=False)) is not None:
            return found
        lead = min(p.terms, key=lambda m: (-sum(e for _, e in m), m))
        if p.terms[lead] < 0:
            p = -p
    return is_zero(p)


def _divided(facts: Known, p: Poly) -> Number:
    """One step of making an inequality shorter."""
    k = p.terms.get(ONE, 0)
    rest = {m: c for m, c in p.terms.items() if m}
    common = gcd(*rest.values())
    if common > 1:
        return combined({m: c // common for m, c in rest.items()} | {ONE: k // common})
    shared = _shared(facts, rest)
    if not shared:
        return p
    q = combined({times(m, inverse(shared)): c for m, c in rest.items()})
    if k and not _is_at_least(facts, shared, -k if k < 0 else k + 1):
        return p
    return q - 1 if k < 0 else q


def _is_at_least(facts: Known, m: Monomial, n: int) -> bool:
    """Is a product of positive atoms known to be at least n?"""
    least = 1
    for atom, e in m:
        least *= (facts.lower(atom) or 0) ** e
    return least >= n or (len(m) > 1 and prove(facts, Poly({m: 1, ONE: -n}, 1), 1))


def _shared(facts: Known, terms: Any) -> Monomial:
    """The greatest monomial of positive atoms that divides every term."""
    shared: dict[str, int] | None = None
    for m in terms:
        powers = dict(m)
        shared = powers if shared is None else {a: min(e, powers[a]) for a, e in shared.items() if a in powers}
        if not shared:
            return ONE
    return tuple(sorted(pair for pair in (shared or {}).items() if is_positive(facts, (pair,))))


def _as_divisibility(facts: Known, p: Poly, *, sign: bool) -> Condition | None:
    """``q*ceil(x/q) <= x``, ``x - q*floor(x/q) == r`` and their like say that q divides x, or x - r."""
    found = _against_rounding(facts, p)
    if found is None:
        return None
    atom, is_above, x = found
    offset = x - atom.p
    if type(offset) is not int:
        return None
    if not offset:
        # q*ceil(x/q) - x and x - q*floor(x/q) are never negative.
        return divides(atom.q, atom.p) if not sign or is_above != atom.up else None
    if not sign and not atom.up and type(atom.q) is int and -atom.q < offset < 0:
        return divides(atom.q, atom.p + offset)
    return None


def _against_rounding(facts: Known, p: Poly) -> tuple[Rounding, bool, Any] | None:
    """(c, s > 0, x) with ``p = s*(q*c - x)``: the one rounding in p, its divisor q, and a monomial s that is not 0."""
    roundings = p.roundings()
    split = p.linear(roundings[0]) if len(roundings) == 1 else None
    if split is None:
        return None
    (factor, rest), atom = split, roundings[0]
    scale = over(factor, atom.q)
    terms = {} if scale is None else parts(scale)[0]
    if len(terms) != 1 or not all(is_positive(facts, m) for m in terms) or not facts.at_least_zero(atom.q - 1):
        return None
    x = over(-rest, scale)  # type: ignore[arg-type]
    return None if x is None else (atom, min(terms.values()) > 0, x)


def decide_sign(facts: Known, p: Number, hunch: bool | None) -> bool | None:
    """True if p >= 0 everywhere, False if p < 0 everywhere, None if open; ``hunch`` rules one answer out."""
    if type(p) is int:
        return p >= 0
    for depth in (0, DEPTH):
        if hunch is not False and prove(facts, p, depth):
            return True
        if hunch is not True and prove(facts, -p - 1, depth):
            return False
        if not depth and (known := one_by_one(facts, at_least_zero(p))) is not None:
            return known
    # p >= -1 and p != -1 is p >= 0.
    if hunch is not False and _is_unequal(facts, p + 1) and prove(facts, p + 1, DEPTH):
        return True
    if hunch is not True and _is_unequal(facts, p) and prove(facts, -p, DEPTH):
        return False
    return None


def decide_zero(facts: Known, p: Number, hunch: bool | None) -> bool | None:
    """True if p = 0 everywhere, False if p != 0 everywhere, None if open; ``hunch`` rules one answer out."""
    if type(p) is int:
        return p == 0
    if hunch is not True:
        if _is_unequal(facts, p):
            return False
        terms, _ = parts(residual(facts, p))
        if terms.get(ONE, 0) % gcd(*(c for m, c in terms.items() if m)):
            return False
        if prove(facts, p - 1, DEPTH) or prove(facts, -p - 1, DEPTH):
            return False
    if (known := one_by_one(facts, is_zero(p))) is not None:
        return known
    return True if hunch is not False and prove(facts, p, DEPTH) and prove(facts, -p, DEPTH) else None


def _is_unequal(facts: Known, p: Number) -> bool:
    """Is p != 0 among the facts?"""
    if not facts.nonzero or type(p) is int:
        return False
    return simpler_zero(facts, p).poly in facts.nonzero


def one_by_one(facts: Known, condition: Condition) -> bool | None:
    """The answer where one symbol with few values occurs."""
    names = condition.symbols
    if len(names) != 1:
        return None
    (name,) = names
    domain = facts.domain(name)
    if not domain.is_finite:
        return None
    return unanimous(condition.true_at({name: x}) for x in domain.values())


def prove(facts: Known, p: Number, depth: int) -> bool:
    """Is p a sum of products of things that are never negative?"""
    if type(p) is int:
        return p >= 0
    start = shifted(facts, p)
    if start is None:
        return False
    terms, _ = parts(start)
    if all(c >= 0 for c in terms.values()):
        return True
    if not depth:
        return False
    hints = [*facts.hints(), *_rounding_hints(facts, p)]
    return bool(hints) and _is_combination(facts.work, terms, hints, depth, max(map(degree, terms)))


def _is_combination(work: Work, terms: Terms, hints: list[Hint], depth: int, highest: int) -> bool:
    """Is this sum, without its denominator, a combination of non-negative terms and at most ``depth`` hints?"""
    work.steps += 1
    negative = [m for m, c in terms.items() if c < 0]
    if not negative:
        return True
    if not depth or len(negative) > 4 * depth:
        return False
    return any(
        _is_combination(work, rest, hints, depth - 1, highest)
        for m in negative
        for hint in hints
        for rest in _without(terms, m, hint, highest)
    )


def _without(terms: Terms, m: Monomial, hint: Hint, highest: int) -> Iterator[Terms]:
    """The sum, scaled, less the multiples of a hint that cancel the term m; no hint is negative, so these suffice."""
    for n, k in hint.negative:
        if len(n) > len(m) or degree(m) - degree(n) + hint.degree > highest:
            continue
        factor = times(m, inverse(n)) if n else m
        if any(e < 0 for _, e in factor):
            continue
        rest = {x: -k * y for x, y in terms.items()}
        for x, y in hint.terms.items():
            at = times(x, factor) if factor else x
            rest[at] = rest.get(at, 0) + terms[m] * y
        yield rest


def _rounding_hints(facts: Known, p: Number) -> Iterator[Hint]:
    """What a rounding c = ceil(x/q) obeys: x <= q*c <= x + q - 1; a floor: q*c <= x <= q*c + q - 1."""
    for atom in p.roundings() if isinstance(p, Poly) else []:
        c: Any = Poly({((atom, 1),): 1}, 1)
        over_ = atom.q * c - atom.p if atom.up else atom.p - atom.q * c
        for p in (over_, atom.q - 1 - over_):
            if (hint := hint_of(facts, p)) is not None:
                yield hint


def hint_of(facts: Known, p: Number) -> Hint | None:
    """What is never negative, as a proof adds it up; None for a constant, and for an atom without a bound."""
    moved = shifted(facts, p)
    if not isinstance(moved, Poly):
        return None
    terms = moved.terms
    return Hint(terms, [(m, c) for m, c in terms.items() if c < 0], max(map(degree, terms)))


def rounding_floor(facts: Known, atom: Rounding) -> int | None:
    """A lower bound of a rounding: that of its numerator, rounded; 0 or 1 where only the signs are known."""
    least = shifted(facts, atom.p)
    if least is not None and type(atom.q) is int:
        terms, _ = parts(least)
        if all(c >= 0 for c in terms.values()):
            p = terms.get(ONE, 0)
            return -(-p // atom.q) if atom.up else p // atom.q
    if facts.at_least_zero(atom.p - 1) and atom.up:
        return 1
    return 0 if facts.at_least_zero(atom.p) else None
