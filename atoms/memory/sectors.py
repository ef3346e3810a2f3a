"""Global-memory coalescing: how many 32-byte sectors and 128-byte lines one warp instruction touches.

The memory system moves whole sectors. With ``bytes`` the distinct bytes that the active lanes want,

    efficiency = bytes / (32 * sectors)

Source: CUDA C++ Best Practices Guide, coalesced access to global memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.record import Record

from ..instructions.refusal import argument
from .banks import Access, operation

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["LINE", "SECTOR", "SectorReport", "coalescing"]

SECTOR, LINE = 32, 128


class SectorReport(Record):
    """The traffic of warp instructions: sectors and lines touched, the least number of sectors that would do, distinct
    bytes.
    """

    sectors: int
    ideal: int
    lines: int
    bytes: int
    instructions: int

    @property
    def efficiency(self) -> float:
        """Wanted bytes over moved bytes, 1.0 at best; 0.0 if nothing is moved."""
        return self.bytes / (SECTOR * self.sectors) if self.sectors else 0.0

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data for JSON."""
        numbers = {"sectors": self.sectors, "ideal": self.ideal, "lines": self.lines, "bytes": self.bytes}
        return {**numbers, "instructions": self.instructions, "efficiency": round(self.efficiency, 6)}


def coalescing(found: Access | Iterable[Access], base: int = 0) -> SectorReport:
    """The sectors of one or several warp instructions on global memory; ``base`` is the byte address of offset 0.

    Instructions add up, each on its own. LC103 for matrix operations, which only shared memory has, or a negative base.

    >>> coalescing(Access("ld4", tuple(8 * t for t in range(32)))).efficiency
    0.5
    """
    if base < 0:
        raise argument("coalescing", "base address {base} is negative", base=base)
    total = [0, 0, 0, 0, 0]
    for access in (found,) if isinstance(found, Access) else found:
        op = operation(access.op)
        if op.matrices:
            raise argument("coalescing", "{name} does not access global memory", name=op.name)
        wanted = {base + a + i for _, a in access.active() for i in range(op.bytes)}
        one = (
            len({a // SECTOR for a in wanted}),
            -(-len(wanted) // SECTOR),
            len({a // LINE for a in wanted}),
            len(wanted),
            1,
        )
        total = [a + b for a, b in zip(total, one, strict=True)]
    return SectorReport(*total)
