"""Which boxes of a tensor map fill a tile of shared memory, and where each begins.

A box lands as rows of P bytes, P the span of the swizzle: its innermost mode is a run of neighbours, each further mode
continues the one before. What the tile has beyond that are further boxes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

from laycalc.algebra.base.effort import spend
from laycalc.algebra.base.record import Record
from laycalc.algebra.values.coalesce import coalesce
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..instructions.refusal import argument, concrete
from .canonical import Leaves, leaves
from .tensor_global import Dimension, dimensions
from .tensor_map import SPANS

__all__ = ["Filling", "filling"]


class Part(NamedTuple):
    """What a mode has beyond one box: how often, the step of the coordinate, and that in shared memory, in elements."""

    times: int
    coordinate: int
    place: int


class Filling(Record):
    """The boxes that fill a tile.

    ``box`` is innermost first; ``origins`` are the coordinates of the first elements, innermost first too, and
    ``places`` where they lie in shared memory, in bytes.
    """

    box: tuple[int, ...]
    swizzle: str
    origins: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many boxes there are."""
        return len(self.places)


def filling(layout: Any, smem: Any, bits: int, box: Sequence[int] = ()) -> Filling:
    """The largest boxes of a global layout that fill ``smem``, a layout of the same modes; or those of ``box``.

    LC103 if no boxes do.

    >>> tile = Layout(((8, 16), (8, 2)), ((8, 64), (1, 1024)))
    >>> filling(Layout((512, 64), (64, 1)), tile, 16).box
    (8, 128)
    """
    dims = dimensions(layout)
    start, plain, swizzle = _shared(smem, bits)
    concrete("tma", plain)
    if sorted(d.mode for d in dims) != list(range(plain.rank)):
        raise argument(
            "tma", "a tile has one mode for each of the {count} dimensions of global memory, {smem} has {rank}",
            count=len(dims), smem=str(smem), rank=plain.rank,
        )  # fmt: skip
    modes = [leaves(coalesce(plain[d.mode])) for d in dims]
    if box and len(box) != len(dims):
        raise argument("tma", "a box has {count} extents, not {box}", count=len(dims), box=str(tuple(box)))
    counts = _counts(dims, modes, bits, swizzle, box)
    parts = [_beyond(mode, n) for mode, n in zip(modes, counts, strict=True)]
    return _boxes(counts, parts, start, bits, swizzle)


def _shared(smem: Any, bits: int) -> tuple[int, Layout, str]:
    """Where the tile begins in elements, its strided layout and its swizzle; LC103 for a pattern that TMA has not."""
    origin: Any = 0
    if isinstance(smem, Tensor):
        origin, smem = smem.offset, smem.layout
    if not isinstance(smem, Composed) or not smem.swizzle.bits:
        start, plain = (smem.offset, smem.layout) if isinstance(smem, Composed) else (0, smem)
        if not isinstance(plain, Layout) or plain.semimodule != "Z":
            raise argument("tma", "shared memory is a layout with integer strides, not {smem}", smem=str(smem))
        return origin + start, plain, "none"
    found, unit = smem.swizzle, 128 // bits
    if found.bits > 3 or (found.base, found.shift) != (unit.bit_length() - 1, 3):
        counted = "; this one counts bytes" if (found.base, found.shift) == (4, 3) else ""
        raise argument(
            "tma", "TMA swizzles elements of {bits} bits by Sw<1|2|3,{base},3>, not by {swizzle}{counted}",
            bits=bits, base=unit.bit_length() - 1, swizzle=str(found), counted=counted,
        )  # fmt: skip
    swizzle = ("32B", "64B", "128B")[found.bits - 1]
    if origin * bits % (64 * SPANS[swizzle]):
        raise argument(
            "tma", "the pattern begins at element {origin}: TMA swizzles by the address, in patterns of {bytes} bytes",
            origin=origin, bytes=8 * SPANS[swizzle],
        )  # fmt: skip
    return origin + smem.offset, smem.layout, swizzle


def _counts(
    dims: Sequence[Dimension], modes: list[Leaves], bits: int, swizzle: str, box: Sequence[int]
) -> tuple[int, ...]:
    """The extents of the box: as large as each mode goes on where the one before ends, or those that are wanted."""
    span = SPANS[swizzle] * 8 // bits
    first = modes[0][0] if modes[0] else (1, 1)
    if first[1] != 1:
        raise argument(
            "tma", "mode {mode} is contiguous in global memory, in shared memory its elements lie {stride} apart",
            mode=dims[0].mode, stride=first[1],
        )  # fmt: skip
    counts = [_taken(first[0], span or 256, 128 // bits, box[0] if box else 0)]
    place = span or counts[0]
    for i, mode in enumerate(modes[1:], 1):
        goes_on = bool(mode) and mode[0][1] == place
        wanted = box[i] if box else 0
        if wanted > 1 and not goes_on:
            raise argument(
                "tma", "mode {mode} of the tile steps by {stride} elements, rows of a box by {place}",
                mode=dims[i].mode, stride=mode[0][1] if mode else 0, place=place,
            )  # fmt: skip
        counts.append(_taken(mode[0][0], 256, 1, wanted) if goes_on else 1)
        place *= counts[-1]
    return tuple(counts)


def _taken(extent: int, most: int, unit: int, wanted: int) -> int:
    """The largest part of a run that a box takes, in whole units; or the part that is wanted."""
    choices = [n for n in range(min(extent, most), 0, -1) if extent % n == 0 and n % unit == 0]
    if wanted in choices or (not wanted and choices):
        return wanted or choices[0]
    raise argument(
        "tma", "no box has {wanted} of a run of {extent} elements: it takes a divisor up to {most}, in units of {unit}",
        wanted=wanted or "a part", extent=extent, most=most, unit=unit,
    )  # fmt: skip


def _beyond(mode: Leaves, count: int) -> list[Part]:
    """What is left of a mode when a box has taken ``count`` elements of its first run."""
    if not mode:
        return []
    (extent, stride), *rest = mode
    found = [Part(extent // count, count, stride * count)]
    seen = extent
    for more, step in rest:
        found.append(Part(more, seen, step))
        seen *= more
    return [part for part in found if part.times > 1]


def _boxes(counts: tuple[int, ...], parts: list[list[Part]], start: int, bits: int, swizzle: str) -> Filling:
    """All boxes in order, the outermost mode slowest."""
    spend(prod(part.times for mode in parts for part in mode))
    along = [_along(mode) for mode in parts]
    origins, places = [], []
    for steps in product(*reversed(along)):
        origins.append(tuple(coordinate for coordinate, _ in reversed(steps)))
        places.append((start + sum(place for _, place in steps)) * bits // 8)
    crooked = next((place for place in places if place % 128), None)
    if crooked is not None:
        raise argument(
            "tma", "a box would begin at byte {place} of shared memory: a copy needs a multiple of 128", place=crooked
        )
    return Filling(counts, swizzle, tuple(origins), tuple(places))


def _along(mode: list[Part]) -> list[tuple[int, int]]:
    """(coordinate, place) of every box along a mode."""
    found = [(0, 0)]
    for part in mode:
        found = [(c + i * part.coordinate, p + i * part.place) for i in range(part.times) for c, p in found]
    return found
