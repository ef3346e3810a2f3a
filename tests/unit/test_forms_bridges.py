"""Layouts of other systems: every golden fact, refusals with their reason."""

from __future__ import annotations

from typing import Any

import pytest
from golden.facts import load

from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms import read_any, recognise, write
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import evaluate

FACTS = load("bridges.jsonl")
FORMS = {"mlir-memref": "memref"}

# Refusals that are said in other words than those of the fact; a part of our message.
OTHER_WORDS = {
    "d-torch-020": "(6,4):(1,6) in torch order (last first) has no single stride",
    "d-isl-022": "isl is affine: parameter times variable is refused",
}
# Lanes of AMD: a layout does not say that 64 threads are one warp.
WAVE64 = {"d-triton-023", "d-triton-024"}


def system(fact: dict[str, Any]) -> str:
    return FORMS.get(fact["system"], fact["system"])


def readable(fact: dict[str, Any]) -> list[str]:
    """The texts of a fact that stand for its layout."""
    texts = [fact.get("form"), fact.get("printed")]
    return list(dict.fromkeys(t for t in texts if t))


def value_of(expression: str) -> Any:
    return evaluate(expression)


def same(a: Any, b: Any) -> bool:
    """Equal as functions; the spelling may differ."""
    if text_of(a) == text_of(b):
        return True
    return bool(a.size == b.size and a.values() == b.values())


POSITIVE = [f for f in FACTS if not f.get("negative") and not f.get("op") and f["direction"] in ("from", "both")]
SYMBOLIC = {"d-isl-026", "d-mojo-028", "d-mojo-029", "d-mlir-memref-004"}


@pytest.mark.parametrize("fact", POSITIVE, ids=lambda f: f["id"])
def test_a_foreign_layout_is_read(fact: dict[str, Any]) -> None:
    for text in readable(fact):
        for reading in (read_any(text, system(fact), fact.get("shape")), read_any(text, None, fact.get("shape"))):
            if fact["id"] in SYMBOLIC:
                assert reading.expression == fact["laycalc"]
            else:
                assert same(value_of(reading.expression), value_of(fact["laycalc"]))


@pytest.mark.parametrize("fact", [f for f in FACTS if f.get("negative") and f["form"]], ids=lambda f: f["id"])
def test_a_text_without_a_layout_is_refused_with_its_reason(fact: dict[str, Any]) -> None:
    with pytest.raises(Failure) as caught:
        read_any(fact["form"], system(fact), fact.get("shape"))
    assert OTHER_WORDS.get(fact["id"], fact["reason"]) in caught.value.diagnostic.message


@pytest.mark.parametrize("fact", [f for f in FACTS if f.get("negative") and not f["form"]], ids=lambda f: f["id"])
def test_a_layout_without_a_text_is_refused_with_its_reason(fact: dict[str, Any]) -> None:
    with pytest.raises(Failure) as caught:
        write(value_of(fact["laycalc"]), system(fact), fact.get("shape"))
    assert caught.value.diagnostic.code == "LC103"
    assert caught.value.diagnostic.message == fact["reason"]


WRITTEN = [
    f
    for f in FACTS
    if not f.get("negative") and f["direction"] in ("to", "both") and not f.get("op") and f["id"] not in SYMBOLIC
]


@pytest.mark.parametrize("fact", WRITTEN, ids=lambda f: f["id"])
def test_a_layout_is_written_and_read_back(fact: dict[str, Any]) -> None:
    value = value_of(fact["laycalc"])
    text = write(value, system(fact), fact.get("shape"))
    assert same(value_of(read_any(text, system(fact), fact.get("shape")).expression), value)


@pytest.mark.parametrize(
    "fact",
    [f for f in WRITTEN if f["system"] == "triton" and f["id"] not in WAVE64 and f["id"] != "d-triton-010"],
    ids=lambda f: f["id"],
)
def test_triton_bases_are_those_of_triton(fact: dict[str, Any]) -> None:
    expected = fact.get("to_form") or fact["form"]  # d-triton-010 has neither: only the blocked encoding
    assert write(value_of(fact["laycalc"]), "triton-linear", fact["shape"]) == expected


@pytest.mark.parametrize("fact", [f for f in FACTS if f.get("op")], ids=lambda f: f["id"])
def test_maps_that_are_applied_in_turn_are_a_composition(fact: dict[str, Any]) -> None:
    value = value_of(read_any(fact["form"]).expression)
    assert text_of(value) == text_of(value_of(fact["laycalc"])) == fact["value"]


