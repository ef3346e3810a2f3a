"""A tiled copy from one layout to another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.task import Read, Task
from ..copy.search import Copy, best_of
from ..copy.sides import Side, side_of
from ..smem.passes import fault
from .smem import tile_of

__all__ = ["TASK", "copy_of"]


def copy_of(task: Mapping[str, Any], read: Read) -> Copy:
    """The copy that a task asks for; LC103 for a side or a number of threads that is none."""
    tile, bits = tile_of(task)
    threads = task["threads"]
    if not isinstance(threads, int):
        raise fault("{threads} is no number of threads", threads=str(threads))

    def side(name: str) -> Side:
        match task[name]:
            case {"space": "register"}:
                return side_of(tile, bits, "register", load=name == "src")
            case {"space": str(space), "layout": str(text), **rest}:
                base = rest.get("base", 0)
                if not isinstance(base, int) or base < 0:
                    raise fault("{base} is no number of bytes", base=str(base))
                return side_of(tile, bits, space, read(text), base, load=name == "src")
        raise fault("{side} is an object with space and layout", side=name)

    return Copy(tile, bits, threads, side("src"), side("dst"))


def _answer(task: Mapping[str, Any], read: Read) -> Mapping[str, Any]:
    best = best_of(copy_of(task, read))
    arrangement = best.arrangement
    return {
        "thr": str(arrangement.thread_layout(best.warps)),
        "val": str(arrangement.value_layout()),
        "vec": best.vector,
    }


TASK = Task("copy", "a tiled copy", ("tile", "bits", "threads", "src", "dst"), _answer)
