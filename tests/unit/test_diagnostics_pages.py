"""The manual: a page a code, whose example fails with the code and whose repair passes."""

from __future__ import annotations

import pytest

from laycalc.diagnostics.codes import code_of, codes
from laycalc.diagnostics.model import Diagnostic
from laycalc.grammar.advice.suggest import WAYS
from laycalc.grammar.run.statements import run

NO_EXAMPLE = {"LC901", "LC421", "LC422", "LC423", "LC424"}
"""Nothing that somebody writes may fail so, or only a scan of a file says it."""


def drawn(text: str) -> list[str]:
    """The codes that a text draws; LC406 is said in the note of the error that it goes with."""
    found = []
    for outcome in run(text):
        for diagnostic in (*outcome.warnings, *([outcome.error] if outcome.error else []), *_finding(outcome.finding)):
            found.append(diagnostic.code)
            found += ["LC406" for note in diagnostic.notes if "(LC406)" in note]
    return found


def _finding(finding: object) -> list[object]:
    return [finding] if finding is not None else []


@pytest.mark.parametrize("code", codes())
def test_every_code_says_what_it_is(code: str) -> None:
    found = code_of(code)
    assert found.name and found.title and set(found.repairs) <= WAYS.keys()
    assert found.severity == ("warning" if code.startswith("LC4") else "error")
    assert found.page.startswith(f"# {code} {found.name}\n\n{found.title}.\n\n")
    assert all(len(line) <= 120 for line in found.page.splitlines())
    assert bool(found.example) == bool(found.repair) == (code not in NO_EXAMPLE)


@pytest.mark.parametrize("code", sorted(set(codes()) - NO_EXAMPLE))
def test_the_example_fails_and_the_repair_does_not(code: str) -> None:
    found = code_of(code)
    assert code in drawn(found.example)
    assert drawn(found.repair) == []


def test_names_of_codes_differ() -> None:
    assert len({code.name for code in codes().values()}) == len(codes())


def test_a_diagnostic_takes_name_and_severity_from_its_code() -> None:
    found = Diagnostic("LC401", "the tiles cover more")
    assert (found.name, found.severity, found.exit_code) == ("ragged", "warning", 0)
    denied = found.replace(severity="error")
    assert (denied.name, denied.severity, denied.exit_code) == ("ragged", "error", 1)
    assert Diagnostic("LC901", "").exit_code == 3


def test_an_unknown_code_is_no_code() -> None:
    with pytest.raises(KeyError, match="LC999"):
        code_of("LC999")
