"""Every categorical operation under the name that the language knows it by.

Values go in parsed (nested tuples of integers, layouts, morphisms); results are values, or frozen data with
``as_json()``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..coalesce import coalesce
from ..layout import Layout
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
from .realise import realise
from .relative import coalesce_relative
from .select import factorize, restrict, sort_flat, squeeze_flat
from .tractable import is_tractable, standardise, to_morphism
from .transport import pullback, pushforward
from .weak import weak_composite

__all__ = ["OPERATIONS"]


def coalesce_layout(layout: Layout) -> Layout:
    """coal(L): an integer layout for one mode, 1:0 for none.

    >>> coalesce_layout(Layout((8, 8, 3), (1, 8, 64)))
    Layout('192:1')
    """
    return coalesce(layout)


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
    "make_morphism": Morphism,
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
