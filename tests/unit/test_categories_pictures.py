"""Diagrams of the categories: the data first, then what the formats make of it."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.categories.diagram import Diagram
from laycalc.algebra.categories.morphism import Morphism
from laycalc.algebra.categories.sketches import (
    complement_diagram,
    composition_diagram,
    division_diagram,
    morphism_diagram,
    product_diagram,
    refinement_diagram,
)
from laycalc.algebra.categories.tractable import to_morphism
from laycalc.algebra.values.layout import Layout
from laycalc.render.draw import render, scene_of
from laycalc.render.formats.svg import svg
from laycalc.render.formats.tikz import fragment as tikz
from laycalc.render.scene.place import place

PAPER = Layout(((4, 8, 4), (2, 2, 8)), ((128, 1, 16), (64, 8, 512)))


def column(diagram: Diagram, name: str) -> list[str]:
    """The entries of a column, lowest first."""
    found = [n for n in diagram.nodes if n.kind in ("entry", "root") and n.id.rstrip("0123456789") == name]
    return [n.text for n in sorted(found, key=lambda n: n.y)]


def arrows(diagram: Diagram, kind: str = "arrow") -> list[tuple[str, str]]:
    return [(k.source, k.target) for k in diagram.links if k.kind == kind]


def test_the_worked_picture() -> None:
    d = morphism_diagram(to_morphism(PAPER))
    assert column(d, "s") == ["4", "8", "4", "2", "2", "8"]
    assert column(d, "t") == ["8", "2", "4", "2", "4", "8"]
    assert column(d, "rs") == ["128", "32"]
    assert column(d, "p") == []
    assert [n.text for n in d.nodes if n.kind == "label"] == ["1", "8", "16", "64", "128", "512"]
    targets = {"s1": "t5", "s2": "t1", "s3": "t3", "s4": "t4", "s5": "t2", "s6": "t6"}
    assert dict(arrows(d)) == targets
    assert [k.group for k in d.links if k.kind == "arrow"] == [0, 0, 0, 1, 1, 1]
    # Roots stand at the mean height of their leaves.
    assert (d.node("rs1").y, d.node("rs2").y) == (1.0, 4.0)


def test_the_base_point_has_no_arrow() -> None:
    d = morphism_diagram(Morphism(((2, 2), (5, 5)), (2, 2, 5, 5), (1, 2, 4, 0)))
    assert arrows(d) == [("s1", "t1"), ("s2", "t2"), ("s3", "t4")]


def test_brackets_follow_the_nesting() -> None:
    d = morphism_diagram(Morphism(((2, (2, 3)), 4), ((2, 2), (3, 4)), (1, 2, 3, 4)))
    joins = {(k.source, k.target) for k in d.links if k.kind == "split"}
    assert {("rs1", "rs1.1"), ("rs1.1", "s1"), ("rs1.1", "rs1.1-2"), ("rs1.1-2", "s2"), ("rs1.1-2", "s3")} <= joins
    assert ("rs2", "s4") in joins
    assert column(d, "rt") == ["4", "12"]
    assert d.node("rs1").x < d.node("rs1.1").x < d.node("rs1.1-2").x < d.node("s1").x
    assert d.node("t1").x < d.node("rt1.1").x < d.node("rt1").x


def test_flat_sides_and_empty_modes_have_no_brackets() -> None:
    assert column(morphism_diagram(Morphism(8, (8,), (1,))), "rs") == []
    d = morphism_diagram(Morphism(((), (2, 3)), (2, 3), (1, 2)))
    assert column(d, "rs") == ["1", "6"]
    assert not [k for k in d.links if k.source == "rs1"]


def test_a_mutual_refinement() -> None:
    d = refinement_diagram((6, 6), (12, 3, 6))
    assert column(d, "m") == ["6", "2", "3", "6"]
    assert column(d, "t") == ["6", "6"]
    assert column(d, "u") == ["12", "3", "6"]
    joins = {(k.source, k.target) for k in d.links}
    assert {("t1", "m1"), ("t2", "t2.1"), ("t2.1", "m2"), ("t2.1", "m3"), ("u1", "u1.1"), ("u3", "m4")} <= joins
    assert not [k for k in d.links if k.target == "m4" and k.source[0] == "t"]


def test_a_failure_is_drawn_to_scale() -> None:
    d = refinement_diagram((3, 4), (6, 3))
    guilty = [n.text for n in d.nodes if n.kind == "fault"]
    assert guilty == ["12", "18"]
    assert len([k for k in d.links if k.kind == "fault"]) == 2
    assert d.caption.endswith("12 does not divide 18")
    assert d.node("tp2").y < d.node("up2").y
    assert (
        "larger" in refinement_diagram((4, 9), (12,)).caption or "divide" in refinement_diagram((4, 9), (12,)).caption
    )


def test_the_four_frames() -> None:
    d = composition_diagram(Layout((12, 3, 6), (1, 72, 12)), Layout((6, 6), (6, 1)))
    assert column(d, "1s") == ["6", "6"]
    assert column(d, "2m") == ["6", "2", "3", "6"]
    assert column(d, "3s") == ["2", "3", "6"]
    assert column(d, "4t") == ["6", "2", "6", "3"]
    captions = [n.text for n in d.nodes if n.kind == "caption"]
    assert captions == ["two morphisms", "glued by the refinement", "resolved", "((2,3),6):((6,72),1)"]
    lefts = [min(n.x for n in d.nodes if n.id.startswith(str(k))) for k in (1, 2, 3, 4)]
    assert lefts == sorted(lefts)
    # The leaf of U beyond T plays no part.
    assert d.node("3m4").muted
    assert ("3m4", "3v3") in arrows(d, "unused")


def test_complement_product_and_division() -> None:
    f = Morphism((2, 2), (2, 2, 5, 5), (1, 2))
    assert arrows(complement_diagram(f), "second") == [("c1", "t3"), ("c2", "t4")]
    d = product_diagram(f, Morphism((5, 5), (5, 5), (2, 1)))
    assert arrows(d, "second") == [("s3", "t4"), ("s4", "t3")]
    assert column(d, "rs") == ["4", "25"]
    whole = Morphism((4, 8, 4, 8), (4, 8, 4, 8), (1, 2, 3, 4))
    d = division_diagram(whole, Morphism((4, 4), (4, 8, 4, 8), (1, 3)))
    assert column(d, "m") == ["4", "8", "4", "8"]
    assert arrows(d, "second") == [("s3", "m2"), ("s4", "m4")]
    assert ("m2", "t2") in arrows(d)


def test_too_many_rows_are_refused() -> None:
    with pytest.raises(LayoutError) as caught:
        morphism_diagram(Morphism((2,) * 600, (2,) * 600, range(1, 601)))
    assert caught.value.code == "LC104"


SCENES: list[Any] = [
    scene_of(PAPER, kind="morphism"),
    scene_of(PAPER, kind="morphism", top_down=True),
    scene_of(Layout((), ()), kind="morphism"),
    scene_of(Layout((1 << 40, 2), (0, 1)), kind="morphism", theme="print", title="A <title>"),
    scene_of(((5, (6, 2), 6), (10, 360)), kind="refinement"),
    scene_of(((3, 4), (6, 3)), kind="refinement"),
    scene_of((Layout((10, 360), (2, 60)), Layout((6, 6), (5, 60))), kind="composition"),
    scene_of(Morphism((2, 2), (2, 2, (5, 5)), (1, 2)), kind="complement", top_down=True),
    scene_of((Morphism((2,), (2, 5), (1,)), Morphism((5,), (5,), (1,))), kind="product"),
    scene_of((Morphism((2, 5), (2, 5), (1, 2)), Morphism((2,), (2, 5), (1,))), kind="division"),
]


@pytest.mark.parametrize("scene", SCENES, ids=lambda s: s.kind)
def test_every_format(scene: Any) -> None:
    placed = place(scene)
    for line in placed.lines:
        assert min(line.x0, line.x1) >= 0 and max(line.x0, line.x1) <= placed.width
        assert min(line.y0, line.y1) >= 0 and max(line.y0, line.y1) <= placed.height
    for text in placed.texts:
        assert 8 < text.y < placed.height
    tree = ElementTree.fromstring(svg(scene))
    names = [e.get("id") for e in tree.iter() if e.get("id")]
    assert len(names) == len(set(names))
    assert svg(scene) == svg(scene)
    ids = {n.id for n in scene.diagram.nodes}
    for path in tree.iter("{http://www.w3.org/2000/svg}path"):
        if path.get("data-src"):
            assert {path.get("data-src"), path.get("data-dst")} <= ids
    fragment = tikz(scene)
    assert fragment.count("{") == fragment.count("}")
    assert fragment.isascii()
    assert fragment in render(scene, "tex")
    assert render(scene, "txt")


def test_tex_keeps_hyphens_and_the_colours_of_arrows() -> None:
    scene = scene_of(PAPER, kind="morphism")
    made = tikz(scene)
    assert "-{}-(5,1,3,4,2,6)-{}-\\textgreater{}" in made
    pens = {line.pen for line in place(scene).lines if line.head}
    assert pens == {"g0", "g1"}
    for pen in pens:
        assert f"draw=laycalc{place(scene).theme.pen(pen).colour[1:]},line width=1.3bp" in made


def test_rows_go_upwards_unless_asked() -> None:
    up, down = (place(scene_of(PAPER, kind="morphism", top_down=way)) for way in (False, True))

    def height(placed: Any) -> float:
        return next(float(t.y) for t in placed.texts if t.text == "1")

    assert height(up) > height(down)
    assert not any("downwards" in t.text for t in up.texts)
    assert any("downwards" in t.text for t in down.texts)


def test_terminal() -> None:
    assert words(PAPER)[:6] == [
        "8 |-->  8",
        "2 |-2-> 4",
        "2 |-->  2",
        "4 |-->  4",
        "8 |-1-> 2",
        "4 |-5-> 8",
    ]
    assert words(PAPER, top_down=True)[-1] == "(read downwards)"
    assert words(((6, 6), (12, 3, 6)), kind="refinement")[:4] == [
        "      6 -+- 6",
        "   +- 3 -+- 3",
        "6 -+- 2 -+",
        "6 -+- 6 -+- 12",
    ]
    long = Morphism((2,) * 30, (2,) * 30, range(1, 31))
    assert words(long)[0].startswith("30 rows; the terminal shows 24")
    assert words((Layout(8, 1), Layout(4, 1)), kind="composition")[0].startswith("outer 8:1")


def words(value: Any, kind: str = "morphism", **wishes: Any) -> list[str]:
    return str(render(scene_of(value, kind=kind, **wishes), "txt")).splitlines()


def test_pens_are_easy_to_see() -> None:
    from laycalc.render.scene.palette import contrast

    for theme in ("laycalc", "print", "cute"):
        placed = place(scene_of(PAPER, kind="morphism", theme=theme))
        for line in placed.lines:
            assert contrast(placed.theme.pen(line.pen).colour, placed.theme.page) >= 4.5
