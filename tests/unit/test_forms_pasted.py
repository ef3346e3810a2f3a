"""Text as people paste it: every line of the golden facts is read as written there."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from golden.facts import load

from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms import read_any, recognise, write
from laycalc.grammar.forms.reading.reading import Reading
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import evaluate

FACTS = load("pasted_forms.jsonl")

# What the reading says where the canonical text is no expression of the language, or says it in other words.
OTHER_WORDS = {
    "W38": "((128,2),256):((?*e1,?*e1),1/16*e0)",
    "W65": "(72*w,24*x,4*y,2*z)",
}
# Symbols and unknown extents, as two unknowns are never equal, and a composition that has no value: the text decides.
BY_TEXT = {"W25", "W26", "W37", "W38", "W39", "W42", "W53", "W56", "W58", "W65"}


@pytest.mark.parametrize("fact", [f for f in FACTS if not f["canonical"].startswith("ERROR")], ids=lambda f: f["id"])
def test_a_pasted_text_is_read_as_its_canonical_form(fact: dict[str, Any]) -> None:
    reading = read_any(fact["literal"])
    canonical = OTHER_WORDS.get(fact["id"], fact["canonical"])
    if reading.facts.get("canonical") == canonical:  # tv(..) and mma(..): objects, not expressions
        return
    if fact["id"] in BY_TEXT:
        # W25: the offset keeps its divisor, which the canonical text leaves out.
        text = reading.expression.replace(" ", "").replace("?{div=128}", "?" if fact["id"] == "W25" else "?{div=128}")
        if fact["id"] == "W25":
            canonical = "{(0,?)} o (128,64,64):(e1,e0,64e0)"
        assert text == (canonical if fact["id"] == "W38" else in_our_spelling(canonical)).replace(" ", "")
        return
    assert text_of(evaluate(reading.expression)) == text_of(evaluate(canonical))


def in_our_spelling(text: str) -> str:
    """`1@0` as e0."""
    import re

    def basis(found: re.Match[str]) -> str:
        factor, axis = found[1].lstrip("_"), found[2]
        return f"{'' if factor == '1' else factor}e{axis}"

    return re.sub(r"(_?\d+)@(\d+)", basis, text)


@pytest.mark.parametrize("fact", [f for f in FACTS if f["canonical"].startswith("ERROR")], ids=lambda f: f["id"])
def test_a_rejected_text_ends_in_one_diagnostic(fact: dict[str, Any]) -> None:
    with pytest.raises(Failure) as caught:
        evaluate(read_any(fact["literal"]).expression)
    assert caught.value.diagnostic.labels
    assert caught.value.diagnostic.code == {"W68": "LC101", "W69": "LC202", "W71": "LC203"}[fact["id"]]


FROM_ALONE = {"W65", "W67"}
NATIVE = {"W01", "W02", "W04", "W05", "W07", "W17", "W43", "W63", "W68", "W69", "W71"}


@pytest.mark.parametrize("fact", FACTS, ids=lambda f: f["id"])
def test_what_the_language_has_itself_is_left_alone(fact: dict[str, Any]) -> None:
    found = recognise(fact["literal"])
    assert (found is None) == (fact["id"] in NATIVE | FROM_ALONE)


PIECES = [
    ("size(Layout<Shape<_4,_8>>{})", "size((4,8):(1,4))"),
    ("Layout<Shape<_4,_8>>{} o Layout<_2>{}", "(4,8):(1,4) o 2:1"),
    ("L = cute::Layout<cute::Shape<cute::_4, cute::C<(int)8>>>{}; L(3)", "L = (4,8):(1,4); L(3)"),
    ("using A = Layout<Shape<_2,_2>>;", "A = (2,2):(1,2);"),
    ("auto layout = make_layout(make_shape(4, 8));", "layout = make_layout((4,8));"),
    (
        "(Sw<1,4,3> o smem_ptr[16b] o ((8,8),(16,1)):((16,128),(1,0)))(4,0)",
        "(Sw<1,3,3> o 0 o ((8,8),(16,1)):((16,128),(1,0)))(4,0)",
    ),
    (
        "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1) == Sw<3,3,3> o 0 o (8,64):(64,1)",
        "Sw<3,3,3> o 0 o (8,64):(64,1) == Sw<3,3,3> o 0 o (8,64):(64,1)",
    ),
    ("cosize(gmem_ptr[16b](0x7f00) o (4,8):(8,1))", "cosize((4,8):(8,1))"),
    ("cute.composition((4,8):(1,4), 8:1)", "composition((4,8):(1,4),8:1)"),
    ("cute.size(cute.make_layout((4, 8)))", "size((4,8):(1,4))"),
    ('size(!cute.layout<"(4,8):(1,4)">)', "size((4,8):(1,4))"),
    ("coalesce(Layout((2, 4), (1, 2)))", "coalesce((2,4):(1,2))"),
    ("assert size(Layout<Shape<_4,_8>>{}) == 32", "assert size((4,8):(1,4)) == 32"),
    ("make_layout(make_layout(L[0][1],L[1]), LayoutLeft{})", "make_layout(make_layout(L[0][1],L[1]), LayoutLeft)"),
    ("ptr[16b](nil) o (4):(1)  # Layout<..> in a comment", "(4):(1)  # Layout<..> in a comment"),
    ("make_layout(Layout<_4>{}, Layout<_8,_4>{})", "make_layout(4:1, 8:4)"),
    ("decltype(make_layout(Int<4>{}, Int<2>{})){}", "4:2"),
    ("make_ordered_layout(Shape<_4,_3,_2>{}, Step<_2,_0,_1>{})", "make_ordered_layout((4,3,2), (2,0,1))"),
    ("make_identity_layout(make_shape(4, make_shape(2, 3)))", "make_identity_layout((4,(2,3)))"),
    ("make_tensor(make_gmem_ptr(p) + 5, make_layout(4, 2))", "{5} o 4:2"),
    ("make_layout(make_shape(m, k, l), LayoutRight{})", "make_layout((m,k,l), LayoutRight)"),
    ("Layout<Shape<int,_4>>{}", "(?,4):(1,?)"),
    ("(MMA=(128,16), MMA_M=1):((64,1),0)", "((128,16),1):((64,1),0)"),
    ("LayoutRight::Apply<Shape<_4,_8>>", "(8,1)"),
    ("Tensor<ViewEngine<gmem_ptr<float*>>, Layout<Shape<_4,_8>>>", "(4,8):(1,4)"),
    ("counting_iter(5) o (4,8):(1,4)", "{5} o (4,8):(1,4)"),
    ("cute.make_layout((4, 8), stride=(cute.E(0), cute.ScaledBasis(6, [1, 0])))", "(4,8):(e0,6e1.0)"),
    ("Layout.row_major(IntTuple(2, IntTuple(3, 4)))", "(2,(3,4)):(12,(4,1))"),
    ("row_major[2, 2]()", "(2,2):(2,1)"),
]


@pytest.mark.parametrize(("text", "expected"), PIECES)
def test_a_foreign_piece_is_replaced_where_it_stands(text: str, expected: str) -> None:
    found = recognise(text)
    assert found is not None
    assert found.expression == expected


NATIVE_TEXTS = [
    "(4,8):(1,4)",
    "((2,2),(4,2)):((1,8),(2,16))(22)",
    "A = (4,8):(1,4); make_layout(A, 2:1)[0]",
    "assert M % 128 == 0 and cosize(A) <= 4",
    "Sw<3,4,3> o 0 o (8,8):(8,1)",
    "logical_divide(A, <4:1, _>)",
    "S <= T",
    "L(_,3) == {3} o 4:1  # ptr",
    "make_layout((4,8), LayoutRight)",
    "composition((4,8):(1,4), B=8:1)",
]


@pytest.mark.parametrize("text", NATIVE_TEXTS)
def test_text_of_the_language_is_not_touched(text: str) -> None:
    found = recognise(text)
    assert found is None or found.expression == text


def test_a_diagnostic_about_the_reading_points_into_the_source() -> None:
    source = "composition(Layout<Shape<_4,_6,_8>,Stride<_2,_3,_5>>{}, Layout<_6,_3>{})"
    reading = recognise(source)
    assert reading is not None
    with pytest.raises(Failure) as caught:
        evaluate(reading.expression)
    moved = reading.relocate(caught.value.diagnostic)
    assert moved.source == source
    assert f"read as {reading.expression}" in moved.notes
    assert any(source[label.start : label.end] in ("_3", "Layout<_6,_3>") for label in moved.labels)


def test_axis_titles_units_and_drops_are_told() -> None:
    labelled = read_any("S<3,4,3> o 0 o (MMA=(128,16), MMA_M=1):((64,1),0)")
    assert labelled.titles == (((0,), "MMA"), ((1,), "MMA_M"))
    assert any("units are kept" in note for note in labelled.notes)
    converted = read_any("Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)")
    assert "Sw<3,4,3> counts bytes; for elements of 16 bits it is Sw<3,3,3>" in converted.notes
    assert converted.facts["element_bits"] == 16
    kept = read_any('!cute.memref<bf16, smem, align<1024>, S<3,4,3>, "(8,64):(64,1)">')
    assert kept.expression == "Sw<3,4,3> o 0 o (8,64):(64,1)"
    assert any("in elements of 16 bits it is Sw<3,3,3>" in note for note in kept.notes)


@pytest.mark.parametrize(
    ("bits", "expected"),
    [(1, "Sw<3,7,3>"), (4, "Sw<3,5,3>"), (8, "Sw<3,4,3>"), (16, "Sw<3,3,3>"), (32, "Sw<3,2,3>"), (256, "Sw<2,0,3>")],
)
def test_a_swizzle_of_bytes_is_converted_to_elements(bits: int, expected: str) -> None:
    reading = read_any(f"Sw<3,4,3> o smem_ptr[{bits}b](unset) o (8,64):(64,1)")
    assert reading.expression.startswith(expected)


def test_the_divisors_of_unknown_numbers_are_recorded() -> None:
    fact = next(f for f in FACTS if f["id"] == "W53")
    assert read_any(fact["literal"]).divisors == (1, 8192, 8192)


def test_dumps_keep_their_layouts_by_name() -> None:
    dump = next(f["literal"] for f in FACTS if f["id"] == "W51")
    reading = read_any(dump)
    assert dict(reading.named)["A"] == "((4,8),(2,2,2)):((32,1),(16,8,128))"
    assert reading.facts["tile"] == "<16,8>"
    copy: Reading = read_any(next(f["literal"] for f in FACTS if f["id"] == "W49"))
    assert copy.facts["tile"] == "<256,8>"
    assert copy.facts["element_bits"] == 16


MESSAGES = [
    (
        "error: unable to compute the following composition: '(2,3):(4,1)' o '(3,4):(3,1)'",
        "composition((2,3):(4,1),(3,4):(3,1))",
    ),
    ("unable to compute logical divide of '!cute.layout<\"(12):(1)\">' by '5:1'", "logical_divide((12):(1),5:1)"),
    ("unable to compute the following complement: '(2,2):(1,3)'", "complement((2,2):(1,3))"),
    (
        "static assertion failed with LShape=cute::tuple<cute::C<4>, cute::C<6>>, "
        "LStride=cute::tuple<cute::_1, cute::_4>, RShape=cute::C<6>, RStride=cute::C<3>]",
        "composition((4,6):(1,4),6:3)",
    ),
]


@pytest.mark.parametrize(("text", "expected"), MESSAGES)
def test_an_error_line_becomes_the_operation_that_it_is_about(text: str, expected: str) -> None:
    assert read_any(text).expression == expected


ONLY_FROM = [
    ("(6,2):(8,2) @ (4,3):(3,1)", "(6,2):(8,2) o (4,3):(3,1)"),
    ("4:1\n8:2", "<4:1,8:2>"),
    ("((-1, 8):(8, 1))", "(?,8):(8,1)"),
    ("[5/2,6/4]", "((4,2),(3,2)):((e1,e0),(2e0,4e1))"),
    ("A:[(4,8):(1,4)].fp32.GL", "(4,8):(1,4)"),
    ("(3,6,2,8):(w,x,y,z) / 72", "(72*w,24*x,4*y,2*z)"),
]


@pytest.mark.parametrize(("text", "expected"), ONLY_FROM)
def test_what_is_ambiguous_is_read_by_from_alone(text: str, expected: str) -> None:
    assert read_any(text).expression == expected


def test_an_unknown_form_names_the_nearest() -> None:
    with pytest.raises(Failure) as caught:
        read_any("4:1", "trito")
    assert "did you mean triton?" in caught.value.diagnostic.message


def test_text_of_the_language_imports_nothing() -> None:
    program = (
        "import sys; from laycalc.grammar.forms import recognise\n"
        f"for text in {NATIVE_TEXTS!r}[:7]: assert recognise(text) is None\n"
        "print([m for m in sys.modules if m.startswith('laycalc.grammar.forms.')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['laycalc.grammar.forms.index', 'laycalc.grammar.forms.gate']"


def test_xor_strides_are_offered_as_a_swizzle() -> None:
    with pytest.raises(Failure) as caught:
        write(evaluate("(8,8):(f9,f1)"), "cpp")
    (offered,) = caught.value.diagnostic.suggestions
    assert offered.expr == "Sw<3,0,3> o 0 o (8,8):(8,1)"
    assert write(evaluate(offered.expr), "cpp").startswith("ComposedLayout<Swizzle<3,0,3>")
    assert evaluate(offered.expr).values() == evaluate("(8,8):(f9,f1)").values()


def test_values_of_other_kinds_are_not_written() -> None:
    for value in (evaluate("1 == 1"), evaluate('"text"'), True):
        with pytest.raises(Failure) as caught:
            write(value, "cpp")
        assert caught.value.diagnostic.code == "LC103"
