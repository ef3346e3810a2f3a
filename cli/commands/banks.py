"""``laycalc banks``: shared-memory bank conflicts, global-memory coalescing, and what would mend them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

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

if TYPE_CHECKING:
    from laycalc.atoms.memory.patterns import Pattern, Survey
    from laycalc.atoms.memory.sectors import SectorReport
    from laycalc.atoms.memory.swizzle_search import Suggestion

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
    from laycalc.atoms.memory.patterns import Pattern

    if jsonl:
        return _raw(expr)
    value = value_of(expr, scope_of(define))
    if not isinstance(value, (Layout, Composed, Tensor)):
        raise Failure(Diagnostic("LC103", f"banks takes a layout, not the {kind_of(value)}"))
    patterns = [Pattern(bits, vector or None, order, threads or None, store) for order in lanes or ["row"]]
    surveys = [(pattern, _survey(value, pattern)) for pattern in patterns]
    fix = _suggestion(value, patterns) if suggest else None
    (_tell_json if as_json else _tell)(value, surveys, fix)
    return 0 if all(survey.free for _, survey in surveys) else 1


def _tell(value: Any, surveys: list[tuple[Pattern, Survey]], fix: Suggestion | None) -> None:
    for pattern, survey in surveys:
        _report(value, pattern, survey)
    if fix is not None:
        _advice(fix)


def _tell_json(value: Any, surveys: list[tuple[Pattern, Survey]], fix: Suggestion | None) -> None:
    found: dict[str, Any] = {"schema": 1, "accesses": [_object(value, pattern, survey) for pattern, survey in surveys]}
    if fix is not None:
        found["suggestion"] = fix.as_dict()
    write_json(found)


def _survey(value: Any, pattern: Pattern) -> Survey:
    from laycalc.atoms.memory.patterns import bank_survey

    return bank_survey(value, pattern)


def _suggestion(value: Any, patterns: list[Pattern]) -> Suggestion:
    from laycalc.atoms.memory.swizzle_search import suggest

    return suggest(value, patterns)


def _object(value: Any, pattern: Pattern, survey: Survey) -> dict[str, Any]:
    found = {"lanes": pattern.lanes, "op": pattern.op, "bits": pattern.bits, **survey.as_dict()}
    sectors = _sectors(value, pattern)
    return found if sectors is None else {**found, "global": sectors.as_dict()}


def _sectors(value: Any, pattern: Pattern) -> SectorReport | None:
    """What the same accesses cost in global memory; matrix operations exist for shared memory only."""
    from laycalc.atoms.memory.patterns import accesses
    from laycalc.atoms.memory.sectors import coalescing

    return None if pattern.matrices else coalescing(accesses(value, pattern))


def _report(value: Any, pattern: Pattern, survey: Survey) -> None:
    """A few lines on one pattern: the sum, and the dearest instruction."""
    count = len(survey.reports)
    verdict = "no conflict" if survey.free else f"{survey.degree}-way conflict"
    write_line(
        f"{pattern.lanes}, {pattern.op} of {pattern.bits}-bit elements: {verdict};"
        f" {_count(survey.wavefronts, 'wavefront')} in {_count(count, 'instruction')}, {survey.ideal} would be ideal"
    )
    if (sectors := _sectors(value, pattern)) is not None:
        write_line(
            f"  in global memory: {sectors.sectors} sectors of 32 bytes, {sectors.ideal} would be ideal;"
            f" efficiency {sectors.efficiency:.0%}"
        )
    worst_ = survey.worst
    if survey.free or worst_ is None:
        return
    passes = ", ".join(map(str, worst_.per_phase))
    write_line(f"  worst access: {worst_.access.label or worst_.access.op}, {passes} wavefronts in its passes")
    for phase in worst_.phases:
        for collision in phase.collisions()[:4]:
            words = "; ".join(f"{address:#x} by lane {_lanes(owners)}" for address, owners in collision.words[:4])
            more = f"; {len(collision.words) - 4} more" if len(collision.words) > 4 else ""
            write_line(f"  bank {collision.bank:2}: {words}{more}")
        break


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _lanes(lanes: tuple[int, ...]) -> str:
    return ",".join(map(str, lanes[:8])) + (",..." if len(lanes) > 8 else "")


def _advice(fix: Suggestion) -> None:
    if fix.units is not None:
        write_line(f"units: {fix.units}")
    if fix.swizzle is not None:
        write_line(
            f"swizzle: {fix.swizzle.layout}  ({fix.swizzle.elements} on elements, {fix.swizzle.bytes} on bytes;"
            f" {fix.swizzle.wavefronts} wavefronts)"
        )
    if fix.padding is not None:
        pad = fix.padding
        write_line(
            f"padding: {pad.layout}  ({pad.elements} elements, {pad.bytes} bytes, after every {pad.pitch};"
            f" {pad.overhead:.1%} more storage, {pad.wavefronts} wavefronts)"
        )
    if fix.swizzle is None and fix.padding is None and not fix.before.free:
        write_line("neither a swizzle nor a padding frees these accesses")


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
