"""Diagnostics: both guilty modes, a witness, what CUTLASS does, and suggestions that are what they say."""

from __future__ import annotations

from typing import Any

import pytest
from golden.facts import load

from laycalc.diagnostics.model import Advice, Diagnostic, Failure
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import evaluate, run


def refused(text: str) -> Diagnostic:
    """The error of the last statement of a text."""
    outcome = list(run(text))[-1]
    assert outcome.error is not None, f"{text} = {outcome.value}"
    return outcome.error


def warned(text: str) -> list[Diagnostic]:
    """The warnings of a text that has no error."""
    outcomes = list(run(text))
    assert all(outcome.error is None for outcome in outcomes), text
    return [warning for outcome in outcomes for warning in outcome.warnings]


def labels(diagnostic: Diagnostic) -> list[tuple[str, str]]:
    """Each labelled text with its remark."""
    return [(diagnostic.source[x.start : x.end], x.text) for x in diagnostic.labels]


def check_suggestions(diagnostic: Diagnostic) -> None:
    """Every suggestion reads, and has the value that it promises."""
    for suggestion in diagnostic.suggestions:
        assert text_of(evaluate(suggestion.expr)) == suggestion.value or not suggestion.value, suggestion


# -- the example of all documents --------------------------------------------------------------------------------


def test_stride_divisibility() -> None:
    found = refused("(4,6,8):(2,3,5) o 6:3")
    assert found.code == "LC301"
    assert "Stride Divisibility Condition" in found.message
    assert labels(found) == [
        ("4", "this mode ends at prefix product 4"),
        ("3", "stride 3 neither divides 4 nor is divided by it"),
    ]
    assert found.witness == "A(B(c)) = 0,6,7,8,9,15 is no layout: at 3 B = 9, A(9) = 8, by the steps before it 13"
    assert found.notes == (
        "CUTLASS C++ accepts this and answers (2,3):(6,3), which is wrong: at 2 it gives 3, A(B(2)) is 7 (LC406)",
    )
    assert [s.expr for s in found.suggestions] == [
        "(4,6,8):(2,3,5) o 6:2",
        "(4,6,8):(2,3,5) o 6:4",
        "(3,6,8):(2,3,5) o 6:3",
    ]
    check_suggestions(found)


def test_the_leaves_do_not_add_up() -> None:
    found = refused("(3,4):(1,50) o (2,2):(2,1)")
    assert found.code == "LC303"
    assert found.witness == "at (1,1) B = 3, A(3) = 50, mode by mode 3"
    assert "answers (2,2):(2,1), which is wrong" in found.notes[0]
    check_suggestions(found)


def test_another_layout_with_the_same_values_is_offered() -> None:
    found = refused("(3,5):(1,7) o 2:4")
    assert (found.suggestions[0].expr, found.suggestions[0].value) == ("2:8", "2:8")
    assert "refuses" in found.notes[0]


