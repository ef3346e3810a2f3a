"""The table of what was typed wrong: each line is run, and says what was meant."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from program import laycalc

from laycalc.cli.slips import slip

LINES = (Path(__file__).parents[1] / "cases" / "mistyped.tsv").read_text("utf-8").splitlines()[1:]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.partition("\t")[0])
def test_what_was_meant_is_known(line: str, tmp_path: Path) -> None:
    typed, code, answer = line.split("\t")
    (tmp_path / "a.txt").write_text("4:1\n", "utf-8")
    (tmp_path / "b.layout").write_text("assert 4:1 == 4:1\n", "utf-8")
    (tmp_path / "folder").mkdir()
    done = laycalc(*shlex.split(typed), cwd=tmp_path)
    assert done.returncode == int(code)
    assert answer in done.stdout + done.stderr


def test_the_table_has_forty_lines() -> None:
    assert len(LINES) >= 40


@pytest.mark.parametrize(
    "typed",
    ["4:1 8:2", "'16:1 / 4'", "A -D A=4:1", "'size(4:1)' 4:1", "4:1 'A o B'", "LayoutLeft", "4 8", "'4:1 * 4:1' 4:1"],
)
def test_what_makes_sense_is_left_alone(typed: str, tmp_path: Path) -> None:
    texts = [text for text in shlex.split(typed) if not text.startswith("-") and "=" not in text]
    assert slip(texts, ["check", "eval", "draw"]) is None
