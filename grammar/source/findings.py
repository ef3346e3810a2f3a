"""What is wrong with the layouts of a file as they are used in it, and what is good to know beside them.

A finding is certain, or it says what it assumes: which copy reads a layout of shared memory is certain where the file
partitions a tensor over it, and assumed where a struct only names both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.operations.image import cosize
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.atoms.memory.patterns import Pattern, bank_survey
from laycalc.atoms.tiling.copy_atom import CopyAtom
from laycalc.atoms.tiling.copy_tiling import TiledCopy
from laycalc.atoms.tiling.partitioning import partition
from laycalc.atoms.tiling.slices import ThreadSlice
from laycalc.diagnostics.model import Diagnostic, Failure, Label

from .fits import narrow_copy, narrow_part, unfitting
from .frames import Frame
from .symbols import Symbols
from .values import Found

__all__ = ["looked_at"]

_PARTITION = re.compile(r"(?P<slice>\S[^;]*?)\s*\.\s*partition_(?P<side>[SD])\s*\(\s*(?P<tensor>\w+)\s*\)")
_SHARED = re.compile(r"make_smem_ptr|smem|shared", re.IGNORECASE)
_GLOBAL = re.compile(r"make_gmem_ptr|gmem|global", re.IGNORECASE)
_LIMIT = 1 << 14
"""Elements of a tile whose accesses are counted."""


def looked_at(values: Sequence[Found], symbols: Symbols, text: str) -> tuple[dict[int, list[str]], list[Diagnostic]]:
    """Remarks by the place of a value in the list, and findings."""
    remarks: dict[int, list[str]] = {}
    findings: list[Diagnostic] = []
    loads = any(isinstance(found.value, (CopyAtom, TiledCopy)) and "LDSM" in found.value.atom.name for found in values)
    for index, found in enumerate(values):
        fits = [("", _warning("LC424", told, found, text)) for told in unfitting(found, values)]
        for told, finding in (*_about(found, symbols, text, loads), *fits):
            if told:
                remarks.setdefault(index, []).append(told)
            if finding is not None:
                findings.append(finding)
    return remarks, findings


def _about(found: Found, symbols: Symbols, text: str, loads: bool) -> Iterator[tuple[str, Diagnostic | None]]:
    try:
        if isinstance(found.value, Composed):
            yield from _reach(found, text)
        if (told := narrow_copy(found)) is not None:
            yield "", _warning("LC422", told, found, text)
        if loads and re.match(r"(?i)smem", found.name.rpartition("::")[2]):
            yield from _read_by_ldmatrix(found)
        yield from _partitioned(found, symbols, text)
    except (LayoutError, Failure):
        return  # a layout that such an access does not fit


def _reach(found: Found, text: str) -> Iterator[tuple[str, Diagnostic | None]]:
    """A swizzle whose source bits lie above all offsets changes nothing."""
    swizzle, inner = found.value.swizzle, found.value.layout
    lowest = swizzle.base + max(swizzle.shift, 0)
    span = found.value.offset + cosize(inner)
    if not isinstance(span, int) or swizzle.bits == 0:
        return
    used = min(swizzle.bits, max(0, (span - 1).bit_length() - lowest))
    if used < swizzle.bits:
        told = f"{swizzle} looks at the bits {lowest} to {lowest + swizzle.bits - 1} of offsets below {span}"
        yield f"{used} of {swizzle.bits} swizzle bits", _warning("LC423", told, found, text)


def _read_by_ldmatrix(found: Found) -> Iterator[tuple[str, Diagnostic | None]]:
    """A tile of shared memory in a file that reads by ldmatrix; which tile, and how wide an element is, is assumed."""
    value = found.value
    if not isinstance(value, (Layout, Composed)) or value.rank != 2:
        return
    survey = bank_survey(value, Pattern(16, lanes="ldmatrix"))
    yield ("ldmatrix: no conflict" if survey.free else f"ldmatrix: {survey.degree}-way conflict, if so read"), None


def _partitioned(found: Found, symbols: Symbols, text: str) -> Iterator[tuple[str, Diagnostic | None]]:
    """A part of a tensor in shared or global memory that a tiled copy reads or writes."""
    where = found.definition.text
    used = _PARTITION.match(text, where.start, where.end)
    if used is None:
        return
    shared = _is_in(_SHARED, "s", found.frame, used["tensor"], text)
    if not shared and not _is_in(_GLOBAL, "g", found.frame, used["tensor"], text):
        return
    part = symbols.ask(found.frame, used["slice"], where.start).value
    tensor = symbols.ask(found.frame, used["tensor"], where.start).value
    if not isinstance(part, ThreadSlice) or not isinstance(part.tiled, TiledCopy) or tensor is None:
        return
    if (told := narrow_part(part.tiled, found.value)) is not None:
        yield "", _warning("LC422", told, found, text)
    if shared:
        yield from _conflicts(found, part.tiled, used["side"], tensor, text)


def _conflicts(
    found: Found, copy: TiledCopy, side: str, tensor: Any, text: str
) -> Iterator[tuple[str, Diagnostic | None]]:
    survey = bank_survey(*_instruction(copy, side, tensor.layout if isinstance(tensor, Tensor) else tensor))
    name = copy.atom.name
    if survey.free:
        yield f"{name}: no conflict", None
        return
    told = (
        f"{name} has {survey.degree}-way bank conflicts: {survey.wavefronts} wavefronts where {survey.ideal} would do"
    )
    yield f"{name}: {survey.degree}-way conflict", _warning("LC421", told, found, text)


def _instruction(copy: TiledCopy, side: str, layout: Any) -> tuple[Layout | Composed, Pattern]:
    """Where the threads of one instruction begin, and how much each moves."""
    inner = layout.layout if isinstance(layout, Composed) else layout
    whole = partition(copy, side, inner)
    assert isinstance(whole, Layout)
    moved = whole[1][0]
    first = concat(whole[0], moved)
    if first.size > _LIMIT:
        raise Failure(Diagnostic("LC104", "the tile is too large to count its accesses"))
    placed = Composed(layout.swizzle, layout.offset, first) if isinstance(layout, Composed) else first
    return placed, Pattern(copy.bits, moved.size, "tv", store=side == "D")


def _is_in(memory: re.Pattern[str], prefix: str, frame: Frame, name: str, text: str) -> bool:
    """Does a tensor lie in a memory, as its definition or its name says?"""
    here: Frame | None = frame
    while here is not None:
        for definition in here.block.definitions.get(name, ()):
            if memory.search(text, definition.text.start, definition.text.end):
                return True
        here = here.outer
    return re.match(f"{prefix}[A-Z]", name) is not None


def _warning(code: str, message: str, found: Found, text: str) -> Diagnostic:
    return Diagnostic(code, message, text, (Label(*found.definition.text),), severity="warning")
