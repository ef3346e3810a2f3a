"""A picture for each layout of a scan, in a directory."""

from __future__ import annotations

import os
import re

from laycalc.algebra.base.errors import LayoutError
from laycalc.atoms.tiling.copy_atom import CopyAtom
from laycalc.atoms.tiling.slices import ThreadSlice
from laycalc.diagnostics.model import Failure
from laycalc.grammar.source.scan import is_layout
from laycalc.grammar.source.values import Found

from ..streams.outfile import writing
from .kernels import Case

__all__ = ["write_pictures"]

_WITHOUT = (CopyAtom, ThreadSlice)
"""Kinds that have no picture of their own."""


def write_pictures(cases: list[Case], directory: str) -> list[str]:
    """Write ``NAME.svg`` for each layout, with the line where a name occurs twice; what has no picture is left out."""
    from laycalc.render.draw import scene_of, write

    with writing(directory):
        os.makedirs(directory, exist_ok=True)
    written: list[str] = []
    for case in cases:
        for found in case.scanned.values:
            if not is_drawn(found):
                continue
            path = _free(os.path.join(directory, _file_name(found.name)), found.line, written)
            try:
                scene = scene_of(found.value, title=found.name)
            except (LayoutError, Failure):
                continue  # an atom of a copy, or a layout beyond the limits of a picture
            with writing(path):
                write(scene, path)
            written.append(path)
    return written


def is_drawn(found: Found) -> bool:
    """Has a value a picture: a layout, a tiler, a tiled MMA or copy, without unknown numbers?"""
    return is_layout(found.value) and found.outcome.report is None and not isinstance(found.value, _WITHOUT)


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.-]+", "_", name)


def _free(stem: str, line: int, taken: list[str]) -> str:
    """A path that no picture has yet."""
    for path in (f"{stem}.svg", f"{stem}-{line}.svg"):
        if path not in taken:
            return path
    count = 2
    while f"{stem}-{line}-{count}.svg" in taken:
        count += 1
    return f"{stem}-{line}-{count}.svg"