# -- labels ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A = (4,6,8):(2,3,5); A o 6:3", ["A", "3"]),
        ("B = 6:3; (4,6,8):(2,3,5) o B", ["4", "B"]),
        ("composition((4,6,8):(2,3,5), 6:3)", ["4", "3"]),
        ("(4,(6,8)):(2,(3,5)) o ((6),2):((3),48)", ["4", "3"]),
        ("zipped_divide((8,(4,3)):(1,(9,8)), <4,(2,2):(1,3)>)", ["4", "(2,2)", "(1,3)"]),
        ("((4,6,8):(2,3,5), 2:1) o <6:3, 2>", ["4", "3"]),
        ("(8,(4,6,8)):(1,(2,3,5)) o <_,6:3>", ["4", "3"]),
        ("((2,2),12):((1,7),2) o <3, _>", ["2", "3"]),
        ("T = <6:3, 2>; ((4,6,8):(2,3,5), 2:1) o T", ["4", "T"]),
        ("M = 6; (4,M,8):(2,3,5) o M:3", ["4", "3"]),
        ("((4,6,8):(2,3,5)) o (6:3)", ["4", "3"]),
        ("(128,64):(64,1) / <4:1,8:1,2>", ["(128,64)", "<4:1,8:1,2>"]),
        ("left_inverse((4,2):(2,9))", ["9", "2"]),
        ("complement((2,(2,2)):(1,(8,6)))", ["8", "2", "6"]),
        ("(4,8):(1,5)(1,2,3)", ["(4,8)", "1,2,3"]),
        ("(2,3):(1,2,4)", ["(2,3)", "(1,2,4)"]),
        ("(4:2, 3:e0)", ["2", "e0"]),
        ("tile_to_shape((16,64):(64,1), (16,32,1))", ["64", "32"]),
        ("upcast((16,2):(6,32), 4)", ["6", "4"]),
        ("recast_layout((2,1):(1,7), 8, 128)", ["7", "8", "128"]),
    ],
)
def test_guilty_places(text: str, expected: list[str]) -> None:
    assert [where for where, _ in labels(refused(text))] == expected


def test_a_name_says_which_of_its_modes() -> None:
    found = refused("A = (4,6,8):(2,3,5); A o 6:3")
    assert labels(found)[0] == ("A", "mode 0, 4:2 ends at prefix product 4")


# -- the facts of the C++ headers --------------------------------------------------------------------------------

CODES = {
    "stride-divisibility": "LC301",
    "shape-divisibility": "LC302",
    "complement-non-injective": "LC306",
    "left-inverse-divisibility": "LC307",
    "upcast-divisibility": "LC312",
    "downcast-not-contiguous": "LC313",
    "tile-to-shape-divisibility": "LC314",
    "tile-to-shape-rank": "LC314",
    "tiler-rank": "LC305",
    "mode-not-rank-2": "LC311",
    "basis-profile-mismatch": "LC315",
    "swizzle-invalid": "LC204",
}


def cpp_errors() -> list[tuple[str, Diagnostic, dict[str, Any]]]:
    """The refused cases of cute_cpp.jsonl that we refuse, too; a right answer of ours counts elsewhere."""
    found = []
    for fact in load("cute_cpp.jsonl"):
        if fact.get("error", "scaled-basis-unsupported") == "scaled-basis-unsupported":
            continue
        text = f"{fact['op']}({', '.join(fact['args'])})"
        try:
            evaluate(text)
        except Failure as failure:
            found.append((text, failure.diagnostic, fact))
    return found


@pytest.fixture(scope="module")
def cpp() -> list[tuple[str, Diagnostic, dict[str, Any]]]:
    return cpp_errors()


