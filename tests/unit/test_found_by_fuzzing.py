"""What fuzzing found, each once."""

from __future__ import annotations

import pytest

from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import run


def last(text: str) -> str:
    """The text of the last value, or the code of the error."""
    *_, outcome = run(text, Scope())
    if outcome.error is not None:
        return outcome.error.code
    return text_of(outcome.value) if outcome.report is None else str(outcome.report)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("composition(8:1, 4:1, 2:1)", "2:1"),
        ("coalesce((2,2):(1,2), 2)", "4:1"),
        ("2:e0 * 2", "(2,2):(e0,2e0)"),
        ("disjoint({e1} o 2:e1, 2:e0)", "true"),
        ("admissible(1:4e1, 4:e0)", "true"),
        ("admissible(2:e1, 4:e0)", "false"),
        ("disjoint(2:e0, (2,2):(e0,e1))", "false"),
        ("left_inverse(Sw<2,0,3> o (2,2):(6,2))", "(2,3,2):(0,2,1)"),
        ("{3} o 4:e0", "LC203"),
        ("rank[0]((2,2):(1,2))", "LC103"),
        ("make_layout_tv[1]((16,8):(e0,e1), 4:1)", "LC203"),
        ("max_alignment({0} o 4:1)", "LC103"),
        ("upcast({16} o 8:-1, 8)", "LC312"),
        ("upcast({16} o 1000000000:-8, 8)", "LC104"),
        ("upcast({16} o 8:-8, 8)", "{2} o 8:-1"),
        ("upcast(Sw<2,2,3> o 8 o 2:-1, 2)", "LC312"),
        ("coords(100000000)", "LC104"),
        ("lexicographic((3000,3000))", "LC104"),
        ("tv_table((4,4):(1,4), (3000,3000))", "LC104"),
        ("idx2crd(5, (0,4))", "LC202"),
        ("complement(4:1, 0)", "LC202"),
        ("{f3} o 4:1", "LC203"),
        ("{0} o 4:e0", "{(0)} o 4:e0"),
        ("x = M:1; x = x o 2; x", "2:1"),
        ("y = M:1; x = y; y = N:2; x", "M:1"),
        ("equal(N:1, 16:1)", "true\nif N == 16  else refused (LC501)"),
        ("is_identity(8:1, N)", "true\nif N == 8  else refused (LC501)"),
    ],
)
def test_answers(text: str, answer: str) -> None:
    assert last(text) == answer


@pytest.mark.parametrize("text", ["assume 8 | N; N - 8 | 6", "logical_product_layouts(2:2, 2:n)"])
def test_no_fault_of_ours(text: str) -> None:
    assert last(text) != "LC901"


def test_the_layout_of_narrow_elements_asks_which_mode_is_contiguous() -> None:
    assert "when N == 1: (2*M,1):(1,2)" in last("downcast((M,N):(N,1), 2)")


def test_an_unknown_order_orders_nothing() -> None:
    assert last("make_ordered_layout((4,8), (P,Q))").startswith("gave up")


def test_a_trial_makes_no_remarks() -> None:
    (outcome,) = run("(4,6):(1,3) / (2,4):(1,2)", Scope())
    assert [w.code for w in outcome.warnings] == ["LC403"]
