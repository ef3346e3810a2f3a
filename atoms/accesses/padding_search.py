"""The padding that frees given accesses of bank conflicts, or saves most wavefronts: elements after every pitch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.htuple import map_leaves
from laycalc.algebra.values.layout import Layout

from .fixes import Padding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .search_task import Task

__all__ = ["best_padding", "padded"]


def best_padding(task: Task) -> Padding | None:
    """The padding with the fewest wavefronts, of those the one with the smallest storage; None if none helps."""
    best: Padding | None = None
    if task.plain.semimodule != "Z":
        return None
    for pitch in sorted({d for s, d in zip(*task.plain.flat(), strict=True) if s > 1 and d > 1}):
        for found in _paddings(task, pitch):
            if best is not None and best.free and found.storage >= best.storage:
                break
            if best is None or (found.wavefronts, found.storage) < (best.wavefronts, best.storage):
                best = found
    if best is None:
        return None
    return best.replace(sectors=task.sectors(best.layout))


def _paddings(task: Task, pitch: int) -> Iterator[Padding]:
    """The paddings behind one pitch that keep the vectors whole and help, by their size."""
    bits = task.bits
    step = max(p.bytes * 8 // bits for p in task.patterns)
    for extra in range(step, 8 * task.operation.line // bits + 1, step):
        made = padded(task.plain, pitch, extra)
        if made is None or not task.spend(sum(task.plain.size // (p.run * p.machine.lanes) + 1 for p in task.patterns)):
            return
        try:
            each = task.costs(made)
        except LayoutError:
            continue  # this pitch cuts a vector
        total, free = sum(c for c, _ in each), all(c == i for c, i in each)
        if total < task.before and task.accept(made):
            size, share = _storage(made), extra / pitch
            yield Padding(extra, extra * bits // 8, pitch, made, size, share, total, free, each, ())


def padded(layout: Layout, pitch: int, extra: int) -> Layout | None:
    """The layout with ``extra`` elements after every ``pitch`` of its offsets: law ``R(c) = L(c) + extra * (L(c) //
    pitch)``.

    None if a stride beyond the pitch is no multiple of it, or the strides below it reach past it.

    >>> str(padded(Layout((32, 64), (64, 1)), 64, 8))
    '(32,64):(72,1)'
    """
    flat = list(zip(*layout.flat(), strict=True))
    if (
        any(d < 0 or (d >= pitch and d % pitch) for _, d in flat)
        or sum((s - 1) * d for s, d in flat if d < pitch) >= pitch
    ):
        return None
    return Layout(layout.shape, map_leaves(lambda d: d + extra * (d // pitch), layout.stride))


def _storage(layout: Layout) -> int:
    return 1 + sum(int((s - 1) * d) for s, d in zip(*layout.flat(), strict=True))
