"""What there is to know of a descriptor where it surprises people, and how a given one differs from what is needed."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from .canonical import TURNS, WIDE
from .descriptor import Descriptor
from .descriptor_bits import BASE, Fields, layout_read

__all__ = ["Difference", "difference", "reaches_past", "traps"]

SHARED = 233_472
"""The bytes of the shared window of an SM; what lies behind them ends the launch."""


def traps(found: Descriptor) -> tuple[str, ...]:
    """Sentences on what is easily done wrong with this descriptor."""
    operand, swizzled = found.operand, found.mode != "none"
    told = []
    if found.lbo is None:
        told.append("LBO is not read in this mode; CuTe writes 1")
        if (found.mode, operand.major, operand.letter) == ("32B", "k", "B"):
            told.append("a sparse instruction would read LBO: its second 32 bytes of k lie there (--sparse)")
    if found.sbo is None:
        told.append(f"SBO is not read: the {found.rows} rows are one group")
    if operand.major == "mn":
        ways = ("LBO leads along mn, SBO along k", "out") if swizzled else ("SBO leads along mn, LBO along k", "")
        told.append(f"{ways[0]}; MN-major with{ways[1]} a swizzle it is the other way round")
    if operand.sparse and operand.letter == "B" and found.mode == "32B":
        told.append("sparse B in 32B mode reads its second 32 bytes of k at LBO; CuTe's make_gmma_desc writes 1 there")
    if found.base_offset:
        told.append(
            f"base_offset {found.base_offset} is for data swizzled relative to its own beginning, (start >> 7) & 7;"
            " data that TMA wrote needs 0 wherever it lies (--tma): with this formula 78 of 91 such tiles had every"
            " element wrong"
        )
    if found.mode == WIDE:
        told.append("TMA writes this mode with the swizzle 128B_ATOM_32B, which sm_90 refuses")
    if operand.arch != "sm90":
        told.append(f"{operand.arch} is as the PTX ISA documents it, not measured")
    return tuple(told)


class Difference(Record):
    """The fields of a given descriptor that are wrong, as (name, has, needs), and the share of wrong elements."""

    found: tuple[tuple[str, Any, Any], ...]
    wrong: float


def difference(given: Fields, needed: Descriptor, base: int | None = None) -> Difference:
    """How a descriptor differs from the one that reads a layout; only fields that are read count.

    ``base`` is the 1024-byte boundary from which the layout counts, by default the one that its start was given with.
    """
    base = (BASE if given.start >= BASE else 0) if base is None else base
    turns = TURNS[needed.mode]
    pairs = [
        ("mode", given.mode, needed.mode),
        ("LBO", given.lbo, needed.lbo),
        ("SBO", given.sbo, needed.sbo),
        ("base_offset", given.base_offset % turns, needed.base_offset),
        ("start", given.start - base, needed.start),
    ]
    wrong = tuple((name, has, wants) for name, has, wants in pairs if wants is not None and has != wants)
    return Difference(wrong, _share(given, needed, base))


def _share(given: Fields, needed: Descriptor, base: int) -> float:
    """The share of the elements of one instruction that lie elsewhere."""
    written = needed.written
    if written is None or type(needed.rows) is not int:
        raise refuse("LC106", "a check needs the numbers of {layout}", op="descriptor", layout=str(needed.layout))
    wanted = layout_read(written.replace(start=needed.start), needed.operand, needed.rows)
    read = layout_read(given, needed.operand, needed.rows, base)
    one, other = wanted.elements(), read.elements()
    wrong = sum(1 for a, b in zip(one, other, strict=True) if a != b)
    return wrong / len(one)


def reaches_past(read: Layout | Composed | Tensor, bits: int) -> int | None:
    """The last byte address that an absolute layout reads, if it lies past the shared window."""
    last = max(read.elements()) * bits // 8
    return last if last >= SHARED else None
