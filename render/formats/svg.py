"""SVG, written directly: real text, a tooltip for every cell, the same bytes on every run."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from ..scene.pixels import png_of
from ..scene.place import place
from ..scene.placed import FONT, Line, Sheet, Text
from ..scene.records import Format
from .strokes import Pixels, boxes, keys, marks, pixels

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..scene.palette import Pen
    from ..scene.placed import Point
    from ..scene.scene import Cell, Frame, Panel, Scene

FACE = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_SPECIAL = re.compile("[<>&\"'\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;", "'": "&#39;"}


def escape(text: str) -> str:
    """Text for XML and HTML; characters that XML does not allow become U+FFFD."""
    return _SPECIAL.sub(lambda m: _ENTITIES.get(m[0], "\ufffd"), text)


def svg(scene: Scene, *, data: bool = False) -> str:
    """The scene as an SVG document; with ``data`` every cell also carries its value and owners for a script."""
    if scene.theme != "auto":
        return _document(scene, _Writer(scene, data).body())
    # One of two pictures is shown, as the page is light or dark; a script knows the light one.
    light = _Writer(replace(scene, theme="laycalc"), data).body()
    dark = _Writer(replace(scene, theme="dark"), named=False).body()
    return _document(scene, f'{_FOLLOWS}\n<g class="light">{light}</g>\n<g class="dark">{dark}</g>')


_FOLLOWS = (
    "<style>.dark{display:none}@media(prefers-color-scheme:dark){.dark{display:inline}.light{display:none}}</style>"
)


def _document(scene: Scene, body: str) -> str:
    placed = place(scene)
    width, height = _n(placed.width), _n(placed.height)
    # A picture for a width has that of paper; any other has the pixels that a page gives it.
    unit = "pt" if scene.look.width else ""
    title = escape(scene.title or scene.caption or scene.kind)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}{unit}" height="{height}{unit}"'
        f' viewBox="0 0 {width} {height}" role="img" font-family="{FACE}" font-size="11">\n'
        f"<title>{title}</title>\n<desc>{escape(scene.description)}</desc>\n{body}\n</svg>\n"
    )


def _n(x: float) -> str:
    """A length without superfluous digits."""
    return f"{x:.2f}".rstrip("0").rstrip(".")


def _path(points: Sequence[Point]) -> str:
    """Straight lines from point to point."""
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _list(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _stroke(pen: Pen, *, dashed: bool = True) -> str:
    dash = f' stroke-dasharray="{" ".join(map(_n, pen.dash))}"' if pen.dash and dashed else ""
    return f'stroke="{pen.colour}" stroke-width="{_n(pen.width)}"{dash}'


class _Elements:
    """A canvas of SVG's elements, for all that carries no data."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def boxes(self, corners: Sequence[Point], width: float, height: float, fill: str, pen: Pen) -> None:
        look = f'width="{_n(width)}" height="{_n(height)}" fill="{fill}" {_stroke(pen)}'
        self.parts += [f'<rect x="{_n(x)}" y="{_n(y)}" {look}/>' for x, y in corners]

    def areas(self, paths: Sequence[Sequence[Point]], fill: str) -> None:
        self.parts += [f'<path d="{_path(path)}z" fill="{fill}"/>' for path in paths]

    def lines(self, paths: Sequence[Sequence[Point]], pen: Pen) -> None:
        self.parts.append(f'<path d="{"".join(map(_path, paths))}" fill="none" {_stroke(pen)}/>')

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
        self.parts += [_text(Text(x, y, text, size, anchor, bold=bold, turned=turned), colour) for x, y, text in runs]

    def image(self, corner: Point, width: float, height: float, pixels: Pixels) -> None:
        self.parts.append(_image(f' x="{_n(corner[0])}" y="{_n(corner[1])}"', width, height, pixels))


