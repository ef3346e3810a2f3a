"""Pictures of morphisms: diagrams become scenes that every backend draws; SVG with ids, TikZ with nodes, and text.

Entry 1 is the lowest one, as in the paper; read downwards, the picture says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, hypot
from typing import TYPE_CHECKING, Any

from laycalc.algebra.categories import sketches
from laycalc.algebra.categories.morphism import Morphism
from laycalc.algebra.categories.tractable import to_morphism
from laycalc.algebra.errors import refuse
from laycalc.algebra.layout import Layout

from .palette import GROUPS, Paint, Pen, Theme, contrast, theme_of
from .place import MARGIN, Line, Placed, Text, text_width
from .svg import escape
from .tikz import escape as tex

if TYPE_CHECKING:
    from collections.abc import Callable

    from laycalc.algebra.categories.diagram import Diagram, Link, Node

__all__ = [
    "MorphismScene",
    "complement_scene",
    "composition_scene",
    "division_scene",
    "lines",
    "morphism_scene",
    "product_scene",
    "refinement_scene",
    "standalone",
    "svg",
    "tikz",
]

UNIT = 40.0
"""Points of a unit between columns."""
ROW = 32.0
"""Points of a row."""
ENTRY = 14.0
"""Size of an entry's text."""
REST = 14.0
"""Room beside the middle of an entry that arrows leave free."""
TERMINAL_ROWS = 24
"""A picture in the terminal has at most so many rows."""


@dataclass(frozen=True, slots=True)
class MorphismScene:
    """A diagram with its look: the scene of a picture without cells. ``placed`` is what the backends draw."""

    diagram: Diagram
    theme: str = "laycalc"
    title: str = ""
    top_down: bool = False

    @property
    def kind(self) -> str:
        """morphism, refinement, composition, complement, product or division."""
        return self.diagram.kind

    @property
    def caption(self) -> str:
        """The layout or morphism below the picture."""
        return self.diagram.caption

    @property
    def description(self) -> str:
        """The picture in words."""
        return self.diagram.description

    @property
    def panels(self) -> tuple[Any, ...]:
        """None: there are no cells."""
        return ()

    @property
    def writers(self) -> dict[str, Callable[[MorphismScene], str]]:
        """The formats that know the nodes and arrows; every other one draws what is ``placed``."""
        return {"svg": svg, "tikz": tikz, "tex": standalone, "txt": lambda scene: "\n".join(lines(scene))}

    def placed(self) -> Placed:
        """Texts and lines with lengths; arrow heads and tails are lines of their own."""
        return _Placer(self).placed()


def _scene(make: Callable[..., Diagram], operands: tuple[Any, ...], options: Any) -> MorphismScene:
    theme = getattr(options, "theme", "laycalc")
    title = getattr(options, "title", "")
    return MorphismScene(make(*operands), theme, title, bool(getattr(options, "top_down", False)))


def morphism_scene(value: Morphism | Layout, options: Any = None) -> MorphismScene:
    """The arrows of a morphism, or of the morphism of a tractable layout (LC309)."""
    return _scene(sketches.morphism_diagram, (_arrows(value),), options)


def refinement_scene(value: tuple[Any, Any], options: Any = None) -> MorphismScene:
    """The mutual refinement of (T, U), or both to scale where there is none."""
    return _scene(sketches.refinement_diagram, _pair(value, (tuple, int), "two shapes"), options)


def composition_scene(value: tuple[Any, Any], options: Any = None) -> MorphismScene:
    """The four frames of (outer, inner): two morphisms, glued, resolved, composed."""
    wanted = "two layouts or two morphisms"
    return _scene(sketches.composition_diagram, _pair(value, (Layout, Morphism), wanted), options)


def complement_scene(value: Morphism | Layout, options: Any = None) -> MorphismScene:
    """A morphism and its complement on one codomain."""
    return _scene(sketches.complement_diagram, (_arrows(value),), options)


def product_scene(value: tuple[Morphism, Morphism], options: Any = None) -> MorphismScene:
    """The product of two morphisms, or of two tractable layouts: stacked domains over one codomain."""
    pair = _pair(value, (Layout, Morphism), "two morphisms")
    return _scene(sketches.product_diagram, tuple(map(_arrows, pair)), options)


def division_scene(value: tuple[Morphism, Morphism], options: Any = None) -> MorphismScene:
    """The division of two morphisms, or of two tractable layouts, in two steps."""
    pair = _pair(value, (Layout, Morphism), "two morphisms")
    return _scene(sketches.division_diagram, tuple(map(_arrows, pair)), options)


def _arrows(value: Morphism | Layout) -> Morphism:
    if isinstance(value, Layout):
        return to_morphism(value)
    if not isinstance(value, Morphism):
        raise refuse("LC103", "a diagram takes a morphism or a layout", op="draw")
    return value


