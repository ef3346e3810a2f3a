"""A picture as plain data, before any backend: panels of cells, their borders and axes, arrows, a legend and captions.

Positions count in cells; `laycalc.render.scene.place` alone turns them into lengths. A colour is a role, a name that
`laycalc.render.scene.palette` looks up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .look import NATURAL, Look

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Hashable, Iterable

    from laycalc.algebra.categories.diagram import Diagram

Segment: TypeAlias = tuple[int, int, int, int]
"""A stretch of cell border from corner (row, column) to corner (row, column)."""


class Cell(NamedTuple):
    """One cell of a panel (a named tuple: 65,536 of them are built for one picture).

    ``lines`` are drawn; ``title`` is the tooltip; ``value`` is the text of what the layout gives there; ``owners`` are
    the (thread, value) pairs of the cell, all of them; ``mark`` is "", "hole", "shared" (several owners), "differs" or
    "more" (stands for cells that are alike).
    """

    row: int
    column: int
    lines: tuple[str, ...]
    role: str
    title: str
    value: str = ""
    owners: tuple[tuple[int, int], ...] = ()
    mark: str = ""


class Span(NamedTuple):
    """A label of an axis over ``length`` rows or columns from ``start``."""

    start: int
    length: int
    text: str


@dataclass(frozen=True, slots=True)
class Axis:
    """The labels along one side; ``levels`` go from the grid outwards, innermost coordinate first."""

    levels: tuple[tuple[Span, ...], ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """A border of one kind ("tile", "tile2", "quad", "warp", "slice", "chosen", "block") made of segments."""

    kind: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Raster:
    """A sheet too large to label: for every cell, row by row, 0 for nothing or 1..255 from ``low`` to ``high``.

    With ``roles`` the number of a role, from 1. Where the number of a cell is the sum of its row's and its column's,
    ``rows`` and ``columns`` hold them.
    """

    levels: bytes
    low: int
    high: int
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """One grid at place ``at`` = (row, column) of the scene; ``rows`` x ``columns`` cells, or a raster of that size.

    ``origin`` is the coordinate of its first cell, ``lines`` are the rows and columns of a panel that leaves some out;
    a ``turned`` panel shows mode 0 along its columns. ``name`` is that of an operand. ``path`` visits cells in order.
    """

    rows: int
    columns: int
    cells: tuple[Cell, ...] = ()
    title: str = ""
    at: tuple[int, int] = (0, 0)
    row_axis: Axis | None = None
    column_axis: Axis | None = None
    frames: tuple[Frame, ...] = ()
    raster: Raster | None = None
    name: str = ""
    origin: tuple[int, int] = (0, 0)
    lines: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    turned: bool = False
    path: tuple[tuple[int, int], ...] = ()

    def coordinate(self, row: int, column: int) -> tuple[int, int]:
        """The coordinate of a cell, mode 0 first."""
        row, column = row + self.origin[0], column + self.origin[1]
        rows, columns = self.lines
        down, across = rows[row] if rows else row, columns[column] if columns else column
        return (across, down) if self.turned else (down, across)


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow from one panel to the next one, by their numbers, with a text above."""

    source: int
    target: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """A line of the legend."""

    role: str
    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture; ``description`` says it in words for those who cannot see it.

    ``ends`` are the texts at both ends of a heat map's bar of colours, or (). A picture of a ``diagram`` has no panels;
    ``words`` are its lines in a terminal.
    """

    kind: str
    panels: tuple[Panel, ...]
    title: str = ""
    caption: str = ""
    description: str = ""
    legend: tuple[Key, ...] = ()
    notes: tuple[str, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    theme: str = "laycalc"
    ends: tuple[str, str] | tuple[()] = ()
    look: Look = NATURAL
    diagram: Diagram | None = None
    words: tuple[str, ...] = ()


def drawn_keys(scene: Scene) -> tuple[Key, ...]:
    """The keys of the legend whose colour or mark is drawn; the key of a hue stands for its second tone too."""
    cells = [cell for panel in scene.panels for cell in panel.cells]
    roles, marks = {cell.role for cell in cells}, {cell.mark for cell in cells}
    roles |= {r for p in scene.panels if p.raster for k, r in enumerate(p.raster.roles, 1) if k in p.raster.levels}
    roles |= {role.replace("d", "c") for role in roles}
    return tuple(k for k in scene.legend if (k.mark in marks if k.mark else k.role in roles))


def outline(rows: int, columns: int, key: Callable[[int, int], Hashable]) -> tuple[Segment, ...]:
    """The borders between cells of different key, neighbouring pieces joined; outside the grid the key is None."""
    keys = [[key(i, j) for j in range(columns)] for i in range(rows)]
    edge: list[Hashable] = [None] * columns
    segments: list[Segment] = []
    for i, (above, below) in enumerate(zip([edge, *keys], [*keys, edge], strict=True)):
        segments += [(i, a, i, b) for a, b in _runs(above, below)]
    sides = list(zip(*keys, strict=True))
    rim = [None] * rows
    for j, (left, right) in enumerate(zip([rim, *sides], [*sides, rim], strict=True)):
        segments += [(a, j, b, j) for a, b in _runs(left, right)]
    return tuple(segments)


def around(kind: str, rows: int, columns: int, cells: Container[tuple[int, int]]) -> Frame:
    """A frame around the given cells of a panel."""
    return Frame(kind, outline(rows, columns, lambda i, j: (i, j) in cells or None))


def _runs(one: Iterable[Hashable], other: Iterable[Hashable]) -> list[tuple[int, int]]:
    """The maximal stretches along which two lines of keys differ."""
    runs: list[tuple[int, int]] = []
    for k, (a, b) in enumerate(zip(one, other, strict=True)):
        if a != b:
            if runs and runs[-1][1] == k:
                runs[-1] = (runs[-1][0], k + 1)
            else:
                runs.append((k, k + 1))
    return runs
