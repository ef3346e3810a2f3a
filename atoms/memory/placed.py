"""A layout as memory sees it: a tile whose elements have offsets, the addresses of vectors, and the layout over F2."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import LayoutError, refuse
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..instructions.refusal import argument, concrete
from .walks import Tile, Walk, walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .pattern import Pattern

__all__ = ["LIMIT", "Placed"]

LIMIT = 1 << 19
"""Elements of a layout whose accesses are listed."""


class Placed:
    """A layout with what several accesses ask of it, each found once."""

    def __init__(self, layout: Layout | Composed | Tensor) -> None:
        concrete("banks", layout)
        self.layout = layout
        modes = layout.shape if isinstance(layout.shape, tuple) else (layout.shape,)
        shape = (*[1] * (2 - len(modes)), *modes)
        if (count := int(size(shape))) > LIMIT:
            raise refuse("LC104", "{size} elements are more than {limit}", op="banks", size=count, limit=LIMIT)
        rows, columns = int(size(shape[0])), int(size(shape[1]))
        self.tile = Tile(rows, columns, count // (rows * columns) if count else 1)

    def __str__(self) -> str:
        return str(self.layout)

    @cached_property
    def offsets(self) -> list[int]:
        """The offset of every element in order of the index; LC103 for values that are no integers."""
        return _element_offsets(self.layout)

    @cached_property
    def columns(self) -> list[int] | None:
        """What each bit of the index adds to the offset by XOR, None if the layout is not linear over F2.

        Law: offsets[i] = offsets[0] XOR the columns of the bits of i.
        """
        plain = self.layout.layout if isinstance(self.layout, Composed) else self.layout
        if not isinstance(plain, Layout) or plain.semimodule != "Z" or self._start is None:
            return None
        found: list[int] = []
        for extent, stride in zip(*plain.flat(), strict=True):
            if extent & (extent - 1) or stride < 0:
                return None
            found += [stride << k for k in range(extent.bit_length() - 1)]
        taken = self._start
        for column in found:
            if column & taken:
                return None  # a sum that carries is no XOR
            taken |= column
        return [self._moved(c) for c in found]

    @property
    def _start(self) -> int | None:
        offset = self.layout.offset if isinstance(self.layout, Composed) else 0
        return offset if isinstance(offset, int) and offset >= 0 else None

    @property
    def origin(self) -> int:
        """The offset of the first element."""
        return self.offsets[0] if self.columns is None else self._moved(self._start or 0)

    def _moved(self, offset: int) -> int:
        return self.layout.swizzle(offset) if isinstance(self.layout, Composed) else offset

    def walk(self, pattern: Pattern) -> Walk:
        """The instructions of a pattern, the elements of a lane along the direction that is contiguous here."""
        if pattern.lanes == "tv" and pattern.fragment is None and self.layout.rank != 2:
            template = "{layout} is no thread-value layout: it has {rank} modes"
            raise argument("banks", template, layout=str(self), rank=self.layout.rank)
        return walk(pattern, self.tile, self.direction(pattern))

    def direction(self, pattern: Pattern) -> int:
        """1 if the elements of a lane lie along a row, 0 if down a column."""
        if pattern.along is not None:
            return pattern.along
        run, tile = pattern.run, self.tile
        if run == 1 and not pattern.matrices:
            return 1
        choices = (1,) if pattern.lanes == "tv" else (1, 0)
        for along in choices:
            extent, step = tile[along], tile.step(along)
            if extent > 1 and all(self.offsets[step * i] == self.offsets[0] + i for i in range(min(run, extent))):
                return along
        along = 1 if tile.columns > 1 else 0
        raise self.fault(0, [tile.step(along) * i for i in range(min(run, tile[along]))], pattern)

    def fault(self, start: int, inside: Sequence[int], pattern: Pattern) -> LayoutError:
        """LC313: the elements of a vector are not neighbours."""
        return refuse(
            "LC313",
            "the {run} elements from ({row},{column}) are not neighbours in {layout}: their offsets are {offsets}",
            op="banks",
            run=pattern.run,
            row=start % self.tile.rows,
            column=start // self.tile.rows,
            layout=str(self),
            offsets=", ".join(str(self.offsets[start + i]) for i in inside[:8]),
        )

    def address(self, start: int, inside: Sequence[int], pattern: Pattern) -> int:
        """The byte offset of the vector that starts at an index, after checking that it is one."""
        first = self.offsets[start]
        for i, step in enumerate(inside):
            if self.offsets[start + step] != first + i:
                raise self.fault(start, inside, pattern)
        bits, width = first * pattern.bits, pattern.bytes
        if first < 0 or bits % (8 * width):
            raise argument(
                "banks",
                "the vector at ({row},{column}) of {layout} starts at byte {byte}, no multiple of its {width} bytes",
                row=start % self.tile.rows,
                column=start // self.tile.rows,
                layout=str(self),
                byte=bits / 8 if bits % 8 else bits // 8,
                width=width,
            )
        return bits // 8

    def label(self, starts: Sequence[int | None]) -> str:
        """The first and the last element that an instruction addresses."""
        active = [i for i in starts if i is not None]
        return " to ".join(map(self.tile.place, (active[0], active[-1]))) if active else ""


def _element_offsets(layout: Layout | Composed | Tensor) -> list[int]:
    if isinstance(layout, Tensor):
        inner = [0] if layout.layout is None else _element_offsets(layout.layout)
        found: list[Any] = [layout.offset + v for v in inner] if isinstance(layout.offset, int) else [layout.offset]
    else:
        found = layout.elements() if isinstance(layout, Composed) else layout.values()
    if not all(isinstance(v, int) for v in found):
        raise argument("banks", "the values of {layout} are no offsets in memory", layout=str(layout))
    return found
