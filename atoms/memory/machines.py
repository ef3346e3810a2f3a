"""Machines by name: how many banks and lanes they have, which lanes a pass serves, and how that is known.

NVIDIA, 32 banks of 4 bytes and warps of 32: the rule was measured on sm90; the others have the same banks by the CUDA
programming guide, and are taken to have the same passes.

AMD, waves of 64: gfx942 has 32 banks, gfx950 has 64 (4 bytes each). Which lanes a phase serves is documented, not
measured here: ROCm's "Understanding AMD GPU LDS and Bank Conflicts" (ds_write_b128), and the AMDGPU kernel optimization
guide of amd-shark-ai, whose authors work at AMD (reads, and writes of gfx942).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from laycalc.algebra.base.record import Record

from ..instructions.refusal import argument

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["DEFAULT", "Machine", "machine", "phases"]

DEFAULT = "sm90"
"""The machine that is meant where none is named: the one that was measured."""

Passes = tuple["Sequence[int]", ...]


class Machine(Record):
    """A machine: its banks of 4 bytes, the lanes of a warp (AMD: a wave), and whether its rule was measured here."""

    name: str
    banks: int
    lanes: int
    measured: bool
    known: str

    @property
    def amd(self) -> bool:
        """Is it one of AMD's?"""
        return self.name.startswith("gfx")

    @property
    def number(self) -> int:
        """80 for sm80: what an instruction needs at least."""
        return int(self.name[2:]) if not self.amd else 0


_SM = ("70", "72", "75", "80", "86", "87", "89", "90", "100", "101", "103", "110", "120", "121")
_OTHERS = "32 banks by NVIDIA's documentation, the passes of sm90; not measured"
_MACHINES = {
    f"sm{n}": Machine(f"sm{n}", 32, 32, n == "90", "measured on an H200" if n == "90" else _OTHERS) for n in _SM
} | {
    "gfx942": Machine("gfx942", 32, 64, False, "32 banks, phases by AMD's documentation; not measured"),
    "gfx950": Machine("gfx950", 64, 64, False, "64 banks, phases by AMD's documentation; not measured"),
}
_ALSO = {"mi300": "gfx942", "mi300a": "gfx942", "mi300x": "gfx942", "mi325x": "gfx942"} | {
    "mi350x": "gfx950",
    "mi355x": "gfx950",
}


def machine(name: str) -> Machine:
    """The machine of a name such as sm90, sm_90a, gfx942 or MI300X; LC103 for one whose banks are not known.

    >>> machine("gfx950").banks, machine("sm_90a").known
    (64, 'measured on an H200')
    """
    plain = name.lower().replace("_", "")
    plain = _ALSO.get(plain, plain)
    if suffixed := re.fullmatch(r"(sm\d+)[af]", plain):
        plain = suffixed[1]
    if plain not in _MACHINES:
        template = "the banks of {name!r} are not known; known are {known}"
        raise argument("banks", template, name=name, known=", ".join(_MACHINES))
    return _MACHINES[plain]


_GFX942_READ_16 = tuple(
    (*range(half + a, half + a + 4), *range(half + b, half + b + 4))
    for a, b in ((0, 20), (4, 16), (8, 28), (12, 24))
    for half in (0, 32)
)
_GFX950_READ_16 = tuple(
    tuple(half + start + i for start in starts for i in range(4))
    for starts in ((0, 12, 20, 24), (4, 8, 16, 28))
    for half in (0, 32)
)


def phases(name: str, width: int, load: bool) -> Passes:
    """The lanes of each phase of an AMD machine, for ``width`` bytes a lane; LC103 where no document says so."""
    if width == 16 and load:
        return _GFX942_READ_16 if name == "gfx942" else _GFX950_READ_16
    if width < 16 and not load and name == "gfx950":
        template = "no document says which lanes a phase of ds_write_b{bits} serves on {name}"
        raise argument("banks", template, bits=8 * width, name=name)
    # Reads of gfx950 move 256 bytes a phase, all else 128.
    lanes = (256 if load and name == "gfx950" else 128) // max(width, 4)
    return tuple(range(i, i + lanes) for i in range(0, 64, lanes))
