"""How the layouts of the catalogue were confirmed, in words (see `laycalc.atoms.instructions.record.Atom`)."""

from __future__ import annotations

__all__ = ["AMD_CALCULATOR", "CUTLASS", "LOWERED", "NOT_RUN", "ON_HARDWARE"]

CUTLASS = "CUTLASS 4.7 traits printed by C++; register operands equal the fragment formulas of the PTX ISA."
ON_HARDWARE = "Confirmed element by element on an H200 (sm_90, CUDA 13.0)."
NOT_RUN = "Not run on hardware."
LOWERED = " On sm_90 the assembler emulates this form; the layout of the lowered code was confirmed."
AMD_CALCULATOR = "AMD's matrix instruction calculator: every lane, register slot and element."
