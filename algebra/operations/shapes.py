"""What two shapes have in common: refinement, coarsening, greatest common domain."""

from __future__ import annotations

from math import gcd, prod
from typing import Any

from ..base.decide import divides, quotient, same
from ..base.errors import LayoutError, refuse
from ..base.words import word
from ..values.htuple import HTuple, flatten, format_htuple
from ..values.layout import Layout, make
from ..values.shape import size


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
    values: common_coarsening(A: tensor, B: tensor)
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
    values: greatest_common_domain(A: tensor, B: tensor)
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


@word("""
    coordinates: shape_div(a: shape, b: shape)
    the shape a divided by b, mode by mode, b used up from the left
    law: size(R) * size(b) = size(a)
    shape_div((12,2), 6)
""")
def shape_div(a: HTuple, b: HTuple) -> HTuple:
    """``a / b`` as CuTe divides shapes: an integer b is used up from the first mode on, a tuple b divides by mode.

    Law: ``size(R) * size(b) = size(a)`` where b divides; where a mode divides b instead, it becomes 1 and b goes on
    divided. LC302 where neither divides the other, or b is not used up; LC201 for profiles that differ.

    >>> shape_div((12, 3), 36), shape_div((12, 2), 6), shape_div((6, 4), (3, 2))
    ((1, 1), (2, 2), (2, 2))
    """
    result, rest = _divided(_shape(a), _shape(b))
    if not same(rest, 1):
        raise refuse(
            "LC302", "{b} is not used up by the modes of {a} (Shape Divisibility Condition)",
            op="shape_div", a=format_htuple(a), b=format_htuple(b), left_path=(), right_path=(),
        )  # fmt: skip
    return result


def _divided(a: HTuple, b: HTuple) -> tuple[HTuple, Any]:
    """The quotient, and what of b is left."""
    if isinstance(b, tuple):
        if not isinstance(a, tuple) or len(a) != len(b):
            raise refuse(
                "LC201", "{b} does not divide {a} mode by mode: the profiles differ",
                op="shape_div", a=format_htuple(a), b=format_htuple(b),
            )  # fmt: skip
        pairs = [_divided(x, y) for x, y in zip(a, b, strict=True)]
        return tuple(quotient for quotient, _ in pairs), prod(rest for _, rest in pairs)
    if isinstance(a, tuple):
        modes = []
        for mode in a:
            one, b = _divided(mode, b)
            modes.append(one)
        return tuple(modes), b
    if divides(b, a):
        return quotient(a, b), 1
    if divides(a, b):
        return 1, quotient(b, a)
    raise refuse(
        "LC302", "{a} and {b} do not divide one another (Shape Divisibility Condition)",
        op="shape_div", a=format_htuple(a), b=format_htuple(b), left_path=(), right_path=(),
    )  # fmt: skip


@word("""
    coordinates: evenly_divides(a: numbers, b: shape)
    does b divide a, mode by mode?
    evenly_divides((12,8), (4,8))
""")
def evenly_divides(a: HTuple, b: HTuple) -> bool:
    """Does every entry of b divide what stands there in a? An integer b must divide the size of a.

    >>> evenly_divides((12, 8), (4, 8)), evenly_divides((12, 8), (5, 8)), evenly_divides((6, 2), 4)
    (True, False, True)
    """
    a, b = _shape(a), _shape(b)
    if isinstance(b, tuple):
        return isinstance(a, tuple) and len(b) <= len(a) and all(map(evenly_divides, a, b))
    return divides(b, size(a))


@word("""
    coordinates: gcd(a: integer, b: integer...)
    the greatest common divisor
    gcd(12, 18)
""")
def greatest_common_divisor(*numbers: int) -> int:
    """The greatest integer that divides all; LC106 for unknown numbers.

    >>> greatest_common_divisor(12, 18)
    6
    """
    if any(type(n) is not int for n in numbers):
        raise refuse("LC106", "gcd needs the values of the unknowns", op="gcd")
    return gcd(*numbers)


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
