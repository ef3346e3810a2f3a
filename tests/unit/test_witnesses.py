"""A question that is answered with no says what makes it so: two coordinates, a value, a cell of a tile."""

from __future__ import annotations

import json

import pytest
from program import laycalc

from laycalc import eval as value_of
from laycalc.algebra.operations.image import injective, surjective
from laycalc.algebra.questions.misses import coverage, missed, twice

LAYOUTS = [
    "(4,8):(1,2)", "(4,8):(1,4)", "4:2", "4:0", "(2,2):(1,1)", "(3,5):(2,7)", "4:-1", "(4,8):(e0,e1)", "(2,2):(e0,2e1)",
    "8:f1", "(4,4):(f1,f2)", "Sw<1,0,1> o 0 o (4,2):(1,4)", "Sw<2,0,2> o 0 o 8:2", "{3} o 4:1", "():()",
]  # fmt: skip


@pytest.mark.parametrize("text", LAYOUTS)
def test_a_witness_is_there_where_the_answer_is_no(text: str) -> None:
    layout = value_of(text)
    pair, place = twice(layout), missed(layout)
    assert (pair is None) is injective(layout)
    assert (place is None) is surjective(layout)
    if pair is not None:
        assert layout(pair[0]) == layout(pair[1])
    if place is not None:
        assert place not in layout.values()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("injective((4,8):(1,2))", "coordinates (2,0) and (0,1) both have the value 2"),
        ("bijective((4,8):(1,2))", "coordinates (2,0) and (0,1) both have the value 2"),
        ("surjective(4:2)", "no coordinate has the value 1"),
        ("bijective(4:2)", "no coordinate has the value 1"),
        ("surjective((2,2):(e0,2e1))", "no coordinate has the value (0,1)"),
        ("injective(1099511627776:0)", "coordinates 0 and 1 both have the value 0"),
    ],
)
def test_it_is_told(text: str, said: str) -> None:
    done = laycalc("eval", text)
    assert (done.returncode, done.stdout) == (0, "false\n")
    assert said in done.stderr
    assert said in laycalc("eval", f"assert {text}").stderr
    assert said in json.loads(laycalc("eval", "--json", text).stdout)["notes"]


def test_what_is_true_has_nothing_to_tell() -> None:
    assert laycalc("eval", "bijective((4,8):(1,4))").stderr == ""


def test_cells_of_a_tile() -> None:
    layout = value_of("((4,8),2):((16,1),4)")
    found = coverage(layout, (8, 8))
    owners = [[v for v in layout.values() if v == i] for i in range(64)]
    assert found.nobody == sum(not o for o in owners)
    assert found.shared == sum(len(o) > 1 for o in owners)
    assert found.first_nobody == (4, 1) and found.first_shared == (4, 0)
    said = "16 of 64 cells have no owner, the first (4,1); 16 of 64 cells have several, the first (4,0)"
    assert said in laycalc("info", "((4,8),2):((16,1),4)", "--tile", "8x8").stdout
    data = json.loads(laycalc("info", "((4,8),2):((16,1),4)", "--tile", "8x8", "--json").stdout)["tile"]
    assert data["first_nobody"] == [4, 1]
    drawn = laycalc("draw", "((4,8),2):((16,1),4)", "--tile", "8x8", "--format", "txt")
    assert all(part in drawn.stdout + drawn.stderr for part in said.split("; "))


def test_a_full_tile() -> None:
    assert coverage(value_of("((4,8),2):((16,1),8)"), (8, 8)).lines() == []
    assert laycalc("info", "4:1", "--tile", "8x8").returncode == 2
