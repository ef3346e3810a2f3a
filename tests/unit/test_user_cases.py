"""Questions that people asked in public, by what they came to: those that no fact of another file has."""

from __future__ import annotations

import json

import pytest
from golden.facts import ask, load

from laycalc.cli.main import main
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import evaluate, run

CASES = {case["id"]: case for case in load("user_cases.jsonl")}
MORE = {case["id"]: case for case in load("user_cases_more.jsonl")}

COMPUTED = {
    "U48": ("right_inverse((16,N):(1,16))", "(16*N):1"),
    "U65": ("recast_layout(8:-1, 8, 32)", "2:-1"),
    "U86": (
        'partition(tiled_copy("UniversalCopy_128b", layout_tv=(256,8):(8,1), tiler=(128,16), bits=16), "S",'
        " (128,32):(1,128), 0)",
        "{0} o ((8,1),1,2):((1,0),0,2048)",
    ),
    "V16": (MORE["V16"]["input"], MORE["V16"]["expected"]),
    "V17": (MORE["V17"]["input"], MORE["V17"]["expected"]),
    "V51": (MORE["V51"]["input"], MORE["V51"]["expected"]),
    "V40": (
        'partition(tiled_copy("UniversalCopy_128b", layout_tv=((32,4),(8,2)):((32,1),(4,1024)), tiler=(4,512),'
        ' bits=16), "S", (4,512):(512,1), 33)',
        "{520} o ((8,2),1,1):((1,256),0,0)",
    ),
}


@pytest.mark.parametrize("ident", COMPUTED)
def test_what_was_asked_is_computed(ident: str) -> None:
    text, expected = COMPUTED[ident]
    value, diagnostic = ask(text)
    assert diagnostic is None
    assert text_of(value) == expected


def test_u58_modes_are_put_together_by_hand() -> None:
    text = "L = logical_divide((4,1,8):(1,0,4), <2>); make_layout(make_layout(L[0][1],L[1]), make_layout(L[0][0],L[2]))"
    assert text_of(evaluate(text)) == "((2,1),(2,8)):((2,0),(1,4))"


def test_v29_the_tile_of_a_matrix_of_unknown_size() -> None:
    *_, outcome = run(MORE["V29"]["input"])
    assert f"{outcome.report}".startswith("{128*K*m} o (128,64,K/64):(K,1,64)\nif 128*m < M")


def test_v55_a_recast_that_cuts_elements_is_told() -> None:
    (outcome,) = run(MORE["V55"]["input"])
    assert [w.code for w in outcome.warnings] == ["LC410"]


def told(argv: list[str], capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        main(argv)
    return int(str(stop.value.code)), capfd.readouterr().out


@pytest.mark.parametrize(
    ("ident", "layout", "ways"),
    [
        ("U76", "(8,64):(64,1)", 8),
        ("U76", "Sw<3,3,3> o 0 o (8,64):(64,1)", 1),
        ("U76", "Sw<2,3,3> o 0 o (8,64):(64,1)", 2),
        ("U76", "Sw<3,4,3> o 0 o (8,64):(64,1)", 2),
        ("U77", "(128,8):(1,128)", 8),
        ("U77", "Sw<3,3,4> o 0 o (128,8):(1,128)", 1),
        ("U77", "Sw<3,3,3> o 0 o (128,8):(1,128)", 2),
    ],
)
def test_conflicts_of_ldmatrix(ident: str, layout: str, ways: int, capfd: pytest.CaptureFixture[str]) -> None:
    assert ident in CASES
    _, out = told(["banks", layout, "--bits", "16", "--lanes", "ldmatrix", "--json"], capfd)
    assert json.loads(out)["accesses"][0]["degree"] == ways


def test_u78_the_swizzle_for_ldmatrix(capfd: pytest.CaptureFixture[str]) -> None:
    _, out = told(["banks", "(8,64):(64,1)", "--bits", "16", "--lanes", "ldmatrix", "--suggest"], capfd)
    assert "Sw<3,3,3> on elements, Sw<3,4,3> on bytes" in out


def test_u79_a_swizzle_as_triton_has_it(capfd: pytest.CaptureFixture[str]) -> None:
    _, out = told(["to", "triton", "Sw<3,3,3> o 0 o (8,64):(64,1)"], capfd)
    assert "vec = 8, perPhase = 1, maxPhase = 8" in out


def test_u62_layouts_over_other_axes_differ(capfd: pytest.CaptureFixture[str]) -> None:
    code, out = told(["diff", "(8,4):(1@2,1@3)", "(8,4):(1@1,1@0)"], capfd)
    assert code == 1
    assert "differ" in out


def test_u85_why_a_vector_cannot_be_wide(capfd: pytest.CaptureFixture[str]) -> None:
    code, out = told(["vector", "(256,8):(8,1)", "(256,8):(1,256)", "--bits", "16"], capfd)
    assert code == 1
    assert "1 elements (16 bits) contiguous" in out


@pytest.mark.parametrize("kind", ["svg", "tex", "png"])
def test_u87_u89_pictures_need_no_tex(kind: str, tmp_path: object, capfd: pytest.CaptureFixture[str]) -> None:
    path = f"{tmp_path}/mma.{kind}"
    text = 'tiled_mma("SM80_16x8x16_F32F16F16F32_TN")'
    assert told(["draw", text, "--color-by", "thread", "-o", path], capfd)[0] == 0


def test_u88_slices_are_titled(capfd: pytest.CaptureFixture[str]) -> None:
    _, out = told(["table", "(4,8,3):(1,4,32)", "--format", "plain"], capfd)
    assert all(f"{k}" in out for k in range(3)) and out.count("95") == 1


def test_u96_a_claim_that_fails_for_every_value_of_a_list() -> None:
    found = list(run("assume M % 32 == 0; for N in {1..8}: assert admissible(zipped_divide((M,N):(1,M), <32,32>))"))
    assert len(found) == 9
    assert all(outcome.error is not None for outcome in found[1:])
