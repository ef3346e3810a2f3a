"""Every categorical operation under the name that the language knows it by.

Values go in parsed (nested tuples of integers, layouts, morphisms); results are values, or frozen data with
``as_json()``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..base.words import word
from ..values.coalesce import coalesce
from ..values.htuple import HTuple
from ..values.layout import Layout
from .complement import (
    logical_divide_morphisms,
    logical_product_morphisms,
)
from .compose import compose
from .morphism import Morphism


@word("""
    categories: coalesce_layout(L: layout)
    coal(L)
    coalesce_layout((8,8,3):(1,8,64))
""")
def coalesce_layout(layout: Layout) -> Layout:
    """coal(L): an integer layout for one mode, 1:0 for none.

    >>> coalesce_layout(Layout((8, 8, 3), (1, 8, 64)))
    Layout('192:1')
    """
    return coalesce(layout)


@word("""
    categories: make_morphism(domain: shape, map: positions, codomain: shape)
    the morphism domain --(map)--> codomain
    make_morphism((4,2), (2,1), (2,4))
""")
def make_morphism(domain: HTuple, map: Iterable[int], codomain: HTuple) -> Morphism:
    """The morphism ``domain --(map)--> codomain``, checked; 0 is the base point.

    >>> print(make_morphism((4, 2), (2, 0), (3, 4)))
    (4,2) --(2,*)--> (3,4)
    """
    return Morphism(domain, codomain, map)


def after(g: Morphism, f: Morphism) -> Morphism:
    """g o f, written in the order of the operator: first f, then g.

    >>> print(after(Morphism((2, 3), (3, 2), (2, 1)), Morphism((3,), (2, 3), (2,))))
    (3) --(1)--> (3,2)
    """
    return compose(f, g)


MORPHISM_OPERATORS: dict[str, Callable[[Morphism, Morphism], Morphism]] = {
    "composition": after,
    "logical_divide": logical_divide_morphisms,
    "logical_product": logical_product_morphisms,
}
"""The operators o, / and * between morphisms, left operand first."""
