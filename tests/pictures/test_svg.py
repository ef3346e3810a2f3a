"""The SVG as a document: its tree, its texts and tooltips, its escaping, its size and its sameness."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from laycalc.algebra.values.layout import Layout
from laycalc.render.draw import draw, scene_of
from laycalc.render.formats.svg import escape, svg
from laycalc.render.scene.palette import theme_of

SVG = "{http://www.w3.org/2000/svg}"
MIXED = Layout(((2, 2), (4, 2)), ((1, 8), (2, 16)))
FP64 = Layout(((4, 8), 2), ((16, 1), 8))
NASTY = "a<b> & \"c\" 'd' </svg>\x00\x1b"


def tree(text: str | bytes) -> ElementTree.Element:
    assert isinstance(text, str)
    return ElementTree.fromstring(text)


def cells(root: ElementTree.Element) -> list[ElementTree.Element]:
    """The groups that hold a title and a text: one for each cell."""
    return [g for g in root.iter(f"{SVG}g") if g.find(f"{SVG}title") is not None]


def test_the_picture_says_what_it_is() -> None:
    root = tree(draw(MIXED, title="Mixed"))
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text == "Mixed"
    assert "4 rows and 8 columns" in (root[1].text or "")


def test_every_cell_has_text_and_tooltip() -> None:
    found = cells(tree(draw(MIXED)))
    assert len(found) == 32
    assert [g.findtext(f"{SVG}text") for g in found[:5]] == ["0", "2", "4", "6", "16"]
    assert found[21].findtext(f"{SVG}title") == "((0,1),(1,1)) index 22 offset 26"


def test_text_is_text() -> None:
    root = tree(draw(FP64, tile="8x8"))
    words = ["".join(t.itertext()) for t in root.iter(f"{SVG}text")]
    assert words.count("T11") == 2 and words.count("V1") == 32
    assert "((4,8),2):((16,1),8) over 8×8" in words


def test_cells_share_their_shapes() -> None:
    root = tree(draw(MIXED))
    defined = {e.get("id") for e in root.find(f"{SVG}defs") or ()}
    used = {u.get("href", "")[1:] for u in root.iter(f"{SVG}use")}
    assert used == defined and len(used) == 8


def test_shapes_of_different_pictures_do_not_clash() -> None:
    def shapes(text: str | bytes) -> dict[str | None, str]:
        return {e.get("id"): ElementTree.tostring(e, encoding="unicode") for e in tree(text).find(f"{SVG}defs") or ()}

    pictures = [draw(MIXED), draw(Layout((40, 40))), draw(MIXED, theme="print"), draw(FP64, tile="8x8")]
    for one in map(shapes, pictures):
        for other in map(shapes, pictures):
            assert all(one[key] == other[key] for key in one.keys() & other.keys())


def test_marks_are_drawn() -> None:
    text = draw(Layout(((4, 8), 2), ((0, 1), 8)), tile="8x4")
    assert isinstance(text, str)
    assert text.count("+shared") == 16 + 1 and text.count("+hole") == 16 + 1


def test_frames_are_paths_with_the_pen_of_their_kind() -> None:
    root = tree(draw(MIXED, highlight="(1,1)"))
    paths = [p for p in root.iter(f"{SVG}path") if p.get("stroke-linecap") == "square"]
    assert len(paths) == 2
    assert paths[1].get("stroke-width") == "2.4"
    # Four sides of one cell.
    assert len(re.findall("M", paths[1].get("d", ""))) == 4


def test_everything_is_escaped() -> None:
    text = draw(MIXED, title=NASTY)
    root = tree(text)
    assert root.findtext(f"{SVG}title") == NASTY.replace("\x00", "\u2400").replace("\x1b", "\u241b")
    assert len(cells(root)) == 32


@pytest.mark.parametrize("character", ["\x00", "\x0b", "\ud800", "\ufffe"])
def test_what_xml_forbids_is_replaced(character: str) -> None:
    assert escape(character) == "\ufffd"


def test_the_same_bytes_every_time() -> None:
    assert draw(FP64, tile="8x8") == draw(FP64, tile="8x8")


def test_no_script_no_network() -> None:
    text = svg(scene_of(MIXED))
    assert "<script" not in text and "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_large_pictures_are_small() -> None:
    text = str(draw(Layout((128, 128), (128, 1)), limit=16_384))
    assert len(text.encode()) <= 2_000_000
    assert len(cells(tree(text))) == 128 * 128


def test_heat_maps_are_one_image() -> None:
    root = tree(draw(Layout((1024, 1024), (1024, 1))))
    image, _bar = root.iter(f"{SVG}image")
    assert image.get("href", "").startswith("data:image/png;base64,")
    assert not cells(root)


def test_lengths_are_inside_the_page() -> None:
    root = tree(draw([MIXED, MIXED], kind="difference", title="x" * 40))
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for text in root.findall(f"{SVG}text"):
        assert 0 <= float(text.get("x", -1)) <= width
        assert 0 <= float(text.get("y", -1)) <= height


def test_a_picture_follows_the_page() -> None:
    text = str(draw(MIXED, theme="auto"))
    root = tree(text)
    assert "prefers-color-scheme:dark" in text
    groups = {g.get("class"): g for g in root.iter(f"{SVG}g") if g.get("class") in ("light", "dark")}
    assert len(cells(groups["light"])) == len(cells(groups["dark"])) == 32
    pages = [next(groups[name].iter(f"{SVG}rect")).get("fill") for name in ("light", "dark")]
    names = [e.get("id") for e in tree(str(draw(MIXED, theme="auto", kind="morphism"))).iter() if e.get("id")]
    assert len(names) == len(set(names)) and pages
    assert f'fill="{theme_of("dark").page}"' in text and "<style" not in str(draw(MIXED, theme="dark"))
    # Other formats take the light look.
    assert draw(MIXED, theme="auto", format="pdf") == draw(MIXED, format="pdf")
