"""The figures of the pages are what the commands on the pages draw."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
FIGURES = sorted((DOCS / "figures").iterdir())


def drawn() -> dict[str, str]:
    """The command of a console block that draws a file, by the name of the file."""
    found: dict[str, str] = {}
    for page in sorted(DOCS.glob("*.md")):
        for command, name in re.findall(r"^\$ (laycalc draw .* -o (\S+))$", page.read_text("utf-8"), re.MULTILINE):
            if (DOCS / "figures" / name).exists():
                assert name not in found, f"{name} is drawn twice"
                found[name] = command
    return found


def test_each_figure_is_shown_and_drawn() -> None:
    names = {path.name for path in FIGURES}
    pages = "".join(page.read_text("utf-8") for page in DOCS.glob("*.md"))
    assert names and set(re.findall(r"\]\(figures/([^)\s]+)\)", pages)) == names
    assert set(drawn()) == names


@pytest.mark.parametrize("figure", FIGURES, ids=lambda path: path.name)
def test_the_command_draws_the_figure(figure: Path, tmp_path: Path) -> None:
    command = drawn()[figure.name]
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("LAYCALC", "FORCE_COLOR", "CI"))}
    path = os.pathsep.join([str(Path(sys.executable).parent), kept.get("PATH", "")])
    subprocess.run(
        ["bash", "-c", command],
        cwd=tmp_path,
        env=kept | {"PATH": path, "NO_COLOR": "1", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert (tmp_path / figure.name).read_bytes() == figure.read_bytes(), f"in docs/figures: {command}"


def test_figures_are_small() -> None:
    assert sum(path.stat().st_size for path in FIGURES) < 100_000
