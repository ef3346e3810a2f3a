"""Wishes that a picture cannot grant: they are named in its notes, and a highlight of nothing greys nothing out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .scene.highlight import Pick
    from .scene.options import Options
    from .scene.records import Picture
    from .scene.scene import Scene


def answered(scene: Scene, picture: Picture, options: Options, plain: Callable[[], Scene]) -> tuple[Scene, list[str]]:
    """The scene and what is to be noted; ``plain`` draws it without a highlight, if that would match nothing."""
    notes = list(_ignored(picture, options))
    if any(panel.raster for panel in scene.panels):
        return scene, [*notes, *_unheated(options)]
    missed = _missed(scene, options) if scene.panels else []
    if missed:
        lost = f"nothing matches {'; '.join(map(str, missed))}"
        owned = any(c.owners for p in scene.panels for c in p.cells)
        if not owned and any(p.coordinate is None and p.offset is None for p in missed):
            lost += ": the cells of this picture have no threads, a tile gives them some"
        notes.append(lost)
    return (plain() if missed and len(missed) == len(options.highlight) else scene), notes


def _ignored(picture: Picture, options: Options) -> Iterator[str]:
    """The wishes that a kind of picture has no use for."""
    granted = dict(entry.partition("=")[::2] for entry in picture.options)
    for name, wish in options.said():
        said = name.replace("_", "-")
        if name not in granted:
            yield f"a picture of kind {picture.name} has no use for {said}: ignored"
        elif granted[name] and wish not in granted[name].split(","):
            yield f"a picture of kind {picture.name} has no {said} {wish}: ignored"


def _missed(scene: Scene, options: Options) -> list[Pick]:
    """The picks that take no cell of the picture."""
    return [p for p in options.highlight if not any(p.takes(c, panel) for panel in scene.panels for c in panel.cells)]


def _unheated(options: Options) -> list[str]:
    notes = []
    if options.label not in (None, "none"):
        notes.append(f"a heat map has no texts; label {options.label} is ignored")
    if options.highlight:
        notes.append("a heat map has no frames; highlight is ignored")
    if options.order:
        notes.append("a heat map has no room for the line of order: ignored")
    return notes
