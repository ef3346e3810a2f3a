"""``laycalc banks``: shared-memory bank conflicts, global-memory coalescing, and what would mend them."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.language.values import kind_of
from laycalc.render.reports.json import diagnostic_object

from ..streams.command import command
from ..streams.inputs import lines_of, scope_of
from ..streams.options import AsJson, Bits, Define
from ..streams.output import worst, write_json, write_line
from ..streams.value import value_of

__all__ = ["run"]


@command(
    80,
    "Bank conflicts, wavefronts, coalescing; --suggest a swizzle.",
    "laycalc banks '(32,64):(64,1)' --bits 16 --vector 8 --access column --suggest",
)
def run(
    expr: Annotated[str, typer.Argument(help="A layout in elements; with --jsonl a file of accesses, or -.")],
    bits: Bits = 32,
    vector: Annotated[int, typer.Option(help="Elements a lane; matrices for ldmatrix and stmatrix.")] = 0,
    lanes: Annotated[
        list[str] | None,
        typer.Option("--lanes", "--access", help="row, column, ldmatrix, stmatrix or tv; repeat it for several."),
    ] = None,
    threads: Annotated[int, typer.Option(help="Threads that take part.", show_default="32, for tv all")] = 0,
    store: Annotated[bool, typer.Option("--store", help="The lanes write instead of reading.")] = False,
    suggest: Annotated[
        bool, typer.Option("--suggest", help="Search the smallest swizzle and the smallest padding.")
    ] = False,
    as_json: AsJson = False,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Raw accesses, an object a line: op and offsets in bytes.")
    ] = False,
    define: Define = None,
) -> int:
    """Count bank conflicts of a layout: wavefronts, the lanes and addresses that collide, sectors in global memory.

    Exit code 1 says that some access conflicts.
    """
    from laycalc.atoms.memory.patterns import Pattern, bank_survey
    from laycalc.atoms.memory.swizzle_search import suggest as mended
    from laycalc.render.reports.banks import banks_lines, banks_object

    if jsonl:
        return _raw(expr)
    value = value_of(expr, scope_of(define))
    if not isinstance(value, (Layout, Composed, Tensor)):
        raise Failure(Diagnostic("LC103", f"banks takes a layout, not the {kind_of(value)}"))
    patterns = [Pattern(bits, vector or None, order, threads or None, store) for order in lanes or ["row"]]
    surveys = [(pattern, bank_survey(value, pattern)) for pattern in patterns]
    fix = mended(value, patterns) if suggest else None
    if as_json:
        write_json({"schema": 1, **banks_object(value, surveys, fix)})
    else:
        for line in banks_lines(value, surveys, fix):
            write_line(line)
    return 0 if all(survey.free for _, survey in surveys) else 1


def _raw(path: str) -> int:
    """``--jsonl``: each line an access; one bad line never stops the rest."""
    code = 0
    for number, line in enumerate(lines_of(path), 1):
        if line.strip():
            found, exit_code = _raw_answer(line, number)
            write_json(found)
            code = worst((code, exit_code))
    return code


def _raw_answer(line: bytes, number: int) -> tuple[dict[str, Any], int]:
    """The object of a raw access, and its exit code."""
    from laycalc.atoms.memory.banks import bank_conflicts, read_access
    from laycalc.atoms.memory.cp_async import copy_conflicts, read_copy

    try:
        fields = json.loads(line)
        if not isinstance(fields, dict):
            raise ValueError("not an object")
        copies = str(fields.get("op")).startswith("cpasync")
        report = copy_conflicts(read_copy(fields)) if copies else bank_conflicts(read_access(fields))
    except (ValueError, LayoutError, RecursionError) as error:
        bad = Diagnostic(error.code if isinstance(error, LayoutError) else "LC101", str(error))
        return {"id": number, "ok": False, "schema": 1, "error": diagnostic_object(bad)}, bad.exit_code
    found = {"id": fields.get("id", number), "ok": True, "schema": 1, **report.as_dict()}
    return found, 0 if report.free else 1
