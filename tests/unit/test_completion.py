"""What the tab key offers: kinds, formats, forms, themes, codes, functions, atoms; and the script of each shell."""

from __future__ import annotations

import pytest
from program import laycalc


def offered(line: str) -> list[str]:
    """What bash is offered for the last word of a line."""
    words = line.split(" ")
    env = {"_LAYCALC_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return laycalc(env=env).stdout.split()


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("laycalc che", "check"),
        ("laycalc draw 4:1 --kind lay", "layout"),
        ("laycalc draw 4:1 --format sv", "svg"),
        ("laycalc draw 4:1 --theme da", "dark"),
        ("laycalc to num", "numpy"),
        ("laycalc from x --form num", "numpy"),
        ("laycalc help coal", "coalesce"),
        ("laycalc explain LC30", "LC301"),
        ("laycalc check --deny LC40", "LC401"),
        ("laycalc check --format sa", "sarif"),
        ("laycalc atom SM80_16x8x16_F32F", "SM80_16x8x16_F32F16F16F32_TN"),
    ],
)
def test_values_are_completed(line: str, first: str) -> None:
    assert offered(line)[0] == first


@pytest.mark.parametrize(
    ("shell", "mark"), [("bash", "complete -o"), ("zsh", "#compdef"), ("fish", "--command laycalc")]
)
def test_the_script_is_that_of_the_shell_that_is_named(shell: str, mark: str) -> None:
    assert mark in laycalc("--show-completion", shell, env={"SHELL": "/bin/bash"}).stdout


def test_another_shell_is_refused() -> None:
    done = laycalc("--show-completion", "tcsh")
    assert (done.returncode, done.stdout) == (2, "")
    assert "zsh" in done.stderr
