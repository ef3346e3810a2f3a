"""Unknown extents: numbers, assumptions, reports, sweeps, and what they are not for."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from symbolic_evaluator import assumptions, program

from laycalc.algebra.base.decide import active_decider
from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.operations.divide import logical_divide
from laycalc.algebra.operations.image import image
from laycalc.algebra.symbolic import (
    Assumptions,
    Facts,
    Poly,
    Report,
    Symbols,
    claim,
    explore,
    form_matters,
    reading,
    sweep,
    symbol,
    unknown,
)
from laycalc.algebra.symbolic.quotient import over
from laycalc.algebra.symbolic.search import Search
from laycalc.algebra.values.coalesce import coalesce
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.semimodule import Coordinate, Xor

K, M, N = map(symbol, "KMN")
with reading():
    REST, SHORT, QUARTER = M % 128, (M * N + 128 * N) % 128, M % 4


def explored(text: str, *lines: str, **options: Any) -> Report:
    return explore(program(text), assumptions(list(lines)), **options)


def code(action: Callable[[], Any]) -> str:
    with pytest.raises(LayoutError) as caught:
        action()
    return caught.value.code


# -- numbers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (2 * M * N + 3, "2*M*N+3"),
        (over(M, 128), "M/128"),
        (over(K * M, 64 * N), "K*M/(64*N)"),
        (over(M + 16, 32), "(M+16)/32"),
        (M * M - M + 1, "M*M-M+1"),
        (-M, "-M"),
        (over(M, 2) + over(N, 3), "(3*M+2*N)/6"),
        (REST, "M-128*floor(M/128)"),
        (SHORT, "M*N-128*floor(M*N/128)"),
    ],
)
def test_text(number: Any, text: str) -> None:
    assert str(number) == text


def test_constants_are_integers() -> None:
    assert type(M - M) is int
    assert (M + 1) - M == 1
    assert over(4 * M, 2 * M) == 2
    assert (M == 1) is False
    assert {M + 1: "found"}[1 + M] == "found"


def test_layouts_print_their_numbers() -> None:
    assert str(Layout((128, over(M, 128)), (1, 128))) == "(128,M/128):(1,128)"
    assert str(Layout(16 * N, 1)) == "(16*N):1"
    assert str(Layout(4, 2 * N)) == "4:(2*N)"
    assert str(Layout((M, 4), (N * Coordinate.of([((0,), 1)]), Coordinate.of([((1,), 8)])))) == "(M,4):(N*e0,8e1)"


def test_a_number_survives_pickling() -> None:
    number = over(M * 3 + 1, 2) + QUARTER
    assert pickle.loads(pickle.dumps(number)) == number


def test_a_question_without_a_context_needs_a_value() -> None:
    for action in (
        lambda: M < 3,
        lambda: int(M),
        lambda: range(M),
        lambda: M ^ 1,
        lambda: M // 2,
        lambda: divmod(7, M),
    ):
        assert code(action) == "LC106"


def test_xor_strides_have_numbers_only() -> None:
    assert code(lambda: M * Xor(3)) == "LC203"
    assert code(lambda: Layout((2, 2), (Xor(1), M))) == "LC203"
    assert code(lambda: 2 * Xor(3) * M) == "LC203"


def test_limits() -> None:
    power: Any = M
    for _ in range(15):
        power = power * M
    assert code(lambda: power * M) == "LC104"
    symbols = Symbols()
    for name in "abcdefghjklmnopq":
        symbols[name]
    assert code(lambda: symbols["i"]) == "LC104"
    assert code(lambda: sum((symbol(f"x{i}") for i in range(65)), start=0)) == "LC104"


# -- assumptions ---------------------------------------------------------------------------------------------------


def test_a_contradiction_names_both_statements() -> None:
    with pytest.raises(LayoutError) as caught:
        assumptions(["K >= 2", "M % 32 == 1", "64 | M"])
    assert caught.value.code == "LC502"
    assert caught.value.facts["first"] == "M % 32 == 1"
    assert caught.value.facts["second"] == "64 | M"
    assert caught.value.facts["lines"] == (1,)
    with pytest.raises(LayoutError, match="no integers satisfy 2 == 3"):
        assumptions(["2 == 3"])


def test_a_contradiction_of_three_names_all() -> None:
    with pytest.raises(LayoutError) as caught:
        assumptions(["M == 2*N", "K == M", "K % 2 == 1"])
    assert caught.value.facts["first"] == "M == 2*N, K == M"


def test_a_table_of_sizes_that_violates_an_assumption() -> None:
    known = Assumptions().assume(claim("in", N, range(1, 9)), "N in {1..8}")
    assert code(lambda: known.assume(claim("|", 32, N), "N % 32 == 0")) == "LC502"


def test_a_stride_may_be_zero_if_it_is_said_so() -> None:
    assert Assumptions().facts.at_least_zero(M - 1)
    known = assumptions(["w >= 0"])
    assert known.facts.at_least_zero(symbol("w") - 1) is None
    report = explored("(M,4):(1,w) o (M,4):(1,M)", "w >= 0")
    assert report.verdict == "proven"
    assert code(lambda: assumptions(["w >= -1"])) == "LC106"


def test_what_is_no_claim() -> None:
    assert code(lambda: claim("==", Layout(4, 1), M)) == "LC103"
    assert code(lambda: claim("in", M + 1, (1, 2))) == "LC103"
    assert code(lambda: claim("~", M, 1)) == "LC103"


def test_unknown_extents_of_pasted_forms() -> None:
    first, divisor = unknown(1, 64)
    assert str(first) == "?1"
    assert divisor is not None
    known = Assumptions().assume(divisor)
    assert known.facts.divisor(3 * first) == 192
    assert unknown(2)[1] is None
    assert Facts().divisor(coalesce(Layout((192, first), (1, 192))).shape) == 192


# -- reports -------------------------------------------------------------------------------------------------------


def test_a_report_in_words() -> None:
    report = explored("(M,K):(K,1) / <128,64>")
    assert str(report).splitlines() == [
        "((128,M/128),(64,K/64)):((K,128*K),(1,64))",
        "if 128 | M  mode 0: tile 128:1 against M:K  else ragged (LC401)",
        "   64 | K   mode 1: tile 64:1 against K:1   else ragged (LC401)",
    ]
    assert report.condition == "128 | M, 64 | K"
    assert report.code == "LC503"
    assert not report.is_clean
    assert report.counterexample is not None
    assert report.counterexample.at == {"K": 1, "M": 1}


def test_a_report_as_data() -> None:
    report = explored("(16,8):(1,100) o N:1", "N % 4 == 0")
    data = json.loads(json.dumps(report.as_json()))
    assert data["symbols"] == ["N"]
    assert data["assumptions"] == ["N % 4 == 0"]
    assert data["verdict"] == "valid-iff"
    assert data["value"] == "(16,N/16):(1,100)"
    exact = data["obligations"][1]
    assert (exact["text"], exact["kind"], exact["code"]) == ("16 | N", "needs", "LC302")
    assert (exact["op"], exact["left_path"], exact["right_path"]) == ("composition", [0], [])
    assert data["counterexample"]["at"] == {"N": 20}
    assert {case["status"] for case in data["cases"]} == {"ok", "refused"}


def test_the_assumptions_that_were_used() -> None:
    assert explored("(M,K):(K,1) / <128,64>", "N % 128 == 0", "M % 128 == 0", "K >= 64").used == (1, 2)
    assert explored("(M,K):(K,1) / <128,64>", "N % 128 == 0", "64 | K").used == (1,)


def test_every_clean_case_counts() -> None:
    report = explored("(16,8):(1,100) o N:1")
    assert [list(map(str, when)) for when in report.alternatives] == [["N >= 17", "16 | N"], ["N <= 16"]]
    assert report.missing == "16 | N"
    assert explored("(16,8):(1,100) o N:1", report.missing).is_clean


def test_a_condition_in_the_value_of_a_case() -> None:
    report = explored("(M,N):(1,ld) o 3:1", "N <= 3")
    assert "3:ld" in {str(case.value) for case in report.cases}


def test_symbolic_tiles() -> None:
    report = explored("(M,K):(K,1) / <BM,BK>")
    assert str(report.value) == "((BM,M/BM),(BK,K/BK)):((K,BM*K),(1,BK))"
    assert report.condition == "BM | M, BK | K"
    many = explored("zipped_divide((12,(4,8)):(7,(1,30)), T)")
    assert many.verdict == "valid-iff"
    assert len(many.cases) <= 10


def test_evaluation_and_slices() -> None:
    assert str(explored("((M,N):(1,ld))(1,2)").value) == "2*ld+1"
    assert str(explored("((M,N):(1,ld))(i,_)").value) == "{i} o N:ld"
    # One formula holds for every M; where 5 < M it is 5.
    report = explored("((M,N):(1,ld))(5)")
    assert report.verdict == "proven"
    assert str(report.value) == "-M*floor(5/M)+floor(5/M)*ld+5"
    assert str(explored("((M,N):(1,ld))(5)", "M >= 6").value) == "5"
    assert str(explored("((M,N):(1,ld))(12)", "M in {2, 4, 6}").value) == "12*ld/M"


def test_ragged_tiles_are_accepted_on_request() -> None:
    report = explored("(M,K):(K,1) / <64,8>", ragged=True)
    assert report.verdict == "proven"
    assert str(report).splitlines()[1:] == ["ragged unless 64 | M", "ragged unless 8 | K"]


def test_an_operation_that_needs_values_gives_up() -> None:
    report = explore(lambda n: image(Layout((n["M"], 4), (n["N"], 1))))
    assert report.verdict == "gives-up"
    assert report.code == "LC504"
    assert report.offer == ("M=1..32", "N=1..32")
    assert str(report).splitlines()[-1] == "try a sweep: --sweep M=1..32 --sweep N=1..32"


def test_the_form_of_a_coalesced_layout_is_decided_where_it_matters() -> None:
    assert explored("coalesce((M,N):(1,ld)) === (M,N):(1,ld)").verdict == "proven"
    report = explored("coalesce((M,N):(1,ld)) == (M,N):(1,ld)")
    assert report.verdict == "valid-iff"
    assert {"M != ld", "M != 1", "N != 1"} == set(map(str, report.main.when if report.main else ()))


def test_a_right_inverse_does_not_depend_on_a_merge_that_was_passed_over() -> None:
    report = explored("right_inverse((M,M,4):(M,4,1))")
    for m in range(1, 9):
        (case,) = [
            case
            for case in (report.main, *report.cases)
            if case is not None and all(condition.true_at({"M": m}) for condition in case.when)
        ]
        assert case.status == "ok"


def test_a_refusal_is_not_due_to_a_merge_that_was_passed_over() -> None:
    report = explored("(3,N):(x,y) o (4,K):(1,3)", "N % 3 == 0, N >= 3")
    assert report.condition == "3*x == y"


def test_a_cycle_of_equalities() -> None:
    known = assumptions(["M == N", "N == K", "K == M"])
    assert known.facts.is_zero(M - K)
    assert explored("(M,N):(1,K)", "M == N", "N == K", "K == M").verdict == "proven"


def test_a_program_that_contradicts_itself_is_our_own_fault() -> None:
    def lies(n: Mapping[str, Any]) -> Any:
        return Layout(n["M"] if isinstance(n["M"], Poly) else n["M"] + 1, 1)

    assert code(lambda: explore(lies)) == "LC901"


def test_the_context_is_left_as_it_was() -> None:
    before = active_decider.get()
    explored("(M,K):(K,1) / <128,64>")
    assert active_decider.get() is before
    form_matters()


def test_the_work_of_a_search_ends_it() -> None:
    report = explored("(K,8,2):(2,ld,w) / (6,N):(1,M)", steps=500)
    assert report.verdict in ("valid-if", "gives-up")
    assert any(case.status == "open" for case in report.cases)
    assert "not explored" in next(case.why for case in report.cases if case.status == "open")


# -- parts of an operation -----------------------------------------------------------------------------------------


def by_mode(layout: Layout, *tile: int) -> Layout:
    """A divide whose modes are explored apart."""
    run = active_decider.get()
    if not hasattr(run, "apart"):
        return concat(*map(logical_divide, layout.modes(), tile))
    return concat(
        *(run.apart(i, logical_divide, *pair) for i, pair in enumerate(zip(layout.modes(), tile, strict=True)))
    )


def test_modes_are_explored_apart() -> None:
    names, tile = "ABCDEF", (8, 3, 16, 5, 4, 7)

    def divided(n: Mapping[str, Any]) -> Layout:
        return by_mode(Layout(tuple(n[x] for x in names), tuple(range(1, 7))), *tile)

    report = explore(divided)
    assert report.verdict == "valid-iff"
    assert report.condition == "8 | A, 3 | B, 16 | C, 5 | D, 4 | E, 7 | F"
    assert len(report.cases) == 6
    assert report.obligations[5].source == "mode 5: tile 7:1 against F:6"
    search = Search(divided, Facts())
    search.tree()
    assert search.runs <= 6 * 3 + 2**6


def test_a_refusal_in_one_part_says_which() -> None:
    def composed(n: Mapping[str, Any]) -> Layout:
        from laycalc.algebra.operations.composition import composition

        run = active_decider.get()
        left = Layout((16, (16, 8)), (1, (1, 100)))
        if not hasattr(run, "apart"):
            return concat(composition(left[0], 4), composition(left[1], n["N"]))
        return concat(run.apart(0, composition, left[0], 4), run.apart(1, composition, left[1], n["N"]))

    report = explore(composed)
    assert report.condition == "N >= 17, 16 | N"
    assert report.obligations[1].code == "LC302"


# -- sweeps --------------------------------------------------------------------------------------------------------


def test_a_sweep_over_everything_is_a_proof() -> None:
    text = "(M,K):(K,1) / <64,_>"
    known = assumptions(["M in {64, 128, 192}", "K <= 4"])
    found = sweep(program(text), {"M": (64, 128, 192), "K": range(1, 5)}, known)
    assert (found.verdict, found.tried, str(found)) == ("proven", 12, "proven by 12 values")
    part = sweep(program(text), {"M": (64, 128), "K": range(1, 5)}, known)
    assert (part.verdict, str(part)) == ("unproven", "no counterexample in 8 values")


def test_a_sweep_counts_and_shows_the_first_failure() -> None:
    found = sweep(program("(16,8):(1,100) o N:1"), {"N": range(1, 41)})
    assert (found.clean, found.refused, found.verdict) == (17, 23, "failed")
    assert found.failure is not None
    assert (found.failure.at, found.failure.code) == ({"N": 17}, "LC302")
    assert json.loads(json.dumps(found.as_json()))["failure"]["at"] == {"N": 17}
    assert sweep(program("M:1 / 64"), {"M": range(1, 10)}, assumptions(["M <= 9"])).verdict == "refuted"


def test_limits_of_a_sweep() -> None:
    assert code(lambda: sweep(program("M:1"), {"M": range(1, 10_002)})) == "LC104"
    assert code(lambda: sweep(program("(M,N):(1,M)"), {"M": (1, 2)})) == "LC106"


# -- start ---------------------------------------------------------------------------------------------------------


def test_nothing_symbolic_is_imported_for_numbers() -> None:
    text = (
        "import laycalc, sys; laycalc.eval('(8,16):(20,1) / <4:1,8:2>'); print([m for m in sys.modules if 'symb' in m])"
    )
    found = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
