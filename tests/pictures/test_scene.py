"""Scenes: what a cell says, who owns it, where labels and borders go."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from laycalc import atoms
from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tiler import Tiler
from laycalc.atoms.tiling.mma_tiling import tiled_mma
from laycalc.render.draw import scene_of
from laycalc.render.kinds.owners import owner_lines
from laycalc.render.scene.palette import theme_of
from laycalc.render.scene.scene import Key, Panel, Scene, Span, around, outline

E0, E1 = Coordinate((((0,), 1),)), Coordinate((((1,), 1),))
MIXED = Layout(((2, 2), (4, 2)), ((1, 8), (2, 16)))
FP64 = Layout(((4, 8), 2), ((16, 1), 8))
TILED = tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1))
IDENTITY = Layout((8, 16), (E0, E1))
GOLDEN = Path(__file__).parents[1] / "golden"
FACTS = {fact["id"]: fact for fact in map(json.loads, (GOLDEN / "paper.jsonl").read_text().splitlines())}


def texts(panel: Panel) -> list[list[str]]:
    """The cells of a panel as rows of text."""
    rows = [[""] * panel.columns for _ in range(panel.rows)]
    for cell in panel.cells:
        rows[cell.row][cell.column] = "".join(cell.lines)
    return rows


def expected(fact: str) -> list[list[str]]:
    return [row.split() for row in FACTS[fact]["expect"].split("; ")]


def panel(scene: Scene) -> Panel:
    (only,) = scene.panels
    return only


# -- layout grids --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fact", "layout"),
    [
        ("fig1-b", Layout(((2, 2), 2), ((2, 4), 1))),
        ("fig1-c", Layout((2, (2, 2)), (2, (1, 4)))),
        ("fig3-a", Layout((4, 8), (1, 4))),
        ("fig3-c", Layout((4, 8), (1, 5))),
        ("fig3-e", MIXED),
        ("fig3-f", Layout(((2, 2), (2, 4)), ((0, 2), (0, 4)))),
        ("fig4-a", Layout((4, 8), (E0, E1))),
        ("fig4-b", Layout((4, (4, 2)), (E1, (E0, 6 * E1)))),
        ("fig4-c", Layout((4, (4, 3)), (Xor(1), (Xor(5), Xor(16))))),
        ("fig5-t", Layout(((3, 2), ((2, 3), 2)), ((4, 1), ((2, 15), 100)))),
    ],
)
def test_grids_are_the_tables_of_the_paper(fact: str, layout: Layout) -> None:
    assert texts(panel(scene_of(layout))) == expected(fact)


def test_axes_carry_nested_coordinates() -> None:
    grid = panel(scene_of(MIXED))
    assert grid.row_axis is not None and grid.column_axis is not None
    assert [[s.text for s in level] for level in grid.row_axis.levels] == [["0", "1", "0", "1"], ["0", "1"]]
    assert grid.column_axis.levels[1] == (Span(0, 4, "0"), Span(4, 4, "1"))


def test_more_leaves_than_levels_share_the_innermost() -> None:
    grid = panel(scene_of(Layout(((2, 2, 2, 2, 2), 1))))
    assert grid.row_axis is not None
    assert [len(level) for level in grid.row_axis.levels] == [32, 8, 4, 2]
    assert grid.row_axis.levels[0][3].text == "3"


def test_tiles_are_bordered_by_level() -> None:
    frames = {f.kind: f.segments for f in panel(scene_of(Layout(((2, 2, 2), (2, 3))))).frames}
    assert set(frames["tile"]) == {(2, 0, 2, 6), (6, 0, 6, 6), (0, 2, 8, 2), (0, 4, 8, 4)}
    assert frames["tile2"] == ((4, 0, 4, 6),)


def test_tooltips_name_coordinate_index_and_offset() -> None:
    cell = next(c for c in panel(scene_of(MIXED)).cells if (c.row, c.column) == (2, 5))
    assert cell.title == "((0,1),(1,1)) index 22 offset 26"
    assert cell.value == "26"


@pytest.mark.parametrize(
    ("label", "first"), [("offset", "16"), ("coord", "((0,0),(0,1))"), ("index", "16"), ("none", "")]
)
def test_labels(label: str, first: str) -> None:
    grid = panel(scene_of(MIXED, label=label))
    assert texts(grid)[0][4] == first


def test_rank_one_is_folded() -> None:
    grid = panel(scene_of(Layout(20, 3), wrap=8))
    assert (grid.rows, grid.columns, len(grid.cells)) == (3, 8, 20)
    assert texts(grid)[2][:5] == ["48", "51", "54", "57", ""]
    assert panel(scene_of(Layout(16, 1))).rows == 1
    assert panel(scene_of(Layout(((4, 8, 5),)))).columns == 32


def test_rank_zero_is_one_cell() -> None:
    assert texts(panel(scene_of(Layout((), ())))) == [["0"]]


def test_rank_three_is_titled_panels() -> None:
    scene = scene_of(Layout((2, 3, (2, 2))))
    assert [p.title for p in scene.panels] == ["(_,_,(0,0))", "(_,_,(1,0))", "(_,_,(0,1))", "(_,_,(1,1))"]
    assert texts(scene.panels[1]) == [["6", "8", "10"], ["7", "9", "11"]]
    assert len({p.at for p in scene.panels}) == 4


def test_crop_evaluates_a_window_of_a_large_layout() -> None:
    scene = scene_of(Layout((1 << 40, 1 << 40), (1, 1 << 41)), crop="2:4,3:5")
    assert texts(panel(scene)) == [[str(i + (j << 41)) for j in (3, 4)] for i in (2, 3)]
    assert "of 1099511627776" in scene.notes[0]


def test_swizzled_layouts_and_slices_are_drawn() -> None:
    swizzled = Composed(Swizzle(1, 0, 1), 0, Layout((2, 2), (2, 1)))
    assert texts(panel(scene_of(swizzled))) == [["0", "1"], ["3", "2"]]


@pytest.mark.parametrize(
    ("color_by", "roles"),
    [
        ("none", {"plain"}),
        ("tile", {"c0", "c1", "c2", "c3"}),
        ("mode", {"c0", "c1", "c2", "c3"}),
        ("mode1.0", {"c0", "c1", "c2", "c3"}),
        ("mode0.1", {"c0", "c1"}),
        ("offset", {f"o{k}" for k in range(8)}),
        ("value", {f"c{k}" for k in range(8)}),
    ],
)
def test_colour_follows_the_choice(color_by: str, roles: set[str]) -> None:
    assert {c.role for c in panel(scene_of(MIXED, color_by=color_by)).cells} == roles


def test_banks_count_bits() -> None:
    scene = scene_of(Layout((1, 4), (0, 32)), kind="bank", bits=16)
    assert texts(panel(scene)) == [["0b0", "32b16", "64b0", "96b16"]]
    assert scene.legend[0].text == "banks 0–3"


def test_few_offsets_have_a_role_each() -> None:
    scene = scene_of(Layout((2, 4), (0, 100)), legend=True)
    assert [k.text for k in scene.legend] == ["offset 0", "100", "200", "300"]


@pytest.mark.parametrize(
    ("shape", "strides", "bands"),
    [((4, 8), (1, 4), 8), ((4, 8), (8, 1), 8), ((4, 8), (1, 5), 8), ((3, 4), (4, 1), 4), ((5, 6), (6, 1), 6)],
)
def test_bands_of_offsets_do_not_cut_rows(shape: tuple[int, int], strides: tuple[int, int], bands: int) -> None:
    scene = scene_of(Layout(shape, strides), legend=True)
    roles = [c.role for c in panel(scene).cells]
    assert len(scene.legend) == bands == len(set(roles))
    assert {roles.count(role) for role in roles} == {len(roles) // bands}


def test_a_padded_column_has_one_colour() -> None:
    scene = scene_of(Layout((4, 8), (1, 5)), legend=True)
    assert all(len({c.role for c in panel(scene).cells if c.column == j}) == 1 for j in range(8))
    assert [k.text for k in scene.legend][:2] == ["offset 0–3", "5–8"]


def test_coordinates_have_no_colour_unless_asked() -> None:
    layout = Layout((4, 8), (E0, E1))
    assert {c.role for c in panel(scene_of(layout)).cells} == {"plain"}
    assert len({c.role for c in panel(scene_of(layout, color_by="offset")).cells}) == 8


def test_a_swizzled_layout_has_the_colours_of_its_chunks() -> None:
    rows = Layout((8, 64), (64, 1))
    cells = panel(scene_of(Composed(Swizzle(3, 3, 3), 0, rows))).cells
    assert [c.role for c in cells if c.row == 1][:64:8] == [f"c{k ^ 1}" for k in range(8)]
    # No second chunk, or too many for the hues: by offset.
    for value in (Composed(Swizzle(1, 9, 1), 0, rows), Composed(Swizzle(5, 0, 5), 0, Layout((32, 32), (32, 1)))):
        assert {c.role[0] for c in panel(scene_of(value)).cells} == {"o"}


def test_grids_have_a_key_of_what_is_drawn() -> None:
    assert [k.role for k in scene_of(MIXED).legend] == [f"o{k}" for k in range(8)]
    swizzled = Composed(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1)))
    assert [k.text for k in scene_of(swizzled).legend] == [f"chunk {k}" for k in range(8)]
    assert [k.text for k in scene_of(swizzled, crop="0:8,0:16").legend] == [f"chunk {k}" for k in range(8)]
    assert [k.text for k in scene_of(swizzled, crop="0:1,0:16").legend] == ["chunk 0", "chunk 1"]
    picked = scene_of(FP64, tile="8x8", highlight="T10").legend
    assert [k.text for k in picked] == ["quad 2 (T8–11)"]
    banks = scene_of(Layout((2, 4)), kind="bank").legend
    assert [k.text for k in banks] == ["banks 0–3", "banks 4–7", "fainter: odd banks"]


def test_groups_beyond_the_hues_are_hatched() -> None:
    product = scene_of([Layout((2, 2)), Layout((4, 4))], kind="blocked-product")
    roles = [k.role for k in product.legend]
    assert roles == [f"c{k}" for k in range(16)]
    paints = [theme_of("laycalc").paint(role) for role in roles]
    assert all(not p.hatch for p in paints[:8]) and all(p.hatch for p in paints[8:])
    assert [p.fill for p in paints[:8]] == [p.fill for p in paints[8:]]


@pytest.mark.parametrize(
    ("value", "wishes", "note"),
    [
        (FP64, {"tile": "8x8", "color_by": "bank"}, "a picture of kind thread-value has no color-by bank: ignored"),
        (MIXED, {"kind": "swizzle", "color_by": "bank"}, None),
        (MIXED, {"wrap": 4, "kind": "tiling"}, None),
        (MIXED, {"bits": 16, "kind": "morphism"}, "a picture of kind morphism has no use for bits: ignored"),
    ],
)
def test_wishes_that_are_not_granted_are_named(value: Any, wishes: dict[str, Any], note: str | None) -> None:
    if note is None:
        with pytest.raises(LayoutError):
            scene_of(value, **wishes)
    else:
        assert scene_of(value, **wishes).notes == (note,)


def test_heat_maps_have_a_bar_of_colours() -> None:
    scene = scene_of(Layout((512, 512), (512, 1)))
    assert scene.ends == ("0", "262143") and not scene.legend
    assert scene_of(Layout((512, 512)), legend=False).ends == ()
    assert scene_of(Layout((32, 8192), (1, 32)), tile=(512, 512), fold=False).ends == ()


@pytest.mark.parametrize(
    ("wishes", "notes"),
    [
        ({"color_by": "bank"}, []),
        ({"color_by": "offset"}, []),
        ({"kind": "bank"}, []),
        ({"highlight": "T5"}, ["a heat map has no frames; highlight is ignored"]),
        ({"label": "coord"}, ["a heat map has no texts; label coord is ignored"]),
    ],
)
def test_heat_maps_say_what_they_leave_out(wishes: dict[str, str], notes: list[str]) -> None:
    assert list(scene_of(Layout((512, 512)), **wishes).notes) == notes  # type: ignore[arg-type]


# -- thread-value ----------------------------------------------------------------------------------------------


def test_thread_value_is_figure_6() -> None:
    scene = scene_of(FP64, tile="8x8")
    assert texts(panel(scene)) == expected("fig6-1")
    assert len(scene.legend) == 9 and scene.legend[2].text == "quad 2 (T8–11)"
    assert scene.legend[-1] == Key("d0", "fainter: odd threads")
    assert {f.kind for f in panel(scene).frames} == {"quad"}


def test_coordinate_codomain_needs_no_tile() -> None:
    layout = Layout(((4, 8), (2, 2)), ((2 * E1, E0), (E1, 8 * E0)))
    assert texts(panel(scene_of(layout, kind="thread-value")))[:8] == expected("fig9-p2")[:8]


def test_every_owner_of_a_cell_is_named() -> None:
    scene = scene_of(Layout(((4, 8), 2), ((0, 1), 8)), tile=(8, 4))
    cell = panel(scene).cells[0]
    assert cell.owners == ((0, 0), (1, 0), (2, 0), (3, 0))
    assert cell.lines == ("T0–3", "V0") and cell.mark == "shared"
    assert "T0–3 V0" in cell.title
    assert {k.mark for k in scene.legend} == {"", "shared", "hole"}


def test_cells_of_everybody_have_no_hue() -> None:
    scene = scene_of(Layout((64, 2), (0, 1)), tile=(2, 1))
    assert {c.role for c in panel(scene).cells} == {"mixed"}
    assert [k.text for k in scene.legend] == ["every warp"]


def test_sets_of_owners_have_hues_of_their_own() -> None:
    scene = scene_of(TILED)
    a, b, c = scene.panels
    assert {cell.role[1:] for cell in c.cells} == {"0", "1", "2", "3"}
    assert {(len({t // 32 for t, _ in cell.owners}), cell.role[1:]) for cell in a.cells} == {(2, "5"), (2, "6")}
    assert {cell.role[1:] for cell in b.cells} == {"4", "7"}
    said = {key.text for key in scene.legend}
    assert said >= {"warp 3 (T96–127)", "warps 0,2", "warps 1,3", "warps 0,1", "warps 2,3"}
    odd = [cell for panel in scene.panels for cell in panel.cells if cell.role[0] == "d"]
    assert odd and all(t % 2 for cell in odd for t, _ in cell.owners)


def test_holes_are_empty_and_outsiders_are_counted() -> None:
    scene = scene_of(Layout((4, 2), (1, 16)), tile=(2, 4))
    holes = [c for c in panel(scene).cells if c.mark == "hole"]
    assert len(holes) == 4 and all(c.lines == () for c in holes)
    assert scene.notes == (
        "4 of 8 thread-value pairs fall outside the tile",
        "4 of 8 cells have no owner, the first (0,2)",
    )


def test_warps_are_bordered() -> None:
    layout = Layout(((4, 8, 4), (2, 2, 2)), ((128, 1, 16), (64, 8, 512)))
    frames = {f.kind: f for f in panel(scene_of(layout, tile="64x16")).frames}
    assert set(frames) == {"quad", "warp"}
    assert (16, 0, 16, 16) in frames["warp"].segments


@pytest.mark.parametrize(
    ("owners", "lines"),
    [
        ([(5, 1)], ("T5", "V1")),
        ([(1, 0), (2, 3)], ("T1 V0", "T2 V3")),
        ([(t, 0) for t in range(0, 32, 4)], ("T0–28:4", "V0")),
        ([(0, 0), (0, 1), (0, 2)], ("T0", "V0–2")),
        ([(t, v) for t in range(8) for v in range(2)], ("T0–7", "V0,1")),
        ([(0, 0), (1, 0), (2, 0), (8, 0), (9, 0)], ("T0–2,8,9", "V0")),
    ],
)
def test_owners_are_written_as_ranges(owners: list[tuple[int, int]], lines: tuple[str, ...]) -> None:
    assert owner_lines(owners) == lines


@pytest.mark.parametrize(("highlight", "count"), [("T11", 2), ("V1", 32), ("T11V1", 1), ("(2,5)", 1), ("T1;T2", 4)])
def test_highlights_leave_the_others_plain(highlight: str, count: int) -> None:
    grid = panel(scene_of(FP64, tile="8x8", highlight=highlight))
    assert sum(c.role != "plain" for c in grid.cells) == count
    assert grid.frames[-1].kind == "chosen"


def test_an_offset_is_highlighted() -> None:
    grid = panel(scene_of(MIXED, highlight="offset 26"))
    assert [(c.row, c.column) for c in grid.cells if c.role != "plain"] == [(2, 5)]
    assert set(grid.frames[-1].segments) == {(2, 5, 2, 6), (3, 5, 3, 6), (2, 5, 3, 5), (2, 6, 3, 6)}


@pytest.mark.parametrize("highlight", ["(2,15)", "T5", "V3", "offset 99", "T1; offset 99"])
def test_a_highlight_of_nothing_greys_nothing_out(highlight: str) -> None:
    layout = Layout((4, 8), (1, 4))
    scene = scene_of(layout, highlight=highlight)
    assert scene.panels == scene_of(layout).panels
    assert scene.notes[-1].startswith(f"nothing matches {highlight}")
    assert ("a tile gives them some" in scene.notes[-1]) == ("T" in highlight or "V" in highlight)


def test_the_part_of_a_highlight_that_matches_nothing_is_named() -> None:
    scene = scene_of(FP64, tile="8x8", highlight="T99; T1")
    assert scene.notes == ("nothing matches T99",)
    assert sum(c.role != "plain" for c in panel(scene).cells) == 2


@pytest.mark.parametrize("wishes", [{}, {"kind": "bank"}, {"tile": "8x8"}])
def test_highlights_count_from_the_whole_when_cropped(wishes: dict[str, str]) -> None:
    layout = Layout((8, 8), (8, 1))
    scene = scene_of(layout, crop="4:8,4:8", highlight="(5,6)", **wishes)  # type: ignore[arg-type]
    assert [(c.row, c.column) for c in panel(scene).cells if c.role != "plain"] == [(1, 2)]
    scene = scene_of(layout, crop="4:8,4:8", highlight="(1,2)", **wishes)  # type: ignore[arg-type]
    assert "nothing matches (1,2)" in scene.notes and all(c.role != "plain" for c in panel(scene).cells)


def test_diagrams_have_no_highlight() -> None:
    assert "no use for highlight" in scene_of(MIXED, kind="morphism", highlight="T1", crop="2,2").notes[0]


# -- several values ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fact", ["fig7-am", "fig7-bm", "fig7-cm", "fig7-dm"])
def test_tilers_select_what_figure_7_marks(fact: str) -> None:
    tilers = {
        "fig7-am": [Layout(4, 1), Layout(8, 1)],
        "fig7-bm": [Layout((2, 2), (1, 4)), Layout(8, 1)],
        "fig7-cm": [Layout((2, 2), (1, 4)), Layout(8, 2)],
        "fig7-dm": [Layout(4, 2), Layout(8, 2)],
    }
    grid = panel(scene_of([IDENTITY, Tiler(tilers[fact])]))
    marks = {(c.row, c.column): "." if c.role == "plain" else "#" for c in grid.cells}
    assert ["".join(marks[i, j] for j in range(16)) for i in range(8)] == FACTS[fact]["expect"].split("; ")


def test_tiles_are_those_of_figure_12() -> None:
    tiler = Tiler([Layout((2, 2), (1, 4)), Layout(8, 1)])
    assert texts(panel(scene_of([IDENTITY, tiler], kind="tiling"))) == expected("fig12-b")


def test_slices_frame_what_they_keep() -> None:
    layout = Layout(((3, 2), ((2, 3), 2)), ((4, 1), ((2, 15), 100)))
    scene = scene_of([layout, (2, ((0, None), None)), (None, 5)])
    kept = [[c.value for c in p.cells if c.role == "chosen"] for p in scene.panels]
    assert kept == [["8", "23", "38", "108", "123", "138"], ["32", "36", "40", "33", "37", "41"]]
    assert scene.panels[0].title == "(2,((0,_),_)) = {8} o (3,2):(15,100)"
    assert scene.panels[1].frames[-1].segments == ((0, 5, 0, 6), (6, 5, 6, 6), (0, 5, 6, 5), (0, 6, 6, 6))


@pytest.mark.parametrize(("kind", "fact"), [("blocked-product", "fig10-t"), ("raked-product", "fig11-t")])
def test_products_are_those_of_the_paper(kind: str, fact: str) -> None:
    scene = scene_of([Layout((3, 4), (4, 1)), Layout((2, 5), (1, 2))], kind=kind)
    block, pattern, product = scene.panels
    assert texts(product) == expected(fact)
    # A copy of the block for each cell of the pattern, in its colour: twelve cells each.
    of = {c.role: c.value for c in pattern.cells}
    assert {role: sum(c.role == role for c in product.cells) for role in of} == dict.fromkeys(of, 12)
    first = {c.role: min(int(x.value) for x in product.cells if x.role == c.role) for c in pattern.cells}
    assert all(first[role] == 12 * int(value) for role, value in of.items())
    assert {c.role for c in block.cells} == {"plain"}


def test_common_vectors_are_framed_in_both() -> None:
    pair = [Layout(((2, 2), (2, 2)), ((8, 2), (4, 1))), Layout(((2, 2), (2, 2)), ((4, 2), (8, 1)))]
    scene = scene_of(pair, kind="common-vector")
    for p in scene.panels:
        assert sorted(int(c.value) for c in p.cells if c.role == "c0") == [0, 1, 2, 3]
    assert scene.arrows[0].target == 1


def test_a_swizzle_permutes_the_colours_of_a_row() -> None:
    scene = scene_of(Swizzle(3, 4, 3))
    before, after = ([[c.role for c in p.cells if c.row == i] for i in range(8)] for p in scene.panels)
    assert before[0] == before[5] == after[0]
    assert after[5] != after[0] and sorted(after[5]) == sorted(after[0])


def test_differences_are_marked() -> None:
    scene = scene_of([Layout((4, 8), (1, 4)), Layout((4, 8), (1, 5))], kind="difference")
    assert scene.caption == "28 of 32 cells differ"
    assert all((c.mark == "differs") == (c.column > 0) for p in scene.panels for c in p.cells)
    same = scene_of([MIXED, MIXED], kind="difference")
    assert same.caption == "all 32 cells agree" and not same.legend


def test_equal_functions_on_different_grids_agree_by_index() -> None:
    scene = scene_of([Layout((4, 8), (1, 4)), Layout((8, 4), (1, 8))], kind="difference")
    assert scene.caption == "all 32 cells agree by index; the shapes (4,8) and (8,4) differ"
    nested = scene_of([Layout((4, 8), (1, 4)), Layout(((2, 2), 8), ((1, 2), 4))], kind="difference")
    assert nested.caption == "all 32 cells agree"


def test_operands_of_an_mma_stand_in_their_places() -> None:
    a, b = Layout((8, 4), (1, 8)), Layout((8, 4), (1, 8))
    c = Layout(((2, 2, 2), (2, 2, 2)), ((1, 16, 4), (8, 2, 32)))
    scene = scene_of([a, b, c], tile="8x8x4")
    assert [(p.at, p.rows, p.columns) for p in scene.panels] == [((1, 0), 8, 4), ((0, 1), 4, 8), ((1, 1), 8, 8)]
    # B is stored as n + N*k and drawn with k downwards.
    assert texts(scene.panels[1])[3][5] == "T5V3"
    assert texts(scene.panels[0])[5][3] == "T5V3"


def test_several_layouts_share_a_picture() -> None:
    scene = scene_of([MIXED, Layout(8)])
    assert [p.title for p in scene.panels] == [str(MIXED), "8:1"]


# -- heat maps and limits ------------------------------------------------------------------------------------------


def test_large_layouts_become_heat_maps() -> None:
    scene = scene_of(Layout((512, 256), (256, 1)))
    raster = panel(scene).raster
    assert scene.kind == "heat" and raster is not None
    assert (raster.low, raster.high, len(raster.levels)) == (0, 512 * 256 - 1, 512 * 256)
    assert (raster.levels[0], raster.levels[-1]) == (1, 255)


@pytest.mark.parametrize(
    "layout",
    [
        Layout((256, 512), (E0, E1)),
        Layout((256, 512), (Xor(1), Xor(257))),
        Composed(Swizzle(3, 4, 3), 0, Layout((256, 512), (512, 1))),
        Layout(1 << 17),
        Layout((300, 300), (1 << 70, 1)),
        Layout((300, 300, 3)),
    ],
)
def test_every_kind_of_value_has_a_heat_map(layout: Layout) -> None:
    raster = scene_of(layout).panels[0].raster
    assert raster is not None and set(raster.levels) <= set(range(1, 256)) and max(raster.levels) == 255


def test_heat_follows_the_offset() -> None:
    raster = panel(scene_of(Composed(Swizzle(1, 0, 9), 0, Layout((512, 256), (1, 512))))).raster
    plain = panel(scene_of(Layout((512, 256), (1, 512)))).raster
    assert raster is not None and plain is not None
    assert raster.high == plain.high


def test_offsets_of_many_digits_keep_their_range() -> None:
    raster = panel(scene_of(Layout((300, 300), (1 << 70, 1)))).raster
    assert raster is not None and raster.high >> 60 == 299 << 10
    with pytest.raises(LayoutError) as error:
        scene_of(Composed(Swizzle(1, 0, 1), 1 << 90, Layout((300, 300))))
    assert error.value.code == "LC104"


@pytest.mark.parametrize("shape", [(1 << 13, 1 << 12), (1, 1 << 17), (1 << 2000, 8)])
def test_too_large_pictures_are_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(LayoutError) as error:
        scene_of(Layout(shape), limit=100)
    assert error.value.code == "LC104"


def test_large_thread_value_layouts_are_heat_maps() -> None:
    scene = scene_of(Layout((32, 4), (1, 32)), tile=(16, 16), limit=100)
    raster = panel(scene).raster
    assert raster is not None and raster.levels.count(0) == 128


# -- borders -------------------------------------------------------------------------------------------------------


def test_outlines_join_neighbouring_pieces() -> None:
    assert set(outline(2, 3, lambda i, j: 0)) == {(0, 0, 0, 3), (2, 0, 2, 3), (0, 0, 2, 0), (0, 3, 2, 3)}
    assert around("x", 3, 3, {(1, 1)}).segments == ((1, 1, 1, 2), (2, 1, 2, 2), (1, 1, 2, 1), (1, 2, 2, 2))


def test_crop_cuts_cells_borders_and_labels() -> None:
    grid = panel(scene_of(FP64, tile="8x8", crop="2:4,1:5"))
    assert (grid.rows, grid.columns, len(grid.cells)) == (2, 4, 8)
    assert texts(grid)[0][0] == "T8V1"
    assert grid.row_axis is not None and [s.text for s in grid.row_axis.levels[0]] == ["2", "3"]
    assert all(0 <= r0 <= r1 <= 2 and 0 <= c0 <= c1 <= 4 for f in grid.frames for r0, c0, r1, c1 in f.segments)


def test_scenes_are_hashable_and_compare() -> None:
    assert scene_of(MIXED) == scene_of(MIXED)
    assert hash(scene_of(MIXED)) == hash(scene_of(MIXED))


# -- atoms ---------------------------------------------------------------------------------------------------------

REFERENCE = json.loads(gzip.decompress((GOLDEN / "atoms" / "print_reference.json.gz").read_bytes()))["atoms"]


@pytest.mark.parametrize("reference", REFERENCE, ids=lambda r: str(r["name"]))
def test_atoms_are_drawn_as_cutlass_prints_them(reference: dict[str, Any]) -> None:
    if "A" not in reference:
        pytest.skip("a copy")
    scene = scene_of(atoms.atom(reference["name"]))
    for letter, p in zip("ABC", scene.panels, strict=True):
        expected_owners = {(i, j): tuple(o) for i, row in enumerate(reference[letter]) for j, o in enumerate(row)}
        # Where a cell has several owners, print_latex keeps one and we keep all.
        for cell in p.cells:
            # Nor do we name threads where all of them read a descriptor.
            owners = cell.owners or [(0, int(cell.lines[0][1:]))]
            assert expected_owners[cell.row, cell.column] in owners
        assert len(p.cells) == len(expected_owners)


# -- accesses ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("layout", "lanes", "wavefronts"),
    [
        (Layout((32, 32), (32, 1)), "column", 32),
        (Layout((32, 32), (33, 1)), "column", 1),
        (Layout((32, 64), (64, 1)), "ldmatrix", 8),
        (Composed(Swizzle(3, 3, 3), 0, Layout((32, 64), (64, 1))), "ldmatrix", 1),
    ],
)
def test_an_access_shows_its_wavefronts_over_the_banks(layout: Any, lanes: str, wavefronts: int) -> None:
    scene = scene_of(layout, kind="bank", lanes=lanes, access=0)
    grid, banks = scene.panels
    assert f"{wavefronts} wavefront" in scene.caption
    assert max(int(c.value) for c in banks.cells) == wavefronts and len(banks.cells) == 32
    # Every lane of the pass has a wavefront, and each of them asks a bank for one word.
    words: dict[tuple[str, int], set[int]] = {}
    bits = 32 if lanes == "column" else 16
    for cell in grid.cells:
        if cell.role != "plain":
            byte = int(cell.value) * bits // 8
            assert cell.lines[1] == f"b{byte // 4 % 32}"
            wavefront = cell.title.rpartition(" ")[2]
            words.setdefault((wavefront, byte // 4 % 32), set()).add(byte // 4)
    assert len({wavefront for wavefront, _ in words}) == wavefronts
    assert all(len(asked) == 1 for asked in words.values())
    assert {c.mark for c in grid.cells if c.role != "plain"} == {"shared" if wavefronts > 1 else ""}
    (frame,) = (f for f in grid.frames if f.kind == "chosen")
    assert frame.segments


def test_the_dearest_access_is_shown_unless_one_is_named() -> None:
    layout = Layout((64, 32), (32, 1))
    assert "access 1 of" in scene_of(layout, kind="bank", lanes="row", access=1).caption
    with pytest.raises(LayoutError) as error:
        scene_of(layout, kind="bank", lanes="row", access=64)
    assert error.value.code == "LC103" and "counted from 0" in str(error.value)
    cut = scene_of(layout, kind="bank", lanes="column", crop="4,8")
    assert [(p.rows, p.columns) for p in cut.panels] == [(4, 8), (1, 32)]


# -- heat maps of groups -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("layout", "color_by"),
    [
        (Layout((128, 128), (128, 1)), "bank"),
        (Layout(((16, 8), (32, 4)), ((32, 4096), (1, 512))), "tile"),
        (Layout(((16, 8), (32, 4)), ((32, 4096), (1, 512))), "mode1.1"),
        (Layout((128, 100), (1, 128)), "warp"),
        (Layout((128, 100), (1, 128)), "thread"),
        (Layout((1 << 14,)), "bank"),
    ],
)
def test_heat_maps_show_the_groups_that_labelled_pictures_show(layout: Layout, color_by: str) -> None:
    heat = panel(scene_of(layout, color_by=color_by))
    labelled = panel(
        scene_of(layout, color_by=color_by, limit=1 << 15, wrap=heat.columns if layout.rank == 1 else None)
    )
    assert heat.raster is not None and (heat.rows, heat.columns) == (labelled.rows, labelled.columns)
    roles = [heat.raster.roles[level - 1] for level in heat.raster.levels]
    assert roles == [c.role for c in labelled.cells]


def test_heat_maps_of_tiles_have_borders_and_names() -> None:
    heat = panel(scene_of(Layout(((16, 8), (32, 4)), ((32, 4096), (1, 512))), color_by="tile"))
    (frame,) = heat.frames
    assert (16, 0, 16, 128) in frame.segments and (0, 32, 128, 32) in frame.segments
    assert heat.row_axis is not None and heat.row_axis.name == "mode 0"


# -- slices of rank 3, order ------------------------------------------------------------------------------------------


def test_slices_of_rank_three_are_sheets() -> None:
    scene = scene_of([Layout((4, 6, 3)), (2, None, 1), (None, 3, None)], kind="slice")
    assert [p.at for p in scene.panels] == [(r, k) for r in range(2) for k in range(3)]
    assert scene.panels[0].title == "(2,_,1) = {26} o 6:4, (_,_,0)" and scene.panels[4].title == "(_,_,1)"
    kept = [sorted(int(c.value) for c in p.cells if c.role == "chosen") for p in scene.panels]
    assert kept == [[], [26, 30, 34, 38, 42, 46], [], [12, 13, 14, 15], [36, 37, 38, 39], [60, 61, 62, 63]]
    with pytest.raises(LayoutError) as error:
        scene_of([Layout((4, 6, 3)), (2, None)], kind="slice")
    assert error.value.code == "LC205"


@pytest.mark.parametrize("layout", [MIXED, Layout((4, 8), (8, 1)), Layout(40, 3), Layout((4, 4), (0, 1))])
def test_the_line_of_order_follows_the_offsets(layout: Layout) -> None:
    grid = panel(scene_of(layout, order=True))
    values = {(c.row, c.column): int(c.value) for c in grid.cells}
    assert sorted(grid.path) == sorted(values)
    assert [values[at] for at in grid.path] == sorted(values.values())
    assert not panel(scene_of(layout)).path


def test_the_line_of_order_is_cropped_with_its_cells() -> None:
    grid = panel(scene_of(MIXED, order=True, crop="1:3,2:6"))
    assert len(grid.path) == 8 and all(r in range(2) and c in range(4) for r, c in grid.path)
