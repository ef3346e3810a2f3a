"""What a terminal shows below a value: its kind and measures, and the table when it is small."""

from __future__ import annotations

import shutil
from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.grammar.language.values import kind_of

__all__ = ["measures", "small_table"]

LISTED = 1 << 16
"""Layouts of at most so many values are listed to find their largest offset."""

SMALL_ROWS, SMALL_CELLS = 16, 256


def measures(value: Any) -> list[str]:
    """One line: kind, rank, size, and the range of the offsets; none for values that are no layouts."""
    if not isinstance(value, (Layout, Composed, Tensor)):
        return []
    words = [kind_of(value), f"rank {value.rank}", f"size {value.size}"]
    if type(value.size) is int and value.size <= LISTED:
        values = value.values()
        if all(type(v) is int for v in values):
            words.append(f"cosize {max(values) + 1}" if min(values) >= 0 else f"offsets {min(values)}..{max(values)}")
    return ["  " + ", ".join(words)]


def small_table(value: Any) -> list[str]:
    """The table of a layout of rank 2 that fits on the screen: at most 16 rows and 256 cells."""
    if not isinstance(value, (Layout, Composed, Tensor)) or value.rank != 2 or type(value.size) is not int:
        return []
    if value.size > SMALL_CELLS:
        return []
    from laycalc.render.kinds.table import table

    lines = ["  " + line for line in table(value).splitlines()]
    width = shutil.get_terminal_size().columns
    return lines if len(lines) <= SMALL_ROWS + 4 and all(len(line) <= width for line in lines) else []
