"""What a bound or a value of a product says about its factors, and what an equation says about one symbol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .domain import Domain, divisors
from .poly import Number, Poly, Rounding, combined
from .quotient import over
from .terms import Monomial

if TYPE_CHECKING:
    from .facts import Facts

__all__ = ["among_factors", "solvable", "under_limit"]

FACTORABLE = 1 << 40
"""The greatest number that is factored."""


def under_limit(facts: Facts, product: Monomial, most: int) -> dict[str, Domain | None]:
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


def among_factors(facts: Facts, product: Monomial, n: int) -> dict[str, Domain | None]:
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


def solvable(facts: Facts, p: Number) -> tuple[str, Number] | None:
    """A symbol that p == 0 expresses by the others, and the expression: a plain one before a quotient.

    >>> from .facts import Facts
    >>> from .poly import symbol
    >>> solvable(Facts(), symbol("ld") - 2 * symbol("M"))
    ('ld', 2*M)
    """
    if not isinstance(p, Poly):
        return None
    best: tuple[Any, str, Number] | None = None
    parts = [part for atom in p.roundings() for part in (atom.p, atom.q) if isinstance(part, Poly)]
    inside = {name for part in parts for name in part.symbols}
    for name in sorted(atom for atom in p.atoms() if not isinstance(atom, Rounding) and atom not in inside):
        terms = [(m, c) for m, c in p.terms.items() if any(a == name for a, _ in m)]
        if len(terms) != 1 or dict(terms[0][0])[name] != 1:
            continue
        ((m, c),) = terms
        if any((facts.lower(a) or 0) < 1 for a, _ in m if a != name):
            continue
        factor = combined({tuple((a, e) for a, e in m if a != name): c})
        value = over(combined({n: -k for n, k in p.terms.items() if n != m}), factor)
        if value is not None:
            rank = (len(m) > 1, abs(c) != 1, [-ord(letter) for letter in name])
            if best is None or rank < best[0]:
                best = rank, name, value
    return None if best is None else best[1:]
