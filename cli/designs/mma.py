"""``laycalc design mma``: the atoms, the warps, the tile and the permutations of a tiled MMA."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.atoms.memory.walks import Tile

from ..streams.inputs import shape_of
from ..streams.output import write_json, write_line
from .copy import arch_of
from .request import Request, refuse

if TYPE_CHECKING:
    from laycalc.design.mma.report import MmaReport
    from laycalc.design.mma.search import Block

__all__ = ["block_shape", "mma", "mma_checks", "operand_layout"]


def mma(request: Request) -> int:
    """Search, and tell the best tiled MMA with what its loads cost; exit code 1 if they have conflicts."""
    from laycalc.design.mma.atoms import types_of, warp_atoms
    from laycalc.design.mma.report import mma_report

    request.allow("mma", "type", "acc", "warps", "smem_a", "smem_b", "store", "order", "arch", "json")
    m, n, k = block_shape(request, "mma")
    types = types_of(request.options["type"] or "f16", request.options["acc"] or "")
    atoms = warp_atoms(arch_of(request), types, k)
    layouts = [
        operand_layout(request, Tile(extent, k), types.bits, request.options[name])
        for extent, name in ((m, "smem_a"), (n, "smem_b"))
    ]
    block = _block(request, (m, n, k), atoms[0][1], types, layouts)
    report = mma_report(block, types, atoms)
    if request.options["json"]:
        found = {"schema": 1, "smem": [str(layout) for layout in layouts], **report.as_dict()}
        write_json({**found, "check": mma_checks(report)})
    else:
        _tell(report, layouts)
    return 0 if report.best.wavefronts == report.best.ideal else 1


def _tell(report: MmaReport, layouts: list[Any]) -> None:
    from laycalc.grammar.forms import write
    from laycalc.grammar.run.statements import evaluate

    lines = report.lines()
    write_line(lines[0])
    write_line(f"  A in {layouts[0]}, B in {layouts[1]}")
    for line in lines[1:]:
        write_line(line)
    write_line(f"C++   {write(evaluate(report.tiled(report.best)), 'cpp')}")
    for line in mma_checks(report):
        write_line(f"check // laycalc: {line}")


def block_shape(request: Request, kind: str) -> tuple[int, int, int]:
    """``128x128x64``."""
    shape = shape_of(request.words[0]) if len(request.words) == 1 else None
    if shape is None or len(shape) != 3:
        raise refuse(f"design {kind} takes M, N and K of a thread block: laycalc design {kind} 128x128x64")
    return shape[0], shape[1], shape[2]


def operand_layout(request: Request, tile: Tile, bits: int, text: str | None) -> Any:
    """The layout that was given, or the best for rows of 16 bytes in and ldmatrix out."""
    from laycalc.atoms.accesses.access_words import read_pattern
    from laycalc.design.smem.search import problem_of, search

    if text:
        return request.layout(text)
    accesses = [read_pattern(words, bits) for words in ("write: row, 16 B, along columns", "read: ldmatrix.x4 by row")]
    best = search(problem_of(tile, bits, accesses)).best
    if best is None:
        raise refuse(f"no layout of {tile} was found for rows of 16 bytes and ldmatrix; --smem-a and --smem-b say one")
    return best.candidate.layout


def _block(request: Request, shape: tuple[int, int, int], atom: Any, types: Any, layouts: list[Any]) -> Block:
    from laycalc.design.copy.sides import side_of
    from laycalc.design.mma.search import Block

    m, n, k = shape
    order, store = request.options["order"] or "row", request.options["store"] or types.bits_of_accumulator // 8
    if order not in ("row", "col"):
        raise refuse(f"--order is row or col, not {order}")
    if 8 * store % types.bits_of_accumulator:
        raise refuse(f"--store {store} bytes are no whole accumulators of {types.bits_of_accumulator} bits")
    sides = (
        side_of(Tile(m, k), types.bits, "shared", layouts[0], load=True),
        side_of(Tile(n, k), types.bits, "shared", layouts[1], load=True),
    )
    along, run = {"row": "N", "col": "M"}[order], 8 * store // types.bits_of_accumulator
    return Block(shape, atom, types.bits, request.options["warps"] or 4, sides, along, run)


def mma_checks(report: MmaReport) -> list[str]:
    """Assertions: the block divides into tiles, and every accumulator has one owner."""
    (m, n, k), plan = report.block.extents, report.best
    tile = plan.tile
    return [
        f"assert {m} % {tile[0]} == 0 and {n} % {tile[1]} == 0 and {k} % {tile[2]} == 0",
        f"assert bijective({report.tiled(plan)}.C)",
    ]
