"""From a layout and a way to access it to the warp instructions that do so, and what they cost together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.record import Record

from ..instructions.refusal import argument
from .banks import Access, BankReport, bank_conflicts
from .cp_async import CopyAccess, CopyReport, copy_conflicts
from .pattern import ORDERS, Pattern
from .placed import Placed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from laycalc.algebra.values.layout import Layout
    from laycalc.algebra.values.swizzle import Composed
    from laycalc.algebra.values.tensor import Tensor

__all__ = ["ORDERS", "Pattern", "Survey", "accesses", "bank_survey", "copies", "survey"]


class Survey(Record):
    """The reports of every warp instruction of a pattern."""

    reports: tuple[BankReport | CopyReport, ...]

    @property
    def wavefronts(self) -> int:
        """All wavefronts together."""
        return sum(r.wavefronts or 0 for r in self.reports)

    @property
    def ideal(self) -> int:
        """All passes together."""
        return sum(r.attainable for r in self.reports)

    @property
    def degree(self) -> int:
        """The worst conflict of any pass, 1 if there is none."""
        return max((r.degree for r in self.reports), default=0)

    @property
    def free(self) -> bool:
        """No instruction conflicts."""
        return all(r.free for r in self.reports)

    @property
    def sectors(self) -> int | None:
        """The requests of sectors where ``.cg`` copies, else None."""
        found = [r.sectors for r in self.reports if isinstance(r, CopyReport) and r.sectors is not None]
        return sum(found) if found else None

    @property
    def ideal_sectors(self) -> int:
        """The fewest requests that ``.cg`` needs for what it writes."""
        return sum(r.ideal_sectors or 0 for r in self.reports if isinstance(r, CopyReport))

    @property
    def worst(self) -> BankReport | CopyReport | None:
        """The dearest instruction, the first one of several."""
        return max(self.reports, key=_dear, default=None)

    def as_dict(self) -> dict[str, Any]:
        """Totals, and the report of the dearest instruction, as plain data for JSON."""
        worst = self.worst
        sectors = {} if self.sectors is None else {"sectors": self.sectors, "ideal_sectors": self.ideal_sectors}
        return {
            "instructions": len(self.reports),
            "wavefronts": self.wavefronts,
            "ideal": self.ideal,
            "degree": self.degree,
            "free": self.free,
            **sectors,
            "worst": {"label": worst.access.label, **worst.as_dict()} if worst else None,
        }


def _dear(report: BankReport | CopyReport) -> tuple[int, int]:
    return report.wavefronts or 0, (report.sectors or 0) if isinstance(report, CopyReport) else 0


def survey(found: Iterable[Access]) -> Survey:
    """The bank conflicts of several warp instructions."""
    return Survey(tuple(map(bank_conflicts, found)))


def bank_survey(layout: Layout | Composed | Tensor | Placed, pattern: Pattern) -> Survey:
    """The bank conflicts of a layout read by a pattern.

    >>> from laycalc.algebra.values.layout import Layout
    >>> bank_survey(Layout((32, 32), (32, 1)), Pattern(32, lanes="column")).degree
    32
    """
    if pattern.copy:
        return Survey(tuple(map(copy_conflicts, copies(layout, pattern))))
    return survey(accesses(layout, pattern))


def accesses(layout: Layout | Composed | Tensor | Placed, pattern: Pattern) -> list[Access]:
    """The warp instructions that read (or write) the whole layout once, in order.

    LC313 where a vector's elements are not neighbours in memory, LC314 where vectors, matrices or blocks do not tile
    the layout, LC103 where a vector is not aligned, LC104 for more than 2^18 elements.
    """
    placed = layout if isinstance(layout, Placed) else Placed(layout)
    walk = placed.walk(pattern)
    found = []
    for starts in walk.instructions:
        offsets = tuple(None if s is None else placed.address(s, walk.inside, pattern) for s in starts)
        found.append(Access(walk.op, offsets, placed.label(starts)))
    return found


def copies(layout: Layout | Composed | Tensor | Placed, pattern: Pattern) -> list[CopyAccess]:
    """The cp.async of every warp that writes the layout once: where each lane writes, and where it reads.

    The errors of `accesses`, for the layout and for the source; LC103 if the source is no layout of the same tile.
    """
    placed = layout if isinstance(layout, Placed) else Placed(layout)
    walk = placed.walk(pattern)
    source = None if pattern.source is None else Placed(pattern.source)
    if source is not None and source.tile != placed.tile:
        template = "the source {source} is no tile of {tile}"
        raise argument("banks", template, source=str(source), tile=str(placed.tile))
    found, dense = [], 0
    for access, starts in zip(accesses(placed, pattern), walk.instructions, strict=True):
        reads: list[int | None] = []
        for start in starts:
            if start is None:
                reads.append(None)
            elif source is not None:
                reads.append(source.address(start, walk.inside, pattern))
            else:
                reads.append(dense)
                dense += pattern.bytes
        found.append(CopyAccess(access.op, access.offsets, tuple(reads), label=access.label))
    return found
