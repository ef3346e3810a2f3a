"""The three stride semimodules: integers Z, coordinates Z^P, and XOR strides over F2 (paper, section 4.3).

An integer stride is a plain ``int``. Every semimodule has ``n*d``, ``d + d`` and an order; the integer 0 is the zero
of each, and no other element is zero, so ``d == 0`` and truth mean the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, SupportsIndex, TypeAlias

from ..base.decide import known_same
from ..base.errors import refuse
from ..base.record import Value
from .htuple import HTuple, told

Path = tuple[int, ...]


def clmul(a: int, b: int) -> int:
    """Carry-less product: XOR of ``b << i`` over the set bits i of ``a``; a, b >= 0.

    >>> clmul(3, 3), clmul(3, 5)
    (5, 15)
    """
    product = 0
    while a:
        if a & 1:
            product ^= b
        a >>= 1
        b <<= 1
    return product


def first_carry(extent: int, factor: int) -> int | None:
    """The least c < extent with ``clmul(c, factor) != c*factor``, or None: the product carries there.

    ``c = 1 + 2^t`` carries as soon as ``factor`` and ``factor << t`` share a bit, and no smaller c does for that t.
    """
    t = 1
    while 1 + (1 << t) < extent:
        if factor & (factor << t):
            return 1 + (1 << t)
        t += 1
    return None


class Coordinate(Value):
    """A sparse coordinate, the sum of ``coefficient * e_path`` (an element of Z^P, paper 4.3).

    ``terms`` are (path, coefficient) pairs in order of path, coefficients not 0; or the text of a sum. Use
    `Coordinate.of`, which returns the integer 0 for an empty sum.

    >>> Coordinate.of([((0,), 2)]) + Coordinate("3e1")
    Coordinate('2e0+3e1')
    """

    __slots__ = ("terms",)
    __match_args__ = ("terms",)
    terms: tuple[tuple[Path, Any], ...]

    def __init__(self, terms: tuple[tuple[Path, Any], ...] | str) -> None:
        _set_terms(self, terms if type(terms) is tuple else _terms(terms))

    @staticmethod
    def of(terms: Iterable[tuple[Path, Any]]) -> Coordinate | int:
        """The sum of ``coefficient * e_path``; LC315 if one path is a prefix of another."""
        total: dict[Path, Any] = {}
        for path, coefficient in terms:
            total[path] = total[path] + coefficient if path in total else coefficient
        kept = sorted((p, c) for p, c in total.items() if type(c) is not int or c != 0)
        # Sorted paths put a prefix right before the paths that extend it.
        for (p, _), (q, _) in pairwise(kept):
            if q[: len(p)] == p:
                raise refuse(
                    "LC315",
                    "coordinates {first} and {second} have different profiles",
                    op="sum",
                    first="e" + ".".join(map(str, p)),
                    second="e" + ".".join(map(str, q)),
                )
        return Coordinate(tuple(kept)) if kept else 0

    @property
    def basis(self) -> tuple[Path, Any] | None:
        """(path, coefficient) of a scaled basis element, None for a sum of several."""
        return self.terms[0] if len(self.terms) == 1 else None

    def axis(self, path: Path) -> Any:
        """The coefficient of ``e_path``, 0 if it is absent."""
        for p, c in self.terms:
            if p == path:
                return c
        return 0

    def within(self, path: Path) -> Coordinate | int:
        """The element moved below ``path``: e0 becomes ``e_path.0``."""
        return Coordinate.of(((*path, *p), c) for p, c in self.terms)

    def as_tuple(self, profile: HTuple) -> HTuple:
        """The nested tuple of this element in a codomain ``profile``; absent entries are 0."""
        return _place(self.terms, profile)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Coordinate):
            if [p for p, _ in self.terms] == [p for p, _ in other.terms]:
                # Along the same axes there is nothing to sort and nothing to check.
                sums = [(p, a + b) for (p, a), (_, b) in zip(self.terms, other.terms, strict=True)]
                kept = tuple([(p, c) for p, c in sums if type(c) is not int or c])
                return Coordinate(kept) if kept else 0
            return Coordinate.of(self.terms + other.terms)
        return self if type(other) is int and other == 0 else NotImplemented

    __radd__ = __add__

    def __neg__(self) -> Coordinate:
        return Coordinate(tuple((p, -c) for p, c in self.terms))

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, n: Any) -> Any:
        if isinstance(n, (Coordinate, Xor)):
            return NotImplemented
        if type(n) is int and n:
            return Coordinate(tuple([(p, n * c) for p, c in self.terms]))
        return Coordinate.of((p, n * c) for p, c in self.terms)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Coordinate) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(self.terms)

    def __lt__(self, other: Any) -> bool:
        """Colexicographic order: the last entry decides first."""
        difference = self - other
        return isinstance(difference, Coordinate) and difference.terms[-1][1] < 0

    def __gt__(self, other: Any) -> bool:
        difference = self - other
        return isinstance(difference, Coordinate) and difference.terms[-1][1] > 0

    def __str__(self) -> str:
        text = ""
        for path, c in self.terms:
            sign = "-" if type(c) is int and c < 0 else "+" if text else ""
            text += f"{sign}{_factor(c)}e{'.'.join(map(str, path))}"
        return text


def _factor(c: Any) -> str:
    """The text of a coefficient before its basis element; the sign of an integer is written by the sum."""
    if type(c) is int:
        return "" if abs(c) == 1 else str(abs(c))
    return f"({c})*" if len(getattr(c, "terms", ())) > 1 else f"{c}*"


def _terms(given: Any) -> tuple[tuple[Path, Any], ...]:
    """The terms of the coordinate that a text denotes; LC103 for any other value."""
    read = told(given)
    if not isinstance(read, Coordinate):
        raise refuse("LC103", "{given} is no coordinate such as 2e0+3e1", op="coordinate", given=str(given))
    return read.terms


_set_terms = Coordinate.__dict__["terms"].__set__


def _place(terms: Iterable[tuple[Path, Any]], profile: HTuple) -> HTuple:
    if not isinstance(profile, tuple):
        total: int = sum(c for _, c in terms)
        return total
    return tuple(_place([(p[1:], c) for p, c in terms if p[0] == i], mode) for i, mode in enumerate(profile))


class Xor(Value):
    """An XOR stride ``f_k``: sums are XOR, ``n*f_k`` is the carry-less product (paper 4.3.1). Made of k or of its text.

    >>> Xor(5) + Xor(10), 3 * Xor(3)
    (Xor(15), Xor(5))
    """

    __slots__ = ("value",)
    __match_args__ = ("value",)
    value: int

    def __init__(self, value: SupportsIndex | str) -> None:
        _set_value(self, value if type(value) is int and value >= 0 else _bits(value))

    @staticmethod
    def of(value: int) -> Xor | int:
        """``f_value``; ``f_0`` is the integer 0."""
        return Xor(value) if value else 0

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Xor):
            return Xor.of(self.value ^ other.value)
        return self if type(other) is int and other == 0 else NotImplemented

    __radd__ = __add__

    def __mul__(self, n: Any) -> Any:
        if type(n) is not int:
            return NotImplemented
        if n < 0:
            raise refuse(
                "LC203", "an XOR stride has no negative multiple: {n}*{stride}", op="scale", n=n, stride=str(self)
            )
        # A power of two only shifts; the common case costs one comparison.
        return Xor.of(self.value << (n.bit_length() - 1) if n and not n & (n - 1) else clmul(n, self.value))

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Xor) and self.value == other.value

    def __hash__(self) -> int:
        return hash(~self.value)

    def __lt__(self, other: Any) -> bool:
        return self.value < (other.value if isinstance(other, Xor) else other)

    def __gt__(self, other: Any) -> bool:
        return self.value > (other.value if isinstance(other, Xor) else other)

    def __str__(self) -> str:
        return f"f{self.value}"

    def __repr__(self) -> str:
        return f"Xor({self.value})"


def _bits(given: Any) -> int:
    """The number of an XOR stride, or of its text; LC103 for anything else."""
    read = told(given)
    value = read.value if isinstance(read, Xor) else read
    if type(value) is int and value >= 0:
        return value
    raise refuse("LC103", "{given} is no XOR stride", op="xor", given=str(given))


_set_value = Xor.__dict__["value"].__set__


StrideLike: TypeAlias = "SupportsIndex | Coordinate | Xor | str | tuple[StrideLike, ...] | list[StrideLike]"
"""What is taken for strides."""

Strides: TypeAlias = "int | Coordinate | Xor | tuple[Strides, ...]"
"""A nested tuple of strides, all of one semimodule, zeros apart."""


def semimodule(d: Any) -> str:
    """The semimodule that a stride leaf lives in: ``"Z"``, ``"Z^P"`` or ``"F2"``; the zero counts as Z."""
    if isinstance(d, Coordinate):
        return "Z^P"
    return "F2" if isinstance(d, Xor) else "Z"


def semimodule_of(strides: Iterable[Any]) -> str:
    """The common semimodule of stride leaves, zeros apart; LC203 if they mix."""
    found, first = "", None
    for d in strides:
        if type(d) is int and d == 0:
            continue
        kind = semimodule(d)
        if not found:
            found, first = kind, d
        elif kind != found:
            raise refuse(
                "LC203",
                "strides ({first},{second}) mix integer semimodules {left} and {right}",
                op="layout",
                first=first,
                second=d,
                left=found,
                right=kind,
            )
    return found or "Z"


def continues(s0: Any, d0: Any, d1: Any) -> bool:
    """May neighbours s0:d0, s1:d1 merge into (s0*s1):d0? Law: d1 == s0*d0.

    For F2 s0 must also be a power of two: 4*f1 is not f1 XOR 3*f1.
    """
    if type(d0) is int and type(d1) is int and type(s0) is int:
        return bool(d1 == s0 * d0)
    if isinstance(d0, Xor) and s0 & (s0 - 1):
        return False
    return known_same(d1, s0 * d0)
