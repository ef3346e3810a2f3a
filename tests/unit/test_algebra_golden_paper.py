"""Every example, table and figure of the CuTe paper, what other engines get wrong, and what people asked in public."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from golden.facts import HERE, ask, load

from laycalc.algebra.base.errors import AdmissibilityError
from laycalc.algebra.operations.product import blocked_product
from laycalc.algebra.values.layout import Layout
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import run

PAPER = load("paper.jsonl")
ELSEWHERE = json.loads((HERE / "wrong_elsewhere.json").read_text(encoding="utf-8"))
LEAVES = dict(zip(("a", "b", "c", "v", "p", "alpha"), range(2, 8), strict=True))
NESTED = {"idx-1": "((0,1),(1,1))"}
"""Equation 1 is one level; the function keeps the nesting of the shape, as C++, the DSL and PyCuTe do."""
CASES = {case["id"]: case for case in load("user_cases.jsonl")}


@pytest.mark.parametrize("fact", [f for f in PAPER if "ours" not in f], ids=lambda f: f["id"])
def test_every_fact_of_the_paper_holds(fact: dict[str, Any], rates: dict[str, Counter[str]]) -> None:
    # Where profiles are compared, names stand for any leaves.
    names = LEAVES if "congruent" in fact["expr"] else {}
    value, diagnostic = ask(fact["expr"], **names)
    if fact["kind"] == "error":
        assert diagnostic is not None and fact["expect"] in diagnostic.message
        return
    assert diagnostic is None, diagnostic
    counts = rates.setdefault("paper.jsonl", Counter())
    counts[f"{fact['kind']}/all"] += 1
    counts[f"{fact['kind']}/text"] += text_of(value) == fact["expect"]
    assert text_of(value) == NESTED.get(fact["id"], fact["expect"])


def test_blocked_products_of_unequal_rank_are_padded_and_refused_when_strict() -> None:
    (outcome,) = run("blocked_product((3,4):(4,1),10:1)")
    assert [w.code for w in outcome.warnings] == ["LC408"]
    with pytest.raises(AdmissibilityError, match="equal ranks"):
        blocked_product(Layout((3, 4), (4, 1)), Layout(10, 1), strict=True)


@pytest.mark.parametrize("fact", ELSEWHERE, ids=lambda f: f["expr"])
def test_what_other_engines_get_wrong_is_right_refused_or_warned_of(fact: dict[str, Any]) -> None:
    (outcome,) = run(fact["expr"])
    if "truth_offsets" in fact:
        assert outcome.error is not None or outcome.value.values() == fact["truth_offsets"]
        # Only a sequence that some layout has is ever answered.
        assert (outcome.error is None) == (fact["expr"] == "(4,2,8):(3,12,97) o 3:3")
    elif "reject" in fact["truth"]:
        assert outcome.error is not None or {w.code for w in outcome.warnings} & {"LC401", "LC402", "LC404"}
    else:
        assert fact["truth"].startswith(text_of(outcome.value))


ASKED = """
U01 | composition((2,3):(1,2), (2,3):(3,1)) | (2,3):(3,1)
U02 | composition((10,2):(16,4), (3,4):(1,5)) | (3,(2,2)):(16,(80,4))
U05 | composition((4,6,8):(2,3,5), 6:3) | LC301
U07 | composition((4,2,8):(3,12,97), 4:3) | LC301
U07 | composition((4,2,8):(3,15,97), 3:3) | LC301
U08 | composition((2,3):(4,1), (3,4):(3,1)) | LC301
U08 | composition((6,2):(8,3), (4,3):(3,1)) | ((2,2),3):((24,3),8)
U10 | composition((3,6,2,8):(5,7,11,13), 96:3) | (6,2,8):(7,11,13)
U10 | composition((3,6,2,8):(5,7,11,13), 48:6) | (3,2,8):(14,11,13)
U13 | composition((3,6,2,8):(5,7,11,13), 32:9) | (2,2,8):(21,11,13)
U14 | composition((4,8):(2,1), 33:5) | LC301
U16 | composition((64,64):(64,1), 100:1) | LC302
U20 | tile_to_shape((16,64):(64,1), (16,32,1)) | LC314
U21 | logical_divide((12,32):(1,12), (4,8):(1,4)) | ((4,8),12):((1,4),32)
U22 | zipped_divide((12,32):(1,12), <4,8>) | ((4,8),(3,4)):((1,12),(4,96))
U23 | logical_divide((2,4,3):(4,1,8), 4:1) | ((2,2),(2,3)):((4,1),(2,8))
U24 | logical_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>) | ((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))
U25 | zipped_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>) | ((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))
U25 | tiled_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>) | ((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))
U25 | flat_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>) | (3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))
U26 | zipped_divide((12,(4,8)):(7,(1,30)), 128) | LC302
U28 | zipped_divide((10,64):(64,1), <16,32>) | ((16,32),(1,2)):((64,1),(0,32)) LC402
U29 | logical_divide(10:1, 4) | (4,3):(1,4) LC401
U29 | logical_divide(136:1, 64) | (64,3):(1,64) LC401
U33 | logical_divide(24:1, <4,6>) | LC305
U36 | logical_product((2,5):(5,1), 4) | ((2,5),4):((5,1),10)
U37 | zipped_product((16,8,8):(1,16,128), <4:1,2:1>) | ((16,8),(4,2,8)):((1,16),(16,1,128))
U37 | logical_product((16,8,8):(1,16,128), <4:1,2:1>) | ((16,4),(8,2),8):((1,16),(16,1),128)
U38 | logical_product((2,2):(1,4), 3:1) | LC302
U39 | complement(4:2, 8) | 2:1
U40 | complement((2,2):(1,6), 24) | (3,2):(2,12)
U44 | right_inverse((2,4,6):(4,1,8)) | (4,2,6):(2,1,8)
U46 | left_inverse((4,2):(2,9)) | LC307
U47 | right_inverse(blocked_product((2,3):(1,2), (512,341):(1,512))) | (2,3,512,341):(1,1024,2,3072)
U49 | with_shape(left_inverse((4,4):(4,1)), (8,2)) | ((4,2),2):((4,1),2)
U50 | values((4,4,2):(1,8,4)) | 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31
U50 | right_inverse((4,4,2):(1,8,4)) | (4,2,4):(1,16,4)
U51 | coalesce((4,6):(1,4)) | 24:1
U52 | coalesce((1,1,1,1):(1,1,1,1)) | 1:0
U55 | compatible(24, (4,6)) | true
U55 | compatible((24), (4,6)) | false
U55 | compatible((4,6), ((2,2),6)) | true
U55 | compatible(((2,3),4), 24) | false
U57 | natural(17, (3,(2,3))) | (2,(1,2))
U59 | raked_product((2,5):(5,1), (3,4):(1,3)) | ((3,2),(4,5)):((10,5),(30,1))
U59 | blocked_product((2,5):(5,1), (3,4):(1,3)) | ((2,3),(5,4)):((5,10),(1,30))
U66 | max_common_vector((2,3):(1,2), (2,3):(1,2)) | 6
U68 | cosize((2,65536,65536):(4294967296,65536,1)) | 8589934592 LC405
U69 | equal(recast_layout(Sw<3,4,3> o 0 o (8,128):(128,1), 8, 16), Sw<3,3,3> o 0 o (8,64):(64,1)) | true
U70 | (Sw<1,4,3> o 0 o ((8,8),(16,1)):((16,128),(1,0)))(4,0) | 64
U71 | slice(Sw<3,3,3> o 0 o (64,64):(64,1), (1,_)) | {72} o (8,2,4):(1,-8,16)
U71 | slice(Sw<3,3,3> o 0 o (64,64):(64,1), (0,_)) | {0} o 64:1
U71 | slice(Sw<3,3,3> o 0 o (64,64):(64,1), (_,0)) | {0} o (8,8):(72,512)
U72 | slice(Sw<3,4,3> o 0 o (10,2):(2,1), (_,0)) | {0} o 10:2
U73 | Sw<3,4,2> | LC204
U81 | equal(((4,8,4),(2,2)):((128,1,16),(64,8)), ((4,8,4),(2,2,1)):((128,1,16),(64,8,0))) | true
U81 | congruent(((4,8,4),(2,2)):((128,1,16),(64,8)), ((4,8,4),(2,2,1)):((128,1,16),(64,8,0))) | false
U94 | disjoint((2,4):(4,1), (2,2):(1,2)) | false
"""
"""id | expression | the value, the code of the refusal, or the value and the code of the warning."""

QUESTIONS = [tuple(map(str.strip, line.split("|"))) for line in ASKED.strip().splitlines()]


@pytest.mark.parametrize(("case", "expression", "answer"), QUESTIONS)
def test_what_people_asked_is_answered(case: str, expression: str, answer: str) -> None:
    assert case in CASES
    (outcome,) = run(expression)
    if answer.startswith("LC"):
        assert outcome.error is not None and outcome.error.code == answer
        return
    assert outcome.error is None, outcome.error
    value, _, code = answer.partition(" LC")
    assert text_of(outcome.value) == value
    assert not code or f"LC{code}" in {w.code for w in outcome.warnings}
