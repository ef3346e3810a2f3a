"""A diagram in the terminal: its entries and arrows as lines of text, or in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from laycalc.algebra.categories.diagram import Diagram

TERMINAL_ROWS = 24
"""A picture in the terminal has at most so many rows."""


def words(diagram: Diagram) -> list[str]:
    """The picture in the terminal, top row first; beyond 24 rows, and for crowded kinds, the picture in words.

    >>> from laycalc.algebra.categories.morphism import Morphism
    >>> from laycalc.algebra.categories.sketches import morphism_diagram
    >>> print("\\n".join(words(morphism_diagram(Morphism((4, 8), (8, 4), (2, 1))))[:2]))
    8 |-1-> 4
    4 |-2-> 8
    """
    if diagram.rows > TERMINAL_ROWS:
        refused = f"{diagram.rows} rows; the terminal shows {TERMINAL_ROWS}, draw the picture to a file"
        return [refused, *diagram.caption.splitlines()]
    if diagram.kind == "morphism":
        found = _morphism_lines(diagram)
    elif diagram.kind == "refinement" and any(n.id == "m1" for n in diagram.nodes):
        found = _refinement_lines(diagram)
    else:
        return [diagram.description]
    note = ["(read downwards)"] if diagram.top_down else []
    return (found if diagram.top_down else found[::-1]) + diagram.caption.splitlines() + note


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
