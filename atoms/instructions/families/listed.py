"""Matrix instructions without a rule, from data: NVIDIA's scalar and quad-pair forms, Intel's DPAS and AMX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data_lines import integers, rows
from ..evidence import CUTLASS, LOWERED, NOT_RUN, ON_HARDWARE
from ..family import Family
from ..record import Atom, Entry, Types, read_layout

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["aliases", "atom", "entries"]

FAMILY = Family(place=1, sought=2)

_DP2A = (
    "B is four packed s8; .lo takes bytes 0,1 and .hi bytes 2,3. The hardware's B is 4 x s8, not the 2 x s16 of CuTe's"
    " model, and ptxas wants .lo or .hi."
)
_AMX = (
    "A, B, C use plain logical value order. tile_order gives the order inside the tile register, row by row: A rows are"
    " K-contiguous; B is VNNI packed (the consecutive k of a 32-bit group, then n, then the k group); C is row-major."
)
_DPAS = "Khronos cl_intel_subgroup_matrix_multiply_accumulate"


def entries() -> Iterator[Entry]:
    """The entries of the listed atoms, in the order of the data."""
    for row in rows("mma.tsv", 15):
        m, n, k = integers(row[2])
        vendor, arch = row[1].split()
        a, b, c = row[4].split()
        threads = read_layout(row[3]).size
        yield Entry(row[0], vendor, arch, "mma", (m, n, k), threads, Types(a, b, c, c), "listed", row)


def aliases(entry: Entry) -> tuple[str, ...]:
    """The other names of an atom."""
    cpp, others = entry.key[9], entry.key[10]
    return tuple(filter(None, (cpp, *others.split(";"))))


def atom(entry: Entry) -> Atom:
    """The atom of an entry."""
    row = entry.key
    order = tuple(map(read_layout, row[12:15])) if row[12] else None
    status, evidence, note = _confirmation(entry)
    memory = "tile registers" if entry.arch == "AMX" else "registers"
    return Atom(
        name=entry.name,
        vendor=entry.vendor,
        arch=entry.arch,
        kind="mma",
        shape=entry.shape,
        threads=entry.threads,
        types=entry.types,
        thr_id=read_layout(row[3]),
        A=read_layout(row[5]),
        B=read_layout(row[6]),
        C=read_layout(row[7]),
        ptx=(row[8],) if row[8] else (),
        cpp=row[9] or (entry.name if entry.vendor == "nvidia" else ""),
        aliases=aliases(entry),
        family=row[11],
        places=(memory, memory, memory),
        architectures=(entry.arch,),
        tile_order=(order[0], order[1], order[2]) if order else None,
        note=note,
        status=status,
        evidence=evidence,
    )


def _confirmation(entry: Entry) -> tuple[str, str, str]:
    if entry.arch == "AMX":
        return "specification", f"Intel ISA reference semantics. {NOT_RUN}", _AMX
    if entry.vendor == "intel":
        function = _DPAS + ("_tf32" if "TF32" in entry.name else "")
        return "specification", f"{function}; sub-group-16 forms equal CUTLASS-SYCL. {NOT_RUN}", ""
    if entry.name == "SM61_DP2A":
        return (
            "differs",
            f"{CUTLASS} On an H200 2 x 4096 random operands match the reading in the note.",
            _DP2A,
        )
    if entry.arch == "SM61":
        return "hardware", f"{CUTLASS} {ON_HARDWARE}", ""
    if entry.arch == "SM70":
        return "hardware", f"{CUTLASS} {ON_HARDWARE}{LOWERED}", ""
    return "source", f"{CUTLASS} {NOT_RUN}", ""
