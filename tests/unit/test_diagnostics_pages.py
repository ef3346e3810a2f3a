"""The manual: a page a code, whose example fails with the code and whose repair passes."""

from __future__ import annotations

import pytest

from laycalc.diagnostics.codes import CODES
from laycalc.diagnostics.manual import page, read
from laycalc.grammar.run.statements import run

NO_EXAMPLE = {"LC901"}
"""Nothing that somebody writes may fail so."""


def codes(text: str) -> list[str]:
    """The codes that a text draws; LC406 is said in the note of the error that it goes with."""
    found = []
    for outcome in run(text):
        for diagnostic in (*outcome.warnings, *([outcome.error] if outcome.error else []), *_finding(outcome.finding)):
            found.append(diagnostic.code)
            found += ["LC406" for note in diagnostic.notes if "(LC406)" in note]
    return found


def _finding(finding: object) -> list[object]:
    return [finding] if finding is not None else []


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_page(code: str) -> None:
    text = page(code)
    assert text.startswith(f"# {code} {CODES[code].name}\n\n{CODES[code].title}.\n")
    assert all(len(line) <= 120 for line in text.splitlines())
    found = read(code)
    assert bool(found.example) == bool(found.repair) == (code not in NO_EXAMPLE)


@pytest.mark.parametrize("code", sorted(set(CODES) - NO_EXAMPLE))
def test_the_example_fails_and_the_repair_does_not(code: str) -> None:
    found = read(code)
    assert code in codes(found.example)
    assert codes(found.repair) == []


def test_there_is_no_page_without_a_code() -> None:
    from importlib.resources import files

    names = {entry.name for entry in files("laycalc.diagnostics").joinpath("pages").iterdir()}
    assert names == {f"{code}.md" for code in CODES}
