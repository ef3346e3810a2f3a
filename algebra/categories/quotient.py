"""Strict complement, divide and product of layouts through morphisms (Categorical Foundations, section 2)."""

from __future__ import annotations

from math import lcm, prod
from typing import Any

from ..base.errors import LayoutError, refuse
from ..base.record import Record
from ..base.words import word
from ..operations.image import cosize
from ..questions.headers import answered
from ..values.coalesce import Modes, merged, unwrap
from ..values.layout import Layout, concat
from .cute import dsl_answer
from .layouts import compose_layouts_general
from .tractable import nullify, plain_modes, sorted_modes, to_morphism


@word("""
    categories: complement_layout(L: layout, N: integer)
    comp(L, N)
    complement_layout((6):(8), 48)
""")
def complement_layout(layout: Layout, N: int) -> Layout:
    """comp(L, N): the coalesced sorted layout that fills the gaps of L up to N, strictly.

    Law: L followed by comp(L, N) is compact, and the product of the sizes is N. LC306 or LC307 (kind
    not_complementable; reason zero_stride, not_tractable or extent_does_not_divide_N), with CuTe's answer, which
    rounds up. Source: Categorical Foundations §2.2, §2.3.

    >>> complement_layout(Layout((3, 10), (80, 4)), 2400)
    Layout('(4,2,10):(1,40,240)')
    """
    if type(N) is not int or N < 1:
        raise refuse("LC103", "a complement needs a positive integer, not {N}", op="complement_layout", N=str(N))
    found = _gaps(layout, N)
    if isinstance(found, dict):
        raise _not_complementable(layout, N, found)
    return found


def _gaps(layout: Layout, N: int) -> Layout | dict[str, Any]:
    """The strict complement, or the facts of the reason why there is none."""
    shape, stride = plain_modes(layout, "complement_layout")
    gaps: Modes = []
    current = 1
    below = ""
    for d, s, _ in sorted_modes(shape, stride):
        if s == 1:
            continue
        mode = f"{s}:{d}"
        if d == 0:
            return {"reason": "zero_stride", "mode": mode}
        gap, rest = divmod(d, current)
        if rest:
            return {"reason": "not_tractable", "mode": below, "next": mode, "extent": current, "remainder": rest}
        gaps.append((gap, current))
        current = s * d
        below = mode
    last, rest = divmod(N, current)
    if rest:
        return {"reason": "extent_does_not_divide_N", "extent": current}
    gaps.append((last, current))
    return unwrap(merged(*map(tuple, zip(*gaps, strict=True))))


_REASONS = {
    "zero_stride": ("LC306", "mode {mode} has stride 0"),
    "not_tractable": ("LC307", "mode {mode} ends at {extent}, which does not divide the stride of {next}"),
    "extent_does_not_divide_N": ("LC307", "the layout ends at {extent}, which does not divide {N}"),
}


def _not_complementable(layout: Layout, N: int, found: dict[str, Any]) -> LayoutError:
    code, text = _REASONS[found["reason"]]
    return refuse(
        code,
        "{layout} has no complement in {N}: " + text,
        op="complement_layout",
        kind="not_complementable",
        layout=str(layout),
        N=N,
        cute=str(_cute_complement(layout, N)),
        left_path=(),
        **found,
    )


