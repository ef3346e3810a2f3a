"""Composition of layouts through morphisms: pull back, push forward, compose (Categorical Foundations, section 4.2)."""

from __future__ import annotations

from math import lcm, prod
from typing import Any

from ..base.errors import LayoutError, refuse
from ..base.record import Record
from ..base.words import word
from ..operations.image import cosize
from ..values.coalesce import coalesce
from ..values.htuple import HTuple, flatten, format_htuple, unflatten
from ..values.layout import Layout, make
from ..values.shape import size
from .cute import boundaries, dsl_answer, in_bounds
from .morphism import Morphism, to_layout
from .mutual import MutualRefinement, find_refinement, refinement_fault
from .nested import relative_modes
from .relative import coalesce_relative
from .tractable import is_tractable, nullify, to_morphism
from .transport import pullback
from .weak import weak_composite


class LayoutComposite(Record):
    """B o A with the tuples of its derivation: T the codomain of A's morphism, U the flat shape of the coalesced B.

    ``weak_composite`` is the layout before it is coalesced over A's shape; ``morphism`` is g' o f' where B is
    tractable, ``U_resized`` what the last mode of U was changed to; ``nullified`` says that strides of size-1 modes
    of A were set to 0 first.
    """

    layout: Layout
    refinement: MutualRefinement
    weak_composite: Layout
    morphism: Morphism | None = None
    U: HTuple = ()
    resized: bool = False
    nullified: bool = False

    @property
    def composite_tractable(self) -> bool:
        """Is the result tractable?"""
        return is_tractable(self.layout)

    def __str__(self) -> str:
        note = f"   outer's last mode resized {format_htuple(self.U)} -> {format_htuple(self.refinement.U)}"
        return f"{self.layout}   via {self.refinement}" + (note if self.resized else "")

    def as_json(self) -> dict[str, Any]:
        """The layouts and tuples as text; keys that do not apply are left out."""
        facts: dict[str, Any] = {
            "layout": str(self.layout),
            "T": format_htuple(self.refinement.T),
            "U": format_htuple(self.U),
        }
        if self.resized:
            facts["U_resized"] = format_htuple(self.refinement.U)
        facts["T_refined"] = format_htuple(self.refinement.T_refined)
        facts["U_refined"] = format_htuple(self.refinement.U_refined)
        if self.resized:
            facts["composite_tractable"] = self.composite_tractable
        else:
            facts["weak_composite"] = str(self.weak_composite)
        if self.morphism is not None:
            facts["morphism"] = {
                "domain": format_htuple(self.morphism.domain),
                "codomain": format_htuple(self.morphism.codomain),
                "map": list(self.morphism.map),
            }
        if self.nullified:
            facts["nullified"] = True
        return facts


@word("""
    categories: compose_layouts(A: layout, B: layout)
    A o B by morphisms, with its stages
    compose_layouts((2,2):(2,1), 4:1)
""")
def compose_layouts(outer: Layout, inner: Layout) -> LayoutComposite:
    """B o A for tractable A and B, by a mutual refinement of their morphisms; B is coalesced first.

    Law: ``C(c) = B(A(c))``, the shape of C refines that of A, and C is tractable. LC309 (kind inner_not_tractable,
    outer_not_tractable), LC304 (kind out_of_bounds), LC310 (kind not_mutually_refinable), each with the answer of DSL
    4.2.1. Source: Categorical Foundations §4.2.

    >>> print(compose_layouts(Layout((12, 3, 6), (1, 72, 12)), Layout((6, 6), (6, 1))))
    ((2,3),6):((6,72),1)   via (6,6) -> (6,(2,3))   (12,3,6) -> ((6,2),3,6)
    """
    op = "compose_layouts"
    a, b = nullify(inner), _flat(outer)
    f = _morphism_of(op, "inner", a, outer, inner)
    g = _morphism_of(op, "outer", b, outer, inner)
    _check_bounds(op, outer, inner)
    if find_refinement(f.targets, g.sources) is None:
        raise _not_refinable(op, f.targets, g.sources, outer, inner)
    weak = weak_composite(f, g)
    layout = to_layout(weak)
    return LayoutComposite(
        coalesce_relative(layout, a.shape), weak.refinement, layout, weak, g.sources, nullified=a != inner
    )


@word("""
    categories: compose_layouts_general(A: layout, B: layout)
    the same for more operands
    compose_layouts_general((2,2):(2,1), 4:1)
""")
def compose_layouts_general(outer: Layout, inner: Layout) -> LayoutComposite:
    """B o A for tractable A and any B: only the shape of the coalesced B is refined, its strides are carried along.

    Law: ``C(c) = B(A(c))``, the shape of C refines that of A. LC309 (kind inner_not_tractable), LC304 (kind
    out_of_bounds), LC310 (kind not_mutually_refinable). Source: Categorical Foundations §4.2 (sketched there with
    rational entries).

    >>> print(compose_layouts_general(Layout((8, 8), (3, 7)), Layout((4, 4), (4, 1))).layout)
    ((2,2),4):((12,7),3)
    """
    op = "compose_layouts_general"
    a = nullify(inner)
    f = _morphism_of(op, "inner", a, outer, inner)
    _check_bounds(op, outer, inner)
    u, strides = coalesce(outer).flat()
    found = general_route(f, u, strides)
    if found is None:
        raise _not_refinable(op, f.targets, u, outer, inner)
    layout, refinement = found
    return LayoutComposite(coalesce_relative(layout, a.shape), refinement, layout, None, u, nullified=a != inner)


