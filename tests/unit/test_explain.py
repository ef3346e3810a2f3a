"""Derivations: from the steps of the code that computes the value, in words with the numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO

import pytest
from program import laycalc

from laycalc.grammar.explain.derivation import Derivation, Line, derive
from laycalc.render.reports.derivation import derivation_object, derivation_text, derivation_tree


def explained(text: str) -> Derivation:
    """The derivation of the last statement."""
    return list(derive(text))[-1]


def words(text: str) -> str:
    return derivation_text(explained(text))


def test_the_worked_example_of_the_paper() -> None:
    assert words("(4,6,8,10):(2,3,5,7) o 6:12").splitlines() == [
        "(4,6,8,10):(2,3,5,7) o 6:12 = (2,3):(9,5)",
        "  leaf 6:12 of B",
        "    A coalesced: 4:2 6:3 8:5 10:7",
        "    prefix products P_r = 1, 4, 24, 192",
        "    truncate: (s-1)*d = 60 reaches mode 2; P_3 = 192 > 60, so modes from 3 on are not reached",
        "    delta_r = ceil(12/P_r) = 12, 3, 1",
        "    rho_r = ceil(P_r/12) = 1, 1, 2",
        "    (9) 1 divides 12; 4 divides 12; 12 divides 24",
        "    (10) 1 divides 6; 1 divides 6; 2 divides 6",
        "    mode 0 (4:2): drop, the stride passes all 4; 3 is left of it",
        "    mode 1 (6:3): keep 2 digits, 3 apart: 2:9",
        "    mode 2 (8:5): keep 3 digits: 3:5",
    ]


def test_the_question_that_was_answered_with_read_the_source() -> None:
    text = words("composition((3,6,2,8):(5,7,11,13), 32:9)")
    assert "= (2,2,8):(21,11,13)" in text
    assert "delta_r = ceil(9/P_r) = 9, 3, 1, 1" in text
    for kept in ("drop", "keep 2 digits, 3 apart: 2:21", "keep 2 digits: 2:11", "keep 8 digits: 8:13"):
        assert kept in text


def test_a_failure_shows_how_far_it_got() -> None:
    found = explained("(4,6,8):(2,3,5) o 6:3")
    assert found.error is not None and found.error.code == "LC301"
    assert "(9) 1 divides 3; 3 and 4: NEITHER DIVIDES THE OTHER" in derivation_text(found)


def test_a_failing_shape_condition() -> None:
    assert "(10) 4 DOES NOT DIVIDE 6; 1 divides 6" not in words("(4,6,8,10):(2,3,5,7) o 6:1")
    assert "4 DOES NOT DIVIDE 6" in words("(4,6,8,10):(2,3,5,7) o 6:1")


def test_leaves_that_carry() -> None:
    text = words("(3,4):(1,50) o (2,2):(2,1)")
    assert "(12) mode 0: the digits of all leaves reach 3 >= 3, THEY CARRY INTO THE NEXT MODE" in text


def test_leaves_that_do_not_carry() -> None:
    assert "(12) mode 0: the digits of all leaves reach 3 < 4, no carry" in words("(4,4):(1,50) o (2,2):(2,1)")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "complement((4,8):(20,2))",
            ["mode 8:2: 2/1 = 2, free below it 2:1; the block ends at 16", "1:80 goes on behind the last block"],
        ),
        ("complement(4:1, 8)", ["behind the last block ceil(8/4) = 2: 2:4"]),
        (
            "right_inverse((2,4,6):(4,1,8))",
            ["mode 4:1 continues the chain at 1: keep 4:2, its index weight"],
        ),
        ("left_inverse((4,8):(1,5))", ["mode 8:5: 5/1 = 5, the mode before it becomes 5 long; its index weight is 4"]),
        (
            "(128,64):(64,1) / <32,16>",
            ["(B, B*) = (32,4):(1,32), with B* relative to the size 128 of A", "divide A = 64:1 by B = 16:1"],
        ),
        ("(3,4):(4,1) * (2,5):(1,2)", ["A* = 1:12", "compose A = 1:12 with B = (2,5):(1,2) = (2,5):(12,24)"]),
        (
            "coalesce((2,(1,6)):(1,(6,2)))",
            ["1:6 has one element: drop", "6:2 continues it, 2*1 = 2: merge to 12:1"],
        ),
        (
            "((2,2),(4,2)):((1,8),(2,16))(22)",
            ["coordinate 22 is ((0,1),(1,1)) in the shape ((2,2),(4,2))", "0*1 + 1*8 + 1*2 + 1*16 = 26"],
        ),
        ("(4,(4,2)):(4,(1,16)) o (4,4):(e0,2e1)", ["leaf 4:2 of B on mode 1 of A"]),
        (
            "solve((4,8):(1,8), (2,2):(1,16))",
            [
                "C(0) = 0 is A(0); C(1) = 1 is A(1); C(2) = 16 is A(8); C(3) = 17 is A(9)",
                "A has each value once: X is these indices",
                "the smallest layout with these values: (2,2):(1,8)",
            ],
        ),
        (
            "solve(((2,2),(2,4)):((0,1),(0,2)), (2,4):(1,2))",
            ["4 layouts with the fewest modes, 2, the smallest codomain first: (2,4):(2,8), (2,4):(3,8)"],
        ),
        (
            "solve_left((4,6):(8,1), (4,6):(e1,e0))",
            ["X(0, 0) = 0; X(0, 1) = 8; X(0, 2) = 16; X(0, 3) = 24; 20 more", "one layout with the fewest modes, 2:"],
        ),
    ],
)
def test_operations(text: str, lines: list[str]) -> None:
    found = words(text)
    for line in lines:
        assert line in found


def test_bindings_and_inner_calls() -> None:
    found = list(derive("A = (4,8):(1,4) / <2,2>; size(A) == 32"))
    assert [d.text for d in found] == ["A = (4,8):(1,4) / <2,2>", "size(A) == 32"]
    assert found[0].value == "((2,2),(2,4)):((1,2),(4,8))"
    assert found[1].value == "true"


def test_the_values_are_those_of_eval() -> None:
    """A derivation changes nothing: the steps come from the computation itself."""
    from laycalc.grammar.language.functions import functions
    from laycalc.grammar.language.values import text_of
    from laycalc.grammar.run.statements import evaluate

    count = 0
    for function in functions():
        if not function.example:
            continue
        found = explained(function.example)
        assert found.error is None, function.example
        assert found.value == text_of(evaluate(function.example)), function.example
        count += 1
    assert count > 60


def test_unknowns_have_cases() -> None:
    found = explained("assume M % 32 == 0; (M,64):(64,1) / <32,8>")
    assert found.error is None
    assert any("M/32" in line.text for line in found.lines)


def _flat(lines: tuple[Line, ...]) -> Iterator[Line]:
    for line in lines:
        yield line
        yield from _flat(line.lines)


def test_json() -> None:
    found = derivation_object(explained("(4,6,8,10):(2,3,5,7) o 6:12"))
    assert json.loads(json.dumps(found)) == found
    assert (found["schema"], found["ok"], found["value"]) == (1, True, "(2,3):(9,5)")
    leaf = found["derivation"][0]
    assert leaf["facts"]["modes"] == [[4, 2], [6, 3], [8, 5], [10, 7]]
    assert [step["rule"] for step in leaf["steps"]][-3:] == ["skip", "take", "take"]


def test_the_tree_has_every_line() -> None:
    from rich.console import Console

    found = explained("(3,4):(1,50) o (2,2):(2,1)")
    console = Console(width=200, record=True, file=StringIO())
    console.print(derivation_tree(found))
    text = console.export_text()
    for line in _flat(found.lines):
        assert line.text in text


def test_the_command() -> None:
    page = laycalc("explain", "LC301")
    assert page.returncode == 0 and page.stdout.startswith("# LC301 stride-divisibility")
    assert laycalc("explain", "stride-divisibility").stdout == page.stdout
    assert laycalc("explain", "LC999").returncode == 2
    good = laycalc("explain", "(4,6,8,10):(2,3,5,7) o 6:12")
    assert good.returncode == 0 and "rho_r" in good.stdout and good.stderr == ""
    bad = laycalc("explain", "(4,6,8):(2,3,5) o 6:3")
    assert bad.returncode == 1 and "(9)" in bad.stdout and "LC301" in bad.stderr
    data = laycalc("explain", "--json", "(4,6,8):(2,3,5) o 6:3")
    assert data.returncode == 1 and json.loads(data.stdout)["error"]["code"] == "LC301"
    assert "─" not in good.stdout


def test_wavefronts_are_explained() -> None:
    done = laycalc("explain", 'conflicts((64,64):(64,1), 16, "read: ldmatrix.x4")').stdout
    assert "16 instructions ldm4, 16 bytes a lane: 4 passes of 8 lines" in done
    assert "start at XORs of the offsets 64, 128, 256: 32 words in 4 banks" in done
    assert "each bank has 8 words to give" in done and "512 wavefronts, 64 without any conflict: 448 too many" in done
    done = laycalc("explain", 'conflicts((64,64):(72,1), 16, "write: cp.async.cg row")').stdout
    assert "no wavefront, no bank conflict" in done and "384 requests of 32-byte sectors, 256 would be ideal" in done
    # Without powers of two there are no ranks, but still the dearest bank.
    done = laycalc("explain", 'conflicts((40,40):(40,1), 32, "read: column")').stdout
    assert "XORs" not in done and "bank 0 gives word 0 by lane 0, word 160 by lane 4" in done
