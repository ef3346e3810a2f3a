"""TeX: the scene as a TikZ picture, alone in a document or as a fragment to input."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from laycalc.algebra.base.errors import refuse

from ..scene.place import place
from ..scene.placed import LEADING, Line, Placed, Sheet, Swatch, Text
from ..scene.records import Format

if TYPE_CHECKING:
    from ..scene.scene import Frame, Scene

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
    '"': r"\textquotedbl{}",
    "–": "--",
    "\u200b": "{}",
    "×": r"$\times$",
    "∘": r"$\circ$",
    "⊗": r"$\otimes$",
    "⊘": r"$\oslash$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "‡": r"\textdaggerdbl{}",
    "†": r"\textdagger{}",
}


def escape(text: str) -> str:
    """Text for LaTeX; a letter that its standard fonts lack becomes ``?``, hyphens make no dashes."""
    apart = re.sub("-(?=-)", "-\u200b", text)
    return "".join(_ESCAPES.get(c) or (c if " " <= c < "\x7f" or "À" <= c <= "ÿ" else "?") for c in apart)


def standalone(scene: Scene) -> str:
    """A document of one page, cut to the picture."""
    return (
        "\\documentclass[tikz,border=2pt]{standalone}\n\\usepackage[T1]{fontenc}\n"
        f"\\begin{{document}}\n{fragment(scene)}\\end{{document}}\n"
    )


def fragment(scene: Scene) -> str:
    """The picture alone, for ``\\input``; it needs the package tikz. LC104 for a heat map: TeX cannot hold it."""
    placed = place(scene)
    for sheet in placed.sheets:
        if sheet.panel.raster is not None:
            raise refuse(
                "LC104",
                "{rows} x {columns} cells are too many for TeX; crop the picture, or draw it as pdf",
                op="draw",
                rows=sheet.panel.rows,
                columns=sheet.panel.columns,
            )
    return _Writer(placed, scene).picture()


def _n(x: float) -> str:
    return f"{x:.2f}".rstrip("0").rstrip(".")


class _Writer:
    def __init__(self, placed: Placed, scene: Scene) -> None:
        self.placed = placed
        self.scene = scene
        self.theme = placed.theme
        self.colours: dict[str, str] = {}

    def picture(self) -> str:
        placed = self.placed
        body = [line for s in placed.sheets for line in self.sheet(s)]
        body += map(self.line, placed.lines)
        body += [line for s in placed.swatches for line in self.swatch(s)]
        body += map(self.text, placed.texts)
        colours = [f"\\definecolor{{{name}}}{{HTML}}{{{code[1:].upper()}}}" for code, name in self.colours.items()]
        comment = " ".join((self.scene.caption or self.scene.description).split())
        return "\n".join(
            [
                f"% {comment.encode('ascii', 'replace').decode()}",
                "\\begin{tikzpicture}[x=1bp,y=-1bp,every node/.style={inner sep=0pt,outer sep=0pt}]",
                # Colours are local to the picture, so that fragments do not disturb one another.
                *colours,
                f"\\path[use as bounding box] (0,0) rectangle ({_n(placed.width)},{_n(placed.height)});",
                *body,
                "\\end{tikzpicture}\n",
            ]
        )

    def colour(self, code: str) -> str:
        return self.colours.setdefault(code, f"laycalc{code[1:]}")

    def sheet(self, sheet: Sheet) -> list[str]:
        lines = []
        w, h = sheet.width, sheet.height
        for cell in sheet.panel.cells:
            x, y = sheet.x + cell.column * w, sheet.y + cell.row * h
            lines.append(self.box(x, y, w, h, cell.role))
            lines += self.mark(cell.mark, x, y, w, h)
            ink = self.theme.paint(cell.role).text
            up = y + h / 2 - (len(cell.lines) - 1) * LEADING / 2
            for k, text in enumerate(cell.lines):
                lines.append(self.node(x + w / 2, up + LEADING * k, text, sheet.font, ink))
        lines += [self.frame(f, sheet) for f in sheet.panel.frames if f.segments]
        return lines

    def box(self, x: float, y: float, w: float, h: float, role: str) -> str:
        pen = self.theme.pen("cell")
        look = f"fill={self.colour(self.theme.paint(role).fill)},{self.draw('cell')}"
        return f"\\filldraw[{look}] ({_n(x)},{_n(y)}) rectangle +({_n(w)},{_n(h)});" if pen.width else ""

    def draw(self, kind: str) -> str:
        pen = self.theme.pen(kind)
        dash = f",dash pattern=on {_n(pen.dash[0])}bp off {_n(pen.dash[1])}bp" if pen.dash else ""
        return f"draw={self.colour(pen.colour)},line width={_n(pen.width)}bp{dash}"

    def mark(self, mark: str, x: float, y: float, w: float, h: float) -> list[str]:
        if mark == "shared":
            ink = self.colour(self.theme.pen("mark").colour)
            return [f"\\fill[{ink}] ({_n(x + w - 7)},{_n(y)}) -- ({_n(x + w)},{_n(y)}) -- ({_n(x + w)},{_n(y + 7)});"]
        if mark == "hole":
            return [f"\\draw[{self.draw('hole')}] ({_n(x)},{_n(y + h)}) -- ({_n(x + w)},{_n(y)});"]
        return []

    def node(self, x: float, y: float, text: str, size: float, ink: str) -> str:
        """Text centred at a point."""
        font = f"font=\\sffamily\\fontsize{{{_n(size)}}}{{{_n(size)}}}\\selectfont"
        return f"\\node[text={self.colour(ink)},{font}] at ({_n(x)},{_n(y)}) {{{escape(text)}}};"

    def frame(self, frame: Frame, sheet: Sheet) -> str:
        path = " ".join(
            f"({_n(sheet.x + c0 * sheet.width)},{_n(sheet.y + r0 * sheet.height)}) --"
            f" ({_n(sheet.x + c1 * sheet.width)},{_n(sheet.y + r1 * sheet.height)})"
            for r0, c0, r1, c1 in frame.segments
        )
        return f"\\draw[{self.draw(frame.kind)},line cap=rect] {path};"

    def line(self, line: Line) -> str:
        tip = ",|->" if line.tail else ",->" if line.head else ""
        ends = f"({_n(line.x0)},{_n(line.y0)}) -- ({_n(line.x1)},{_n(line.y1)})"
        return f"\\draw[{self.draw(line.pen)}{tip}] {ends};"

    def swatch(self, s: Swatch) -> list[str]:
        return [self.box(s.x, s.y, s.size, s.size, s.role), *self.mark(s.mark, s.x, s.y, s.size, s.size)]

    def text(self, text: Text) -> str:
        ink = self.theme.ink if text.tone == "ink" else self.theme.muted
        anchor = {"start": "base west", "middle": "base", "end": "base east"}[text.anchor]
        weight = "\\bfseries" if text.bold else ""
        turn = ",rotate=90" if text.turned else ""
        font = f"font=\\sffamily{weight}\\fontsize{{{_n(text.size)}}}{{{_n(text.size)}}}\\selectfont"
        look = f"text={self.colour(ink)},anchor={anchor},{font}{turn}"
        # The nodes of a diagram have names to draw more to; TikZ gives dots and dashes a meaning.
        name = f" ({text.name.replace('.', 'x').replace('-', 'y')})" if text.name else ""
        return f"\\node[{look}]{name} at ({_n(text.x)},{_n(text.y)}) {{{escape(text.text)}}};"


TEX = Format("tex", standalone)
TIKZ = Format("tikz", fragment)
