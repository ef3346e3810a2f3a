"""`solve` and `solve_left`: X itself, or a refusal with the witness.

Values are listed where that can be done; unknown and huge extents are solved by inverses.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from ..base.decide import less
from ..base.effort import VALUES
from ..base.errors import LayoutError, refuse
from ..base.words import word
from ..operations.coincidence import unknown
from ..operations.divide import logical_divide
from ..operations.on_swizzled import compose, left_inverse
from ..values.layout import Layout, reach
from ..values.lifting import Lifted, lift
from ..values.semimodule import Xor
from ..values.swizzle import Composed
from ..values.tensor import Tensor
from ..values.tiler import Tiler
from .left import right_factor
from .right import left_factor
from .solution import NONE, SOLVED, UNDECIDED, Solution
from .tilers import composing_tiler, dividing_tiler

__all__ = ["broken_at", "is_listed", "refusal", "solution", "solve", "solve_left"]


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
    found = compose(left_inverse(outer), wanted)
    _check_inside(found, outer)
    return _checked(found, compose(outer, found), wanted, "solve", f"{outer} o X")


def _check_inside(found: Any, outer: Lifted) -> None:
    """LC316 if X goes past the end of A."""
    if isinstance(found, Layout) and found.semimodule == "Z":
        last = reach(*found.flat())
        if not less(last, outer.size):
            raise refuse(
                "LC316",
                "X = {found} reaches {reach}, past the {size} elements of A",
                op="solve",
                found=str(found),
                reach=last,
                size=outer.size,
                left_path=(),
                right_path=(),
            )


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
    if is_listed(inner, wanted):
        return _value(left_factor(inner, wanted), "solve_left")
    found = compose(wanted, left_inverse(inner))
    return _checked(found, compose(found, inner), wanted, "solve_left", f"X o {inner}")


def is_listed(*layouts: Lifted) -> bool:
    """Are the extents known, and few enough to list the values?"""
    sizes = [layout.size for layout in layouts]
    return all(type(n) is int and n <= VALUES for n in sizes) and not any(map(_unknown, layouts))


def _unknown(value: Lifted | None) -> bool:
    if isinstance(value, Tensor):
        return hasattr(value.offset, "symbols") or _unknown(value.layout)
    return unknown(value.layout if isinstance(value, Composed) else value) if value is not None else False


def _value(found: Solution, op: str) -> Lifted:
    if found.verdict == SOLVED:
        x: Lifted = found.value
        return x
    raise refusal(found, op)


def solution(operator: str, known: Lifted, wanted: Lifted, *, on_left: bool = False) -> Solution:
    """All that is known of X in ``known o X = wanted``, ``X o known = wanted`` (``on_left``), ``known / X = wanted``.

    X is a layout; where none composes, a tiler is tried, and it is one that divides.
    """
    if operator == "/":
        return dividing_tiler(known, wanted)
    if on_left:
        return left_factor(known, wanted)
    found = right_factor(known, wanted)
    if found.verdict == SOLVED:
        return found
    tiled = composing_tiler(known, wanted)
    return tiled if isinstance(tiled.value, Tiler) else found


def broken_at(operator: str, known: Lifted, x: Any, wanted: Lifted, *, on_left: bool = False) -> int | None:
    """The first index where the law of an equation fails for X, None if it holds at all of them."""
    if operator == "/":
        found = lift(logical_divide)(known, x).elements()
    elif on_left:
        found = list(map(x.element, known.elements()))
    elif isinstance(x, Tiler):
        found = compose(known, x).elements()
    else:
        found = list(map(known.element, x.elements()))
    pairs = zip_longest(map(_plain, found), map(_plain, wanted.elements()))
    return next((c for c, (a, b) in enumerate(pairs) if a != b), None)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Xor) else value


def refusal(found: Solution, op: str) -> LayoutError:
    """The error that an equation without a solution makes: LC316, LC317, LC104 for a search that was given up."""
    code = {NONE: "LC316", UNDECIDED: "LC104"}.get(found.verdict, "LC317")
    facts: dict[str, Any] = {"reason": found.reason, **(found.witness or {})}
    template = "{reason}"
    if found.outside is not None:
        facts["outside"] = str(found.outside)
        template += "; past its end, X = {outside} would do"
    return refuse(code, template, op=op, left_path=(), right_path=(), **facts)


def _checked(found: Lifted, made: Any, wanted: Lifted, op: str, equation: str) -> Lifted:
    """X, if the law holds for it; the forms of the two sides decide."""
    from ..symbolic.compare import equal_functions

    if equal_functions(made, wanted):
        return found
    raise refuse(
        "LC316",
        "X = {found} would make {made} of {equation}, not {wanted}",
        op=op,
        equation=equation,
        found=str(found),
        made=str(made),
        wanted=str(wanted),
        left_path=(),
        right_path=(),
    )
