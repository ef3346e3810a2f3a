"""Do the copies of a file move whole vectors, and do its tiles fit its tiled MMA?

Names say what an expression does not: ``SmemLayoutA`` is taken for the tile of operand A, ``GmemTiledCopyA`` for a copy
of global memory. What rests on a name says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.atoms.instructions.bits import sides
from laycalc.atoms.tiling.copy_tiling import TiledCopy
from laycalc.atoms.tiling.mma_tiling import TiledMMA

from .values import Found

__all__ = ["narrow_copy", "narrow_part", "unfitting", "width_of"]

VECTOR = 128
"""The bits of the widest access that a thread makes."""
_VECTORS = re.compile(r"UniversalCopy|CP_ASYNC|CopyG2SOp|AutoVector")
"""Instructions whose threads move a run of their own; ldmatrix and bulk copies have widths of another kind."""
_MEMORY = re.compile(r"(?i)gmem|smem|global|shared|g2s|s2g|g2r|r2g|s2r|r2s")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]|\d+")


def width_of(copy: TiledCopy) -> int:
    """The bits that one thread moves by one instruction."""
    return int(sides(copy.atom, copy.bits)[0][1].size) * copy.bits


def narrow_copy(found: Found) -> str | None:
    """What to say of a tiled copy whose instruction moves less than a vector.

    cp.async always moves global memory; of another copy its name has to say that it does.
    """
    copy = found.value
    if not isinstance(copy, TiledCopy) or not _VECTORS.search(copy.atom.name) or width_of(copy) >= VECTOR:
        return None
    certain = "CP_ASYNC" in copy.atom.name
    if not certain and not _MEMORY.search(found.name):
        return None
    assumed = "" if certain else ", if it moves global or shared memory as its name says"
    return f"each thread moves {width_of(copy)} bits by one instruction{assumed}: {_keeper(copy)}"


def _keeper(copy: TiledCopy) -> str:
    """What keeps a copy from wider vectors: what a thread has to move, else the instruction."""
    has = copy.layout_tv[1].size * copy.bits
    held = f"a thread has {has} bits of the tile"
    return f"{held}, no more" if has < VECTOR else f"{held}, {copy.atom.name} is no wider"


def narrow_part(copy: TiledCopy, part: Any) -> str | None:
    """What to say of a thread's part of a tensor in memory, where the elements of one instruction lie apart."""
    width = width_of(copy)
    run = _run(part) * copy.bits
    if not _VECTORS.search(copy.atom.name) or min(run, width) >= VECTOR:
        return None
    aligned = "the base is assumed to be aligned"
    if run < width:
        told = f"{copy.atom.name} moves {width} bits, but only {run} bits of a thread's part {part} lie in a row"
        return f"{told}: the tensor's layout keeps it from {VECTOR}; {aligned}"
    return f"a thread moves {width} bits by one instruction: {copy.atom.name} is no wider; {aligned}"


def _run(part: Any) -> int:
    """How many elements of one instruction lie in a row; a swizzle keeps 2**base of them together."""
    if isinstance(part, Tensor):
        return _run(part.layout)
    if isinstance(part, Composed):
        kept = 1 << part.swizzle.base if part.swizzle.bits else None
        return _run(part.layout) if kept is None else min(_run(part.layout), kept)
    shape, stride = part[0].flat()
    run = 1
    for step, extent in sorted((d, s) for s, d in zip(shape, stride, strict=True) if type(d) is int and d and s != 1):
        if step != run:
            break
        run *= extent
    return int(run)


def unfitting(found: Found, values: Sequence[Found]) -> Iterator[str]:
    """What to say of a shared-memory layout or a tiled copy of an operand whose tile does not fit the tiled MMA."""
    operand, tile = _operand(found.name), _tile(found)
    mmas = [other for other in values if other.frame is found.frame and isinstance(other.value, TiledMMA)]
    if operand is None or tile is None or len(mmas) != 1 or mmas[0].value.thr_vmnk[0].size < 4:
        return  # several MMAs: nobody knows which; operands of tcgen05 are in the order of their atoms already
    mma = mmas[0]
    wanted = mma.value.extents(operand)
    for mode, (have, want) in enumerate(zip(tile, wanted, strict=False)):
        if have % want and not (isinstance(found.value, TiledCopy) and want % have == 0):
            shown, atom = ("x".join(map(str, extents)) for extents in (tile, wanted))
            told = f"mode {mode} of its tile {shown} is no multiple of {want}"
            yield f"{told}: {mma.name} takes {operand} in tiles of {atom}, if this is its operand as the name says"


def _tile(found: Found) -> tuple[int, int] | None:
    """The extents of the tile that a value is of; None for a value that is no tile of shared memory and no copy."""
    value: Any = found.value
    words = [word.lower() for word in _WORDS.findall(_last(found.name))]
    if isinstance(value, TiledCopy):
        extents: tuple[Any, ...] = value.extents
    else:
        if "atom" in words or words[:1] not in (["smem"], ["s"]):
            return None
        while isinstance(value, (Tensor, Composed)):
            value = value.layout
        if not isinstance(value, Layout):
            return None
        extents = tuple(mode.size for mode in value.modes())
    known = [extent for extent in extents[:2] if type(extent) is int]
    return (known[0], known[1]) if len(known) == 2 else None


def _operand(name: str) -> str | None:
    """A, B or C, where one word of a name is just this."""
    words = {word.upper() for word in _WORDS.findall(_last(name))} & {"A", "B", "C"}
    return words.pop() if len(words) == 1 else None


def _last(name: str) -> str:
    return name.rpartition("::")[2].removeprefix("self.")
