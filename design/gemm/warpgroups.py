"""A plan with wgmma: TMA in, descriptors instead of registers, stmatrix and TMA on the way out."""

from __future__ import annotations

from laycalc.algebra.values.layout import Layout
from laycalc.atoms.memory.pattern import Engine, Pattern
from laycalc.atoms.memory.walks import Tile

from ..mma.atoms import Named, warpgroup_atoms
from ..smem.engines import MODES, Boxes, Descriptor, Loads, Operand
from ..smem.passes import fault
from ..smem.search import Proposal
from .memory import best_layout, shared_part
from .plan import Gemm, Part, Picture, Plan, stages_of

__all__ = ["plan"]

WARPGROUP, HEIGHT = 128, 64
"""Threads of a warpgroup, and the rows of its instructions."""


def plan(gemm: Gemm) -> Plan:
    """The plan for instructions of a warpgroup."""
    (m, n, k), bits = gemm.extents, gemm.types.bits
    groups, rest = divmod(gemm.threads, WARPGROUP)
    if rest or not groups or m % (HEIGHT * groups):
        template = "{threads} threads share {m} rows in warpgroups of 128 threads and 64 rows only evenly"
        raise fault(template, threads=gemm.threads, m=m)
    atoms = warpgroup_atoms(gemm.arch, gemm.types, n)
    if not atoms:
        raise fault("{arch} has no wgmma on {types} whose N divides {n}", arch=gemm.arch, types=str(gemm.types), n=n)
    accesses: list[Pattern | Engine] = [Engine("tma", True), Engine("wgmma")]
    a, b = (best_layout(Tile(extent, k), bits, accesses) for extent in (m, n))
    parts = (
        shared_part(gemm, a, b, "TMA in and wgmma out"),
        _boxes_part(gemm, (a, b)),
        _mma_part(gemm, atoms[0], groups),
        _operand_part(gemm, (a, b)),
        _epilogue(gemm),
    )
    return Plan(f"GEMM {m}x{n}x{k} of {gemm.types} on {gemm.arch} with {gemm.threads} threads", parts)


def _boxes_part(gemm: Gemm, found: tuple[Proposal, Proposal]) -> Part:
    m, n, k = gemm.extents
    told, statements = [], []
    for name, extent, proposal in zip("AB", (m, n), found, strict=True):
        tile = Tile(extent, k)
        boxes, mode = _boxes(tile, gemm.types.bits, proposal)
        step = boxes.inner * boxes.outer * gemm.types.bits // 8
        several = f"es, {step:,} bytes from one to the next" if boxes.count > 1 else ""
        told.append(
            f"{name}: swizzle {mode}, {boxes.inner}x{boxes.outer} (innermost first), {boxes.count} box{several}"
        )
        statements += _map(gemm, name, tile, gemm.types.bits, boxes, mode)
    told.append(f"the barrier expects {gemm.stage_bytes:,} bytes a stage")
    return Part("From global to shared memory", tuple(told), tuple(statements))


def _map(gemm: Gemm, name: str, tile: Tile, bits: int, boxes: Boxes, mode: str) -> list[str]:
    """The tensor map of an operand, whose boxes fill its layout in shared memory."""
    box = f"({boxes.inner},{boxes.outer})"
    return [
        f'map{name} = tensor_map(({tile.rows},{tile.columns}):({gemm.pitch},1), {box}, {bits}, "{mode}")',
        f"assert {boxes.count} * map{name}.tx_bytes == {tile.rows * tile.columns * bits // 8}",
        f"assert equal(s{name} o {box}:({tile.rows},1), map{name}.layout)",
    ]


def _boxes(tile: Tile, bits: int, proposal: Proposal) -> tuple[Boxes, str]:
    """The boxes of a layout in the mode in which it serves all."""
    mode = next(mode for mode in MODES if mode.name == proposal.mode)
    boxes = Loads(tile, bits, "columns").meets(proposal.candidate.layout.values(), mode)
    if boxes is None:
        raise fault("no boxes write {layout}", layout=str(proposal.candidate.layout))
    return boxes, mode.name


