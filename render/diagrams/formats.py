"""The formats of a diagram that know its nodes and arrows: SVG with ids, TikZ with nodes, and text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..formats.svg import escape
from ..formats.tikz import escape as tex
from .place import UNIT, DiagramPlacer

if TYPE_CHECKING:
    from laycalc.algebra.categories.diagram import Diagram

    from .morphism import MorphismScene

__all__ = ["lines", "standalone", "svg", "tikz"]

TERMINAL_ROWS = 24
"""A picture in the terminal has at most so many rows."""


def svg(scene: MorphismScene) -> str:
    """SVG with a stable id for every node, and the ends of every arrow as data."""
    placer = DiagramPlacer(scene)
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
    diagram, placer = scene.diagram, DiagramPlacer(scene)
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

    >>> from laycalc.algebra.values.layout import Layout
    >>> from laycalc.render.diagrams.morphism import morphism_scene
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
