"""The one entry to pictures: a value and wishes become a scene, a scene becomes a file's bytes or text."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse

from .answered import answered
from .described import described
from .files import write_whole
from .index import ASKED, FORMATS, PICTURES
from .reports.visible import visible
from .scene.crop import cropped
from .scene.fit import fitted
from .scene.options import Options
from .scene.scene import drawn_keys

if TYPE_CHECKING:
    from .scene.records import Format, Picture
    from .scene.scene import Scene


def scene_of(value: Any, *, kind: str | None = None, **wishes: Any) -> Scene:
    """The picture of a value, or of several in a list, as data; ``kind`` is taken from the value unless given.

    ``wishes`` are the fields of `laycalc.render.scene.options.Options`. LC103 for a choice that does not exist, LC104
    for a picture beyond the limits.
    """
    options = Options.of(**wishes)
    picture: Picture = _find(PICTURES, "kind", kind or ASKED[described(value, options.tile)])
    if picture.several and not (isinstance(value, (list, tuple)) and value):
        raise refuse("LC103", "a picture of kind {kind} takes several values", op="draw", kind=picture.name)
    scene = _made(picture, value, options)
    plain = replace(options, highlight=())
    scene, remarks = answered(scene, picture, options, lambda: _made(picture, value, plain))
    scene = replace(
        scene,
        title=visible(scene.title),
        caption=visible(scene.caption),
        description=visible(scene.description),
        notes=(*scene.notes, *remarks),
        legend=drawn_keys(scene),
    )
    return fitted(scene, options.width, options.min_font) if options.width else scene


def _made(picture: Picture, value: Any, options: Options) -> Scene:
    scene = picture.scene(value, options)
    if options.crop is not None and scene.panels and picture.name not in ("layout", "bank"):
        # Layouts are cropped before they are evaluated, everything else after.
        scene = replace(scene, panels=tuple(cropped(p, options.crop) for p in scene.panels))
    return scene


def draw(value: Any, *, format: str = "svg", **wishes: Any) -> bytes | str:
    """The picture of a value in a format: text for svg, tex, tikz, typ and html, bytes for png and pdf.

    ``wishes`` are the keywords of `scene_of`.
    """
    return render(scene_of(value, **wishes), format)


def render(scene: Scene, format: str) -> bytes | str:
    """A scene in a format; LC103 for an unknown one."""
    writer: Format = _find(FORMATS, "format", format)
    return writer.write(scene)


def save(value: Any, path: str | Path, *, format: str | None = None, **wishes: Any) -> Path:
    """Draw to a file, format from its ending; the file appears whole or not at all."""
    return write(scene_of(value, **wishes), path, format=format)


def write(scene: Scene, path: str | Path, *, format: str | None = None) -> Path:
    """A scene to a file, format from its ending; the file appears whole or not at all."""
    path = _path(path)
    made = render(scene, format or path.suffix.lstrip(".").lower())
    data = made if isinstance(made, bytes) else (made.rstrip("\n") + "\n").encode()
    write_whole(path, data)
    return path


def _path(given: Any) -> Path:
    """A path of the file system; LC103 for what is none."""
    try:
        return Path(given)
    except TypeError:
        raise refuse("LC103", "{given} is no path", op="save", given=str(given)) from None


def _find(table: dict[str, str], what: str, name: str) -> Any:
    """The record of a name; its module is imported now."""
    if name not in table:
        raise refuse(
            "LC103",
            "{what} is one of {choices}, not {given}",
            op="draw",
            what=what,
            choices=", ".join(table),
            given=name,
        )
    module, variable = table[name].split(":")
    return getattr(import_module(f".{module}", __package__), variable)