def _mma_part(gemm: Gemm, atom: Named, groups: int) -> Part:
    (m, n, k), (name, (height, wide, depth)) = gemm.extents, atom
    registers = m * n * gemm.types.bits_of_accumulator // (32 * gemm.threads)
    along = f"{groups} warpgroup{'s' * (groups != 1)} along M"
    told = (
        f"{name}, {along}: {m // (height * groups)}x{n // wide} instructions each in every of {k // depth} k steps",
        f"registers a thread: {registers} of C; A and B stay in shared memory",
    )
    statements = (
        f'mma = tiled_mma("{name}", ({groups},1,1))',
        "assert bijective(mma.C)",
        f"assert {m} % {height * groups} == 0 and {n} % {wide} == 0 and {k} % {depth} == 0",
    )
    shown = (("tile", f"{height * groups}x{wide}"), ("color_by", "warp"), ("crop", "0:64,0:16"))
    return Part("Matrix instructions", told, statements, Picture("mma.C", "who owns what of C", shown))


def _operand_part(gemm: Gemm, found: tuple[Proposal, Proposal]) -> Part:
    m, n, k = gemm.extents
    told, statements = [], []
    for name, extent, proposal in zip("AB", (m, n), found, strict=True):
        fields = _descriptor(Tile(extent, k), gemm.types.bits, proposal)
        strides = " and ".join(f"{what} {x}" for what, x in (("LBO", fields.lbo), ("SBO", fields.sbo)) if x is not None)
        told.append(f"{name}: descriptors of mode {fields.mode}, K-major, {strides or 'one group of rows'}")
        statements.append(f'desc{name} = descriptor(s{name}, {gemm.types.bits}, "k", "{name}")')
        statements.append(f'assert desc{name}.mode == "{fields.mode}"')
        known = (("lbo", fields.lbo), ("sbo", fields.sbo))
        statements += [f"assert desc{name}.{what} == {x}" for what, x in known if x is not None]
    wishes = (("kind", "bank"), ("bits", gemm.types.bits), ("crop", f"0:16,0:{min(k, 64)}"))
    picture = Picture("sB", "B in shared memory, by banks", wishes)
    return Part("From shared memory to the instructions", tuple(told), tuple(statements), picture)


def _descriptor(tile: Tile, bits: int, proposal: Proposal) -> Descriptor:
    mode = next(mode for mode in MODES if mode.name == proposal.mode)
    fields = Operand(tile, bits, "K", "rows").meets(proposal.candidate.layout.values(), mode)
    if fields is None:
        raise fault("no descriptor reads {layout}", layout=str(proposal.candidate.layout))
    return fields


def _epilogue(gemm: Gemm) -> Part:
    """stmatrix writes elements of 16 bits, 8-byte stores others; TMA takes the tile to global memory."""
    (m, n, _), bits, tile = gemm.extents, gemm.out_bits, Tile(*gemm.extents[:2])
    if bits == 16:
        store, words, by = Pattern(16, 4, "stmatrix", store=True, along=1), "write: stmatrix.x4 by row", "stmatrix.x4"
    else:
        fragment = Layout(((4, 8), (2,)), ((16, 1), (8,)))
        store = Pattern(bits, 2, "tv", store=True, fragment=fragment, block=(8, 8))
        words, by = f"write: tv, {bits // 4} B, block 8x8", f"stores of {bits // 4} bytes"
    found = best_layout(tile, bits, [store, Engine("tma", True)])
    boxes, mode = _boxes(tile, bits, found)
    argument = "" if bits == 16 else f", {store.fragment}"
    told = (
        f"C in {bits} bits by {by}: {sum(found.wavefronts)} wavefronts; then {boxes.count} boxes of"
        f" {boxes.inner}x{boxes.outer} by TMA, swizzle {mode}; {m * n * bits // 8:,} bytes, which may lie over the"
        f" {stages_of(gemm)} stages",
    )
    ideal = m * n * bits // 8 // 128
    statements = (
        f"sC = {found.candidate.layout}",
        f'assert conflicts(sC, {bits}, "{words}"{argument}) == {sum(found.wavefronts) - ideal}',
        *_map(gemm, "C", tile, bits, boxes, mode),
    )
    wishes = (("kind", "bank"), ("bits", bits), ("crop", f"0:16,0:{min(n, 64)}"))
    return Part("Epilogue", told, statements, Picture("sC", "C in shared memory, by banks", wishes))
