"""``laycalc fit``: from a table of offsets to a layout."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO
from typing import Annotated, Any

import typer

from laycalc.diagnostics.codes import code_of
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.values import kind_of, text_of

from .inputs import read_text, shape_of
from .output import remark, write_json, write_line
from .progress import progress
from .value import guarded

__all__ = ["read_table", "run"]

_HOLES = ("", "_", "-", "x", "null", "none", "nan")
_NUMBER = re.compile(r"[+-]?(?:0x[0-9a-fA-F]+|\d+)")

LONG = 1 << 20
"""A progress bar is shown for tables with more values than this, at a terminal."""


def run(
    path: Annotated[
        str,
        typer.Argument(
            help="A file of offsets (numbers, CSV or JSON), the offsets themselves, or - for standard input."
        ),
    ] = "-",
    row_major: Annotated[
        bool, typer.Option("--row-major", help="A plain list runs along the last mode, as numpy and torch print it.")
    ] = False,
    shape: Annotated[str, typer.Option(help="The shape of a plain list: 4x8.", show_default="one mode")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> int:
    """Find the smallest layout with given offsets, else a swizzle of one, else XOR strides.

    Rows of a table are the first mode, columns the second; _ or an empty cell is a hole. Where no layout fits, the
    first coordinate that none explains is named, with the best prefix. Exit code 1 then.
    """

    def work() -> int:
        from laycalc.algebra.fit import fit

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
            raise Failure(Diagnostic("LC303", code_of("LC303").name, "; ".join(filter(None, words))))
        return 1

    return guarded(work)


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


def read_table(text: str, shape: tuple[int, ...] | None, row_major: bool) -> tuple[list[Any], tuple[int, ...]]:
    """(values, box) with the first mode fastest, from nested JSON lists, CSV rows, or a list of numbers.

    >>> read_table("0 1 2\\n3 4 5", None, False)
    ([0, 3, 1, 4, 2, 5], (2, 3))
    """
    nested = _nested(text)
    box = _box(nested)
    flat = _flat(nested, box)
    if len(box) == 1:
        if shape is None:
            return flat, box
        box = shape
        if len(flat) > _count(box):
            raise _bad(f"{len(flat)} values for a shape of {_count(box)}")
        flat += [None] * (_count(box) - len(flat))
        return (_column_major(flat, box) if row_major else flat), box
    return _column_major(flat, box), box


def _nested(text: str) -> Any:
    stripped = text.strip()
    if stripped.startswith("["):
        try:
            return json.loads(stripped)
        except (ValueError, RecursionError) as error:
            raise _bad(f"no JSON list: {error}") from None
    separated = "," in stripped or "\t" in stripped or ";" in stripped
    if separated:
        dialect = "\t" if "\t" in stripped else ";" if ";" in stripped and "," not in stripped else ","
        rows = [row for row in csv.reader(StringIO(stripped), delimiter=dialect) if row]
    else:
        rows = [line.split() for line in stripped.splitlines() if line.strip()]
    numbers = [[_number(cell) for cell in row] for row in rows]
    return numbers[0] if len(numbers) == 1 else [row[0] for row in numbers] if _is_column(numbers) else numbers


def _is_column(rows: list[list[Any]]) -> bool:
    return all(len(row) == 1 for row in rows)


def _number(cell: str) -> int | None:
    cell = cell.strip()
    if cell.lower() in _HOLES:
        return None
    if not _NUMBER.fullmatch(cell):
        raise _bad(f"{cell[:40]!r} is no integer; a hole is written _")
    return int(cell, 0) if "x" in cell.lower() else int(cell)


def _box(nested: Any) -> tuple[int, ...]:
    if not isinstance(nested, list):
        return ()
    if not nested:
        raise _bad("the table is empty")
    below = [_box(item) for item in nested]
    depth = max(map(len, below))
    if any(len(b) != depth for b in below):
        raise _bad("some entries are lists and some are numbers")
    # Short rows are ragged: they are filled with holes.
    return (len(nested), *(max(b[k] for b in below) for k in range(depth)))


def _flat(nested: Any, box: tuple[int, ...]) -> list[Any]:
    """Row-major values; what a short row lacks is a hole."""
    if not box:
        if nested is not None and type(nested) is not int:
            raise _bad(f"{str(nested)[:40]!r} is no integer")
        return [nested]
    found: list[Any] = []
    for item in nested:
        found += _flat(item, box[1:])
    return found + [None] * (_count(box) - len(found))


def _column_major(flat: list[Any], box: tuple[int, ...]) -> list[Any]:
    """Row-major values in the order of the index, first mode fastest."""
    if len(box) == 1:
        return flat
    inner = _count(box[1:])
    rows = [_column_major(flat[k * inner : (k + 1) * inner], box[1:]) for k in range(box[0])]
    return [row[i] for i in range(inner) for row in rows]


def _count(box: tuple[int, ...]) -> int:
    total = 1
    for extent in box:
        total *= extent
    return total


def _bad(message: str) -> Failure:
    return Failure(Diagnostic("LC101", "syntax", message))
