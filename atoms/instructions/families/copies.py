"""Copy instructions: ldmatrix, stmatrix, cp.async, TMA and the like from data, tensor-memory loads and stores by rule.

A tensor-memory instruction ``{d}dp{b}b{x}x`` moves x times b bits on each of d data paths. On the register side, with
w = min(b, 64) or so bits a lane at a stretch:

    16dp256b  ((4,8),(64,2,x)) : ((64,256x),(1,2048x,256))      16dp64b  ((2,2,8),(32,x)) : ((512x,32,64x),(1,64))
    16dp128b  ((4,8),(32,2,x)) : ((32,128x),(1,1024x,128))      16dp32b  ((16,2),32x) : ((64x,32x),1)
    32dp32b   (32,32x) : (32x,1)

On the side of tensor memory all 32 lanes see all bits; `Atom.tmem` maps the bit to its address (one data path is 2^21
bits).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from laycalc.algebra.values.layout import Layout

from ..data_lines import rows
from ..evidence import CUTLASS, NOT_RUN, ON_HARDWARE
from ..family import Family
from ..record import Atom, Entry, modes, read_layout

__all__ = ["aliases", "atom", "entries"]

FAMILY = Family(place=6, sought=3)

_PATH = 1 << 21
"""Bits from one data path of tensor memory to the next."""

_MOVM = (
    "CuTe models src and dst identically; the 8x8 transpose of 16-bit elements happens inside the instruction, and"
    " hardware_dst is what the H200 gives."
)
_TMA = "N is the number of bits that one instruction moves; one thread issues it (two thread blocks for the 2SM forms)."
_AUTO = "A placeholder: the real width is chosen at copy time, up to this many bits."
_TMEM = "src and dst are in the bit-index domain of tmem, which maps a bit to its address in tensor memory, in bits."

_Shape = tuple[int, int, str, int, Callable[[int], Layout]]
"""Data paths, bits, the name in PTX, the greatest repeat, and the register side for a repeat of x."""

_TMEM_SHAPES: tuple[_Shape, ...] = (
    (16, 256, "16x256b", 32, lambda x: _lanes((4, 8), (64, 256 * x), (64, 1), (2, 2048 * x), (x, 256))),
    (16, 128, "16x128b", 64, lambda x: _lanes((4, 8), (32, 128 * x), (32, 1), (2, 1024 * x), (x, 128))),
    (16, 64, "16x64b", 128, lambda x: _lanes((2, 2, 8), (512 * x, 32, 64 * x), (32, 1), (x, 64))),
    (16, 32, "16x32bx2", 128, lambda x: _lanes((16, 2), (64 * x, 32 * x), (32 * x, 1))),
    (32, 32, "32x32b", 128, lambda x: Layout((32, 32 * x), (32 * x, 1))),
)


def _lanes(lanes: tuple[int, ...], strides: tuple[int, ...], *values: tuple[int, int]) -> Layout:
    inner = modes(*(pair for pair in values if pair[0] > 1))
    return Layout((lanes, inner.shape), (strides, inner.stride))


def entries() -> Iterator[Entry]:
    """The entries of all copy atoms."""
    for row in rows("copy.tsv", 11):
        threads = read_layout(row[2]).size
        yield Entry(row[0], "nvidia", row[1], "copy", None, threads, None, "copies", row)
    for verb in ("LOAD", "STORE"):
        for shape in _TMEM_SHAPES:
            for x in (1 << i for i in range(shape[3].bit_length())):
                for packed in (False, True):
                    name = f"SM100_TMEM_{verb}_{shape[0]}dp{shape[1]}b{x}x{'_16b' if packed else ''}"
                    yield Entry(name, "nvidia", "SM100", "copy", None, 32, None, "copies", (verb, shape, x, packed))
    for x in (32, 128):
        key = ("LOAD_STAT", _TMEM_SHAPES[-1], x, False)
        yield Entry(f"SM100_TMEM_LOAD_STAT_32dp32b{x}x", "nvidia", "SM100", "copy", None, 32, None, "copies", key)


def aliases(entry: Entry) -> tuple[str, ...]:
    """The other names of an atom."""
    return tuple(filter(None, entry.key[8].split(";"))) if len(entry.key) > 4 else ()


def atom(entry: Entry) -> Atom:
    """The atom of an entry."""
    return _listed(entry) if len(entry.key) > 4 else _tensor_memory(entry)


def _listed(entry: Entry) -> Atom:
    name, arch, thr_id, bits, src, dst, ref, ptx, _, family, tmem = entry.key
    parametric = "N" in src
    source = None if parametric else read_layout(src)
    target = read_layout(dst) if dst else source
    status, evidence, note = _confirmation(entry, parametric, bool(tmem))
    return Atom(
        name=name,
        vendor="nvidia",
        arch=arch,
        kind="copy",
        threads=entry.threads,
        thr_id=read_layout(thr_id),
        src=source,
        dst=target,
        ref=target if ref == "=" else source,
        value_bits=int(bits) if bits else None,
        template=src if parametric else None,
        tmem=read_layout(tmem) if tmem else None,
        ptx=(ptx,) if ptx else (),
        aliases=aliases(entry),
        family=family,
        broadcast=_broadcast(source, target),
        architectures=(arch,),
        hardware_dst=read_layout("((4,8),2):((16,1),8)") if name == "SM75_U32x1_MOVM_T" else None,
        note=note,
        status=status,
        evidence=evidence,
    )


def _tensor_memory(entry: Entry) -> Atom:
    verb, (paths, _, spelt, _, registers), x, packed = entry.key
    side = registers(x)
    bits = side.size
    memory = Layout((32, bits), (0, 1))
    width = bits // paths
    row = Layout((16, width // 16), (1, 32)) if packed else Layout(width, 1)
    operation = {"LOAD": "ld", "STORE": "st", "LOAD_STAT": "ld.red"}[verb]
    ending = {"LOAD": ".pack::16b", "STORE": ".unpack::16b"}[verb] if packed else ""
    last = "max.f32" if verb == "LOAD_STAT" else "b32"
    src, dst = (side, memory) if verb == "STORE" else (memory, side)
    return Atom(
        name=entry.name,
        vendor="nvidia",
        arch="SM100",
        kind="copy",
        threads=32,
        thr_id=Layout(32, 1),
        src=src,
        dst=dst,
        ref=memory,
        value_bits=16 if packed else 32,
        tmem=Layout((row.shape, paths), (row.stride, _PATH)),
        ptx=(f"tcgen05.{operation}.sync.aligned.{spelt}.x{x}{ending}.{last}",),
        broadcast=_broadcast(src, dst),
        architectures=("SM100",),
        note=_TMEM,
        status="source",
        evidence=f"{CUTLASS} {NOT_RUN}",
    )


def _broadcast(src: Layout | None, dst: Layout | None) -> tuple[str, ...]:
    """The sides that hold the same bits more than once: a stride of 0 over threads or copies."""

    def shared(side: Layout | None) -> bool:
        return side is not None and any(s > 1 and d == 0 for s, d in zip(*side.flat(), strict=True))

    return tuple(name for name, side in (("src", src), ("dst", dst)) if shared(side))


def _confirmation(entry: Entry, parametric: bool, tmem: bool) -> tuple[str, str, str]:
    if entry.name == "SM75_U32x1_MOVM_T":
        return "differs", f"{CUTLASS} On an H200 the destination is the transposed one, hardware_dst.", _MOVM
    if any(part in entry.name for part in ("SM75_", "STSM", "CP_ASYNC")) and entry.arch != "SM100":
        return "hardware", f"{CUTLASS} {ON_HARDWARE}", ""
    note = _TMA if parametric else _TMEM if tmem else _AUTO if entry.name.startswith("Auto") else ""
    return "source", f"{CUTLASS} {NOT_RUN}", note
