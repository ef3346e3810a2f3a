"""The shared-memory matrix descriptor of wgmma and tcgen05: from a layout to its fields, and to what they read.

SM90 was measured on an H200 (172 million addresses), SM100 is as the PTX ISA documents it. With W bytes a row:

    K-major        off = (mn % 8)*W + (mn / 8)*SBO + (kb / W)*LBO + kb % W                    kb = k in bytes
    MN-major       off = (mn % T)*b + (mn / T)*SBO + (k % 8)*16 + (k / 8)*LBO                 mode none
                   off = (mn % V)*b + (mn / V)*LBO + (k % 8)*W  + (k / 8)*SBO                 32B, 64B, 128B
    a = start + off,   address = a XOR (((a >> 7) - base_offset) mod (W/16)) << 4

The two fields swap their meaning between MN-major without and with a swizzle.
"""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.decide import divides, known_same, quotient
from laycalc.algebra.base.derivations import noted, unrecorded
from laycalc.algebra.base.errors import LayoutError, refuse
from laycalc.algebra.base.record import Record
from laycalc.algebra.base.words import word
from laycalc.algebra.operations.swizzle_algebra import as_swizzle
from laycalc.algebra.values.coalesce import merged, unwrap
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..instructions.refusal import argument
from .canonical import (
    MODES,
    ROW,
    TURNS,
    WIDE,
    Form,
    Leaves,
    Operand,
    aligned,
    groups,
    in_bytes,
    leaves,
    misses,
    operand_named,
    rows_of,
    run,
)
from .canonical_near import candidates
from .descriptor_bits import FIELD_LIMIT, UNREAD, Fields, encode

__all__ = ["Descriptor", "descriptor", "operand_of"]


class Descriptor(Record):
    """The fields of a descriptor, in bytes: ``lbo`` or ``sbo`` is None where the mode does not read it.

    ``start`` counts from a 1024-byte boundary. ``rows`` are those of one instruction; ``steps_mn``, ``steps_k`` and
    ``stages`` lead from a step along a mode to what it adds to the start address. ``advance`` is one step of k, None
    where only the tile that follows would say it.
    """

    layout: Any
    operand: Operand
    mode: str
    lbo: Any
    sbo: Any
    base_offset: int
    start: Any
    rows: Any
    advance: Any
    steps_mn: Layout
    steps_k: Layout
    stages: Layout

    def __str__(self) -> str:
        wanted = self.operand
        further = f', "{wanted.arch}"' if wanted.arch != "sm90" or wanted.sparse else ""
        further += ", 1" if wanted.sparse else ""
        return f'descriptor({self.layout}, {wanted.bits}, "{wanted.major}", "{wanted.letter}"{further})'

    @property
    def written(self) -> Fields | None:
        """The fields as they are written, for start 0; None where a distance is not known."""
        lbo, sbo = (UNREAD if x is None else x for x in (self.lbo, self.sbo))
        if type(lbo) is not int or type(sbo) is not int:
            return None
        return Fields(self.mode, 0, lbo, sbo, self.base_offset)

    @property
    def desc(self) -> str | None:
        """The 64 bits for start 0, in hexadecimal; None where a distance is not known."""
        fields = self.written
        return None if fields is None else f"0x{encode(fields, self.operand.arch):016x}"

    @property
    def starts(self) -> list[tuple[int, int, int]]:
        """(mn, k, start) of each instruction of the first stage, k first."""
        k = self.operand.k
        return [
            (i * self.rows, j * k, self.start + mn + along)
            for i, mn in enumerate(self.steps_mn.elements())
            for j, along in enumerate(self.steps_k.elements())
        ]


@word("""
    atoms: descriptor(L: any-layout, bits: integer, major: string?, operand: string?, arch: string?, sparse: integer?)
    the shared-memory matrix descriptor that reads a layout (mn,k); .mode .lbo .sbo .advance .base_offset in bytes
    law: address(mn,k) = L(mn,k)*bits/8
    descriptor(Sw<3,3,3> o 0 o (128,64):(64,1), 16).sbo
""")
def descriptor(
    layout: Layout | Composed | Tensor,
    bits: int,
    major: str | None = None,
    operand: str | None = None,
    arch: str | None = None,
    sparse: int | None = None,
) -> Descriptor:
    """The descriptor whose instructions read ``layout``, from (mn,k) to elements of ``bits`` bits.

    The first mode is M or N, the second K, further ones are stages. A tensor's offset is where the swizzle pattern
    begins, the offset behind the swizzle where the data begins in it. What is no such tile may be the partition of one,
    ((MmaM,MmaK),RestM,RestK,..). LC320 if no descriptor reads it.

    >>> found = descriptor(Layout(((8, 8), (8, 2)), ((8, 128), (1, 64))), 16)
    >>> found.mode, found.lbo, found.sbo, found.advance
    ('none', 128, 256, 256)
    """
    _, _, _, plain = parts = _parts(layout)
    wanted = operand_of(plain, bits, major or "", operand or "", arch or "sm90", bool(sparse))
    try:
        return _matched(layout, wanted, *parts)
    except LayoutError as error:
        if error.code != "LC320":
            raise
        tile = _partitioned(layout)
        if tile is None:
            raise _with_nearest(error, layout, wanted) from None
    *_, plain = parts = _parts(tile)
    wanted = operand_of(plain, bits, major or "", operand or "", arch or "sm90", bool(sparse))
    try:
        return _matched(tile, wanted, *parts)
    except LayoutError as error:
        raise (_with_nearest(error, tile, wanted) if error.code == "LC320" else error) from None


