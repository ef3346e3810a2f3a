"""The passes of an access to a tile, before any layout: which vectors each of them asks for."""

from __future__ import annotations

from laycalc.algebra.base.errors import LayoutError, refuse
from laycalc.atoms.memory.banks import operation, passes_of
from laycalc.atoms.memory.walks import Walk

__all__ = ["fault", "passes"]


def fault(template: str, **facts: object) -> LayoutError:
    """LC103 for a task that asks for what cannot be."""
    return refuse("LC103", template, op="design", **facts)


def passes(walk: Walk) -> list[tuple[int, ...]]:
    """The indices where the vectors of each pass begin, each once.

    Loads of 8 and 16 bytes merge passes where lanes ask for the same, under any layout: an index is an address.
    """
    op = operation(walk.op)
    found = []
    for lanes in walk.instructions:
        for served in passes_of(op, lanes):
            wanted = (lanes[lane] for lane in served if lane < len(lanes))
            if starts := tuple(dict.fromkeys(i for i in wanted if i is not None)):
                found.append(starts)
    return found
