"""The passes of an access to a tile, before any layout: which vectors each of them asks for."""

from __future__ import annotations

from laycalc.algebra.base.errors import LayoutError, refuse
from laycalc.atoms.memory.banks import operation, passes_of
from laycalc.atoms.memory.walks import Walk

__all__ = ["THREADS", "check_threads", "check_tile", "fault", "passes"]

ELEMENTS, THREADS = 1 << 17, 1024
"""Elements of a tile, more than any shared memory has of 16 bits; threads of a block."""
WIDTHS = (4, 8, 16, 32, 64, 128)


def fault(template: str, **facts: object) -> LayoutError:
    """LC103 for a task that asks for what cannot be."""
    return refuse("LC103", template, op="design", **facts)


def check_tile(elements: int, bits: int) -> None:
    """LC103 for elements of another width than memory has, LC104 for more of them than are searched."""
    if bits not in WIDTHS:
        raise fault("elements have {widths} bits, not {bits}", widths=", ".join(map(str, WIDTHS)), bits=bits)
    if elements > ELEMENTS:
        template = "a tile of {count} elements is more than {limit}"
        raise refuse("LC104", template, op="design", count=elements, limit=ELEMENTS)


def check_threads(threads: int) -> None:
    """LC103 for a number of threads that no block has."""
    if not 1 <= threads <= THREADS:
        raise fault("a thread block has 1 to {most} threads, not {threads}", most=THREADS, threads=threads)


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
