"""Every categorical operation under the name that the language knows it by.

Values go in parsed (nested tuples of integers, layouts, morphisms); results are values, or frozen data with
``as_json()``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..values.coalesce import coalesce
from ..values.htuple import HTuple
from ..values.layout import Layout
from .admissible import classify_composition
from .coalesce import coalesce_flat, coalesce_morphism, coalesce_morphism_relative
from .complement import (
    complement_morphism,
    divide_flat,
    is_complementary,
    logical_divide_morphisms,
    logical_product_morphisms,
    product_flat,
)
from .compose import compose, concat_flat, concat_nested, sum_flat
from .flat import sort_layout, squeeze_layout
from .layouts import compose_layouts, compose_layouts_general, compose_layouts_resized
from .morphism import Morphism
from .mutual import mutual_refinement
from .nested import refines, relative_modes
from .properties import layout_properties, properties
from .quotient import complement_layout, logical_divide_layouts, logical_product_layouts
from .realise import realise, to_layout
from .relative import coalesce_relative
from .select import factorize, restrict, sort_flat, squeeze_flat
from .tractable import is_tractable, standardise, to_morphism
from .transport import pullback, pushforward
from .weak import weak_composite
from .why import why

__all__ = ["MORPHISM_OPERATORS", "OPERATIONS", "VOCABULARY"]


def coalesce_layout(layout: Layout) -> Layout:
    """coal(L): an integer layout for one mode, 1:0 for none.

    >>> coalesce_layout(Layout((8, 8, 3), (1, 8, 64)))
    Layout('192:1')
    """
    return coalesce(layout)


def make_morphism(domain: HTuple, map: Iterable[int], codomain: HTuple) -> Morphism:
    """The morphism ``domain --(map)--> codomain``, checked; 0 is the base point.

    >>> print(make_morphism((4, 2), (2, 0), (3, 4)))
    (4,2) --(2,*)--> (3,4)
    """
    return Morphism(domain, codomain, map)


OPERATIONS: dict[str, Callable[..., Any]] = {
    # layouts and nested tuples
    "is_tractable": is_tractable,
    "layout_properties": layout_properties,
    "refines": refines,
    "relative_modes": relative_modes,
    "mutual_refinement": mutual_refinement,
    "coalesce_layout": coalesce_layout,
    "coalesce_relative": coalesce_relative,
    "complement_layout": complement_layout,
    "sort_layout": sort_layout,
    "squeeze_layout": squeeze_layout,
    # between layouts and morphisms
    "to_morphism": to_morphism,
    "realize": realise,
    "make_morphism": make_morphism,
    "standardise": standardise,
    # morphisms
    "properties": properties,
    "compose_morphisms": compose,
    "concat_nested": concat_nested,
    "concat_flat": concat_flat,
    "sum_flat": sum_flat,
    "restrict": restrict,
    "factorize": factorize,
    "sort_flat": sort_flat,
    "squeeze_flat": squeeze_flat,
    "coalesce_flat": coalesce_flat,
    "coalesce_morphism": coalesce_morphism,
    "coalesce_morphism_relative": coalesce_morphism_relative,
    "complement_morphism": complement_morphism,
    "is_complementary": is_complementary,
    "logical_divide_morphisms": logical_divide_morphisms,
    "divide_flat": divide_flat,
    "logical_product_morphisms": logical_product_morphisms,
    "product_flat": product_flat,
    "pullback": pullback,
    "pushforward": pushforward,
    "weak_composite": weak_composite,
    # compositions of layouts
    "compose_layouts": compose_layouts,
    "compose_layouts_general": compose_layouts_general,
    "compose_layouts_resized": compose_layouts_resized,
    "classify_composition": classify_composition,
    "logical_divide_layouts": logical_divide_layouts,
    "logical_product_layouts": logical_product_layouts,
}
"""Name -> callable; ``compose_morphisms(f, g)`` is g o f, ``compose_layouts(outer, inner)`` is outer o inner."""

VOCABULARY: dict[str, Callable[..., Any]] = OPERATIONS | {
    "morphism": to_morphism,
    "layout": to_layout,
    "tractable": is_tractable,
    "refine": mutual_refinement,
    "standard": standardise,
    "why": why,
}
"""The table with the short names of the language."""


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
