"""Hopper's warpgroup instructions (wgmma), 2,112 atoms from one rule (CUTLASS 4.7 ``GMMA`` traits, PTX ISA).

128 threads compute 64 x N x K, N = 8..256 in steps of 8; K is 32 bytes of A a row, 64 where A is sparse. With
r = elements in a 32-bit register (twice as many logical ones where A is sparse):

    C      ((4,8,4),(2,2,N/8)) : ((128,1,16),(64,8,512))
    A, RS  ((4,8,4),(r,2,2)) : ((64r,1,16),(64,8,256r))       registers
    A, SS  (128,(64,K)) : (0,(1,64))                           a shared-memory descriptor: every thread sees the tile
    B      (128,(N,K)) : (0,(1,N))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from laycalc.algebra.values.layout import Layout

from ..element_types import width
from ..evidence import CUTLASS, ON_HARDWARE
from ..family import Family
from ..record import Atom, Entry, Types

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["aliases", "atom", "entries"]

FAMILY = Family(place=3, sought=6)

_DESCRIPTOR = "smem descriptor"

_FLOAT_N = tuple(range(8, 257, 8))
_INTEGER_N = (8, 16, 24, 32, 48, 64, 80, 96, *range(112, 257, 16))


def _kinds() -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """(C, A, B, name endings) of every family, dense."""
    for c, a in (("f16", "f16"), ("f32", "f16"), ("f32", "bf16")):
        yield c, a, a, ("",)
    yield "f32", "tf32", "tf32", ("_TN",)
    for a in ("s8", "u8"):
        for b in ("s8", "u8"):
            yield "s32", a, b, ("_TN", "_TN_SATURATE")
    for a in ("e4m3", "e5m2"):
        for b in ("e4m3", "e5m2"):
            for c in ("f16", "f32"):
                yield c, a, b, ("_TN",)


def entries() -> Iterator[Entry]:
    """The entries of all wgmma atoms, dense ones first."""
    for sparse in (False, True):
        for c, a, b, endings in _kinds():
            k = 256 // width(a) * (2 if sparse else 1)
            types = Types(a, b, c, c)
            middle = f"x{k}_{c}{a}{b}_".upper().replace("X", "x")
            for n in _INTEGER_N if c == "s32" else _FLOAT_N:
                shape = (64, n, k)
                for place in ("SS", "RS"):
                    for ending in endings:
                        name = f"SM90_64x{n}{middle}{place}{ending}{'_SPARSE' if sparse else ''}"
                        key = (place, ending, sparse)
                        yield Entry(name, "nvidia", "SM90", "mma", shape, 128, types, "wgmma", key)


def _plain(entry: Entry) -> str:
    """The name without its architecture and without the mark of a sparse one: 64x8x16_F16F16F16_SS."""
    return entry.name.removeprefix("SM90_").removesuffix("_SPARSE")


def aliases(entry: Entry) -> tuple[str, ...]:
    """The other names of an atom: CUTLASS's own namespaces."""
    plain = _plain(entry)
    if entry.key[2]:
        return f"GMMA_{plain}", f"SM90::GMMA::SPARSE::GMMA_{plain}"
    return (f"SM90::GMMA::MMA_{plain}",)


def atom(entry: Entry) -> Atom:
    """The atom of an entry."""
    assert entry.shape is not None and entry.types is not None
    place, ending, sparse = entry.key
    m, n, k = entry.shape
    c, a, b = entry.types.C, entry.types.A, entry.types.B
    factor = 2 if sparse else 1
    r = 32 // width(a) * factor
    # With one element a register there is no mode for the elements of a register.
    values, strides = ((r, 2, 2), (64, 8, 256 * r)) if r > 1 else ((2, 2), (8, 256))
    whole = Layout((128, (m, k)), (0, (1, m)))
    saturated = ".satfinite" if "SATURATE" in ending else ""
    return Atom(
        name=entry.name,
        vendor=entry.vendor,
        arch=entry.arch,
        kind=entry.kind,
        shape=entry.shape,
        threads=128,
        types=entry.types,
        thr_id=Layout(128, 1),
        A=whole if place == "SS" else Layout(((4, 8, 4), values), ((64 * r, 1, 16), strides)),
        B=Layout((128, (n, k)), (0, (1, n))),
        C=Layout(((4, 8, 4), (2, 2, n // 8)), ((128, 1, 16), (64, 8, 512))),
        E=_metadata(k, width(a)) if sparse else None,
        ptx=(f"wgmma.mma_async{'.sp' if sparse else ''}.sync.aligned.m{m}n{n}k{k}.{c}.{a}.{b}{saturated}",),
        cpp=_cpp(entry),
        aliases=aliases(entry),
        places=(_DESCRIPTOR if place == "SS" else "registers", _DESCRIPTOR, "registers"),
        broadcast=("A", "B") if place == "SS" else ("B",),
        sparse=2 if sparse else 0,
        architectures=(entry.arch,),
        status="hardware",
        evidence=f"{CUTLASS} {ON_HARDWARE}",
    )


def _cpp(entry: Entry) -> str:
    """The C++ type of the operation, with its template arguments."""
    assert entry.types is not None
    sparse = entry.key[2]
    parameters = ["GMMA::Major::K", "GMMA::Major::K"] if width(entry.types.A) == 16 else []
    parameters += ["GMMA::ScaleIn::One", "GMMA::ScaleIn::One"] if entry.types.C != "s32" else []
    parameters += ["GMMA::SparseSel::Zero"] if sparse else []
    head = f"SM90::GMMA::SPARSE::GMMA_{_plain(entry)}" if sparse else entry.name
    return head + (f"<{','.join(parameters)}>" if parameters else "")


def _metadata(k: int, bits: int) -> Layout:
    """Where the sparsity selectors of A's row sit: half of K a thread, two threads of four."""
    if bits == 8:
        return Layout(((2, 2, 8, 4), (k // 2,)), ((8, 64 * k // 2, 1, 16), (64,)))
    return Layout(((2, 2, 8, 4), (k // 2, 2)), ((64 * k // 2, 0, 1, 16), (64, 8)))
