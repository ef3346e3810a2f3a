"""``laycalc design copy``: the threads and values of a tiled copy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from laycalc.algebra.values.layout import Layout
from laycalc.atoms.memory.walks import Tile

from ..streams.output import write_json, write_line
from .operand import operand_copy
from .request import Request, refuse, tile_of

if TYPE_CHECKING:
    from laycalc.design.copy.report import CopyReport
    from laycalc.design.copy.sides import Side

__all__ = ["ARCHES", "arch_of", "copy", "copy_checks", "side"]

ARCHES = ("sm70", "sm75", "sm80", "sm86", "sm89", "sm90", "sm100", "sm120")


def copy(request: Request) -> int:
    """Search, and tell the best thread and value layouts with their cost; exit code 1 if they are not ideal."""
    from laycalc.design.copy.report import copy_report
    from laycalc.design.copy.search import Copy

    request.allow("copy", "src", "dst", "threads", "bits", "arch", "mma", "operand", "json")
    if len(request.words) != 1 or not request.options["src"] or not request.options["dst"]:
        example = "laycalc design copy 128x64 --src 'global (128,64):(4096,1)' --dst 'shared row' --threads 128"
        raise refuse(f"design copy takes a tile, a source and a destination: {example}")
    tile, bits = tile_of(request.words[0]), request.options["bits"] or 16
    if request.options["mma"]:
        return operand_copy(request, tile, bits, arch_of(request))
    source = side(request, tile, bits, request.options["src"], load=True)
    target = side(request, tile, bits, request.options["dst"], load=False)
    report = copy_report(Copy(tile, bits, request.options["threads"] or 128, source, target), arch_of(request))
    if request.options["json"]:
        write_json({"schema": 1, **report.as_dict(), "check": copy_checks(report)})
    else:
        for line in report.lines():
            write_line(line)
        write_line(f"C++   {_kernel_text(report)}")
        for line in copy_checks(report):
            write_line(f"check // laycalc: {line}")
    return 0 if report.is_ideal else 1


def arch_of(request: Request) -> str:
    """The machine; LC103 for one that is not known."""
    arch: str = request.options["arch"] or "sm80"
    if arch not in ARCHES:
        raise refuse(f"--arch {arch} is none of {', '.join(ARCHES)}")
    return arch


_SIDE = re.compile(r"(global|shared|register)s?\b\s*(.*?)(?:\s+at\s+(\d+)\s*B)?")


def side(request: Request, tile: Tile, bits: int, text: str, *, load: bool) -> Side:
    """``global row 4096``, ``shared LAYOUT``, ``global LAYOUT at 8 B`` or ``register``."""
    from laycalc.design.copy.sides import side_of

    match = _SIDE.fullmatch(text.strip())
    if match is None or (match[1] == "register") == bool(match[2]):
        raise refuse(f"a side is written 'global LAYOUT', 'shared row', 'global row 4096' or 'register', not {text}")
    if match[1] == "register":
        return side_of(tile, bits, "register", load=load)
    major = re.fullmatch(r"(row|col)(?:\s+(\d+))?", match[2])
    layout = _major(tile, major[1], major[2]) if major else request.layout(match[2])
    return side_of(tile, bits, match[1], layout, int(match[3] or 0), load=load)


def _major(tile: Tile, major: str, pitch: str | None) -> Layout:
    """Row-major or column-major, with the elements from one row or column to the next."""
    inner = tile.columns if major == "row" else tile.rows
    step = int(pitch) if pitch else inner
    if step < inner:
        raise refuse(f"rows of {inner} elements do not fit into a pitch of {step}")
    return Layout(tile[:2], (step, 1) if major == "row" else (1, step))


def _kernel_text(report: CopyReport) -> str:
    """``make_tiled_copy`` in C++."""
    from laycalc.grammar.forms import write

    plan = report.best
    thr, val = plan.arrangement.thread_layout(plan.warps), plan.arrangement.value_layout()
    wide = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t", 16: "uint128_t"}[-plan.cost.vector]
    name = report.atom.rsplit("_", 1)[0]
    return f"make_tiled_copy(Copy_Atom<{name}<{wide}>, T>{{}}, {write(thr, 'cpp')}, {write(val, 'cpp')})"


def copy_checks(report: CopyReport) -> list[str]:
    """Assertions: the tile divides, every element moves once, and what a side in shared memory costs."""
    tile, tiled = report.copy.tile, report.tiled
    plan = report.best
    high, wide = (
        lanes * warps * values
        for lanes, warps, values in zip(plan.arrangement.lanes, plan.warps, plan.arrangement.values, strict=True)
    )
    return [
        f"assert {tile.rows} % {high} == 0 and {tile.columns} % {wide} == 0",
        f"assert bijective({tiled}.layout_tv) and size({tiled}.layout_tv) == {high * wide}",
    ]
