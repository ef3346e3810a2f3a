"""``laycalc scan``: every layout of a kernel's source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..streams.command import command
from ..streams.options import AsJson
from ..streams.output import complain, write_json, write_line

if TYPE_CHECKING:
    from laycalc.grammar.source.scan import Found, Scanned

__all__ = ["run"]


@command(
    65,
    "Tell every layout of a kernel's source: C++, CUDA, Python.",
    "laycalc scan flash_traits.h -D kHeadDim=64 -D kBlockM=128",
    "laycalc scan --json gemm.py",
)
def run(
    files: Annotated[list[str], typer.Argument(help="Files or directories; - for standard input, read as C++.")],
    define: Annotated[
        list[str] | None, typer.Option("-D", help="Bind a name: kHeadDim=64, TileShape=(128,64), T=half_t.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Numbers and shapes, too.")] = False,
    as_json: AsJson = False,
) -> int:
    """Read whole files and tell every layout in them, with its line; nothing is compiled or run.

    What cannot be read is listed with the reason. Exit code 0 is clean, 1 a finding, 2 a usage or text error.
    """
    from ..checks.kernels import project_of

    project = project_of(files, define or ())
    scans = [project.scan(path) for path in project.files]
    if as_json:
        from laycalc.render.reports.kernels import scan_object

        write_json(scan_object([_object(found) for found in scans]))
    else:
        for found in scans:
            _show(found, len(scans) > 1, everything)
    diagnostics = [finding for found in scans for finding in found.findings]
    return max((finding.exit_code for finding in diagnostics if finding.severity == "error"), default=0)


def _show(found: Scanned, named: bool, everything: bool) -> None:
    """The table of a file, what was not read, and the findings on standard error."""
    from laycalc.grammar.source.notes import in_words
    from laycalc.grammar.source.scan import is_layout
    from laycalc.render.reports.kernels import Row, table_text

    if named:
        write_line(f"{found.file}:")
    shown = [each for each in found.values if everything or is_layout(each.value)]
    rows = [Row(each.line, each.name, in_words(each.outcome), notes_of(each)) for each in shown]
    rows += [Row(piece.line, piece.name or piece.text, piece.reason, "not read") for piece in found.unread]
    write_line(table_text(sorted(rows)))
    write_line(f"{found.layouts} of {found.layouts + len(found.unread)} layouts read")
    complain(found.findings)


def notes_of(found: Found) -> str:
    """What is said beside a value: the condition under which it holds."""
    report = found.outcome.report
    return f"valid iff {report.condition}" if report is not None and report.condition else ""


def _object(found: Scanned) -> dict[str, Any]:
    """The JSON object of a file."""
    from laycalc.grammar.source.notes import data_of, kind_in_words, text_in_full
    from laycalc.render.reports.kernels import finding_of

    values = [
        {
            "name": each.name,
            "line": each.line,
            "kind": kind_in_words(each.outcome),
            "value": text_in_full(each.outcome),
            "data": data_of(each.outcome),
        }
        for each in found.values
    ]
    unread = [{"line": piece.line, "text": piece.text, "reason": piece.reason} for piece in found.unread]
    findings = [finding_of(finding, found.file) for finding in found.findings]
    return {"file": found.file, "values": values, "unread": unread, "findings": findings}
