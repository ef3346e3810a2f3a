"""The matrix instructions that apply to a machine and element types, by their names in the catalogue."""

from __future__ import annotations

from collections.abc import Iterator

from laycalc.algebra.base.record import Record
from laycalc.atoms.instructions.catalogue import entries
from laycalc.atoms.instructions.element_types import width

from ..smem.passes import fault

__all__ = ["Types", "types_of", "warp_atoms", "warpgroup_atoms"]

WARP, WARPGROUP = ("SM75", "SM80", "SM89"), ("SM90",)
"""The families of instructions of a warp and of a warpgroup; a machine has those of earlier machines, too."""
INTEGERS = ("s8", "u8", "s4", "u4")

Named = tuple[str, tuple[int, int, int]]
"""An instruction's name and its (M, N, K)."""


class Types(Record):
    """The element types of A and B, and of the accumulators."""

    operand: str
    accumulator: str

    @property
    def bits(self) -> int:
        """The bits of an element of A and B in memory."""
        return width(self.operand)

    @property
    def bits_of_accumulator(self) -> int:
        """The bits of an accumulator."""
        return width(self.accumulator)

    def __str__(self) -> str:
        return f"{self.operand} with accumulators of {self.accumulator}"


def types_of(operand: str, accumulator: str = "") -> Types:
    """The types of these names: f16, bf16, tf32, e4m3, s8, ...; accumulators are f32, of integers s32, unless said."""
    name = operand.lower()
    return Types(name, accumulator.lower() or ("s32" if name in INTEGERS else "f32"))


def warp_atoms(arch: str, types: Types, k: int) -> list[Named]:
    """The m16n8 instructions of a warp whose depth divides k, deepest first; LC103 if the machine has none."""
    found = [(name, shape) for name, shape in _atoms(arch, types, WARP) if shape[:2] == (16, 8) and k % shape[2] == 0]
    if not found:
        template = "{arch} has no m16n8 instruction on {types} whose depth divides {k}"
        raise fault(template, arch=arch, types=str(types), k=k)
    return sorted(found, key=lambda atom: -atom[1][2])


def warpgroup_atoms(arch: str, types: Types, n: int) -> list[Named]:
    """The wgmma instructions on operands in shared memory whose N divides n, widest first; only sm90 has them."""
    if arch != "sm90":
        return []
    found = [
        (name, shape)
        for name, shape in _atoms(arch, types, WARPGROUP)
        if shape[0] == 64 and n % shape[1] == 0 and name.endswith(("_SS", "_SS_TN"))
    ]
    return sorted(found, key=lambda atom: -atom[1][1])


def _atoms(arch: str, types: Types, families: tuple[str, ...]) -> Iterator[Named]:
    """The instructions of these families and types that a machine has, without options such as saturation."""
    machine = int(arch.removeprefix("sm"))
    for entry in entries():
        family, kinds = entry.name.partition("_")[0], entry.types
        if family in families and int(family[2:]) <= machine and kinds is not None and entry.shape is not None:
            same = (types.operand, types.operand, types.accumulator) == (kinds.A, kinds.B, kinds.D)
            if same and entry.name.endswith(("_TN", "_SS")):
                yield entry.name, entry.shape
