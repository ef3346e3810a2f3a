"""What is said of unknown numbers: equalities, merges, refusals, tuples of one, coordinates, many symbols."""

from __future__ import annotations

import pytest

from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import Outcome, run


def last(text: str, scope: Scope | None = None) -> Outcome:
    *_, outcome = run(text, scope)
    return outcome


def said(text: str) -> list[str]:
    """The lines of the answer, blanks made single."""
    outcome = last(text)
    assert outcome.error is None, outcome.error
    return [" ".join(line.split()) for line in str(outcome.report).splitlines()]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("assume N == 4; (4,8):(1,N) o 4:3", "4:3"),
        ("assume N == 4; right_inverse((4,3):(1,N))", "12:1"),
        ("assume M == 4*N; (2,N,4):(1,2,M) / 2", "(2,(N,4)):(1,(2,M))"),
        ("assume M == 2*N, N == 3; (2,M):(N,M) o 2", "2:N"),
        ("assume M*N == 1; (M,N,4):(N,4,1) o 4", "4:1"),
    ],
)
def test_an_equality_among_the_facts_is_used(text: str, value: str) -> None:
    outcome = last(text)
    assert outcome.report is not None
    assert (outcome.report.verdict, text_of(outcome.report.value)) == ("proven", value)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("(2,6):(1,N) o 3:3", ["3:3", "if N == 2 else refused (LC301)"]),
        ("(6,8):(1,N) / 4:1", ["(4,12):(1,4)", "if N == 6 else refused (LC301)"]),
        ("right_inverse((4,3):(1,N))", ["4:1", "if N != 4 else another value", "when N == 4: 12:1"]),
    ],
)
def test_numbers_at_which_modes_merge_have_their_answer(text: str, answer: list[str]) -> None:
    assert said(text) == answer


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("(4,6):(2,7*N) o 4:3", "refused for all values of N"),
        # At every number the last tile reads outside, or there is no answer.
        ("(3,(1)):(2*N,(3)) / 8:2", "exact for no values of N; some may be ragged"),
        # A stride of 0 makes up for an inexact cut, here only where N is 1.
        ("(2,N):(0,1) o 3:3", "refused for the values of N that were tried; others may be right by coincidence"),
    ],
)
def test_a_refusal_says_no_more_than_was_proven(text: str, note: str) -> None:
    outcome = last(text)
    assert outcome.error is not None
    assert outcome.error.notes == (note,)


def test_a_condition_says_what_may_be_on_its_other_side() -> None:
    assert said("(N,1):(1,2) / 2:2")[-1] == "if 4 | N else refused or ragged (LC303)"
    assert last("(N,1):(1,2) / 2:2", Scope(names={"N": 9})).warnings[0].code == "LC401"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(3*K):(K*s) o <5>", "(5):(K*s,)"),
        ("shape((M*K,):(1,))", "(K*M,)"),
        ("shape((M+1,2):(1,7))", "(M+1,2)"),
        ("((M,),(N/4,)):((1,),(M,))", "((M),(N/4,)):((1),(M))"),
        ("(4):(N*e0,)", "(4):(N*e0,)"),
        ("(ceil(M/4),):(1,)", "(ceil(M/4),):(1)"),
        ("(M,)", "(M)"),
        ("slice((4,8):(N*e0,e1), (1,_))", "{(N,0)} o 8:e1"),
    ],
)
def test_a_value_with_one_expression_in_brackets_reads_back(text: str, value: str) -> None:
    outcome = last(text)
    assert outcome.error is None, outcome.error
    assert text_of(outcome.value) == value
    again = last(value)
    assert again.error is None, again.error
    assert text_of(again.value) == value


def test_a_complement_says_the_same_of_numbers_and_of_unknowns() -> None:
    number = last("complement(3:8, 16)")
    assert text_of(number.value) == "8:1"
    assert [warning.code for warning in number.warnings] == ["LC401"]
    for multiple in ("4 | d", "d == 8"):
        report = last(f"assume {multiple}; complement(3:d, 16)").report
        assert report is not None
        assert (report.verdict, report.main.status, report.main.codes) == ("refuted", "ragged", ("LC401",))
    assert not last("complement(3:8, 48)").warnings
    assert said("complement(3:8, N)")[1:] == ["if 24 | N complement else ragged (LC401)"]
    # A divide says itself what its tiles cover.
    assert [warning.code for warning in last("10:1 / 4").warnings] == ["LC401"]
    by_axis = last("complement((4,8):(e0,e1), (10,8))")
    assert [warning.code for warning in by_axis.warnings] == ["LC401"]


def test_a_coordinate_is_inside() -> None:
    known = "assume 128 | M, 64 | K; "
    tile = "local_tile((M,K):(K,1), (128,64), (m,_))"
    assert said(known + tile) == ["{128*K*m} o (128,64,K/64):(K,1,64)", "if 128*m < M else not known (LC106)"]
    report = last(f"{known}assume 128*m < M; {tile}").report
    assert report is not None
    assert report.verdict == "proven"
    assert said(f"{known}((M,K):(K,1) / <128,64>)((0,m), _)")[1:] == ["if 128*m < M else not known (LC106)"]
    assert said(f"{known}local_tile((M,K):(K,1), (128,64), (0,_))") == ["{0} o (128,64,K/64):(K,1,64)"]
    # The form of a layout that is written out is that of the numbers, outside of it too.
    assert said("((M,N):(1,ld))(i,j)") == ["j*ld+i"]


def test_five_modes_with_unknown_strides_and_their_tiles() -> None:
    report = last("zipped_divide((a,b,c,d,e):(s,t,u,v,w), <A,B,C,D,E>)").report
    assert report is not None
    assert report.condition == "A | a, B | b, C | c, D | d, E | e"
    assert len(report.symbols) == 15
    too_many = last("(a,b,c,d,e,f,g,h,i):(j,k,l,m,n,p,q,r,s)")
    assert too_many.error is not None
    assert too_many.error.code == "LC104"
