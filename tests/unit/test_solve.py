"""solve in the language, `laycalc solve` and `laycalc design --jsonl`: answers, refusals, unknowns, odd input."""

from __future__ import annotations

import json
from typing import Any

import pytest
from program import laycalc

from laycalc.algebra.equations.asking import broken_at, solution
from laycalc.algebra.equations.solution import UNDECIDED, refusal
from laycalc.diagnostics.model import Failure
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import evaluate

ANSWERS = {
    "solve((4,8):(1,8), (2,2):(1,16))": "(2,2):(1,8)",
    "solve((4,8):(e0,e1), 4:2e1)": "4:8",
    "solve({3} o 8:1, {5} o 4:1)": "{2} o 4:1",
    "solve(Sw<3,3,3> o 0 o (64,64):(64,1), (8,8):(1,64))": "(8,8):(64,513)",
    "solve((4,8):(f8,f1), 8:f1)": "8:4",
    "solve_left((4,6):(8,1), (4,6):(6,1))": "(6,4):(1,8)",
    "solve_left((4,6):(8,1), (4,6):(e1,e0))": "(6,4):(1,8)",
    "solve_left((4,6):(e1,2e0), (4,6):(6,1))": "(6,4):(2e0,e1)",
    "solve_left(Sw<3,3,3> o 0 o (8,64):(64,1), (8,64):(64,1))": "Sw<3,3,3> o 0 o 512:1",
    "solve_left(4:1, {3} o 4:1)": "(3,2,2):(1,0,3)",
    "solve_left(4:1, {1} o 4:1)": "{-1} o 5:1",
    "solve_left((2,2):(10,1), (2,2):(2,3))": "(3,2):(5,1)",
    "solve((99999,99999):(1,99999), (3,4):(99999,1))": "(3,4):(99999,1)",
    "solve_divide(24:1, (8,3):(3,1))": "8:3",
    "solve_divide(24:1, 24:1)": "24:1",
    "solve_divide((4,6):(6,1), ((2,2),6):((6,12),1))": "<2:1,_>",
    "solve_divide({5} o 24:1, {5} o (8,3):(3,1))": "8:3",
    "solve_divide((9000,9000):(9000,1), ((90,100),(9,1000)):((9000,810000),(1,9)))": "<90:1,9:1>",
}

REFUSED = {
    "solve((4,8):(1,8), 4:2)": ("LC316", {"index": 2, "value": 4}),
    "solve(8:2, 8:4)": ("LC316", {"index": 4, "value": 16, "outside": "8:2"}),
    "solve((4,8):(e0,e1), 4:1)": ("LC316", {"index": 1, "value": 1}),
    "solve((8,8):(f2,f16), 8:f1)": ("LC316", {"index": 1, "value": 1}),
    "solve_left((3,3):(1,3), (3,3):(1,1))": ("LC316", {"index": 1, "other": 3, "indices": [1, 3]}),
    "solve((4,8):(e0,e1), {(9,9)} o 4:e0)": ("LC316", {"index": 0, "value": "9e0+9e1"}),
    "solve_left(8:1, 4:1)": ("LC316", {"sizes": [4, 8]}),
    "solve_left(4:1, 4:-1)": ("LC316", {"index": 1}),
    "solve((4,4):(4,1), 4:3)": ("LC317", {"table": [0, 12, 9, 6], "coordinate": 3}),
    "solve_left((3,3):(6,4), (3,3):(3,5))": ("LC317", {}),
    "solve((99999,99999):(1,1), 4:1)": ("LC306", {}),
    "solve_divide(24:1, (8,3):(3,2))": ("LC316", {}),
    "solve_divide(24:1, (8,3):(4,1))": ("LC316", {"index": 6, "value": 24}),
    "solve_divide((9000,9000):(9000,1), 4:9000)": ("LC316", {"rank": 1}),
}


@pytest.mark.parametrize(("text", "value"), ANSWERS.items())
def test_an_answer(text: str, value: str) -> None:
    assert str(evaluate(text)) == value


@pytest.mark.parametrize("text", REFUSED)
def test_a_refusal(text: str) -> None:
    code, facts = REFUSED[text]
    with pytest.raises(Failure) as refused:
        evaluate(text)
    assert refused.value.diagnostic.code == code
    assert refused.value.diagnostic.facts | facts == refused.value.diagnostic.facts


