"""Pictures of morphisms: one morphism, two refined, glued, multiplied or divided, as diagrams of arrows.

Entry 1 is the lowest one, as in the paper; read downwards, the picture says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import LayoutError, refuse
from laycalc.algebra.categories import sketches
from laycalc.algebra.categories.morphism import Morphism
from laycalc.algebra.categories.tractable import to_morphism
from laycalc.algebra.values.layout import Layout

from ..scene.records import Picture
from ..scene.scene import Scene
from .words import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from laycalc.algebra.categories.diagram import Diagram

    from ..scene.options import Options


def _scene(make: Callable[..., Diagram], operands: tuple[Any, ...], options: Options) -> Scene:
    """The scene of a diagram; LC309 says why layouts are not enough."""
    made = _explained(make, *operands).replace(top_down=options.top_down)
    return Scene(
        kind=made.kind,
        panels=(),
        title=options.title,
        caption=made.caption,
        description=made.description,
        theme=options.theme,
        diagram=made,
        words=tuple(words(made)),
    )


def _explained(make: Callable[..., Any], *operands: Any) -> Any:
    """What a function makes; LC309 says what it has to do with the picture."""
    try:
        return make(*operands)
    except LayoutError as error:
        if error.code != "LC309":
            raise
        why = "this kind of picture draws morphisms, so its layouts have to be tractable: "
        raise refuse(error.code, why + error.template, **error.facts) from None


def _morphism(value: Any, options: Options) -> Scene:
    return _scene(sketches.morphism_diagram, (_arrows(value),), options)


def _complement(value: Any, options: Options) -> Scene:
    return _scene(sketches.complement_diagram, (_arrows(value),), options)


def _refinement(value: Any, options: Options) -> Scene:
    return _scene(sketches.refinement_diagram, _pair(value, (tuple, int), "two shapes"), options)


def _composition(value: Any, options: Options) -> Scene:
    pair = _pair(value, (Layout, Morphism), "two layouts or two morphisms")
    return _scene(sketches.composition_diagram, pair, options)


def _product(value: Any, options: Options) -> Scene:
    return _scene(sketches.product_diagram, _two_morphisms(value), options)


def _division(value: Any, options: Options) -> Scene:
    return _scene(sketches.division_diagram, _two_morphisms(value), options)


def _arrows(value: Any) -> Morphism:
    """A morphism, or that of a tractable layout."""
    if isinstance(value, Layout):
        found: Morphism = _explained(to_morphism, value)
        return found
    if not isinstance(value, Morphism):
        raise refuse("LC103", "a diagram takes a morphism or a layout", op="draw")
    return value


def _pair(value: Any, kinds: tuple[type, ...], wanted: str) -> tuple[Any, Any]:
    """Two operands of the right kinds; LC103 otherwise."""
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not all(isinstance(v, kinds) for v in value):
        raise refuse("LC103", "this diagram takes {wanted}", op="draw", wanted=wanted)
    return value[0], value[1]


def _two_morphisms(value: Any) -> tuple[Morphism, ...]:
    return tuple(map(_arrows, _pair(value, (Layout, Morphism), "two morphisms")))


ONE, TWO = "a morphism or a tractable layout", "two morphisms or two tractable layouts"
DOWN = ("top_down",)

MORPHISM = Picture("morphism", ONE, _morphism, options=DOWN, asked_by=("morphism",))
COMPLEMENT = Picture("complement", ONE, _complement, options=DOWN)
REFINEMENT = Picture("refinement", "two shapes", _refinement, several=True, options=DOWN)
COMPOSITION = Picture("composition", TWO, _composition, several=True, options=DOWN)
PRODUCT = Picture("product", TWO, _product, several=True, options=DOWN)
DIVISION = Picture("division", TWO, _division, several=True, options=DOWN)
