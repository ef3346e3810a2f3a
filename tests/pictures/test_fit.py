"""Pictures for a width: exactly as wide, with texts as large as they fit."""

from __future__ import annotations

from typing import Any

import pytest

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.atoms.instructions.catalogue import atom
from laycalc.render.draw import draw, scene_of
from laycalc.render.scene.fit import smallest_text
from laycalc.render.scene.options import parse_length
from laycalc.render.scene.place import place
from laycalc.render.scene.placed import Placed, text_width

FP64 = Layout(((4, 8), 2), ((16, 1), 8))
MMA = atom("SM80_16x8x16_F32F16F16F32_TN")


def right_edges(placed: Placed) -> list[float]:
    """Where everything ends: panels, and texts by their safe widths."""
    found = [s.x + s.panel.columns * s.width for s in placed.sheets]
    for text in placed.texts:
        share = {"start": 1.0, "middle": 0.5, "end": 0.0}[text.anchor]
        found.append(text.x + (text.size if text.turned else share * text_width(text.text, text.size)))
    return found


@pytest.mark.parametrize(
    ("value", "wishes"),
    [
        (FP64, {"tile": "8x8", "title": "A title that is far too long for one column of a paper and has to be broken"}),
        ([FP64] * 6, {}),
        (Layout((4, 8), (8, 1)), {}),
        (MMA, {}),
        (atom("SM75_U32x4_LDSM_N"), {}),
        (Layout((512, 512)), {"title": "heat"}),
        (Layout((4, 8), (8, 1)), {"kind": "morphism"}),
        ([Layout((12, 3, 6), (1, 72, 12)), Layout((6, 6), (6, 1))], {"kind": "composition"}),
    ],
)
@pytest.mark.parametrize("width", ["3.3in", "7in"])
def test_a_picture_is_as_wide_as_wished_and_nothing_sticks_out(value: Any, wishes: dict[str, Any], width: str) -> None:
    placed = place(scene_of(value, width=width, **wishes))
    assert placed.width == parse_length(width)
    assert max(right_edges(placed)) <= placed.width + 0.01
    assert min(t.x for t in placed.texts) >= 0


def test_panels_reflow_and_cells_grow() -> None:
    narrow, wide = (scene_of([Layout((4, 8), (8, 1))] * 4, width=w) for w in ("3.3in", "7in"))
    assert [p.at for p in narrow.panels] != [p.at for p in wide.panels]
    natural, grown = (place(scene_of(Layout((4, 4)), **w)).sheets[0] for w in ({}, {"width": "3.3in"}))
    assert grown.width > natural.width and grown.font < natural.font


def test_small_texts_are_named() -> None:
    scene = scene_of(atom("SM90_64x16x16_F32F16F16_SS"), width="3.3in")
    assert scene.notes[-1].startswith("at 3.3 inches the smallest text has ")
    assert smallest_text(scene) < 7
    assert not scene_of(FP64, tile="8x8", width="3.3in").notes
    assert smallest_text(scene_of(FP64, tile="8x8", width="3.3in", min_font="9pt")) >= 9


def test_arrows_point_down_where_panels_stand_below_one_another() -> None:
    placed = place(scene_of(atom("SM75_U32x4_LDSM_N"), width="3.3in"))
    (arrow,) = [line for line in placed.lines if line.head]
    assert arrow.x0 == arrow.x1 and arrow.y1 > arrow.y0
    one, other = placed.sheets
    assert one.y + one.panel.rows * one.height < arrow.y0 and arrow.y1 < other.y


@pytest.mark.parametrize(
    ("text", "points"), [("3.3in", 237.6), ("84mm", 238.11), ("8.4cm", 238.11), ("240pt", 240), (240, 240)]
)
def test_lengths_are_read(text: Any, points: float) -> None:
    assert parse_length(text) == pytest.approx(points, abs=0.01)


@pytest.mark.parametrize("text", ["", "0pt", "3 feet", "-1in", "1e9in", "99999in"])
def test_other_lengths_are_refused(text: str) -> None:
    if text == "":
        assert parse_length(text) is None
        return
    with pytest.raises(LayoutError):
        scene_of(FP64, tile="8x8", width=text)


def test_files_have_the_size_of_paper() -> None:
    made = str(draw(FP64, tile="8x8", width="3.3in"))
    assert 'width="237.6pt"' in made and 'viewBox="0 0 237.6 ' in made
    assert b"/MediaBox [0 0 237.6 " in bytes(draw(FP64, tile="8x8", width="3.3in", format="pdf"))  # type: ignore[arg-type]
    png = bytes(draw(FP64, tile="8x8", width="3.3in", format="png"))  # type: ignore[arg-type]
    assert int.from_bytes(png[16:20], "big") == 990
