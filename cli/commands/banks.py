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
from ..streams.inputs import lines_of, names_a_file, scope_of
from ..streams.options import AsJson, Bits, Define
from ..streams.output import remark, worst, write_json, write_line
from ..streams.value import value_of

__all__ = ["run"]


@command(
    80,
    "Bank conflicts, wavefronts, coalescing; --suggest a swizzle.",
    "laycalc banks '(32,64):(64,1)' --bits 16 --vector 8 --access column --suggest",
    "laycalc banks '(64,64):(64,1)' --bits 16 --access 'write: cp.async.cg row' --access 'read: ldmatrix.x4'",
)
def run(
    expr: Annotated[str, typer.Argument(help="A layout in elements; with --jsonl a file of accesses, or -.")],
    bits: Bits = 32,
    vector: Annotated[int, typer.Option(help="Elements a lane; matrices for ldmatrix and stmatrix.")] = 0,
    lanes: Annotated[
        list[str] | None,
        typer.Option(
            "--lanes",
            "--access",
            help="row, column, ldmatrix, stmatrix, tv, or in words: 'write: row, 16 B'; repeat it for several.",
        ),
    ] = None,
    threads: Annotated[int, typer.Option(help="Threads that take part.", show_default="a warp, for tv all")] = 0,
    store: Annotated[bool, typer.Option("--store", help="The lanes write instead of reading.")] = False,
    arch: Annotated[str, typer.Option(help="The machine: sm70 to sm121, gfx942, gfx950.")] = "",
    suggest: Annotated[
        bool, typer.Option("--suggest", help="Search the swizzle and the padding that free all accesses, or help most.")
    ] = False,
    as_json: AsJson = False,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Raw accesses, an object a line: op and offsets in bytes.")
    ] = False,
    define: Define = None,
) -> int:
    """Count bank conflicts of a layout: wavefronts, the lanes and addresses that collide, sectors in global memory.

    An access says its direction and, between commas, the order of the lanes and what each moves: 'write: row, 16 B',
    'read: ldmatrix.x4.trans', 'write: cp.async.cg row', 'read: tv ((4,8),2):((32,1),16), block 16x8', or an expression
    for a tiled copy. Exit code 1 says that some access conflicts.
    """
    from laycalc.atoms.accesses.asked import ask
    from laycalc.render.reports.banks import banks_lines, banks_object

    if jsonl:
        return _raw(expr)
    scope = scope_of(define, written=names_a_file(expr))
    value = value_of(expr, scope)
    if not isinstance(value, (Layout, Composed, Tensor)):
        raise Failure(Diagnostic("LC103", f"banks takes a layout, not the {kind_of(value)}"))
    given = {"vector": vector, "threads": threads, "store": store}
    options = {name: one for name, one in given.items() if one}
    found = ask(value, lanes or ["row"], bits, options, lambda text: value_of(text, scope), arch, suggest)
    if not arch and threads > 0 == threads % 64:
        remark([f"{threads} threads are {threads // 32} warps of NVIDIA; --arch gfx942 or gfx950 counts waves of AMD"])
    if as_json:
        write_json({"schema": 1, **banks_object(found)})
    else:
        for line in banks_lines(found):
            write_line(line)
    return 0 if found.free else 1


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
