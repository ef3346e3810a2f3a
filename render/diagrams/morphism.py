"""Pictures of morphisms: diagrams become scenes that every backend draws.

Entry 1 is the lowest one, as in the paper; read downwards, the picture says so.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import LayoutError, refuse
from laycalc.algebra.categories import sketches
from laycalc.algebra.categories.morphism import Morphism
from laycalc.algebra.categories.tractable import to_morphism
from laycalc.algebra.values.layout import Layout

from .formats import lines, standalone, svg, tikz
from .place import DiagramPlacer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from laycalc.algebra.categories.diagram import Diagram

    from ..scene.place import Placed

__all__ = [
    "MorphismScene",
    "complement_scene",
    "composition_scene",
    "division_scene",
    "lines",
    "morphism_scene",
    "product_scene",
    "refinement_scene",
    "standalone",
    "svg",
    "tikz",
]


@dataclass(frozen=True, slots=True)
class MorphismScene:
    """A diagram with its look: the scene of a picture without cells. ``placed`` is what the backends draw."""

    diagram: Diagram
    theme: str = "laycalc"
    title: str = ""
    top_down: bool = False
    notes: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """morphism, refinement, composition, complement, product or division."""
        return self.diagram.kind

    @property
    def caption(self) -> str:
        """The layout or morphism below the picture."""
        return self.diagram.caption

    @property
    def description(self) -> str:
        """The picture in words."""
        return self.diagram.description

    @property
    def panels(self) -> tuple[Any, ...]:
        """None: there are no cells."""
        return ()

    @property
    def writers(self) -> dict[str, Callable[[MorphismScene], str]]:
        """The formats that know the nodes and arrows; every other one draws what is ``placed``."""
        return {"svg": svg, "tikz": tikz, "tex": standalone, "txt": lambda scene: "\n".join(lines(scene))}

    def placed(self) -> Placed:
        """Texts and lines with lengths; arrow heads and tails are lines of their own."""
        return DiagramPlacer(self).placed()


def _scene(make: Callable[..., Diagram], operands: tuple[Any, ...], options: Any) -> MorphismScene:
    """The scene of a diagram; LC309 says why layouts are not enough."""
    theme = getattr(options, "theme", "laycalc")
    title = getattr(options, "title", "")
    with _explained():
        made = make(*operands)
    return MorphismScene(made, theme, title, bool(getattr(options, "top_down", False)))


@contextmanager
def _explained() -> Iterator[None]:
    """Let LC309 say what it has to do with the picture."""
    try:
        yield
    except LayoutError as error:
        if error.code != "LC309":
            raise
        why = "this kind of picture draws morphisms, so its layouts have to be tractable: "
        raise refuse(error.code, why + error.template, **error.facts) from None


def morphism_scene(value: Morphism | Layout, options: Any = None) -> MorphismScene:
    """The arrows of a morphism, or of the morphism of a tractable layout (LC309)."""
    return _scene(sketches.morphism_diagram, (_arrows(value),), options)


def refinement_scene(value: tuple[Any, Any], options: Any = None) -> MorphismScene:
    """The mutual refinement of (T, U), or both to scale where there is none."""
    return _scene(sketches.refinement_diagram, _pair(value, (tuple, int), "two shapes"), options)


def composition_scene(value: tuple[Any, Any], options: Any = None) -> MorphismScene:
    """The four frames of (outer, inner): two morphisms, glued, resolved, composed."""
    wanted = "two layouts or two morphisms"
    return _scene(sketches.composition_diagram, _pair(value, (Layout, Morphism), wanted), options)


def complement_scene(value: Morphism | Layout, options: Any = None) -> MorphismScene:
    """A morphism and its complement on one codomain."""
    return _scene(sketches.complement_diagram, (_arrows(value),), options)


def product_scene(value: tuple[Morphism, Morphism], options: Any = None) -> MorphismScene:
    """The product of two morphisms, or of two tractable layouts: stacked domains over one codomain."""
    pair = _pair(value, (Layout, Morphism), "two morphisms")
    return _scene(sketches.product_diagram, tuple(map(_arrows, pair)), options)


def division_scene(value: tuple[Morphism, Morphism], options: Any = None) -> MorphismScene:
    """The division of two morphisms, or of two tractable layouts, in two steps."""
    pair = _pair(value, (Layout, Morphism), "two morphisms")
    return _scene(sketches.division_diagram, tuple(map(_arrows, pair)), options)


def _arrows(value: Morphism | Layout) -> Morphism:
    if isinstance(value, Layout):
        with _explained():
            return to_morphism(value)
    if not isinstance(value, Morphism):
        raise refuse("LC103", "a diagram takes a morphism or a layout", op="draw")
    return value


def _pair(value: Any, kinds: tuple[type, ...], wanted: str) -> tuple[Any, Any]:
    """Two operands of the right kinds; LC103 otherwise."""
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not all(isinstance(v, kinds) for v in value):
        raise refuse("LC103", "this diagram takes {wanted}", op="draw", wanted=wanted)
    return value[0], value[1]
