"""`solve`, `solve_left` and `solve_divide`, the words of the language: X itself, or a refusal with the witness.

Values are listed where that can be done; unknown and huge extents are solved by inverses.
"""

from __future__ import annotations

from ..base.words import word
from ..values.layout import Layout
from ..values.lifting import Lifted
from ..values.tiler import Tiler
from .inverses import divisor_by_inverse, is_listed, left_factor_by_inverse, right_factor_by_inverse
from .left import right_factor
from .right import left_factor
from .solution import SOLVED, Solution, refusal
from .tilers import dividing_tiler

__all__ = ["solve", "solve_divide", "solve_left"]


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

    >>> solve_left(Layout((4, 6), (8, 1)), Layout((4, 6), (6, 1)))
    Layout('(6,4):(1,8)')
    """
    if is_listed(inner, wanted, on_left=True):
        return _value(left_factor(inner, wanted), "solve_left")
    return left_factor_by_inverse(inner, wanted)


@word("""
    algebra: solve_divide(A: any-layout, C: any-layout)
    the tiler X with A / X = C
    law: logical_divide(A, R)(c) = C(c)
    solve_divide(24:1, (8,3):(3,1))
""")
def solve_divide(outer: Lifted, wanted: Lifted) -> Layout | Tiler:
    """X with ``outer / X = wanted``, the logical divide: a tiler where C is divided by mode, else a layout.

    Law: ``logical_divide(outer, X)(c) = wanted(c)`` for all c. LC316 if no tile does it, LC317 if none was found that
    is a layout. Where extents are unknown or too many to list, the tile is A^L o C(0), if the law holds for it.

    >>> str(solve_divide(Layout((9, 32), (59, 1)), Layout(((3, 3), (8, 4)), ((177, 59), (4, 1)))))
    '<3:3,8:4>'
    """
    if not is_listed(outer, wanted):
        return divisor_by_inverse(outer, wanted)
    found = dividing_tiler(outer, wanted)
    if found.verdict != SOLVED:
        raise refusal(found, "solve_divide")
    x: Layout | Tiler = found.value
    return x


def _value(found: Solution, op: str) -> Lifted:
    if found.verdict == SOLVED:
        x: Lifted = found.value
        return x
    raise refusal(found, op)
