"""Blackwell's tensor-memory instructions (tcgen05.mma), SM100 and SM103, from one rule (CUTLASS 4.7 ``UMMA`` traits).

The thread mode counts the thread blocks that take part, 1 or 2 ("SMs"); A and B come from shared memory (SS) or A from
tensor memory (TS), C lies in tensor memory:

    1 SM   X (1,(R,S)) : (0,(1,R))          2 SM   X (2,(R/2,S)) : (R/2,(1,R))

with X = A, B, C and (R,S) = (M,K), (N,K), (M,N). K is 256 bits of an element, twice that where A is sparse, and fixed
for the mixed and 4-bit kinds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.layout import Layout

from ..element_types import CPP, width
from ..evidence import CUTLASS, NOT_RUN
from ..family import Family
from ..record import Atom, Entry, Types

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["accumulator", "aliases", "atom", "entries", "instance", "tensor_memory"]

FAMILY = Family(place=4, sought=5)


class _Key(NamedTuple):
    """A family of templated atoms: its kind of arithmetic and the variants in its name."""

    math: str
    ctas: int
    place: str
    scaled: bool
    sparse: int
    scale_vector: int = 0

    @property
    def family(self) -> str:
        """The name of the C++ template."""
        cta = "_2x1SM" if self.ctas == 2 else ""
        if self.math == "ULTRA":
            return f"SM103_MXF4_ULTRA{cta}_SS_VS"
        math = "MXF4NVF4" if self.math == "MXF4" and self.sparse else self.math
        name = f"SM100_MMA_{math}{cta}_{self.place}"
        name += "_SCALED" * self.scaled + "_SPARSE" * bool(self.sparse)
        return name + ("_INTERLEAVED_CF32CTF32CTF32CF32_TN" if self.math == "TF32" and self.scale_vector < 0 else "")


_INTERLEAVED = -1
"""Mark in place of a scale vector: the complex TF32 form, whose real and imaginary parts alternate."""

_MATH: dict[str, tuple[tuple[str, str], ...]] = {
    "TF32": (("f32", "tf32"),),
    "F16BF16": (("f32", "f16"), ("f32", "bf16"), ("f16", "f16")),
    "S8": (("s32", "s8"), ("s32", "u8")),
    "F8F6F4": (("f32", "e4m3"), ("f32", "e5m2"), ("f32", "e2m1"), ("f16", "e4m3")),
    "MXF8F6F4": (("f32", "e4m3"), ("f32", "e5m2"), ("f32", "e2m1")),
}
"""(C, A = B) of each kind; the first is catalogued for every N, the others for N = 64, 128, 256."""

_PTX_KIND = {"TF32": "tf32", "F16BF16": "f16", "S8": "i8", "F8F6F4": "f8f6f4", "MXF8F6F4": "mxf8f6f4.block_scale"}


def _families() -> Iterator[_Key]:
    for ctas in (1, 2):
        for math in ("TF32", "F16BF16", "S8", "F8F6F4"):
            for place in ("SS", "TS"):
                yield _Key(math, ctas, place, False, 0)
                if math == "F16BF16" or (math == "TF32" and place == "TS"):
                    yield _Key(math, ctas, place, True, 0)
            yield _Key(math, ctas, "SS", False, 2)
        yield _Key("TF32", ctas, "TS", False, 0, _INTERLEAVED)
        for sparse in (0, 2):
            yield _Key("MXF8F6F4", ctas, "SS", False, sparse)
        for sparse in (0, 4):
            yield _Key("MXF4", ctas, "SS", False, sparse)
        yield _Key("ULTRA", ctas, "SS", False, 0)


def _extents(key: _Key) -> Iterator[tuple[int, int]]:
    """(M, N) of the catalogued instances, as far as the template accepts them."""
    no_eight = key.math in ("MXF8F6F4", "ULTRA")
    block_scaled = key.math in ("MXF8F6F4", "MXF4", "ULTRA")
    for m in (128,) if block_scaled else (64, 128):
        for n in (8, 16, 32, 64, 128, 256):
            if key.ctas == 2:
                if n >= 32:
                    yield 2 * m, n
            elif n > 8 or not (key.sparse or no_eight or (m == 128 and (key.place == "TS" or key.math == "F8F6F4"))):
                yield m, n


def entries() -> Iterator[Entry]:
    """The entries of all tcgen05.mma atoms."""
    for key in _families():
        if key.math in ("MXF4", "ULTRA"):
            yield from _four_bit(key)
            continue
        pairs = [("f32", "ctf32")] if key.scale_vector == _INTERLEAVED else list(_MATH[key.math])
        if key.scaled and key.math == "F16BF16":
            pairs.append(("f32", "cf16"))
        for c, a in pairs:
            for m, n in _extents(key):
                # The complex forms are catalogued in full, like the first pair.
                if n >= 64 or (c, a) == pairs[0] or a == "cf16":
                    yield _entry(key, m, n, Types(a, a, c, c, "ue8m0" if key.math == "MXF8F6F4" else None))


def _four_bit(key: _Key) -> Iterator[Entry]:
    vectors = (64, 32) if key.sparse else (32, 16)
    a = "u8" if key.sparse else "e2m1"
    for vector, scale in zip(vectors, ("ue8m0", "ue4m3"), strict=True):
        for m, n in _extents(key):
            if scale == "ue8m0" or n >= 64:
                yield _entry(key._replace(scale_vector=vector), m, n, Types(a, "e2m1", "f32", "f32", scale))


def _entry(key: _Key, m: int, n: int, types: Types) -> Entry:
    arch = "SM103" if key.math == "ULTRA" else "SM100"
    name = f"{key.family}_{m}x{n}"
    if key.scale_vector != _INTERLEAVED:
        # A and B have the same elements; the sparse 4-bit form only declares A, with its selectors, as bytes.
        name += f"_{types.C}{types.B}{types.B}".upper()
    if types.SF:
        name += f"_SF{types.SF}".upper()
    if key.scale_vector > 0:
        name += f"_VS{key.scale_vector}"
    return Entry(name, "nvidia", arch, "mma", (m, n, _depth(key, types)), key.ctas, types, "tcgen05", key)


def _depth(key: _Key, types: Types) -> int:
    fixed = {"F8F6F4": 32, "MXF8F6F4": 32, "MXF4": 64, "ULTRA": 96}.get(key.math)
    return (fixed or 256 // width(types.A)) * (2 if key.sparse else 1)


def _cpp(entry: Entry) -> str:
    assert entry.shape is not None and entry.types is not None
    key: _Key = entry.key
    t = entry.types
    head = ("SM103::" if key.math == "ULTRA" else "") + key.family
    types = [_type(t.B), _type(t.B), _type(t.C)] if key.scale_vector != _INTERLEAVED else []
    types += [CPP[t.SF]] if t.SF else []
    numbers = [str(entry.shape[0]), str(entry.shape[1])] + ([str(key.scale_vector)] if key.scale_vector > 0 else [])
    majors = ["UMMA::Major::K", "UMMA::Major::K"] + (["0"] if key.scaled else [])
    saturate = key.place == "TS" or key.math == "S8"
    signs = [] if key.math == "S8" and key.place == "SS" else ["UMMA::ScaleIn::One", "UMMA::ScaleIn::One"]
    tail = ["UMMA::Saturate::False"] if saturate else []
    return f"{head}<{','.join(types + numbers + majors + signs + tail)}>"


def _type(element: str) -> str:
    spelt = CPP[element]
    return f"cutlass::{spelt}" if spelt == "half_t" else spelt


def aliases(entry: Entry) -> tuple[str, ...]:
    """The other names of an atom: the C++ type, and the short form of the plain dense ones."""
    assert entry.shape is not None
    key: _Key = entry.key
    short: tuple[str, ...] = ()
    if key.math in ("TF32", "F16BF16") and key == (key.math, 1, "SS", False, 0, 0):
        m, n, k = entry.shape
        short = (f"SM100_{m}x{n}x{k}_{entry.name.rsplit('_', 1)[1]}_SS",)
    return (_cpp(entry), *short)


def instance(folded: str) -> Entry | None:
    """The entry of a template for extents that the catalogue does not list, None if the name is of no template.

    ``folded`` is a name such as ``sm100_mma_f16bf16_ss_128x192_f32f16f16`` or a C++ type in small letters, without
    namespaces, whatever its major modes. N must be a multiple of 8 for 64 rows, of 16 for 128 and of 32 for two thread
    blocks, at most 256.
    """
    found, m, n = _named_instance(folded) or _spelt_instance(folded) or (None, 0, 0)
    if found is None or found.types is None:
        return None
    step = 32 if found.threads == 2 else 8 if m == 64 else 16
    least = 16 if found.key.sparse else step
    return _entry(found.key, m, n, found.types) if n % step == 0 and least <= n <= 256 else None


def _named_instance(folded: str) -> tuple[Entry | None, int, int] | None:
    """The entry of the same template with N = 64, with M and N as a name has them."""
    named = re.fullmatch(r"(sm10[03].*_)(\d+)x(\d+)(_[^_x]+.*)?", folded)
    if named is None:
        return None
    wanted = f"{named[1]}{int(named[2])}x64{named[4] or ''}"
    return next((e for e in entries() if e.name.casefold() == wanted), None), int(named[2]), int(named[3])


def _spelt_instance(folded: str) -> tuple[Entry | None, int, int] | None:
    """The same for a C++ type."""
    spelt = re.fullmatch(r"((?:sm103::)?sm10[03]_.*<(?:[a-z].*?,)?)(\d+),(\d+)(?:,(\d+))?,umma::major.*", folded)
    if spelt is None:
        return None
    wanted = f"{spelt[1]}{int(spelt[2])},64{',' + spelt[4] if spelt[4] else ''},umma::major"
    found = next((e for e in entries() if _bare(_cpp(e)).startswith(wanted)), None)
    return found, int(spelt[2]), int(spelt[3])


def tensor_memory(atom: Atom) -> Layout:
    """Where a thread block's part of an atom's C lies in tensor memory, in elements of C: `accumulator` of its own
    extents.

    LC103 for an atom whose C is elsewhere.
    """
    if atom.shape is None or atom.types is None or atom.places is None or atom.places[2] != "tmem":
        raise refuse("LC103", "{atom} does not accumulate in tensor memory", op="tensor_memory", atom=atom.name)
    return accumulator(atom.shape[0], atom.shape[1], atom.threads, width(atom.types.C))


def _bare(cpp: str) -> str:
    return cpp.replace("cutlass::", "").casefold()


def _ptx(key: _Key) -> tuple[str, ...]:
    head = f"tcgen05.mma{'.sp' if key.sparse else ''}.cta_group::{key.ctas}.kind::"
    if key.math in _PTX_KIND:
        return (head + _PTX_KIND[key.math],)
    last = "mxf4nvf4" if key.math == "ULTRA" else "mxf4"
    scales = (("mxf4nvf4", "block16"), ("mxf4nvf4", "scale_vec::4X"), (last, "block32"), (last, "scale_vec::2X"))
    return tuple(f"{head}{kind}.block_scale.{scale}" for kind, scale in scales)


def _shared(rows: int, columns: int, ctas: int) -> Layout:
    """The tile of one operand, its rows split between the thread blocks."""
    part = rows // ctas
    return Layout((ctas, (part, columns)), (part if ctas > 1 else 0, (1, rows)))


def atom(entry: Entry) -> Atom:
    """The atom of an entry."""
    assert entry.shape is not None
    key: _Key = entry.key
    m, n, k = entry.shape
    ctas = key.ctas
    return Atom(
        name=entry.name,
        vendor=entry.vendor,
        arch=entry.arch,
        kind=entry.kind,
        shape=entry.shape,
        threads=ctas,
        types=entry.types,
        thr_id=Layout(ctas, 1 if ctas > 1 else 0),
        A=_shared(m, k, ctas),
        B=_shared(n, k, ctas),
        C=_shared(m, n, ctas),
        ptx=_ptx(key),
        cpp=_cpp(entry),
        aliases=aliases(entry),
        family=key.family,
        places=("tmem" if key.place == "TS" else "smem descriptor", "smem descriptor", "tmem"),
        sparse=key.sparse,
        scale_vector=key.scale_vector if key.scale_vector > 0 else None,
        architectures=(entry.arch,),
        note="The thread mode counts participating thread blocks (1 or 2 SMs), not lanes.",
        status="source",
        evidence=f"{CUTLASS} {'' if n & (n - 1) == 0 else 'By the rule; this N was not printed. '}{NOT_RUN}",
    )


def accumulator(m: int, n: int, ctas: int = 1, bits: int = 32) -> Layout:
    """Where a thread block's part of C lies in tensor memory: (row, column) -> address in units of ``bits``.

    ``m``, ``n`` are the extents of the instruction, ``ctas`` 1 or 2. With 32-bit elements an address is
    ``lane << 16 | column``; narrower elements take a 32-bit column each. LC314 for an M that no instruction has.

    >>> accumulator(64, 64)
    Layout('((16,4),64):((65536,2097152),1)')
    >>> accumulator(128, 64, 2)
    Layout('(64,(32,2)):(65536,(1,4194304))')
    """
    scale = 32 // bits
    lane, column = 65536 * scale, scale
    if (m, ctas) == (64, 1):
        # Rows 16i + j sit at lane 32i + j: every warp's upper half stays empty.
        return Layout(((16, 4), n), ((lane, 32 * lane), column))
    if (m, ctas) in ((128, 1), (256, 2)):
        return Layout((128, n), (lane, column))
    if (m, ctas) == (128, 2):
        # The second half of N sits in lanes 64..127.
        return Layout((64, (n // 2, 2)), (lane, (column, 64 * lane)))
    raise refuse(
        "LC314",
        "an accumulator of {ctas} thread blocks has {legal} rows, not {m}",
        op="accumulator",
        ctas=ctas,
        m=m,
        legal={1: "64 or 128", 2: "128 or 256"}.get(ctas, "no"),
    )
