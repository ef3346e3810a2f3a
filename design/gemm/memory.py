"""The parts of a plan that both kinds of instructions share: the stages of shared memory, and the way out of it."""

from __future__ import annotations

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.atoms.memory.pattern import Engine, Pattern
from laycalc.atoms.memory.walks import Tile

from ..copy.report import copy_report
from ..copy.search import Copy
from ..copy.sides import side_of
from ..smem.passes import fault
from ..smem.search import Proposal, problem_of, search
from .plan import SHARED, Gemm, Part, Picture, stages_of

__all__ = ["Shared", "best_layout", "copied", "shared_part"]

Shared = Layout | Composed


def best_layout(tile: Tile, bits: int, accesses: list[Pattern | Engine]) -> Proposal:
    """The best layout of shared memory; LC103 if none serves all accesses."""
    best = search(problem_of(tile, bits, accesses)).best
    if best is None:
        raise fault("no layout of {tile} was found that serves all its accesses", tile=str(tile))
    return best


def shared_part(gemm: Gemm, a: Proposal, b: Proposal, accesses: str) -> Part:
    """The layouts of A and B with their stages, against what the machine has."""
    m, n, k = gemm.extents
    stages, room = stages_of(gemm), SHARED[gemm.arch] * 1024
    used = stages * gemm.stage_bytes
    told = (
        f"A and B serve {accesses}; {_cost(a)} for A, {_cost(b)} for B",
        f"{stages} stage{'s' * (stages != 1)} of {gemm.stage_bytes:,} bytes: {used:,} of {room:,} bytes of a thread"
        f" block on {gemm.arch}",
    )
    statements = (
        f"sA = {a.candidate.layout}",
        f"sB = {b.candidate.layout}",
        "assert bijective(sA) and bijective(sB)",
        f"assert size(sA) == {m} * {k} and size(sB) == {n} * {k}",
        f"assert {stages} * (cosize(sA) + cosize(sB)) * {gemm.types.bits} / 8 <= {room}",
    )
    wishes = (("kind", "bank"), ("bits", gemm.types.bits), ("crop", f"0:{min(m, 16)},0:{min(k, 64)}"))
    return Part("Shared memory", told, statements, Picture("sA", "A in shared memory, by banks", wishes))


def _cost(proposal: Proposal) -> str:
    return f"{sum(proposal.wavefronts)} wavefronts" if proposal.wavefronts else "no traffic of lanes"


def copied(
    gemm: Gemm, name: str, tile: Tile, bits: int, sides: tuple[str, str], layout: Shared
) -> tuple[str, list[str]]:
    """The tiled copy of a tile between global memory and a layout in shared memory: a sentence, and statements.

    ``sides`` are the spaces of source and destination; the copy is called copy followed by ``name``.
    """
    pitch = Layout((tile.rows, tile.columns), (gemm.pitch, 1))
    source, target = (
        side_of(tile, bits, space, layout if space == "shared" else pitch, load=i == 0) for i, space in enumerate(sides)
    )
    report = copy_report(Copy(tile, bits, gemm.threads, source, target), gemm.arch)
    plan, cost = report.best, report.best.cost
    (lm, ln), (wm, wn), (vm, vn) = plan.arrangement.lanes, plan.warps, plan.arrangement.values
    high, wide = lm * wm * vm, ln * wn * vn
    told = (
        f"{name}: {-cost.vector} bytes at once by {report.atom}, {lm}x{ln} lanes, blocks of {high}x{wide};"
        f" {cost.sectors} sectors, {cost.wavefronts} wavefronts"
    )
    way = "write" if sides[1] == "shared" else "read"
    # cp.async.cg goes past the banks; else conflicts are what exceeds a wavefront for each pass.
    least = tile.rows * tile.columns // (plan.vector * 32) * max(1, -cost.vector * 32 // 128)
    extra = 0 if "CACHEGLOBAL" in report.atom else cost.wavefronts - least
    statements = [
        f"copy{name} = {report.tiled}",
        f"assert bijective(copy{name}.layout_tv)",
        f"assert {tile.rows} % {high} == 0 and {tile.columns} % {wide} == 0",
        f'assert conflicts(s{name}, {bits}, "{way}", copy{name}) == {extra}',
    ]
    return told, statements