def _cute_complement(layout: Layout, N: int) -> Layout:
    """CuTe's complement: gaps by floor, the rest by ceiling, whatever overlaps; ties of stride in order of writing."""
    modes: Modes = []
    current = 1
    for s, d in sorted(zip(*layout.flat(), strict=True), key=lambda mode: mode[1]):
        if s != 1 and d != 0:
            modes.append((d // current, current))
            current = s * d
    modes.append((-(-N // current), current))
    return unwrap(merged(*map(tuple, zip(*modes, strict=True))))


class LayoutDivision(Record):
    """A / B with the complement of B that was used."""

    layout: Layout
    complement: Layout

    def __str__(self) -> str:
        return f"{self.layout}   with complement {self.complement}"

    def as_json(self) -> dict[str, Any]:
        """Both layouts as text."""
        return {"layout": str(self.layout), "complement": str(self.complement)}


class LayoutProduct(Record):
    """A * B with the complement of A that was used, which ends at N."""

    layout: Layout
    complement: Layout
    N: int

    def __str__(self) -> str:
        return f"{self.layout}   with complement {self.complement} in {self.N}"

    def as_json(self) -> dict[str, Any]:
        """Both layouts as text, and N."""
        return {"layout": str(self.layout), "complement": str(self.complement), "N": self.N}


@word("""
    categories: logical_divide_layouts(A: layout, B: layout)
    A / B by morphisms
    logical_divide_layouts((16):(2), 16:1)
""")
def logical_divide_layouts(A: Layout, B: Layout) -> LayoutDivision:
    """A / B = A o (B, comp(B, size A)) through morphisms, with the strict complement.

    Law: ``R = (A o B, A o B^c)``. LC307 (kind divisor_not_complementable) unless B fills A evenly, LC310 (kind
    not_mutually_refinable), both with CuTe's answer. Source: Categorical Foundations §2.3, §4.2.

    >>> print(logical_divide_layouts(Layout((8, 8), (8, 1)), Layout((2, 2), (1, 4))))
    ((2,2),(2,8)):((8,32),(16,1))   with complement (2,8):(2,8)
    """
    N: int = A.size
    free = _gaps(B, N)
    if isinstance(free, dict):
        raise refuse(
            "LC306" if free["reason"] == "zero_stride" else "LC307",
            "the divisor {B} has no complement in {N}: " + _REASONS[free["reason"]][1],
            op="logical_divide_layouts",
            kind="divisor_not_complementable",
            B=str(B),
            N=N,
            cute=_cute_quotient(A, B),
            right_path=(),
            **free,
        )
    return LayoutDivision(_through(A, concat(nullify(B), free), "logical_divide_layouts"), free)


def _through(outer: Layout, inner: Layout, op: str) -> Layout:
    try:
        return compose_layouts_general(outer, inner).layout
    except LayoutError as error:
        error.facts["op"] = op
        raise


def _cute_quotient(A: Layout, B: Layout) -> str:
    """What CuTe answers: each of B and its rounded complement composed on its own."""
    free = _cute_complement(B, A.size)
    if 0 in free.flat()[0]:
        # B overlaps itself; the complement is no layout to compose with.
        return "rejects"
    answer = dsl_answer(A, concat(B, free))
    return "rejects" if answer.layout is None else str(answer.layout)


@word("""
    categories: logical_product_layouts(A: layout, B: layout)
    A * B by morphisms
    logical_product_layouts((2,4):(20,1), (5):(1))
""")
def logical_product_layouts(A: Layout, B: Layout) -> LayoutProduct:
    """A * B = (A, A^c o B) through morphisms; A^c ends at the least N for which the refinement exists.

    Law: ``R = (A, comp(A, N) o B)`` with ``N >= size(A)*cosize(B)``; any larger valid N gives the same. LC306 or
    LC307 (kind first_factor_not_complementable), LC309 (kind second_factor_not_tractable), LC310 (kind
    not_mutually_refinable_for_any_N). Source: Categorical Foundations §2.3.

    >>> print(logical_product_layouts(Layout((2, 2), (5, 10)), Layout((3, 5), (5, 1))).layout)
    ((2,2),(3,5)):((5,10),(20,1))
    """
    op = "logical_product_layouts"
    extent = _extent(A)
    gaps = _gaps(A, extent)
    if isinstance(gaps, dict):
        raise refuse(
            "LC306" if gaps["reason"] == "zero_stride" else "LC307",
            "the first factor {A} has no complement: " + _REASONS[gaps["reason"]][1],
            op=op,
            kind="first_factor_not_complementable",
            A=str(A),
            left_path=(),
            **gaps,
        )
    second = nullify(B)
    try:
        f = to_morphism(second, op=op)
    except LayoutError as error:
        error.facts["kind"] = "second_factor_not_tractable"
        error.facts["right_path"] = error.facts.pop("left_path", ())
        raise
    # The last mode of A^c, extent:(its length), is free: it takes the least length that makes the sizes commensurable.
    below = prod(gaps.flat()[0])
    N = extent * (lcm(prod(f.targets), below) // below)
    free = complement_layout(A, N)
    try:
        placed = compose_layouts_general(free, second).layout
    except LayoutError as error:
        if error.code != "LC310":
            raise
        N = extent * -(-A.size * cosize(B) // extent)
        raise refuse(
            "LC310",
            "{B} does not fit into what {A} leaves free, {complement}, however far it is continued",
            op=op,
            kind="not_mutually_refinable_for_any_N",
            A=str(A),
            B=str(B),
            complement=str(complement_layout(A, N)),
            cute=str(getattr(answered("logical_product", (A, B)), "layout", None) or "rejects"),
            left_path=(),
            right_path=(),
        ) from None
    return LayoutProduct(concat(A, placed), free, N)


def _extent(layout: Layout) -> int:
    """Where the layout ends: the greatest s*d over its modes of size above 1, at least 1."""
    shape, stride = plain_modes(layout, "logical_product_layouts")
    return max([1, *(s * d for s, d in zip(shape, stride, strict=True) if s != 1)])
