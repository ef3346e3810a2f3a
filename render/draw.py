"""The one entry to pictures: a value and wishes become a scene, a scene becomes a file's bytes or text."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse

from .answered import answered
from .scene.crop import cropped
from .scene.options import CELL_LIMIT, Options, parse_crop, parse_highlight
from .scene.sample import has_layouts

if TYPE_CHECKING:
    from .scene.scene import Scene

__all__ = ["FORMATS", "KINDS", "draw", "render", "save", "scene_of", "write"]

KINDS = {
    "layout": "kinds.grid:grid_scene",
    "thread-value": "kinds.threads:thread_scene",
    "bank": "kinds.banks:bank_scene",
    "swizzle": "kinds.swizzles:swizzle_scene",
    "mma": "kinds.mma:mma_scene",
    "copy": "kinds.mma:copy_scene",
    "morphism": "diagrams.morphism:morphism_scene",
    "complement": "diagrams.morphism:complement_scene",
    "panels": "kinds.panels:panels_scene",
    "slice": "kinds.slices:slice_scene",
    "tiler": "kinds.tiles:tiler_scene",
    "tiling": "kinds.tiles:tiling_scene",
    "blocked-product": "kinds.products:blocked_scene",
    "raked-product": "kinds.products:raked_scene",
    "common-vector": "kinds.vectors:vector_scene",
    "difference": "kinds.difference:difference_scene",
    "refinement": "diagrams.morphism:refinement_scene",
    "composition": "diagrams.morphism:composition_scene",
    "product": "diagrams.morphism:product_scene",
    "division": "diagrams.morphism:division_scene",
}
"""The kinds of picture, and where the function stands that turns a value into the scene; imported when asked for."""

SEVERAL = frozenset(list(KINDS)[list(KINDS).index("panels") :])
"""The kinds that take a list of values."""

FORMATS = {
    "svg": "formats.svg:svg",
    "png": "formats.figure:png",
    "pdf": "formats.figure:pdf",
    "tex": "formats.tikz:standalone",
    "tikz": "formats.tikz:fragment",
    "html": "formats.html:html",
    "txt": "formats.terminal:plain",
}
"""The formats and their writers, imported when asked for: all but png and pdf are text; tikz is a fragment."""


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
    bits: int | None = None,
    warp: int = 32,
    top_down: bool = False,
) -> Scene:
    """The picture of a value, or of several in a list, as data; ``kind`` is taken from the value unless given.

    ``tile``: "8x8" or (8,8), the tile of a thread-value layout. ``color_by``: offset, thread, value, warp, quad, bank,
    tile, mode (mode1.0), none. ``highlight``: T11, V3, T11V3, (2,5), offset 26, several with ";". ``label``: offset,
    coord, index, thread-value, bank, none. ``theme``: laycalc, cute, print. ``crop``: "8,16" or "0:8,16:32".
    ``wrap``: columns of a folded layout of rank 1. ``limit``: labelled cells before a heat map takes over. ``bits``: of
    an element in memory. ``warp``: lanes of a warp (64 on CDNA). ``top_down``: diagrams of morphisms read downwards.

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
        warp=warp,
        top_down=top_down,
    )
    name = kind or _kind_of(value, options)
    if name in SEVERAL and not (isinstance(value, (list, tuple)) and value):
        raise refuse("LC103", "a picture of kind {kind} takes several values", op="draw", kind=name)
    scene = _made(name, value, options)
    scene, remarks = answered(scene, name, value, options, lambda: _made(name, value, replace(options, highlight=())))
    return replace(scene, notes=(*scene.notes, *remarks)) if remarks else scene


def _made(name: str, value: Any, options: Options) -> Scene:
    scene: Scene = _find(KINDS, "kind", name)(value, options)
    if options.crop is not None and scene.panels and scene.kind not in ("layout", "bank", "heat"):
        # Layouts are cropped before they are evaluated, everything else after.
        scene = replace(scene, panels=tuple(cropped(p, options.crop) for p in scene.panels))
    return scene


def draw(value: Any, *, format: str = "svg", **wishes: Any) -> bytes | str:
    """The picture of a value in a format: text for svg, tex, tikz and html, bytes for png and pdf.

    ``wishes`` are the keywords of `scene_of`.
    """
    return render(scene_of(value, **wishes), format)


def render(scene: Scene, format: str) -> bytes | str:
    """A scene in a format; LC103 for an unknown one."""
    # A diagram knows its nodes and arrows; some formats are its own.
    own = getattr(scene, "writers", {}).get(format)
    made: bytes | str = (own or _find(FORMATS, "format", format))(scene)
    return made


def save(value: Any, path: str | Path, *, format: str | None = None, **wishes: Any) -> Path:
    """Draw to a file, format from its ending; the file appears whole or not at all."""
    return write(scene_of(value, **wishes), path, format=format)


def write(scene: Scene, path: str | Path, *, format: str | None = None) -> Path:
    """A scene to a file, format from its ending; the file appears whole or not at all."""
    path = Path(path)
    made = render(scene, format or path.suffix.lstrip(".").lower())
    data = made if isinstance(made, bytes) else (made.rstrip("\n") + "\n").encode()
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


def _find(table: dict[str, str], what: str, name: str) -> Any:
    if name not in table:
        raise refuse(
            "LC103",
            "{what} is one of {choices}, not {given}",
            op="draw",
            what=what,
            choices=", ".join(table),
            given=name,
        )
    module, function = table[name].split(":")
    return getattr(import_module(f".{module}", __package__), function)


def _kind_of(value: Any, options: Options) -> str:
    """The kind that a value asks for by itself."""
    from laycalc.algebra.values.swizzle import Swizzle
    from laycalc.algebra.values.tiler import Tiler

    if hasattr(value, "domain") and hasattr(value, "codomain"):
        return "morphism"
    if has_layouts(value, "ABC"):
        return "mma"
    if has_layouts(value, ("src", "dst")):
        return "copy"
    if isinstance(value, Swizzle):
        return "swizzle"
    if isinstance(value, (list, tuple)) and value:
        if isinstance(options.tile, tuple) and len(options.tile) == 3:
            return "mma"
        if all(isinstance(v, Tiler) for v in value[1:]) and len(value) > 1:
            return "tiler"
        if all(isinstance(v, tuple) for v in value[1:]) and len(value) > 1 and hasattr(value[0], "shape"):
            return "slice"
        return "panels"
    return "thread-value" if options.tile is not None else "layout"


def _tile(tile: Any) -> Any:
    """``"8x8"``, ``"16x8x16"``, a tuple or None."""
    if isinstance(tile, str):
        parts = tile.lower().replace("×", "x").split("x")
        if len(parts) in (2, 3) and all(p.strip().isdecimal() and len(p) < 10 for p in parts):
            return tuple(map(int, parts))
        raise refuse("LC103", "a tile has two extents, as in 8x8, not {given}", op="draw", given=tile[:80])
    return tile
