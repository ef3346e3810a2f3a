"""Tables of offsets as text: lists of numbers, CSV, JSON, and the tables that laycalc and CUTLASS print."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO
from typing import Any

from laycalc.diagnostics.model import Diagnostic, Failure

__all__ = ["is_printed", "read_table"]

_HOLES = ("", "_", "-", "x", "null", "none", "nan")
_NUMBER = re.compile(r"[+-]?(?:0x[0-9a-fA-F]+|\d+)")
_RULER = re.compile(r"[\s|│:+┼─-]*(?:--|──)[\s|│:+┼─-]*")
_BAR = re.compile(r"[|│]")


def read_table(text: str, shape: tuple[int, ...] | None, row_major: bool) -> tuple[list[Any], tuple[int, ...]]:
    """(values, box) with the first mode fastest, from nested JSON lists, CSV rows, or a list of numbers.

    >>> read_table("0 1 2\\n3 4 5", None, False)
    ([0, 3, 1, 4, 2, 5], (2, 3))
    """
    nested = _nested(text.strip())
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


_CALL = re.compile(r"[A-Za-z_][\w.]*\(\s*(\[.*\])\s*(?:,[^\[\]]*)?\)", re.DOTALL)
"""``tensor([..], device='cuda:0')``, ``array([..], dtype=int32)``."""
_PRINTED = re.compile(r"\s*(?:(?:array|tensor|Array)\(\s*)?\[+\s*[-+\d]")
_GAP = re.compile(r"(?<=[\d\]])\s+(?=[-+\d\[])")


def is_printed(text: str) -> bool:
    """Does a text look like an array that numpy, torch or jax printed?

    >>> is_printed("[[0 1]"), is_printed("tensor([[ 0, 1]])"), is_printed("[3:4]")
    (True, True, False)
    """
    return _PRINTED.match(text) is not None and ":" not in text.partition("]")[0]


def _listed(text: str) -> str:
    """A print of numpy, torch or jax as nested lists; other texts as they are."""
    called = _CALL.fullmatch(text)
    inner = called[1] if called else text
    if not inner.startswith("[") or not re.fullmatch(r"[\[\]\d\s,.+-]*", inner):
        return text
    if "..." in inner:
        raise _bad("the print leaves values out (...): np.set_printoptions(threshold=2**20) prints them all")
    # numpy parts the numbers by blanks, jax and torch by commas.
    return inner if "," in inner else _GAP.sub(", ", inner)


def _nested(text: str) -> Any:
    text = _listed(text)
    if text.startswith(("[", "{")):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise _bad(f"no JSON: {error}") from None
        return _stacked([piece["cells"] for piece in found["slices"]]) if _is_printed(found) else found
    if any(_RULER.fullmatch(line) for line in text.splitlines()):
        sheets = _ruled(text)
    elif "," in text or "\t" in text or ";" in text:
        sheets = _separated(text)
    else:
        sheets = [[line.split() for line in text.splitlines() if line.strip()]]
    return _stacked([[[_number(cell) for cell in row] for row in rows] for rows in sheets])


def _is_printed(found: Any) -> bool:
    """Is it the JSON of ``laycalc table``?"""
    pieces = found.get("slices") if isinstance(found, dict) else None
    return isinstance(pieces, list) and bool(pieces) and all(map(_is_slice, pieces))


def _is_slice(piece: Any) -> bool:
    rows = piece.get("cells") if isinstance(piece, dict) else None
    return isinstance(rows, list) and all(isinstance(row, list) for row in rows)


def _ruled(text: str) -> list[list[list[str]]]:
    """The sheets of a table with rulers: what stands before the first ruler and before the first bar is no value."""
    sheets: list[list[list[str]]] = []
    inside = False
    for line in text.splitlines():
        if _RULER.fullmatch(line):
            if not inside:
                sheets.append([])
            inside = True
        elif not line.strip():
            inside = False
        elif inside:
            _label, *cells = _BAR.split(line.strip().removeprefix("|")) if _BAR.search(line) else ("", line)
            row = [cell for part in cells for cell in part.split()]
            if row:
                sheets[-1].append(row)
    return sheets


def _separated(text: str) -> list[list[list[str]]]:
    """The sheets of CSV; a row of column numbers with an empty or a title cell before it is a header."""
    dialect = "\t" if "\t" in text else ";" if ";" in text and "," not in text else ","
    rows = [row for row in csv.reader(StringIO(text), delimiter=dialect) if row]
    if not rows or not _is_header(rows[0]):
        return [rows]
    sheets: list[list[list[str]]] = [[]]
    for row in rows[1:]:
        if row[0].startswith("(_"):
            sheets.append([])
        else:
            sheets[-1].append(row[1:])
    return sheets


def _is_header(row: list[str]) -> bool:
    names = [str(k) for k in range(len(row) - 1)]
    nested = all(cell.startswith("(") for cell in row[1:])
    return len(row) > 1 and (row[0] == "" or row[0].startswith("(_")) and (row[1:] == names or nested)


def _stacked(sheets: list[list[list[Any]]]) -> Any:
    """Rows and columns, with several sheets as third mode; a list if there is but one row or one column."""
    if len(sheets) > 1:
        if len({tuple(map(len, rows)) for rows in sheets}) > 1:
            raise _bad("the sheets of the table are not of one size")
        return [[list(cell) for cell in zip(*rows, strict=True)] for rows in zip(*sheets, strict=True)]
    (rows,) = sheets or [[]]
    return rows[0] if len(rows) == 1 else [row[0] for row in rows] if _is_column(rows) else rows


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
    return Failure(Diagnostic("LC101", message))
