"""What type checkers say about a program that uses the library."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "tests" / "typed" / "sample.py"


def test_a_users_program_has_real_types() -> None:
    # Strict: an error that the sample expects and that does not come is an error, too.
    told, _, status = api.run(["--config-file", str(ROOT / "pyproject.toml"), str(SAMPLE)])
    assert status == 0, told


def test_pyright_says_the_same() -> None:
    pytest.importorskip("basedpyright", reason="basedpyright is in the test extra")
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, str(SAMPLE)]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    wrong = {d["range"]["start"]["line"] for d in found["generalDiagnostics"] if d["severity"] == "error"}
    lines = SAMPLE.read_text("utf-8").splitlines()
    assert wrong == {i for i, line in enumerate(lines) if "# type: ignore" in line}, found["generalDiagnostics"]
