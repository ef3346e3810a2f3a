"""Wavefronts of tiles with unknown extents or pitches: counted at one multiple, and in proportion to the size.

Let P be a multiple of what moves an access by whole lines of banks and whole periods of the swizzle. Where every
unknown is a multiple of P, the lanes of an instruction meet the same banks as where it is P, and there are as many more
instructions as there are more elements. Law, held against tiles that are two and three times as long:

    wavefronts(k*P) / size(k*P) = wavefronts(P) / size(P)
"""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.base.record import Record
from laycalc.algebra.symbolic.values import at, numbers
from laycalc.algebra.values.swizzle import Composed

from ..memory.cost import wavefronts
from ..memory.placed import LIMIT, Placed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..memory.pattern import Pattern

__all__ = ["Sampled", "sampled"]


class Sampled(Record):
    """The layout with ``multiple`` for each of the unknowns ``names``; the counts hold for its multiples."""

    layout: Any
    names: tuple[str, ...]
    multiple: int

    def __str__(self) -> str:
        names = ", ".join(self.names)
        return f"{names}: counted at {self.multiple}; for its multiples in proportion to the size"

    def as_dict(self) -> dict[str, Any]:
        """The unknowns as plain data for JSON."""
        return {"names": list(self.names), "multiple": self.multiple, "layout": str(self.layout)}


def sampled(layout: Any, patterns: Sequence[Pattern]) -> Sampled | None:
    """A layout whose counts are those of all multiples; None if there is nothing unknown, or nothing to count.

    LC106 where the counts are not in proportion, and where a tile would have more than 2^18 elements.
    """
    names = tuple(sorted({name for p in numbers(layout) for name in p.symbols}))
    if not names or not patterns:
        return None
    multiple = lcm(1, *(_period(layout, pattern) for pattern in patterns))
    sizes: dict[int, int] = {}
    counts: dict[int, list[tuple[int, int]]] = {}
    for times in (1, 2, 3):
        made = at(layout, dict.fromkeys(names, times * multiple))
        if made.size > LIMIT and times > 1:
            break
        placed = Placed(made)
        sizes[times], counts[times] = made.size, [wavefronts(placed, pattern) for pattern in patterns]
    for times, found in counts.items():
        for one, many in zip(counts[1], found, strict=True):
            if any(a * sizes[times] != b * sizes[1] for a, b in zip(one, many, strict=True)):
                template = "{op} needs the values of {unknown} in {layout}: the count is not in proportion to the size"
                raise refuse("LC106", template, op="banks", unknown=", ".join(names), layout=str(layout))
    return Sampled(at(layout, dict.fromkeys(names, multiple)), names, multiple)


def _period(layout: Any, pattern: Pattern) -> int:
    """Elements that move an access by whole lines of banks and whole periods of the swizzle."""
    line = 8 * 4 * pattern.machine.banks // pattern.bits
    return lcm(max(line, 1), layout.swizzle.period if isinstance(layout, Composed) else 1, pattern.run)
