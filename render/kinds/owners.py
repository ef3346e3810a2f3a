"""Who owns the cells of a tile: the (thread, value) pairs of every cell, and how they are written."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.htuple import flatten, rank

from ..scene.sample import count

if TYPE_CHECKING:
    from collections.abc import Sequence

Owner: TypeAlias = tuple[int, int]
Owners: TypeAlias = list[tuple[Owner, ...]]
"""For every cell of a tile, by column-major index, its (thread, value) pairs in order."""

SHOWN = 4
"""So many owners of a cell are written out, one a line; more are given as ranges of threads."""


def tile_of(layout: Any, tile: Any) -> tuple[Any, Any]:
    """The (M,N) tile of a thread-value layout: as given, or what its coordinates reach. LC103 without either."""
    if tile is None:
        values = layout.values()
        flat = [flatten(v) for v in values] if values and isinstance(values[0], tuple) else []
        reached = [max(part) + 1 for part in zip(*flat, strict=True)] if len({len(v) for v in flat}) == 1 else []
        if 1 <= len(reached) <= 2:
            return reached[0] if len(reached) == 2 else 1, reached[-1]
        raise refuse(
            "LC103", "a thread-value picture of {layout} needs a tile, as in 8x8", op="draw", layout=str(layout)
        )
    if not isinstance(tile, tuple) or len(tile) != 2:
        raise refuse("LC103", "a tile has two extents, as in 8x8, not {given}", op="draw", given=str(tile)[:80])
    for extent in flatten(tile):
        if type(extent) is not int or extent < 1:
            raise refuse("LC103", "a tile has positive extents, not {given}", op="draw", given=str(tile)[:80])
    return tile[0], tile[1]


def owners_of(layout: Any, tile: tuple[Any, Any]) -> tuple[Owners, int]:
    """The owners of every cell, and how many (thread, value) pairs fall outside the tile.

    The layout maps (thread, value) to the column-major index in the tile or to its coordinate.
    """
    if rank(layout.shape) != 2:
        raise refuse(
            "LC103",
            "a thread-value layout has two modes, {layout} has {rank}",
            op="draw",
            layout=str(layout),
            rank=rank(layout.shape),
        )
    threads = count(layout.shape[0])
    rows, columns = count(tile[0]), count(tile[1])
    owners: list[list[Owner]] = [[] for _ in range(rows * columns)]
    outside = 0
    for k, at in enumerate(_indices(layout, tile, rows, columns)):
        if 0 <= at < rows * columns:
            owners[at].append((k % threads, k // threads))
        else:
            outside += 1
    return [tuple(sorted(o)) for o in owners], outside


def _indices(layout: Any, tile: tuple[Any, Any], rows: int, columns: int) -> list[int]:
    """The cell of every (thread, value) pair, -1 outside the tile."""
    values: list[Any] = layout.values()
    if not values or type(values[0]) is int:
        return values
    found = []
    modes = tuple(map(flatten, tile))
    for value in values:
        parts = value if len(value) == 2 else (0, value[0]) if len(value) == 1 else ()
        at, weight = 0, 1
        if not parts:
            at = -1
        for part, extents, extent in zip(parts, modes, (rows, columns), strict=False):
            entries = flatten(part)
            if len(entries) == 1 and 0 <= entries[0] < extent:
                at += entries[0] * weight
            elif len(entries) == len(extents) > 1 and all(0 <= e < s for e, s in zip(entries, extents, strict=True)):
                below = weight
                for e, s in zip(entries, extents, strict=True):
                    at += e * below
                    below *= s
            else:
                at = -1
                break
            weight *= extent
        found.append(at)
    return found


def owner_lines(own: Sequence[Owner], unit: str = "T") -> tuple[str, ...]:
    """The owners of a cell as text: all of them, many as ranges of threads; ``unit`` is what a thread is called.

    >>> owner_lines([(5, 1)]), owner_lines([(t, 0) for t in range(8)])
    (('T5', 'V1'), ('T0–7', 'V0'))
    """
    if len(own) == 1:
        return f"{unit}{own[0][0]}", f"V{own[0][1]}"
    threads, values = zip(*own, strict=True)
    if len(set(values)) == 1:
        return f"{unit}{ranges(threads)}", f"V{values[0]}"
    if len(own) <= SHOWN and len(set(threads)) > 1:
        return tuple(f"{unit}{t} V{v}" for t, v in own)
    by_value: dict[tuple[int, ...], list[int]] = {}
    by_thread: dict[int, list[int]] = {}
    for t, v in own:
        by_thread.setdefault(t, []).append(v)
    for t, vs in by_thread.items():
        by_value.setdefault(tuple(sorted(vs)), []).append(t)
    lines: list[str] = []
    for shown, ts in by_value.items():
        lines += [f"{unit}{ranges(tuple(sorted(ts)))}", f"V{ranges(shown)}"]
    return tuple(lines)


@lru_cache(maxsize=1024)
def ranges(numbers: tuple[int, ...]) -> str:
    """Increasing numbers as ranges; steps other than 1 are named.

    >>> ranges((0, 1, 2, 3, 8)), ranges((0, 4, 8, 12))
    ('0–3,8', '0–12:4')
    """
    parts, k = [], 0
    while k < len(numbers):
        end, step = k + 1, 0
        if end < len(numbers):
            step = numbers[end] - numbers[k]
            while end + 1 < len(numbers) and numbers[end + 1] - numbers[end] == step:
                end += 1
            end += 1
        if end - k < 3:
            parts.append(str(numbers[k]))
            k += 1
            continue
        parts.append(f"{numbers[k]}–{numbers[end - 1]}" + ("" if step == 1 else f":{step}"))
        k = end
    return ",".join(parts)