def _with_nearest(error: LayoutError, layout: Any, wanted: Operand) -> LayoutError:
    """The refusal with the nearest layout that has a descriptor, if there is one."""
    for candidate in candidates(layout, wanted):
        try:
            with unrecorded():
                _matched(candidate, wanted, *_parts(candidate))
        except LayoutError:
            continue
        template = error.template + "; the nearest layout that has one is {nearest}"
        return refuse("LC320", template, **error.facts, nearest=candidate)
    return error


def _matched(layout: Any, wanted: Operand, origin: Any, swizzle: Any, start: Any, plain: Layout) -> Descriptor:
    """The descriptor of a layout in its parts; LC320 if no instruction reads it."""
    mode, bits = _mode(wanted, swizzle, layout), wanted.bits
    form = Form(wanted, mode)
    noted("canonical", operand=str(wanted), mode=mode, form=str(form), plain=str(plain))
    lbo, sbo, rows, rest_mn, rest_k = _fields(form, leaves(plain[0]), leaves(plain[1]))
    base_offset, start = _placed(form, origin, start)
    lbo, sbo = (None if x is None else _field(form, in_bytes(bits, x)) for x in (lbo, sbo))
    along = _steps(form, "k", rest_k)
    found = Descriptor(
        layout, wanted, mode, lbo, sbo, base_offset, in_bytes(bits, start), rows,
        _advance(form, lbo, sbo, along), _steps(form, "mn", rest_mn), along, _stages(form, plain),
    )  # fmt: skip
    noted("descriptor", found=found)
    return found


def _partitioned(layout: Any) -> Any:
    """((MmaM,MmaK),RestM,RestK,..) as the tile ((MmaM,RestM),(MmaK,RestK),..); None if it is no such partition."""
    if isinstance(layout, Tensor):
        inside = _partitioned(layout.layout)
        return None if inside is None else Tensor(layout.offset, inside)
    if isinstance(layout, Composed):
        inside = _partitioned(layout.layout)
        return None if inside is None else Composed(layout.swizzle, layout.offset, inside)
    if layout.rank < 3 or layout[0].rank != 2:
        return None
    first, rest_mn, rest_k, *stages = layout.modes()
    return concat(concat(first[0], rest_mn), concat(first[1], rest_k), *stages)


def _parts(layout: Any) -> tuple[Any, Any, Any, Layout]:
    """Where the pattern begins, the swizzle, where the data begins in it, and the strided layout."""
    origin: Any = 0
    if isinstance(layout, Tensor):
        origin, layout = layout.offset, layout.layout
    swizzle, start = None, 0
    if isinstance(layout, Composed):
        swizzle, start, layout = layout.swizzle, layout.offset, layout.layout
    if isinstance(layout, Layout) and layout.semimodule == "F2" and swizzle is None:
        layout = as_swizzle(layout)
        return _parts(Tensor(origin, layout) if origin else layout)
    if not isinstance(layout, Layout) or layout.rank < 2 or layout.semimodule != "Z":
        raise argument(
            "descriptor", "a layout from (mn,k) to elements is expected, of two modes and stages, not {layout}",
            layout=str(layout),
        )  # fmt: skip
    return origin, swizzle, start, layout


def operand_of(plain: Layout, bits: int, major: str, letter: str, arch: str, sparse: bool) -> Operand:
    """The operand that is meant: what is left open follows from the layout."""
    major = major or ("mn" if _first(plain[0]) == 1 and _first(plain[1]) != 1 else "k")
    return operand_named(bits, major, letter or ("A" if _is_multiple(plain[0], 64) else "B"), arch, sparse)


def _first(mode: Layout) -> Any:
    """The distance of the first two elements of a mode."""
    parts = leaves(mode)
    return parts[0][1] if parts else None


def _is_multiple(mode: Layout, count: int) -> bool:
    extent = size(mode.shape)
    return type(extent) is not int or extent % count == 0


