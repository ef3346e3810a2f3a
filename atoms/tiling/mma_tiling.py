"""Tiled MMA: one matrix instruction repeated over threads and values (CUTLASS 4.7, ``cute::TiledMMA``).

An instruction of AM x AN x AK is laid out over (nM, nN, nK) groups of threads and, by the permutation, repeated R times
by the same threads. Along a mode of extent T = A*n*R

    x = P(a + A*(i + n*r))        a in the atom, i the thread group, r the repeat, P the permutation's layout

so that neighbouring atoms go to different threads first. Physical thread = thr_id(v) + iM*sM + iN*sN + iK*sK.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.above import Pictured, written
from laycalc.algebra.base.decide import divides
from laycalc.algebra.base.errors import refuse
from laycalc.algebra.base.record import Record
from laycalc.algebra.base.words import word
from laycalc.algebra.operations.complement import complement, complement_of_tile
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.operations.divide import logical_divide, zipped_divide
from laycalc.algebra.operations.inverse import right_inverse
from laycalc.algebra.values.htuple import format_htuple
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.tiler import Tiler

from ..instructions.refusal import argument
from .threads import as_layout, bijective

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..instructions.record import Atom

__all__ = ["TiledMMA", "tiled_mma"]

MODES = {"A": (0, 2), "B": (1, 2), "C": (0, 1)}
"""Which of M, N, K are the modes of an operand."""

Entry = Layout | int | None


class TiledMMA(Pictured, Record):
    """An atom tiled over threads and values; make one with `tiled_mma`.

    ``atoms`` is the layout of the atoms over (M, N, K), ``thr_vmnk`` sends (thread of the atom, iM, iN, iK) to the
    physical thread, ``tile`` is (M, N, K) of the whole, ``permutation`` its entries, None where nothing is permuted.
    """

    atom: Atom
    atoms: Layout
    permutation: tuple[Entry, Entry, Entry]
    thr_vmnk: Layout
    tile: tuple[int, int, int]

    __repr__ = written

    def __str__(self) -> str:
        entries = ["_" if p is None else str(p) for p in self.permutation]
        tiler = f", <{', '.join(entries)}>" if self.permutation != (None, None, None) else ""
        return f"tiled_mma({self.atom}, {self.atoms}{tiler})"

    def as_json(self) -> dict[str, Any]:
        """Plain data; layouts are text of the language."""
        operands = {"A": str(self.A), "B": str(self.B), "C": str(self.C), "tile": format_htuple(self.tile)}
        return {
            "thr_id": str(self.atom.thr_id), "threads": self.threads, "vmnk": str(self.thr_vmnk), **operands,
        }  # fmt: skip

    @property
    def threads(self) -> int:
        """The number of threads that take part."""
        return int(self.thr_vmnk.size)

    @property
    def A(self) -> Layout:
        """(thread, value) -> m + M*k over the tile."""
        return self.layout("A")

    @property
    def B(self) -> Layout:
        """(thread, value) -> n + N*k over the tile."""
        return self.layout("B")

    @property
    def C(self) -> Layout:
        """(thread, value) -> m + M*n over the tile; groups along K hold partial sums of the same elements."""
        return self.layout("C")

    def extents(self, operand: str) -> tuple[int, int]:
        """The extents of an operand's tile: (M, K), (N, K) or (M, N)."""
        x, y = MODES[_operand(operand)]
        return self.tile[x], self.tile[y]

    def logical(self, operand: str) -> Layout:
        """((v, iM, iN, iK), (atom value, (R, R'))) -> column-major index in the operand's tile.

        Groups of threads along the mode that the operand lacks have stride 0.
        """
        x, y = MODES[_operand(operand)]
        (thread, groups), values = self.thrfrg(operand, Layout(self.extents(operand))).modes()
        by_mode = dict(zip((x, y), groups, strict=True))
        split = [by_mode.get(i) or _stopped(self.thr_vmnk[i + 1]) for i in range(3)]
        return concat(concat(thread, *split), values)

    def layout(self, operand: str) -> Layout:
        """The thread-value layout of an operand's tile; its first mode is the physical thread.

        Lanes that hold nothing because the atom skips them (a Volta quad-pair) are stride-0 copies of lanes that do.
        """
        logical = self.logical(operand)
        holes = complement_of_tile(self.thr_vmnk, _reach(self.thr_vmnk))
        thread_of = right_inverse(concat(self.thr_vmnk, holes))
        threads = composition(concat(logical[0], _stopped(holes)), thread_of)
        return concat(threads, logical[1])

    def thrfrg(self, operand: str, tensor: Layout | Sequence[int]) -> Layout:
        """((thread of the atom, (i, i')), (atom value, (R, R'))) over a tensor; further modes of the tensor follow R'.

        ``tensor`` is a layout over the operand's two modes (a shape is column-major). LC314 if its extents are no
        multiples of the tile.
        """
        operand = _operand(operand)
        layout = as_layout("partition", "tensor", tensor)
        x, y = MODES[operand]
        self._check_tensor(operand, layout)
        assert self.atom.shape is not None
        permuted = logical_divide(layout, Tiler([self._permute(x), self._permute(y)]))
        atoms = zipped_divide(permuted, Tiler([self.atom.shape[x], self.atom.shape[y]]))
        thread, value = composition(atoms[0], self.atom.operand(operand)).modes()
        first, second, *more = atoms[1].modes()
        groups = [self.thr_vmnk[i + 1].size for i in (x, y)]
        split = [logical_divide(rest, n) for rest, n in zip((first, second), groups, strict=True)]
        return concat(
            concat(thread, concat(*(mode[0] for mode in split))),
            concat(value, concat(*(mode[1] for mode in split), *more)),
        )

    def _permute(self, mode: int) -> Layout | int:
        entry = self.permutation[mode]
        return self.tile[mode] if entry is None else entry

    def _check_tensor(self, operand: str, layout: Layout) -> None:
        names = "MNK"
        if not isinstance(layout.shape, tuple) or layout.rank < 2:
            raise argument(
                "partition", "{tensor} has no two modes for operand {operand}", tensor=str(layout), operand=operand
            )
        for mode, index in zip(MODES[operand], (0, 1), strict=True):
            extent, tile = layout[index].size, self.tile[mode]
            if not divides(tile, extent):
                whole = extent - extent % tile if isinstance(extent, int) else tile
                raise refuse(
                    "LC314",
                    "extent {extent} of mode {index} is no multiple of the tile's {name} = {tile};"
                    " {below} or {above} would be",
                    op="partition",
                    extent=extent,
                    index=index,
                    name=names[mode],
                    tile=tile,
                    below=whole or tile,
                    above=whole + tile,
                    tensor=str(layout),
                    right_path=(index,),
                )


