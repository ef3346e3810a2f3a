"""Tiled copy: one copy instruction repeated over threads and values (CUTLASS 4.7, ``cute::TiledCopy``).

A thread layout (m, n) -> thread and a value layout (m, n) -> value are raked: in each mode the value is fast and the
thread slow, m = vm + VM*tm. The thread-value layout of the tile speaks the reference numbering of the atom (its
destination for loads, its source for stores); with (tr, vr) = right_inverse(Ref) o Src (ts, vs) the source has

    S(ts + AT*rt, vs + AVs*rv) = TV(tr + AT*rt, vr + AVr*rv)

and the destination likewise with Dst.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from laycalc.algebra.base.above import Pictured, written
from laycalc.algebra.base.decide import divides
from laycalc.algebra.base.errors import refuse
from laycalc.algebra.base.record import Record
from laycalc.algebra.base.words import word
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.operations.divide import zipped_divide
from laycalc.algebra.operations.filtering import filter_layout
from laycalc.algebra.operations.image import cosize
from laycalc.algebra.operations.inverse import left_inverse, right_inverse
from laycalc.algebra.operations.product import raked_product
from laycalc.algebra.values.coalesce import coalesce
from laycalc.algebra.values.htuple import format_htuple
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.tiler import Tiler

from ..instructions.bits import sides
from ..instructions.element_types import width
from ..instructions.refusal import argument
from .copy_atom import CopyAtom
from .threads import as_layout, bijective

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..instructions.record import Atom
    from .mma_tiling import TiledMMA

__all__ = [
    "TiledCopy", "cotiled_copy", "tiled_copy", "tiled_copy_A", "tiled_copy_B", "tiled_copy_C", "tiled_copy_C_atom",
    "tiled_copy_tv",
]  # fmt: skip


class TiledCopy(Pictured, Record):
    """A copy atom tiled over threads and values; make one with `tiled_copy` or `tiled_copy_A`, `_B`, `_C`.

    ``bits`` is the width of an element, ``tiler`` an extent or a layout for each mode of the tile, ``layout_tv``
    (thread, value) -> column-major index in the tile by the atom's reference numbering; ``S`` and ``D`` are what
    threads read and write.
    """

    atom: Atom
    bits: int
    tiler: tuple[int, ...] | Tiler
    layout_tv: Layout
    S: Layout
    D: Layout
    text: str
    ignored: ClassVar = frozenset({"text"})

    __repr__ = written

    def __str__(self) -> str:
        return self.text

    @property
    def extents(self) -> tuple[int, ...]:
        """The extents of the tile."""
        return _extents(self.tiler)

    @property
    def threads(self) -> int:
        """The number of threads."""
        return int(self.layout_tv[0].size)

    def as_json(self) -> dict[str, Any]:
        """Plain data; layouts are text of the language."""
        sides = {"layout_tv": str(self.layout_tv), "S": str(self.S), "D": str(self.D)}
        return {"threads": self.threads, "bits": self.bits, **sides, "tiler": _tile_text(self.tiler)}

    def of_bits(self, bits: int) -> TiledCopy:
        """The same copy of elements of this width, where its own width is only that of the instruction's values."""
        if bits == self.bits or _told(self.bits) in self.text or self.bits != self.atom.value_bits:
            return self
        return tiled_copy_tv(self.atom, self.layout_tv, self.tiler, bits)

    def layout(self, side: str) -> Layout:
        """The thread-value layout of ``S`` (src), ``D`` (dst) or ``TV`` (the reference)."""
        found = {"S": self.S, "SRC": self.S, "D": self.D, "DST": self.D, "TV": self.layout_tv, "REF": self.layout_tv}
        if side.upper() not in found:
            raise argument("tiled_copy", "a tiled copy has S, D and TV, no {side!r}", side=side)
        return found[side.upper()]

    def thrfrg(self, side: str, tensor: Layout | Sequence[int]) -> Layout:
        """(thread, (atom value, repeat), rest, rest', ...) over a tensor, one rest for each mode.

        LC314 if an extent of the tensor is no multiple of the tile's.
        """
        layout = as_layout("partition", "tensor", tensor)
        modes = layout.modes()
        if len(modes) < len(self.tiler):
            raise argument(
                "partition", "{tensor} has fewer modes than {tiler}", tensor=str(layout), tiler=str(self.tiler)
            )
        for index, (mode, tile) in enumerate(zip(modes, self.extents, strict=False)):
            if not divides(tile, mode.size):
                whole = mode.size - mode.size % tile if isinstance(mode.size, int) else tile
                raise refuse(
                    "LC314",
                    "extent {extent} of mode {index} is no multiple of the tile's {tile}; {below} or {above} would be",
                    op="partition",
                    extent=mode.size,
                    index=index,
                    tile=tile,
                    below=whole or tile,
                    above=whole + tile,
                    right_path=(index,),
                )
        tiles = zipped_divide(layout, self.tiler if isinstance(self.tiler, Tiler) else Tiler(self.tiler))
        held = composition(tiles[0], self.layout(side))
        return concat(*held.modes(), *tiles[1].modes())


