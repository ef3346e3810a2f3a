"""The one entry to pictures: a value and wishes become a scene, a scene becomes a file's bytes or text."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laycalc.algebra.errors import refuse

from .grid import grid_scene
from .options import CELL_LIMIT, Options, parse_crop, parse_highlight
from .threads import thread_scene

if TYPE_CHECKING:
    from collections.abc import Callable

    from .scene import Scene

__all__ = ["FORMATS", "KINDS", "draw", "save", "scene_of"]

KINDS: dict[str, Callable[[Any, Options], Scene]] = {
    "layout": grid_scene,
    "thread-value": thread_scene,
}
"""The kinds of picture and the function that turns a value into a scene."""

FORMATS = ("svg", "png", "pdf", "tex", "html")


def scene_of(
    value: Any,
    *,
    kind: str | None = None,
    tile: Any = None,
    color_by: str | None = None,
    highlight: Any = None,
    label: str | None = None,
    theme: str = "laycalc",
    title: str = "",
    legend: bool | None = None,
    crop: Any = None,
    wrap: int | None = None,
    limit: int = CELL_LIMIT,
    bits: int = 32,
) -> Scene:
    """The picture of a value as data; ``kind`` is taken from the value unless given.

    LC103 for a choice that does not exist, LC104 for a picture beyond the limits.
    """
    options = Options(
        tile=_tile(tile),
        color_by=color_by,
        highlight=parse_highlight(highlight),
        label=label,
        theme=theme,
        title=title,
        legend=legend,
        crop=parse_crop(crop),
        wrap=wrap,
        limit=limit,
        bits=bits,
    )
    name = kind or _kind_of(value, options)
    if name not in KINDS:
        raise refuse("LC103", "kind is one of {choices}, not {given}", op="draw", choices=", ".join(KINDS), given=name)
    return KINDS[name](value, options)


def draw(value: Any, *, format: str = "svg", **wishes: Any) -> bytes | str:
    """The picture of a value in a format: text for svg, tex and html, bytes for png and pdf.

    ``wishes`` are the keywords of `scene_of`.
    """
    return render(scene_of(value, **wishes), format)


def render(scene: Scene, format: str) -> bytes | str:
    """A scene in a format; the backend is imported here, not before. LC103 for an unknown format."""
    if format == "svg":
        from .svg import svg

        return svg(scene)
    if format == "png":
        from .figure import png

        return png(scene)
    if format == "pdf":
        from .figure import pdf

        return pdf(scene)
    raise refuse(
        "LC103", "format is one of {choices}, not {given}", op="draw", choices=", ".join(FORMATS), given=format
    )


def save(value: Any, path: str | Path, *, format: str | None = None, **wishes: Any) -> Path:
    """Draw to a file, format from its ending; the file appears whole or not at all."""
    path = Path(path)
    made = draw(value, format=format or path.suffix.lstrip(".").lower(), **wishes)
    data = made.encode() if isinstance(made, str) else made
    handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        # mkstemp makes files private; a picture has the permissions of any new file.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(beside, 0o666 & ~mask)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
    return path


def _kind_of(value: Any, options: Options) -> str:
    return "thread-value" if options.tile is not None else "layout"


def _tile(tile: Any) -> Any:
    """``"8x8"``, ``(8,8)`` or None."""
    if isinstance(tile, str):
        parts = tile.lower().replace("×", "x").split("x")
        if len(parts) == 2 and all(p.strip().isdecimal() and len(p) < 10 for p in parts):
            return int(parts[0]), int(parts[1])
        raise refuse("LC103", "a tile has two extents, as in 8x8, not {given}", op="draw", given=tile[:80])
    return tile
