"""What a bound or a value of a product says about its factors, and what an equation says about one symbol."""

from __future__ import annotations

from .domain import Domain, divisors
from .known import Known, is_positive
from .poly import Number, Poly, Rounding, parts
from .quotient import over
from .terms import Monomial

FACTORABLE = 1 << 40
"""The greatest number that is factored."""


def under_limit(facts: Known, product: Monomial, most: int) -> dict[str, Domain | None]:
    """Domains of the symbols whose product is at most so much: each is at most that over the least of the others."""
    least = 1
    for atom, e in product:
        low = facts.lower(atom)
        if low is None or low < 1 or e < 1:
            return {}
        least *= low**e
    # x^e <= most/others implies x <= most/others; exact for e = 1.
    return {
        atom: facts.domain(atom).meet(hi=most * facts.domain(atom).lo ** e // least)
        for atom, e in product
        if not isinstance(atom, Rounding)
    }


def among_factors(facts: Known, product: Monomial, n: int) -> dict[str, Domain | None]:
    """Domains of the symbols whose product is n, or divides it: each divides n."""
    if not 0 < n <= FACTORABLE:
        return {}
    found: dict[str, Domain | None] = {}
    among = divisors(n)
    for atom, e in product:
        if e > 0 and not isinstance(atom, Rounding) and atom not in facts.solved:
            domain = facts.domain(atom)
            kept = tuple(x for x in among if x in domain and n % x**e == 0)
            found[atom] = Domain(kept[0], kept[-1], domain.mod, domain.rem, kept) if kept else None
    return found


def solvable(facts: Known, p: Number) -> tuple[str, Number] | None:
    """A symbol that p == 0 expresses by the others, and the expression: a plain one before a quotient.

    >>> from .facts import Facts
    >>> from .poly import symbol
    >>> solvable(Facts(), symbol("ld") - 2 * symbol("M"))
    ('ld', 2*M)
    """
    if not isinstance(p, Poly):
        return None
    inside = {name for atom in p.roundings() for name in atom.symbols}
    found = []
    for name in sorted(p.symbols - inside):
        if (term := _single_term(facts, p, name)) is not None:
            m, c, value = term
            found.append(((bool(m), abs(c) != 1, [-ord(letter) for letter in name]), name, value))
    return min(found)[1:] if found else None


def _single_term(facts: Known, p: Poly, name: str) -> tuple[Monomial, int, Number] | None:
    """(m, c, x) if the symbol stands in one term c*m*symbol of p, m is not 0, and p == 0 makes the symbol x."""
    split = p.linear(name)
    terms, _ = parts(split[0]) if split else ({}, 1)
    if split is None or len(terms) != 1:
        return None
    ((m, c),) = terms.items()
    value = over(-split[1], split[0])
    return None if value is None or not is_positive(facts, m) else (m, c, value)