def _pair(value: Any, kinds: tuple[type, ...], wanted: str) -> tuple[Any, Any]:
    """Two operands of the right kinds; LC103 otherwise."""
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not all(isinstance(v, kinds) for v in value):
        raise refuse("LC103", "this diagram takes {wanted}", op="draw", wanted=wanted)
    return value[0], value[1]


# -- lengths -------------------------------------------------------------------------------------------------------


def _half(node: Node) -> float:
    """Half the width that an entry keeps free."""
    return max(REST, text_width(node.text, ENTRY) / 2 + 5)


class _Placer:
    """Turns units and rows into points; the lowest row is drawn lowest unless the scene reads downwards."""

    def __init__(self, scene: MorphismScene) -> None:
        self.scene = scene
        self.diagram = scene.diagram
        self.theme = _with_pens(theme_of(scene.theme))
        self.nodes = {n.id: n for n in self.diagram.nodes}
        inner = [n.y for n in self.diagram.nodes if n.kind not in ("title", "caption")]
        self.top, self.bottom = max(inner, default=0.0), min(inner, default=0.0)
        self.stretch = self._stretched()
        lefts = [self.stretch[n.x] - self._reach(n) for n in self.diagram.nodes]
        rights = [self.stretch[n.x] + self._reach(n) for n in self.diagram.nodes]
        texts = [*self.diagram.caption.splitlines(), self._note()]
        self.origin = MARGIN - min(lefts, default=0.0)
        inside = max(rights, default=0.0) - min(lefts, default=0.0)
        self.width = max(inside, *(text_width(t, 12) for t in texts), text_width(scene.title, 14))
        self.origin += (self.width - inside) / 2
        self.head = MARGIN + ROW / 2 + (20 if scene.title else 0) + (ROW * 0.8 if self._has("title") else 0)

    def _note(self) -> str:
        return "read downwards: entry 1 is the uppermost" if self.scene.top_down else ""

    def _has(self, kind: str) -> bool:
        return any(n.kind == kind for n in self.diagram.nodes)

    @staticmethod
    def _reach(node: Node) -> float:
        if node.kind in ("entry", "root"):
            return _half(node)
        return text_width(node.text, 11) / 2

    def _stretched(self) -> dict[float, float]:
        """The place of each column in points: columns of long numbers push their neighbours away."""
        wide: dict[float, float] = {}
        for n in self.diagram.nodes:
            wide[n.x] = max(wide.get(n.x, 0.0), 2 * (_half(n) - REST) if n.kind in ("entry", "root") else 0.0)
        at, shift = {}, 0.0
        for x in sorted(wide):
            at[x] = x * UNIT + shift + wide[x] / 2
            shift += wide[x]
        return at

    def x(self, node: Node) -> float:
        """Points from the left edge."""
        return self.origin + self.stretch[node.x]

    def y(self, node: Node) -> float:
        """Points from the upper edge."""
        if node.kind == "title" and self.scene.top_down:
            return self.head - ROW
        if node.kind == "caption":
            return self.foot - ROW * 0.4
        rows = node.y - self.bottom if self.scene.top_down else self.top - node.y
        return self.head + rows * ROW

    @property
    def foot(self) -> float:
        """Where the rows end."""
        return self.head + (self.top - self.bottom) * ROW + ROW * (1.4 if self._has("caption") else 0.5)

    def ends(self, link: Link) -> tuple[float, float, float, float]:
        """From edge to edge: entries keep their room free, points are touched."""
        a, b = self.nodes[link.source], self.nodes[link.target]
        side = 1 if b.x > a.x else -1 if b.x < a.x else 0

        def edge(node: Node, towards: int) -> float:
            return self.x(node) + (towards * _half(node) if node.kind in ("entry", "root") else 0.0)

        return edge(a, side), self.y(a), edge(b, -side), self.y(b)

    def placed(self) -> Placed:
        """Everything that is drawn."""
        texts = [self.text(n) for n in self.diagram.nodes if n.text]
        drawn = [line for link in self.diagram.links for line in self.lines(link)]
        centre, y = MARGIN + self.width / 2, self.foot + 12
        if self.scene.title:
            texts.append(Text(centre, MARGIN + 14, self.scene.title, 14, "middle", bold=True))
        for part in self.diagram.caption.splitlines():
            texts.append(Text(centre, y, part, 12, "middle"))
            y += 17
        if self._note():
            texts.append(Text(centre, y, self._note(), 11, "middle", "muted"))
            y += 16
        return Placed(ceil(self.width + 2 * MARGIN), ceil(y + 2), (), tuple(texts), tuple(drawn), (), self.theme)

    def text(self, node: Node) -> Text:
        """An entry in ink, labels and headings smaller and muted."""
        size = ENTRY if node.kind in ("entry", "root") else 11.0
        tone = "muted" if node.muted or node.kind in ("label", "title") else "ink"
        bold = node.kind == "fault"
        return Text(self.x(node), self.y(node) + size * 0.36, node.text, size, "middle", tone, bold)

    def lines(self, link: Link) -> list[Line]:
        """The line of a link; arrows have a bar at the tail and an open head."""
        x0, y0, x1, y1 = self.ends(link)
        pen = pen_of(link)
        made = [Line(x0, y0, x1, y1, pen)]
        if link.kind in ("arrow", "second", "unused"):
            length = hypot(x1 - x0, y1 - y0) or 1.0
            dx, dy = (x1 - x0) / length, (y1 - y0) / length
            solid = pen.replace("-second", "")
            made.append(Line(x0 - 4 * dy, y0 + 4 * dx, x0 + 4 * dy, y0 - 4 * dx, solid))
            for side in (-1, 1):
                made.append(Line(x1 - 7 * dx + side * 3.5 * dy, y1 - 7 * dy - side * 3.5 * dx, x1, y1, solid))
        return made


