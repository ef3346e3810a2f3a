"""``laycalc fit``: from a table of offsets to a layout."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from laycalc.diagnostics.model import Diagnostic, Failure

from ..streams.command import command
from ..streams.inputs import read_text, shape_of
from ..streams.offsets import is_printed, read_table
from ..streams.options import AsJson
from ..streams.output import remark, write_json, write_line
from ..streams.progress import progress

__all__ = ["run"]

TABLE = 1 << 24
"""A file of more bytes than this is refused: two million offsets."""
LONG = 1 << 20
"""A progress bar is shown for tables with more values than this, at a terminal."""


@command(120, "From a table of offsets to a layout.", "laycalc fit '0 4 1 5 2 6 3 7' --shape 2x4")
def run(
    path: Annotated[
        str,
        typer.Argument(
            help="A file of offsets (numbers, CSV, JSON, a printed table), the offsets themselves, or - for input."
        ),
    ] = "-",
    row_major: Annotated[
        bool, typer.Option("--row-major", help="A plain list runs along the last mode, as numpy and torch print it.")
    ] = False,
    shape: Annotated[str, typer.Option(help="The shape of a plain list: 4x8.", show_default="one mode")] = "",
    as_json: AsJson = False,
) -> int:
    """Find the smallest layout with given offsets, else a swizzle of one, else XOR strides.

    Rows of a table are the first mode, columns the second; _ or an empty cell is a hole. Where no layout fits, the
    first coordinate that none explains is named, with the best prefix. Exit code 1 then.
    """
    from laycalc.algebra.finding.fit import fit

    from ..streams.found import fit_object, fit_text

    plain = re.fullmatch(r"[\s\d,;_-]+", path) and re.search(r"\d", path)
    text = path if plain or is_printed(path) else read_text(path, TABLE)
    values, box = read_table(text, shape_of(shape), row_major)
    with progress("fitting", len(values), quiet=len(values) <= LONG) as advance:
        found = fit(values, box, advance)
    if holes := sum(v is None for v in values):
        remark([f"{holes} place{'s' if holes > 1 else ''} without a value may hold anything"])
    if as_json:
        write_json({"schema": 1, **fit_object(found)})
    elif found.value is not None:
        write_line(fit_text(found))
    if found.value is not None:
        return 0
    if not as_json:
        raise Failure(Diagnostic("LC303", fit_text(found)))
    return 1
