"""The 64 bits of a matrix descriptor, and the layout that an instruction reads with them.

bits   0-13 start/16   16-29 LBO/16   32-45 SBO/16   49-51 base offset
sm90   62-63 mode: 0 none, 1 128B, 2 64B, 3 32B; 14-15, 30-31, 46-48 and 52-61 are ignored
sm100  61-63 mode: 0 none, 1 128B of units of 32 bytes, 2 128B, 4 64B, 6 32B; 46-48 hold 001, 52 makes LBO an
           address, 53-60 hold 0
"""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..instructions.refusal import argument
from .canonical import MODES, TURNS, WIDE, Form, Operand

__all__ = ["BASE", "FIELD_LIMIT", "UNREAD", "Fields", "decode", "encode", "layout_read"]

UNREAD = 16
"""What is written into a field that the mode does not read: one unit, as PTX and CuTe have it."""

FIELD_LIMIT = 1 << 18
"""Bytes that start, LBO and SBO cannot hold any more."""

BASE = 0x8000
"""Where a tile is taken to begin whose descriptor starts behind it, unless it is said: a 1024-byte boundary."""

CODES = {
    "sm90": (62, {"none": 0, "128B": 1, "64B": 2, "32B": 3}),
    "sm100": (61, {"none": 0, WIDE: 1, "128B": 2, "64B": 4, "32B": 6}),
}
"""By architecture where the mode stands, and its codes."""

PLACES = {"start": (0, 14, 16), "lbo": (16, 14, 16), "sbo": (32, 14, 16), "base_offset": (49, 3, 1)}
"""The other fields: first bit, width, and what a unit counts."""


class Fields(Record):
    """The fields of a descriptor, start, LBO and SBO in bytes; ``unread`` is a mask of bits that nothing reads."""

    mode: str
    start: int = 0
    lbo: int = 0
    sbo: int = 0
    base_offset: int = 0
    unread: int = 0


def encode(fields: Fields, arch: str = "sm90") -> int:
    """The 64 bits; LC103 for a field that does not fit.

    >>> hex(encode(Fields("128B", 0x8000, 16, 1024)))
    '0x4000004000010800'
    """
    first, codes = CODES[arch]
    if fields.mode not in codes:
        raise argument(
            "descriptor", "no mode is called {mode}; there are {all}", mode=fields.mode, all=", ".join(MODES)
        )
    value = codes[fields.mode] << first | (1 << 46 if arch == "sm100" else 0)
    for name, (place, width, unit) in PLACES.items():
        number = getattr(fields, name)
        if number < 0 or number % unit or number // unit >= 1 << width:
            raise argument(
                "descriptor", "{name} {number} has no place: it is a multiple of {unit} from 0 to {last}",
                name=name, number=number, unit=unit, last=((1 << width) - 1) * unit,
            )  # fmt: skip
        value |= number // unit << place
    return value


def decode(value: int, arch: str = "sm90") -> Fields:
    """The fields of 64 bits; LC103 for a mode that does not exist.

    >>> decode(0x4000004000010800).sbo
    1024
    """
    if not 0 <= value < 1 << 64:
        raise argument("descriptor", "a descriptor has 64 bits, {value} has more", value=hex(value))
    first, codes = CODES[arch]
    mode = next((name for name, code in codes.items() if code == value >> first), None)
    if mode is None:
        raise argument(
            "descriptor", "bits {first}-63 of {value} are {mode}, which is no swizzle mode of {arch}",
            first=first, value=hex(value), mode=value >> first, arch=arch,
        )  # fmt: skip
    if arch == "sm100" and value >> 52 & 1:
        raise argument("descriptor", "bit 52 of {value} makes LBO an address: that is sm_103a's", value=hex(value))
    found = {
        name: (value >> place & (1 << width) - 1) * unit for name, (place, width, unit) in PLACES.items()
    }  # fmt: skip
    fields = Fields(mode, **found)
    return fields.replace(unread=value ^ encode(fields, arch))


def layout_read(fields: Fields, operand: Operand, rows: int, base: int = 0) -> Layout | Composed | Tensor:
    """What one instruction reads, from (mn,k) to elements behind ``base``, a multiple of 1024.

    Law: address(mn,k) = base + bits/8*R(mn,k). Rows that end inside an atom get the whole atom.

    >>> str(layout_read(Fields("64B", 32, 16, 512), Operand(16, "k", "A"), 64))
    'Sw<2,3,3> o 16 o ((8,8),16):((32,256),1)'
    """
    form = Form(operand, fields.mode)
    plain = _plain(form, fields, rows)
    start = _elements(operand, fields.start - base)
    swizzle = form.swizzle
    if not swizzle.bits:
        return Tensor(start, plain) if start else plain
    period, row = 128 * TURNS[fields.mode], 128 * fields.base_offset
    if row % period == 0:
        return Composed(swizzle, start, plain)
    # The pattern begins 128*base_offset behind a boundary; of all such places the last one before the start is taken.
    origin = row - period * -(-max(0, row - (fields.start - base)) // period)
    begins = _elements(operand, origin)
    return Tensor(begins, Composed(swizzle, start - begins, plain))


def _elements(operand: Operand, bytes_: int) -> int:
    return bytes_ * 8 // operand.bits


def _plain(form: Form, fields: Fields, rows: int) -> Layout:
    """The closed form without swizzle and start."""
    operand, side = form.operand, form.major_run
    lbo, sbo = (_elements(operand, x) for x in (fields.lbo, fields.sbo))
    if operand.major == "k":
        taken = min(side, operand.k)
        return _modes([(8, side), (rows // 8, sbo)], [(taken, 1), (operand.k // taken, lbo)])
    along_mn, along_k = (sbo, lbo) if form.mode == "none" else (lbo, sbo)
    atoms = [(rows, 1)] if rows <= side else [(side, 1), (-(-rows // side), along_mn)]
    return _modes(atoms, [(form.height, side), (operand.k // form.height, along_k)])


def _modes(*modes: list[tuple[Any, Any]]) -> Layout:
    """A layout of modes without extents 1; a mode of one leaf is that leaf."""
    kept = [[leaf for leaf in mode if leaf[0] > 1] or mode[:1] for mode in modes]
    shape, stride = (
        tuple(mode[0][i] if len(mode) == 1 else tuple(leaf[i] for leaf in mode) for mode in kept) for i in (0, 1)
    )
    return Layout(shape, stride)
