"""Pictures for a width: the arrangement of panels and the size of texts that it has room for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from .look import INCH, Look, tight
from .place import Placer, measure, place

if TYPE_CHECKING:
    from .scene import Panel, Scene

LARGEST = 9.0
"""The size that texts have where there is room."""
STEP = 0.25
PAGE = 9 * INCH
"""A picture higher than this leaves the page: smaller texts are preferred."""


def fitted(scene: Scene, width: float, least: float) -> Scene:
    """The scene for a width in points, with the largest texts that fit; a note where one is smaller than ``least``."""
    found = _arranged(scene, width, least) if scene.panels else replace(scene, look=Look(width=width))
    smallest = smallest_text(found)
    if smallest >= least - 0.01:
        return found
    said = f"at {width / INCH:.3g} inches the smallest text has {smallest:.1f} points: crop it, or draw it wider"
    return replace(found, notes=(*found.notes, said))


def smallest_text(scene: Scene) -> float:
    """The size of the smallest text of a picture, in points."""
    placed = place(scene)
    sizes = [text.size for text in placed.texts]
    return min([*sizes, *(s.font for s in placed.sheets if s.panel.cells)], default=LARGEST)


def _arranged(scene: Scene, width: float, least: float) -> Scene:
    """The arrangement that leaves room for the largest texts: the scene's own one, or one of fewer columns.

    Where none stays on a page, the lowest one with the smallest texts.
    """
    measures = list(map(measure, scene.panels))
    arrangements = list(_arrangements(scene))

    def made(panels: tuple[Panel, ...], font: float, least: float) -> Placer:
        return Placer(replace(scene, panels=panels, look=tight(width, font, least)), measures)

    for font in _sizes(LARGEST, least):
        for placer in (made(panels, font, least) for panels in arrangements):
            if placer.needed <= width and placer.result().height <= PAGE:
                return placer.scene
    for font in _sizes(least, 1.0):
        fitting = [p for p in (made(panels, font, font) for panels in arrangements) if p.needed <= width]
        if fitting:
            return min(fitting, key=lambda placer: placer.result().height).scene
    return made(arrangements[-1], 1.0, 1.0).scene


def _sizes(largest: float, least: float) -> Iterator[float]:
    """Sizes of texts to try."""
    for k in range(int((largest - least) / STEP) + 1):
        yield largest - k * STEP


def _arrangements(scene: Scene) -> Iterator[tuple[Panel, ...]]:
    """As it is, then in fewer and fewer columns."""
    yield scene.panels
    across = max(p.at[1] for p in scene.panels)
    for count in range(min(across, len(scene.panels)), 0, -1):
        yield tuple(replace(p, at=divmod(k, count)) for k, p in enumerate(scene.panels))
