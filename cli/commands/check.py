"""``laycalc check``: check the assertions of files; made for CI."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Annotated

import typer

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.diagnostics.report import Result, Tally
from laycalc.render.reports.checks import FORMATS, report_for

from ..checks.checking import Job
from ..checks.config import Config, configuration
from ..checks.pool import check_files
from ..checks.sources import files_of
from ..streams.command import command
from ..streams.completion import check_formats, codes
from ..streams.options import Define
from ..streams.outfile import report_file
from ..streams.progress import Bar, progress_of

__all__ = ["run"]


@command(
    60,
    "Check the assertions of files; made for CI.",
    "laycalc check layouts",
    "laycalc check --strict --format sarif -o layouts.sarif layouts include",
)
def run(
    files: Annotated[
        list[str] | None,
        typer.Argument(help="Files, directories, or - for standard input.", show_default=False),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help=f"One of {', '.join(FORMATS)}.",
            autocompletion=check_formats,
        ),
    ] = None,
    output: Annotated[str | None, typer.Option("--output", "-o", help="Write the report to a file.")] = None,
    deny: Annotated[
        list[str] | None,
        typer.Option(
            "--deny",
            help="Count a warning as a finding: LC401.",
            autocompletion=codes,
        ),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            "--allow",
            help="Do not report a warning.",
            autocompletion=codes,
        ),
    ] = None,
    strict: Annotated[
        bool | None, typer.Option("--strict/--no-strict", help="Count every warning as a finding.")
    ] = None,
    define: Define = None,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", help="Files to read at a time; 0 for one a core.")] = None,
    verify: Annotated[int | None, typer.Option(help="Compare results value by value up to so many points.")] = None,
    exclude: Annotated[list[str] | None, typer.Option("--exclude", help="Pattern of files to leave out.")] = None,
    config: Annotated[str | None, typer.Option("--config", help="The pyproject.toml to read.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary line, no progress.")] = False,
    scan: Annotated[bool, typer.Option("--scan", help="Check the layouts of C++, CUDA and Python, too.")] = False,
) -> int:
    """Check the assertions and expressions of files.

    Reads .layout files whole, comments `// laycalc: ...` in C++ and CUDA files, `# laycalc: ...` in .py, and ```layout
    blocks in .md. Defaults come from [tool.laycalc] in pyproject.toml. Exit code 0 is clean, 1 a finding,
    2 a usage or text error.
    """
    given = Config(
        tuple(files or ()), form, tuple(deny or ()), tuple(allow or ()), strict, tuple(define or ()), jobs, verify,
        tuple(exclude or ()),
    )  # fmt: skip
    return _check(configuration(given, config), output, quiet, scan)


@dataclass(slots=True)
class _Tally(Tally):
    """A tally that says so if files were named and there was nothing to check in any of them."""

    named: bool = False

    @property
    def nothing(self) -> bool:
        return self.named and not self.passed and not self.failed

    def __str__(self) -> str:
        # The zero-argument super() does not work in a class with slots before Python 3.14.
        files, _, rest = Tally.__str__(self).rpartition(":")
        return f"{files}, no checks found:{rest}" if self.nothing else f"{files}:{rest}"


def _check(config: Config, output: str | None, quiet: bool, scan: bool) -> int:
    files = list(files_of(config.files, config.exclude))
    if not files:
        where = f" in {', '.join(config.files)}" if config.files else ""
        raise Failure(Diagnostic("LC103", f"no files to check{where}"))
    job = Job(
        _definitions(config, scan),
        config.policy(),
        256 if config.verify is None else config.verify,
        config.form == "junit",
    )
    # A directory may well have no checks; of a file that somebody named, it is a surprise.
    tally = _Tally(named=any(not os.path.isdir(path) for path in config.files))
    with report_file(output) as stream, progress_of(files, quiet) as bar:
        report = report_for(config.form or "text", stream)
        scanned = _scanned(config, job, tally) if scan else ()
        for result in chain(_results(files, job, config.workers(), bar, tally), scanned):
            bar.pause()
            report.add(result)
        bar.pause()
        if config.strict and tally.nothing:
            tally.exit_code = max(tally.exit_code, 1)
        report.end(tally, quiet)
    if (tally.nothing and config.strict) if quiet else (output or not report.summary):
        print(tally, file=sys.stderr)
    return tally.exit_code


def _definitions(config: Config, scan: bool) -> tuple[str, ...]:
    """The definitions for the statements of the files; a scan has some that only C++ or Python can read."""
    if not scan:
        return config.define
    from ..checks.kernels import for_the_language

    return for_the_language(config.define)


def _scanned(config: Config, job: Job, tally: Tally) -> Iterator[Result]:
    """What a scan of the same files tells."""
    from ..checks.kernels import results_of, scans_of, source_files

    # A name may be for the comments alone.
    for case in scans_of(source_files(config.files, config.exclude), config.define, strict=False):
        for result in results_of(case, job.policy):
            tally.add(result)
            if result.findings or job.listing:
                yield result


def _results(files: list[str], job: Job, workers: int, bar: Bar, tally: Tally) -> Iterator[Result]:
    """What a report tells, counted on the way: the findings, and with ``listing`` the checks that pass."""
    for _, results in check_files(files, job, workers, bar.advance):
        tally.files += 1
        for result in results:
            tally.add(result)
            if result.findings or (job.listing and result.counted):
                yield result
