"""The bank view: every cell in the colour of its shared-memory bank, with its offset and the bank's number."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..scene.records import Picture
from .accesses import access_scene
from .grid import grid_scene

if TYPE_CHECKING:
    from ..scene.options import Options
    from ..scene.scene import Scene


def bank_scene(value: Any, options: Options) -> Scene:
    """The grid of a layout in elements of ``bits`` bits (32 unless given), coloured and labelled by bank.

    With ``lanes`` the access of a warp over it.
    """
    if options.lanes or options.access is not None:
        return access_scene(value, options)
    bits = options.bits or 32
    scene = grid_scene(value, replace(options, color_by="bank", label=options.label or "bank", bits=bits))
    caption = f"{scene.caption}, elements of {bits} bits, 32 banks of 4 bytes" if scene.caption else ""
    return replace(scene, kind="bank", caption=caption) if scene.kind == "layout" else scene


BANK = Picture(
    "bank",
    "a layout in shared memory",
    bank_scene,
    options=("highlight", "label", "crop", "wrap", "limit", "bits", "order", "lanes", "access", "vector"),
)
