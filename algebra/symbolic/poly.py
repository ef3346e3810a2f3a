"""Polynomials in unknown integers: the numbers of layouts whose extents or strides are not known yet.

A `Poly` is a Laurent polynomial over the rationals, an integer combination of monomials over one positive denominator.
Its atoms are symbols and roundings: ``M``, ``ceil(M/128)``. The form is unique: two polynomials are equal if and only
if they are the same sum. Constants are plain integers, so code that tests ``d == 0`` stays right.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd
from typing import Any, TypeAlias

from ..base.errors import refuse
from ..values.semimodule import Xor
from .questions import at_most, magnitude, needs_value, quotient_and_rest, remainder
from .terms import ONE, Monomial, Terms, quotient_text, text, times

TERM_LIMIT = 64
Number: TypeAlias = "Poly | int"


class Rounding(str):
    """The atom ``ceil(p/q)`` or ``floor(p/q)``: a name that knows its parts."""

    __slots__ = ("p", "q", "up")
    p: Number
    q: Number
    up: bool

    @staticmethod
    def of(p: Number, q: Number, *, up: bool) -> Rounding:
        """The atom of a fraction in lowest terms."""
        atom = Rounding(f"{'ceil' if up else 'floor'}({quotient_text(parts(p)[0], parts(q)[0])})")
        atom.p, atom.q, atom.up = p, q, up
        return atom

    @property
    def symbols(self) -> frozenset[str]:
        """The names of the symbols inside."""
        return frozenset().union(*(part.symbols for part in (self.p, self.q) if isinstance(part, Poly)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rounding, (self.p, self.q, self.up)


def _rounding(p: Number, q: Number, up: bool) -> Rounding:
    return Rounding.of(p, q, up=up)


def combined(terms: Terms, den: int = 1) -> Number:
    """The number with these terms over ``den``, in lowest terms; an integer where it is one."""
    if 0 in terms.values():
        terms = {m: c for m, c in terms.items() if c}
    if not terms:
        return 0
    if den != 1 and (common := gcd(den, *terms.values())) != 1:
        terms = {m: c // common for m, c in terms.items()}
        den //= common
    if den == 1 and len(terms) == 1 and ONE in terms:
        return terms[ONE]
    if len(terms) > TERM_LIMIT:
        raise refuse("LC104", "a polynomial would have more than {limit} terms", op="symbolic", limit=TERM_LIMIT)
    return Poly(terms, den)


def parts(x: Number) -> tuple[Terms, int]:
    """(terms, denominator) of a number."""
    return ({ONE: x} if x else {}, 1) if type(x) is int else (x.terms, x.den)  # type: ignore[union-attr]


class Poly:
    """A Laurent polynomial with integer values; build one with `symbol`, arithmetic, and `quotient.over`.

    Sums and products with integers and polynomials are exact. A comparison, a remainder or ``int()`` is a question
    about values: it goes to the decider of the running context, and is LC106 where there is none.

    >>> M, N = symbol("M"), symbol("N")
    >>> 2 * N * M + 3, M * M + N
    (2*M*N+3, M*M+N)
    >>> (M + 1) * (M - 1) == M * M - 1, M - M
    (True, 0)
    """

    __slots__ = ("_hash", "_integral", "_symbols", "_text", "den", "terms")
    terms: Terms
    den: int

    def __init__(self, terms: Terms, den: int) -> None:
        self.terms = terms
        self.den = den
        self._hash: int | None = None
        self._text: str | None = None
        self._symbols: frozenset[str] | None = None
        self._integral: bool | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Poly, (self.terms, self.den)

    @property
    def symbols(self) -> frozenset[str]:
        """The names of the symbols, those inside roundings too."""
        if self._symbols is None:
            names = (atom.symbols if isinstance(atom, Rounding) else {atom} for atom in self.atoms())
            self._symbols = frozenset().union(*names)
        return self._symbols

    def atoms(self) -> list[str]:
        """The symbols and roundings that occur, in order of the terms, which is the same on every run."""
        return list({atom: None for m in self.terms for atom, _ in m})

    def roundings(self) -> list[Rounding]:
        """The roundings that occur, in order of their text."""
        return sorted(a for a in self.atoms() if isinstance(a, Rounding))

    def linear(self, atom: str) -> tuple[Number, Number] | None:
        """(factor, rest) with ``self = factor*atom + rest``; None if the atom stands in another power.

        >>> M, N = symbol("M"), symbol("N")
        >>> (M * N - 2 * M + 3).linear("M")
        (N-2, 3)
        """
        factor: dict[Monomial, int] = {}
        rest: dict[Monomial, int] = {}
        for m, c in self.terms.items():
            power = dict(m).get(atom, 0)
            if power not in (0, 1):
                return None
            if power:
                factor[tuple(pair for pair in m if pair[0] != atom)] = c
            else:
                rest[m] = c
        return combined(factor, self.den), combined(rest, self.den)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Poly) and self.den == other.den and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((frozenset(self.terms.items()), self.den))
        return self._hash

    # -- arithmetic ------------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        if type(other) is int:
            if not other:
                return self
            total = dict(self.terms)
            total[ONE] = total.get(ONE, 0) + other * self.den
            return combined(total, self.den)
        if not isinstance(other, Poly):
            return NotImplemented
        if self.den == other.den:
            den, a, b = self.den, 1, 1
        else:
            den = self.den * other.den // gcd(self.den, other.den)
            a, b = den // self.den, den // other.den
        total = {m: c * a for m, c in self.terms.items()}
        for m, c in other.terms.items():
            total[m] = total.get(m, 0) + c * b
        return combined(total, den)

    __radd__ = __add__

    def __neg__(self) -> Poly:
        return Poly({m: -c for m, c in self.terms.items()}, self.den)

    def __pos__(self) -> Poly:
        return self

    def __sub__(self, other: Any) -> Any:
        return self + -other if isinstance(other, (int, Poly)) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if type(other) is int:
            return self if other == 1 else combined({m: c * other for m, c in self.terms.items()}, self.den)
        if isinstance(other, Xor):
            raise refuse(
                "LC203",
                "an XOR stride has only numbers as multiples, not {n}*{stride}",
                op="scale",
                n=str(self),
                stride=str(other),
            )
        if not isinstance(other, Poly):
            return NotImplemented
        total: dict[Monomial, int] = {}
        for m, c in self.terms.items():
            for n, k in other.terms.items():
                mn = times(m, n)
                total[mn] = total.get(mn, 0) + c * k
        return combined(total, self.den * other.den)

    __rmul__ = __mul__

    def at(self, values: Mapping[str, int]) -> Fraction | int:
        """The value where every symbol has one."""
        if self._integral or self.is_integral():
            total = 0
            for m, c in self.terms.items():
                for atom, e in m:
                    x = values[atom] if type(atom) is str else round_at(atom, values)  # type: ignore[arg-type]
                    c *= x if e == 1 else x**e
                total += c
            return total if self.den == 1 else total // self.den if total % self.den == 0 else Fraction(total, self.den)
        exact = Fraction(0)
        for m, c in self.terms.items():
            term = Fraction(c, self.den)
            for atom, e in m:
                term *= Fraction(round_at(atom, values) if isinstance(atom, Rounding) else values[atom]) ** e
            exact += term
        return int(exact) if exact.denominator == 1 else exact

    def is_integral(self) -> bool:
        """Has no atom a negative exponent?"""
        if self._integral is None:
            self._integral = all(e > 0 for m in self.terms for _, e in m)
        return self._integral

    # -- questions -------------------------------------------------------------------------------------------

    def __abs__(self) -> Any:
        return magnitude(self)

    def __le__(self, other: Any) -> bool:
        return at_most(self, other)

    def __ge__(self, other: Any) -> bool:
        return at_most(other, self)

    def __lt__(self, other: Any) -> bool:
        return at_most(self + 1, other)

    def __gt__(self, other: Any) -> bool:
        return at_most(other + 1, self)

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return quotient_and_rest(self, other)

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return quotient_and_rest(other, self)

    def __floordiv__(self, other: Any) -> Any:
        return quotient_and_rest(self, other)[0]

    def __rfloordiv__(self, other: Any) -> Any:
        return quotient_and_rest(other, self)[0]

    def __mod__(self, other: Any) -> Any:
        return remainder(self, other)

    def __rmod__(self, other: Any) -> Any:
        return remainder(other, self)

    def __index__(self) -> int:
        raise needs_value(self)

    __int__ = __index__
    __float__ = __index__

    def _bits(self, _: Any) -> Any:
        raise needs_value(self)

    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _bits
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _bits

    def __str__(self) -> str:
        if self._text is None:
            self._text = text(self.terms, self.den)
        return self._text

    def __repr__(self) -> str:
        return str(self)


def symbol(name: str) -> Poly:
    """The unknown integer of that name.

    >>> symbol("M") + symbol("M")
    2*M
    """
    return Poly({((name, 1),): 1}, 1)


def round_at(atom: Rounding, values: Mapping[str, int]) -> int:
    """The value of a rounding where every symbol has one."""
    p, q = (x if type(x) is int else x.at(values) for x in (atom.p, atom.q))  # type: ignore[union-attr]
    return int(-(-p // q) if atom.up else p // q)
