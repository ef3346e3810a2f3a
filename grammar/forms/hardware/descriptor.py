"""Matrix descriptors of shared memory: ``desc 0x4000004000010800``, or their fields; the layout that is read.

The bits do not say for which operand they are meant. Settings behind them do: ``bits=16 major=k operand=A``.
"""

from __future__ import annotations

import re
from typing import Any

from laycalc.atoms.memory.canonical import MODES, WIDE, Form, Operand, operand_named
from laycalc.atoms.memory.descriptor_bits import BASE, CODES, Fields, decode, encode, layout_read
from laycalc.atoms.memory.descriptor_told import reaches_past

from ...language.values import text_of
from ..reading.form import Form as Notation
from ..reading.reading import Reading, bad, cannot
from .settings import Settings, settings

__all__ = ["FORM", "guess", "read", "recognise"]

_HEAD = re.compile(r"\s*+(?:(?:desc|descriptor)\b[\s:=]*+)?(?P<bits>0[xX](?P<digits>[0-9a-fA-F_']+))?")

_WORDS = ("bits", "major", "operand", "arch", "base")
_FIELDS = ("mode", "start", "lbo", "sbo", "base_offset")


def recognise(text: str) -> bool:
    """Does it begin with ``desc`` and go on with bits or fields?"""
    return re.match(r"\s*+desc(?:riptor)? (?:0[xX]|(?:mode|start|lbo|sbo|base_offset)\s*=)", text) is not None


def guess(text: str) -> bool:
    """Is it a number of more digits than an address has?"""
    return re.fullmatch(r"\s*+0[xX][0-9a-fA-F]{13,16}\s*+", text) is not None


def read(text: str, shape: Any = None) -> Reading:
    """The layout from (mn,k) to elements that one instruction reads with a descriptor."""
    head = _HEAD.match(text)
    given = head is not None and head["bits"] is not None
    start = head.end() if head is not None else 0
    found = settings(text, start, _WORDS if given else (*_WORDS, *_FIELDS))
    arch = found.word("arch", "sm90", CODES)
    if head is not None and given:
        fields = decode(_number(text, head), arch)
    elif any(name in found for name in _FIELDS):
        fields = _fields(found, arch)
    else:
        missing = "the 64 bits or the fields of a descriptor are missing"
        raise bad(text, start, len(text), missing, "desc 0x... is expected")
    operand, rows = _operand(text, found, arch, shape)
    base = found.number("base", BASE if fields.start >= BASE else 0)
    if base % 1024 or base > fields.start:
        raise cannot(f"base {base} is no multiple of 1024 up to the start {fields.start}", source=text)
    absolute = layout_read(fields, operand, rows)
    facts = {
        "element_bits": operand.bits, "shape": (rows, operand.k), "mode": fields.mode, "start": fields.start,
        "lbo": fields.lbo, "sbo": fields.sbo, "base_offset": fields.base_offset, "base": base,
        "relative": text_of(layout_read(fields, operand, rows, base)),
    }  # fmt: skip
    return Reading(
        "descriptor", text_of(absolute), _notes(fields, operand, rows, absolute), facts=facts, value=absolute
    )


def _number(text: str, head: re.Match[str]) -> int:
    digits = head["digits"].replace("_", "").replace("'", "")
    if not 1 <= len(digits) <= 16:
        raise bad(text, head.start("bits"), head.end("bits"), f"{len(digits)} hexadecimal digits, a descriptor has 16")
    return int(digits, 16)


def _fields(found: Settings, arch: str) -> Fields:
    """The fields as they are given, which must fit into the bits."""
    fields = Fields(found.word("mode", "none", (*MODES, WIDE)), *(found.number(name, 0) for name in _FIELDS[1:]))
    return decode(encode(fields, arch), arch)


def _operand(text: str, found: Settings, arch: str, shape: Any) -> tuple[Operand, int]:
    """The operand that is meant, and the rows of an instruction, from settings and shape."""
    if shape is not None and len(shape) != 2:
        raise cannot("a descriptor reads a tile of two modes, mn x k", source=text)
    rows, k = shape or (64, None)
    letter = found.word("operand", "A" if rows % 64 == 0 else "B", ("A", "B"))
    operand = operand_named(found.number("bits", 16), found.word("major", "k", ("k", "mn")), letter, arch)
    if letter == "B" and k == 2 * operand.k:
        operand = operand.replace(sparse=True)
    if k not in (None, operand.k):
        twice = ", a sparse one twice as many" if letter == "B" else ""
        raise cannot(f"an instruction reads {operand.k} elements of k (32 bytes{twice}), not {k}", source=text)
    allowed = range(8, 257, 8) if letter == "B" else (64,) if arch == "sm90" else (64, 128)
    if rows not in allowed:
        said = "8, 16, ... 256" if letter == "B" else " or ".join(map(str, allowed))
        raise cannot(f"an instruction reads {said} rows of {letter}, not {rows}", source=text)
    return operand, rows


def _notes(fields: Fields, operand: Operand, rows: int, read: Any) -> tuple[str, ...]:
    """The fields in words, and what nobody reads or may read."""
    told = [
        f"read as {operand}, {rows} x {operand.k}: start {fields.start}, LBO {fields.lbo}, SBO {fields.sbo} bytes, "
        f"base offset {fields.base_offset}, mode {fields.mode}"
    ]
    if operand.sparse:
        told.append("twice the k of a dense instruction: the operand of a sparse one")
    if fields.unread:
        bits = ", ".join(str(i) for i in range(64) if fields.unread >> i & 1)
        told.append(f"nothing reads the bits {bits}, which are set")
    run = Form(operand, fields.mode).major_run
    if operand.major == "mn" and rows > run and rows % run:
        told.append(f"{rows} rows end inside an atom of {run}: the layout has whole atoms")
    if (last := reaches_past(read, operand.bits)) is not None:
        told.append(f"it reads byte {last}, past the 233,472 of shared memory: CUDA_ERROR_ILLEGAL_ADDRESS")
    if operand.arch != "sm90":
        told.append(f"{operand.arch} is as the PTX ISA documents it, not measured")
    return tuple(told)


FORM = Notation(
    name="descriptor",
    title="matrix descriptors of wgmma and tcgen05: the layout that an instruction reads",
    example="desc 0x4000004000010800 bits=16 major=k operand=A",
    aliases=("desc", "wgmma"),
    lost="fields that the mode does not read",
    marks=("desc 0", "desc mode", "desc start", "desc lbo", "desc sbo", "desc base", "descriptor 0"),
    recognise=recognise,
    guess=guess,
    order=12,
    read=read,
    surplus=(
        "desc 0x4000004000010800 bits=16 colour=3",
        "desc 0x4000004000010800 bits=16 bits=16",
        "desc 0x4000004000010800 sbo=1024",
        "desc 0x4000004000010800 and more",
        "desc mode=128B sbo=1024 stride=3",
    ),
)