@word("""
    categories: compose_layouts_resized(A: layout, B: layout)
    with the last mode of A resized
    compose_layouts_resized((6):(6), (5,8):(1,0))
""")
def compose_layouts_resized(outer: Layout, inner: Layout) -> LayoutComposite:
    """B o A with the last mode of the coalesced B as long as A needs: B continues past its end with the same stride.

    Law: the extent becomes ``lcm(size T, P) / P`` with P the product of the other modes (none if that is 1); it
    succeeds exactly when no value of A crosses an internal boundary of B. LC309 (kind inner_not_tractable), LC304
    (kind out_of_bounds), LC310 (kind crosses_internal_boundary). An extension of Categorical Foundations §4.2.

    >>> print(compose_layouts_resized(Layout(7, 1), Layout(2, 3)))
    2:3   via (3,2) -> (3,2)   (6) -> ((3,2))   outer's last mode resized (7) -> (6)
    """
    op = "compose_layouts_resized"
    a = nullify(inner)
    f = _morphism_of(op, "inner", a, outer, inner)
    _check_bounds(op, outer, inner)
    u, strides = coalesce(outer).flat()
    resized = resize(f.targets, u)
    found = general_route(f, resized, strides)
    if found is None:
        raise _crosses(op, f.targets, u, outer, inner)
    layout, refinement = found
    return LayoutComposite(
        coalesce_relative(layout, a.shape), refinement, layout, None, u, resized=True, nullified=a != inner
    )


def resize(t: tuple[int, ...], u: tuple[int, ...]) -> tuple[int, ...]:
    """U with its last entry changed, so that its size is lcm(size T, product of the others); an entry 1 is dropped.

    >>> resize((6, 3), (2, 3, 5)), resize((2,), (2, 3))
    ((2, 3, 3), (2,))
    """
    below = prod(u[:-1])
    last = lcm(prod(t), below) // below
    return u[:-1] if last == 1 else (*u[:-1], last)


def general_route(f: Morphism, u: tuple[int, ...], strides: tuple[Any, ...]) -> tuple[Layout, MutualRefinement] | None:
    """The weak composite of f's layout with the flat layout u:strides, and the refinement; None if there is none."""
    found = find_refinement(f.targets, u)
    if found is None:
        return None
    t_fine = unflatten(found[0], f.codomain)
    refinement = MutualRefinement(f.codomain, u, t_fine, tuple(found[1]))
    # The strides of U's leaves are split as its entries are; each leaf of S' inherits that of its target.
    inherited: list[Any] = [0]
    for mode, e in zip(relative_modes(refinement.U_refined, u), strides, strict=False):
        for v in flatten(mode):
            inherited.append(e)
            e = e * v
    pulled = pullback(f, t_fine)
    stride = unflatten([inherited[j] for j in pulled.map], pulled.domain)
    return make(pulled.domain, stride), refinement


def _flat(outer: Layout) -> Layout:
    return make(*coalesce(outer).flat())


def _morphism_of(op: str, side: str, layout: Layout, outer: Layout, inner: Layout) -> Morphism:
    try:
        return to_morphism(layout, op=op)
    except LayoutError as error:
        if error.code != "LC309":
            raise
        facts = error.facts | {"kind": f"{side}_not_tractable"} | engine_facts(outer, inner)
        path = facts.pop("left_path")
        # The outer layout was coalesced, so a path of it says nothing about what was written.
        facts |= {"right_path": path} if side == "inner" else {"left_path": ()}
        raise refuse("LC309", f"the {side} layout " + error.template, **facts) from None


def _check_bounds(op: str, outer: Layout, inner: Layout) -> None:
    if not in_bounds(outer, inner):
        raise refuse(
            "LC304",
            "the inner layout reaches cosize {cosize_inner}, the outer one has size {size_outer}",
            op=op,
            kind="out_of_bounds",
            cosize_inner=cosize(inner),
            size_outer=size(outer.shape),
            left_path=(),
            right_path=(),
        )


def engine_facts(outer: Layout, inner: Layout) -> dict[str, Any]:
    """``cute``: the layout of DSL 4.2.1 as text, or "rejects"; ``cute_correct`` where it answers."""
    answer = dsl_answer(outer, inner)
    if answer.layout is None:
        return {"cute": "rejects"}
    return {"cute": str(answer.layout), "cute_correct": answer.right if in_bounds(outer, inner) else None}


def _not_refinable(op: str, t: tuple[int, ...], u: tuple[int, ...], outer: Layout, inner: Layout) -> LayoutError:
    return refinement_fault(t, u, op=op, left_path=(), right_path=(), **engine_facts(outer, inner))


def _crosses(op: str, t: tuple[int, ...], u: tuple[int, ...], outer: Layout, inner: Layout) -> LayoutError:
    value, boundary = next(
        (x, p) for x in boundaries(t) for p in boundaries(u)[:-1] if x % p and p % x
    )  # fmt: skip
    return refuse(
        "LC310",
        "{inner_value} of the inner layout and the boundary {boundary} of the outer one do not divide one another;"
        " resizing the last mode does not help",
        op=op,
        kind="crosses_internal_boundary",
        inner_value=value,
        boundary=boundary,
        left_path=(),
        right_path=(),
        **engine_facts(outer, inner),
    )