@pytest.mark.parametrize("fact", [f for f in POSITIVE if f.get("laycalc_int")], ids=lambda f: f["id"])
def test_the_integer_form_counts_the_first_axis_fastest(fact: dict[str, Any]) -> None:
    reading = read_any(fact["form"], system(fact), fact["shape"])
    assert reading.facts["integer"] == fact["laycalc_int"]
    if "bases" in fact:
        assert reading.facts["bases"] == fact["bases"]


@pytest.mark.parametrize("fact", [f for f in POSITIVE if f.get("laycalc_f2")], ids=lambda f: f["id"])
def test_the_xor_form_is_the_same_function(fact: dict[str, Any]) -> None:
    assert same(value_of(fact["laycalc_f2"]), value_of(fact["laycalc"]))


@pytest.mark.parametrize("fact", [f for f in FACTS if f.get("prefix_of")], ids=lambda f: f["id"])
def test_a_cut_table_is_the_prefix_of_a_layout(fact: dict[str, Any]) -> None:
    with pytest.raises(Failure) as caught:
        read_any(fact["form"], system(fact), fact.get("shape"))
    assert caught.value.diagnostic.facts["prefix_of"] == fact["prefix_of"]


@pytest.mark.parametrize("fact", [f for f in POSITIVE if f["system"] == "xla"], ids=lambda f: f["id"])
def test_padding_is_reported(fact: dict[str, Any]) -> None:
    reading = read_any(fact["form"])
    if "padded_elements" in fact:
        assert reading.facts["padded_elements"] == fact["padded_elements"]
    if fact.get("ragged"):
        assert reading.facts["padding"] > 1
        assert reading.facts["logical"] == fact["shape"]


@pytest.mark.parametrize("fact", [f for f in POSITIVE if f.get("laycalc_forward")], ids=lambda f: f["id"])
def test_tile_tensors_say_the_forward_map_too(fact: dict[str, Any]) -> None:
    reading = read_any(fact["form"], system(fact))
    assert same(value_of(reading.facts["forward"]), value_of(fact["laycalc_forward"]))


def test_an_encoding_without_a_shape_says_what_is_missing() -> None:
    with pytest.raises(Failure) as caught:
        recognise("#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>")
    assert caught.value.diagnostic.code == "LC106"
    assert "--shape" in caught.value.diagnostic.notes[0]


def test_the_matrix_over_f2_has_a_column_a_bit() -> None:
    text = "#ttg.linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = [[0, 2]], block = []}>"
    reading = read_any(text)
    assert reading.expression == "((4,2),2):((e0,2e1),e1)"
    assert reading.facts["matrix"] == [[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]]


def test_a_weakened_swizzle_is_told() -> None:
    text = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"
    weak = read_any(text, None, (4, 64))
    assert weak.expression == "Sw<2,3,3> o 0 o (4,64):(64,1)"
    assert any("weakened from 8 phases to 4" in note for note in weak.notes)
    assert not read_any(text, None, (64, 64)).notes


def test_cta_fields_of_old_spellings() -> None:
    old = (
        "#triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], "
        "CTAsPerCGA = [2], CTASplitNum = [2], CTAOrder = [0]}>"
    )
    assert read_any(old, None, (256,)).expression == "(128,1,2):(e0,0,128e0)"
    shared = old.replace("CTASplitNum = [2]", "CTASplitNum = [1]")
    assert read_any(shared, None, (128,)).expression == "(128,1,2):(e0,0,0)"


def test_hlo_lines_give_each_shape_in_turn() -> None:
    line = (
        "HloModule m, entry_computation_layout={(f32[8,16]{1,0:T(8,128)}, bf16[32,256]{1,0:T(8,128)(2,1)})->f32[8]{0}}"
    )
    reading = read_any(line)
    assert [name for name, _ in reading.named] == [
        "f32[8,16]{1,0:T(8,128)}",
        "bf16[32,256]{1,0:T(8,128)(2,1)}",
        "f32[8]{0}",
    ]
    assert reading.expression == "(8,128):(128,1)"


def test_numpy_bytes_must_be_whole_elements() -> None:
    with pytest.raises(Failure) as caught:
        read_any("shape=(3, 4) strides=(30, 8) itemsize=8")
    assert caught.value.diagnostic.facts == {"stride": 30, "itemsize": 8, "in_bytes": "(3,4):(30,8)"}


@pytest.mark.parametrize("text", ["torch.Size([2, 3]) (3, 1)", "size=(2, 3), stride=(3, 1)", "f32[2, 3][3, 1]cpu"])
def test_the_order_of_integers_is_told(text: str) -> None:
    assert any("last dimension first" in note for note in read_any(text).notes)