def both_violated(diagnostic: Diagnostic) -> bool:
    """Are both conditions violated in the composition that failed? Equations 9 and 10 as they stand."""
    facts = diagnostic.facts
    left = evaluate(facts.get("free") or facts["A"])
    right = evaluate(facts.get("cover") or facts["B"])
    extents = [s for s, _ in coalesced(left)]
    products = [1]
    for extent in extents[:-1]:
        products.append(products[-1] * extent)
    nine = ten = False
    for s, d in zip(*right.flat(), strict=True):
        reached = [p for p in products if p <= max((s - 1) * d, 1)] if s > 1 else products
        if d > 0:
            nine |= any(d % p and p % d for p in reached)
            ten |= any(s % -(-p // d) for p in reached)
    return nine and ten


def coalesced(layout: Any) -> list[tuple[int, Any]]:
    modes: list[tuple[int, Any]] = []
    for s, d in zip(*layout.flat(), strict=True):
        if s != 1 and modes and modes[-1][0] * modes[-1][1] == d:
            modes[-1] = (modes[-1][0] * s, modes[-1][1])
        elif s != 1:
            modes.append((s, d))
    # A last mode of one element defines what lies past the end.
    return modes if layout.flat()[0][-1] != 1 else [*modes, (1, 0)]


# Two refusals of one input, of which C++ meets the other one first: a swizzle that is none after the composition, a
# mode that is missing, one leaf against another, another mode of the tiler.
ALIKE = {
    ("swizzle-invalid", "LC303"),
    ("tiler-rank", "LC304"),
    ("stride-divisibility", "LC303"),
    ("mode-not-rank-2", "LC301"),
}


def test_every_refusal_of_cpp_has_its_kind(cpp: Any) -> None:
    assert len(cpp) > 300
    for text, diagnostic, fact in cpp:
        wanted = {CODES[kind] for kind in (fact["error"], *fact.get("error_also", ()))}
        if diagnostic.code in wanted or (fact["error"], diagnostic.code) in ALIKE:
            continue
        assert {diagnostic.code} | wanted == {"LC301", "LC302"}, text
        assert both_violated(diagnostic), text


def test_every_refusal_of_cpp_has_labels_on_both_operands(cpp: Any) -> None:
    for text, diagnostic, _ in cpp:
        assert len(diagnostic.labels) >= 2, (text, diagnostic.labels)
        assert any(label.text for label in diagnostic.labels), text
        for label in diagnostic.labels:
            assert 0 <= label.start < label.end <= len(text), text


def test_every_refusal_of_cpp_has_a_suggestion_that_works(cpp: Any) -> None:
    for text, diagnostic, _ in cpp:
        assert diagnostic.suggestions, text
        check_suggestions(diagnostic)


def test_wrong_compositions_of_others_are_named(cpp: Any) -> None:
    """Where C++ accepts wrongly (the facts marked so), the diagnostic says so."""
    seen = 0
    for fact in load("cute_cpp.jsonl"):
        if fact["op"] != "composition" or fact.get("functional") is not False:
            continue
        text = f"composition({', '.join(fact['args'])})"
        try:
            evaluate(text)
        except Failure as failure:
            if failure.diagnostic.code in ("LC301", "LC302", "LC303"):
                seen += 1
                notes = failure.diagnostic.notes
                assert notes and "(LC406)" in notes[0] and fact["result"] in notes[0], (text, notes)
    assert seen > 20


# -- the questions people asked ----------------------------------------------------------------------------------

USERS: list[tuple[str, str, str]] = [
    ("U05", "composition((4,6,8):(2,3,5), 6:3)", "LC301"),
    ("U07", "composition((4,2,8):(3,12,97), 4:3)", "LC301"),
    ("U07", "composition((4,2,8):(3,15,97), 3:3)", "LC301"),
    ("U08", "composition((2,3):(4,1), (3,4):(3,1))", "LC301"),
    ("U14", "composition((4,8):(2,1), 33:5)", "LC301"),
    ("U16", "composition((64,64):(64,1), 100:1)", "LC302"),
    ("U20", "tile_to_shape((16,64):(64,1), (16,32,1))", "LC314"),
    ("U21", "logical_divide((12,32):(1,12), (4,8):(1,4))", "LC403"),
    ("U26", "zipped_divide((12,(4,8)):(7,(1,30)), 128)", "LC302"),
    ("U28", "zipped_divide((10,64):(64,1), <16,32>)", "LC402"),
    ("U29", "logical_divide(10:1, 4)", "LC401"),
    ("U29", "logical_divide(136:1, 64)", "LC401"),
    ("U33", "logical_divide(24:1, <4,6>)", "LC305"),
    ("U37", "zipped_product((16,8,8):(1,16,128), <4:1,2:1>)", "LC409"),
    ("U38", "logical_product((2,2):(1,4), 3:1)", "LC302"),
    ("U46", "left_inverse((4,2):(2,9))", "LC307"),
    ("U47", "right_inverse(blocked_product((2,3):(1,2), (512,1024/3):(1,512)))", "LC103"),
    ("U68", "cosize((2,65536,65536):(4294967296,65536,1))", "LC405"),
    ("U68", "(536870913,4):(4,1)", "LC405"),
    ("U73", "Sw<3,4,2>", "LC204"),
    ("U91", "(2,3):(1,2,4)", "LC201"),
]


@pytest.mark.parametrize(("ident", "text", "code"), USERS)
def test_user_cases(ident: str, text: str, code: str) -> None:
    outcome = list(run(text))[-1]
    found = [*([outcome.error] if outcome.error else []), *outcome.warnings]
    assert code in [d.code for d in found]
    diagnostic = next(d for d in found if d.code == code)
    if code not in ("LC103", "LC204", "LC405"):
        assert len(diagnostic.labels) >= 2
    if code not in ("LC103", "LC405", "LC409"):
        assert diagnostic.suggestions
    check_suggestions(diagnostic)


def test_user_cases_that_must_stay_silent() -> None:
    assert warned("(1,8,64):(8589934592,64,1)") == []
    assert warned("zipped_divide((12,32):(1,12), <4,8>)") == []


def test_the_tiler_that_was_meant() -> None:
    (found,) = warned("logical_divide((12,32):(1,12), (4,8):(1,4))")
    assert found.suggestions[0].expr == "logical_divide((12,32):(1,12), <4,8>)"
    assert found.suggestions[0].value == "((4,3),(8,4)):((1,4),(12,96))"


def test_ragged_tiles_name_the_divisors() -> None:
    (found,) = warned("logical_divide(136:1, 64)")
    assert [s.expr for s in found.suggestions] == [
        "logical_divide(136:1, 68)",
        "logical_divide(128:1, 64)",
        "logical_divide(136:1, 34)",
    ]


def test_legal_neighbours_of_a_swizzle() -> None:
    assert [s.expr for s in refused("Sw<3,4,2>").suggestions] == ["Sw<3,4,3>", "Sw<2,4,2>"]
    assert [s.expr for s in refused("Sw<3,4,-2>").suggestions] == ["Sw<3,4,-3>", "Sw<2,4,-2>"]


# -- relations ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "witness", "note"),
    [
        ("assert (4,2):(1,4) == 8:1", "", "equal as functions"),
        ("assert (4,2):(1,4) === (4,2):(2,1)", "at 1 the left is 1, the right 2", ""),
        ("assert 4:1 === 8:1", "sizes 4 and 8", ""),
        ("assert (4,6) <= (2,2,6)", "(4,6) has 2 modes, (2,2,6) has 3", ""),
        ("assert (4,6) <= (4,(2,4))", "mode 1: 6 is not 8, the size of (2,4)", ""),
        ("assert (4,6) ~ (4,(2,3))", "mode 1: 6 is one entry, (2,3) several", ""),
    ],
)
def test_why_a_relation_is_false(text: str, witness: str, note: str) -> None:
    found = refused(text)
    assert found.code == "LC501"
    assert found.witness == witness
    assert note in " ".join(found.notes)


# -- advice is computed for readers only -------------------------------------------------------------------------


def test_advice_is_deferred(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def advise(case: Any) -> Advice:
        asked.append(case)
        return Advice(("help",))

    monkeypatch.setattr("laycalc.grammar.advice.suggest.advise", advise)
    found = refused("assert admissible((4,6,8):(2,3,5) o 6:3)")
    assert not asked
    assert found.notes == ("help",)
    assert found.suggestions == ()
    assert len(asked) == 1


def test_advice_that_fails_is_no_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    def advise(case: Any) -> Advice:
        raise ZeroDivisionError

    monkeypatch.delenv("LAYCALC_DEBUG", raising=False)
    monkeypatch.setattr("laycalc.grammar.advice.suggest.advise", advise)
    assert refused("(4,6,8):(2,3,5) o 6:3").suggestions == ()


def test_settled_diagnostics_travel() -> None:
    import pickle

    found = refused("(4,6,8):(2,3,5) o 6:3").settled()
    assert pickle.loads(pickle.dumps(found)) == found
    assert found.suggestions