def _stopped(layout: Layout) -> Layout:
    """One mode of the size of a layout, with stride 0."""
    return Layout(layout.size, 0)


def _reach(layout: Layout) -> int:
    return 1 + sum(int((s - 1) * d) for s, d in zip(*layout.flat(), strict=True))


def _operand(name: str) -> str:
    canonical = {"D": "C"}.get(name.upper(), name.upper())
    if canonical not in MODES:
        raise argument("tiled_mma", "a tiled MMA has no operand {operand!r}; it has A, B, C", operand=name)
    return canonical


@word("""
    atoms: tiled_mma(atom: atom, atoms: plain-operand?, permutation: plain-operand?)
    a matrix instruction over groups of threads and values
    tiled_mma(atom("SM80_16x8x16_F32F16F16F32_TN"), (2,2,1):(1,2,0))
""")
def tiled_mma(
    atom: Atom | str, atoms: Layout | Sequence[int] | None = None, permutation: Tiler | Sequence[Any] | None = None
) -> TiledMMA:
    """Lay a matrix instruction out over (M, N, K) groups of threads, and over values by a permutation.

    ``atoms`` has up to three modes (a shape is column-major); its strides number the atoms. ``permutation`` has an
    entry a mode: None (nothing), the tile's extent, or a layout that says which x the position x' of the tile is. LC306
    if two atoms have one number, numbers are left out, or a permutation is none; LC314 if a tile is no multiple of the
    atoms; LC103 for a copy.

    >>> str(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", Layout((2, 2, 1), (1, 2, 0))).thr_vmnk)
    '(32,2,2,1):(1,32,64,0)'
    """
    if isinstance(atom, str):
        from ..instructions.catalogue import atom as find

        atom = find(atom)
    if atom.kind != "mma" or atom.shape is None or atom.blocks > 1:
        what = "a copy" if atom.kind != "mma" else f"{atom.blocks} products at once"
        raise argument("tiled_mma", "{atom} is {what}, no matrix instruction that tiles", atom=atom.name, what=what)
    layout = Layout(1, 0) if atoms is None else as_layout("tiled_mma", "atom layout", atoms)
    if layout.rank > 3:
        raise argument(
            "tiled_mma", "atom layout {atoms} has {rank} modes, not M, N, K", atoms=str(layout), rank=layout.rank
        )
    layout = concat(*layout.modes(), *[Layout(1, 0)] * (3 - layout.rank))
    bijective("tiled_mma", "atom layout", layout, "atom")
    thr_vmnk = concat(atom.thr_id, *(composition(complement(atom.thr_id), mode) for mode in layout))
    entries = _entries(permutation)
    covered = [a * mode.size for a, mode in zip(atom.shape, layout, strict=True)]
    tile = [_extent(name, entry, n) for name, entry, n in zip("MNK", entries, covered, strict=True)]
    return TiledMMA(atom, layout, (entries[0], entries[1], entries[2]), thr_vmnk, (tile[0], tile[1], tile[2]))


def _entries(permutation: Tiler | Sequence[Any] | None) -> list[Entry]:
    if permutation is not None and not isinstance(permutation, (Tiler, tuple, list)):
        template = "permutation {permutation} is no tiler <M, N, K>"
        raise argument("tiled_mma", template, permutation=str(permutation))
    modes = list(permutation.modes if isinstance(permutation, Tiler) else permutation or ())
    if len(modes) > 3:
        raise argument(
            "tiled_mma", "permutation {modes} has {count} entries, not M, N, K", modes=modes, count=len(modes)
        )
    for mode in modes:
        if mode is not None and not isinstance(mode, (int, Layout)):
            text = format_htuple(mode) if isinstance(mode, tuple) else str(mode)
            raise argument("tiled_mma", "permutation entry {entry} is no layout, extent or _", entry=text)
    return modes + [None] * (3 - len(modes))


def _extent(name: str, entry: Entry, covered: int) -> int:
    """The tile's extent along a mode, once it is known to be a multiple of what the atoms cover."""
    if entry is None:
        return covered
    extent = int(entry.size) if isinstance(entry, Layout) else entry
    if extent < 1 or extent % covered:
        raise refuse(
            "LC314",
            "the permutation makes the tile {extent} in {name}, no multiple of the {covered} that the atoms cover;"
            " {below} or {above} would be",
            op="tiled_mma",
            extent=extent,
            name=name,
            covered=covered,
            below=max(covered, extent - extent % covered),
            above=extent - extent % covered + covered,
            right_path=("MNK".index(name),),
        )
    if isinstance(entry, Layout):
        bijective("tiled_mma", f"permutation of {name}", entry, "position")
    return extent