def _mode(wanted: Operand, swizzle: Any, layout: Any) -> str:
    """The swizzle mode with the bits of a swizzle in elements; LC320 for a swizzle that the hardware does not have."""
    if swizzle is None or not swizzle.bits:
        return "none"
    base = wanted.unit.bit_length() - 1
    if swizzle.bits <= 3 and (swizzle.base, swizzle.shift) == (base, 3):
        return MODES[swizzle.bits]
    if wanted.arch == "sm100" and wanted.major == "mn" and swizzle == Form(wanted, WIDE).swizzle:
        return WIDE
    why = f"modes 32B, 64B, 128B are Sw<1|2|3,{base},3> on elements of {wanted.bits} bits"
    if (swizzle.base, swizzle.shift) == (4, 3):
        why += "; this one counts bytes, as swizzles of pointers do"
    raise refuse(
        "LC320", "no descriptor reads it as {operand}: {swizzle} moves no units of 16 bytes within 128; {why}",
        op="descriptor", operand=str(wanted), swizzle=str(swizzle), why=why, layout=str(layout), left_path=(),
    )  # fmt: skip


def _fields(form: Form, mn: Leaves, k: Leaves) -> tuple[Any, Any, Any, Leaves, Leaves]:
    """LBO and SBO in elements, the rows of an instruction, and what both modes have beyond one instruction."""
    wanted, side = form.operand, form.major_run
    rows = rows_of(wanted, _count(mn))
    if wanted.major == "k":
        rest_mn = run(form, "mn", mn, 8, side)
        sbo, rest_mn = groups(form, "mn", rest_mn, quotient(rows, 8))
        taken = min(side, wanted.k)
        lbo, rest_k = groups(form, "k", run(form, "k", _whole(form, k), taken, 1), wanted.k // taken)
        return lbo, sbo, rows, rest_mn, rest_k
    along_mn, rest_mn = _atoms(form, mn, rows)
    height = form.height
    along_k, rest_k = groups(form, "k", run(form, "k", _whole(form, k), height, side), wanted.k // height)
    lbo, sbo = (along_k, along_mn) if form.mode == "none" else (along_mn, along_k)
    return lbo, sbo, rows, rest_mn, rest_k


def _field(form: Form, distance: Any) -> Any:
    """A distance that has a place in its field."""
    if type(distance) is int and not 0 <= distance < FIELD_LIMIT:
        wanted = f"distances from 0 to {FIELD_LIMIT - 16} bytes (14 bits of 16)"
        raise misses(form, "mn" if form.operand.major == "k" else "k", wanted, f"{distance}")
    return distance


def _count(parts: Leaves) -> Any:
    total: Any = 1
    for extent, _ in parts:
        total = total * extent
    return total


def _whole(form: Form, k: Leaves) -> Leaves:
    """The k mode, whose extent is a multiple of that of an instruction."""
    need, extent = form.operand.k, _count(k)
    if not divides(need, extent):
        bytes_ = need * form.operand.bits // 8
        raise misses(form, "k", f"a multiple of {need} elements ({bytes_} bytes, one instruction)", f"{extent}")
    return k


def _atoms(form: Form, mn: Leaves, rows: Any) -> tuple[Any, Leaves]:
    """The distance from atom to atom along mn of an MN-major operand; the last atom may be read in part."""
    side = form.major_run
    if type(rows) is int and rows % side:
        if rows < side:
            return None, run(form, "mn", mn, rows, 1)
        # Rows that end inside an atom are one run of neighbours: the atoms follow one another.
        return side, run(form, "mn", mn, rows, 1)
    rest = run(form, "mn", mn, side, 1)
    return groups(form, "mn", rest, quotient(rows, side))


def _placed(form: Form, origin: Any, start: Any) -> tuple[int, Any]:
    """The base offset, and the start address in elements from the 1024-byte boundary."""
    begin = aligned(form, "k", origin + start)
    row = 1024 // form.operand.bits
    if form.mode == "none" or known_same(origin, 0) or divides(row * TURNS[form.mode], origin):
        return 0, begin
    if not divides(row, origin):
        raise misses(form, "k", "a swizzle pattern that begins at a multiple of 128 bytes", f"one at element {origin}")
    if type(origin) is not int:
        raise refuse("LC106", "the base offset needs the value of {origin}", op="descriptor", origin=str(origin))
    return origin // row % TURNS[form.mode], begin


def _steps(form: Form, where: str, rest: Leaves) -> Layout:
    """What a step along a mode adds to the start address, in bytes."""
    steps = [in_bytes(form.operand.bits, aligned(form, where, step)) for _, step in rest]
    return unwrap(merged(tuple(extent for extent, _ in rest), tuple(steps)))


def _stages(form: Form, plain: Layout) -> Layout:
    further = [part for mode in plain.modes()[2:] for part in leaves(mode)]
    return _steps(form, "stage", further)


def _advance(form: Form, lbo: Any, sbo: Any, steps: Layout) -> Any:
    """One step of k: that of the tile, or where there is but one, what the form itself says."""
    parts = leaves(steps)
    if parts:
        return parts[0][1]
    between = lbo if form.mode == "none" else sbo if form.operand.major == "mn" else None
    if between is not None:
        return between * (form.operand.k // (form.height if form.operand.major == "mn" else form.operand.unit))
    inside = form.operand.k * form.operand.bits // 8
    return inside if form.mode in ("64B", "128B") and inside < ROW[form.mode] else None
