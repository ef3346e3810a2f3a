"""AMD's matrix instructions: MFMA and SMFMAC of CDNA by rule, WMMA and SWMMAC of RDNA from data.

CDNA, M = N rows over 64 lanes in g = 64/M groups, D elements of depth in all (K, or K*blocks), p = D/g values a lane:

    A, B   ((M,g),p) : ((1,M*p),M)        a lane holds p neighbours in k, at most 128 bits at a stretch
    C      M = 32: ((32,2),(4,4,blocks)) : ((32,4),(1,8,1024))
           M = 16: ((16,4),(4,blocks)) : ((16,4),(1,256))      M = 4: (64,4) : (4,1)

Sparse A holds K/2 kept values and its index E one 4-bit field for four k. Source: AMD matrix instruction calculator,
274,816 elements compared; CDNA4 from AMD's public documents, Composable Kernel and Triton.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from laycalc.algebra.values.layout import Layout

from ..data_lines import integers, rows
from ..element_types import width
from ..evidence import AMD_CALCULATOR, NOT_RUN
from ..family import Family
from ..record import Atom, Entry, Types, modes, read_layout

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["aliases", "atom", "entries"]

FAMILY = Family(place=5, sought=4)

TARGETS = {
    "CDNA1": "gfx908",
    "CDNA2": "gfx90a",
    "CDNA3": "gfx942",
    "CDNA4": "gfx950",
    "RDNA3": "gfx11xx",
    "RDNA4": "gfx12xx",
}


def entries() -> Iterator[Entry]:
    """The entries of AMD's atoms, in the order of the data."""
    for row in rows("amd.tsv", 11):
        name, architectures, numbers, threads, types, *_ = row
        m, n, k, *_ = integers(numbers)
        a, b, c = types.split()
        arch, *later = architectures.split()
        types_ = Types(a, b, c, c)
        yield Entry(name, "amd", arch, "mma", (m, n, k), int(threads), types_, "amd", row, tuple(later))


def aliases(entry: Entry) -> tuple[str, ...]:
    """The instructions that only this atom describes, and other names in use."""
    instructions, others = entry.key[5].split(), entry.key[6].split()
    own = () if entry.arch in ("CDNA4", "RDNA3", "RDNA4") else tuple(instructions)
    return (*own, *others)


def atom(entry: Entry) -> Atom:
    """The atom of an entry."""
    assert entry.shape is not None and entry.types is not None
    name, _, numbers, _, _, instructions, _, *texts = entry.key
    m, n, k, *more = integers(numbers)
    blocks = more[0] if more else 1
    sparse = "MAC" in name.rsplit("_W64", 1)[0].rsplit("_", 1)[1]
    if texts[0]:
        a, b, c, e = (read_layout(text) if text else None for text in texts)
    else:
        a = _operand(m, k // 2 if sparse else k, blocks, width(entry.types.A))
        b = _operand(n, k, blocks, width(entry.types.B))
        c = _result(m, blocks, entry.types.C)
        e = _operand(m, k // 4, blocks, 4) if sparse else None
    if entry.types.A == "f64" and blocks == 4:
        a = b = Layout(((4, 4, 4), 1), ((1, 16, 4), 0))
    return Atom(
        name=name,
        vendor="amd",
        arch=entry.arch,
        kind="mma",
        shape=entry.shape,
        threads=entry.threads,
        types=entry.types,
        thr_id=Layout(entry.threads, 1),
        A=a,
        B=b,
        C=c,
        E=e,
        ptx=tuple(instructions.split()),
        aliases=aliases(entry),
        places=("registers", "registers", "registers"),
        broadcast=("A", "B") if entry.arch == "RDNA3" else (),
        sparse=2 if sparse else 0,
        blocks=blocks,
        architectures=entry.architectures,
        target=TARGETS[entry.arch],
        note=_note(entry, a, b, blocks, sparse),
        status="specification" if entry.arch == "CDNA4" else "source",
        evidence=_evidence(entry),
    )


def _operand(rows_: int, depth: int, blocks: int, bits: int) -> Layout:
    groups = 64 // rows_
    values = depth * blocks // groups
    if values == 1:
        return Layout((64, 1), (1, 0))
    stretch = min(values, 128 // bits)
    parts = modes((stretch, rows_), *([(values // stretch, rows_ * stretch * groups)] if values > stretch else []))
    return Layout(((rows_, groups), parts.shape), ((1, rows_ * stretch), parts.stride))


def _result(m: int, blocks: int, element: str) -> Layout:
    if element == "f64":
        # The double-precision forms number rows by value first.
        return Layout(((16, 4), 4), ((16, 1), 4)) if m == 16 else Layout(((16, 4), 1), ((4, 1), 0))
    if m == 4:
        return Layout((64, 4), (4, 1))
    block = [(blocks, m * m)] if blocks > 1 else []
    values = modes((4, 1), (4, 8), *block) if m == 32 else modes((4, 1), *block)
    return Layout(((m, 64 // m), values.shape), ((m, 4), values.stride))


def _note(entry: Entry, a: Layout | None, b: Layout | None, blocks: int, sparse: bool) -> str:
    parts = []
    if blocks > 1 and entry.shape:
        m, n, k = entry.shape
        parts.append(
            f"{blocks} independent {m}x{n}x{k} products; coordinates are i + M*k + M*K*block (A),"
            " n + N*k + N*K*block (B), i + M*j + M*N*block (C)."
        )
    if sparse:
        parts.append(
            "A holds only the K/2 kept values: (lane, value) -> i + M*k', k' = 0..K/2-1. E maps (lane, 4-bit field of"
            " the index register) -> i + M*(k/4); a field is two 2-bit indices."
        )
    if entry.arch == "RDNA3" and entry.types and width(entry.types.C) == 16:
        parts.append("C and D: one 16-bit value a 32-bit register, low half for OPSEL[2] = 0; value = register number.")
    half = [operand for operand, x in (("A", a), ("B", b)) if x is not None and x[0].size < entry.threads]
    parts += [f"Operand {operand} occupies lanes 0..31 only." for operand in half]
    if entry.arch == "CDNA4" and "F8F8" in entry.name:
        parts.append("The operand layout of the f8f6f4 forms depends on the element width; this one is 8-bit x 8-bit.")
    if entry.arch == "CDNA4" and "F4F4" in entry.name:
        parts.append("4-bit x 4-bit form; 128 of the 256 operand bits are used.")
    return " ".join(parts)


def _evidence(entry: Entry) -> str:
    if entry.arch != "CDNA4":
        return f"{AMD_CALCULATOR} {NOT_RUN}"
    if "F8F8" in entry.name or "F4F4" in entry.name:
        source = "AMD's ROCm blog (32x32x64 example)" + ("; 16x16x128 by analogy" if "16x16x128" in entry.name else "")
    else:
        source = "the rule of every single-block MFMA, as Composable Kernel and Triton have it for gfx950"
    return f"Not in AMD's calculator: {source}. {NOT_RUN}"
