"""Typst: the scene as a block to include; it needs no package."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from laycalc.algebra.base.errors import refuse

from ..scene.place import place
from ..scene.records import Format
from .strokes import Pixels, paint

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..scene.palette import Pen
    from ..scene.placed import Point
    from ..scene.scene import Scene


def typst(scene: Scene) -> str:
    """The picture as a block of its size, for ``#figure(include "fig.typ")``. LC104 for a heat map."""
    placed = place(scene)
    canvas = _Block()
    paint(placed, canvas)
    comment = " ".join((scene.caption or scene.description).split())
    return _FRAME.format(
        comment=comment, width=_n(placed.width), height=_n(placed.height), body="\n".join(f"  {x}" for x in canvas.body)
    )


_FRAME = """// {comment}
#block(width: {width}pt, height: {height}pt, breakable: false, {{
  set text(top-edge: "baseline", bottom-edge: "baseline")
  let put(x, y, it) = place(top + left, dx: x * 1pt, dy: y * 1pt, it)
  let box-at(size, look, (x, y)) = put(x, y, rect(width: size.at(0) * 1pt, height: size.at(1) * 1pt, ..look))
  let line-to(pen, (a, b, c, d)) = put(0, 0, line(start: (a * 1pt, b * 1pt), end: (c * 1pt, d * 1pt), stroke: pen))
  let word(x, y, side, look, it) = {{
    let wide = box(width: 2000pt, align(side, text(..look, it)))
    put(x - if side == left {{ 0 }} else if side == center {{ 1000 }} else {{ 2000 }}, y, wide)
  }}
  let up(x, y, look, it) = put(x - 1000, y, rotate(-90deg, box(width: 2000pt, align(center, text(..look, it)))))
{body}
}})
"""


def _n(x: float) -> str:
    return f"{x:.2f}".rstrip("0").rstrip(".") or "0"


def _tuple(items: Iterable[str]) -> str:
    """An array, which needs a comma where it has one item."""
    return f"({', '.join(items)},)"


def _point(*numbers: float) -> str:
    return f"({', '.join(map(_n, numbers))})"


def _quoted(text: str) -> str:
    """A string of Typst: characters that are none become the sign for that."""
    clean = text.encode("utf-8", "replace").decode()
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def _pen(pen: Pen) -> str:
    dash = f", dash: ({_n(pen.dash[0])}pt, {_n(pen.dash[1])}pt)" if pen.dash else ""
    return f'(paint: rgb("{pen.colour}"), thickness: {_n(pen.width)}pt, cap: "square"{dash})'


class _Block:
    """A canvas of Typst's functions."""

    def __init__(self) -> None:
        self.body: list[str] = []

    def boxes(self, corners: Sequence[Point], width: float, height: float, fill: str, pen: Pen) -> None:
        look = f'(fill: rgb("{fill}"), stroke: {_pen(pen)})'
        places = _tuple(_point(*corner) for corner in corners)
        self.body.append(f"for at in {places} {{ box-at({_point(width, height)}, {look}, at) }}")

    def areas(self, paths: Sequence[Sequence[Point]], fill: str) -> None:
        for path in paths:
            points = ", ".join(f"({_n(x)}pt, {_n(y)}pt)" for x, y in path)
            self.body.append(f'put(0, 0, polygon(fill: rgb("{fill}"), {points}))')

    def lines(self, paths: Sequence[Sequence[Point]], pen: Pen) -> None:
        pieces = [_point(*one, *other) for path in paths for one, other in pairwise(path)]
        self.body.append(f"for ends in {_tuple(pieces)} {{ line-to({_pen(pen)}, ends) }}")

    def texts(
        self,
        runs: Sequence[tuple[float, float, str]],
        size: float,
        colour: str,
        anchor: str = "middle",
        *,
        bold: bool = False,
        turned: bool = False,
    ) -> None:
        side = {"start": "left", "middle": "center", "end": "right"}[anchor]
        look = f'(size: {_n(size)}pt, fill: rgb("{colour}"){", weight: 700" if bold else ""})'
        words = _tuple(f"({_n(x)}, {_n(y)}, {_quoted(text)})" for x, y, text in runs)
        call = f"up(x, y, {look}, it)" if turned else f"word(x, y, {side}, {look}, it)"
        self.body.append(f"for (x, y, it) in {words} {{ {call} }}")

    def image(self, corner: Point, width: float, height: float, pixels: Pixels) -> None:
        raise refuse(
            "LC104",
            "{rows} x {columns} cells are too many for Typst; crop the picture, or draw it as svg",
            op="draw",
            rows=pixels.rows,
            columns=pixels.columns,
        )


TYPST = Format("typ", typst)
