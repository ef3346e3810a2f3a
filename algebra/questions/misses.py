"""Why a layout is not injective, surjective or bijective: two coordinates with one value, a value that nobody has."""

from __future__ import annotations

from typing import Any

from ..base.effort import VALUES
from ..base.record import Record
from ..operations.image import coshape, cosize
from ..values.htuple import HTuple, flatten, format_htuple
from ..values.layout import Layout
from ..values.lifting import Lifted
from ..values.shape import coordinates, natural, size
from .listings import tv_table

__all__ = ["Coverage", "coverage", "missed", "told", "twice"]


def twice(layout: Lifted) -> tuple[int, int] | None:
    """The first two indices with the same value; None if there are none, or too many to look at.

    >>> twice(Layout((4, 8), (1, 2))), twice(Layout(4, 2))
    ((2, 4), None)
    """
    if type(layout.size) is not int:
        return None
    if layout.size > VALUES:
        return _still(layout)
    seen: dict[Any, int] = {}
    for i, value in enumerate(layout.values()):
        if (first := seen.setdefault(value, i)) != i:
            return first, i
    return None


def _still(layout: Lifted) -> tuple[int, int] | None:
    """The first two coordinates along a mode of stride 0."""
    below = 1
    for s, d in zip(*layout.flat(), strict=True) if isinstance(layout, Layout) else ():
        if s > 1 and d == 0:
            return 0, below
        below *= s
    return None


def missed(layout: Lifted, codomain: HTuple | None = None) -> Any:
    """The first value of the codomain that no coordinate has; None if there is none, or too many to look at.

    >>> missed(Layout(4, 2)), missed(Layout(4, 1))
    (1, None)
    """
    if codomain is None:
        codomain = cosize(layout) if getattr(layout, "semimodule", "Z") == "F2" else coshape(layout)
    if any(type(x) is not int for x in (layout.size, *flatten(codomain))):
        return None
    if layout.size > VALUES or size(codomain) > 2 * VALUES:
        return None
    values = set(layout.values())
    return next((place for place in coordinates(codomain) if place not in values), None)


def told(predicate: str, layout: Lifted, codomain: HTuple | None = None) -> str:
    """Why the answer to a predicate is no, in words; empty if nothing is known.

    >>> told("bijective", Layout((4, 8), (1, 2)))
    'coordinates (2,0) and (0,1) both have the value 2'
    >>> told("surjective", Layout(4, 2))
    'no coordinate has the value 1'
    """
    if predicate != "surjective" and (pair := twice(layout)) is not None:
        first, second = (format_htuple(natural(i, layout.shape)) for i in pair)
        return f"coordinates {first} and {second} both have the value {format_htuple(layout(pair[0]))}"
    if predicate != "injective" and (place := missed(layout, codomain)) is not None:
        return f"no coordinate has the value {format_htuple(place)}"
    return ""


class Coverage(Record):
    """How a thread-value layout fills a tile: cells without an owner, cells with several, and the first of each.

    ``outside`` pairs of a thread and a value have no cell in the tile.
    """

    cells: int
    nobody: int
    first_nobody: tuple[int, int] | None
    shared: int
    first_shared: tuple[int, int] | None
    outside: int

    def lines(self) -> list[str]:
        """What is to be said, a sentence a line; none for a tile that every cell of which has one owner."""
        said = []
        if self.nobody:
            said.append(f"{self.nobody} of {self.cells} cells have no owner, the first {_cell(self.first_nobody)}")
        if self.shared:
            said.append(f"{self.shared} of {self.cells} cells have several, the first {_cell(self.first_shared)}")
        return said


def _cell(place: tuple[int, int] | None) -> str:
    return "" if place is None else format_htuple(place)


def coverage(layout: Lifted, tile: HTuple) -> Coverage:
    """How a thread-value layout fills a tile of two modes; LC103 for another tile, LC104 for one that is too large.

    >>> coverage(Layout((2, 2), (2, 2)), (2, 4)).lines()
    ['5 of 8 cells have no owner, the first (1,0)', '1 of 8 cells have several, the first (0,1)']
    """
    table = tv_table(layout, tile)
    # The first in the order of the index: rows run fastest.
    owned = [(i, j, len(table[i][j])) for j in range(len(table[0])) for i in range(len(table))]
    nobody = [(i, j) for i, j, count in owned if not count]
    shared = [(i, j) for i, j, count in owned if count > 1]
    return Coverage(
        cells=len(owned),
        nobody=len(nobody),
        first_nobody=nobody[0] if nobody else None,
        shared=len(shared),
        first_shared=shared[0] if shared else None,
        outside=layout.size - sum(count for _, _, count in owned),
    )
