"""Weak composition: two morphisms made composable by a mutual refinement (Categorical Foundations, section 4.2)."""

from __future__ import annotations

from typing import Any

from ..base.words import word
from ..values.htuple import HTuple, format_htuple
from ..values.layout import Layout
from .compose import compose
from .morphism import Morphism, arrow, arrow_of, to_layout
from .mutual import MutualRefinement, mutual_refinement
from .relative import coalesce_relative
from .transport import pullback, pushforward


class WeakComposite(Morphism):
    """g' o f' : S' -> V', itself a morphism, with the refinement that made it and the domain S that S' refines."""

    __slots__ = ("over", "refinement")
    over: HTuple
    refinement: MutualRefinement

    def __reduce__(self) -> tuple[Any, ...]:
        return _weak, (arrow(self.domain, self.codomain, self.map), self.over, self.refinement)

    @property
    def coalesced_over_domain(self) -> Layout:
        """coal(L, S): the composite of the two layouts."""
        return coalesce_relative(to_layout(self), self.over)

    def as_json(self) -> dict[str, Any]:
        """The morphism with its layout coalesced over the domain, and both refinements."""
        return {
            **super().as_json(),
            "coalesced_over_domain": str(self.coalesced_over_domain),
            "T_refined": format_htuple(self.refinement.T_refined),
            "U_refined": format_htuple(self.refinement.U_refined),
        }


_set_over = WeakComposite.__dict__["over"].__set__
_set_refinement = WeakComposite.__dict__["refinement"].__set__


def resolve(f: Morphism, g: Morphism, refinement: MutualRefinement) -> tuple[Morphism, Morphism]:
    """(f', g'), composable as they stand: f pulled back along T' and put into U', g pushed forward along U'.

    >>> f, g = Morphism((6,), (6,), (1,)), Morphism((2, 3), (3, 2), (2, 1))
    >>> print(*resolve(f, g, mutual_refinement(f.codomain, g.domain)), sep="   ")
    ((2,3)) --(1,2)--> (2,3)   (2,3) --(2,1)--> (3,2)
    """
    fine = refinement.U_refined
    pulled = pullback(f, refinement.T_refined)
    return arrow(pulled.domain, fine, pulled.map), pushforward(g, fine)


@word("""
    categories: weak_composite(f: morphism, g: morphism)
    g o f after mutual refinement
    weak_composite(make_morphism((20),(2),(2,20,6)), make_morphism((240,2),(1,0),(240)))
""")
def weak_composite(f: Morphism, g: Morphism) -> WeakComposite:
    """g' o f' for f: S -> T and g: U -> V with a mutual refinement of (T, U), first f, then g.

    Law: the domain refines S, and the function is |g| o |f|. LC310 (kind not_mutually_refinable).
    Source: Categorical Foundations §4.2.

    >>> f, g = Morphism((6, 4), (6,), (1, 0)), Morphism((2, 3), (3, 2), (2, 1))
    >>> print(weak_composite(f, g))
    ((2,3),4) --(2,1,*)--> (3,2)
    """
    refinement = mutual_refinement(f.codomain, g.domain)
    return _weak(compose(*resolve(f, g, refinement)), f.domain, refinement)


def _weak(composite: Morphism, over: HTuple, refinement: MutualRefinement) -> WeakComposite:
    weak = arrow_of(WeakComposite, composite.domain, composite.codomain, composite.map)
    _set_over(weak, over)
    _set_refinement(weak, refinement)
    return weak
