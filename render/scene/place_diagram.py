"""Where the nodes and arrows of a diagram go, in points."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING

from .palette import GROUPS, theme_of
from .placed import MARGIN, Line, Placed, Text, text_width, wrapped

if TYPE_CHECKING:
    from laycalc.algebra.categories.diagram import Diagram, Link, Node

    from .scene import Scene

UNIT = 40.0
"""Points of a unit between columns."""
NARROWER = (32.0, 25.0, 20.0)
"""The same of pictures for a width."""
ROW = 32.0
"""Points of a row."""
CAPTION = 9.0
"""Size of the caption of a picture for a width."""
ENTRY = 14.0
"""Size of an entry's text."""
REST = 14.0
"""Room beside the middle of an entry that arrows leave free."""


def _half(node: Node) -> float:
    """Half the width that an entry keeps free."""
    return max(REST, text_width(node.text, ENTRY) / 2 + 5)


def placed_diagram(scene: Scene, diagram: Diagram) -> Placed:
    """Lay a diagram out; for a width its frames wrap, then columns move together, and at last all gets smaller."""
    placed = DiagramPlacer(scene, diagram).placed()
    width = scene.look.width
    if width is None:
        return placed
    if placed.width > width:
        tried = [_in_rows(scene, diagram, width, unit) for unit in (UNIT, *NARROWER)]
        fitting = [p for p in tried if p.width <= width]
        placed = min(fitting, key=lambda p: p.height) if fitting else tried[-1]
    scale = min(1.0, width / placed.width)
    return replace(_moved(placed, (width - scale * placed.width) / 2, 0.0, scale), width=width)


def _in_rows(scene: Scene, diagram: Diagram, width: float, unit: float) -> Placed:
    """The frames of a strip in rows, title above and caption below them."""
    rows = _rows([DiagramPlacer(replace(scene, title=""), frame, unit).placed() for frame in _frames(diagram)], width)
    full = max(text_width(scene.title, 14), *map(_width, rows))
    top = MARGIN + 14.0 if scene.title else 0.0
    moved = []
    for row in rows:
        height, left = max(p.height for p in row), (full - _width(row)) / 2
        for part in row:
            # Captions of frames stand on one line.
            moved.append(_moved(part, left, top + height - part.height))
            left += part.width
        top += height
    texts = [t for p in moved for t in p.texts]
    if scene.title:
        texts.append(Text(full / 2, MARGIN + 10, scene.title, 14, "middle", bold=True))
    for line in wrapped(diagram.caption, full, CAPTION):
        texts.append(Text(full / 2, top + 8, line, CAPTION, "middle"))
        top += 13
    lines = tuple(n for p in moved for n in p.lines)
    return replace(moved[0], width=full, height=top + 4, texts=tuple(texts), lines=lines)


def _rows(parts: list[Placed], width: float) -> list[list[Placed]]:
    """As many parts in each row as it has room for."""
    rows: list[list[Placed]] = [[]]
    for part in parts:
        if rows[-1] and _width([*rows[-1], part]) > width:
            rows.append([])
        rows[-1].append(part)
    return rows


def _width(row: list[Placed]) -> float:
    return sum(part.width for part in row)


def _frames(diagram: Diagram) -> list[Diagram]:
    """The parts of a strip, whose names begin with their number; any other diagram is one part."""
    numbers = sorted({n.id[0] for n in diagram.nodes if n.id[0].isdecimal()}) or [""]
    return [
        diagram.replace(
            nodes=tuple(n for n in diagram.nodes if n.id.startswith(number)),
            links=tuple(k for k in diagram.links if k.source.startswith(number)),
            caption="",
        )
        for number in numbers
    ]


def _moved(placed: Placed, right: float, down: float, scale: float = 1.0) -> Placed:
    """All of it elsewhere, and smaller."""
    return replace(
        placed,
        width=placed.width * scale,
        height=placed.height * scale,
        texts=tuple(replace(t, x=right + scale * t.x, y=down + scale * t.y, size=scale * t.size) for t in placed.texts),
        lines=tuple(
            replace(n, x0=right + scale * n.x0, y0=down + scale * n.y0, x1=right + scale * n.x1, y1=down + scale * n.y1)
            for n in placed.lines
        ),
    )


class DiagramPlacer:
    """Turns units and rows into points; the lowest row is drawn lowest unless the scene reads downwards."""

    def __init__(self, scene: Scene, diagram: Diagram, unit: float = UNIT) -> None:
        self.unit = unit
        self.scene = scene
        self.diagram = diagram
        self.theme = theme_of(scene.theme)
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
        return "read downwards: entry 1 is the uppermost" if self.diagram.top_down else ""

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
            at[x] = x * self.unit + shift + wide[x] / 2
            shift += wide[x]
        return at

    def x(self, node: Node) -> float:
        """Points from the left edge."""
        return self.origin + self.stretch[node.x]

    def y(self, node: Node) -> float:
        """Points from the upper edge."""
        if node.kind == "title" and self.diagram.top_down:
            return self.head - ROW
        if node.kind == "caption":
            return self.foot - ROW * 0.4
        rows = node.y - self.bottom if self.diagram.top_down else self.top - node.y
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
        drawn = [self.line(link) for link in self.diagram.links]
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
        x, y = self.x(node), self.y(node) + size * 0.36
        return Text(x, y, node.text, size, "middle", tone, bold, name=node.id, kind=node.kind)

    def line(self, link: Link) -> Line:
        """The line of a link; arrows have a bar at the tail and an open head."""
        arrow = link.kind in ("arrow", "second", "unused")
        return Line(*self.ends(link), _pen_of(link), arrow, arrow, link.kind, (link.source, link.target))


def _pen_of(link: Link) -> str:
    """The pen of a link: arrows by their mode, the rest by kind."""
    if link.kind in ("arrow", "second"):
        group = "split" if link.group is None else f"g{link.group % GROUPS}"
        return group + ("-second" if link.kind == "second" else "")
    return {"unused": "rule", "fault": "slice", "cut": "split"}.get(link.kind, link.kind)
