"""The cell magic, called by IPython itself where it is installed."""

from __future__ import annotations

from typing import Any

import pytest

from laycalc.algebra.values.layout import Layout
from laycalc.magic import evaluate_cell
from laycalc.render.draw import draw


def test_a_cell_has_the_value_and_the_picture_of_its_last_expression() -> None:
    names: dict[str, Any] = {"M": 4, "L": Layout(8, 2), "_hidden": 3, "text": "no value"}
    shown = evaluate_cell("", "A = (M,8):(8,1)\nA o L", names)
    assert shown is not None
    assert repr(shown) == "(2,4):(16,1)"
    assert shown._repr_mimebundle_() == {"text/plain": "(2,4):(16,1)", "image/svg+xml": draw(shown.value)}
    assert names["A"] == Layout((4, 8), (8, 1))


def test_options_are_those_of_the_picture() -> None:
    shown = evaluate_cell("tile=8x8 --legend=no -D N=8", "((4,N),2):((16,1),8)", {})
    assert shown is not None
    assert shown.svg == draw(Layout(((4, 8), 2), ((16, 1), 8)), tile="8x8", legend=False)


@pytest.mark.parametrize(
    ("line", "cell", "said"),
    [
        ("", "(4,6,8):(2,3,5) o 6:3", "LC301"),
        ("", "4:1 o", "LC101"),
        ("tile", "4:1", "LC103"),
        ("colour=red", "4:1", "LC103"),
        ("-D", "4:1", "LC103"),
        ("-D 4=4", "4:1", "LC103"),
    ],
)
def test_what_is_wrong_is_told(line: str, cell: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate_cell(line, cell, {})
    assert said in capsys.readouterr().err


def test_unknown_sizes_are_told_with_their_conditions() -> None:
    shown = evaluate_cell("", "(N,64):(64,1) / <128,64>", {})
    assert shown is not None and "if 128 | N" in repr(shown)
    assert "image/svg+xml" not in shown._repr_mimebundle_()


def test_a_notebook_calls_it() -> None:
    interactive: Any = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed")
    shell = interactive.InteractiveShell()
    shell.run_line_magic("load_ext", "laycalc.magic")
    shown = shell.run_cell_magic("laycalc", "", "B = (4,8):(8,1); size(B)")
    assert shown.value == 32
    assert shell.user_ns["B"] == Layout((4, 8), (8, 1))
