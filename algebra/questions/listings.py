"""Tables and lists of what layouts do, as plain data (CuTe paper, figures 1 to 12)."""

from __future__ import annotations

from functools import reduce
from typing import Any

from ..base.decide import same
from ..base.effort import check_listed
from ..base.errors import refuse
from ..base.words import word
from ..operations.build import make_identity_layout
from ..operations.divide import zipped_divide
from ..operations.image import bounded_values
from ..values.htuple import HTuple, entries, format_htuple
from ..values.lifting import Lifted
from ..values.semimodule import Xor
from ..values.shape import coordinates, crd2idx, natural, size
from ..values.tiler import Operand


@word("""
    algebra: eval(L: any-layout, c: point)
    the value at a coordinate
    law: L(c) = sum c_i*d_i
    eval((4,8):(1,4), (2,5))
""")
def evaluate(layout: Lifted, *coordinate: Any) -> Any:
    """L(c).

    >>> from laycalc.algebra.values.layout import Layout
    >>> evaluate(Layout((4, 8), (8, 1)), 40)
    10
    """
    return layout(*coordinate)


@word("""
    algebra: apply(i: integer, L: layout...)
    the layouts applied from the right
    law: L1(L2(...(i)))
    apply(3, (2,2,2):(20,9,25), (3,1):(1,4))
""")
def apply(index: Any, *layouts: Lifted) -> Any:
    """L1(L2(... Ln(i))): composition of functions, on the extended domain.

    >>> from laycalc.algebra.values.layout import Layout
    >>> apply(1, Layout((2, 2, 2), (20, 9, 25)), Layout((3, 1), (1, 4)))
    20
    """
    return reduce(lambda value, layout: layout(value), reversed(layouts), index)


@word("""
    values: values(L: any-layout) -> values alias offsets
    all values in order of the index
    values((2,2):(1,4))
""")
def values(layout: Any, count: int | None = None) -> list[Any]:
    """The values over the indices 0..|L|-1, or 0..count-1 of a layout or swizzle.

    >>> from laycalc.algebra.values.layout import Layout
    >>> values(Layout(4, 3))
    [0, 3, 6, 9]
    """
    if count is None:
        return bounded_values(layout, "values")
    check_listed("values", count)
    return [layout(i) for i in range(count)]


@word("""
    coordinates: colexicographic(shape: shape) -> values
    all coordinates, first mode fastest
    colexicographic((2,3))
    over: shape
""")
@word("""
    coordinates: coords(shape: shape) -> values alias coordinates
    all coordinates, first mode fastest
    coords((2,3))
    over: shape
""")
def colexicographic(shape: HTuple) -> list[HTuple]:
    """The coordinates with the first mode fastest: CuTe's own order.

    >>> colexicographic((2, 2))
    [(0, 0), (1, 0), (0, 1), (1, 1)]
    """
    check_listed("coords", size(shape))
    return list(coordinates(shape))


@word("""
    coordinates: lexicographic(shape: shape) -> values
    all coordinates, last mode fastest, as in PyTorch
    lexicographic((2,3))
    over: shape
""")
def lexicographic(shape: HTuple) -> list[HTuple]:
    """The coordinates with the last mode fastest: the order of C arrays and PyTorch.

    >>> lexicographic((2, 2))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    check_listed("lexicographic", size(shape))
    if not isinstance(shape, tuple):
        return list(range(shape))
    found: list[Any] = [()]
    for mode in shape:
        found = [(*c, i) for c in found for i in lexicographic(mode)]
    return found


@word("""
    values: table(L: any-layout) -> grid
    the values of a rank-2 layout, row by row
    table((2,3):(1,2))
""")
def table(layout: Lifted) -> list[Any]:
    """The values as rows: L(i, j) in row i, column j.

    Rank 1 is one row; further modes stack tables, the last outermost.

    >>> from laycalc.algebra.values.layout import Layout
    >>> table(Layout((2, 3), (3, 1)))
    [[0, 1, 2], [3, 4, 5]]
    """
    listed = bounded_values(layout, "table")
    extents = [size(mode) for mode in layout.shape] if isinstance(layout.shape, tuple) else [layout.shape]
    if len(extents) < 2:
        return [listed]
    rows, columns = extents[0], extents[1]
    page = rows * columns
    tables = [[listed[start + i : start + page : rows] for i in range(rows)] for start in range(0, len(listed), page)]
    for extent in extents[2:-1]:
        tables = [tables[i : i + extent] for i in range(0, len(tables), extent)]
    return tables if len(extents) > 2 else tables[0]


@word("""
    values: copy_map(src: layout, dst: layout) -> pairs
    source and destination offset of every element
    copy_map(4:1, 4:2)
""")
def copy_map(source: Lifted, target: Lifted) -> list[tuple[Any, Any]]:
    """(from, to) for every index: element source(i) goes to target(i). LC103 if the sizes differ.

    >>> from laycalc.algebra.values.layout import Layout
    >>> copy_map(Layout(3, 2), Layout(3, 1))
    [(0, 0), (2, 1), (4, 2)]
    """
    if not same(source.size, target.size):
        raise refuse(
            "LC103",
            "a copy needs equal sizes, not {left} and {right}",
            op="copy_map",
            left=source.size,
            right=target.size,
        )
    return list(zip(bounded_values(source, "copy_map"), bounded_values(target, "copy_map"), strict=True))


@word("""
    values: gemm_mnk(A: layout, B: layout, C: layout)
    M, N and K of a matrix product
    gemm_mnk((4,8):(1,4), (6,8):(1,6), (4,6):(1,4))