class _Writer:
    def __init__(self, scene: Scene, data: bool = False, *, named: bool = True) -> None:
        self.named = named
        self.placed = place(scene)
        self.theme = self.placed.theme
        self.data = data
        self.defs: dict[str, str] = {}

    def body(self) -> str:
        placed, theme = self.placed, self.theme
        rest = _Elements()
        keys(placed, rest)
        body = [self.sheet(s, k) for k, s in enumerate(placed.sheets)]
        body += [self.line(x) for x in placed.lines]
        body += rest.parts
        texts = placed.texts if self.named else [replace(x, name="") for x in placed.texts]
        body += [_text(x, theme.ink if x.tone == "ink" else theme.muted) for x in texts]
        defs = f"<defs>{''.join(self.defs.values())}</defs>"
        page = f'<rect width="100%" height="100%" fill="{theme.page}"/>'
        return "\n".join([defs, page, *filter(None, body)])

    def shape(self, sheet: Sheet, name: str) -> str:
        """The id of a cell's shape, defined on first use.

        ``name`` is a role, "+" and a mark, or "+hit" for what only the pointer sees.

        The id spells the size and theme, so that pictures that share a web page may share definitions.
        """
        w, h = sheet.width, sheet.height
        key = f"{self.theme.name[0]}{_n(w)}x{_n(h)}{name}"
        if key not in self.defs:
            elements = _Elements()
            corner = [(0.0, -sheet.baselines(1)[0])]
            if name == "+hit":
                look = f'y="{_n(corner[0][1])}" width="{_n(w)}" height="{_n(h)}" fill="none" pointer-events="all"'
                elements.parts.append(f"<rect {look}/>")
            elif name[0] == "+":
                marks(corner, w, h, name[1:], self.theme, elements)
            else:
                boxes(corner, w, h, name, self.theme, elements)
            self.defs[key] = f'<g id="{key}">{"".join(elements.parts)}</g>'
        return key

    def sheet(self, sheet: Sheet, number: int) -> str:
        panel = sheet.panel
        name = f' data-name="{escape(panel.name)}"' if self.data and panel.name else ""
        parts = [f'<g transform="translate({_n(sheet.x)} {_n(sheet.y)})"{name}>']
        if panel.raster is not None:
            parts.append(self.raster(sheet))
        if len(panel.path) > 1:
            parts += self.below(sheet)
        if panel.cells:
            write, base = self.cell_writer(sheet, number), sheet.baselines(1)[0]
            size = "" if sheet.font == FONT else f' font-size="{_n(sheet.font)}"'
            parts.append(f'<g text-anchor="middle" fill="{self.theme.ink}"{size}>')
            for row, cells in groupby(panel.cells, key=lambda c: c.row):
                parts.append(f'<g transform="translate(0 {_n(row * sheet.height + base)})">')
                parts.append("".join(map(write, cells)) + "</g>")
            parts.append("</g>")
        parts += [self.frame(f, sheet) for f in panel.frames if f.segments]
        return "\n".join([*parts, "</g>"])

    def below(self, sheet: Sheet) -> list[str]:
        """The cells without their texts, and a line through them that these stand on."""
        base = sheet.baselines(1)[0]
        parts = [
            f'<use href="#{self.shape(sheet, cell.role)}" x="{_n(cell.column * sheet.width)}"'
            f' y="{_n(cell.row * sheet.height + base)}"/>'
            for cell in sheet.panel.cells
        ]
        line = _path([(x - sheet.x, y - sheet.y) for x, y in sheet.path()])
        return ["".join(parts), f'<path d="{line}" fill="none" {_stroke(self.theme.pen("order"))}/>']

    def cell_writer(self, sheet: Sheet, number: int) -> Callable[[Cell], str]:
        """The function that writes one cell: everything that cells have in common is worked out here."""
        theme, data, panel = self.theme, self.data, sheet.panel
        lefts = [_n(j * sheet.width) for j in range(panel.columns)]
        middles = [_n((j + 0.5) * sheet.width) for j in range(panel.columns)]
        roles: dict[str, tuple[str, str]] = {}
        unsafe = _SPECIAL.search
        base = sheet.baselines(1)[0]
        ys = {n: [_n(y - base) for y in sheet.baselines(n)] for n in {len(c.lines) for c in panel.cells}}

        def write(cell: Cell) -> str:
            _, j, lines, role, title, _, _, mark = cell
            found = roles.get(role)
            if found is None:
                ink = theme.paint(role).text
                found = roles[role] = (
                    self.shape(sheet, "+hit" if len(panel.path) > 1 else role),
                    "" if ink == theme.ink else f' fill="{ink}"',
                )
            shape, ink = found
            if unsafe(title):
                title = escape(title)
            if len(lines) == 1:
                text = lines[0]
                texts = f'<text x="{middles[j]}"{ink}>{escape(text) if unsafe(text) else text}</text>'
            else:
                texts = "".join(
                    f'<text x="{middles[j]}" y="{y}"{ink}>{escape(text)}</text>'
                    for y, text in zip(ys[len(lines)], lines, strict=True)
                )
            start = _facts(number, panel, cell) if data else "<g>"
            extra = ""
            if mark in ("shared", "hole"):
                extra = f'<use href="#{self.shape(sheet, "+" + mark)}" x="{lefts[j]}"/>'
            return f'{start}<title>{title}</title><use href="#{shape}" x="{lefts[j]}"/>{extra}{texts}</g>'

        return write

    def frame(self, frame: Frame, sheet: Sheet) -> str:
        w, h = sheet.width, sheet.height
        d = "".join(
            f"M{_n(c0 * w)} {_n(r0 * h)}" + (f"H{_n(c1 * w)}" if r0 == r1 else f"V{_n(r1 * h)}")
            for r0, c0, r1, c1 in frame.segments
        )
        return f'<path d="{d}" fill="none" {_stroke(self.theme.pen(frame.kind))} stroke-linecap="square"/>'

    def raster(self, sheet: Sheet) -> str:
        panel, raster = sheet.panel, sheet.panel.raster
        assert raster is not None
        facts = ""
        if self.data:
            facts = f' data-size="{panel.rows},{panel.columns}"'
            facts += f' data-rows="{_list(raster.rows)}" data-columns="{_list(raster.columns)}"'
        size = panel.columns * sheet.width, panel.rows * sheet.height
        return _image(facts, *size, pixels(panel, raster, self.theme))

    def line(self, line: Line) -> str:
        """A line; the link of a diagram names its kind and its ends."""
        link = f'class="{line.kind}" data-src="{line.ends[0]}" data-dst="{line.ends[1]}" ' if line.ends else ""
        pen, shaft = self.theme.pen(line.pen), _path([(line.x0, line.y0), (line.x1, line.y1)])
        parts = [f'<path {link}d="{shaft}" fill="none" {_stroke(pen)}/>']
        if tips := "".join(map(_path, line.tips())):
            # Dashes belong to the shaft; head and tail would come out broken.
            parts.append(f'<path d="{tips}" fill="none" {_stroke(pen, dashed=False)}/>')
        return "".join(parts)


