"""A box of a tensor map, and where its pieces of 16 bytes land in shared memory, line by line."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse

from ..scene.records import Picture
from ..scene.roles import group_role
from ..scene.scene import Arrow, Axis, Cell, Key, Panel, Scene, Span

if TYPE_CHECKING:
    from ..scene.options import Options

UNIT = 16
"""Bytes of a piece, which a swizzle moves as a whole."""
LINE = 128
"""Bytes of a line of shared memory: all banks once."""
SHOWN = 16
"""Lines and rows that are drawn; the pattern repeats after eight."""
PERIOD = 8

Piece = tuple[int, ...]
"""The coordinate of the first element of a piece."""


def box_scene(value: Any, options: Options) -> Scene:
    """The rows of the box and the lines of shared memory, the pieces of a row in one colour."""
    if not hasattr(value, "gstrides") or value.interleave != "none":
        raise refuse("LC103", "a picture of a box takes a tensor map without interleave", op="draw")
    landed = value.layout()
    places = {int(landed(*at)) * value.bytes // UNIT: at for at in _pieces(value)}
    rows = _rows(value)
    lines = -(-value.footprint // LINE)
    left = _panel(
        [at for row in rows[:SHOWN] for at in row], value, len(rows[0]), min(len(rows), SHOWN), "the box", ("row", "x0")
    )
    units = [places.get(n) for n in range(min(lines, SHOWN) * LINE // UNIT)]
    names = ("line", "byte in the line")
    right = _panel(units, value, LINE // UNIT, min(lines, SHOWN), "shared memory", names, at=(0, 1))
    keys = [Key(group_role(k), f"row {k}" + (", 8, .." if k == 0 else "")) for k in range(min(PERIOD, len(rows)))]
    if None in units:
        keys.append(Key("hole", "not written", "hole"))
    return options.scene(
        "tma",
        (left, right),
        f"The rows of a box of {' x '.join(map(str, value.counts))} elements and where their pieces of 16 bytes land: "
        f"{landed} in elements of {8 * value.bytes} bits.",
        title=options.title or str(landed),
        caption=_caption(value, lines),
        legend=tuple(keys),
        arrows=(Arrow(0, 1, "TMA"),),
    )


def _caption(value: Any, lines: int) -> str:
    more = f"; {SHOWN} of {lines} lines are drawn, the others go on alike" if lines > SHOWN else ""
    return f"{value.tx_bytes} bytes for the barrier, {value.footprint} in shared memory{more}"


def _pieces(value: Any) -> list[Piece]:
    """The first elements of the pieces of the rows that are drawn, the innermost coordinate fastest."""
    return [at for row in _rows(value) for at in row]


def _rows(value: Any) -> list[list[Piece]]:
    """The pieces of the first rows: enough for the rows and for the lines that are drawn."""
    inner, *outer = value.counts
    step = UNIT // value.bytes
    most = max(SHOWN, SHOWN * LINE // value.pitch)
    found: list[list[Piece]] = []
    for at in product(*(range(n) for n in reversed(outer))):
        if len(found) == most:
            break
        found.append([(x, *reversed(at)) for x in range(0, inner, step)])
    return found


def _panel(
    pieces: list[Piece | None], value: Any, columns: int, rows: int, title: str, names: tuple[str, str], **place: Any
) -> Panel:
    """A grid of pieces, row by row; a place without one is a hole."""
    cells = tuple(_cell(i // columns, i % columns, at, value) for i, at in enumerate(pieces))
    in_memory = "at" in place
    down = [str(i * LINE) if in_memory else _named(pieces[i * columns]) for i in range(rows)]
    across = [str(j * UNIT if in_memory else j * UNIT // value.bytes) for j in range(columns)]
    return Panel(
        rows, columns, cells, title=title, row_axis=_axis(down, names[0]), column_axis=_axis(across, names[1]), **place
    )


def _axis(texts: list[str], name: str) -> Axis:
    return Axis((tuple(Span(i, 1, text) for i, text in enumerate(texts)),), name)


def _named(at: Piece | None) -> str:
    """The row of a piece: its coordinates without the innermost."""
    return ",".join(map(str, (at or ())[1:])) or "0"


def _cell(row: int, column: int, at: Piece | None, value: Any) -> Cell:
    if at is None:
        return Cell(row, column, (), "hole", "not written", "", (), "hole")
    last = at[0] + UNIT // value.bytes - 1
    number = _number(at[1:], value.counts[1:])
    text = f"{at[0]}–{last}"
    title = f"x0 {text}" + "".join(f", x{i} {x}" for i, x in enumerate(at[1:], 1))
    return Cell(row, column, (f"r{number}", text), group_role(number % PERIOD), title, str(number))


def _number(at: tuple[int, ...], counts: tuple[int, ...]) -> int:
    """The number of a row, counted over all outer dimensions."""
    number = 0
    for x, n in zip(reversed(at), reversed(counts), strict=True):
        number = number * n + x
    return number


TMA = Picture("tma", "a tensor map", box_scene, asked_by=("tensor map",))
