"""``laycalc fit``: from a table of offsets to a layout."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.language.values import kind_of, text_of

from ..streams.command import command
from ..streams.inputs import read_text, shape_of
from ..streams.offsets import read_table
from ..streams.options import AsJson
from ..streams.output import remark, write_json, write_line
from ..streams.progress import progress

__all__ = ["run"]

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

    text = path if re.fullmatch(r"[\s\d,;_-]+", path) and re.search(r"\d", path) else read_text(path)
    values, box = read_table(text, shape_of(shape), row_major)
    with progress("fitting", len(values), quiet=len(values) <= LONG) as advance:
        found = fit(values, box, advance)
    if holes := sum(v is None for v in values):
        remark([f"{holes} place{'s' if holes > 1 else ''} without a value may hold anything"])
    if as_json:
        write_json({"schema": 1, **_object(found)})
    elif found.value is not None:
        write_line(text_of(found.value))
    if found.value is not None:
        return 0
    if not as_json:
        words = [found.reason]
        if found.prefix is not None:
            words.append(f"the first {found.covered} values are those of {found.prefix}")
        raise Failure(Diagnostic("LC303", "; ".join(filter(None, words))))
    return 1


def _object(found: Any) -> dict[str, Any]:
    fields = {
        "ok": found.value is not None,
        "kind": None if found.value is None else kind_of(found.value),
        "value": None if found.value is None else text_of(found.value),
        "form": found.form or None,
        "reason": found.reason or None,
        "coordinate": None if found.coordinate is None else text_of(found.coordinate),
        "found": found.found,
        "expected": found.expected,
        "prefix": None if found.prefix is None else text_of(found.prefix),
        "covered": found.covered or None,
    }
    return {key: value for key, value in fields.items() if value is not None}
