"""Values that were wrong or missing, each kind with an example: what is asked, and what is answered or refused."""

from __future__ import annotations

import pytest
from golden.facts import ask

import laycalc
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import run

ANSWERS = [
    # Elements whose bits are no whole elements of the other width.
    ("recast_layout(8:1, 6, 32)", "LC312"),
    ("recast_layout(16:1, 6, 32)", "3:1"),
    ("recast_layout((4,8):(8,1), 6, 8)", "(4,6):(6,1)"),
    ("recast_layout(4:4, 6, 8)", "LC312"),
    # A swizzle that moves nothing that the layout holds parts no vector.
    ("max_common_vector(Sw<1,0,4> o 0 o (8,2):(1,8), (8,2):(1,8))", "16"),
    ("max_common_vector(Sw<3,0,3> o 0 o (8,8):(1,32), (8,8):(1,32))", "4"),
    ("max_common_vector(Sw<3,3,3> o 0 o (8,64):(64,1), (8,64):(64,1))", "8"),
    # What a swizzle leaves alone stays; what is no swizzle of a layout may have XOR strides.
    ("composition((8,16):(16,1), Sw<1,4,3>)", "(8,16):(16,1)"),
    ("Sw<3,0,3> o (Sw<1,2,1> o 64:1)", "(8,2,4):(f1,f13,f18)"),
    ("Sw<3,0,3> o Sw<1,2,1> o 64:1", "(8,2,4):(f1,f13,f18)"),
    ("Sw<2,1,4> o Sw<1,3,4> o 64:1", "Sw<3,1,4> o 0 o 64:1"),
    ("Sw<3,0,3> o Sw<1,2,1>", "LC303"),
    ("as_swizzle(5:6)", "5:6"),
    # Shapes.
    ("common_refinement(30, 30)", "30"),
    ("common_refinement(10, (2,5))", "(2,5)"),
    ("greatest_common_domain((4,6), (2,12))", "(2,2,6):(1,2,4)"),
    ("idx2crd(11, (4,(2,4)))", "(3,(0,1))"),
    ("shape_div((12,2), 6)", "(2,2)"),
    ("shape_div((12,2), 5)", "LC302"),
    ("shape_div((6,4), (3,2))", "(2,2)"),
    ("evenly_divides((12,8), (4,8))", "true"),
    ("evenly_divides((12,8), (5,8))", "false"),
    ("gcd(12, 18, 4)", "2"),
    # Values and places.
    ("disjoint(8:1, 1:1)", "false"),
    ("disjoint({1} o 4:2, 4:2)", "true"),
    ("cosize(4:-1)", "4"),
    ("3 in {1..8}", "true"),
    ("12 in {8..64:8}", "false"),
    # Tiles stand beside the modes of the tile, as in CUTLASS.
    ("local_tile((512,128):(128,1), (64,32), (1,_))", "{8192} o (64,32,4):(128,1,32)"),
    ("local_tile((512,128):(128,1), (64,32), (1,1))", "{8224} o (64,32):(128,1)"),
    ("local_tile(Sw<3,3,3> o 0 o (128,64):(64,1), (64,32), (1,_))", "{4096} o Sw<3,3,3> o 0 o (64,32,2):(64,1,32)"),
    ('fragment(tiled_mma("SM80_16x8x8_F32F16F16F32_TN"), "A", (16,64):(1,16))', "((2,2),1,8):((1,2),0,4)"),
]


@pytest.mark.parametrize(("text", "expected"), ANSWERS)
def test_answers(text: str, expected: str) -> None:
    value, diagnostic = ask(text)
    assert (text_of(value) if diagnostic is None else diagnostic.code) == expected


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("complement((2,4):(3,2))", "the modes of (2,4):(3,2) interleave"),
        ("complement((4,4):(1,2))", "layout is not injective"),
        ("f5 - f5", "f5 - f5: XOR strides have no minus; f5 + f5 is the same"),
        ("left_inverse((4,4):(1,2))", "layout is not injective"),
        ("Sw<-1,2,3>", "B and M of a swizzle are not negative"),
        ("Sw<1,-2,3>", "B and M of a swizzle are not negative"),
        ("Sw<1,2>", "a swizzle has three numbers"),
    ],
)
def test_a_refusal_says_what_is_true(text: str, says: str) -> None:
    diagnostic = ask(text)[1]
    assert diagnostic is not None
    assert says in diagnostic.message


def test_a_swizzle_that_exchanges_parts_of_an_element_is_told() -> None:
    for text, codes in (
        ("recast_layout(Sw<3,4,3> o 0 o (8,1024):(1024,1), 1, 32)", ["LC410"]),
        ("recast_layout(Sw<3,5,3> o 0 o (8,1024):(1024,1), 1, 32)", []),
        ("recast_layout(Sw<3,4,3> o 0 o (8,1):(1,1), 1, 2)", []),
    ):
        (outcome,) = run(text)
        assert [w.code for w in outcome.warnings] == codes, text


def test_a_name_that_nearly_is_bound_is_told() -> None:
    *_, outcome = run("smem = (8,64):(64,1); assert size(smme) == 8192")
    (warning,) = outcome.warnings
    assert (warning.code, warning.severity, warning.labels[0].text) == ("LC102", "warning", "did you mean smem?")
    *_, outcome = run("smem = (8,64):(64,1); size((M,4):(1,M))")
    assert not outcome.warnings


def test_the_library_takes_no_typo_for_an_unknown() -> None:
    A = laycalc.eval("(4,8):(1,4)")
    with pytest.raises(laycalc.Failure) as caught:
        laycalc.eval("A o typo", A=A)
    assert caught.value.diagnostic.code == "LC102"
    assert laycalc.eval("size((M,4):(1,M))", unknowns=True).verdict == "proven"


def test_what_works_is_shown_as_the_answer_would_be() -> None:
    mma = 'atom("SM80_16x8x16_F32F16F16F32_TN")'
    for text, shown in (
        (f'owner({mma}, "C", (99,3))', "T13V3"),
        (f'elements({mma}, "C", 99)', "(2,6) (2,7) (10,6) (10,7)"),
    ):
        diagnostic = ask(text)[1]
        assert diagnostic is not None
        assert diagnostic.suggestions[0].value == shown


def test_no_argument_of_a_call_is_dropped() -> None:
    for text, says in (
        ("coalesce(L=4:1, L=8:1)", "is given L twice"),
        ("mode((4,8):(1,4), 1, i=1)", "is given i twice"),
        ("coalesce(4:1, foo=1)", "has no argument foo"),
        ('tiled_copy("SM75_U32x4_LDSM_N", (8,4):(4,1), bits=16)', "8 values of 16 bits"),
        ('tiled_copy("SM75_U32x4_LDSM_N")', "layout_tv and tiler"),
    ):
        diagnostic = ask(text)[1]
        assert diagnostic is not None, text
        assert says in diagnostic.message
