"""Monomials, and the text of a sum of them over a denominator."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from ..base.errors import refuse

EXPONENT_LIMIT = 16

Monomial: TypeAlias = tuple[tuple[str, int], ...]
"""Atoms and their exponents, which may be negative, in order of the atoms' names."""

Terms: TypeAlias = Mapping[Monomial, int]
"""A sum: monomials and their coefficients."""

ONE: Monomial = ()


@lru_cache(4096)
def times(a: Monomial, b: Monomial) -> Monomial:
    """The product of two monomials; LC104 beyond the power 16."""
    exponents = dict(a)
    for atom, e in b:
        exponents[atom] = exponents.get(atom, 0) + e
    if any(abs(e) > EXPONENT_LIMIT for e in exponents.values()):
        raise refuse("LC104", "a symbol would be raised beyond the power {limit}", op="symbolic", limit=EXPONENT_LIMIT)
    return tuple(sorted((atom, e) for atom, e in exponents.items() if e))


@lru_cache(4096)
def inverse(a: Monomial) -> Monomial:
    """1/a."""
    return tuple((atom, -e) for atom, e in a)


@lru_cache(4096)
def degree(m: Monomial) -> int:
    """The sum of the exponents."""
    return sum(e for _, e in m)


def order(m: Monomial) -> tuple[int, list[str]]:
    """The key of the order in which terms stand: falling degree, then names."""
    return -degree(m), [atom for atom, e in m for _ in range(e)]


def cleared(terms: Terms) -> tuple[Terms, Monomial]:
    """The sum times the least monomial that leaves no negative exponent, and that monomial."""
    lowest: dict[str, int] = {}
    for m in terms:
        for atom, e in m:
            if e < lowest.get(atom, 0):
                lowest[atom] = e
    shift = tuple(sorted((atom, -e) for atom, e in lowest.items()))
    return ({times(m, shift): c for m, c in terms.items()} if shift else terms), shift


def text(terms: Terms, den: int) -> str:
    """A sum over a denominator, with one fraction bar."""
    above, shift = cleared(terms)
    return quotient_text(above, {shift: den})


def quotient_text(above: Terms, below: Terms) -> str:
    """``p/q``, sums in brackets; the text reads back as the same quotient."""
    if below == {ONE: 1}:
        return sum_text(above)
    p, q = sum_text(above), sum_text(below)
    return f"{f'({p})' if len(above) > 1 else p}/{f'({q})' if len(below) > 1 or '*' in q else q}"


def sum_text(terms: Terms) -> str:
    """A sum without denominators."""
    found = ""
    for m in sorted(terms, key=order):
        c = terms[m]
        names = [atom for atom, e in m for _ in range(e)]
        factors = [str(abs(c)), *names] if abs(c) != 1 or not names else names
        found += ("-" if c < 0 else "+" if found else "") + "*".join(factors)
    return found or "0"
