"""Warp-wide NVIDIA instructions (mma.sync) of SM75 to SM120, from one rule (CUTLASS 4.7 traits, PTX ISA).

A fragment of rows x depth elements, r of them in a 32-bit register, is held by 32 lanes as

    ((4,8),(r, rows/8, depth/4r)) : ((rows*r, 1),(rows, 8, 4*rows*r))

A is a fragment of M x K and B of N x K with r = 32 / bits of the container; C is a fragment of M x N with r = 2.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from laycalc.algebra.values.layout import Layout

from ..element_types import CPP, width
from ..evidence import CUTLASS, LOWERED, NOT_RUN, ON_HARDWARE
from ..family import Family
from ..record import Atom, Entry, Types, modes

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["aliases", "atom", "entries", "fragment"]

SLIP = (
    "CUTLASS 4.7 writes the A stride with one parenthesis too many (not congruent with its shape); A here is the"
    " evident intent, consistent with m16n8k128 in the PTX ISA."
)

FAMILY = Family(place=2, sought=1)

_NARROW = ("e2m1", "e3m2", "e2m3", "e4m3", "e5m2")


class _Key(NamedTuple):
    """What an atom is beside its entry: how its C++ and PTX are spelt, and how dense its A is."""

    container: int = 0
    sparse: int = 0
    scale_vector: int = 0
    ptx_kind: str = ""
    ending: str = ""
    family: str = ""


def fragment(rows: int, depth: int, r: int, *, wrapped: bool = False) -> Layout:
    """Which lane holds which element of rows x depth, r neighbours of a row in a register.

    >>> fragment(16, 16, 2)
    Layout('((4,8),(2,2,2)):((32,1),(16,8,128))')
    """
    pairs = [(r, rows), (rows // 8, 8), (depth // (4 * r), 4 * rows * r)]
    kept = [pair for pair in pairs if pair[0] > 1] or [(1, 0)]
    values = modes(*kept)
    if wrapped and len(kept) == 1:
        # CUTLASS writes the one value mode of its 4-bit fragments as a 1-tuple.
        values = Layout((values.shape,), (values.stride,))
    return Layout(((4, 8), values.shape), ((rows * r, 1), values.stride))


def _entry(arch: str, shape: tuple[int, int, int], types: Types, key: _Key) -> Entry:
    m, n, k = shape
    c, a, b = (t.split("(")[0].replace("b1", "u1").upper() for t in (types.C, types.A, types.B))
    sparse = "SPARSE_" if key.sparse else ""
    scales = f"_VS{key.scale_vector}_{types.SF}".upper() if types.SF else ""
    name = f"{arch}_{sparse}{m}x{n}x{k}_{c}{a}{b}{c}_TN{key.ending}{scales}"
    return Entry(name, "nvidia", arch, "mma", shape, 32, types, "mma_sync", key)


def _types(c: str, a: str, b: str = "", scale: str | None = None) -> Types:
    return Types(a, b or a, c, c, scale)


def entries() -> Iterator[Entry]:
    """The entries of all mma.sync atoms, by architecture."""
    plain = _Key()
    for c in ("f32", "f16"):
        yield _entry("SM75", (16, 8, 8), _types(c, "f16"), plain)
    yield _entry("SM75", (8, 8, 16), _types("s32", "s8"), plain)
    for c, a in (("f16", "f16"), ("f32", "f16"), ("f32", "bf16")):
        for k in (8, 16):
            yield _entry("SM80", (16, 8, k), _types(c, a), plain)
    for k in (4, 8):
        yield _entry("SM80", (16, 8, k), _types("f32", "tf32"), plain)
    yield _entry("SM80", (8, 8, 4), _types("f64", "f64"), plain)
    yield _entry("SM80", (8, 8, 4), _types("c64(2xf64)", "c64(2xf64)"), plain)
    yield _entry("SM80", (8, 8, 4), _types("gc64(3xf64)", "c64(2xf64)"), plain)
    for bits, k in ((8, 16), (4, 32)):
        for a, b in product((f"s{bits}", f"u{bits}"), repeat=2):
            for shape in ((8, 8, k), (16, 8, k), (16, 8, 2 * k)):
                for ending in ("", "_SATURATE"):
                    yield _entry("SM80", shape, _types("s32", a, b), _Key(ending=ending))
    for shape in ((16, 8, 256), (8, 8, 128), (16, 8, 128)):
        for ending in ("_XORPOPC", "_ANDPOPC"):
            yield _entry("SM80", shape, _types("s32", "b1"), _Key(ending=ending))
    for c in ("f32", "f16"):
        for a, b in (("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e5m2"), ("e5m2", "e4m3")):
            yield _entry("SM89", (16, 8, 32), _types(c, a, b), plain)
    for a in ("f64", "c64(2xf64)"):
        for k in (4, 8, 16):
            yield _entry("SM90", (16, 8, k), _types(a, a), plain)
    yield from _blackwell()


def _blackwell() -> Iterator[Entry]:
    """SM120: elements of 4, 6 and 8 bits in bytes, the packed 4-bit forms, their sparse and scaled variants."""
    for sparse in (0, 2):
        k, name = (64, "SM120_SPARSE_16x8x64_TN") if sparse else (32, "SM120_16x8x32_TN")
        dense = _Key(8, sparse, 0, "f8f6f4", "", name)
        for c in ("f32", "f16"):
            for a, b in product(_NARROW, repeat=2):
                yield _entry("SM120", (16, 8, k), _types(c, a, b), dense)
        scaled = _Key(8, sparse, 64 if sparse else 32, "mxf8f6f4", "", f"{name}_VS")
        for a, b in product(_NARROW, repeat=2):
            yield _entry("SM120", (16, 8, k), _types("f32", a, b, "ue8m0"), scaled)
        packed = f"SM120_{'SPARSE_' if sparse else ''}16x8x{2 * k}_TN_VS"
        for scale in ("ue8m0", "ue4m3"):
            for vector in (32, 64) if sparse else (16, 32):
                key = _Key(4, 2 * sparse, vector, "mxf4nvf4", "", packed)
                yield _entry("SM120", (16, 8, 2 * k), _types("f32", "e2m1", "e2m1", scale), key)


def aliases(entry: Entry) -> tuple[str, ...]:
    """The other names of an atom."""
    if entry.arch == "SM90":
        return (entry.name.replace("SM90_", "SM90::MMA_"),)
    return (_cpp(entry),) if entry.arch == "SM120" else ()


def _cpp(entry: Entry) -> str:
    key: _Key = entry.key
    if not key.family or entry.types is None:
        return entry.name
    t = entry.types
    space = ("BLOCKSCALED::" if t.SF else "") + ("SPARSE::" if key.sparse else "")
    parameters = [CPP[t.A], CPP[t.B], CPP[t.C], *([CPP[t.SF], str(key.scale_vector)] if t.SF else [])]
    return f"{'SM120::' + space if space else ''}{key.family}<{','.join(parameters)}>"


def _ptx(entry: Entry) -> tuple[str, ...]:
    assert entry.shape is not None and entry.types is not None
    key: _Key = entry.key
    t = entry.types
    m, n, k = entry.shape
    if width(t.A) > 64:
        return ()  # complex products are several real instructions
    shape, types = f"m{m}n{n}k{k}.row.col", f"{t.C}.{t.A}.{t.B}.{t.C}"
    if not key.ptx_kind:
        ending = {"_SATURATE": ".satfinite", "_XORPOPC": ".xor.popc", "_ANDPOPC": ".and.popc"}.get(key.ending, "")
        return (f"mma.sync.aligned.{shape}.{types}{ending}",)
    sparse = ".sp::ordered_metadata" if key.sparse else ""
    kind = f"kind::{key.ptx_kind}"
    if not t.SF:
        return (f"mma.sync.aligned.{kind}{sparse}.{shape}.{types}",)
    types = f"{types}.{t.SF}"

    def scaled(factor: int) -> str:
        return f"mma.sync.aligned.{kind}{sparse}.block_scale.scale_vec::{factor}X.{shape}.{types}"

    if key.container == 8:
        return (scaled(1),)
    if t.SF == "ue4m3":
        return (scaled(4),)
    older = f"mma{sparse}.sync.aligned.{shape}.{kind}.block_scale.scale_vec::4X.{types}"
    return older, scaled(2)


def atom(entry: Entry) -> Atom:
    """The atom of an entry."""
    assert entry.shape is not None and entry.types is not None
    key: _Key = entry.key
    t = entry.types
    m, n, k = entry.shape
    r = max(1, 32 // (key.container or width(t.A)))
    wrapped = width(t.A) == 4 and not key.container
    on_hardware = entry.arch != "SM120"
    return Atom(
        name=entry.name,
        vendor=entry.vendor,
        arch=entry.arch,
        kind=entry.kind,
        shape=entry.shape,
        threads=32,
        types=t,
        thr_id=Layout(32, 1),
        A=fragment(m, k, 2 * r if key.sparse else r, wrapped=wrapped),
        B=fragment(n, k, r, wrapped=wrapped),
        C=fragment(m, n, 2),
        E=_metadata(k) if key.sparse else None,
        SFA=Layout(((2, 2, 8), k), ((8, 0, 1), 16)) if t.SF else None,
        SFB=Layout(((4, 8), k), ((0, 1), 8)) if t.SF else None,
        ptx=_ptx(entry),
        cpp=_cpp(entry),
        aliases=aliases(entry),
        family=key.family,
        places=("registers", "registers", "registers"),
        sparse=key.sparse,
        containers=(key.container, key.container) if key.container else None,
        scale_vector=key.scale_vector or None,
        architectures=(entry.arch,),
        note=SLIP if entry.shape == (16, 8, 128) and t.A == "b1" else "",
        status="hardware" if on_hardware else "source",
        evidence=f"{CUTLASS} {(ON_HARDWARE + LOWERED * _is_emulated(entry)) if on_hardware else NOT_RUN}",
    )


def _is_emulated(entry: Entry) -> bool:
    """Do later machines run it by other instructions?"""
    assert entry.types is not None
    return entry.arch == "SM89" or width(entry.types.A) == 4 or entry.key.ending == "_XORPOPC"


def _metadata(k: int) -> Layout:
    """The sparsity selectors: half of K a lane, rows m and m + 8."""
    values: tuple[int, ...] | int = k // 2 if k == 64 else (k // 2,)
    strides: tuple[int, ...] | int = 16 if k == 64 else (16,)
    return Layout(((2, 2, 8), values), ((8, 16 * k // 2, 1), strides))
