"""The entry: kinds, choices, refusals, and what is imported when."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.tiler import Tiler
from laycalc.render.draw import _find, draw, save, scene_of
from laycalc.render.index import ASKED, FORMATS, PICTURES
from laycalc.render.scene.highlight import Pick, parse_highlight
from laycalc.render.scene.options import LOOK, Options, parse_crop

MIXED = Layout(((2, 2), (4, 2)), ((1, 8), (2, 16)))


@pytest.mark.parametrize(
    ("value", "wishes", "kind"),
    [
        (MIXED, {}, "layout"),
        (MIXED, {"tile": "8x8"}, "thread-value"),
        ([MIXED, MIXED], {}, "panels"),
        ([MIXED, Tiler([2, 4])], {}, "tiler"),
        ([MIXED, (1, None)], {}, "slice"),
        ([MIXED, MIXED], {"kind": "difference"}, "difference"),
    ],
)
def test_the_kind_follows_the_value(value: object, wishes: dict[str, Any], kind: str) -> None:
    assert scene_of(value, **wishes).kind == kind


@pytest.mark.parametrize(
    "wishes",
    [
        {"kind": "nothing"},
        {"theme": "nothing"},
        {"color_by": "nothing"},
        {"color_by": "mode7"},
        {"color_by": "modex"},
        {"label": "nothing"},
        {"tile": "8"},
        {"tile": "0x8"},
        {"tile": (8, -1)},
        {"tile": (2, 4, 8)},
        {"highlight": "nothing"},
        {"highlight": "T" + "9" * 40},
        {"crop": "8"},
        {"crop": "9:,9:"},
        {"crop": "3:3,0:1"},
        {"wrap": 0},
        {"bits": -1},
        {"limit": 0},
        {"kind": "slice"},
        {"kind": "mma"},
        {"kind": "copy"},
        {"kind": "thread-value"},
        {"kind": "swizzle"},
    ],
)
def test_wrong_wishes_are_refused(wishes: dict[str, Any]) -> None:
    value = [MIXED, MIXED] if wishes.get("kind") == "slice" else MIXED
    with pytest.raises(LayoutError) as error:
        draw(value, **wishes)
    assert error.value.code in ("LC103", "LC205")
    assert str(error.value)


@pytest.mark.parametrize("kind", PICTURES)
@pytest.mark.parametrize("value", [3, (4, 8), [], [MIXED], "text", None, [Layout((2, 2, 2))] * 2], ids=str)
def test_values_that_do_not_fit_a_kind_are_refused(kind: str, value: object) -> None:
    try:
        scene_of(value, kind=kind)
    except LayoutError as error:
        assert error.code in ("LC103", "LC205", "LC304") and str(error)


def test_every_picture_says_what_it_takes_and_which_wishes_it_grants() -> None:
    records = [_find(PICTURES, "kind", name) for name in PICTURES]
    assert all(r.takes and r.scene for r in records)
    granted = {name.partition("=")[0] for r in records for name in r.options}
    assert granted == set(Options.__slots__) - set(LOOK)
    assert {r.name for r in records if r.asked_by} == set(ASKED.values())


@pytest.mark.parametrize("format", ["", "gif", "SVG"])
def test_unknown_formats_are_refused(format: str) -> None:
    with pytest.raises(LayoutError) as error:
        draw(MIXED, format=format)
    assert error.value.code == "LC103" and "html, pdf, png, svg" in str(error.value)


def test_every_theme_and_format_draws() -> None:
    for theme in ("laycalc", "cute", "print"):
        for format in FORMATS:
            assert draw(MIXED, format=format, theme=theme)


def test_cute_is_bare() -> None:
    scene = scene_of(MIXED, theme="cute")
    assert not scene.caption and not scene.legend
    assert all(not p.frames and p.row_axis and len(p.row_axis.levels) == 1 for p in scene.panels)
    assert {c.role for c in scene.panels[0].cells} == {f"o{k}" for k in range(8)}


def test_highlights_are_read() -> None:
    assert parse_highlight("T11 V3; v2;(2, 5); offset -3; 7") == (
        Pick(thread=11, value=3),
        Pick(value=2),
        Pick(coordinate=(2, 5)),
        Pick(offset="-3"),
        Pick(offset="7"),
    )
    assert parse_highlight(None) == () and parse_highlight(["T1", "T2"])[1] == Pick(thread=2)


def test_crops_are_read() -> None:
    assert parse_crop("4,8") == (range(4), range(8))
    assert parse_crop(" 1:4 , 2: ")[0] == range(1, 4)  # type: ignore[index]
    assert parse_crop((2, 3)) == (range(2), range(3))


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import laycalc.render.draw, laycalc.render.kinds.table", ("rich", "numpy", "matplotlib", "lark", "typer")),
        (
            "from laycalc import Layout; from laycalc.render.draw import draw; draw(Layout((4, 8)))",
            (
                "rich",
                "numpy",
                "matplotlib",
                "laycalc.render.formats.figure",
                "laycalc.render.kinds.threads",
                "laycalc.atoms",
            ),
        ),
        (
            "from laycalc import Layout; from laycalc.render.kinds.table import table; table(Layout((4, 8)))",
            ("rich", "numpy", "matplotlib", "laycalc.render.formats.svg"),
        ),
    ],
)
def test_heavy_imports_wait(code: str, absent: tuple[str, ...]) -> None:
    check = f"{code}\nimport sys\nprint([m for m in {absent!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("format", ["txt", "svg", "tex", "tikz", "html"])
def test_texts_end_with_one_newline(format: str, tmp_path: Path) -> None:
    text = save(MIXED, tmp_path / "figure", format=format).read_text(encoding="utf-8")
    assert text.endswith("\n") and not text.endswith("\n\n")


@pytest.mark.parametrize("kind", ["composition", "morphism", "complement", "product", "division"])
def test_kinds_of_morphisms_say_that_they_need_tractable_layouts(kind: str) -> None:
    one = Layout((4, 4), (1, 5))
    with pytest.raises(LayoutError) as error:
        scene_of(one if kind in ("morphism", "complement") else [Layout((2, 2), (1, 3)), one], kind=kind)
    assert error.value.code == "LC309" and "draws morphisms" in str(error.value)


def test_a_home_that_cannot_be_written_is_no_news(tmp_path: Path) -> None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "MPL"))}
    environment |= {"HOME": os.devnull, "USERPROFILE": os.devnull, "TMPDIR": str(tmp_path)}
    code = "from laycalc import Layout; from laycalc.render.draw import draw; draw(Layout(4), format='png')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert (done.stdout, done.stderr) == ("", "") and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("value", "wishes", "code"),
    [
        (None, {"kind": "bank", "lanes": "row"}, "LC103"),
        (Layout((), ()), {"kind": "bank", "access": 0}, "LC103"),
        ([MIXED, Layout(((),), ((),))], {"kind": "tiler"}, "LC103"),
        ([MIXED, Tiler([2, 2]), MIXED], {"tile": (2, 4, 8)}, "LC103"),
        ([Layout((4, 8), (8, 1)), Layout(1, 1 << 70), Layout(8, 1 << 70)], {"kind": "tiling"}, "LC104"),
        ([Layout((2, 2), (1, 1 << 60))], {"kind": "complement-steps"}, "LC104"),
        ([Layout(1 << 40), Layout(1 << 39)], {"kind": "common-vector"}, "LC104"),
        ([Layout((1 << 40, 4)), (2, None)], {"kind": "slice"}, "LC104"),
        (Layout((32, 4)), {"tile": (1 << 20, 1 << 20)}, "LC104"),
    ],
)
def test_hostile_values_are_refused_before_they_are_listed(value: Any, wishes: dict[str, Any], code: str) -> None:
    with pytest.raises(LayoutError) as error:
        scene_of(value, **wishes)
    assert error.value.code == code


def test_several_highlights_are_all_shown(tmp_path: Path) -> None:
    words = [
        "draw",
        "((4,8),2):((16,1),8)",
        "--tile",
        "8x8",
        "--highlight",
        "T1",
        "--highlight",
        "T9",
        "--format",
        "html",
    ]
    words += ["--format", "html"]
    done = subprocess.run([sys.executable, "-m", "laycalc", *words], capture_output=True, text=True, check=True)
    scene = scene_of(Layout(((4, 8), 2), ((16, 1), 8)), tile="8x8", highlight=["T1", "T9"])
    assert sum(c.role != "plain" for c in scene.panels[0].cells) == 4
    assert done.stdout == str(draw(Layout(((4, 8), 2), ((16, 1), 8)), tile="8x8", highlight="T1; T9", format="html"))
