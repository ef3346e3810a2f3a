"""Tables for the terminal and for other programs."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from laycalc.algebra.errors import LayoutError
from laycalc.algebra.layout import Layout
from laycalc.render.difference import difference, difference_text
from laycalc.render.table import table, table_of

MIXED = Layout(((2, 2), (4, 2)), ((1, 8), (2, 16)))


def test_plain_has_nested_headers() -> None:
    assert table(MIXED).splitlines() == [
        "    |  0           1",
        "    |  0  1  2  3  0  1  2  3",
        "----+------------------------",
        "0 0 |  0  2  4  6 16 18 20 22",
        "  1 |  1  3  5  7 17 19 21 23",
        "    |",
        "1 0 |  8 10 12 14 24 26 28 30",
        "  1 |  9 11 13 15 25 27 29 31",
    ]


def test_plain_is_ascii_and_has_no_trailing_blanks() -> None:
    text = table(Layout((3, (2, 2), 2)))
    assert text.isascii() and all(line == line.rstrip() for line in text.splitlines())


def test_rank_three_is_titled_slices() -> None:
    text = table(Layout((2, 2, 2)))
    assert "(_,_,0)" in text and "(_,_,1)" in text


@pytest.mark.parametrize(("cells", "last"), [("offset", "31"), ("coord", "((1,1),(3,1))"), ("index", "31")])
def test_cells(cells: str, last: str) -> None:
    assert table_of(MIXED, cells=cells).sheets[0].cells[-1][-1] == last


def test_csv_is_read_back() -> None:
    rows = list(csv.reader(io.StringIO(table(MIXED, format="csv"))))
    assert rows[0][:3] == ["", "(0,0)", "(1,0)"]
    assert rows[2] == ["(1,0)", "1", "3", "5", "7", "17", "19", "21", "23"]


def test_markdown_is_a_table_for_each_slice() -> None:
    text = table(Layout((2, 2, 2)), format="markdown")
    assert text.count("|---|") == 2 and "(\\_,\\_,1)" in text
    assert len({line.count("|") for line in text.splitlines() if line.startswith("|")}) == 1


def test_json_carries_a_schema() -> None:
    found = json.loads(table(MIXED, format="json"))
    assert found["schema"] == 1 and found["layout"] == str(MIXED)
    assert found["slices"][0]["cells"][1] == [1, 3, 5, 7, 17, 19, 21, 23]
    assert json.loads(table(MIXED, format="json", cells="coord"))["slices"][0]["cells"][0][1] == "((0,0),(1,0))"


def test_rich_has_the_words_of_plain() -> None:
    text = table(MIXED, format="rich")
    assert text.plain.translate(str.maketrans("─│┼", "-|+")).split() == table(MIXED).split()
    assert {str(span.style) for span in text.spans} == {"cyan", "dim"}


@pytest.mark.parametrize("shape", [(100, 100), (1 << 40, 1 << 40), 10_000, (4, 4, 1000), (1 << 2000, 1 << 2000, 8)])
def test_large_tables_show_their_corner(shape: object) -> None:
    made = table_of(Layout(shape))
    assert sum(len(row) for sheet in made.sheets for row in sheet.cells) <= 4096
    assert "cells are more than 4096" in made.note


def test_the_limit_is_an_option() -> None:
    assert table_of(Layout((100, 100)), limit=10_000).note == ""


@pytest.mark.parametrize("wishes", [{"format": "pdf"}, {"cells": "colour"}])
def test_unknown_choices_are_named(wishes: dict[str, Any]) -> None:
    with pytest.raises(LayoutError) as error:
        table(MIXED, **wishes)
    assert error.value.code == "LC103"


# -- differences -----------------------------------------------------------------------------------------------


def test_differences_are_counted() -> None:
    found = difference(Layout((4, 8), (1, 4)), Layout((4, 8), (1, 5)))
    assert str(found) == "28 of 32 cells differ" and 4 in found.indices and 3 not in found.indices
    assert str(difference(MIXED, MIXED)) == "all 32 cells agree"


def test_sizes_may_differ() -> None:
    assert difference(Layout(4), Layout(6)).indices == {4, 5}


def test_difference_as_text() -> None:
    assert difference_text(Layout((2, 2), (1, 2)), Layout((2, 2), (2, 1))).splitlines() == [
        "A = (2,2):(1,2)    B = (2,2):(2,1)",
        "  |  0  1            |  0  1",
        "--+------          --+------",
        "0 | 0  2*          0 | 0  1*",
        "1 | 1* 3           1 | 2* 3",
        "2 of 4 cells differ",
    ]
    assert "cells differ" in difference_text(Layout(4), Layout(6), format="rich").plain


def test_large_differences_are_cut_but_counted() -> None:
    text = difference_text(Layout((100, 100)), Layout((100, 100), (100, 1)))
    assert "9900 of 10000 cells differ" in text
