"""Quotients of polynomials: exact division, and fractions in lowest terms."""

from __future__ import annotations

from math import gcd
from typing import Any

from .poly import TERM_LIMIT, Number, Poly, combined, parts
from .terms import Monomial, cleared, inverse, order, times


def over(p: Number, q: Number) -> Number | None:
    """p/q as a Laurent polynomial, or None if it is none: q is a monomial, or divides p as a polynomial.

    >>> from .poly import symbol
    >>> M = symbol("M")
    >>> over(M, 128), over(M * M - 1, M + 1), over(M, M + 1)
    (M/128, M-1, None)
    """
    terms, den = parts(q)
    if len(terms) == 1:
        ((m, c),) = terms.items()
        return p * _unit(inverse(m) if m else m, den if c > 0 else -den, abs(c))  # type: ignore[no-any-return]
    (above, below), (upper, lower) = fraction(p), fraction(q)
    found = _long_division(above, upper)
    return None if found is None else over(found * lower, below)


def _unit(m: Monomial, c: int, den: int) -> Any:
    if not m and c % den == 0:
        return c // den
    common = gcd(c, den)
    return Poly({m: c // common}, den // common)


def _long_division(p: Number, q: Number) -> Number | None:
    """p/q without negative exponents, by cancelling leading terms; None if something stays."""
    if not parts(q)[0]:
        return None
    found: Any = 0
    rest: Any = p
    (rows, _), lead = parts(q), leading(q)
    for _ in range(TERM_LIMIT):
        if type(rest) is int and not rest:
            return found  # type: ignore[no-any-return]
        m = leading(rest)
        left, scale = parts(rest)
        step = _unit(times(m, inverse(lead)), left[m] if rows[lead] > 0 else -left[m], scale * abs(rows[lead]))
        if isinstance(step, Poly) and not step.is_integral():
            return None
        found, rest = found + step, rest - step * q
    return None


def leading(p: Number) -> Monomial:
    """The monomial that stands first."""
    return min(parts(p)[0], key=order)


def fraction(p: Number) -> tuple[Number, Number]:
    """(numerator, denominator) in lowest terms, both without negative exponents; the denominator is one monomial.

    >>> from .poly import symbol
    >>> fraction(over(symbol("K"), 4 * symbol("N")) + 1)
    (K+4*N, 4*N)
    """
    if type(p) is int:
        return p, 1
    terms, den = parts(p)
    if p.is_integral():  # type: ignore[union-attr]
        return p if den == 1 else combined(terms), den
    above, shift = cleared(terms)
    return combined(above), den * Poly({shift: 1}, 1)


def lowest_terms(p: Number, q: Number) -> tuple[Number, Number]:
    """(numerator, denominator) of p/q, without a common number or symbol.

    >>> from .poly import symbol
    >>> M = symbol("M")
    >>> lowest_terms(4 * M * M, 2 * M * M + 2 * M)
    (2*M, M+1)
    """
    quotient = over(p, q)
    if quotient is not None:
        return fraction(quotient)
    (above, below), (upper, lower) = fraction(p), fraction(q)
    p, q = above * lower, upper * below
    numbers = gcd(*parts(p)[0].values(), *parts(q)[0].values())
    shared: dict[str, int] | None = None
    for m in (*parts(p)[0], *parts(q)[0]):
        powers = dict(m)
        shared = powers if shared is None else {a: min(e, powers[a]) for a, e in shared.items() if a in powers}
    common = combined({tuple(sorted((shared or {}).items())): numbers})
    first, second = over(p, common), over(q, common)
    assert first is not None
    assert second is not None
    return first, second
