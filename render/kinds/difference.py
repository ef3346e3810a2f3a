"""Two layouts compared cell by cell, as a picture and as text for the terminal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.htuple import format_htuple

from ..scene.records import Picture
from ..scene.sample import Samples, count, extent_text
from ..scene.scene import Key, Panel, Scene, around
from .grid import check_labelled, grid_panel
from .table import TABLE_LIMIT, Piece, Sheet, aligned, table_of, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scene.options import Options

GAP = 4
"""Blanks between two tables."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two layouts differ: the indices, of at most ``total``; an index outside one of them differs.

    ``shapes`` are those of two layouts whose tables look different, so that a cell is not that at the same place.
    """

    indices: frozenset[int]
    total: int
    shapes: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = f"{len(self.indices)} of {self.total} cells differ" if self.indices else f"all {self.total} cells agree"
        return f"{said} by index; the shapes {' and '.join(self.shapes)} differ" if self.shapes else said


def difference(a: Any, b: Any, *, limit: int = 1 << 24) -> Difference:
    """Compare two layouts as functions of the index. LC104 beyond ``limit`` cells."""
    both = [Samples(value, "diff") for value in (a, b)]
    total = max(samples.size for samples in both)
    if total > limit:
        raise refuse(
            "LC104", "comparing {total} cells; the limit is {limit}", op="diff", total=extent_text(total), limit=limit
        )
    pairs = enumerate(zip_longest(a.values(), b.values(), fillvalue=None))
    alike = len({(samples.rows, samples.columns, samples.sheets) for samples in both}) == 1
    shapes = () if alike else tuple(format_htuple(samples.shape) for samples in both)
    return Difference(frozenset(i for i, (x, y) in pairs if x != y), total, shapes)


def difference_scene(values: Sequence[Any], options: Options) -> Scene:
    """``(A, B)``: both side by side, the cells that differ marked and framed, the others plain."""
    if len(values) != 2 or any(Samples(v, "diff").rank > 2 for v in values):
        raise refuse("LC103", "a picture of a difference takes two layouts of rank 1 or 2", op="draw")
    check_labelled(sum(count(v.shape) for v in values), options)
    found = difference(*values)
    panels = [_panel(k, value, found, options) for k, value in enumerate(values)]
    if panels[0].columns > 2 * panels[0].rows:
        panels[1] = replace(panels[1], at=(1, 0))
    return options.scene(
        "difference",
        panels,
        f"{values[0]} and {values[1]} side by side: {found}.",
        caption=str(found),
        legend=[Key("differs", "differs")] if found.indices else (),
    )


def _panel(k: int, value: Any, found: Difference, options: Options) -> Panel:
    """One of the two layouts with the cells that differ marked."""
    panel = grid_panel(value, replace(options, color_by="none"), title=f"{'AB'[k]} = {value}", at=(0, k))
    samples = Samples(value)
    wide = panel.columns if samples.rank < 2 else 0
    where = {divmod(i, wide) if wide else (i % samples.rows, i // samples.rows) for i in found.indices}
    cells = tuple(c._replace(role="differs", mark="differs") if (c.row, c.column) in where else c for c in panel.cells)
    frame = around("chosen", panel.rows, panel.columns, where)
    return replace(panel, cells=cells, frames=(*panel.frames, frame))


def difference_text(
    a: Any, b: Any, *, format: str = "plain", limit: int = TABLE_LIMIT, width: int | None = None
) -> Any:
    """Both tables side by side with ``*`` at the cells that differ, then the count; "plain" or "rich".

    Larger tables are cut to their corner; the count is of all cells. Where both do not fit a line of ``width``
    characters, A stands above B, each without the columns that do not fit.
    """
    found = difference(a, b)
    left, right = (_lines(name, v, found, limit, None) for name, v in (("A", a), ("B", b)))
    wide = _width(left)
    if width is None or wide + GAP + _width(right) <= width:
        empty: list[Piece] = []
        joined = [
            [*one, (" " * (wide - _width([one]) + GAP), ""), *other]
            for one, other in zip_longest(left, right, fillvalue=empty)
        ]
    else:
        joined = [*_lines("A", a, found, limit, width), [], *_lines("B", b, found, limit, width)]
    joined.append([(str(found), "note" if found.indices else "")])
    return written(joined, format)


def _width(lines: list[list[Piece]]) -> int:
    return max(sum(len(text) for text, _ in line) for line in lines)


def _lines(name: str, value: Any, found: Difference, limit: int, width: int | None) -> list[list[Piece]]:
    """One table with its name above, the cells that differ marked."""
    samples = Samples(value, "diff")
    table = table_of(value, limit=limit, width=width, mark=1)
    lines: list[list[Piece]] = [[(f"{name} = {value}", "title")]]
    for k, sheet in enumerate(table.sheets):
        if sheet.title:
            lines.append([(sheet.title, "title")])
        lines += aligned(_marked(samples, sheet, k, found.indices))
    if table.note:
        lines.append([(table.note, "note")])
    return lines


def _marked(samples: Samples, sheet: Sheet, k: int, different: frozenset[int]) -> Sheet:
    cells = tuple(
        tuple(f"{text}*" if samples.index(i, j, k) in different else f"{text} " for j, text in enumerate(row))
        for i, row in enumerate(sheet.cells)
    )
    return replace(sheet, cells=cells)


DIFFERENCE = Picture(
    "difference",
    "two layouts",
    difference_scene,
    several=True,
    options=("highlight", "label", "crop", "wrap", "limit", "bits"),
)