def _facts(number: int, panel: Panel, cell: Cell) -> str:
    """What a script knows of a cell: its place, its coordinate where that is another, its value and owners."""
    own = " ".join(f"{t},{v}" for t, v in cell.owners)
    at = "{},{}".format(*panel.coordinate(cell.row, cell.column))
    home = "" if at == f"{cell.row},{cell.column}" else f' data-c="{at}"'
    place = f"{number},{cell.row},{cell.column}"
    return f'<g class="cell" data-at="{place}"{home} data-v="{escape(cell.value)}" data-o="{own}">'


def _image(facts: str, width: float, height: float, pixels: Pixels) -> str:
    data = b64encode(png_of(*pixels)).decode()
    return (
        f'<image{facts} width="{_n(width)}" height="{_n(height)}" preserveAspectRatio="none"'
        f' style="image-rendering:pixelated" href="data:image/png;base64,{data}"/>'
    )


def _text(text: Text, fill: str) -> str:
    anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    size = "" if text.size == FONT else f' font-size="{_n(text.size)}"'
    bold = ' font-weight="bold"' if text.bold else ""
    turn = f' transform="rotate(-90 {_n(text.x)} {_n(text.y)})"' if text.turned else ""
    look = f'fill="{fill}"{anchor}{size}{bold}{turn}'
    if text.name:
        look += f' id="{text.name}" class="{text.kind}"'
    return f'<text x="{_n(text.x)}" y="{_n(text.y)}" {look}>{escape(text.text)}</text>'


SVG = Format("svg", svg)
