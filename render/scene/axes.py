"""Axis labels: the nested coordinate of every row and column, one level of header for each leaf of the mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.values.htuple import flatten, format_htuple
from laycalc.algebra.values.shape import natural

from .scene import Axis, Frame, Segment, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_LEVELS = 4
"""More leaves than this share the innermost level."""


def coordinate_texts(mode: Any, indices: Sequence[int]) -> list[str]:
    """The natural coordinate of every index of a mode, as text; dots for what is no index."""
    if not isinstance(mode, tuple):
        return [str(i) if i >= 0 else "…" for i in indices]
    return [format_htuple(natural(i, mode)) if i >= 0 else "…" for i in indices]


def index_axis(indices: Sequence[int], name: str = "") -> Axis:
    """One level that counts."""
    return Axis((tuple(Span(k, 1, str(i)) for k, i in enumerate(indices)),), name)


def tick_axis(indices: range, name: str = "") -> Axis:
    """Some eight round numbers along a side."""
    step = 1
    while len(indices) > 8 * step:
        step *= 2
    return Axis((tuple(Span(k, 1, str(indices[k])) for k in range(0, len(indices), step)),), name)


def mode_axis(mode: Any, indices: Sequence[int], name: str = "") -> Axis:
    """A level for each leaf of a mode with more than one element; equal neighbours share one label.

    Negative indices are dots.
    """
    levels: list[tuple[Span, ...]] = []
    below = 1
    for extent in _level_extents(mode):
        spans: list[Span] = []
        for k, i in enumerate(indices):
            text, group = str(i // below % extent) if i >= 0 else "…", i // below if i >= 0 else -1 - k
            if spans and indices[k - 1] // below == group:
                spans[-1] = spans[-1]._replace(length=spans[-1].length + 1)
            else:
                spans.append(Span(k, 1, text))
        levels.append(tuple(spans))
        below *= extent
    return Axis(tuple(levels), name)


def tile_frames(row_mode: Any, column_mode: Any, rows: Sequence[int], columns: Sequence[int]) -> tuple[Frame, ...]:
    """Borders where an outer coordinate changes: "tile" at the innermost level, "tile2" at every level beyond."""
    lines: dict[str, list[Segment]] = {"tile": [], "tile2": []}
    for mode, indices, along_rows in ((row_mode, rows, True), (column_mode, columns, False)):
        below, seen = 1, set()
        for level, _extent in reversed(list(enumerate(_level_extents(mode)[:-1]))):
            below = 1
            for e in _level_extents(mode)[: level + 1]:
                below *= e
            for k in range(1, len(indices)):
                if k not in seen and indices[k - 1] // below != indices[k] // below:
                    seen.add(k)
                    kind = "tile2" if level else "tile"
                    lines[kind].append((k, 0, k, len(columns)) if along_rows else (0, k, len(rows), k))
    return tuple(Frame(kind, tuple(segments)) for kind, segments in lines.items() if segments)


def _level_extents(mode: Any) -> list[int]:
    """The extents of the levels from inside out; size-1 leaves make none, too many leaves share the innermost."""
    extents = [e for e in flatten(mode) if e > 1] or [1]
    while len(extents) > MAX_LEVELS:
        extents[:2] = [extents[0] * extents[1]]
    return extents
