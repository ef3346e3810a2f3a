"""SVG, written directly: real text, a tooltip for every cell, the same bytes on every run."""

from __future__ import annotations

import re
from base64 import b64encode
from itertools import groupby
from typing import TYPE_CHECKING

from ..scene.palette import ramp
from ..scene.place import place
from ..scene.placed import Bar, Line, Placed, Sheet, Swatch, Text
from ..scene.records import Format

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..scene.placed import Point
    from ..scene.scene import Cell, Frame, Raster, Scene

FACE = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_SPECIAL = re.compile("[<>&\"'\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;", "'": "&#39;"}


def escape(text: str) -> str:
    """Text for XML and HTML; characters that XML does not allow become U+FFFD."""
    return _SPECIAL.sub(lambda m: _ENTITIES.get(m[0], "\ufffd"), text)


def svg(scene: Scene, *, data: bool = False) -> str:
    """The scene as an SVG document; with ``data`` every cell also carries its value and owners for a script."""
    return _Writer(place(scene), scene, data).document()


def _n(x: float) -> str:
    """A length without superfluous digits."""
    return f"{x:.2f}".rstrip("0").rstrip(".")


def _path(*points: Point) -> str:
    """Straight lines from point to point."""
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _list(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


class _Writer:
    def __init__(self, placed: Placed, scene: Scene, data: bool) -> None:
        self.placed = placed
        self.scene = scene
        self.theme = placed.theme
        self.data = data
        self.defs: dict[str, str] = {}

    def document(self) -> str:
        placed, theme = self.placed, self.theme
        body = [self.sheet(s, k) for k, s in enumerate(placed.sheets)]
        body += [self.line(x) for x in placed.lines]
        body += [self.swatch(x) for x in placed.swatches]
        body += [self.bar(x) for x in placed.bars]
        body += [self.text(x) for x in placed.texts]
        title = escape(self.scene.title or self.scene.caption or self.scene.kind)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(placed.width)}" height="{_n(placed.height)}"'
            f' viewBox="0 0 {_n(placed.width)} {_n(placed.height)}" role="img" font-family="{FACE}" font-size="11">\n'
            f"<title>{title}</title>\n<desc>{escape(self.scene.description)}</desc>\n"
            f"<defs>{''.join(self.defs.values())}</defs>\n"
            f'<rect width="100%" height="100%" fill="{theme.page}"/>\n' + "\n".join(filter(None, body)) + "\n</svg>\n"
        )

    def shape(self, sheet: Sheet, name: str) -> str:
        """The id of a cell's shape, defined on first use.

        The id spells the size and theme, so that pictures that share a web page may share definitions.
        """
        w, h = sheet.width, sheet.height
        key = f"{self.theme.name[0]}{_n(w)}x{_n(h)}{name}"
        if key not in self.defs:
            up = -self.baseline(sheet)
            if name == "+shared":
                pen = self.theme.pen("mark")
                made = f'<path id="{key}" d="M{_n(w - 7)} {_n(up)}h7v7z" fill="{pen.colour}"/>'
            elif name == "+hole":
                pen = self.theme.pen("hole")
                made = (
                    f'<path id="{key}" d="M0 {_n(up + h)}L{_n(w)} {_n(up)}" stroke="{pen.colour}"'
                    f' stroke-width="{_n(pen.width)}"/>'
                )
            else:
                pen, fill = self.theme.pen("cell"), self.theme.paint(name).fill
                made = (
                    f'<rect id="{key}" y="{_n(up)}" width="{_n(w)}" height="{_n(h)}" fill="{fill}"'
                    f' stroke="{pen.colour}" stroke-width="{_n(pen.width)}"/>'
                )
            self.defs[key] = made
        return key

    @staticmethod
    def baseline(sheet: Sheet) -> float:
        """The baseline of a single line of text below the top of a cell."""
        return round(sheet.height / 2 + sheet.font * 0.36, 2)

    def sheet(self, sheet: Sheet, number: int) -> str:
        panel = sheet.panel
        name = f' data-name="{escape(panel.name)}"' if self.data and panel.name else ""
        parts = [f'<g transform="translate({_n(sheet.x)} {_n(sheet.y)})"{name}>']
        if panel.raster is not None:
            parts.append(self.raster(sheet, panel.raster))
        write = self.cell_writer(sheet, number)
        base = self.baseline(sheet)
        if panel.cells:
            parts.append(f'<g text-anchor="middle" fill="{self.theme.ink}">')
            for row, cells in groupby(panel.cells, key=lambda c: c.row):
                parts.append(f'<g transform="translate(0 {_n(row * sheet.height + base)})">')
                parts.append("".join(map(write, cells)) + "</g>")
            parts.append("</g>")
        parts += [self.frame(f, sheet) for f in panel.frames if f.segments]
        return "\n".join([*parts, "</g>"])

    def cell_writer(self, sheet: Sheet, number: int) -> Callable[[Cell], str]:
        """The function that writes one cell: everything that cells have in common is worked out here."""
        theme, data, panel = self.theme, self.data, sheet.panel
        lefts = [_n(j * sheet.width) for j in range(sheet.panel.columns)]
        middles = [_n((j + 0.5) * sheet.width) for j in range(sheet.panel.columns)]
        roles: dict[str, tuple[str, str]] = {}
        unsafe = _SPECIAL.search
        ys = {n: [_n((k - (n - 1) / 2) * 13) for k in range(n)] for n in range(2, 40)}

        def write(cell: Cell) -> str:
            row, j, lines, role, title, value, owners, mark = cell
            found = roles.get(role)
            if found is None:
                ink = theme.paint(role).text
                found = roles[role] = (
                    self.shape(sheet, role),
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
                    for y, text in zip(ys.get(len(lines), ()), lines, strict=False)
                )
            start = "<g>"
            if data:
                own = " ".join(f"{t},{v}" for t, v in owners)
                at = "{},{}".format(*panel.coordinate(row, j))
                home = "" if at == f"{row},{j}" else f' data-c="{at}"'
                start = f'<g class="cell" data-at="{number},{row},{j}"{home} data-v="{escape(value)}" data-o="{own}">'
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
        return f'<path d="{d}" fill="none" {self.stroke(frame.kind)} stroke-linecap="square"/>'

    def stroke(self, kind: str, *, dashed: bool = True) -> str:
        pen = self.theme.pen(kind)
        dash = f' stroke-dasharray="{" ".join(map(_n, pen.dash))}"' if pen.dash and dashed else ""
        return f'stroke="{pen.colour}" stroke-width="{_n(pen.width)}"{dash}'

    def raster(self, sheet: Sheet, raster: Raster) -> str:
        from ..scene.pixels import png_of

        panel = sheet.panel
        image = b64encode(png_of(panel.rows, panel.columns, raster.levels, ramp(self.theme))).decode()
        facts = ""
        if self.data:
            facts = f' data-size="{panel.rows},{panel.columns}"'
            facts += f' data-rows="{_list(raster.rows)}" data-columns="{_list(raster.columns)}"'
        return (
            f'<image{facts} width="{_n(panel.columns * sheet.width)}" height="{_n(panel.rows * sheet.height)}"'
            f' preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,{image}"/>'
        )

    def line(self, line: Line) -> str:
        """A line; the link of a diagram names its kind and its ends."""
        link = f'class="{line.kind}" data-src="{line.ends[0]}" data-dst="{line.ends[1]}" ' if line.ends else ""
        shaft = _path((line.x0, line.y0), (line.x1, line.y1))
        parts = [f'<path {link}d="{shaft}" fill="none" {self.stroke(line.pen)}/>']
        if tips := "".join(_path(*tip) for tip in line.tips()):
            # Dashes belong to the shaft; head and tail would come out broken.
            parts.append(f'<path d="{tips}" fill="none" {self.stroke(line.pen, dashed=False)}/>')
        return "".join(parts)

    def swatch(self, swatch: Swatch) -> str:
        fill, pen = self.theme.paint(swatch.role).fill, self.theme.pen("cell")
        x, y, s = swatch.x, swatch.y, swatch.size
        made = (
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(s)}" height="{_n(s)}" fill="{fill}"'
            f' stroke="{pen.colour}" stroke-width="{_n(pen.width)}"/>'
        )
        if swatch.mark == "shared":
            made += f'<path d="M{_n(x + s - 7)} {_n(y)}h7v7z" fill="{self.theme.pen("mark").colour}"/>'
        elif swatch.mark == "hole":
            made += f'<path d="M{_n(x)} {_n(y + s)}L{_n(x + s)} {_n(y)}" {self.stroke("hole")}/>'
        return made

    def bar(self, bar: Bar) -> str:
        key, pen, steps = f"{self.theme.name}-heat", self.theme.pen("cell"), self.theme.heat
        stops = "".join(
            f'<stop offset="{_n(k / (steps - 1))}" stop-color="{self.theme.paint(f"h{k}").fill}"/>'
            for k in range(steps)
        )
        self.defs[key] = f'<linearGradient id="{key}">{stops}</linearGradient>'
        return (
            f'<rect x="{_n(bar.x)}" y="{_n(bar.y)}" width="{_n(bar.width)}" height="{_n(bar.height)}"'
            f' fill="url(#{key})" stroke="{pen.colour}" stroke-width="{_n(pen.width)}"/>'
        )

    def text(self, text: Text) -> str:
        anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
        size = "" if text.size == 11 else f' font-size="{_n(text.size)}"'
        bold = ' font-weight="bold"' if text.bold else ""
        turn = f' transform="rotate(-90 {_n(text.x)} {_n(text.y)})"' if text.turned else ""
        fill = self.theme.ink if text.tone == "ink" else self.theme.muted
        look = f'fill="{fill}"{anchor}{size}{bold}{turn}'
        if text.name:
            look += f' id="{text.name}" class="{text.kind}"'
        return f'<text x="{_n(text.x)}" y="{_n(text.y)}" {look}>{escape(text.text)}</text>'


SVG = Format("svg", svg)
