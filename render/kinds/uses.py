"""A layout of shared memory with every access that it serves, each by its dearest pass."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..scene.crop import cropped
from ..scene.scene import Panel, Scene
from .accesses import keys_of, view_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from laycalc.atoms.memory.pattern import Pattern

    from ..scene.options import Options

__all__ = ["uses_scene"]

SIDE, LEAST = (32, 64), 8
"""Rows and columns that are shown at most and at least."""


def uses_scene(value: Any, uses: Mapping[str, Pattern], options: Options) -> Scene:
    """For each access by name the cells that the dearest pass asks for, above the banks that serve it."""
    views = {name: view_of(value, pattern, options) for name, pattern in uses.items()}
    panels: list[Panel] = []
    for row, (name, view) in enumerate(views.items()):
        title = f"{name}: access {view.number} of {view.among}{view.passes}, {view.served}: {view.told}"
        panels.append(replace(_shown(view.cells), title=title, at=(2 * row, 0)))
        panels.append(replace(view.banks, at=(2 * row + 1, 0)))
    bits = next(iter(uses.values())).bits
    told = "; ".join(f"{name} takes {view.told} in its dearest pass" for name, view in views.items())
    return options.scene(
        "bank",
        panels,
        f"{value} in shared memory: {told}. Every cell that is asked for names its lane and its bank.",
        caption=f"{value}, elements of {bits} bits",
        legend=keys_of([view.phase for view in views.values()]),
    )


def _shown(panel: Panel) -> Panel:
    """The rows and columns of what is asked for, at least a few and not too many."""
    asked = [cell for cell in panel.cells if len(cell.lines) > 1]
    rows = _window([cell.row for cell in asked], panel.rows, SIDE[0])
    return cropped(panel, (rows, _window([cell.column for cell in asked], panel.columns, SIDE[1])))


def _window(places: list[int], extent: int, most: int) -> range:
    """From the first to the last of some places."""
    first, last = min(places, default=0), max(places, default=0)
    return range(first, min(extent, first + min(most, max(LEAST, last + 1 - first))))
