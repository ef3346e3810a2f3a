"""Quotients of polynomials: exact division, fractions in lowest terms, and the text of both."""

from __future__ import annotations

from math import gcd
from typing import Any

from .poly import TERM_LIMIT, Monomial, Number, Poly, combined, inverse, parts, times

__all__ = ["fraction", "fraction_text", "leading", "monomial", "number_text", "over"]


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
    found = long_division(above, upper)
    return None if found is None else over(found * lower, below)


def _unit(m: Monomial, c: int, den: int) -> Any:
    if not m and c % den == 0:
        return c // den
    common = gcd(c, den)
    return Poly({m: c // common}, den // common)


def long_division(p: Number, q: Number) -> Number | None:
    """p/q without negative exponents, by cancelling leading terms; None if something stays."""
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
    return min(parts(p)[0], key=_display)


def monomial(m: Monomial) -> Number:
    """A monomial as a number."""
    return Poly({m: 1}, 1) if m else 1


def fraction(p: Number) -> tuple[Number, Number]:
    """(numerator, denominator) in lowest terms, both without negative exponents; the denominator is one monomial.

    >>> from .poly import symbol
    >>> fraction(over(symbol("K"), 4 * symbol("N")) + 1)
    (K+4*N, 4*N)
    """
    terms, den = parts(p)
    lowest: dict[str, int] = {}
    for m in terms:
        for atom, e in m:
            if e < lowest.get(atom, 0):
                lowest[atom] = e
    shift = tuple(sorted((atom, -e) for atom, e in lowest.items()))
    numerator = combined({times(m, shift): c for m, c in terms.items()} if shift else terms)
    return numerator, den * monomial(shift)


# -- text ----------------------------------------------------------------------------------------------------------


def fraction_text(p: Number, q: Number) -> str:
    """``p/q``, sums in brackets; the text reads back as the same quotient."""
    above = number_text(p)
    if type(q) is int and q == 1:
        return above
    below = number_text(q)
    if isinstance(p, Poly) and len(p.terms) > 1:
        above = f"({above})"
    if isinstance(q, Poly) and (len(q.terms) > 1 or "*" in below):
        below = f"({below})"
    return f"{above}/{below}"


def number_text(p: Number) -> str:
    """A polynomial without denominators: terms by falling degree, then by name."""
    if type(p) is int:
        return str(p)
    terms, _ = parts(p)
    text = ""
    for m in sorted(terms, key=_display):
        c = terms[m]
        names = [atom for atom, e in m for _ in range(e)]
        factors = [str(abs(c)), *names] if abs(c) != 1 or not names else names
        text += ("-" if c < 0 else "+" if text else "") + "*".join(factors)
    return text


def _display(m: Monomial) -> tuple[int, list[str]]:
    return -sum(e for _, e in m), [atom for atom, e in m for _ in range(e)]
