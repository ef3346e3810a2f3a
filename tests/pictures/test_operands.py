"""Pictures of operands: every tooltip, highlight, pin and `owner` speak of the same element."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from laycalc.algebra.values.layout import Layout
from laycalc.atoms.instructions.catalogue import atom, entries
from laycalc.atoms.tiling.copy_tiling import tiled_copy
from laycalc.atoms.tiling.mma_tiling import tiled_mma
from laycalc.atoms.tiling.ownership import owner
from laycalc.render.draw import draw, scene_of
from laycalc.render.scene.scene import Cell, Panel

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
AXES = {"A": ("m", "k"), "B": ("n", "k"), "C": ("m", "n")}


def small_atoms() -> list[str]:
    """Two matrix instructions of every architecture and kind of operands, and copies."""
    found: dict[Any, list[str]] = {}
    for entry in entries():
        if entry.kind == "mma" and entry.shape is not None and max(entry.shape) <= 64:
            found.setdefault((entry.arch, entry.source, entry.shape[0]), []).append(entry.name)
    return [name for names in found.values() for name in {names[0]: 0, names[len(names) // 2]: 0}]


ATOMS = small_atoms()


def facts(panel: Panel, cell: Cell) -> dict[str, int]:
    """The coordinate that a tooltip names: each axis with its number."""
    named: dict[str, int] = {}
    for names, values in re.findall(r"([\w,]+)=(\([\d,]+\)|\d+)", cell.title.partition(":")[0]):
        named |= dict(zip(names.split(","), map(int, values.strip("()").split(",")), strict=True))
    return named


def holders(holder: Any, name: str, where: dict[str, int]) -> set[tuple[int, int]]:
    axes = (*AXES[name], *(["block"] if "block" in where else []))
    return {(o.thread, o.value) for o in owner(holder, name, tuple(where[a] for a in axes))}


def test_there_are_enough_atoms() -> None:
    assert len(ATOMS) >= 40


@pytest.mark.parametrize("name", [*ATOMS, "tiled"])
def test_tooltips_highlights_and_owner_agree(name: str) -> None:
    holder = TILED if name == "tiled" else atom(name)
    scene = scene_of(holder)
    assert [p.name for p in scene.panels] == ["A", "B", "C"]
    for k, panel in enumerate(scene.panels):
        step = max(1, len(panel.cells) // 8)
        for cell in panel.cells[:: step | 1]:
            where = facts(panel, cell)
            assert cell.title.startswith(f"{panel.name} ")
            if cell.owners:
                assert set(cell.owners) == holders(holder, panel.name, where)
            first, second = panel.coordinate(cell.row, cell.column)
            if "block" not in where:
                assert (first, second) == tuple(where[a] for a in AXES[panel.name])
        picked = scene_of(holder, highlight=f"{panel.name} ({first},{second})").panels
        assert [(c.row, c.column) for c in picked[k].cells if c in panel.cells and c.role != "plain"] in (
            [(cell.row, cell.column)],
            # What no thread holds is plain already; its frame is what picks it.
            [],
        )
        chosen = next(f for f in picked[k].frames if f.kind == "chosen")
        assert (cell.row, cell.column, cell.row, cell.column + 1) in chosen.segments


TILED = tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1))


def test_a_coordinate_of_b_has_n_first() -> None:
    b = scene_of(atom("SM80_16x8x16_F32F16F16F32_TN"), highlight="(1,0)").panels[1]
    (cell,) = [c for c in b.cells if c.role != "plain"]
    assert (cell.row, cell.column) == (0, 1) and cell.title == "B k=0 n=1: T4 V0"
    assert b.row_axis is not None and b.column_axis is not None
    assert (b.row_axis.name, b.column_axis.name) == ("k", "n")


def test_the_page_knows_the_coordinates_of_turned_and_cropped_panels() -> None:
    page = str(draw(atom("SM80_16x8x16_F32F16F16F32_TN"), format="html", crop="2:6,1:5"))
    root = ElementTree.fromstring(re.search(r"<svg.*</svg>", page, re.DOTALL)[0])  # type: ignore[index]
    panels = {g.get("data-name"): g for g in root.iter("{http://www.w3.org/2000/svg}g") if g.get("data-name")}
    for name, panel in panels.items():
        cells = [g for g in panel.iter("{http://www.w3.org/2000/svg}g") if g.get("class") == "cell"]
        assert len(cells) == 16
        for cell in cells:
            where = dict(re.findall(r"(\w)=(\d+)", cell[0].text or ""))
            home = cell.get("data-c") or (cell.get("data-at") or "").partition(",")[2]
            assert home == ",".join(where[a] for a in AXES[str(name)])


@pytest.mark.skipif(BROWSER is None, reason="no browser")
def test_a_pin_finds_the_cell_of_an_operand(tmp_path: Path) -> None:
    script = """<script>
      const pick = document.getElementById("pick"), form = document.getElementById("find"), said = [];
      for (const wish of ["(1,0)", "B (1,0)"]) {
        pick.value = wish;
        form.dispatchEvent(new Event("submit", { cancelable: true }));
        said.push([...document.querySelectorAll("g.pin > title")].map((t) => t.textContent));
      }
      document.title = JSON.stringify(said);
    </script></body>"""
    path = tmp_path / "page.html"
    page = str(draw(atom("SM80_16x8x16_F32F16F16F32_TN"), format="html"))
    path.write_text(page.replace("</body>", script), encoding="utf-8")
    command = [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", path.as_uri()]
    dom = subprocess.run(command, capture_output=True, timeout=120).stdout.decode()
    b = "B k=0 n=1: T4 V0"
    assert json.loads(unescape(dom.partition("<title>")[2].partition("</title>")[0])) == [
        ["A m=1 k=0: T4 V0", b, "C m=1 n=0: T4 V0"],
        [b],
    ]


@pytest.mark.parametrize("name", ["SM75_U32x1_LDSM_N", "SM75_U32x4_LDSM_N", "SM75_U16x8_LDSM_T", "SM90_U32x2_STSM_N"])
def test_copies_agree_with_owner(name: str) -> None:
    holder = atom(name)
    for side, panel in zip(("S", "D"), scene_of(holder, bits=16).panels, strict=True):
        for cell in panel.cells[::5]:
            where = facts(panel, cell)
            assert panel.coordinate(cell.row, cell.column) == (where["row"], where["element"])
            bit = 16 * (where["element"] + panel.columns * where["row"])
            assert {(t, 16 * v) for t, v in cell.owners} == {(o.thread, o.value) for o in owner(holder, side, bit)}


# -- memories and thread blocks ------------------------------------------------------------------------------------


def test_what_a_descriptor_names_has_no_threads() -> None:
    scene = scene_of(atom("SM90_64x16x16_F32F16F16_SS"))
    a, b, c = scene.panels
    assert {cell.role for cell in (*a.cells, *b.cells)} == {"plain"}
    assert a.cells[1].title == "A m=0 k=1: shared memory V64" and a.cells[1].lines == ("V64",)
    assert a.title == "A, M×K = 64×16, shared memory"
    assert c.cells[0].owners == ((0, 0),)
    assert "in shared memory" in [k.text for k in scene.legend]


def test_threads_of_tcgen05_are_thread_blocks() -> None:
    scene = scene_of(atom("SM100_MMA_F16BF16_2x1SM_SS_256x32_F32F16F16"))
    assert {cell.lines[0] for cell in scene.panels[2].cells if cell.mark != "more"} == {"CTA0", "CTA1"}
    assert [k.text for k in scene.legend] == ["CTA0", "CTA1"]
    alone = scene_of(atom("SM100_MMA_F16BF16_SS_64x16_F32F16F16"))
    assert alone.panels[2].cells[0].title == "C m=0 n=0: tensor memory V0"


def test_tensor_memory_is_lanes_and_columns() -> None:
    # Figure 9 of the paper has both patterns.
    (wide,) = scene_of(atom("SM100_TMEM_LOAD_32dp32b2x")).panels
    assert (wide.rows, wide.columns) == (32, 2)
    assert [c.lines for c in wide.cells if c.row == 5] == [("T5", "V0"), ("T5", "V1")]
    (block,) = scene_of(atom("SM100_TMEM_LOAD_16dp256b1x")).panels
    assert (block.rows, block.columns) == (16, 8)
    lane = {(c.row, c.column): c.lines for c in block.cells}
    assert lane[0, 0] == ("T0", "V0") and lane[0, 3] == ("T1", "V1") and lane[9, 2] == ("T5", "V2")
    assert block.cells[0].title == "lane=0 column=0: T0 V0"
    assert len(scene_of(atom("SM100_TMEM_STORE_16dp128b1x_16b")).panels[0].cells) == 16 * 8


@pytest.mark.parametrize(
    ("name", "threads", "values"), [("SM75_U32x4_LDSM_N", (8, 4), (2, 4)), ("UniversalCopy_128b", (4, 8), (1, 8))]
)
def test_a_tiled_copy_shows_both_sides_over_its_tile(name: str, threads: Any, values: Any) -> None:
    holder = tiled_copy(name, Layout(threads), Layout(values, (values[1], 1)), 16)
    scene = scene_of(holder)
    assert [p.name for p in scene.panels] == ["source", "destination"] and len(scene.arrows) == 1
    for side, panel in zip("SD", scene.panels, strict=True):
        assert (panel.rows, panel.columns) == holder.tiler
        for cell in panel.cells[::7]:
            where = facts(panel, cell)
            assert set(cell.owners) == {(o.thread, o.value) for o in owner(holder, side, (where["m"], where["n"]))}
    vectors = next(f for f in scene.panels[1].frames if f.kind == "vector")
    cells = {(c.row, c.column): c.owners[0] for c in scene.panels[1].cells}
    moved = 8
    for r0, c0, r1, c1 in vectors.segments:
        if c0 == c1 and 0 < c0 < scene.panels[1].columns:
            assert all(_vector(cells[r, c0 - 1], moved) != _vector(cells[r, c0], moved) for r in range(r0, r1))


def _vector(owner: tuple[int, int], moved: int) -> tuple[int, int]:
    return owner[0], owner[1] // moved


# -- what repeats itself --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("holder", "notes"),
    [
        (
            atom("SM90_64x256x16_F32F16F16_SS"),
            [
                "A: rows 0–7, then 7 more alike, V + 8 each",
                "B: columns 0–7, then 31 more alike, V + 8 each",
                "C: columns 0–7, then 31 more alike, V + 4 each",
            ],
        ),
        (
            tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1), (256, 256, 16)),
            [
                "A: rows 0–31, then 7 more alike, V + 8 each",
                "B: columns 0–15, then 15 more alike, V + 4 each",
                "C: rows 0–31, then 7 more alike, V + 4 each",
                "C: columns 0–15, then 15 more alike, V + 32 each",
            ],
        ),
        (
            atom("SM100_MMA_F16BF16_2x1SM_SS_256x256_F32F16F16"),
            [
                "A: rows 0–7, then 15 more alike, V + 8 each",
                "A: rows 128–135, then 15 more alike, V + 8 each",
                "B: columns 0–7, then 15 more alike, V + 8 each",
                "B: columns 128–135, then 15 more alike, V + 8 each",
                "C: rows 0–7, then 15 more alike, V + 8 each",
                "C: rows 128–135, then 15 more alike, V + 8 each",
                "C: columns 0–7, then 31 more alike, V + 1024 each",
            ],
        ),
    ],
    ids=["wgmma", "tiled", "tcgen05"],
)
def test_what_repeats_itself_is_folded(holder: Any, notes: list[str]) -> None:
    scene = scene_of(holder)
    assert list(scene.notes) == notes
    assert sum(p.rows * p.columns for p in scene.panels) < 4096
    for panel in scene.panels:
        for cell in panel.cells[:: max(1, len(panel.cells) // 12)]:
            if cell.mark == "more":
                continue
            where = facts(panel, cell)
            assert panel.coordinate(cell.row, cell.column) == tuple(where[a] for a in AXES[panel.name])
            if cell.owners:
                assert set(cell.owners) == holders(holder, panel.name, where)
    # What is said of the rest is so.
    for panel, note in ((p, n) for n in notes for p in scene.panels if p.name == n[0]):
        sides = panel.row_axis, panel.column_axis
        axis = sides["columns" in note]
        assert axis is not None
        start, stop, more, step = map(int, re.findall(r"\d+", note)[:4])
        other = sides["columns" not in note]
        assert other is not None
        for k in (1, more):
            here, there = (
                {axis.name: start + 1, other.name: 0},
                {axis.name: start + 1 + k * (stop - start + 1), other.name: 0},
            )
            one, two = holders(holder, panel.name, here), holders(holder, panel.name, there)
            assert {(t, v + k * step) for t, v in one} == two


def test_beyond_the_limit_operands_are_heat_maps() -> None:
    holder = tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1), (256, 256, 16))
    scene = scene_of(holder, fold=False)
    assert scene.kind == "heat" and [(p.rows, p.columns) for p in scene.panels] == [(256, 16), (16, 256), (256, 256)]
    a, _, c = scene.panels
    assert c.raster is not None and c.raster.roles == ("c0", "c2", "c1", "c3") and c.frames[0].kind == "tile"
    assert a.raster is not None and len(a.raster.roles) == 2
    assert c.row_axis is not None and c.row_axis.name == "m"
    assert {"warp 0 (T0–31)", "warps 0,2"} <= {k.text for k in scene.legend}
    cut = scene_of(holder, fold=False, crop="0:16,8:16").panels[2]
    assert cut.raster is not None and (cut.rows, cut.columns, set(cut.raster.levels)) == (16, 8, {2})
    assert [span.text for span in cut.row_axis.levels[0]] == ["0"] if cut.row_axis else False
    labelled = scene_of(holder, fold=False, limit=80_000)
    assert labelled.kind == "mma" and len(labelled.panels[2].cells) == 65_536


def test_a_small_picture_is_folded_only_where_that_is_wished() -> None:
    holder = atom("SM90_64x64x16_F32F16F16_SS")
    assert not scene_of(holder).notes
    assert "C: columns 0–7, then 7 more alike, V + 4 each" in scene_of(holder, fold=True).notes
