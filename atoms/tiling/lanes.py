"""Lane and register tables: which element sits in which register slot of which lane, as plain rows for CSV.

AMD's matrix instruction calculator prints its tables this way. Registers are 32 bits wide and numbered from 0 for each
operand: ``v0.[15:0]`` is the lower half of the first, ``v[1:0]`` a pair. Other vendors' values get the same labels by
their width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from laycalc.algebra.values.htuple import entries
from laycalc.algebra.values.shape import idx2crd

from ..instructions.element_types import width
from ..instructions.record import Atom
from .ownership import all_values, view

if TYPE_CHECKING:
    from .ownership import Holder

__all__ = ["COLUMNS", "Row", "lane_table", "registers"]

REGISTER = 32


class Row(NamedTuple):
    """One line: the operand, the physical lane, the value's number and register slot, the coordinate of its element."""

    operand: str
    lane: int
    value: int
    register: str
    coordinate: tuple[int, ...]


COLUMNS = {
    "A": ("m", "k"),
    "B": ("n", "k"),
    "C": ("m", "n"),
    "D": ("m", "n"),
    "E": ("m", "k"),
    "SFA": ("m", "k"),
    "SFB": ("n", "k"),
}
"""The names of a row's coordinates, before the block where there is one."""


def lane_table(holder: Holder, operand: str) -> list[Row]:
    """Every (lane, value) of an operand in order, with its register slot and its coordinate.

    Works for atoms, tiled MMAs (C, A, B) and tiled copies (S, D); the register slot is empty where the width of the
    values is not known or the operand is not in registers. LC103 for an operand that there is not.

    >>> from ..instructions.catalogue import atom
    >>> lane_table(atom("CDNA_32x32x8_F32F16F16_MFMA"), "A")[1]
    Row(operand='A', lane=0, value=1, register='v0.[31:16]', coordinate=(0, 1))
    """
    seen = view(holder, operand)
    values, count = all_values(seen), len(seen.threads)
    labels = _labels(holder, operand, seen.values)
    order = sorted(range(count), key=seen.threads.__getitem__)
    return [
        Row(operand, seen.threads[t], v, labels[v], _coordinate(values[t + count * v], seen.extents))
        for t in order
        for v in range(seen.values)
    ]


def _coordinate(index: int, extents: tuple[int, ...]) -> tuple[int, ...]:
    found: tuple[int, ...] = entries(idx2crd(index, extents)) if len(extents) > 1 else (index,)
    return found


def registers(atom: Atom, operand: str) -> list[str]:
    """The register slot of each value of an operand, in order of the values; empty texts where it is in no register.

    As AMD's calculator has it, two kept values of a sparse A share a slot, and its index E has 4-bit fields.
    """
    return _labels(atom, operand, atom.operand(operand)[1].size)


def _labels(holder: Holder, operand: str, count: int) -> list[str]:
    atom, operand = (holder if isinstance(holder, Atom) else holder.atom), operand.upper()
    place = {"A": 0, "B": 1, "C": 2, "D": 2}.get(operand)
    if atom.types is None or not _in_registers(atom, place):
        return [""] * count
    if place is None:
        return [_slot(v, 4, REGISTER) for v in range(count)] if _is_index(atom, operand) else [""] * count
    bits = atom.containers[place] if atom.containers and place < 2 else width(getattr(atom.types, operand))
    if atom.vendor == "amd" and atom.sparse and place == 0:
        return [_slot(v // 2, 2 * bits, REGISTER) for v in range(count)]
    return [_slot(v, bits, bits if _is_alone(atom, place, bits) else REGISTER) for v in range(count)]


def _is_alone(atom: Atom, place: int, bits: int) -> bool:
    """RDNA3 keeps one narrow result in a register; elsewhere narrow values share it."""
    return atom.arch == "RDNA3" and place == 2 and bits < REGISTER


def _in_registers(atom: Atom, place: int | None) -> bool:
    """Is it a matrix instruction that holds the operand in registers, as far as that is known?"""
    return atom.kind == "mma" and (place is None or atom.places is None or atom.places[place] == "registers")


def _is_index(atom: Atom, operand: str) -> bool:
    """The positions of sparse elements, which AMD keeps in a register of their own."""
    return operand == "E" and atom.vendor == "amd"


def _slot(value: int, bits: int, register: int) -> str:
    """The slot of a value: ``register`` bits of each register are used."""
    if bits > REGISTER:
        span = -(-bits // REGISTER)
        return f"v[{span * value + span - 1}:{span * value}]"
    each = register // bits
    low = value % each * bits
    if bits == REGISTER:
        return f"v{value}"
    return f"v{value // each}.[{low + bits - 1}:{low}]"
