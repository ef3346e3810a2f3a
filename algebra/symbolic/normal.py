"""Rewriting a number by what is known: equalities, residues, roundings that are exact."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .known import Known
from .poly import Number, Poly, Rounding, combined, parts
from .quotient import fraction, lowest_terms, over
from .terms import ONE, Monomial


def substitute(p: Number, values: Mapping[str, Number]) -> Number:
    """``p`` with atoms replaced; an atom stays in a denominator if its value is a sum."""
    if type(p) is int or not values:
        return p
    terms, den = parts(p)
    same = {m: c for m, c in terms.items() if not any(atom in values for atom, _ in m)}
    if len(same) == len(terms):
        return p
    total: Any = combined(same, den)
    for m, c in terms.items():
        if m not in same:
            total = total + _replaced(m, combined({ONE: c}, den), values)
    return total  # type: ignore[no-any-return]


def _replaced(m: Monomial, factor: Any, values: Mapping[str, Number]) -> Any:
    """``factor*m`` with atoms replaced."""
    kept = []
    for atom, e in m:
        power: Any = 1
        for _ in range(abs(e) if atom in values else 0):
            power = power * values[atom]
        if atom not in values:
            kept.append((atom, e))
        elif e > 0:
            factor = factor * power
        elif (type(power) is int and not power) or (below := over(1, power)) is None:
            kept.append((atom, e))
        else:
            factor = factor * below
    return factor * Poly({tuple(kept): 1}, 1) if kept else factor


def as_number(value: Fraction) -> Number:
    """A rational constant."""
    return combined({ONE: value.numerator}, value.denominator)


def residual(facts: Known, p: Number) -> Number:
    """Every symbol x = r mod d as d*x' + r, where it is in no denominator or r = 0."""
    if type(p) is int:
        return p
    low = {atom for m in p.terms for atom, e in m if e < 0}  # type: ignore[union-attr]
    values = {}
    for atom in p.atoms():  # type: ignore[union-attr]
        domain = facts.domain(atom)
        if domain.mod > 1 and (not domain.rem or atom not in low):
            values[atom] = Poly({((atom + "'", 1),): domain.mod}, 1) + domain.rem
    return substitute(p, values)


def shifted(facts: Known, p: Number) -> Number | None:
    """``p`` in variables that are never negative: every symbol x as d*x' + lo; None for an atom without a bound."""
    values = {}
    for atom in p.atoms() if isinstance(p, Poly) else ():
        low = facts.lower(atom)
        if low is None:
            return None
        step = facts.domain(atom).mod if not isinstance(atom, Rounding) else 1
        if low or step > 1:
            values[atom] = Poly({((atom + "'", 1),): step}, 1) + low
    return substitute(p, values)


def rounded(facts: Known, p: Number, q: Number, *, up: bool) -> Number:
    """ceil(p/q) or floor(p/q): a polynomial where the rounding is known, else with one atom."""
    ratio = over(p, q)
    if ratio is not None:
        part = facts.fractional_part(ratio)
        if part is not None:
            # p/q - part is an integer; rounding adds what is missing.
            return ratio + as_number((1 if up and part else 0) - part)
    else:
        p, q = lowest_terms(p, q)
        if facts.divides(q, p):
            return Poly({((Rounding.of(p, q, up=True), 1),): 1}, 1)
    if facts.at_least_zero(p - (1 if up else 0)) and facts.at_least_zero(q - p - (0 if up else 1)):
        return 1 if up else 0
    if ratio is None:
        return Poly({((Rounding.of(p, q, up=up), 1),): 1}, 1)
    whole: Any
    whole, rest = split(ratio)
    above, below = fraction(rest)
    return whole + Poly({((Rounding.of(above, below, up=up), 1),): 1}, 1)  # type: ignore[no-any-return]


def split(ratio: Number) -> tuple[Number, Number]:
    """The terms of a ratio that are integers whatever the symbols are, and the others."""
    terms, den = parts(ratio)
    whole = {m: c for m, c in terms.items() if c % den == 0 and all(e > 0 for _, e in m)}
    return combined(whole, den), combined({m: c for m, c in terms.items() if m not in whole}, den)
