"""What people are told of a tiled copy: the layouts of threads and values, what they cost, and other ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from laycalc.algebra.base.record import Record

from .atoms import atom_for
from .search import Copy, Plan, ideal_of, search

__all__ = ["CopyReport", "copy_report"]

SHOWN = 6
"""Other arrangements of the lanes that are shown."""


class CopyReport(Record):
    """The best plan and the best of every other arrangement of the lanes, with the instruction that moves a vector."""

    copy: Copy
    plans: tuple[Plan, ...]
    atom: str

    @property
    def best(self) -> Plan:
        """The best plan."""
        return self.plans[0]

    @property
    def tiled(self) -> str:
        """The tiled copy as an expression."""
        plan = self.best
        thr, val = plan.arrangement.thread_layout(plan.warps), plan.arrangement.value_layout()
        return f'tiled_copy("{self.atom}", {thr}, {val}, {self.copy.bits})'

    @property
    def is_ideal(self) -> bool:
        """Do 16 bytes move at once, with the fewest sectors and wavefronts?"""
        sectors, wavefronts = ideal_of(self.copy)
        cost = self.best.cost
        return cost.vector == -16 and cost.sectors == sectors and cost.wavefronts == wavefronts

    def lines(self) -> list[str]:
        """The report as text."""
        plan, cost = self.best, self.best.cost
        sectors, wavefronts = ideal_of(self.copy)
        (wm, wn), (vm, vn) = plan.warps, plan.arrangement.values
        (lm, ln), tile = plan.arrangement.lanes, self.copy.tile
        block = f"{lm * wm * vm}x{ln * wn * vn}"
        sweeps = tile.rows * tile.columns // (self.copy.threads * vm * vn)
        elements = "1 element" if plan.vector == 1 else f"{plan.vector} elements"
        told = [
            f"threads {plan.arrangement.thread_layout(plan.warps)}  values {plan.arrangement.value_layout()}",
            f"  {-cost.vector} bytes at once ({elements}), {self.atom}",
            f"  {lm}x{ln} lanes, {wm}x{wn} warps, {vm}x{vn} values: blocks of {block}, {sweeps} of them",
        ]
        if sectors:
            told.append(f"  global: {cost.sectors} sectors, {sectors} ideal; {cost.lines} lines of 128 bytes")
        if wavefronts:
            told.append(f"  shared: {cost.wavefronts} wavefronts, {wavefronts} ideal{self._past()}")
        told += [f"  {line}" for line in self._narrow()]
        if self.plans[1:]:
            told.append("other lanes")
        for other in self.plans[1 : SHOWN + 1]:
            (lm, ln), (vm, vn) = other.arrangement.lanes, other.arrangement.values
            thr, val = other.arrangement.thread_layout(other.warps), other.arrangement.value_layout()
            costs = ", ".join(self._costs(other))
            told.append(f"  {lm}x{ln} lanes, {vm}x{vn} values: {costs}; {thr}, {val}")
        return told

    def _past(self) -> str:
        """What cp.async.cg spares."""
        return " (cp.async.cg goes past the banks: they cost it nothing)" if "CACHEGLOBAL" in self.atom else ""

    def _costs(self, plan: Plan) -> Iterator[str]:
        cost, ideal = plan.cost, ideal_of(self.copy)
        if ideal[0]:
            yield f"{cost.sectors} sectors"
        if ideal[1]:
            yield f"{cost.wavefronts} wavefronts"

    def _narrow(self) -> Iterator[str]:
        """Why no vector is wider: a side that does not hold it, or a tile that cannot be shared."""
        wide = -2 * self.best.cost.vector
        if wide > 16:
            return
        length = 8 * wide // self.copy.bits
        for name, side in (("source", self.copy.source), ("destination", self.copy.target)):
            if not any(side.holds(chunk) for chunk in side.chunks(length)):
                yield f"{wide} bytes are not neighbours or not aligned in the {name}"
                return
        tile = self.copy.tile
        yield f"vectors of {wide} bytes: {tile} cannot be shared evenly by {self.copy.threads} threads"

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data for JSON."""
        sectors, wavefronts = ideal_of(self.copy)
        return {
            "atom": self.atom,
            "tiled_copy": self.tiled,
            "ideal": {"sectors": sectors, "wavefronts": wavefronts},
            "plans": [
                {
                    "thr": str(plan.arrangement.thread_layout(plan.warps)),
                    "val": str(plan.arrangement.value_layout()),
                    "vec": plan.vector,
                    "bytes": -plan.cost.vector,
                    "sectors": plan.cost.sectors,
                    "wavefronts": plan.cost.wavefronts,
                    "lines": plan.cost.lines,
                }
                for plan in self.plans
            ],
        }


def copy_report(copy: Copy, arch: str) -> CopyReport:
    """Search, and keep the best of each arrangement of the lanes."""
    kept: dict[tuple[int, int], Plan] = {}
    for plan in search(copy, all_costs=True):
        kept.setdefault(plan.arrangement.lanes, plan)
    plans = tuple(kept.values())
    return CopyReport(copy, plans, atom_for(copy, plans[0].vector, arch))