""")
def gemm_mnk(a: Lifted, b: Lifted, c: Lifted) -> tuple[Any, Any, Any]:
    """(M, N, K) of C(m,n) += A(m,k) * B(n,k), sizes of modes. LC103 unless A is (M,K), B (N,K) and C (M,N).

    >>> from laycalc.algebra.values.layout import Layout
    >>> gemm_mnk(Layout((3, 4), (1, 5)), Layout((2, 4), (1, 6)), Layout((3, 2), (1, 7)))
    (3, 2, 4)
    """
    sizes = []
    for name, layout in (("A", a), ("B", b), ("C", c)):
        if layout.rank != 2 or not isinstance(layout.shape, tuple):
            raise refuse(
                "LC103", "{name} of a matrix product has rank 2, not {rank}", op="gemm", name=name, rank=layout.rank
            )
        sizes.append(tuple(map(size, layout.shape)))
    (m, k), (n, k2), (m2, n2) = sizes
    for mode, left, right in (("M", m, m2), ("N", n, n2), ("K", k, k2)):
        if not same(left, right):
            raise refuse(
                "LC103",
                "mode {mode} of a matrix product has sizes {left} and {right}",
                op="gemm",
                mode=mode,
                left=left,
                right=right,
            )
    return m, n, k


def _cell(value: Any, shape: HTuple) -> tuple[int, int] | None:
    """The (row, column) of a value of a table's layout: an index or a coordinate of the two modes; None outside."""
    if isinstance(value, Xor):
        value = value.value
    modes = entries(shape)
    c = entries(value if isinstance(value, tuple) else natural(value, tuple(map(size, modes))))
    c = (*c, *(0 for _ in range(len(modes) - len(c))))
    row, column = (crd2idx(x, mode) for x, mode in zip(c, modes, strict=True))
    inside = 0 <= row < size(modes[0]) and 0 <= column < size(modes[1])
    return (row, column) if inside else None


CELL = 4
"""Values that a cell with its owners counts as."""


def _grid(op: str, shape: HTuple) -> tuple[int, int]:
    if not isinstance(shape, tuple) or len(shape) != 2:
        raise refuse("LC103", "{op} draws a shape of two modes, not {shape}", op=op, shape=format_htuple(shape))
    check_listed(op, size(shape), each=CELL)
    return size(shape[0]), size(shape[1])


@word("""
    values: tv_table(TV: layout, shape: shape) -> owners
    who owns each cell of a tile
    tv_table(((2,2),2):((2,1),4), (2,4))
""")
def tv_table(layout: Lifted, shape: HTuple) -> list[list[tuple[tuple[int, int], ...]]]:
    """For every cell of the shape the (thread, value) pairs of a thread-value layout that address it, in order.

    >>> from laycalc.algebra.values.layout import Layout
    >>> tv_table(Layout((2, 2), (2, 1)), (2, 2))
    [[((0, 0),), ((1, 0),)], [((0, 1),), ((1, 1),)]]
    """
    rows, columns = _grid("tv_table", shape)
    owners: list[list[list[tuple[int, int]]]] = [[[] for _ in range(columns)] for _ in range(rows)]
    threads = size(entries(layout.shape)[:1])
    for i, value in enumerate(bounded_values(layout, "tv_table", each=CELL)):
        cell = _cell(value, shape)
        if cell is not None:
            owners[cell[0]][cell[1]].append((i % threads, i // threads))
    return [[tuple(cell) for cell in row] for row in owners]


@word("""
    values: tile_table(T: operand, shape: shape) -> grid
    the tile number of each cell
    tile_table(<2:1,2:1>, (4,4))
""")
def tile_table(tiler: Operand, shape: HTuple) -> list[list[int | None]]:
    """For every cell of the shape the number of the tile that holds it, tiles counted colexicographically.

    >>> tile_table((1, 2), (2, 4))
    [[0, 0, 2, 2], [1, 1, 3, 3]]
    """
    rows, columns = _grid("tile_table", shape)
    divided = zipped_divide(make_identity_layout(shape), tiler)
    cells: list[list[int | None]] = [[None] * columns for _ in range(rows)]
    inside = divided[0].size
    for i, value in enumerate(bounded_values(divided, "tile_table")):
        cell = _cell(value, shape)
        if cell is not None:
            cells[cell[0]][cell[1]] = i // inside
    return cells


@word("""
    values: mark_table(L: layout, shape: shape) -> marks
    the cells that a coordinate layout selects
    mark_table((4,4):(e0,e1) o <2,2>, (4,4))
""")
def mark_table(layout: Lifted, shape: HTuple) -> list[list[bool]]:
    """For every cell of the shape whether the layout selects it.

    >>> from laycalc.algebra.values.layout import Layout
    >>> mark_table(Layout(2, 3), (2, 2))
    [[True, False], [False, True]]
    """
    rows, columns = _grid("mark_table", shape)
    marks = [[False] * columns for _ in range(rows)]
    for value in bounded_values(layout, "mark_table"):
        cell = _cell(value, shape)
        if cell is not None:
            marks[cell[0]][cell[1]] = True
    return marks
