"""Wishes that a picture cannot grant: they are named in its notes, and a highlight of nothing greys nothing out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .scene.sample import Samples

if TYPE_CHECKING:
    from collections.abc import Callable

    from .scene.highlight import Pick
    from .scene.options import Options
    from .scene.records import Picture
    from .scene.scene import Scene


def answered(
    scene: Scene, picture: Picture, value: Any, options: Options, plain: Callable[[], Scene]
) -> tuple[Scene, tuple[str, ...]]:
    """The scene and what is to be noted; ``plain`` draws it without a highlight, if that would match nothing."""
    if scene.kind == "heat":
        return scene, _unheated(picture.name, options)
    if not options.highlight:
        return scene, ()
    if not scene.panels:
        return scene, ("a diagram has no cells; highlight is ignored",)
    missed = _missed(scene, value, options)
    if not missed:
        return scene, ()
    owned = any(c.owners for p in scene.panels for c in p.cells)
    lost = [f"nothing matches {'; '.join(map(str, missed))}"]
    if not owned and any(p.coordinate is None and p.offset is None for p in missed):
        lost.append("the cells of this picture have no threads, a tile gives them some")
    return (plain() if len(missed) == len(options.highlight) else scene), (": ".join(lost),)


def _missed(scene: Scene, value: Any, options: Options) -> list[Pick]:
    """The picks that take no cell of the picture."""
    rows = columns = 0
    # A layout of rank 1 is folded and not cropped.
    if options.crop is not None and (scene.kind not in ("layout", "bank") or Samples(value).rank > 1):
        rows, columns = options.crop[0].start, options.crop[1].start
    cells = [(c.row + rows, c.column + columns, c.value, c.owners) for p in scene.panels for c in p.cells]
    return [p for p in options.highlight if not any(p.takes(*c) for c in cells)]


def _unheated(name: str, options: Options) -> tuple[str, ...]:
    shown = "thread" if name == "thread-value" else "offset"
    notes = []
    if name == "bank":
        notes.append("a heat map shows offsets, not banks")
    if options.color_by not in (None, shown):
        notes.append(f"a heat map shows {shown}s; color-by {options.color_by} is ignored")
    if options.label not in (None, "none"):
        notes.append(f"a heat map has no texts; label {options.label} is ignored")
    if options.highlight:
        notes.append("a heat map has no frames; highlight is ignored")
    return tuple(notes)
