"""How a tile is walked through: the warp instructions of an access, as indices of the tile and before any layout.

A tile of R rows and C columns has the index r + R*c. An access moves vectors, each a few elements that must be
neighbours in memory; its instructions name the element with which each lane's vector begins, None where a lane is
inactive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from laycalc.algebra.base.errors import LayoutError, refuse
from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout
from laycalc.atoms.memory.banks import LANES, Operation, operation, passes_of

from ..base.task import Read

__all__ = ["Tile", "Walk", "fault", "walk_of"]

Lanes = tuple["int | None", ...]
MATRIX = 8
"""Rows of an 8x8 matrix, which one pass serves."""


def fault(template: str, **facts: Any) -> LayoutError:
    """LC103 for a task that asks for what cannot be."""
    return refuse("LC103", template, op="design", **facts)


class Tile(Record):
    """Rows, columns, and the bits of an element."""

    rows: int
    columns: int
    bits: int

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.rows * self.columns

    def index(self, row: int, column: int) -> int:
        """Where an element comes in the order of the tile; LC103 for one that is not in it."""
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise fault("({row},{column}) is no element of {tile}", row=row, column=column, tile=str(self))
        return row + self.rows * column

    def step(self, along: str) -> int:
        """How far the index moves to the next element of a row (``cols``) or a column (``rows``)."""
        return {"cols": self.rows, "rows": 1}[along]

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"


class Walk(Record):
    """An access to a whole tile: the operation, the lanes of each instruction, and the vectors.

    ``vectors`` has, for each way in which vectors lie in the tile, the distances of their elements from the first and
    the indices where such vectors begin.
    """

    op: Operation
    instructions: tuple[Lanes, ...]
    vectors: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    label: str

    @property
    def length(self) -> int:
        """Elements of a vector."""
        return len(self.vectors[0][0])

    def passes(self) -> list[tuple[int, ...]]:
        """What each pass asks for: the first elements of its vectors, each once.

        Loads of 8 and 16 bytes merge passes where lanes ask for the same, under any layout.
        """
        found = []
        for lanes in self.instructions:
            for served in passes_of(self.op, lanes):
                wanted = (lanes[lane] for lane in served if lane < len(lanes))
                if starts := tuple(dict.fromkeys(i for i in wanted if i is not None)):
                    found.append(starts)
        return found


def walk_of(tile: Tile, access: Mapping[str, Any], read: Read) -> Walk:
    """The walk of an access in the words of a task: lanes, matrix, tv or list; LC103 for another or one that does not
    fit.
    """
    kind = access.get("kind")
    if kind not in _KINDS:
        raise fault("no access is of kind {kind}; there are {kinds}", kind=kind, kinds=", ".join(_KINDS))
    along = access.get("along", "cols")
    if along not in ("cols", "rows"):
        raise fault("vectors lie along cols or rows, not {along}", along=along)
    return _KINDS[kind](tile, access, along, read)


def _vector_op(tile: Tile, access: Mapping[str, Any]) -> tuple[Operation, int]:
    """The operation of a vector access, and its elements; cp.async from a dense source counts as a store."""
    vec, op = access.get("vec", 1), access.get("op")
    if op not in ("ld", "st", "cp") or not isinstance(vec, int) or vec < 1:
        raise fault("an access has an op ld, st or cp and a vec, not {op} and {vec}", op=op, vec=vec)
    wide = vec * tile.bits
    if wide % 8 or (op == "cp" and wide not in (32, 64, 128)):
        raise fault("{op} of {vec} elements of {bits} bits is no access", op=op, vec=vec, bits=tile.bits)
    return operation(f"{'ld' if op == 'ld' else 'st'}{wide // 8}"), vec


def _straight(op: Operation, steps: Iterable[int], instructions: Iterable[Lanes], label: str) -> Walk:
    """A walk whose vectors all lie alike."""
    made = tuple(instructions)
    starts = sorted({i for lanes in made for i in lanes if i is not None})
    return Walk(op, made, ((tuple(steps), tuple(starts)),), label)


def _grid(tile: Tile, length: int, along: str, what: str) -> tuple[range, range]:
    """The first rows and columns of the vectors that fill a tile."""
    high, wide = (1, length) if along == "cols" else (length, 1)
    if tile.rows % high or tile.columns % wide:
        template = "{what} of {length} elements along {along} do not tile {tile}"
        raise fault(template, what=what, length=length, along=along, tile=str(tile))
    return range(0, tile.rows, high), range(0, tile.columns, wide)


def _lanes(tile: Tile, access: Mapping[str, Any], along: str, read: Read) -> Walk:
    op, length = _vector_op(tile, access)
    rows, columns = _grid(tile, length, along, "vectors")
    order = access.get("order", "row")
    if order == "row":
        starts = [tile.index(r, c) for r in rows for c in columns]
    elif order == "col":
        starts = [tile.index(r, c) for c in columns for r in rows]
    else:
        raise fault("lanes go in the order row or col, not {order}", order=order)
    cut = (tuple(starts[i : i + LANES]) for i in range(0, len(starts), LANES))
    words = f"{_VERBS[access['op']]} {op.bytes} B along {along}, lanes by {order}"
    return _straight(op, (tile.step(along) * i for i in range(length)), cut, words)


def _matrix(tile: Tile, access: Mapping[str, Any], along: str, read: Read) -> Walk:
    """Passes of eight lines of 16 bytes; how many matrices an instruction has changes nothing."""
    name, count = access.get("op"), access.get("num", 4)
    if name not in ("ldm", "stm") or count not in (1, 2, 4):
        raise fault("matrices move by ldm or stm, 1, 2 or 4 at once, not {op} x{num}", op=name, num=count)
    length = 128 // tile.bits
    rows, columns = _grid(tile, length, along, "matrix rows")
    lines, across = (rows, columns) if along == "cols" else (columns, rows)
    if len(lines) % MATRIX:
        raise fault("{lines} lines of {tile} are no multiple of 8", lines=len(lines), tile=str(tile))
    place = tile.index if along == "cols" else lambda line, at: tile.index(at, line)
    passes = (tuple(place(lines[first + i], at) for i in range(MATRIX)) for at in across for first in lines[::MATRIX])
    trans = ".trans" if access.get("trans") else ""
    words = f"{'ldmatrix' if name == 'ldm' else 'stmatrix'}.x{count}{trans} along {along}"
    return _straight(operation(f"{name}1"), (tile.step(along) * i for i in range(length)), passes, words)


def _threads_values(tile: Tile, access: Mapping[str, Any], along: str, read: Read) -> Walk:
    """A thread-value layout over a block, which repeats over the tile; values in groups of a vector."""
    op, length = _vector_op(tile, access)
    (high, wide), layout = _block(access), read(str(access.get("layout")))
    if not isinstance(layout, Layout) or layout.rank != 2:
        raise fault("{layout} is no thread-value layout", layout=str(access.get("layout")))
    if tile.rows % high or tile.columns % wide:
        raise fault("blocks of {high}x{wide} do not tile {tile}", high=high, wide=wide, tile=str(tile))
    threads, values = layout[0].size, layout[1].size
    if values % length:
        raise fault("{values} values are no multiple of {vec}", values=values, vec=length)
    within = [tile.index(at % high, at // high) for at in layout.values()]
    instructions: list[Lanes] = []
    runs: dict[tuple[int, ...], set[int]] = {}
    corners = [tile.index(r, c) for c in range(0, tile.columns, wide) for r in range(0, tile.rows, high)]
    for first in range(0, values, length):
        groups = [[within[t + threads * (first + i)] for i in range(length)] for t in range(threads)]
        for corner in corners:
            lanes = tuple(corner + group[0] for group in groups)
            instructions.extend(lanes[i : i + LANES] for i in range(0, threads, LANES))
            for start, group in zip(lanes, groups, strict=True):
                runs.setdefault(tuple(at - group[0] for at in group), set()).add(start)
    words = f"{_VERBS[access['op']]} {op.bytes} B by threads {layout} in {high}x{wide}"
    vectors = tuple((steps, tuple(sorted(starts))) for steps, starts in runs.items())
    return Walk(op, tuple(instructions), vectors, words)


def _block(access: Mapping[str, Any]) -> tuple[int, int]:
    match access.get("block"):
        case [int(high), int(wide)] if high > 0 and wide > 0:
            return high, wide
    raise fault("a block is [rows, columns], not {block}", block=str(access.get("block")))


def _list(tile: Tile, access: Mapping[str, Any], along: str, read: Read) -> Walk:
    op, length = _vector_op(tile, access)
    match access.get("instructions"):
        case [*instructions] if all(isinstance(lanes, (list, tuple)) and len(lanes) <= LANES for lanes in instructions):
            made = [tuple(None if at is None else tile.index(*at) for at in lanes) for lanes in instructions]
        case _:
            raise fault("instructions are lists of up to 32 places [row, column] or null")
    words = f"{_VERBS[access['op']]} {op.bytes} B along {along}, {len(made)} instructions as listed"
    return _straight(op, (tile.step(along) * i for i in range(length)), made, words)


_VERBS = {"ld": "ld.shared", "st": "st.shared", "cp": "cp.async"}
_KINDS = {"lanes": _lanes, "matrix": _matrix, "tv": _threads_values, "list": _list}
