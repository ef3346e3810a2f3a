"""A layout as a matrix: one column for each leaf stride (CuTe paper, Table 1)."""

from __future__ import annotations

from typing import Any

from ..base.words import word
from ..values.htuple import leaf_paths
from ..values.layout import Layout, codomain_profile
from ..values.semimodule import Coordinate, Xor


@word("""
    values: linear_form(L: layout) -> grid alias matrix
    the matrix of the strides
    linear_form((4,(4,2)):(e1,(e0,6e1)))
""")
def linear_form(layout: Layout) -> list[list[Any]]:
    """The matrix M with L(c) = M * natural(c), row by row.

    One row over Z, one for each axis over Z^P, one for each bit (least significant first) over F2. Source: paper 4.3.

    >>> linear_form(Layout(((2, 2), (4, 2)), ((1, 8), (2, 16))))
    [[1, 8, 2, 16]]
    >>> linear_form(Layout((2, 2), (Xor(1), Xor(3))))
    [[1, 1], [0, 1]]
    """
    stride = layout.flat()[1]
    if layout.semimodule == "Z":
        return [list(stride)]
    if layout.semimodule == "Z^P":
        axes = leaf_paths(codomain_profile(layout))
        return [[d.axis(path) if isinstance(d, Coordinate) else 0 for d in stride] for path in axes]
    columns = [d.value if isinstance(d, Xor) else 0 for d in stride]
    return [[c >> bit & 1 for c in columns] for bit in range(max(columns).bit_length())]
