"""Between shared memory and the registers of a tiled MMA: ldmatrix, stmatrix, or plain accesses, by what they cost."""

from __future__ import annotations

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.atoms.accesses.tiled_access import tiled_access
from laycalc.atoms.instructions.catalogue import atom
from laycalc.atoms.memory.cost import wavefronts
from laycalc.atoms.memory.placed import Placed
from laycalc.atoms.tiling.copy_tiling import tiled_copy_A, tiled_copy_B, tiled_copy_C
from laycalc.atoms.tiling.mma_tiling import TiledMMA

from ..smem.passes import fault

__all__ = ["OperandCopy", "operand_copies"]

LOADS = (
    *("SM75_U32x4_LDSM_N", "SM75_U32x2_LDSM_N", "SM75_U32x1_LDSM_N"),
    *("SM75_U16x8_LDSM_T", "SM75_U16x4_LDSM_T", "SM75_U16x2_LDSM_T"),
)
STORES = (
    *("SM90_U32x4_STSM_N", "SM90_U32x2_STSM_N", "SM90_U32x1_STSM_N"),
    *("SM90_U16x8_STSM_T", "SM90_U16x4_STSM_T", "SM90_U16x2_STSM_T"),
)
PLAIN = (128, 64, 32, 16, 8)
TILED = {"A": tiled_copy_A, "B": tiled_copy_B, "C": tiled_copy_C}


class OperandCopy(Record):
    """A copy of an operand by one instruction: how often a warp issues it, and its wavefronts."""

    atom: str
    operand: str
    bits: int
    wavefronts: int
    ideal: int

    def tiled(self, mma: str) -> str:
        """The tiled copy as an expression, for a tiled MMA of that text."""
        return f'tiled_copy_{self.operand}("{self.atom}", {mma}, {self.bits})'


def operand_copies(
    mma: TiledMMA, operand: str, layout: Layout | Composed, bits: int, arch: str, *, store: bool
) -> list[OperandCopy]:
    """The instructions that carry an operand between a layout in shared memory and the registers, best first.

    Fewest wavefronts win, then the widest instruction. LC103 if none does: the layout must be of whole tiles.
    """
    machine, found = int(arch.removeprefix("sm")), []
    for name in (*(STORES if store else LOADS), *(f"UniversalCopy_{wide}b" for wide in PLAIN if wide >= bits)):
        family = name.partition("_")[0]
        if family.startswith("SM") and int(family[2:]) > machine:
            continue
        try:
            pattern = tiled_access(TILED[operand](atom(name), mma, bits), bits, store)
            cost, ideal = wavefronts(Placed(layout), pattern)
        except LayoutError:
            continue  # not the registers of this operand, or not its neighbours in this layout
        found.append(OperandCopy(name, operand, bits, cost, ideal))
    if not found:
        template = "no instruction carries {operand} of {mma} by {layout}: it is no layout of whole tiles"
        raise fault(template, operand=operand, mma=str(mma), layout=str(layout))
    return sorted(found, key=lambda copy: copy.wavefronts)
