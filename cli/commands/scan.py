"""``laycalc scan``: every layout of a kernel's source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.diagnostics.report import Policy, Tally

from ..streams.command import command
from ..streams.options import AsJson
from ..streams.outfile import report_file
from ..streams.output import complain, write_json, write_line

if TYPE_CHECKING:
    from ..checks.kernels import Case

__all__ = ["run"]

FORMATS = ("text", "json", "github", "sarif", "junit")


@command(
    65,
    "Tell every layout of a kernel's source: C++, CUDA, Python.",
    "laycalc scan flash_traits.h -D kHeadDim=64 -D kBlockM=128",
    "laycalc scan flash_traits.h -D 'kHeadDim={64,96,128}' --format github",
    "laycalc scan --json gemm.py",
)
def run(
    files: Annotated[list[str], typer.Argument(help="Files and directories of C++, CUDA and Python.")],
    define: Annotated[
        list[str] | None,
        typer.Option("-D", help="Bind a name: kHeadDim=64, 'kHeadDim={64,96}', 'TileShape=(128,64)', T=half_t."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Numbers and shapes, too.")] = False,
    as_json: AsJson = False,
    form: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "text",
    output: Annotated[str | None, typer.Option("--output", "-o", help="Write the report to a file.")] = None,
    deny: Annotated[list[str] | None, typer.Option("--deny", help="Count a warning as a finding: LC401.")] = None,
    allow: Annotated[list[str] | None, typer.Option("--allow", help="Do not report a warning.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Count every warning as a finding.")] = False,
    draw: Annotated[str, typer.Option("--draw", help="Write a picture of each layout into this directory.")] = "",
) -> int:
    """Read whole files and tell every layout in them, with its line; nothing is compiled or run.

    What cannot be read is listed with the reason. Exit code 0 is clean, 1 a finding, 2 a usage or text error.
    """
    from ..checks.kernels import scans_of, source_files

    if form not in FORMATS:
        raise Failure(Diagnostic("LC103", f"no format {form}; there are {', '.join(FORMATS)}"))
    policy = Policy(frozenset(deny or ()), frozenset(allow or ()), strict)
    found = source_files(files)
    if not found:
        raise Failure(Diagnostic("LC103", f"no C++, CUDA or Python file in {', '.join(files)}"))
    cases = list(scans_of(found, define or ()))
    if draw:
        from ..checks.pictures import write_pictures

        write_pictures(cases, draw)
    if as_json or form == "json":
        _write_json(cases, policy)
        return _exit_code(cases, policy)
    if form == "text":
        return _tables(cases, policy, everything)
    return _report(cases, policy, form, output)


def _exit_code(cases: list[Case], policy: Policy) -> int:
    from ..checks.kernels import findings_of

    return max((found.diagnostic.exit_code for case in cases for found in findings_of(case, policy)), default=0)


def _report(cases: list[Case], policy: Policy, form: str, output: str | None) -> int:
    """The findings for other programs, as `laycalc check` writes them."""
    from laycalc.render.reports.checks import report_for

    from ..checks.kernels import results_of

    tally = Tally(files=len({case.scanned.file for case in cases}))
    with report_file(output) as stream:
        report = report_for(form, stream)
        for case in cases:
            for result in results_of(case, policy):
                tally.add(result)
                if result.findings or form == "junit":
                    report.add(result)
        report.end(tally)
    return tally.exit_code


def _tables(cases: list[Case], policy: Policy, everything: bool) -> int:
    """A table a file, what was not read, and the findings on standard error."""
    from laycalc.render.reports.kernels import table_text

    from ..checks.kernels import findings_of
    from ..checks.listing import counted, rows_of

    files = dict.fromkeys(case.scanned.file for case in cases)
    for file in files:
        mine = [case for case in cases if case.scanned.file == file]
        if len(files) > 1:
            write_line(f"{file}:")
        rows = rows_of(mine, everything)
        if rows:
            write_line(table_text(rows))
        write_line(counted(mine))
        complain(_once(found.diagnostic for case in mine for found in findings_of(case, policy)))
    return _exit_code(cases, policy)


def _once(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Diagnostics without those that say the same at the same place."""
    found: dict[Any, Diagnostic] = {}
    for diagnostic in diagnostics:
        found.setdefault((diagnostic.code, diagnostic.message, diagnostic.labels), diagnostic)
    return list(found.values())


def _write_json(cases: list[Case], policy: Policy) -> None:
    from laycalc.render.reports.kernels import scan_object

    from ..checks.listing import objects_of

    found: list[dict[str, Any]] = objects_of(cases, policy)
    write_json(scan_object(found))
