"""Questions of users, asked as they asked them."""

from __future__ import annotations

import pytest
from golden.facts import load

from laycalc.diagnostics.model import Failure
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import evaluate

IDENTS = ["V01", "V04", "V06", "V08", "V10", "V12", "V14", "V23", "V25", "V27", "V31", "V38", "V44", "V49", "V59"]
CASES = {case["id"]: case for case in load("user_cases_more.jsonl")}


@pytest.mark.parametrize("ident", IDENTS)
def test_a_question_has_its_answer(ident: str) -> None:
    assert text_of(evaluate(CASES[ident]["input"])) == CASES[ident]["expected"]


def test_a_coordinate_that_is_deeper_than_the_shape_is_refused() -> None:
    with pytest.raises(Failure) as caught:
        evaluate(CASES["V53"]["input"])
    assert caught.value.diagnostic.code == "LC205"
    assert "((?,?))" in caught.value.diagnostic.message
