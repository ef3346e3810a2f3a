"""What the type checker says about a program that uses the library."""

from __future__ import annotations

from pathlib import Path

from mypy import api

ROOT = Path(__file__).resolve().parents[2]


def test_a_users_program_has_real_types() -> None:
    sample = ROOT / "tests" / "typed" / "sample.py"
    # Strict: an error that the sample expects and that does not come is an error, too.
    told, _, status = api.run(["--config-file", str(ROOT / "pyproject.toml"), str(sample)])
    assert status == 0, told
