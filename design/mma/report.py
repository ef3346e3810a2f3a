"""What people are told of a tiled MMA: instructions, arrangement, permutation, what ldmatrix pays, registers."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.record import Record

from .atoms import Named, Types
from .search import Block, Plan, search

__all__ = ["MmaReport", "mma_report"]

WARP = 32


class MmaReport(Record):
    """The best plan of each arrangement of the warps, best first, for the first of the instructions that apply."""

    block: Block
    types: Types
    atoms: tuple[Named, ...]
    plans: tuple[Plan, ...]

    @property
    def best(self) -> Plan:
        """The best plan."""
        return self.plans[0]

    def tiled(self, plan: Plan) -> str:
        """The tiled MMA of a plan as an expression."""
        m, n, k = plan.tile
        entries = [str(mode.permutation or extent) for mode, extent in ((plan.m, m), (plan.n, n))]
        return f'tiled_mma("{self.atoms[0][0]}", ({plan.m.warps},{plan.n.warps},1), <{entries[0]},{entries[1]},{k}>)'

    def registers(self, plan: Plan) -> tuple[int, int, int]:
        """32-bit registers a thread for the accumulators, and for A and B of one k step."""
        m, n, _ = self.block.extents
        high, wide = m // plan.m.warps, n // plan.n.warps
        c = high * wide * self.types.bits_of_accumulator
        a, b = (extent * plan.k * self.types.bits for extent in (high, wide))
        return c // (32 * WARP), a // (32 * WARP), b // (32 * WARP)

    def lines(self) -> list[str]:
        """The report as text."""
        best = self.best
        told = [self.tiled(best)]
        told.append(f"  applies: {', '.join(name for name, _ in self.atoms)}")
        told.append(f"  {self._loads(best)}")
        if best.m.permuted or best.n.permuted:
            told.append(f"  {self._price(best)}")
        c, a, b = self.registers(best)
        steps = self.block.extents[2] // best.k
        told.append(f"  registers a thread: {c} of C, {a} of A and {b} of B in each of {steps} k steps")
        if self.plans[1:]:
            told.append("other warps")
        for plan in self.plans[1:]:
            c, a, b = self.registers(plan)
            told.append(f"  {self.tiled(plan)}: {plan.wavefronts} wavefronts; {c} + {a} + {b} registers")
        return told

    def _loads(self, plan: Plan) -> str:
        conflicts = f", {plan.ideal} without conflicts" if plan.wavefronts > plan.ideal else ", no conflicts"
        return f"ldmatrix.x4 loads all of A and B in {plan.wavefronts} wavefronts{conflicts}"

    def _price(self, plan: Plan) -> str:
        """Why something is permuted, and what it costs."""
        free = search(self.block.replace(run=1))[0]
        mode, price = {"N": "columns", "M": "rows"}[self.block.along], plan.wavefronts - free.wavefronts
        cost = f"costs ldmatrix {price} wavefronts more" if price else "costs ldmatrix nothing"
        return f"the permutation keeps {self.block.run} neighbouring {mode} of C with a thread and {cost}"

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data for JSON."""
        return {
            "atoms": [name for name, _ in self.atoms],
            "plans": [
                {
                    "tiled_mma": self.tiled(plan),
                    "warps": [plan.m.warps, plan.n.warps],
                    "tile": list(plan.tile),
                    "permM": None if plan.m.permutation is None else str(plan.m.permutation),
                    "permN": None if plan.n.permutation is None else str(plan.n.permutation),
                    "wavefronts": plan.wavefronts,
                    "ideal": plan.ideal,
                    "registers": dict(zip("CAB", self.registers(plan), strict=True)),
                    "k_steps": self.block.extents[2] // plan.k,
                }
                for plan in self.plans
            ],
        }


def mma_report(block: Block, types: Types, atoms: list[Named]) -> MmaReport:
    """Search, and tell."""
    return MmaReport(block, types, tuple(atoms), tuple(search(block)))