def _resolve(atom: Atom | CopyAtom | str, op: str) -> Atom:
    if isinstance(atom, CopyAtom):
        return atom.atom
    if isinstance(atom, str):
        from ..instructions.catalogue import atom as find

        atom = find(atom)
    if atom.kind != "copy":
        raise argument(op, "{atom} is no copy instruction", atom=atom.name)
    return atom


@word("""
    atoms: tiled_copy(atom: copying, thr: plain-operand?, val: plain-operand?, bits: positive?,
                      layout_tv: layout?, tiler: plain-operand?)
    a copy instruction over threads and values, or by its thread-value layout over a tile
    tiled_copy("SM75_U32x4_LDSM_N", (8,4):(4,1), (2,4):(4,1), 16)
""")
def tiled_copy(
    atom: Atom | CopyAtom | str,
    threads: Layout | Sequence[int] | None = None,
    values: Layout | Sequence[int] | None = None,
    bits: int | None = None,
    layout_tv: Layout | None = None,
    tiler: Tiler | Sequence[int] | None = None,
) -> TiledCopy:
    """Lay a copy instruction out over threads and values, or as `tiled_copy_tv` does by ``layout_tv`` and ``tiler``.

    ``threads`` sends (m, n) to the thread, ``values`` (default 1:0) to its value; shapes are column-major. ``bits`` is
    the width of an element, by default that of the atom's values. LC306 unless both count without gaps, LC314 if the
    threads are no multiple of the atom's or the values none of its reference's.

    >>> tile = tiled_copy("SM75_U32x4_LDSM_N", Layout((8, 4), (4, 1)), Layout((2, 4), (4, 1)), 16)
    >>> str(tile.layout_tv), tile.tiler
    ('((4,8),(4,2)):((64,2),(16,1))', (16, 16))
    """
    by_hand = layout_tv is not None and tiler is not None
    if (threads is not None) == by_hand or (layout_tv is None) != (tiler is None) or (by_hand and values is not None):
        raise argument("tiled_copy", "thread and value layouts are expected, or layout_tv and tiler")
    if layout_tv is not None and tiler is not None:
        return tiled_copy_tv(atom, layout_tv, tiler, bits)
    found = _resolve(atom, "tiled_copy")
    bits = bits or _bits_of(atom)
    thr = as_layout("tiled_copy", "thread layout", threads)
    val = Layout(1, 0) if values is None else as_layout("tiled_copy", "value layout", values)
    bijective("tiled_copy", "thread layout", thr, "thread")
    bijective("tiled_copy", "value layout", val, "value")
    text = f"tiled_copy({found}, {thr}, {val}{_told(bits)})"
    rank = max(thr.rank, val.rank)
    thr, val = (concat(*x.modes(), *[Layout(1, 0)] * (rank - x.rank)) for x in (thr, val))
    layout_mn = raked_product(thr, val)
    tiler = tuple(size(mode.shape) for mode in layout_mn)
    layout_tv = composition(right_inverse(layout_mn), Layout((thr.size, val.size)))
    return _tiled("tiled_copy", found, bits, tiler, layout_tv, text)