def pen_of(link: Link) -> str:
    """The pen of a link: arrows by their mode, the rest by kind."""
    if link.kind in ("arrow", "second"):
        group = "split" if link.group is None else f"g{link.group % GROUPS}"
        return group + ("-second" if link.kind == "second" else "")
    return {"unused": "rule", "fault": "slice", "cut": "split"}.get(link.kind, link.kind)


def _with_pens(theme: Theme) -> Theme:
    """The theme with a pen for each mode: the group's colour, darkened until a thin line is easy to see."""
    pens = dict(theme.pens)
    pens["split"] = Pen(theme.muted, 1.0)
    pens["split-second"] = Pen(theme.muted, 1.0, (4, 3))
    for k in range(GROUPS):
        colour = _dark(theme, theme.paint(f"c{k}"))
        pens[f"g{k}"] = Pen(colour, 1.3)
        pens[f"g{k}-second"] = Pen(colour, 1.3, (4, 3))
    return replace(theme, pens=pens)


def _dark(theme: Theme, paint: Paint) -> str:
    colour = paint.fill
    while contrast(colour, theme.page) < 4.5:
        colour = "#" + "".join(f"{int(colour[i : i + 2], 16) * 9 // 10:02x}" for i in (1, 3, 5))
    return colour


# -- formats with a form of their own ------------------------------------------------------------------------------


def svg(scene: MorphismScene) -> str:
    """SVG with a stable id for every node, and the ends of every arrow as data."""
    placer = _Placer(scene)
    placed = placer.placed()
    body = []
    drawn = iter(placed.lines)
    for link in scene.diagram.links:
        parts = [next(drawn) for _ in placer.lines(link)]
        pen = placed.theme.pen(parts[0].pen)
        dash = f' stroke-dasharray="{" ".join(map(str, pen.dash))}"' if pen.dash else ""
        # Dashes belong to the shaft; the head and the tail would come out broken.
        shaft, *rest = (f"M{p.x0:.1f} {p.y0:.1f}L{p.x1:.1f} {p.y1:.1f}" for p in parts)
        look = f'fill="none" stroke="{pen.colour}" stroke-width="{pen.width:g}"'
        ends = f'class="{link.kind}" data-src="{link.source}" data-dst="{link.target}"'
        body.append(f'<path {ends} d="{shaft}" {look}{dash}/>')
        if rest:
            body.append(f'<path d="{"".join(rest)}" {look}/>')
    named = [n for n in scene.diagram.nodes if n.text]
    for k, text in enumerate(placed.texts):
        ink = placed.theme.ink if text.tone == "ink" else placed.theme.muted
        name = f' id="{named[k].id}" class="{named[k].kind}"' if k < len(named) else ""
        weight = ' font-weight="bold"' if text.bold else ""
        body.append(
            f'<text{name} x="{text.x:.1f}" y="{text.y:.1f}" font-size="{text.size:g}" fill="{ink}"{weight}>'
            f"{escape(text.text)}</text>"
        )
    w, h = placed.width, placed.height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img"'
        ' font-family="Helvetica, Arial, sans-serif" text-anchor="middle">\n'
        f"<title>{escape(scene.title or scene.caption)}</title>\n<desc>{escape(scene.description)}</desc>\n"
        f'<rect width="100%" height="100%" fill="{placed.theme.page}"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def tikz(scene: MorphismScene) -> str:
    """A TikZ fragment of named nodes and maps-to arrows; it needs no macro but tikz itself."""
    diagram, placer = scene.diagram, _Placer(scene)
    names = {n.id: n.id.replace(".", "x").replace("-", "y") for n in diagram.nodes}
    body = []
    for n in diagram.nodes:
        at = f"({placer.x(n) / UNIT:.2f},{-placer.y(n) / UNIT:.2f})"
        if n.kind == "point":
            body.append(f"\\coordinate ({names[n.id]}) at {at};")
        else:
            style = n.kind if n.kind in ("entry", "root") else "note"
            body.append(f"\\node[{style}] ({names[n.id]}) at {at} {{{tex(n.text)}}};")
    styles = {"arrow": "|->", "second": "|->,dashed", "unused": "|->,gray", "rule": "gray", "fault": "red,thick"}
    for link in diagram.links:
        a, b = placer.nodes[link.source], placer.nodes[link.target]
        sides = ("east", "west") if b.x > a.x else ("west", "east")
        start, end = (
            names[n.id] + (f".{side}" if n.kind in ("entry", "root") else "")
            for n, side in zip((a, b), sides, strict=True)
        )
        body.append(f"\\draw[{styles.get(link.kind, '')}] ({start}) -- ({end});")
    # Title, caption and notes are texts without a node.
    for text in placer.placed().texts[sum(1 for n in diagram.nodes if n.text) :]:
        body.append(f"\\node[anchor=base] at ({text.x / UNIT:.2f},{-text.y / UNIT:.2f}) {{{tex(text.text)}}};")
    return "\n".join(
        [
            "% " + diagram.description.encode("ascii", "replace").decode(),
            "\\begin{tikzpicture}[entry/.style={minimum width=5mm,minimum height=7mm,inner sep=2pt},",
            "  root/.style={entry},note/.style={font=\\footnotesize,text=gray}]",
            *body,
            "\\end{tikzpicture}\n",
        ]
    )


