"""The steps of operations: a cell has one colour in every panel, and panels say what the operations give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.operations.divide import logical_divide
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.tiler import Tiler
from laycalc.cli.main import main
from laycalc.render.draw import scene_of
from laycalc.render.scene.scene import Panel

A = Layout((4, 8), (8, 1))


def roles(panel: Panel) -> dict[str, set[str]]:
    """The roles of a panel's cells by what they show."""
    found: dict[str, set[str]] = {}
    for cell in panel.cells:
        if cell.role != "plain":
            found.setdefault(cell.value, set()).add(cell.role)
    return found


@pytest.mark.parametrize("b", [Layout((2, 4), (1, 8)), Tiler([Layout(2, 1), Layout(4, 2)]), Layout(8, 4)])
def test_a_composition_has_one_colour_for_each_element(b: Any) -> None:
    inner, outer, result = scene_of([A, b], kind="composition-steps").panels
    assert sorted(int(c.value) for c in result.cells) == sorted(composition(A, b).values())
    assert roles(outer) == roles(result)
    assert [c.role for c in inner.cells] == [c.role for c in result.cells]


@pytest.mark.parametrize(
    ("a", "b"), [(Layout(24, 2), Layout(4, 2)), (A, Tiler([Layout(2, 1), Layout(4, 2)])), (A, Layout(4, 1))]
)
def test_a_divide_has_one_colour_for_each_tile(a: Layout, b: Any) -> None:
    *_, before, after = scene_of([a, b], kind="divide-steps").panels
    assert after.title == f"A / B = {logical_divide(a, b)}"
    assert roles(before) == roles(after)


def test_a_complement_covers_the_memory_with_copies() -> None:
    a, rest, memory = scene_of([Layout((2, 2), (1, 6)), 24], kind="complement-steps").panels
    assert {c.role for c in a.cells} == {"c0"}
    assert len(memory.cells) == 24 and all(c.role != "plain" for c in memory.cells)
    counts = [c.role for c in memory.cells]
    assert all(counts.count(c.role) == 4 for c in rest.cells)
    for cell in rest.cells:
        assert memory.cells[int(cell.value)].role == cell.role


@pytest.mark.parametrize("kind", ["composition-steps", "divide-steps", "complement-steps"])
def test_other_values_have_no_steps(kind: str) -> None:
    for values in ([A, 3, 4], [3, 4], [A, "x"]):
        with pytest.raises(LayoutError) as error:
            scene_of(values, kind=kind)
        assert error.value.code in ("LC103", "LC305", "LC106")


@pytest.mark.parametrize(
    "text", ["(4,8):(8,1) o <2:1,4:2>", "A = (16,8):(1,16); A / (4:1)", "complement(4:2, 24)", "(4:2)^*"]
)
def test_explain_draws_the_last_operation(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "steps.svg"
    with pytest.raises(SystemExit) as end:
        main(["explain", text, "--draw", str(path)])
    assert end.value.code == 0
    assert "<svg" in path.read_text(encoding="utf-8") and capsys.readouterr().out


def test_explain_says_what_it_cannot_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["explain", "coalesce((2,4):(1,2))", "--draw", str(tmp_path / "x.svg")])
    assert end.value.code == 2
    assert "ends with coalesce" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
