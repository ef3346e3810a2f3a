"""Tables for the terminal and for other programs."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.render.kinds.difference import difference, difference_text
from laycalc.render.kinds.table import table, table_of

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


def test_a_width_leaves_columns_out() -> None:
    for width in range(1, 40):
        for value in (MIXED, Layout((32, 64), (64, 1)), Layout(100), Layout((100, 100)), Layout((2, 30, 2))):
            lines = table(value, width=width).splitlines()
            fits = all(len(line) <= width for line in lines if "columns" not in line)
            assert fits or "1 of" in lines[-1], (value, width)
    assert table(MIXED, width=29) == table(MIXED)
    assert table(MIXED, width=28).splitlines()[-1] == "7 of 8 columns: a line has room for 28 characters"
    assert "16 of 100 rows, 5 of 100 columns" in table(Layout((100, 100)), width=25)
    assert table(MIXED, format="csv", width=10) == table(MIXED, format="csv")
    styled = table(MIXED, format="rich", width=28).plain
    assert styled.splitlines()[0].replace("│", "|") == table(MIXED, width=28).splitlines()[0]


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


def test_a_width_stacks_the_differences() -> None:
    a, b = Layout((2, 2), (1, 2)), Layout((2, 2), (2, 1))
    assert difference_text(a, b, width=34) == difference_text(a, b)
    assert difference_text(a, b, width=33).splitlines() == [
        "A = (2,2):(1,2)",
        "  |  0  1",
        "--+------",
        "0 | 0  2*",
        "1 | 1* 3",
        "",
        "B = (2,2):(2,1)",
        "  |  0  1",
        "--+------",
        "0 | 0  1*",
        "1 | 2* 3",
        "2 of 4 cells differ",
    ]
    lines = difference_text(Layout((4, 32)), Layout((4, 32), (32, 1)), width=40).splitlines()
    assert max(len(line) for line in lines if "columns" not in line) <= 40
    assert sum("of 32 columns: a line has room for 40 characters" in line for line in lines) == 2