@word("""
    atoms: tiled_copy_tv(atom: copying, tv: layout, tiler: plain-operand, bits: positive?)
    the tiled copy of a thread-value layout over a tile
    tiled_copy_tv(copy_atom("UniversalCopy_32b", 16), ((4,8),4):((32,1),8), (16,8))
""")
def tiled_copy_tv(
    atom: Atom | CopyAtom | str, layout_tv: Layout, tiler: Tiler | Sequence[int], bits: int | None = None
) -> TiledCopy:
    """A copy instruction laid out by hand: ``layout_tv`` sends (thread, value) to the index in a tile of ``tiler``.

    LC314 if the threads or values are no multiple of the atom's, LC103 if the layout leaves the tile.
    """
    found = _resolve(atom, "tiled_copy_tv")
    bits = bits or _bits_of(atom)
    entries = tuple(tiler.modes if isinstance(tiler, Tiler) else tiler if isinstance(tiler, tuple) else (tiler,))
    if layout_tv.rank != 2 or not all(map(_is_entry, entries)):
        wanted = "{tv} over {tiler}: a layout (thread, value) and the extents of a tile are expected"
        raise argument("tiled_copy_tv", wanted, tv=str(layout_tv), tiler=str(tiler))
    tile = Tiler(entries) if any(isinstance(n, Layout) for n in entries) else entries
    count = size(_extents(tile))
    if cosize(layout_tv) > count:
        template = "{tv} reaches {reach}, beyond a tile of {count}"
        raise argument("tiled_copy_tv", template, tv=str(layout_tv), reach=cosize(layout_tv) - 1, count=count)
    text = f"tiled_copy_tv({found}, {layout_tv}, {_tile_text(tile)}{_told(bits)})"
    return _tiled("tiled_copy_tv", found, bits, tile, layout_tv, text)


@word("""
    atoms: tiled_copy_A(atom: copying, mma: tiled-mma, bits: positive?)
    the tiled copy that feeds operand A
    tiled_copy_A("SM75_U32x4_LDSM_N", tiled_mma("SM80_16x8x16_F32F16F16F32_TN"))
""")
def tiled_copy_A(atom: Atom | CopyAtom | str, mma: TiledMMA, bits: int | None = None) -> TiledCopy:
    """The tiled copy that moves a tiled MMA's operand A: its thread-value layout and tile; ``bits`` by default those of
    A.

    LC314 if the threads or values of the MMA are no multiple of the atom's.
    """
    return _for_mma(atom, mma, "A", bits)


@word("""
    atoms: tiled_copy_B(atom: copying, mma: tiled-mma, bits: positive?)
    the tiled copy that feeds operand B
    tiled_copy_B("SM75_U32x2_LDSM_N", tiled_mma("SM80_16x8x16_F32F16F16F32_TN"))
""")
def tiled_copy_B(atom: Atom | CopyAtom | str, mma: TiledMMA, bits: int | None = None) -> TiledCopy:
    """The tiled copy that moves a tiled MMA's operand B; see `tiled_copy_A`."""
    return _for_mma(atom, mma, "B", bits)


@word("""
    atoms: tiled_copy_C(atom: copying, mma: tiled-mma, bits: positive?)
    the tiled copy that moves the result
    tiled_copy_C("SM90_U32x2_STSM_N", tiled_mma("SM80_16x8x16_F32F16F16F32_TN"), 16)
""")
def tiled_copy_C(atom: Atom | CopyAtom | str, mma: TiledMMA, bits: int | None = None) -> TiledCopy:
    """The tiled copy that moves a tiled MMA's result C; see `tiled_copy_A`."""
    return _for_mma(atom, mma, "C", bits)


def _for_mma(atom: Atom | CopyAtom | str, mma: TiledMMA, operand: str, bits: int | None) -> TiledCopy:
    op = f"tiled_copy_{operand}"
    found = _resolve(atom, op)
    bits = bits or _bits_of(atom)
    text = f"{op}({found}, {mma}{_told(bits)})"
    if bits is None and mma.atom.types is not None:
        bits = width(getattr(mma.atom.types, operand))
    return _tiled(op, found, bits, mma.extents(operand), mma.layout(operand), text)


@word("""
    atoms: tiled_copy_C_atom(atom: copying, mma: tiled-mma, bits: positive?)
    the tiled copy of as much of the result as one instruction moves
    tiled_copy_C_atom("SM90_U32x2_STSM_N", tiled_mma("SM90_64x64x16_F32F16F16_SS"), 16)
""")
def tiled_copy_C_atom(atom: Atom | CopyAtom | str, mma: TiledMMA, bits: int | None = None) -> TiledCopy:
    """The tiled copy of the first values of C, as many as one instruction of the atom moves.

    Its tile is cut out of the MMA's by a layout for each mode, which keeps the elements that these values are. LC314 if
    C has fewer values.
    """
    found = _resolve(atom, "tiled_copy_C_atom")
    bits = bits or _bits_of(atom) or (width(mma.atom.types.C) if mma.atom.types is not None else None)
    held, tile = mma.layout("C"), mma.extents("C")
    count = sides(found, bits or found.value_bits or 0)[0][1].size
    if held[1].size % count:
        raise refuse(
            "LC314", "{atom} moves {count} values, {have} are held", op="tiled_copy_C_atom", atom=found.name,
            count=count, have=held[1].size,
        )  # fmt: skip
    return _cut_out(atom, composition(held, Layout((held[0].size, count))), tile, bits)


