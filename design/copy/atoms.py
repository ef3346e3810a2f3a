"""The instruction that carries a vector from one memory to another, by its name in the catalogue."""

from __future__ import annotations

from .search import Copy

__all__ = ["atom_for"]

ASYNC = {4: "CACHEALWAYS", 8: "CACHEALWAYS", 16: "CACHEGLOBAL"}


def atom_for(copy: Copy, vector: int, arch: str) -> str:
    """cp.async from global to shared memory where the machine has it and the vector is wide enough, else a plain copy.

    ``arch`` is sm70, sm75, sm80, ...
    """
    wide = vector * copy.bits // 8
    down = copy.source.space == "global" and copy.target.space == "shared"
    if down and wide in ASYNC and arch not in ("sm70", "sm75"):
        return f"SM80_CP_ASYNC_{ASYNC[wide]}_{wide}B"
    return f"UniversalCopy_{8 * wide}b"