def test_unknown_extents_have_conditions() -> None:
    assert str(evaluate("solve((M,N):(N,1), (N,M):(1,N))")) == "(N,M):(M,1)"
    assert str(evaluate("solve_left((M,N):(N,1), (M,N):(1,M))")) == "(M,N):(N,1)"
    assert str(evaluate("solve((M,8):(8,1), (4,4):(8,2))")).splitlines() == [
        "(4,4):(1,2*M)",
        "if M >= 4  else refused (LC316)",
    ]


def test_a_choice_that_depends_on_unknowns_is_not_made() -> None:
    assert str(evaluate("solve((M,N):(0,1), N:1)")).splitlines()[1].endswith("else not known (LC106)")
    assert str(evaluate("solve_left((M,N):(N,1), (M,N):(1,2*M))")).splitlines()[1].endswith("else not known (LC106)")
    assert str(evaluate("solve_divide((M,8):(8,1), ((4,M/4),8):((8,32),1))")).startswith("<4:1,_>")
    assert "divided by mode" in str(evaluate("solve_divide((M,8):(8,1), (8,M):(M,1))"))


def test_a_search_that_ends_says_so() -> None:
    known, wanted = evaluate("(8,8,8):(7,71,1001)"), evaluate("(8,8,8):(5,9,1)")
    found = solution("o", known, wanted, on_left=True)
    assert found.verdict == UNDECIDED
    assert refusal(found, "solve_left").code == "LC104"


def test_the_law_tells_a_wrong_factor() -> None:
    a, c = evaluate("(4,8):(1,8)"), evaluate("(2,2):(1,16)")
    assert broken_at("o", a, evaluate("(2,2):(1,8)"), c) is None
    assert broken_at("o", a, evaluate("(2,2):(1,4)"), c) == 2
    assert broken_at("o", a, evaluate("2:1"), c) == 2
    assert broken_at("o", a, evaluate("<2,2>"), evaluate("(2,2):(1,8)")) is None
    assert broken_at("/", evaluate("24:1"), evaluate("8:3"), evaluate("(8,3):(3,1)")) is None
    assert broken_at("/", evaluate("24:1"), evaluate("4:3"), evaluate("(8,3):(3,1)")) == 4
    assert broken_at("o", evaluate("4:2"), evaluate("(2,4):(0,1)"), evaluate("4:1"), on_left=True) is None


# -- the command -------------------------------------------------------------------------------------------------

TOLD = {
    "(4,8):(1,8) o X == (2,2):(1,16)": "X = (2,2):(1,8)\n  it solves the equation at all 4 coordinates, and no other",
    "(2,2):(1,16) == (4,8):(1,8) o Y": "Y = (2,2):(1,8)\n",
    "X o (4,6):(6,1) == (4,6):(8,1)": "X = (6,4):(1,8)\n",
    "24:1 / X == (8,3):(3,1)": "X = 8:3\n",
    "(9,(4,8)):(59,(13,1)) / X == ((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))": "X = <3:3,(2,4):(1,8)>\n",
    "(8,16):(16,1) o X == (8,32):(16,1)": "X = <8:1,32:1>\n  it solves the equation at all 256 coordinates\n"
    "  it reaches past the end of a mode (LC402)\n",
    "((2,2),(2,4)):((0,1),(0,2)) o X == (2,4):(1,2)": "X = (2,4):(2,8)\n  it solves the equation at all 8 coordinates\n"
    "  free: any of 0, 1, 4, 5 may be added to the smallest index that has a value\n"
    "  by mode: <2:2,4:2>\n"
    "  3 more with as few modes: (2,4):(3,8), (2,4):(6,8), (2,4):(7,8)\n",
    "(M,N):(N,1) o X == (N,M):(1,N)": "X = (N,M):(M,1)\n",
    "X o Sw<3,3,3> o 0 o (8,64):(64,1) == (8,64):(64,1)": "X = Sw<3,3,3> o 0 o 512:1\n",
    "Sw<3,3,3> o 0 o (8,64):(64,1) o X == (8,8):(1,64)": "X = (8,8):(8,65)\n",
    "X o {1} o 4:1 == 4:1": "X = {-1} o 5:1\n",
    "(4:1) o (X) == (4:0)": "X = 4:0\n",
    "1:0 o X == 1:0": "X = 1:0\n  it solves the equation at its one coordinate, and no other function does\n",
    "(M,N):(N,1) / X == ((128,M/128),(64,N/64)):((N,128*N),(1,64))": "X = <128:1,64:1>\nif ",
    "(1999,2999):(2999,1) o X == (3,4):(2999,1)": "X = (3,4):(1,1999)\n",
}

