"""TeX: the scene as a TikZ picture, alone in a document or as a fragment to input."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from laycalc.algebra.base.errors import refuse

from ..scene.place import place
from ..scene.records import Format
from .strokes import Pixels, paint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scene.palette import Pen
    from ..scene.placed import Point
    from ..scene.scene import Scene

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char`\"",
    "–": "--",
    "—": "---",
    "\u200b": "{}",
    "×": r"$\times$",
    "∘": r"$\circ$",
    "⊗": r"$\otimes$",
    "⊘": r"$\oslash$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "‡": r"\textdaggerdbl{}",
    "†": r"\textdagger{}",
    "…": r"\ldots{}",
}


def escape(text: str) -> str:
    """Text for LaTeX; a letter that its standard fonts lack becomes ``?``, hyphens make no dashes."""
    apart = re.sub("-(?=-)", "-\u200b", text)
    return "".join(_ESCAPES.get(c) or (c if " " <= c < "\x7f" or "À" <= c <= "ÿ" else "?") for c in apart)


def standalone(scene: Scene) -> str:
    """A document of one page, cut to the picture; it makes do with a small installation of TeX."""
    return (
        "\\IfFileExists{standalone.cls}{\\documentclass[border=2pt]{standalone}}{\\documentclass{article}"
        "\\pagestyle{empty}}\n"
        # Fonts of every size with outlines; without them those of plain LaTeX, which have outlines too.
        "\\IfFileExists{lmodern.sty}{\\usepackage[T1]{fontenc}\\usepackage{lmodern}}{}\n"
        f"\\usepackage{{tikz}}\n\\begin{{document}}\n{fragment(scene)}\\end{{document}}\n"
    )


def fragment(scene: Scene) -> str:
    """The picture alone, for ``\\input``; it needs the package tikz. LC104 for a heat map: TeX cannot hold it."""
    placed = place(scene)
    canvas = _Picture()
    paint(placed, canvas)
    comment = " ".join((scene.caption or scene.description).split())
    return "\n".join(
        [
            f"% {comment.encode('ascii', 'replace').decode()}",
            # A colour that the document has defined stays as it is: that is the way to change it.
            *(f"\\providecolor{{{name}}}{{HTML}}{{{code[1:].upper()}}}" for code, name in canvas.colours.items()),
            "\\begin{tikzpicture}[x=1bp,y=-1bp,every node/.style={inner sep=0pt,outer sep=0pt}]",
            f"\\path[use as bounding box] (0,0) rectangle ({_n(placed.width)},{_n(placed.height)});",
            *canvas.body,
            "\\end{tikzpicture}\n",
        ]
    )


def _n(x: float) -> str:
    return f"{x:.2f}".rstrip("0").rstrip(".")


def _at(point: Point) -> str:
    return f"({_n(point[0])},{_n(point[1])})"


class _Picture:
    """A canvas of TikZ's commands."""

    def __init__(self) -> None:
        self.body: list[str] = []
        self.colours: dict[str, str] = {}

    def colour(self, code: str) -> str:
        return self.colours.setdefault(code, f"laycalc{code[1:]}")

    def pen(self, pen: Pen) -> str:
        dash = f",dash pattern=on {_n(pen.dash[0])}bp off {_n(pen.dash[1])}bp" if pen.dash else ""
        return f"draw={self.colour(pen.colour)},line width={_n(pen.width)}bp{dash}"

    def boxes(self, corners: Sequence[Point], width: float, height: float, fill: str, pen: Pen) -> None:
        size = f"rectangle +({_n(width)},{_n(height)})"
        look = f"fill={self.colour(fill)},{self.pen(pen)}"
        self.body.append(f"\\path[{look}] {' '.join(f'{_at(corner)} {size}' for corner in corners)};")

    def areas(self, paths: Sequence[Sequence[Point]], fill: str) -> None:
        self.body += [f"\\fill[{self.colour(fill)}] {' -- '.join(map(_at, path))};" for path in paths]

    def lines(self, paths: Sequence[Sequence[Point]], pen: Pen) -> None:
        drawn = " ".join(" -- ".join(map(_at, path)) for path in paths)
        self.body.append(f"\\path[{self.pen(pen)},line cap=rect] {drawn};")

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
        place = {"start": "base west", "middle": "base", "end": "base east"}[anchor]
        series = "\\bfseries" if bold else ""
        font = f"\\sffamily{series}\\fontsize{{{_n(size)}}}{{{_n(size)}}}\\selectfont"
        look = f"text={self.colour(colour)},anchor={place},font={font}{',rotate=90' if turned else ''}"
        self.body.append(f"\\begin{{scope}}[every node/.append style={{{look}}}]")
        self.body += [f"\\node at {_at((x, y))} {{{escape(text)}}};" for x, y, text in runs]
        self.body.append("\\end{scope}")

    def image(self, corner: Point, width: float, height: float, pixels: Pixels) -> None:
        raise refuse(
            "LC104",
            "{rows} x {columns} cells are too many for TeX; crop the picture, or draw it as pdf",
            op="draw",
            rows=pixels.rows,
            columns=pixels.columns,
        )


TEX = Format("tex", standalone)
TIKZ = Format("tikz", fragment)
