"""``laycalc design gemm``: a kernel's plan as a page with pictures, and as a file of assertions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from laycalc.grammar.run.scope import Scope

from ..streams.outfile import report_file
from ..streams.output import complain, write_json, write_line
from .copy import arch_of
from .mma import block_shape
from .request import Request, refuse

if TYPE_CHECKING:
    from laycalc.design.gemm.plan import Plan

__all__ = ["gemm"]

PITCH = 4096
"""Elements from one row of global memory to the next where nothing is said."""
PAGES = (".html", ".md", ".layout", ".txt")


def gemm(request: Request) -> int:
    """Plan, run the assertions of the plan, and tell or write it; exit code 1 if one of them fails."""
    from laycalc.design.gemm.plan import Gemm
    from laycalc.design.gemm.planning import plan_of
    from laycalc.design.mma.atoms import types_of
    from laycalc.render.reports import plan as pages

    request.allow("gemm", "type", "acc", "bits", "arch", "threads", "stages", "pitch", "output", "json")
    options = request.options
    types = types_of(options["type"] or _type_of(options["bits"]), options["acc"] or "")
    if options["bits"] and options["bits"] != types.bits:
        raise refuse(f"elements of {types.operand} have {types.bits} bits, not {options['bits']}")
    outputs = _pages(options["output"] or [])
    extents, threads = block_shape(request, "gemm"), options["threads"] or 128
    pitch = options["pitch"] or PITCH
    made = plan_of(Gemm(extents, types, arch_of(request), threads, pitch, options["stages"] or 0))
    scope, failed = _checked(made)
    for path in outputs:
        _write(made, scope, path)
    if options["json"]:
        write_json({"schema": 1, **_object(made), "holds": not failed})
    elif not outputs:
        write_line(pages.text(made))
    return 1 if failed else 0


def _pages(paths: list[str]) -> list[Path]:
    """The files that are written."""
    if strange := [path for path in paths if Path(path).suffix not in PAGES]:
        raise refuse(f"a plan is written to a file that ends in {', '.join(PAGES)}, not to {strange[0]}")
    return [Path(path) for path in paths]


def _type_of(bits: int) -> str:
    """The type that is meant by a width."""
    known = {0: "f16", 16: "f16", 32: "tf32", 8: "s8"}
    if bits not in known:
        raise refuse(f"no type of {bits} bits is multiplied here; --type names one")
    return known[bits]


def _checked(plan: Plan) -> tuple[Scope, bool]:
    """The names of the plan, and whether one of its assertions fails; what fails is told."""
    from laycalc.grammar.run.statements import run

    scope, failed = Scope(), False
    for outcome in run("\n".join(line for part in plan.parts for line in part.statements), scope):
        problems = [x for x in (outcome.error, outcome.finding) if x is not None]
        if problems:
            failed = True
            complain(problems)
    return scope, failed


def _write(plan: Plan, scope: Scope, path: Path) -> None:
    """A page with its pictures, or the assertions."""
    from laycalc.render.reports import plan as pages

    if path.suffix == ".layout":
        page = plan.layout_file()
    elif path.suffix == ".txt":
        page = pages.text(plan) + "\n"
    elif path.suffix == ".html":
        page = pages.html(plan, _drawn(plan, scope))
    else:
        files = {}
        for number, (title, svg) in enumerate(_drawn(plan, scope).items(), 1):
            files[title] = f"{path.stem}-{number}.svg"
            _save(path.with_name(files[title]), svg)
        page = pages.markdown(plan, files)
    _save(path, page)


def _save(path: Path, content: str) -> None:
    with report_file(str(path)) as out:
        out.write(content)


def _drawn(plan: Plan, scope: Scope) -> dict[str, str]:
    """The SVG of each part that has a picture."""
    from laycalc.grammar.run.statements import evaluate
    from laycalc.render.draw import render, scene_of

    found = {}
    for part in plan.parts:
        if part.picture is not None:
            scene = scene_of(evaluate(part.picture.expression, scope), **dict(part.picture.wishes))
            found[part.title] = str(render(scene, "svg"))
    return found


def _object(plan: Plan) -> dict[str, Any]:
    """The plan as plain data."""
    parts = [{"title": p.title, "told": list(p.told), "statements": list(p.statements)} for p in plan.parts]
    return {"title": plan.title, "parts": parts}
