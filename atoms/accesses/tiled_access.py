"""A tiled copy as an access to shared memory: its threads, vectors and instruction, over blocks of a tile."""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING, Any

from ..instructions.refusal import argument
from ..memory.pattern import Pattern

if TYPE_CHECKING:
    from laycalc.atoms.tiling.copy_tiling import TiledCopy

__all__ = ["tiled_access"]

_MATRIX = re.compile(r"SM(?:75|90)_U(?:32x([124])_(LDSM|STSM)_N|16x([248])_(LDSM|STSM)_T)")
_ASYNC = re.compile(r"SM80_CP_ASYNC_CACHE(ALWAYS|GLOBAL)(?:_ZFILL)?_\d+B")
_PLAIN = re.compile(r"(?:UniversalCopy|AutoVectorizingCopyWithAssumedAlignment)_\d+b?")


def tiled_access(copy: TiledCopy, bits: int, store: bool | None = None, arch: str | None = None) -> Pattern:
    """The access of a tiled copy to the tile in shared memory: its source for reads, its destination for writes.

    ldmatrix reads, stmatrix and cp.async write; other instructions do what ``store`` says, by default read. LC103 for
    instructions that neither read nor write shared memory by lanes, for elements of another width, and where ``store``
    contradicts the instruction.
    """
    copy = copy.of_bits(bits)
    if copy.bits != bits:
        template = "{copy} moves elements of {own} bits, the layout has elements of {bits}"
        raise argument("banks", template, copy=str(copy), own=copy.bits, bits=bits)
    name = copy.atom.name
    fields, own = _instruction(name)
    if own is not None and store is not None and store != own:
        template = "{name} {does} shared memory"
        raise argument("banks", template, name=name, does="writes to" if own else "reads")
    store = bool(own if store is None else store)
    fragment = copy.layout("D" if store else "S")
    if "lanes" not in fields:
        fields = {"lanes": "tv", "vector": (copy.atom.value_bits or bits) // bits, **fields}
    if not isinstance(copy.tiler, tuple):
        template = "{tiler} cuts the tile of a copy out by layouts; an access takes blocks of whole extents"
        raise argument("banks", template, tiler=str(copy.tiler))
    tiler = copy.tiler
    block = (1, prod(tiler)) if len(tiler) == 1 else (tiler[0], prod(tiler[1:]))
    if arch is not None:
        fields["arch"] = arch
    return Pattern(bits, store=store, fragment=fragment, block=block, **fields)


def _instruction(name: str) -> tuple[dict[str, Any], bool | None]:
    """What an instruction says about the access, and whether it writes."""
    if match := _MATRIX.fullmatch(name):
        straight, first, turned, second = match.groups()
        count = int(straight or 0) or int(turned) // 2
        kind = first or second
        return {
            "lanes": "ldmatrix" if kind == "LDSM" else "stmatrix",
            "vector": count,
            "trans": turned is not None,
        }, kind == "STSM"
    if match := _ASYNC.fullmatch(name):
        return {"copy": "ca" if match[1] == "ALWAYS" else "cg"}, True
    if _PLAIN.fullmatch(name):
        return {}, None
    raise argument("banks", "{name} is no access of lanes to shared memory that is known here", name=name)
