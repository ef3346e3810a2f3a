"""What CONTRIBUTING says of adding: a function, a form, a family, a picture, a task and a code are a file each."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("algebra", "atoms", "design", "diagnostics", "grammar", "render", "playground", "lsp", "cli", "laycalc")

FILES = {
    "algebra/questions/smallest.py": '''
from ..base.words import word
from ..values.layout import Layout


@word("""
    values: smallest(L: layout)
    the smallest value
    law: R <= L(i)
    smallest((4,8):(1,4))
""")
def smallest(layout: Layout) -> int:
    return min(layout.values())
''',
    "grammar/forms/documents/toy.py": """
from ..reading.form import Form
from ..reading.reading import Reading


def recognise(text):
    return text.startswith("toy ")


def read(text, shape=None):
    return Reading("toy", text.removeprefix("toy "), source=text)


FORM = Form(name="toy", title="a toy", example="toy 4:1", marks=("toy ",), recognise=recognise, read=read)
""",
    "atoms/instructions/families/toy.py": """
from laycalc.algebra.values.layout import Layout

from ..family import Family
from ..record import Atom, Entry

FAMILY = Family(place=7)


def entries():
    yield Entry("TOY_4", "toy", "TOY", "copy", None, 4, None, "toy", None)


def aliases(entry):
    return ()


def atom(entry):
    return Atom(name="TOY_4", vendor="toy", arch="TOY", kind="copy", threads=4, thr_id=Layout(4, 1))
""",
    "render/kinds/ribbon.py": """
from .grid import grid_scene
from ..scene.records import Picture


def ribbon_scene(value, options):
    return grid_scene(value, options)


RIBBON = Picture("ribbon", "a layout of rank 1", ribbon_scene)
""",
    "design/tasks/toy.py": """
from ..base.task import Task

TASK = Task("toy", "a toy", ("L",), lambda task, read: {"size": read(task["L"]).size})
""",
    "diagnostics/pages/LC399.md": """---
name: toy
title: A toy
severity: error
left: "a toy mode"
---

A toy.
""",
}

USES = """
from laycalc.atoms.instructions.catalogue import atom, entries
from laycalc.design.answering import answer
from laycalc.diagnostics.model import Diagnostic
from laycalc.grammar.run.statements import evaluate
from laycalc.render.draw import draw

assert evaluate("smallest((4,8):(1,4))") == 0
assert str(evaluate("toy 4:1")) == "4:1"
assert atom("toy_4").threads == 4
assert any(e.name == "TOY_4" for e in entries())
assert draw(evaluate("4:1"), kind="ribbon").startswith("<svg")
assert answer({"kind": "toy", "L": "(4,8):(1,4)"}, evaluate) == {"size": 32}
assert Diagnostic("LC399", "a toy").name == "toy"
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a checkout needs symbolic links")
def test_each_addition_is_one_file(tmp_path: Path) -> None:
    for room in ROOMS:
        shutil.copytree(ROOT / room, tmp_path / room, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in FILES.items():
        (tmp_path / name).write_text(text.removeprefix("\n"), encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    for command in (["-m", "laycalc.generate"], ["-c", USES]):
        done = subprocess.run(
            [sys.executable, "-P", *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
