"""Is a polynomial at least zero, or zero, at every admissible substitution?"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import TYPE_CHECKING, Any

from .condition import Condition, at_least_zero, divides, is_zero
from .normal import residual, shifted
from .poly import Number, Poly, Rounding, combined, parts
from .quotient import fraction, over
from .terms import ONE, Monomial, inverse, times

if TYPE_CHECKING:
    from .facts import Facts

__all__ = ["decide_sign", "decide_zero", "one_by_one", "prove", "rounding_floor", "simpler_sign", "simpler_zero"]

DEPTH = 2
"""How many known inequalities are added up."""


def simpler_sign(facts: Facts, p: Number) -> Condition:
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


def simpler_zero(facts: Facts, p: Number) -> Condition:
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


def _divided(facts: Facts, p: Poly) -> Number:
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


def _is_at_least(facts: Facts, m: Monomial, n: int) -> bool:
    """Is a product of positive atoms known to be at least n?"""
    least = 1
    for atom, e in m:
        least *= (facts.lower(atom) or 0) ** e
    return least >= n or (len(m) > 1 and prove(facts, Poly({m: 1, ONE: -n}, 1), 1))


def _shared(facts: Facts, terms: Any) -> Monomial:
    """The greatest monomial of positive atoms that divides every term."""
    shared: dict[str, int] | None = None
    for m in terms:
        powers = dict(m)
        shared = powers if shared is None else {a: min(e, powers[a]) for a, e in shared.items() if a in powers}
        if not shared:
            return ONE
    return tuple(sorted((a, e) for a, e in (shared or {}).items() if (facts.lower(a) or 0) >= 1))


def _as_divisibility(facts: Facts, p: Poly, *, sign: bool) -> Condition | None:
    """``q*ceil(x/q) <= x``, ``x - q*floor(x/q) == r`` and their like say that q divides x, or x - r."""
    roundings = p.roundings()
    if len(roundings) != 1:
        return None
    atom = roundings[0]
    with_atom = {m: c for m, c in p.terms.items() if any(a == atom for a, _ in m)}
    if any(e != 1 for m in with_atom for a, e in m if a == atom):
        return None
    factor = combined({tuple((a, e) for a, e in m if a != atom): c for m, c in with_atom.items()}, p.den)
    rest = combined({m: c for m, c in p.terms.items() if m not in with_atom}, p.den)
    scale = over(factor, atom.q)
    if scale is None or len(parts(scale)[0]) != 1:
        return None
    ((m, c),) = parts(scale)[0].items()
    if any((facts.lower(a) or 0) < 1 for a, _ in m) or not facts.at_least_zero(atom.q - 1):
        return None
    positive = c > 0
    x = over(-rest, scale)
    if x is None:
        return None
    if x == atom.p:
        # q*ceil(x/q) - x and x - q*floor(x/q) are never negative.
        if not sign or positive != atom.up:
            return divides(atom.q, atom.p)
        return None
    offset = x - atom.p
    if not sign and not atom.up and type(offset) is int and type(atom.q) is int and -atom.q < offset < 0:
        return divides(atom.q, atom.p + offset)
    return None


def decide_sign(facts: Facts, p: Number, hunch: bool | None) -> bool | None:
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


def decide_zero(facts: Facts, p: Number, hunch: bool | None) -> bool | None:
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


def _is_unequal(facts: Facts, p: Number) -> bool:
    """Is p != 0 among the facts?"""
    if not facts.nonzero or type(p) is int:
        return False
    return simpler_zero(facts, p).poly in facts.nonzero


def one_by_one(facts: Facts, condition: Condition) -> bool | None:
    """The answer where one symbol with few values occurs."""
    names = condition.symbols
    if len(names) != 1:
        return None
    (name,) = names
    domain = facts.domain(name)
    if not domain.is_finite:
        return None
    values = domain.values()
    first = condition.true_at({name: next(values)})
    return first if all(condition.true_at({name: x}) is first for x in values) else None


def prove(facts: Facts, p: Number, depth: int) -> bool:
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
    hints = [parts(hint)[0] for hint in (*facts.hints(), *_rounding_hints(facts, p))]
    return bool(hints) and _nonnegative(terms, hints, depth, max(map(_degree, terms)))


Terms = Mapping[Monomial, int]


def _nonnegative(terms: Terms, hints: list[Terms], depth: int, degree: int) -> bool:
    """Is this sum, without its denominator, a combination of non-negative terms and at most ``depth`` hints?"""
    negative = [m for m, c in terms.items() if c < 0]
    if not negative:
        return True
    if not depth or len(negative) > 4 * depth:
        return False
    for m in negative:
        for hint in hints:
            for n, k in hint.items():
                if k >= 0 or len(n) > len(m):
                    continue
                factor = times(m, inverse(n)) if n else m
                if any(e < 0 for _, e in factor):
                    continue
                rise = _degree(factor)
                if any(_degree(x) + rise > degree for x in hint):
                    continue
                # -k*terms + c*factor*hint has no term m; no hint is negative, so a proof of the rest suffices.
                c = terms[m]
                rest = {x: -k * y for x, y in terms.items()}
                for x, y in hint.items():
                    at = times(x, factor) if factor else x
                    rest[at] = rest.get(at, 0) + c * y
                if _nonnegative(rest, hints, depth - 1, degree):
                    return True
    return False


def _degree(m: Monomial) -> int:
    return sum(e for _, e in m)


def _rounding_hints(facts: Facts, p: Number) -> list[Number]:
    """What a rounding c = ceil(x/q) obeys: x <= q*c <= x + q - 1; a floor: q*c <= x <= q*c + q - 1."""
    found: list[Number] = []
    for atom in p.roundings() if isinstance(p, Poly) else []:
        c: Any = Poly({((atom, 1),): 1}, 1)
        over_ = atom.q * c - atom.p if atom.up else atom.p - atom.q * c
        for hint in (over_, atom.q - 1 - over_):
            if (moved := shifted(facts, hint)) is not None:
                found.append(moved)
    return found


def rounding_floor(facts: Facts, atom: Rounding) -> int | None:
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