@word("""
    atoms: cotiled_copy(atom: copying, layout_tv: integer-layout, data: integer-layout, bits: positive?)
    the tiled copy of the elements that threads and values have by their addresses
    cotiled_copy("UniversalCopy_128b", (32,8):(8,1), (32,8):(8,1), 16)
""")
def cotiled_copy(atom: Atom | CopyAtom | str, layout_tv: Layout, data: Layout, bits: int | None = None) -> TiledCopy:
    """The tiled copy whose threads and values are told by addresses, (thread, value) to address, in a layout of data.

    Its tile is the least that holds these elements. LC314 if an address is none of the data's.
    """
    placed = composition(concat(left_inverse(data), Layout(1, 0)), layout_tv)
    found = composition(concat(data, Layout(1, 0)), placed[1])
    if list(found.values()) != list(layout_tv[1].values()):
        raise refuse(
            "LC314", "the values {values} of a thread are no addresses of {data}", op="cotiled_copy",
            values=str(layout_tv[1]), data=str(data),
        )  # fmt: skip
    return _cut_out(atom, placed, tuple(mode.size for mode in data.modes()), bits or _bits_of(atom))


def _cut_out(atom: Atom | CopyAtom | str, held: Layout, tile: tuple[int, ...], bits: int | None) -> TiledCopy:
    """The tiled copy of what threads and values hold of a tile; the tiler keeps these elements of each mode."""
    axes = [
        composition(Layout(tile, tuple(int(i == axis) for i in range(len(tile)))), held) for axis in range(len(tile))
    ]
    tiler = Tiler([filter_layout(axis) for axis in axes])
    return tiled_copy_tv(atom, composition(left_inverse(composition(Layout(tile), tiler)), held), tiler, bits)


def _tile_text(tiler: tuple[int, ...] | Tiler) -> str:
    """``(16,64)``, or a tiler where an entry is a layout."""
    return str(tiler) if isinstance(tiler, Tiler) else format_htuple(tiler)


def _is_entry(entry: Any) -> bool:
    """Is it an extent, or a layout with numbers for shape and stride?"""
    if isinstance(entry, Layout):
        shape, stride = entry.flat()
        return all(type(n) is int for n in (*shape, *stride))
    return type(entry) is int


def _extents(tiler: tuple[int, ...] | Tiler) -> tuple[int, ...]:
    entries = tiler.modes if isinstance(tiler, Tiler) else tiler
    return tuple(size(entry.shape) if isinstance(entry, Layout) else entry for entry in entries)


def _bits_of(atom: Atom | CopyAtom | str) -> int | None:
    return atom.bits if isinstance(atom, CopyAtom) else None


def _told(bits: int | None) -> str:
    return "" if bits is None else f", bits={bits}"


def _tiled(
    op: str, atom: Atom, bits: int | None, tiler: tuple[int, ...] | Tiler, layout_tv: Layout, text: str
) -> TiledCopy:
    bits = bits or atom.value_bits
    if bits is None:
        raise argument(op, "{atom} does not say how wide its elements are; give bits", atom=atom.name)
    src, dst, ref = sides(atom, bits)
    threads, values = layout_tv[0].size, layout_tv[1].size
    for have, atomic, what in ((threads, ref[0].size, "thread"), (values, ref[1].size, "value")):
        if have % atomic:
            raise refuse(
                "LC314",
                "{atom} needs a multiple of {atomic} {what}s of {bits} bits, the {what} layout holds {have}",
                op=op,
                atom=atom.name,
                atomic=atomic,
                what=what,
                bits=bits,
                have=have,
                multiple=-(-have // atomic) * atomic,
                right_path=(),
            )
    return TiledCopy(atom, bits, tiler, layout_tv, _side(layout_tv, ref, src), _side(layout_tv, ref, dst), text)


def _side(layout_tv: Layout, ref: Layout, side: Layout) -> Layout:
    """The layout of one side: the reference numbering of each atom replaced by that of the side."""
    atoms = zipped_divide(layout_tv, Tiler([mode.size for mode in ref]))
    thread, value = composition(atoms[0], composition(right_inverse(ref), side)).modes()
    more_threads, more_values = atoms[1].modes()
    return concat(coalesce(concat(thread, more_threads)), concat(coalesce(value), coalesce(more_values)))
