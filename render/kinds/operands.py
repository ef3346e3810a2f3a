"""Operands: who holds each cell of a tile, and how their panel is laid out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from laycalc.algebra.base.errors import refuse

from ..scene.sample import count, extent_text
from .owners import Owner, owner_lines, owners_of, ranges

if TYPE_CHECKING:
    from collections.abc import Sequence


OWNED = 1 << 20
"""Cells of an operand whose owners are listed."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A layout of (thread, value) over a tile of two modes, and how its panel shows it.

    ``name`` and ``axes`` are those of the tooltips; ``lanes`` are the physical threads in order. ``turned`` draws mode
    0 of the tile along the columns; coordinates have mode 0 first, or ``rows_first`` the row. ``unit`` is what holds
    values: T, or CTA for thread blocks. ``memory`` says where an operand is that no thread holds. The cells of an
    ``anonymous`` operand name no holder: nobody in particular holds them.
    """

    layout: Any
    tile: tuple[Any, Any]
    name: str = ""
    axes: tuple[str, str] = ("", "")
    lanes: Sequence[int] | None = None
    turned: bool = False
    rows_first: bool = False
    unit: str = "T"
    memory: str = ""
    anonymous: bool = False

    @property
    def modes(self) -> tuple[Any, Any]:
        """The modes of the tile along the rows and along the columns."""
        return (self.tile[1], self.tile[0]) if self.turned else self.tile

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the rows' and of the columns' axis."""
        return (self.axes[1], self.axes[0]) if self.turned else self.axes

    def where(self, down: str, across: str) -> str:
        """A cell in words, by the coordinates of its row and its column: ``B k=0 n=1``, or ``(0,1)`` without names."""
        if not any(self.axes):
            return f"({down},{across})"
        return f"{self.name} {self.sides[0]}={down} {self.sides[1]}={across}".lstrip()

    def lines(self, own: Sequence[Owner]) -> tuple[str, ...]:
        """The owners of a cell as its texts."""
        if self.anonymous:
            return (f"V{ranges(tuple(sorted({v for _, v in own})))}",)
        return owner_lines(own, self.unit)


class Fold(NamedTuple):
    """The ``shown`` lines from ``start`` stand for ``more`` groups after them, whose values are greater by a step."""

    start: int
    shown: int
    more: int
    step: int

    def __str__(self) -> str:
        return f"{self.start}–{self.start + self.shown - 1}, then {self.more} more alike, V + {self.step} each"


@dataclass(frozen=True, slots=True)
class Held:
    """The owners of every cell of an operand, by its row and column as drawn; ``outside`` pairs have no cell.

    ``rows`` and ``columns`` are those that are drawn; ``folds`` say which of them stand for others.
    """

    operand: Operand
    rows: Sequence[int]
    columns: Sequence[int]
    owned: dict[tuple[int, int], tuple[Owner, ...]]
    outside: int
    folds: tuple[tuple[Fold, ...], tuple[Fold, ...]] = ((), ())

    def index(self, row: int, column: int) -> int:
        """The column-major index in the tile."""
        rows, columns = map(count, self.operand.modes)
        return column + columns * row if self.operand.turned else row + rows * column

    @property
    def size(self) -> int:
        """How many cells are drawn."""
        return len(self.rows) * len(self.columns)


def held(operand: Operand) -> Held:
    """Who holds the cells of an operand. LC103 for a layout that has not two modes, LC104 for too many cells."""
    rows, columns = (range(count(mode)) for mode in operand.modes)
    if rows.stop * columns.stop > OWNED:
        raise refuse(
            "LC104",
            "{rows} x {columns} cells are more than the {limit} whose owners are listed",
            op="draw",
            rows=extent_text(rows.stop),
            columns=extent_text(columns.stop),
            limit=OWNED,
        )
    owners, outside = owners_of(operand.layout, operand.tile)
    if operand.lanes is not None:
        owners = [tuple(sorted((operand.lanes[t], v) for t, v in own)) for own in owners]
    found = Held(operand, rows, columns, {}, outside)
    found.owned.update({(i, j): owners[found.index(i, j)] for i in rows for j in columns})
    return found
