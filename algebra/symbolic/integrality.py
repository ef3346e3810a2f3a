"""Is a Laurent polynomial an integer at every admissible substitution?"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import gcd
from typing import Any

from .condition import unanimous
from .known import Known
from .normal import residual
from .poly import Number, Poly, parts
from .quotient import fraction, over
from .terms import ONE, Monomial, Terms, inverse, times

DEPTH = 3
"""How many known quotients are multiplied to reach a term."""

RESIDUES = 4096
"""How many combinations of residues are tried."""

ATOMS = 3
"""Of how many atoms."""

Term = tuple[Monomial, int, int]
"""Monomial, numerator and denominator of its coefficient."""


def is_integer(facts: Known, q: Number) -> bool | None:
    """True if q is an integer at every admissible substitution, False if it is none anywhere, None if open."""
    if type(q) is int:
        return True
    rest = fractional_part(facts, q)
    if rest is not None:
        return rest == 0
    q = facts.normal(q)
    for other in facts.apart:
        # Were q an integer, its multiple would be one too.
        ratio = over(facts.normal(other), q)
        if ratio is not None and fractional_part(facts, ratio) == 0:
            return False
    above, below = fraction(q)
    if facts.at_least_zero(above - 1) and facts.at_least_zero(below - above - 1):
        return False
    return _by_residues(residual(facts, q))


def fractional_part(facts: Known, q: Number) -> Fraction | None:
    """q minus the integer below it, where that is one constant at every admissible substitution.

    The terms are integers one by one, or together with a known quotient; only the constant may be none.
    """
    terms, den = parts(residual(facts, facts.normal(q)))
    known = _known(facts)
    bad = {m: c for m, c in terms.items() if m and not _term(m, c, den, known, DEPTH)}
    for whole in facts.integral:
        if not bad:
            break
        other, scale = parts(residual(facts, facts.normal(whole)))
        if len(other) > 1:
            bad, terms = _without(bad, terms, den, other, scale)
    return None if bad else Fraction(terms.get(ONE, 0), den) % 1


def _known(facts: Known) -> list[Term]:
    """The monomials that are known to be integers."""
    found = []
    for whole in facts.integral:
        terms, den = parts(residual(facts, facts.normal(whole)))
        if len(terms) == 1:
            ((m, c),) = terms.items()
            if c % den or any(e < 0 for _, e in m):
                found.append((m, c, den))
    return found


def _term(m: Monomial, c: int, den: int, known: list[Term], depth: int) -> bool:
    """Is c*m/den a product of symbols, an integer and known quotients?"""
    negative = any(e < 0 for _, e in m)
    if c % den == 0 and not negative:
        return True
    if not depth:
        return False
    powers = dict(m)
    for n, k, scale in known:
        if any(e > powers.get(atom, 0) for atom, e in n if e > 0):
            continue
        if _term(times(m, inverse(n)), c * scale, den * k, known, depth - 1):
            return True
    return False


def _without(bad: Any, terms: Any, den: int, other: Any, scale: int) -> tuple[Any, Any]:
    """Take an integer multiple of a known sum away, if that clears a bad term."""
    for m in list(bad):
        if m not in other:
            continue
        ratio = Fraction(terms[m] * scale, den * other[m])
        if ratio.denominator != 1:
            continue
        left = dict(terms)
        for n, c in other.items():
            left[n] = left.get(n, 0) - ratio * Fraction(c * den, scale)
        if any(Fraction(c).denominator != 1 for c in left.values()):
            continue
        left = {n: int(c) for n, c in left.items() if c}
        rest = {n: c for n, c in left.items() if n and (c % den or any(e < 0 for _, e in n))}
        if len(rest) < len(bad):
            return rest, left
    return bad, terms


def _by_residues(q: Number) -> bool | None:
    """Numeric denominators: the value mod 1 depends on residues only, and there are few of them."""
    terms, den = parts(q)
    if isinstance(q, Poly) and not q.is_integral():
        return None
    bad = {m: c for m, c in terms.items() if c % den}
    if terms.get(ONE, 0) % gcd(den, *(c for m, c in terms.items() if m)):
        return False
    atoms = sorted({atom for m in bad for atom, _ in m})
    if _takes_all(bad) or len(atoms) > ATOMS or den ** len(atoms) > RESIDUES:
        return None
    points = (dict(zip(atoms, values, strict=True)) for values in product(range(den), repeat=len(atoms)))
    return unanimous(_residue(bad, at, den) == 0 for at in points)


def _takes_all(terms: Terms) -> bool:
    """Is there one linear atom, which takes every residue?"""
    return len(terms) - (ONE in terms) < 2 and all(e == 1 for m in terms for _, e in m)


def _residue(terms: Terms, at: dict[str, int], den: int) -> int:
    """The value of a sum mod ``den``."""
    total = 0
    for m, c in terms.items():
        for atom, e in m:
            c *= at[atom] ** e
        total += c
    return total % den
