"""A plan with the instructions of a warp: cp.async in, ldmatrix, mma.sync, and shared memory on the way out."""

from __future__ import annotations

from laycalc.algebra.values.tiler import Tiler
from laycalc.atoms.memory.pattern import Pattern
from laycalc.atoms.memory.walks import Tile
from laycalc.atoms.tiling.mma_tiling import tiled_mma

from ..copy.sides import side_of
from ..mma.atoms import warp_atoms
from ..mma.report import MmaReport, mma_report
from ..mma.search import Block
from ..smem.passes import fault
from .memory import Shared, best_layout, copied, shared_part
from .plan import Gemm, Part, Picture, Plan

__all__ = ["plan"]


def plan(gemm: Gemm) -> Plan:
    """The plan for instructions of a warp."""
    (m, n, k), bits = gemm.extents, gemm.types.bits
    if gemm.threads % 32:
        raise fault("{threads} threads are no whole warps", threads=gemm.threads)
    accesses = [
        Pattern(bits, 128 // bits, store=True, along=1),
        Pattern(bits, 4, "ldmatrix", along=1),
    ]
    a, b = (best_layout(Tile(extent, k), bits, [*accesses]) for extent in (m, n))
    layouts = a.candidate.layout, b.candidate.layout
    report = _mma(gemm, layouts)
    parts = (
        shared_part(gemm, a, b, "rows of 16 bytes in and ldmatrix out"),
        _copy_part(gemm, layouts),
        _mma_part(gemm, report),
        _operand_part(gemm, report),
        _epilogue(gemm, report),
    )
    return Plan(f"GEMM {m}x{n}x{k} of {gemm.types} on {gemm.arch} with {gemm.threads} threads", parts)


def _mma(gemm: Gemm, layouts: tuple[Shared, Shared]) -> MmaReport:
    (m, n, k), types = gemm.extents, gemm.types
    atoms = warp_atoms(gemm.arch, types, k)
    sides = (
        side_of(Tile(m, k), types.bits, "shared", layouts[0], load=True),
        side_of(Tile(n, k), types.bits, "shared", layouts[1], load=True),
    )
    block = Block(gemm.extents, atoms[0][1], types.bits, gemm.threads // 32, sides, "N", 2)
    return mma_report(block, types, atoms)


def _copy_part(gemm: Gemm, layouts: tuple[Shared, Shared]) -> Part:
    m, n, k = gemm.extents
    both = [
        copied(gemm, name, Tile(extent, k), gemm.types.bits, ("global", "shared"), layout)
        for name, extent, layout in zip("AB", (m, n), layouts, strict=True)
    ]
    told = (
        f"rows of global memory are {gemm.pitch} elements apart; any multiple of 128 bytes costs the same",
        *(sentence for sentence, _ in both),
    )
    statements = tuple(line for _, lines in both for line in lines)
    picture = Picture("copyA", "threads and values of a copy of A")
    return Part("From global to shared memory", told, statements, picture)


def _mma_part(gemm: Gemm, report: MmaReport) -> Part:
    m, n, k = gemm.extents
    best = report.best
    c, a, b = report.registers(best)
    told = (
        f"{report.atoms[0][0]}, {best.m.warps}x{best.n.warps} warps, tiles of {'x'.join(map(str, best.tile))}",
        f"registers a thread: {c} of C, {a} of A and {b} of B in each of {k // best.k} k steps",
    )
    statements = (
        f"mma = {report.tiled(best)}",
        "assert bijective(mma.C)",
        f"assert size(mma.C) == {best.tile[0] * best.tile[1]}",
        f"assert {m} % {best.tile[0]} == 0 and {n} % {best.tile[1]} == 0 and {k} % {best.tile[2]} == 0",
    )
    wishes = (("tile", f"{best.tile[0]}x{best.tile[1]}"), ("color_by", "warp"))
    return Part("Matrix instructions", told, statements, Picture("mma.C", "who owns what of a tile of C", wishes))


def _operand_part(gemm: Gemm, report: MmaReport) -> Part:
    best, bits = report.best, gemm.types.bits
    extra = best.wavefronts - best.ideal
    told = (f"ldmatrix.x4 loads all of A and B in {best.wavefronts} wavefronts, {extra} of them by conflicts",)
    statements = [f'load{name} = tiled_copy_{name}("SM75_U32x4_LDSM_N", mma, {bits})' for name in "AB"]
    costs = " + ".join(f'conflicts(s{name}, {bits}, "read", load{name})' for name in "AB")
    statements.append(f"assert {costs} == {extra}")
    wishes = (("kind", "bank"), ("bits", bits), ("lanes", "ldmatrix"), ("crop", f"0:16,0:{min(gemm.extents[2], 64)}"))
    picture = Picture("sA", "what one ldmatrix.x4 reads of A", wishes)
    return Part("From shared memory to registers", told, tuple(statements), picture)


def _epilogue(gemm: Gemm, report: MmaReport) -> Part:
    """C goes through shared memory, so that whole rows reach global memory."""
    (m, n, _), bits, best = gemm.extents, gemm.out_bits, report.best
    tiler = Tiler([best.m.permutation or best.m.extent, best.n.permutation or best.n.extent, best.k])
    mma = tiled_mma(report.atoms[0][0], (best.m.warps, best.n.warps, 1), tiler)
    store = Pattern(bits, 2, "tv", store=True, fragment=mma.C, block=best.tile[:2])
    found = best_layout(Tile(m, n), bits, [store, Pattern(bits, 128 // bits, along=1)])
    layout = found.candidate.layout
    sentence, lines = copied(gemm, "C", Tile(m, n), bits, ("shared", "global"), layout)
    wide = 2 * bits // 8
    words = f"write: tv, {wide} B, block {best.tile[0]}x{best.tile[1]}"
    ideal = m * n * bits // 8 // 128
    told = (
        f"C in {bits} bits: each thread stores {wide} bytes, {found.wavefronts[0]} wavefronts, {ideal} ideal;"
        f" {m * n * bits // 8:,} bytes, which may lie over the stages",
        sentence,
    )
    statements = (
        f"sC = {layout}",
        f'assert conflicts(sC, {bits}, "{words}", mma.C) == {found.wavefronts[0] - max(ideal, _passes(store, m, n))}',
        *lines,
    )
    wishes = (("kind", "bank"), ("bits", bits), ("crop", f"0:16,0:{min(n, 64)}"))
    return Part("Epilogue", told, statements, Picture("sC", "C in shared memory, by banks", wishes))


def _passes(store: Pattern, m: int, n: int) -> int:
    """The wavefronts of the stores without a conflict."""
    return m * n // (store.count * 32) * max(1, store.bytes * 32 // 128)
