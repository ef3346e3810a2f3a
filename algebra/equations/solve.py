"""`solve` and `solve_left`, the words of the language: X itself, or a refusal with the witness.

Values are listed where that can be done; unknown and huge extents are solved by inverses.
"""

from __future__ import annotations

from ..base.words import word
from ..values.lifting import Lifted
from .inverses import is_listed, left_factor_by_inverse, right_factor_by_inverse
from .left import right_factor
from .right import left_factor
from .solution import SOLVED, Solution, refusal

__all__ = ["solve", "solve_left"]


@word("""
    algebra: solve(A: any-layout, C: any-layout)
    X with A o X = C, of the fewest modes and the smallest codomain
    law: A(R(c)) = C(c)
    solve((16,8):(8,1), ((4,8),(2,2)):((2,8),(1,64)))
""")
def solve(outer: Lifted, wanted: Lifted) -> Lifted:
    """Left division: X with ``outer o X = wanted``, inside the domain of A.

    Law: ``outer(X(c)) = wanted(c)`` for all c. LC316 if no function X does it, with a value of C that A does not take;
    LC317 if a function does, and no layout. Where extents are unknown or too many to list, X is A^L o C, if the law
    holds for it.

    >>> from laycalc.algebra.values.layout import Layout
    >>> solve(Layout((16, 8), (8, 1)), Layout(((4, 8), (2, 2)), ((2, 8), (1, 64))))
    Layout('(4,8,2,2):(32,1,16,8)')
    """
    if is_listed(outer, wanted):
        return _value(right_factor(outer, wanted), "solve")
    return right_factor_by_inverse(outer, wanted)


@word("""
    algebra: solve_left(C: any-layout, B: any-layout)
    X with X o B = C, of the fewest modes and the smallest codomain
    law: R(B(c)) = C(c)
    solve_left((4,6):(8,1), (4,6):(6,1))
""")
def solve_left(wanted: Lifted, inner: Lifted) -> Lifted:
    """Right division: X with ``X o inner = wanted``, defined at all values of B.

    Law: ``X(inner(c)) = wanted(c)`` for all c. LC316 if no function X does it, with two coordinates where B agrees and
    C does not; LC317 if a function does, and no layout. Where extents are unknown or too many to list, X is C o B^L,
    if the law holds for it.

    >>> from laycalc.algebra.values.layout import Layout
    >>> solve_left(Layout((4, 6), (8, 1)), Layout((4, 6), (6, 1)))
    Layout('(6,4):(1,8)')
    """
    if is_listed(inner, wanted, on_left=True):
        return _value(left_factor(inner, wanted), "solve_left")
    return left_factor_by_inverse(inner, wanted)


def _value(found: Solution, op: str) -> Lifted:
    if found.verdict == SOLVED:
        x: Lifted = found.value
        return x
    raise refusal(found, op)
