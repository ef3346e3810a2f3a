"""What a terminal shows below a value: its measures, and the table when it is small."""

from __future__ import annotations

import shutil
from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.render.reports.measures import measures

__all__ = ["measures", "small_table"]

SMALL_ROWS, SMALL_CELLS = 16, 256


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