def standalone(scene: MorphismScene) -> str:
    """The fragment in a document of its own."""
    return f"\\documentclass[tikz,border=2pt]{{standalone}}\n\\begin{{document}}\n{tikz(scene)}\\end{{document}}\n"


def lines(scene: MorphismScene) -> list[str]:
    """The picture in the terminal, top row first; beyond 24 rows, and for crowded kinds, the picture in words.

    >>> from laycalc.algebra.layout import Layout
    >>> print("\\n".join(lines(morphism_scene(Layout((4, 8), (8, 1))))))
    8 |-1-> 4
    4 |-2-> 8
    (4,8):(8,1)
    (4,8) --(2,1)--> (8,4)
    """
    diagram = scene.diagram
    if diagram.rows > TERMINAL_ROWS:
        refused = f"{diagram.rows} rows; the terminal shows {TERMINAL_ROWS}, draw the picture to a file"
        return [refused, *diagram.caption.splitlines()]
    if diagram.kind == "morphism":
        found = _morphism_lines(diagram)
    elif diagram.kind == "refinement" and any(n.id == "m1" for n in diagram.nodes):
        found = _refinement_lines(diagram)
    else:
        return [diagram.description]
    note = ["(read downwards)"] if scene.top_down else []
    return (found if scene.top_down else found[::-1]) + diagram.caption.splitlines() + note


def _entries(diagram: Diagram, column: str) -> dict[int, str]:
    return {int(n.id[1:]): n.text for n in diagram.nodes if n.kind == "entry" and n.id[0] == column}


def _morphism_lines(diagram: Diagram) -> list[str]:
    left, right = _entries(diagram, "s"), _entries(diagram, "t")
    hit = {int(k.source[1:]): int(k.target[1:]) for k in diagram.links if k.kind == "arrow"}
    wide = max(map(len, left.values()), default=0)
    found = []
    for row in range(1, diagram.rows + 1):
        j = hit.get(row)
        line = "" if j is None else "|-->" if j == row else f"|-{j}->"
        found.append(f"{left.get(row, ''):>{wide}} {line:<6}{right.get(row, '')}".rstrip())
    return found


def _refinement_lines(diagram: Diagram) -> list[str]:
    """T, the common refinement and U; an entry stands at its first leaf, the others hang on its bracket."""
    common = _entries(diagram, "m")
    parent: dict[str, dict[int, int]] = {"t": {}, "u": {}}
    for link in diagram.links:
        if link.target[0] == "m":
            parent[link.source[0]][int(link.target[1:])] = int(link.source[1:].split(".")[0])
    T, U = _entries(diagram, "t"), _entries(diagram, "u")
    wide, middle = max(map(len, T.values()), default=0), max(map(len, common.values()), default=0)
    found = []
    for row, entry in common.items():
        t, u = parent["t"].get(row), parent["u"].get(row)
        first_t, first_u = t != parent["t"].get(row - 1), u != parent["u"].get(row - 1)
        left = "" if t is None else f"{T[t]:>{wide}} -+-" if first_t else f"{'':>{wide}}  +-"
        right = "" if u is None else f"-+- {U[u]}" if first_u else "-+"
        found.append(f"{left:<{wide + 4}} {entry:^{middle}} {right}".rstrip())
    return found
