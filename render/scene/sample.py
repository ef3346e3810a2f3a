"""What a value gives at every cell: rows are its mode 0, columns its mode 1, sheets the rest.

Works for anything with ``.shape`` that can be called with an index: layouts, swizzled layouts, tensors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.codomain import value_of
from laycalc.algebra.values.htuple import entries, format_htuple
from laycalc.algebra.values.layout import Layout, codomain_profile
from laycalc.algebra.values.shape import natural, size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def count(shape: Any, op: str = "draw") -> int:
    """The number of cells of a shape; LC106 if an extent is not known."""
    n = size(shape)
    if type(n) is not int:
        raise refuse("LC106", "a picture of {shape} needs the values of its extents", op=op, shape=format_htuple(shape))
    return n


def extent_text(n: int) -> str:
    """A number of cells as text; Python itself refuses to write out numbers of several thousand digits."""
    return str(n) if n.bit_length() < 400 else f"about 2^{n.bit_length() - 1}"


def value_text(value: Any) -> str:
    """An offset or a coordinate as text."""
    return str(value) if type(value) is int else format_htuple(value)


def has_layouts(value: Any, names: Iterable[str]) -> bool:
    """Has an instruction all these operands?"""
    return all(getattr(value, name, None) is not None for name in names)


class Samples:
    """The values of a layout-like value by row, column and sheet.

    ``modes`` holds the shapes of rows, columns and of one sheet coordinate; a value of rank 1 has one row.
    """

    def __init__(self, value: Any, op: str = "draw") -> None:
        if not hasattr(value, "shape") or not callable(value):
            text = format_htuple(value)
            text = text if len(text) <= 80 else text[:77] + "..."
            raise refuse("LC103", "{value} is no layout", op=op, value=text)
        self.value = value
        self.shape = value.shape
        self.size = count(self.shape, op)
        modes = self.shape if isinstance(self.shape, tuple) else (self.shape,)
        self.rank = len(modes)
        self.row_shape = modes[0] if self.rank > 1 else 1
        self.column_shape = modes[1] if self.rank > 1 else modes[0] if modes else 1
        self.rest_shape = modes[2:]
        self.rows = count(self.row_shape, op)
        self.columns = count(self.column_shape, op)
        self.sheets = count(self.rest_shape, op)
        self._all: list[Any] | None = None

    def index(self, row: int, column: int, sheet: int = 0) -> int:
        """The integer index of a cell."""
        return row + self.rows * (column + self.columns * sheet)

    def block(self, rows: Sequence[int], columns: Sequence[int], sheet: int = 0) -> list[list[Any]]:
        """The values of a window, row by row."""
        if isinstance(self.value, Layout):
            return self._linear(self.value, rows, columns, sheet)
        if self._all is None and len(rows) * len(columns) * 4 >= self.size and hasattr(self.value, "values"):
            self._all = self.value.values()
        at = self._all.__getitem__ if self._all is not None else self.value
        return [[at(self.index(i, j, sheet)) for j in columns] for i in rows]

    def _linear(self, layout: Layout, rows: Sequence[int], columns: Sequence[int], sheet: int) -> list[list[Any]]:
        """A layout is linear: the value of a cell is the sum of a row's part and a column's part."""
        modes = layout.modes()
        if self.rank < 2:
            parts = [0 for _ in rows], _some(layout, columns)
        else:
            parts = _some(modes[0], rows), _some(modes[1], columns)
        start: Any = 0
        for mode, c in zip(modes[2:], entries(natural(sheet, self.rest_shape)), strict=True):
            start = start + mode.element(c)
        tops = [start + r for r in parts[0]]
        if layout.semimodule == "Z":
            return [[r + c for c in parts[1]] for r in tops]
        profile = codomain_profile(layout)
        return [[value_of(r + c, profile) for c in parts[1]] for r in tops]


def _some(mode: Layout, indices: Sequence[int]) -> list[Any]:
    if len(indices) == mode.size:
        return mode.elements()
    return [mode.element(i) for i in indices]
