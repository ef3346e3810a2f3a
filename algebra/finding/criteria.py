"""When strides and XOR say the same, and when values are those of a layout: criteria C1, C2, C3 with their proofs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..base.errors import refuse
from ..base.record import Record
from ..values.coalesce import merged, unwrap
from ..values.codomain import value_of
from ..values.htuple import HTuple, flatten, leaf_paths, unflatten
from ..values.layout import Layout, codomain_profile, nested
from ..values.semimodule import Coordinate
from ..values.swizzle import Composed, Swizzle


class Clash(Record):
    """Why a layout is no XOR of its bits.

    ``first`` and ``second`` are two bits as coordinates of the layout, ``at`` their sum, a coordinate where the
    ``value`` differs from ``xored``, the XOR of the two bits' values; all of them are nested tuples or integers.
    """

    first: HTuple
    second: HTuple
    at: HTuple
    value: Any
    xored: Any

    def __str__(self) -> str:
        return f"at {self.at} the value is {self.value}, the XOR of the bits gives {self.xored}"


def bit_values(layout: Layout) -> list[tuple[tuple[int, int], Any]]:
    """The bits of a layout's coordinates: ((leaf, weight), value), leaves left to right, weights 1, 2, 4, ...

    LC202 if an extent is no power of two: such a mode has no bits.
    """
    found = []
    for leaf, (s, d) in enumerate(zip(*layout.flat(), strict=True)):
        if type(s) is not int or s & (s - 1):
            raise refuse(
                "LC202", "extent {extent} is not a power of two: no bits", op="bits", extent=s, layout=str(layout)
            )
        found += [((leaf, 1 << b), (1 << b) * d) for b in range(s.bit_length() - 1)]
    return found


def xor_clash(layout: Layout) -> Clash | None:
    """Criterion C1: None iff the layout's values are the XOR of the values of its bits.

    Let all extents be powers of two. A coordinate is a set of bits, and L(c) is the *sum* of their values v_b, as
    each mode s:d is the sum of its bits d, 2d, 4d, ... Claim: L(c) is the *XOR* of the v_b for all c iff the v_b have
    pairwise disjoint binary digits (on each axis, for coordinates).

    Proof. If the digits are disjoint no sum carries, and a sum without carries is an XOR. Conversely, if v_a and v_b
    share a digit, then v_a + v_b = (v_a XOR v_b) + 2 (v_a AND v_b) differs from v_a XOR v_b at the coordinate a + b.
    QED

    The pair is reported whose coordinate comes first, last mode fastest. LC202 for an extent that is no power of two,
    LC203 for a negative stride, which has no finite digits.
    """
    if layout.semimodule == "F2":
        return None
    bits = [(bit, _axes(v, layout)) for bit, v in bit_values(layout)]
    clashes = [
        (a, b)
        for i, (b, second) in enumerate(bits)
        for a, first in bits[:i]
        if any(x & second.get(axis, 0) for axis, x in first.items())
    ]
    if not clashes:
        return None
    return min((_clash(layout, a, b) for a, b in clashes), key=lambda c: flatten(c.at))


def _axes(value: Any, layout: Layout) -> dict[Any, int]:
    """The digits of a value by axis; an integer has one axis."""
    terms = dict(value.terms) if isinstance(value, Coordinate) else {(): value}
    for c in terms.values():
        if type(c) is not int or c < 0:
            raise refuse(
                "LC203", "stride {stride} has no binary digits", op="bits", stride=str(value), layout=str(layout)
            )
    return terms


def _clash(layout: Layout, a: tuple[int, int], b: tuple[int, int]) -> Clash:
    def coordinate(*bits: tuple[int, int]) -> Any:
        leaves = [sum(w for leaf, w in bits if leaf == i) for i, _ in enumerate(leaf_paths(layout.shape))]
        return unflatten(leaves, layout.shape)

    profile = codomain_profile(layout)
    first, second = layout.element(coordinate(a)), layout.element(coordinate(b))
    return Clash(
        coordinate(a),
        coordinate(b),
        coordinate(a, b),
        value_of(first + second, profile),
        value_of(_xor(first, second), profile),
    )


def _xor(a: Any, b: Any) -> Any:
    if isinstance(a, Coordinate) or isinstance(b, Coordinate):
        left, right = (dict(x.terms) if isinstance(x, Coordinate) else {} for x in (a, b))
        return Coordinate.of((p, left.get(p, 0) ^ right.get(p, 0)) for p in left | right)
    return a ^ b


def layout_of_bits(modes: Sequence[Sequence[Any]]) -> Layout:
    """The layout whose mode k has the given bit values, each mode merged as far as it goes; no bits make 1:0.

    >>> layout_of_bits([[8, 16, 64], [1, 2, 4]])
    Layout('((4,2),8):((8,64),1)')
    """
    found = [unwrap(merged((2,) * len(bits), tuple(bits))) for bits in modes]
    return nested(found)


def swizzles(width: int) -> Iterator[Swizzle]:
    """Every Sw<B,M,S> with |S| >= B that moves something below 2^width, B up to 5, S > 0 and the smallest first."""
    for sign in (1, -1):
        for bits in range(1, 6):
            for base in range(width):
                for shift in range(bits, width - base - bits + 1):
                    yield Swizzle(bits, base, sign * shift)


def swizzle_form(modes: Sequence[Sequence[int]]) -> Composed | None:
    """Criterion C2: the smallest ``Sw<B,M,S> o 0 o L`` with these bit values, L with integer strides, or None.

    ``modes`` holds, for each mode, what its bits 1, 2, 4, ... map to; the map is their XOR. Claim: g = Sw o L for an
    integer layout L iff Sw o g has an integer layout. Proof: for |S| >= B a swizzle reads bits that it does not change,
    so Sw o Sw is the identity; apply Sw to both sides. Sw is linear over F2, hence Sw o g is the XOR of Sw(g(bit)),
    and by C1 it has integer strides iff these values have pairwise disjoint digits. QED

    >>> str(swizzle_form([[9, 18, 36], [1, 2, 4]]))
    'Sw<3,0,3> o 0 o (8,8):(8,1)'
    """
    width = max((v.bit_length() for bits in modes for v in bits), default=0)
    for swizzle in swizzles(width):
        moved = [[swizzle(v) for v in bits] for bits in modes]
        if _disjoint(v for bits in moved for v in bits):
            return Composed(swizzle, 0, layout_of_bits(moved))
    return None


def _disjoint(values: Iterator[int]) -> bool:
    seen = 0
    for v in values:
        if seen & v:
            return False
        seen |= v
    return True


class Prefix(Record):
    """The modes that a run of values begins with; ``bad`` is the first index that they do not explain."""

    modes: tuple[tuple[int, Any], ...]
    bad: int | None = None
    expected: Any = None


def longest_prefix(values: Sequence[Any]) -> Prefix:
    """Criterion C3: the modes of the layout that a list of values, beginning with 0, is a prefix of.

    Claim: if v(0..n-1) is a prefix of a coalesced layout s:d, ..., then d = v(1), and s is the first k with v(k) !=
    k*v(1) (if there is one below n). Proof: within the first mode v(k) = k*d; at k = s the next mode begins with its
    stride, which is not s*d, as the two would have been coalesced. Hence v(i) = v(i mod s) + v(s*floor(i/s)) for all
    i is necessary and, with the layout of v(s*j) found in the same way, sufficient. QED

    The first index that violates the equation at any level is the first one that no layout explains: the levels of a
    shorter prefix are the same.

    >>> longest_prefix([0, 15, 30, 100, 115, 130]).modes
    ((3, 15), (2, 100))
    """
    modes: list[tuple[int, Any]] = []
    bad, expected = None, None
    weight = 1
    current = list(values)
    while len(current) > 1:
        step = current[1]
        n = len(current)
        s = _run(current, step)
        modes.append((s, step))
        if s >= n:
            break
        outer = current[::s]
        at = _first_break(current, outer, s, step)
        if at is not None and (bad is None or at * weight < bad):
            bad, expected = at * weight, outer[at // s] + (at % s) * step
        current = outer
        weight *= s
    return Prefix(tuple(modes), bad, expected)


def _run(values: list[Any], step: Any) -> int:
    """The first k with v(k) != k*step."""
    n = len(values)
    if type(step) is int and step and all(type(v) is int for v in values[: min(n, 64)]):
        # Compared as ranges, which costs no arithmetic per value.
        size = 64
        while size < n and values[:size] == list(range(0, step * size, step)):
            size *= 4
        values = values[:size]
        n = len(values)
    return next((k for k in range(n) if values[k] != k * step), n)


def _first_break(values: list[Any], outer: list[Any], s: int, step: Any) -> int | None:
    """The first index where v(i) != v(i mod s) + v(s*floor(i/s))."""
    firsts = []
    for r in range(1, s):
        column, shift = values[r::s], r * step
        wanted = [base + shift for base in outer[: len(column)]]
        if column != wanted:
            firsts.append(next(j for j, (a, b) in enumerate(zip(column, wanted, strict=True)) if a != b) * s + r)
    return min(firsts, default=None)
