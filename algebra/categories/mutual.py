"""Mutual refinement of two nested tuples: the cuts that make the codomain of one a start of the other's domain.

Categorical Foundations, section 4.2.
"""

from __future__ import annotations

from itertools import pairwise
from math import gcd, prod
from typing import Any

from ..base.errors import LayoutError, refuse
from ..base.record import Record
from ..base.words import word
from ..values.htuple import HTuple, flatten, format_htuple, unflatten
from .nested import check_nested


class MutualRefinement(Record):
    """T' refines T, U' refines U, and the leaves of T' are the first leaves of U', which are ``common``."""

    T: HTuple
    U: HTuple
    T_refined: HTuple
    U_refined: HTuple

    @property
    def common(self) -> tuple[int, ...]:
        """The leaves of U'."""
        return flatten(self.U_refined)

    def __str__(self) -> str:
        return (
            f"{format_htuple(self.T)} -> {format_htuple(self.T_refined)}"
            f"   {format_htuple(self.U)} -> {format_htuple(self.U_refined)}"
        )

    def as_json(self) -> dict[str, Any]:
        """``T_refined``, ``U_refined`` and ``common`` as text."""
        return {
            "T_refined": format_htuple(self.T_refined),
            "U_refined": format_htuple(self.U_refined),
            "common": format_htuple(self.common),
        }


@word("""
    categories: mutual_refinement(T: shape, U: shape) alias refine
    the coarsest refinements of both that agree
    mutual_refinement((6,6), (12,3,6))
""")
def mutual_refinement(T: HTuple, U: HTuple) -> MutualRefinement:
    """The coarsest mutual refinement of (T, U): it cuts at the prefix products of both and nowhere else.

    Law: it exists iff ``size(T) <= size(U)`` and the prefix products of T and U together are a chain for
    divisibility; then ``P(U') = P(T) | P(U)``. Entries 1 are kept as leaves of their own (an extension of the paper).
    LC310 (kind not_mutually_refinable, with the two products that do not divide one another). Source: Categorical
    Foundations §4.2.

    >>> print(mutual_refinement((6, 6), (12, 3, 6)))
    (6,6) -> (6,(2,3))   (12,3,6) -> ((6,2),3,6)
    """
    x = check_nested(T, "mutual_refinement")
    y = check_nested(U, "mutual_refinement")
    found = find_refinement(x, y)
    if found is None:
        raise refinement_fault(x, y, op="mutual_refinement")
    return MutualRefinement(T, U, unflatten(found[0], T), unflatten(found[1], U))


def find_refinement(T: tuple[int, ...], U: tuple[int, ...]) -> tuple[list[HTuple], list[HTuple]] | None:
    """What replaces each entry of two flat tuples, or None if they have no mutual refinement.

    >>> find_refinement((6, 6), (2, 6, 6)), find_refinement((8, 8), (3, 8, 8))
    (([(2, 3), (2, 3)], [2, (3, 2), (3, 2)]), None)
    """
    left, right = _Side(T), _Side(U)
    # An entry is at least 1: 0 says that a side is used up.
    while (x := left.rest) and (y := right.rest):
        if x == y:
            left.close()
            right.close()
        elif x == 1 and not left.pieces:
            left.close()
            right.take_one()
        elif y == 1 and not right.pieces:
            right.close()
            left.take_one()
        elif y % x == 0:
            left.close()
            right.cut(x)
        elif x % y == 0:
            right.close()
            left.cut(y)
        else:
            return None
    return (left.done, right.done) if _ended(left, right) else None


def _ended(left: _Side, right: _Side) -> bool:
    """One side is used up: T must be, what is left of U stays."""
    while left.rest == 1 and not left.pieces and right.done:
        # A closing 1 of T finds its place after U's last leaf.
        left.close()
        right.take_one()
    while right.rest:
        right.close()
    return not left.rest


class _Side:
    """One of two tuples that are cut alike: the entries that are done, and of the next one the pieces and the rest."""

    __slots__ = ("coming", "done", "pieces", "rest")

    def __init__(self, entries: tuple[int, ...]) -> None:
        self.coming = iter(entries)
        self.done: list[HTuple] = []
        self.pieces: list[int] = []
        self.rest = next(self.coming, 0)

    def close(self) -> None:
        """What is left of the entry is its last piece; the next one is begun."""
        if self.pieces:
            self.done.append((*self.pieces, self.rest))
            self.pieces = []
        else:
            self.done.append(self.rest)
        self.rest = next(self.coming, 0)

    def cut(self, piece: int) -> None:
        """A piece of the entry, which divides what is left of it."""
        self.pieces.append(piece)
        self.rest //= piece

    def take_one(self) -> None:
        """An entry 1 of the other side, a leaf of its own there, joins the entry before it here."""
        if self.pieces or not self.done:
            self.pieces.append(1)
        else:
            before = self.done[-1]
            self.done[-1] = (*before, 1) if isinstance(before, tuple) else (before, 1)


def prefix_chain(T: tuple[int, ...], U: tuple[int, ...]) -> tuple[int, int] | None:
    """The least neighbours x < y among the prefix products of both with x not dividing y; None if they form a chain.

    >>> prefix_chain((3, 4), (6, 3)), prefix_chain((6, 6), (12, 3, 6))
    ((12, 18), None)
    """
    for x, y in pairwise(sorted(_products(T) | _products(U))):
        if y % x:
            return x, y
    return None


def _products(t: tuple[int, ...]) -> set[int]:
    product, found = 1, {1}
    for entry in t:
        product *= entry
        found.add(product)
    return found


def refinement_fault(T: tuple[int, ...], U: tuple[int, ...], *, op: str, **facts: Any) -> LayoutError:
    """LC310 for two flat tuples without a mutual refinement: the proof by prefix products."""
    pair = prefix_chain(T, U)
    facts |= {"op": op, "kind": "not_mutually_refinable", "T": format_htuple(T), "U": format_htuple(U)}
    if pair is None and prod(T) > prod(U):
        return refuse(
            "LC310",
            "{T} and {U} are not mutually refinable: size {size_T} exceeds {size_U}",
            reason="size_T_exceeds_size_U",
            size_T=prod(T),
            size_U=prod(U),
            **facts,
        )
    if pair is None:
        return refuse(
            "LC310", "{T} and {U} are not mutually refinable: {U} has no entry that an entry 1 could split",
            reason="no_entry_to_split", **facts,
        )  # fmt: skip
    smaller, larger = pair
    in_T = _products(T)
    return refuse(
        "LC310",
        "{T} and {U} are not mutually refinable: the prefix product {smaller} of {smaller_side} does not divide"
        " {larger} of {larger_side} (gcd {gcd})",
        reason="incomparable_prefix_products",
        smaller=smaller,
        smaller_side="T" if smaller in in_T else "U",
        larger=larger,
        larger_side="T" if larger in in_T else "U",
        gcd=gcd(smaller, larger),
        **facts,
    )
