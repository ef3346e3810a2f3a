"""Layouts as morphisms: tractable layouts, the categories Tuple and Nest, refinement, and why a composition fails.

A tractable layout is a diagram: arrows from the leaves of its shape to the entries of a flat tuple, whose products
below an arrow head are the strides. Composition of layouts is then composition of arrows, after both sides are cut
alike.
"""

from .admissible import Classification, classify_composition, is_admissible
from .complement import Complement, complement_morphism
from .compose import compose, concat_flat, concat_nested, sum_flat
from .diagnosis import Why
from .layouts import LayoutComposite, compose_layouts, compose_layouts_general, compose_layouts_resized
from .morphism import Morphism, identity, to_layout
from .mutual import MutualRefinement, mutual_refinement
from .nested import refines, relative_modes
from .realise import Realisation, realise
from .relative import coalesce_relative
from .tractable import is_tractable, standardise, to_morphism
from .transport import pullback, pushforward
from .weak import WeakComposite, weak_composite
from .why import why

__all__ = [
    "Classification",
    "Complement",
    "LayoutComposite",
    "Morphism",
    "MutualRefinement",
    "Realisation",
    "WeakComposite",
    "Why",
    "classify_composition",
    "coalesce_relative",
    "complement_morphism",
    "compose",
    "compose_layouts",
    "compose_layouts_general",
    "compose_layouts_resized",
    "concat_flat",
    "concat_nested",
    "identity",
    "is_admissible",
    "is_tractable",
    "mutual_refinement",
    "pullback",
    "pushforward",
    "realise",
    "refines",
    "relative_modes",
    "standardise",
    "sum_flat",
    "to_layout",
    "to_morphism",
    "weak_composite",
    "why",
]
