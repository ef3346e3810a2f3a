"""TMA tensor maps against an H200: accepted or the rule that is broken, where boxes land, what ends a launch."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from golden.facts import measured
from program import laycalc

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.atoms.memory.canonical import Operand
from laycalc.atoms.memory.descriptor_bits import Fields, layout_read
from laycalc.atoms.memory.tensor_boxes import filling
from laycalc.atoms.memory.tensor_global import dimensions, tensor_map
from laycalc.atoms.memory.tensor_map import TensorMap, broken, fault, loaded, nearest
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import evaluate

FACTS = measured("tma_hardware.jsonl.gz")


def of(*kinds: str) -> Any:
    """The facts of some kinds as parameters, named by their ids."""
    found = [fact for fact in FACTS if fact["kind"] in kinds]
    return pytest.mark.parametrize("fact", found, ids=[fact["id"] for fact in found])


def test_every_kind_is_asked() -> None:
    assert len(FACTS) == 272
    assert {fact["kind"] for fact in FACTS} == {"encode", "load", "store", "fault", "values"}


def map_of(fact: dict[str, Any]) -> TensorMap:
    numbers = (tuple(fact[name]) for name in ("gdim", "gstrides", "box", "estrides"))
    named = (fact["swizzle"], fact["interleave"], fact["oob_fill"])
    return TensorMap(fact["dtype"], *numbers, *named, fact.get("gaddr_mod_1024", 0), fact.get("l2_promotion", 0))


def arguments(fact: dict[str, Any]) -> list[str]:
    found = []
    for name in ("gdim", "gstrides", "box", "estrides"):
        found += [f"--{name}", ",".join(map(str, fact[name]))]
    for name, key in (("dtype", "dtype"), ("swizzle", "swizzle"), ("interleave", "interleave"), ("fill", "oob_fill")):
        found += [f"--{name}", str(fact[key])]
    found += ["--address", str(fact.get("gaddr_mod_1024", 0)), "--promotion", str(fact.get("l2_promotion", 0))]
    return found


def told(*given: str, code: int = 0) -> dict[str, Any]:
    done = laycalc("tma", *given, "--json")
    assert done.returncode == code, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@of("encode")
def test_accepted_or_the_rule_that_is_broken(fact: dict[str, Any]) -> None:
    found = broken(map_of(fact))
    assert (found is None, found and found.rule) == (fact["accepted"], fact.get("rule"))
    answer = told(*arguments(fact), code=0 if fact["accepted"] else 1)
    assert (answer["accepted"], answer["rule"]) == (fact["accepted"], fact.get("rule"))


@of("encode")
def test_the_nearest_map_is_accepted(fact: dict[str, Any]) -> None:
    found = nearest(map_of(fact))
    no_number_helps = fact.get("rule") in ("R1", "R4", "R11", "R12")
    assert (found is None) == no_number_helps
    assert found is None or broken(found) is None
    assert fact["accepted"] == (found == map_of(fact))


@of("load", "store")
def test_where_a_box_lands(fact: dict[str, Any]) -> None:
    m, coords = map_of(fact), tuple(fact["coords"])
    assert broken(m) is None and fault(m, coords, fact["smem"], store=fact["kind"] == "store") is None
    layout = m.layout(fact["smem"])
    assert text_of(layout) == fact["layout"]
    for at, address in fact["measured"]:
        assert layout(*(at if isinstance(at, list) else [at])) * m.bytes == address
    assert m.outside(coords) == fact["outside"]
    if fact["kind"] == "load":
        assert (m.tx_bytes, m.footprint) == (fact["tx_bytes"], fact["footprint_bytes"])
        assert not fact["outside"] or m.outside_value == int(fact["outside_value"], 16)


@of("load", "store")
def test_the_command_says_the_same(fact: dict[str, Any]) -> None:
    copy = ["--coords", ",".join(map(str, fact["coords"])), "--at", str(fact["smem"])]
    answer = told(*arguments(fact), *copy, *(["--store"] if fact["kind"] == "store" else []))
    assert answer["accepted"] and answer["rule"] is None and answer["fault"] is None
    assert answer["layout"] == fact["layout"] and answer["outside"] == fact["outside"]
    for key in ("tx_bytes", "footprint_bytes"):
        assert key not in fact or answer[key] == fact[key]


@of("fault")
def test_what_ends_the_launch(fact: dict[str, Any]) -> None:
    found = fault(map_of(fact), tuple(fact["coords"]), fact["smem"], store=fact["op"] == "store")
    assert found is not None and found.rule == fact["rule"]
    assert ("misaligned address" if "716" in fact["error"] else "illegal instruction") in found.why
    copy = ["--coords", ",".join(map(str, fact["coords"])), "--at", str(fact["smem"])]
    answer = told(*arguments(fact), *copy, *(["--store"] if fact["op"] == "store" else []), code=1)
    assert answer["accepted"] and answer["fault"]["rule"] == fact["rule"]


@of("values")
def test_bits_that_a_load_changes(fact: dict[str, Any]) -> None:
    assert [f"{loaded(fact['dtype'], int(word, 16)):08x}" for word in fact["words_in"]] == fact["words_out"]


@pytest.mark.parametrize(
    ("word", "rounded"),
    [
        (0x3F801000, 0x3F800000), (0x3F803000, 0x3F804000), (0x3F800FFF, 0x3F800000), (0x00000FFF, 0x00000000),
        (0x00001001, 0x00002000), (0x7F7FFFFF, 0x7F800000), (0xFF800000, 0xFF800000), (0x7F800001, 0x7FFFE000),
    ],
)  # fmt: skip
def test_tf32_is_rounded_to_ten_bits_ties_to_even(word: int, rounded: int) -> None:
    assert loaded("tf32", word) == rounded


# ---- from TMA to wgmma ----


@pytest.mark.parametrize(
    "fact", [x for x in measured("descriptors_hardware.jsonl.gz") if x["kind"] == "pipeline"], ids=lambda x: x["id"]
)
def test_what_tma_wrote_is_what_the_descriptor_reads(fact: dict[str, Any]) -> None:
    """The element that TMA put at an address is the one that the instruction takes from there."""
    row = fact["box"][0]
    m = TensorMap("f16", (1024, 1024), (2048,), tuple(fact["box"]), (1, 1), fact["swizzle"])
    landed = m.layout()
    fields = Fields(fact["swizzle"], fact["start"], fact["lbo"], fact["sbo"], fact["base_offset"])
    read = layout_read(fields, Operand(16, fact["major"].lower(), fact["operand"]), fact["mn"])
    apart = fact["box"][0] * fact["box"][1]
    # A start behind the box's own is a later k step: the element that lies there in the box.
    number, step = divmod((fact["start"] - fact["smem"]) // 2, apart)
    first = (number * row + step % row, step // row)
    wrong = 0
    for mn, k in product(range(fact["mn"]), range(fact["k"])):
        inner, outer = (a + b for a, b in zip(first, (k, mn) if fact["major"] == "K" else (mn, k), strict=True))
        place = fact["smem"] // 2 + (inner // row) * apart
        # The XOR of a box follows the absolute address.
        wrong += landed.swizzle(place + landed.layout(inner % row, outer)) != read(mn, k)  # type: ignore[union-attr]
    assert (wrong == 0) == fact["right"]
    assert wrong / (fact["mn"] * fact["k"]) == pytest.approx(fact["elements_wrong"], abs=1e-4)


# ---- layouts in global memory, and the tiles that boxes fill ----

TILE = "Sw<3,4,3> o smem_ptr[16b](unset) o ((8,16),(64,2)):((64,512),(1,8192))"


def test_the_boxes_of_a_shared_tile() -> None:
    """V36."""
    answer = told("(M,K):(K,1)", "--bits", "16", "--smem", TILE)
    assert answer["boxes"]["count"] == 2 and answer["boxes"]["box"] == [64, 128]
    assert answer["boxes"]["origins"] == [[0, 0], [64, 0]] and answer["boxes"]["places"] == [0, 16384]
    assert answer["verdict"] == "valid-iff" and answer["conditions"] == ["8 | K"]
    assert answer["arguments"]["modes"] == [1, 0] and answer["arguments"]["gstrides"] == ["2*K"]


@pytest.mark.parametrize(
    ("layout", "tile", "bits", "boxes"),
    [
        ("(512,256):(256,1)", "Sw<3,3,3> o 0 o ((8,16),(64,2)):((64,512),(1,8192))", 16, ((64, 128), 2)),
        ("(512,256):(256,1)", "Sw<3,3,3> o 0 o ((8,16),(64,2)):((64,1024),(1,512))", 16, ((64, 8), 32)),
        ("(512,256):(1,512)", "Sw<3,3,3> o 0 o ((64,2),(8,4)):((1,2048),(64,512))", 16, ((64, 32), 2)),
        ("(512,256):(256,1)", "((8,8),(8,8)):((8,64),(1,512))", 16, ((8, 64), 8)),
        ("(512,256):(256,1)", "(64,32):(32,1)", 16, ((32, 64), 1)),
        ("(512,256,4):(256,1,131072)", "Sw<2,3,3> o 0 o (16,32,3):(32,1,512)", 16, ((32, 16, 3), 1)),
        ("(512,256,4):(256,1,131072)", "Sw<2,3,3> o 0 o (16,32,3):(32,1,1024)", 16, ((32, 16, 1), 3)),
        ("(512,256):(256,1)", "Sw<3,2,3> o 0 o (512,32):(32,1)", 32, ((32, 256), 2)),
        ("(512,256):(256,1)", "Sw<3,3,3> o 0 o (16,24):(64,1)", 16, ((24, 16), 1)),
        ("512:1", "256:1", 8, ((256,), 1)),
    ],
)
def test_the_boxes_cover_the_tile(layout: str, tile: str, bits: int, boxes: Any) -> None:
    """Law: the element of the tile at origin + x lies where the box puts x."""
    smem, source = evaluate(tile), evaluate(layout)
    found = filling(source, smem, bits)
    assert (found.box, found.count) == boxes
    m = tensor_map(source, found.box, bits, found.swizzle)
    seen = set()
    for origin, place in zip(found.origins, found.places, strict=True):
        landed = m.layout(place)
        for x in product(*map(range, found.box)):
            at = {d.mode: a + b for d, a, b in zip(dimensions(source), origin, x, strict=True)}
            where = tuple(at[i] for i in range(len(at)))
            assert landed(*x) == smem(*where)
            seen.add(where)
    assert len(seen) == smem.size


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["(8,8):(8,2)", "--box", "8x8"], "has stride 1"),
        (["(8,8):(e0,e1)", "--box", "8x8"], "integer strides"),
        (["(8,8):(8,1)"], "a box is missing"),
        (["(8,8):(8,1)", "--box", "8"], "a box has 2 extents"),
        (["(8,8):(8,1)", "--box", "8xa"], "--box wants numbers"),
        (["(8,8):(8,1)", "--gdim", "8,8", "--box", "8"], "give either"),
        (["(8,8):(8,1)", "--dtype", "f12", "--box", "8,8"], "there is no type f12"),
        (["(8,8):(8,1)", "--dtype", "f32", "--bits", "16", "--box", "8,8"], "there are u16, f16, bf16"),
        (["--gdim", "8,8", "--box", "8,8", "--dtype", "f16"], "--gstrides wants 1 numbers"),
        (["--gdim", "8,8", "--gstrides", "16", "--box", "8", "--dtype", "f16"], "--box wants 2"),
        (["--dtype", "f16"], "is missing"),
        (["(64,64):(64,1)", "--box", "64,64", "--coords", "1"], "--coords wants 2"),
        (["(M,K):(K,1)", "--box", "64,64", "--coords", "1,0"], "--coords needs the extents"),
        (["(64,64):(64,1)", "--smem", TILE, "--swizzle", "32B"], "the tile has the swizzle 128B"),
        (["(64,64):(64,1)", "--smem", TILE, "--box", "64,100"], "no box has 100 of a run of 128"),
        (["(64,64):(64,1)", "--smem", "(64,64):(1,64)"], "in shared memory its elements lie 64 apart"),
        (["(64,64):(64,1)", "--smem", "Sw<3,4,3> o 0 o (64,64):(64,1)"], "this one counts bytes"),
        (["(64,64):(64,1)", "--smem", "{8} o (64,64):(64,1)"], "a multiple of 128"),
        (["(64,64):(64,1)", "--smem", "4096:1"], "one mode for each"),
        (["5", "--box", "8"], "integer strides"),
    ],
)
def test_bad_input_is_one_diagnostic(arguments: list[str], says: str) -> None:
    done = laycalc("tma", *arguments)
    assert done.returncode == 2 and done.stderr.count("error[LC10") == 1 and says in done.stderr, done.stderr
    assert not done.stdout


def test_a_refused_map_names_rule_number_and_nearest() -> None:
    done = laycalc("tma", "(512,4096):(4096,1)", "--box", "128x64", "--swizzle", "128B")
    assert done.returncode == 1
    for word in ("LC321", "R8", "256 bytes", "box 64,64"):
        assert word in done.stderr
    with pytest.raises(LayoutError) as caught:
        tensor_map(Layout((64, 60), (60, 1)), (64, 8), 16)
    assert caught.value.facts["nearest"] == "strides 128"


def test_unknown_extents() -> None:
    for text, condition in (("(M,K):(K,1)", "8 | K"), ("(M,64):(S,1)", "8 | S"), ("(M,K):(1,M)", "8 | M")):
        answer = told(text, "--box", "64,64", "--swizzle", "128B")
        assert answer["conditions"] == [condition] and answer["verdict"] == "valid-iff"
    known = told("(M,K):(K,1)", "--box", "64,64", "--assume", "K % 64 == 0")
    assert known["conditions"] == [] and known["verdict"] == "proven"


def test_the_text_of_a_map_reads_back() -> None:
    for text in (
        'tensor_map((512,4096):(4096,1), (64,128), 16, "128B")',
        'tensor_map({8} o (512,64):(64,1), (32,16), 32, "128B", "tf32")',
    ):
        value = evaluate(text)
        assert evaluate(text_of(value)) == value
    assert text_of(evaluate(f"{text}.layout")) == "Sw<3,2,3> o 0 o (32,16):(1,32)"
    assert text_of(evaluate(f"{text}.tx_bytes")) == "2048"


def test_explain_tells_the_placement() -> None:
    done = laycalc("explain", 'tensor_map((512,4096):(4096,1), (24,16), 16, "128B")')
    for words in (
        "a = smem + 2*x0 + 128*x1 for x0 < 24, x1 < 16",
        "mod 8) << 4",
        "counts 768 bytes, the box spans 2048",
    ):
        assert words in done.stdout


@pytest.mark.parametrize(
    "text",
    [
        'tensor_map((512,4096):(1,512), (64,128), 16, "128B", "f16")',
        'tensor_map((512,64,3):(1,512,32768), (32,16,2), 32, "none", "tf32")',
        'tensor_map((512):(1), (128), 8, "none", "u8")',
    ],
)
def test_the_driver_call_reads_back(text: str) -> None:
    call = laycalc("to", "tma", text).stdout
    assert "cuTensorMapEncodeTiled(&map, " in call
    assert laycalc("from", call).stdout.strip() == text
    assert evaluate(call) == evaluate(text)


def test_the_driver_call_with_symbols() -> None:
    call = laycalc("to", "tma", 'tensor_map((M,K):(K,1), (64,128), 16, "128B")').stdout
    assert "gdim[] = {K, M}" in call and "gstrides[] = {2*K}" in call
    assert "if 8 | K" in laycalc("from", call).stdout


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("FLOAT16", "FLOAT4"), "CU_TENSOR_MAP_DATA_TYPE_FLOAT4 is not known"),
        (("map, ", "map, 1, "), "takes 12 arguments, not 13"),
        (("16, 2, address", "16, 3, address"), "rank 3 does not fit"),
        (("{1, 1}", "{1, 2}"), "element strides 1"),
        (("{64, 128}", "{64, f(8)}"), "entries are numbers"),
        (("OOB_FILL_NONE", "OOB_FILL_NAN"), "CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE"),
        (("cuuint32_t estrides[]", "int steps[]"), "are expected"),
    ],
)
def test_a_call_that_is_not_understood(change: tuple[str, str], says: str) -> None:
    call = laycalc("to", "tma", 'tensor_map((512,4096):(4096,1), (64,128), 16, "128B")').stdout.strip()
    changed = call.replace(*change)
    assert changed != call
    done = laycalc("from", changed)
    assert done.returncode == 2 and says in done.stderr
