"""`laycalc check --jobs N`: every kind of finding crosses to another process, and nothing but time changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from program import laycalc

from laycalc.diagnostics.codes import codes
from laycalc.render.reports.checks import FORMATS

OTHERS = {
    "relation.layout": "assert 1 == 2\nassert size((4,8):(1,4)) == 33\nassert not true\n4:1 == 4:2\n",
    "loop.layout": "for N in {4,6,8}: assert admissible((4,6,8):(2,3,5) o N:3)\n",
    "unknown.layout": "assume M % 128 == 0\nassert admissible((M,K):(K,1) / <128,64>)\n(M,K):(K,1) / <128,64>\n",
    "brackets.layout": "x = (\n",
    "includes.layout": 'include "there.layout"\ninclude "relation.layout"\ninclude "includes.layout"\n',
    "typo.cu": "// laycalc assert 1 == 2\n// laycalc: assert 1 == 2\n",
    "bytes.layout": "assert 1 == 1\n\0",
    "forgotten.rs": "fn main() {}\n",
    "text.md": "```layout\nassert 4:1 o 2 == 3\n```\n",
}
"""Findings of other kinds than those of the pages: of files, comments, loops, unknowns."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file for the example of each code, with the code that it draws, and one for each other kind."""
    made = tmp_path_factory.mktemp("examples")
    for code, found in codes().items():
        if found.example:
            (made / f"{code}.layout").write_text(found.example, encoding="utf-8")
            (made / f"{code}-repair.layout").write_text(found.repair, encoding="utf-8")
    for name, text in OTHERS.items():
        (made / name).write_text(text, encoding="utf-8")
    return made


@pytest.mark.parametrize("form", FORMATS)
def test_each_kind_of_finding_crosses(form: str, folder: Path) -> None:
    arguments = ("check", "--format", form, "--strict", ".", "forgotten.rs", "gone.layout")
    one, two = (laycalc(*arguments, "--jobs", jobs, cwd=folder) for jobs in "12")
    assert one == two
    assert one.returncode == 2  # a fault of ours is 3


def test_each_code_is_among_them(folder: Path) -> None:
    shown = laycalc("check", "--strict", ".", "--jobs", "2", cwd=folder).stdout
    # LC421 to LC424 are what `scan` says of kernels, LC901 nothing that somebody writes may draw.
    assert [code for code in codes() if code not in shown] == ["LC421", "LC422", "LC423", "LC424", "LC901"]


def repository(folder: Path, files: int, findings: int) -> None:
    """So many files in folders, with so many findings of every code among them."""
    examples = [found.example for found in codes().values() if found.example]
    kinds = [*examples, *(text for name, text in OTHERS.items() if name.endswith(".layout"))]
    for number in range(files):
        place = folder / f"part{number % 97}" / f"kernel{number}.layout"
        place.parent.mkdir(exist_ok=True)
        text = kinds[number % len(kinds)] if number < findings * len(kinds) else "assert size((4,8):(1,4)) == 32\n"
        place.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("files", "findings"), [(300, 2), pytest.param(10_000, 50, marks=pytest.mark.slow)], ids=["small", "large"]
)
def test_a_repository_is_the_same_bytes_for_all_jobs(form: str, files: int, findings: int, tmp_path: Path) -> None:
    repository(tmp_path, files, findings)
    one, two, four = (laycalc("check", "--format", form, ".", "--jobs", jobs, cwd=tmp_path) for jobs in "124")
    assert one == two == four
    assert one.returncode == 2
    assert all(len(re.findall(code, one.stdout)) >= findings for code in codes() if code in ("LC301", "LC303", "LC401"))