UNFIT = {
    "4:1": "an equation has ==",
    "4:1 o 3:1 == 4:1": "with a name that nothing binds",
    "X o Y == 4:1": "one operand is unknown, not 2: X and Y",
    "X o X == 4:1": "one operand is unknown, not 2: X and X",
    "8:1 o X o 4:1 == 4:1": "X stands between two layouts",
    "X / 4:1 == 8:1": "only the tiler",
    "4 o X == 4:1": "is about layouts",
    "(4,8 o X == 4:1": "LC101",
}


@pytest.mark.parametrize(("equation", "told"), TOLD.items())
def test_what_is_told(equation: str, told: str) -> None:
    done = laycalc("solve", equation)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(told)


@pytest.mark.parametrize(("equation", "said"), UNFIT.items())
def test_what_is_no_equation(equation: str, said: str) -> None:
    done = laycalc("solve", equation)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_no_solution_is_a_finding() -> None:
    done = laycalc("solve", "(4,8):(1,8) o X == 4:2")
    assert (done.returncode, done.stdout) == (1, "")
    assert "LC316" in done.stderr and "C(2) = 4 is no value of A" in done.stderr
    asked = laycalc("solve", "(4,4):(4,1) o X == 4:3", "--json")
    assert asked.returncode == 1
    assert json.loads(asked.stdout)["witness"]["table"] == [0, 12, 9, 6]


def test_a_search_that_gives_up_is_a_finding() -> None:
    done = laycalc("solve", "(M,N):(N,1) / X == (N,M):(1,N)")
    assert done.returncode == 1
    assert "LC504" in done.stderr and "X =" not in done.stdout


def test_names_are_bound() -> None:
    assert laycalc("solve", "A o B == C", "-D", "A=8:1", "-D", "C=4:2").stdout.startswith("B = 4:2\n")
    found = json.loads(laycalc("solve", "A o B == 4:0", "-D", "A=8:0", "--json").stdout)
    assert (found["name"], found["value"], found["unique"], found["ok"]) == ("B", "4:0", False, True)
    assert evaluate("solve(A, 4:2)", Scope(names={"A": evaluate("8:1")})) == evaluate("4:2")


# -- tasks -------------------------------------------------------------------------------------------------------

ODD: dict[str, Any] = {
    "[]": "LC101",
    "x": "LC101",
    "[" * 100_000: "LC101",
    "{}": "LC103",
    '{"kind": ["left"]}': "LC103",
    '{"kind": "left", "A": "4:1"}': "LC103",
    '{"kind": "left", "A": 4, "C": "4:1"}': "LC103",
    '{"kind": "left", "A": "4", "C": "4:1"}': "LC103",
    '{"kind": "left", "A": "(4", "C": "4:1"}': "LC101",
    '{"kind": "left", "A": "", "C": "4:1"}': "LC101",
    '{"kind": "left", "A": "(M,4):(1,M)", "C": "4:1"}': "LC103",
    '{"kind": "tiler", "L": "4:1", "T": "4:1", "op": "x"}': "LC103",
    '{"kind": "right", "B": "(99999999,99999):(1,1)", "C": "4:1"}': "LC306",
}


def test_one_bad_line_never_stops_the_rest() -> None:
    good = '{"id": "g", "kind": "left", "A": "(4,8):(1,8)", "C": "(2,2):(1,16)"}'
    done = laycalc("design", "--jsonl", "-", stdin="\n\n".join([*ODD, good]))
    *bad, last = map(json.loads, done.stdout.splitlines())
    assert [line["error"]["code"] for line in bad] == list(ODD.values())
    assert last == {"id": "g", "X": "(2,2):(1,8)"}
    assert done.returncode == 2


def test_verdicts_are_answers() -> None:
    tasks = [
        {"id": 1, "kind": "left", "A": "8:2", "C": "8:4"},
        {"id": 2, "kind": "right", "B": "(3,3):(1,1)", "C": "(3,3):(1,3)"},
        {"id": 3, "kind": "tiler", "op": "compose", "L": "(8,16):(16,1)", "T": "(8,32):(16,1)"},
    ]
    done = laycalc("design", "--jsonl", "-", stdin="\n".join(map(json.dumps, tasks)))
    left, right, tiler = map(json.loads, done.stdout.splitlines())
    assert (left["verdict"], left["witness"], left["outside"]) == ("none", {"index": 4, "value": 16}, "8:2")
    assert (right["verdict"], right["witness"]["indices"]) == ("none", [1, 3])
    assert tiler["X"] == ["8:1", "32:1"]
    assert done.returncode == 0
