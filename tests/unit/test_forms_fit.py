"""From a table of offsets to a layout: what is found, and why there is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from program import laycalc

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.finding.criteria import Clash, bit_values, longest_prefix, swizzle_form, xor_clash
from laycalc.algebra.finding.fit import fit
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle

FOUND: list[tuple[list[Any], tuple[int, ...] | None, str]] = [
    ([0], None, "1:0"),
    ([7], None, "{7} o 1:0"),
    ([0, 1, 2, 3], None, "4:1"),
    ([0, 0, 0], None, "3:0"),
    ([0, 15, 30, 100, 115, 130], None, "(3,2):(15,100)"),
    ([0, 4, 1, 5, 2, 6, 3, 7], (2, 4), "(2,4):(4,1)"),
    ([7, 6, 5, 4], None, "{7} o 4:-1"),
    (Layout((4, 6), (1, 4)).elements(), (4, 6), "(4,6):(1,4)"),
    (Layout(((2, 2), 4), ((1, 8), 2)).elements(), (4, 4), "((2,2),4):((1,8),2)"),
    ([i ^ i >> 1 for i in range(4)], None, "Sw<1,0,1> o 0 o 4:1"),
    ([8 * r + (c ^ r) for c in range(8) for r in range(8)], (8, 8), "Sw<3,0,3> o 0 o (8,8):(8,1)"),
    ([c ^ 9 * r for c in range(8) for r in range(8)], (8, 8), "Sw<3,0,3> o 0 o (8,8):(8,1)"),
    ([0, 3, 5, 6], (2, 2), "Sw<1,0,1> o 0 o (2,2):(2,5)"),
    (
        Layout(((2, 2, 2), 8), ((Xor(12), Xor(19), Xor(33)), Xor(1))).values(),
        (8, 8),
        "((2,2,2),8):((f12,f19,f33),f1)",
    ),
    ([0, 3, None, 9, None, 15], None, "6:3"),
    ([0, None, 2, 3, None, 11, 12, None], None, "(4,2):(1,10)"),
    ([None, 1, 2, 3], None, "4:1"),
    ([0, 8, None, 1, 9, 17, 2, None, 18], (3, 3), "(3,3):(8,1)"),
]


@pytest.mark.parametrize(("values", "shape", "expected"), FOUND)
def test_the_smallest_layout_is_found(values: list[Any], shape: tuple[int, ...] | None, expected: str) -> None:
    found = fit(values, shape)
    assert str(found.value) == expected
    for i, v in enumerate(values):
        assert v is None or found.value is None or found.value.values()[i] == v


REFUSED: list[tuple[list[int], tuple[int, ...] | None, str, Any]] = [
    ([0, 3, 6, 1, 4, 7, 2, 5], None, "the run of length 3 does not divide 8", None),
    ([(i + j) % 4 for j in range(4) for i in range(4)], (4, 4), "at (1, 3) the value is 0, the modes sum to 4", (1, 3)),
    ([0, 9, 7, 5], None, "value at 3 is 5, the strides give 16", 3),
    ([5, 14, 12, 10], None, "value at 3 is 10, the strides give 21", 3),
    ([0, 1, 2, 3, 4, 5, 100, 7], (2, 4), "mode 1: the run of length 3 does not divide 4", (0, 3)),
]


@pytest.mark.parametrize(("values", "shape", "reason", "coordinate"), REFUSED)
def test_what_no_layout_explains_is_named(
    values: list[int], shape: tuple[int, ...] | None, reason: str, coordinate: Any
) -> None:
    found = fit(values, shape)
    assert found.value is None
    assert found.reason == reason
    assert found.coordinate == coordinate
    assert found.ragged == (coordinate is None)


def test_the_best_prefix_is_given() -> None:
    found = fit([0, 1, 2, 10, 11, 12, 20, 21, 99])
    assert str(found.prefix) == "(3,3):(1,10)"
    assert found.covered == 8
    ragged = fit([0, 3, 6, 1, 4, 7, 2, 5])
    assert str(ragged.prefix) == "(3,3):(3,1)"
    assert ragged.covered == 8


def test_coordinates_have_strides_too() -> None:
    cells = [Coordinate.of([((0,), i % 4), ((1,), i // 4)]) for i in range(8)]
    assert str(fit(cells).value) == "(4,2):(e0,e1)"


def test_a_box_of_another_size_is_no_table() -> None:
    with pytest.raises(ValueError, match="4 values for a box of 6"):
        fit([0, 1, 2, 3], (2, 3))
    assert fit([]).reason == "no values"
    assert fit([None, None]).reason == "no values"


def test_progress_is_told() -> None:
    told: list[int] = []
    fit(list(range(64)), None, told.append)
    assert sum(told) >= 64


def test_a_clash_names_both_bits() -> None:
    clash = xor_clash(Layout((8, 8), (9, 1)))
    assert clash == Clash((1, 0), (0, 1), (1, 1), 10, 8)
    assert str(clash) == "at (1, 1) the value is 10, the XOR of the bits gives 8"
    assert xor_clash(Layout(4, 5)) is None
    assert xor_clash(Layout(4, 3)) is not None


def test_a_form_that_does_not_exist_is_refused() -> None:
    with pytest.raises(LayoutError) as no_bits:
        bit_values(Layout(6, 1))
    assert no_bits.value.code == "LC202"
    with pytest.raises(LayoutError) as negative:
        xor_clash(Layout((4, 4), (-1, 4)))
    assert negative.value.code == "LC203"
    assert swizzle_form([[12, 19, 33], [1, 2, 4]]) is None


def test_a_swizzle_of_an_odd_layout_is_found() -> None:
    value = Composed(Swizzle(3, 4, 3), 3, Layout((10, 12), (64, 1)))
    found = fit(value.elements(), (10, 12))
    assert found.form == "swizzle"
    assert found.value is not None
    assert found.value.values() == value.elements()


def test_levels_of_a_prefix() -> None:
    assert longest_prefix([0, 1, 4, 5, 16, 17, 20, 21]).modes == ((2, 1), (2, 4), (2, 16))
    assert longest_prefix([0]).modes == ()
    broken = longest_prefix([0, 1, 4, 5, 16, 17, 20, 22])
    assert (broken.bad, broken.expected) == (7, 21)


def test_a_million_offsets_are_read(tmp_path: Path) -> None:
    """More bytes than a text of the language may have."""
    path = tmp_path / "offsets.txt"
    path.write_text(" ".join(str((i % 1024) * 1024 + i // 1024) for i in range(1 << 18)), "utf-8")
    assert path.stat().st_size > 1 << 20
    assert laycalc("fit", str(path), "--shape", "1024x256").stdout == "(1024,256):(1024,1)\n"


@pytest.mark.parametrize(
    ("printed", "layout"),
    [
        ("[[0 1]\n [4 5]]", "(2,2):(4,1)"),
        ("[[ 0  1]\n [10 11]]", "(2,2):(10,1)"),
        ("tensor([[ 0,  1],\n        [10, 11]], device='cuda:0')", "(2,2):(10,1)"),
        ("array([[0, 1],\n       [4, 5]], dtype=int32)", "(2,2):(4,1)"),
        ("Array([0, 3, 6], dtype=int32)", "3:3"),
        ("[[[0 2]\n  [1 3]]\n\n [[4 6]\n  [5 7]]]", "(2,2,2):(4,1,2)"),
    ],
)
def test_what_numpy_torch_and_jax_print(printed: str, layout: str, tmp_path: Path) -> None:
    path = tmp_path / "printed.txt"
    path.write_text(printed, "utf-8")
    assert laycalc("fit", printed).stdout == laycalc("fit", str(path)).stdout == f"{layout}\n"
    assert laycalc("diff", layout, printed).returncode == laycalc("diff", str(path), layout).returncode == 0


def test_a_print_that_leaves_values_out_is_refused(tmp_path: Path) -> None:
    done = laycalc("fit", "[ 0  4  8 ... 92 96 100]")
    assert done.returncode == 2
    assert "leaves values out" in done.stderr


def test_the_first_difference_is_data() -> None:
    found = json.loads(laycalc("diff", "--json", "(4,8):(8,1)", "(4,8):(8,2)").stdout)
    assert (found["count"], found["total"]) == (28, 32)
    assert found["first"] == {
        "index": 4,
        "A": {"coordinate": [0, 1], "value": 1},
        "B": {"coordinate": [0, 1], "value": 2},
    }


def test_no_columns_are_as_if_unset() -> None:
    assert laycalc("eval", "4:1", env={"COLUMNS": "0"}).stdout == "4:1\n"
    assert laycalc("--help", env={"COLUMNS": "0"}).stdout == laycalc("--help").stdout
