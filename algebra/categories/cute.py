"""What the engines answer to a composition, right or wrong: the C++ headers, and the stricter DSL 4.2.1."""

from __future__ import annotations

from math import prod
from typing import Any

from ..base.errors import LayoutError
from ..base.record import Record
from ..operations.composition import composition
from ..operations.cutlass import StaticAssert, cutlass_composition
from ..values.coalesce import coalesce
from ..values.layout import Layout, reach


class Answer(Record):
    """What one engine says: its layout, or None with the kind of refusal; ``right`` is None where that is open."""

    engine: str
    layout: Layout | None
    refusal: str = ""
    right: bool | None = None

    def __str__(self) -> str:
        if self.layout is None:
            return f"{self.engine} refuses" + (f" ({self.refusal})" if self.refusal else "")
        verdict = {True: ", right", False: ", wrong", None: ""}[self.right]
        return f"{self.engine} answers {self.layout}{verdict}"

    def as_json(self) -> dict[str, Any]:
        """``engine``, then ``layout`` and ``right``, or ``refuses``."""
        if self.layout is None:
            return {"engine": self.engine, "refuses": self.refusal or True}
        return {"engine": self.engine, "layout": str(self.layout), "right": self.right}


class Crossing(Record):
    """A stride or extent s*d of the inner layout that is incomparable with a boundary of the outer one."""

    leaf: int
    mode: str
    value: int
    boundary: int
    part: str

    def as_json(self) -> dict[str, Any]:
        """``mode``, ``value`` and ``boundary``."""
        return {"mode": self.mode, "value": self.value, "boundary": self.boundary}


def in_bounds(outer: Layout, inner: Layout) -> bool:
    """Does every value of the inner layout lie in the domain of the outer one?

    >>> in_bounds(Layout(8, 3), Layout(4, 2)), in_bounds(Layout(8, 3), Layout(4, 3))
    (True, False)
    """
    return bool(reach(*inner.flat()) < prod(outer.flat()[0]))


def boundaries(shape: tuple[int, ...]) -> list[int]:
    """The prefix products P_1, ..., P_p of a flat shape.

    >>> boundaries((4, 2, 3))
    [4, 8, 24]
    """
    product, found = 1, []
    for s in shape:
        product *= s
        found.append(product)
    return found


def crossing(outer: Layout, inner: Layout) -> Crossing | None:
    """The first violation of the boundary rule of DSL 4.2.1, None if it holds.

    Law: for every mode s:d of the inner layout with s > 1, d > 0, and every boundary P_k of the coalesced outer
    layout but the last, d and s*d are comparable with P_k (one divides the other). Each mode counts alone. A size-1
    mode is held to its stride.

    >>> crossing(Layout((6, 3, 2), (6, 1, 18)), Layout(3, 6))
    """
    return crossing_of(boundaries(coalesce(outer).flat()[0])[:-1], inner)


def crossing_of(chain: list[int], inner: Layout) -> Crossing | None:
    """The first stride or extent of the inner layout that is incomparable with a member of the chain."""
    for i, (s, d) in enumerate(zip(*inner.flat(), strict=True)):
        if d == 0:
            continue
        for value in (d,) if s == 1 else (d, s * d):
            for boundary in chain:
                if value % boundary and boundary % value:
                    return Crossing(i, f"{s}:{d}", value, boundary, "start" if value == d else "extent")
    return None


def cutlass_answer(outer: Layout, inner: Layout) -> Answer:
    """What the C++ headers (and DSL 4.8 and later, which answer alike) return, and whether it is right.

    The mode-wise result is right exactly when the exact composition accepts; no table of values is needed.

    >>> print(cutlass_answer(Layout((8, 4), (8, 16)), Layout((8, 2), (1, 1))))
    CUTLASS answers (8,2):(8,8), wrong
    """
    try:
        layout = cutlass_composition(outer, inner)
    except StaticAssert as refusal:
        return Answer("CUTLASS", None, refusal.kind)
    return Answer("CUTLASS", layout, right=_is_right(outer, inner, layout))


def dsl_answer(outer: Layout, inner: Layout) -> Answer:
    """What DSL 4.2.1 returns: as CUTLASS, but only where no mode crosses a boundary.

    >>> print(dsl_answer(Layout((8, 4), (16, 1)), Layout(2, 3)))
    DSL 4.2.1 refuses (crosses-boundary)
    """
    if crossing(outer, inner) is not None:
        return Answer("DSL 4.2.1", None, "crosses-boundary")
    return cutlass_answer(outer, inner).replace(engine="DSL 4.2.1")


def _is_right(outer: Layout, inner: Layout, answer: Layout) -> bool:
    try:
        exact = composition(outer, inner)
    except LayoutError:
        return False
    return coalesce(exact) == coalesce(answer) and exact.size == answer.size
