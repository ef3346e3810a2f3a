"""The gallery: every figure is what its expressions draw today, and every figure of the paper is there."""

from __future__ import annotations

import importlib.util
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from laycalc.render.draw import scene_of
from laycalc.render.scene.fit import smallest_text

if TYPE_CHECKING:
    from types import ModuleType

GALLERY = Path(__file__).parents[2] / "gallery"


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("gallery_build", GALLERY / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_no_figure_is_stale(build: ModuleType) -> None:
    assert build.stale(build.outputs()) == [], "run: python gallery/build.py"


def test_staleness_is_noticed(build: ModuleType) -> None:
    made = build.outputs()
    changed = dict(made) | {GALLERY / "README.md": "different"}
    changed.pop(GALLERY / "figures" / "fig06.svg")
    assert build.stale(changed) == ["README.md", "figures/fig06.svg"]


def test_the_figures_of_the_paper_are_there(build: ModuleType) -> None:
    names = {f.name for f in build.figures()}
    assert {f"fig{n:02}" for n in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)} | {"fig08a", "fig08b", "fig09a", "fig09b"} <= names


def test_figures_are_documents_with_a_title(build: ModuleType) -> None:
    for figure in build.figures():
        root = ElementTree.fromstring((GALLERY / "figures" / f"{figure.name}.svg").read_text(encoding="utf-8"))
        assert root[0].text == figure.title and figure.note


def test_every_figure_is_legible_at_its_width(build: ModuleType) -> None:
    for figure in build.figures():
        scene = scene_of(build.values(figure.text), title=figure.title, **figure.wishes)
        assert scene.look.width in (3.3 * 72, 7 * 72), figure.name
        assert smallest_text(scene) >= 7, figure.name


def test_a_page_of_two_columns_has_figures_of_its_width(build: ModuleType, tmp_path: Path) -> None:
    page = build.paper(tmp_path)
    drawn = sorted(path for path in tmp_path.glob("*.pdf") if path.stem != "paper")
    assert len(drawn) == 4
    for path in drawn:
        data = path.read_bytes()
        assert b"/MediaBox [0 0 237.6 " in data and b"/FontFile2" in data
    if page is None:
        pytest.skip("no pdflatex")
    log = (tmp_path / "paper.log").read_text(encoding="latin-1")
    assert "Overfull" not in log and "(1 page, " in log


@pytest.mark.parametrize("name", ["fig05", "morphism-refinement", "sm80-dmma"])
def test_the_command_below_a_figure_draws_it(build: ModuleType, name: str, tmp_path: Path) -> None:
    figure = next(f for f in build.figures() if f.name == name)
    program, *words = shlex.split(figure.command().replace("\\\n", ""))
    assert program == "laycalc"
    subprocess.run([sys.executable, "-m", "laycalc", *words], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / f"{name}.svg").read_text(encoding="utf-8") == figure.svg()
