"""A layout of shared memory for a tile and several accesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.task import Read, Task
from ..smem.search import problem_of, search
from ..smem.walks import Tile, fault

__all__ = ["TASK", "tile_of"]


def tile_of(task: Mapping[str, Any]) -> Tile:
    """The tile of a task; LC103 if it is none."""
    match task["tile"], task["bits"]:
        case [int(rows), int(columns)], int(bits) if rows > 0 and columns > 0 and bits in (4, 8, 16, 32, 64, 128):
            return Tile(rows, columns, bits)
    raise fault("no tile is {tile} of {bits}-bit elements", tile=str(task["tile"]), bits=str(task["bits"]))


def _answer(task: Mapping[str, Any], read: Read) -> Mapping[str, Any]:
    tile = tile_of(task)
    best = search(problem_of(tile, task["accesses"], read, task.get("bases"))).best
    if best is None:
        raise fault(
            "no layout that was tried keeps the vectors and conditions of all accesses of {tile}", tile=str(tile)
        )
    return {"layout": str(best.candidate.layout)}


TASK = Task("smem", "a layout of shared memory", ("tile", "bits", "accesses"), _answer)
