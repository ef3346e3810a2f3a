"""``laycalc design smem``: a layout of shared memory for several accesses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.values.layout import Layout

from ..streams.outfile import writing
from ..streams.output import write_json, write_line
from .request import Request, refuse, tell_kernel_text, tile_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laycalc.atoms.memory.pattern import Engine, Pattern
    from laycalc.design.smem.report import Report

__all__ = ["check_lines", "smem"]


def smem(request: Request) -> int:
    """Search, and tell the best layout with its costs, its text and its check; exit code 1 if it has conflicts."""
    from laycalc.atoms.memory.pattern import Pattern
    from laycalc.design.smem.report import report_of
    from laycalc.design.smem.search import problem_of

    accesses, bits = _accesses(request), request.options["bits"] or 16
    walked = [(text, access) for text, access in accesses if isinstance(access, Pattern)]
    problem = problem_of(
        tile_of(request.words[0]), bits, [_counted(access) for _, access in accesses], request.options["base"]
    )
    report = report_of(problem, [text for text, _ in walked])
    checks = check_lines(report, walked)
    if request.options["json"]:
        write_json({"schema": 1, **report.as_dict(), "check": checks})
    else:
        for line in report.lines():
            write_line(line)
        if any(access.copy == "cg" for _, access in walked):
            write_line("  cp.async.cg is counted as cp.async.ca; itself it goes past the banks and costs sectors")
        _tell_text(report, checks)
    if request.options["draw"]:
        _draw(report, walked, request.options["draw"])
    best = report.found.best
    return 0 if best is not None and best.wavefronts == problem.ideal else 1


def _accesses(request: Request) -> list[tuple[str, Pattern | Engine]]:
    """The accesses by their texts; LC103 if the request is none."""
    from laycalc.atoms.accesses.access_words import read_pattern

    request.allow("smem", "access", "bits", "base", "draw", "json")
    if len(request.words) != 1:
        raise refuse("design smem takes a tile: laycalc design smem 128x64 --access 'read: ldmatrix.x4'")
    texts = request.options["access"]
    if not texts:
        raise refuse("design smem needs accesses: --access 'write: row, 16 B' --access 'read: ldmatrix.x4'")
    return [(text, read_pattern(text, request.options["bits"] or 16, request.value)) for text in texts]


def _counted(access: Pattern | Engine) -> Pattern | Engine:
    """cp.async.cg as the store that cp.async.ca is: what is good for that is good for both."""
    return access.replace(copy="ca") if getattr(access, "copy", "") == "cg" else access


def _tell_text(report: Report, checks: list[str]) -> None:
    if (best := report.found.best) is None:
        return
    tell_kernel_text(best.candidate.layout)
    for line in checks:
        write_line(f"check {line}")


def _draw(report: Report, walked: Sequence[tuple[str, Pattern]], path: str) -> None:
    """The best layout with each access that lanes make; LC103 where there is none to draw."""
    from laycalc.render.draw import write
    from laycalc.render.kinds.uses import uses_scene
    from laycalc.render.scene.options import Options

    if (best := report.found.best) is None or not walked:
        raise refuse("--draw shows accesses of lanes to a layout, and there is none")
    with writing(path):
        write(uses_scene(best.candidate.layout, dict(walked), Options()), path)


def check_lines(report: Report, walked: Sequence[tuple[str, Pattern]]) -> list[str]:
    """Comments for a kernel that assert the wavefronts of the best layout."""
    best = report.found.best
    if best is None:
        return []
    rows = zip(walked, best.wavefronts, report.problem.ideal, strict=True)
    found = [
        f"// laycalc: assert {_conflicts(best.candidate.layout, report.problem.bits, text, access)}"
        f" == {0 if access.copy == 'cg' else cost - ideal}"
        for (text, access), cost, ideal in rows
    ]
    return found or [f"// laycalc: assert bijective({best.candidate.layout})"]


def _conflicts(layout: Any, bits: int, text: str, access: Any) -> str:
    """The expression of an access's conflicts; a thread-value layout is an argument of its own."""
    fragment: Layout | None = access.fragment
    if fragment is None:
        return f'conflicts({layout}, {bits}, "{text}")'
    way, block = "write" if access.store else "read", ""
    expression = text.partition(":")[2].strip()
    if expression.startswith("tiled_copy"):
        return f'conflicts({layout}, {bits}, "{way}", {expression})'
    if access.block is not None:
        block = f", block {access.block[0]}x{access.block[1]}"
    return f'conflicts({layout}, {bits}, "{way}: tv, {access.bytes} B{block}", {fragment})'
