"""What people really paste: labels, wrappers, lines with several layouts, pieces that are not known."""

from __future__ import annotations

import pytest

from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms import read_any, recognise
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import evaluate, run, run_reading

LABELS = [
    ("sA: (8,64):(64,1)", "(8,64):(64,1)"),
    ("tCsA : smem_ptr[16b](0x7f0000000400) o ((8,1),2):((1,0),16)", "((8,1),2):((1,0),16)"),
    ("ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)", "(32,2,2,1):(1,32,64,0)"),
    ("Thr Layout VMNK:  (32,2,2,1):(1,32,64,0)", "(32,2,2,1):(1,32,64,0)"),
    ('arg0_1: "f16[128, 64][64, 1]cuda:0"', "(128,64):(64,1)"),
    ("sB : Sw<3,3,3> o 0 o (8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
    ("rAcc: ptr[32b](0x7f) o ((2,2),1):((1,2),0)", "((2,2),1):((1,2),0)"),
    ("L : Layout<Shape<_4,_8>>{}", "(4,8):(1,4)"),
]
WRAPPED = [
    ("\x1b[1;32m(4,8)\x1b[0m:(1,4)", "(4,8):(1,4)"),
    ("'(4,8):(1,4)'", "(4,8):(1,4)"),
    ("`Layout<Shape<_4,_8>>{}`", "(4,8):(1,4)"),
    ("```cpp\nLayout<Shape<_4,_8>>{}\n```", "(4,8):(1,4)"),
    ("(4,8):(1,4),", "(4,8):(1,4)"),
    ("cute.make_layout((4, 8)),", "(4,8):(1,4)"),
    ("print(Layout<Shape<_4,_8>>{});", "(4,8):(1,4)"),
    ("print(cute.make_layout((4, 8), stride=(8, 1)))", "(4,8):(8,1)"),
    ("Layout<Shape<_4,_8>>{} /* eight columns */", "(4,8):(1,4)"),
    ("/* rows */ make_layout(make_shape(_4{}, _8{}))", "(4,8):(1,4)"),
]
DECLARED = [
    ("auto x = make_layout(make_shape(4, 8));", "(4,8):(1,4)"),
    ("const auto& x = make_layout(make_shape(4, 8));", "(4,8):(1,4)"),
    ("auto&& x = make_layout(make_shape(4, 8));", "(4,8):(1,4)"),
    ("Layout x = make_layout(_4{});", "4:1"),
    ("Tensor t = make_tensor(counting_iterator<int>{5}, Layout<_4>{});", "{5} o 4:1"),
    ("static constexpr int N = 4;", "4"),
    ("using A = typename Layout<Shape<_4,_8>>", "(4,8):(1,4)"),
    ("size(Layout<Shape<_4,_8>> const&)", "32"),
    ("alias L = Layout.row_major(2, 3)", "(2,3):(3,1)"),
    ("var L = Layout(IntTuple(4, 8), IntTuple(1, 4))", "(4,8):(1,4)"),
]
MLIR = [
    ('%x = cute.make() : !cute.layout<"(4,8):(1,4)">', "(4,8):(1,4)"),
    ("size(!cute.layout<\"(4,8):(1,4)\">)", "32"),
]  # fmt: skip
TABLES = [
    (
        "gmem_ptr[32b](0x7f00) o (_2,_3):(_1,_2):\n    0    2    4\n    1    3    5\n",
        "(2,3):(1,2)",
    ),
    (
        "ptr[16b](0x7f00) o (_2,_2):(_2,_1):\n  1.00e+00 -2.50e-01\n  0.0 nan\n",
        "(2,2):(2,1)",
    ),
]


@pytest.mark.parametrize(("text", "expected"), [*LABELS, *WRAPPED, *DECLARED, *MLIR, *TABLES])
def test_what_stands_around_a_layout_is_no_part_of_it(text: str, expected: str) -> None:
    assert text_of(evaluate(text)) == expected
    assert [text_of(x.value) for x in run_reading(read_any(text), Scope())][-1] == expected


SEVERAL = [
    ("Layout<Shape<_4,_8>>{}\nLayout<Shape<_2,_8>>{}", ["(4,8):(1,4)", "(2,8):(1,2)"]),
    ("(4,8):(1,4); (2,2):(1,2)", ["(4,8):(1,4)", "(2,2):(1,2)"]),
    ("sA: (8,64):(64,1)\nsB: (4,8):(1,4)", ["(8,64):(64,1)", "(4,8):(1,4)"]),
    (
        '%2 = cute.composition(%0, %1) : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"8:2">) -> !cute.layout<"8:1">',
        ["(4,8):(1,4)", "8:2", "8:1"],
    ),
    ('!cute.layout<"4:1">, !cute.layout<"8:1">', ["4:1", "8:1"]),
    ("(4,\n8):(1,4)", ["(4,8):(1,4)"]),
    ("Layout<Shape<_4,\n  _8>>{}", ["(4,8):(1,4)"]),
]


@pytest.mark.parametrize(("text", "expected"), SEVERAL)
def test_several_layouts_are_several_results(text: str, expected: list[str]) -> None:
    assert [text_of(x.value) for x in run_reading(read_any(text), Scope())] == expected


def test_a_tiled_copy_keeps_all_its_layouts() -> None:
    text = (
        "!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f16, 128 b>, "
        'layout_copy_tv = <"((16,8),8):((8,1),128)">, tiler_mn = <"[16:1;64:1]">>'
    )
    reading = read_any(text)
    assert reading.expression == "((16,8),8):((8,1),128)"
    assert dict(reading.named) == {"layout_copy_tv": "((16,8),8):((8,1),128)", "tiler_mn": "<16:1,64:1>"}


UNKNOWN = [
    ("Foo<3>{}; Layout<_4>{}", "Foo", ["4:1"]),
    ("x = Layout<Shape<_4,_8>>{}\ny = Bar<_3>{}\nsize(x)", "Bar", ["(4,8):(1,4)", "32"]),
    ("cute.make_layout(4)\ncute.unheard_of(4)", "unheard_of", ["4:1"]),
    ('%2 = cute.foo(%0) : (!cute.ptr<f16, gmem>, !cute.layout<"8:1">) -> !cute.layout<"2:1">', "ptr", ["8:1", "2:1"]),
    ("Layout<Shape<_4,_8>>{}.transposed()", "transposed", []),
    ("elsewhere::Layout<_4>{}", "elsewhere", []),
]


@pytest.mark.parametrize(("text", "name", "known"), UNKNOWN)
def test_a_piece_that_is_not_known_is_named_and_the_others_keep_their_values(
    text: str, name: str, known: list[str]
) -> None:
    outcomes = list(run(text))
    (error,) = [x.error for x in outcomes if x.error is not None]
    assert error.code in ("LC101", "LC103")
    assert error.source == text
    assert any(name in text[x.start : x.end] or name in error.message for x in error.labels)
    assert not any("laycalc from" in note for note in error.notes)
    assert [text_of(x.value) for x in outcomes if x.error is None] == known


POINTERS = [
    "raw_ptr(0x0400: f16, smem, align<1024>, S<3,4,3>) o (8,64):(64,1)",
    "ptr<f16, smem, align<1024>, S<3,4,3>> o (8,64):(64,1)",
    "tensor(raw_ptr(0x0400: f16, smem, align<1024>, S<3,4,3>) o (8,64):(64,1), data=",
    "Sw<3,4,3>_smem_ptr[16b](0x0400) o (8,64):(64,1)",
    "Sw<3,4,3> o smem_ptr[16b](0x0400) o (8,64):(64,1)",
]


@pytest.mark.parametrize("text", POINTERS)
def test_a_pointer_keeps_its_swizzle(text: str) -> None:
    assert text_of(evaluate(text)) == "Sw<3,3,3> o 0 o (8,64):(64,1)"


@pytest.mark.parametrize(
    "text",
    [
        "raw_ptr(0x0400: f16, smem, align<1024>, banked<2>) o (8,64):(64,1)",
        "ptr<f16, smem, volatile> o (8,64):(64,1)",
        '!cute.memref<f16, smem, padded<2>, "(8,64):(64,1)">',
        '!cute.layout<"(8,64):(64,1)", padded>',
        '!cute.layout<"(8,64):(64,1)", "4:1">',
        "TiledCopy\n  Tiler_MN:       (_256,_8)\n  TiledLayout_TV: ((_8,_32),_8):((_256,_8),_1)\n  Colour: _3",
        "TiledCopy\n  Tiler_MN:       (_256,_8)\n  TiledLayout_TV: ((_8,_32),_8):((_256,_8),_1)\n  and more",
    ],
)
def test_a_field_that_is_not_known_is_refused(text: str) -> None:
    with pytest.raises(Failure) as caught:
        evaluate(text)
    assert caught.value.diagnostic.code in ("LC101", "LC103")


NATIVE = ["M:4", "M:4 o 2:1", "x : 4", "(4,8) : (1,4)", "for N in {4,8}: (N,2):(1,N)", "A = 4:1; A : 2", "C = 3; C<4"]


@pytest.mark.parametrize("text", NATIVE)
def test_a_colon_of_the_language_is_no_label(text: str) -> None:
    found = recognise(text)
    assert found is None or found.expression == text


def test_a_comment_is_no_layout() -> None:
    for text in ("# a comment", "// a comment"):
        assert list(run_reading(read_any(text), Scope())) == []
