"""The picture of a box of a tensor map: every piece of 16 bytes stands where the map puts it."""

from __future__ import annotations

import pytest

from laycalc.algebra.base.errors import LayoutError
from laycalc.atoms.memory.tensor_map import TensorMap
from laycalc.grammar.run.statements import evaluate
from laycalc.render.draw import scene_of


def test_every_piece_stands_where_the_map_puts_it() -> None:
    m = evaluate('tensor_map((512,4096):(4096,1), (24,16), 16, "128B")')
    scene = scene_of(m)
    assert scene.kind == "tma"
    box, memory = scene.panels
    assert (box.rows, box.columns, memory.rows, memory.columns) == (16, 3, 16, 8)
    landed, drawn = m.layout(), {}
    for cell in memory.cells:
        if cell.mark != "hole":
            drawn[cell.row * 128 + cell.column * 16] = cell.title
    expected = {
        2 * landed(x, y): f"x0 {x}–{x + 7}, x1 {y}" for x in range(0, 24, 8) for y in range(16)
    }  # fmt: skip
    assert drawn == expected
    assert "768 bytes for the barrier, 2048 in shared memory" in scene.caption
    assert any(key.mark == "hole" for key in scene.legend)


def test_what_is_not_drawn_is_said() -> None:
    scene = scene_of(evaluate('tensor_map((512,4096):(4096,1), (64,128), 16, "128B")'))
    assert scene.panels[1].rows == 16 and "16 of 128 lines are drawn" in scene.caption
    assert not any(cell.mark for cell in scene.panels[1].cells)


def test_rows_of_three_dimensions_and_of_one() -> None:
    three = scene_of(evaluate('tensor_map((4,8,64):(512,64,1), (32,2,3), 16, "64B")'))
    assert [span.text for span in three.panels[0].row_axis.levels[0]] == ["0,0", "1,0", "0,1", "1,1", "0,2", "1,2"]  # type: ignore[union-attr]
    one = scene_of(evaluate("tensor_map(512:1, 128, 8)"))
    assert (one.panels[0].rows, one.panels[0].columns) == (1, 8)


def test_an_interleave_has_no_such_picture() -> None:
    m = TensorMap("f16", (64, 16, 8), (128, 2048), (8, 8, 4), (1, 1, 1), "none", "16B")
    with pytest.raises(LayoutError):
        scene_of(m)
