"""A layout of shared memory for a tile and several accesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laycalc.atoms.accesses.access_words import access_of
from laycalc.atoms.memory.walks import Tile

from ..base.task import Read, Task
from ..smem.passes import fault
from ..smem.search import Problem, problem_of, search

__all__ = ["TASK", "stated", "tile_of"]


def tile_of(task: Mapping[str, Any]) -> tuple[Tile, int]:
    """The tile of a task, and the bits of an element; LC103 if it is none."""
    match task["tile"], task["bits"]:
        case [int(rows), int(columns)], int(bits) if rows > 0 and columns > 0 and bits in (4, 8, 16, 32, 64, 128):
            return Tile(rows, columns), bits
    raise fault("no tile is {tile} of {bits}-bit elements", tile=str(task["tile"]), bits=str(task["bits"]))


def stated(task: Mapping[str, Any], read: Read) -> Problem:
    """The problem that a task states; LC103 for an access that is none."""
    tile, bits = tile_of(task)
    bases = task.get("bases")
    if bases is not None and not isinstance(bases, list):
        raise fault("bases are a list of names, not {bases}", bases=str(bases))
    match task["accesses"]:
        case [*accesses] if accesses and all(isinstance(access, Mapping) for access in accesses):
            return problem_of(tile, bits, [access_of(a, bits, read) for a in accesses], bases)
    raise fault("accesses are a list of objects")


def _answer(task: Mapping[str, Any], read: Read) -> Mapping[str, Any]:
    problem = stated(task, read)
    best = search(problem).best
    if best is None:
        raise fault("no layout that was tried keeps all vectors and conditions of {tile}", tile=str(problem.tile))
    return {"layout": str(best.candidate.layout)}


TASK = Task("smem", "a layout of shared memory", ("tile", "bits", "accesses"), _answer)
