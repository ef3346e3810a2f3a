"""What two shapes have in common: refinement, coarsening, greatest common domain."""

from __future__ import annotations

from math import gcd
from typing import Any

from ..base.decide import same
from ..base.errors import LayoutError, refuse
from ..base.words import word
from ..values.htuple import HTuple, flatten, format_htuple
from ..values.layout import Layout, make
from ..values.shape import size

__all__ = ["common_coarsening", "greatest_common_domain", "refined_shape"]


def _shape(x: Any) -> HTuple:
    return x.shape if isinstance(x, Layout) else x


def refined_shape(a: HTuple, b: HTuple) -> HTuple:
    """The coarsest shape that both coarsen, tuples kept; a layout stands for its shape. LC310 if there is none.

    >>> refined_shape((4, (3, 5)), ((2, 2), 15))
    ((2, 2), (3, 5))
    """
    a, b = _shape(a), _shape(b)
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        if not same(size(a), size(b)):
            raise _apart("common_refinement", a, b)
        return b if not isinstance(a, tuple) else a
    if len(a) != len(b):
        raise _apart("common_refinement", a, b)
    return tuple(map(refined_shape, a, b))


@word("""
    values: common_coarsening(A: any, B: any)
    both over the finest common coarser shape
    common_coarsening((4,6):(1,4), (2,12):(12,1))
""")
def common_coarsening(a: HTuple, b: HTuple) -> HTuple:
    """The finest shape that coarsens both; a layout stands for its shape. LC310 if the sizes differ.

    >>> common_coarsening(((2, 3), 4), ((3, 2), 4)), common_coarsening((6, 5), (3, 10))
    ((6, 4), 30)
    """
    a, b = _shape(a), _shape(b)
    if not same(size(a), size(b)):
        raise _apart("common_coarsening", a, b)
    if not isinstance(a, tuple) or not isinstance(b, tuple) or len(a) != len(b):
        return size(a)
    if any(not same(size(x), size(y)) for x, y in zip(a, b, strict=True)):
        return size(a)
    return tuple(map(common_coarsening, a, b))


@word("""
    values: greatest_common_domain(A: layout, B: layout)
    the largest initial domain on which both are defined alike
    greatest_common_domain((4,6):(1,4), (4,6):(1,8))
""")
def greatest_common_domain(a: HTuple, b: HTuple) -> Layout:
    """The largest layout R of depth 1 that cuts both shapes at whole modes: both are admissible left operands for R.

    Each pair of modes contributes the stretch that both cover: with prefix products P, Q and l = lcm(P, Q), the mode
    g/l:l with g = gcd(P*s, Q*t) where l divides g. Law: symmetric, and what is left of the two shapes has no common
    domain but 1.

    >>> greatest_common_domain((5, 3, 4), (10, 6))
    Layout('(5,2):(1,30)')
    """
    modes: list[tuple[int, int]] = []
    for p, p_end in _stretches(_shape(a)):
        for q, q_end in _stretches(_shape(b)):
            start = p * q // gcd(p, q)
            end = gcd(p_end, q_end)
            if end % start == 0 and end > start:
                modes.append((end // start, start))
    modes = sorted(modes, key=lambda mode: mode[1]) or [(1, 0)]
    return make(tuple(s for s, _ in modes), tuple(d for _, d in modes))


def _stretches(shape: HTuple) -> list[tuple[int, int]]:
    """The prefix products (before, after) of every mode."""
    found = []
    before = 1
    for s in flatten(shape):
        if type(s) is not int:
            raise refuse(
                "LC106",
                "greatest_common_domain needs the value of {extent}",
                op="greatest_common_domain",
                extent=str(s),
            )
        found.append((before, before * s))
        before *= s
    return found


def _apart(op: str, a: HTuple, b: HTuple) -> LayoutError:
    return refuse(
        "LC310",
        "shapes {a} and {b} have no {what}",
        op=op,
        a=format_htuple(a),
        b=format_htuple(b),
        what=op.replace("_", " "),
    )
