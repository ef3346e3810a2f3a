"""Matrix descriptors against an H200: from the layout to the fields, from the bits to the addresses, and refusals."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from golden.facts import measured
from program import laycalc

from laycalc.algebra.base.errors import LayoutError
from laycalc.atoms.memory.canonical import ROW, Operand
from laycalc.atoms.memory.descriptor import Descriptor, descriptor
from laycalc.atoms.memory.descriptor_bits import BASE, Fields, decode, encode, layout_read
from laycalc.atoms.memory.descriptor_told import difference, reaches_past
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import evaluate

FACTS = measured("descriptors_hardware.jsonl.gz")


def of(*kinds: str) -> Any:
    """The facts of some kinds as parameters, named by their ids."""
    found = [fact for fact in FACTS if fact["kind"] in kinds]
    return pytest.mark.parametrize("fact", found, ids=[fact["id"] for fact in found])


WITH_LAYOUT = sorted({fact["kind"] for fact in FACTS if "layout" in fact})
WITH_BITS = sorted({fact["kind"] for fact in FACTS if "desc" in fact})


def test_every_kind_is_asked() -> None:
    assert len(FACTS) == 198
    assert {fact["kind"] for fact in FACTS} == {*WITH_LAYOUT, *WITH_BITS, "pipeline", "fault"}


def placed(fact: dict[str, Any], text: str) -> Any:
    """The layout with its origin, in elements."""
    origin = fact["origin"] * 8 // fact["bits"]
    return evaluate(f"{{{origin}}} o {text}" if origin else text)


def asked(fact: dict[str, Any], layout: Any) -> Descriptor:
    sparse = int(fact["kind"] == "sparse")
    return descriptor(layout, fact["bits"], fact["major"].lower(), fact["operand"], sparse=sparse)


def operand(fact: dict[str, Any]) -> Operand:
    bits = fact.get("bits") or {"f16": 16}[fact["type"]]
    return Operand(bits, fact["major"].lower(), fact["operand"], sparse=fact["kind"] == "sparse")


@of(*WITH_LAYOUT)
def test_from_the_layout_to_the_fields(fact: dict[str, Any]) -> None:
    found = asked(fact, placed(fact, fact["layout"]))
    assert found.mode == fact["swizzle"]
    # A field that is not read holds anything: the measurement shows that nothing depends on it.
    assert found.lbo in (None, fact["lbo"]) and found.sbo in (None, fact["sbo"])
    assert found.base_offset == fact["base_offset"] % (ROW[found.mode] // 16)
    if "instructions" in fact:
        assert sorted(found.starts) == [(x["mn0"], x["k0"], x["start"]) for x in by_place(fact["instructions"])]
    else:
        assert found.starts == [(0, 0, fact["start"])]


def by_place(instructions: list[dict[str, int]]) -> list[dict[str, int]]:
    return sorted(instructions, key=lambda x: (x["mn0"], x["k0"]))


@of("lbo-ignored", "sbo-ignored")
def test_a_field_that_is_not_read(fact: dict[str, Any]) -> None:
    found = asked(fact, placed(fact, fact["layout"]))
    assert getattr(found, fact["kind"].removesuffix("-ignored")) is None


@of(*WITH_BITS)
def test_from_the_bits_to_the_addresses(fact: dict[str, Any]) -> None:
    fields = decode(int(fact["desc"], 16))
    assert fields.unread == 0 or fact["kind"] == "reserved-bits"
    assert encode(fields) == int(fact["desc"], 16) & ~fields.unread
    read = layout_read(fields, operand(fact), fact["mn"], BASE)
    assert [read(mn, k) * fact["bits"] // 8 for mn, k, _ in fact["measured"]] == [x[2] for x in fact["measured"]]
    absolute = layout_read(fields, operand(fact), fact["mn"])
    assert [x * fact["bits"] // 8 - BASE for x in absolute.elements()] == [
        x * fact["bits"] // 8 for x in read.elements()
    ]
    if "layout" in fact:
        assert text_of(read) == text_of(placed(fact, fact["layout"]))


@of(*WITH_BITS)
def test_from_the_bits_by_the_command(fact: dict[str, Any]) -> None:
    named = ("--bits", str(fact["bits"]), "--major", fact["major"].lower(), "--operand", fact["operand"])
    shape = f"{fact['mn']}x{fact['k']}"
    done = laycalc("from", fact["desc"], "--form", "descriptor", *named, "--shape", shape, "--json")
    answer = json.loads(done.stdout)
    absolute, relative = evaluate(answer["value"]), evaluate(answer["relative"])
    for mn, k, address in fact["measured"]:
        assert absolute(mn, k) * fact["bits"] // 8 - BASE == relative(mn, k) * fact["bits"] // 8 == address


@of(*(kind for kind in WITH_LAYOUT if kind != "tile"))
def test_from_the_layout_by_the_command(fact: dict[str, Any]) -> None:
    named = ["--bits", str(fact["bits"]), "--major", fact["major"].lower(), "--operand", fact["operand"]]
    named += ["--sparse"] if fact["kind"] == "sparse" else []
    answer = told(text_of(placed(fact, fact["layout"])), *named)
    assert answer["mode"] == fact["swizzle"] and answer["start"] == fact["start"]
    assert answer["lbo"] in (None, fact["lbo"]) and answer["sbo"] in (None, fact["sbo"])
    bits = int(answer["desc"], 16)
    assert bits & 0x3FFF == 0 and decode(bits).mode == fact["swizzle"]


@of("tile")
def test_the_instructions_of_a_tile_read_it(fact: dict[str, Any]) -> None:
    """Every start with the fields of the descriptor gives the part of the layout where it begins."""
    layout = placed(fact, fact["layout"])
    found = asked(fact, layout)
    assert found.written is not None
    for mn0, k0, start in found.starts:
        read = layout_read(found.written.replace(start=start), found.operand, found.rows)
        for mn in range(0, found.rows, 7):
            for k in range(found.operand.k):
                assert read(mn, k) == layout(mn0 + mn, k0 + k)


REASONS = {
    "SBO halved": "SBO",
    "SBO 0": "SBO",
    "LBO of a K-major no-swizzle operand doubled": "LBO",
    "swizzle mode": "mode",
    "k-step": "start",
    "base_offset": "base_offset",
}


@of("negative")
def test_a_wrong_descriptor_is_refused_with_the_reason(fact: dict[str, Any]) -> None:
    needed = asked(fact, placed(fact, fact["layout_wanted"]))
    found = difference(decode(int(fact["desc"], 16)), needed)
    (reason,) = (field for words, field in REASONS.items() if words in fact["fault"])
    assert [name for name, _, _ in found.found][:1] == [reason]
    assert round(found.wrong, 4) == fact["addresses_wrong"]


@of("fault")
def test_addresses_past_the_window(fact: dict[str, Any]) -> None:
    fields = Fields(fact["swizzle"], fact["start_absolute"], fact["lbo"], fact["sbo"], fact["base_offset"])
    read = layout_read(decode(encode(fields)), operand(fact), fact["mn"])
    past = reaches_past(read, 16)
    # The fact has the sum; the XOR behind it stays within 128 bytes.
    assert past is not None and past // 128 == fact["highest_byte"] // 128


# ---- what no descriptor reads ----

REFUSED = [
    ("(128,64):(64,1)", {}, "mode mn needs 8 elements 8 apart, it has 128 elements 64 apart"),
    ("Sw<3,4,3> o 0 o (128,64):(64,1)", {}, "this one counts bytes"),
    ("Sw<2,4,2> o 0 o (128,64):(64,1)", {}, "moves no units of 16 bytes"),
    ("Sw<3,3,3> o 0 o (128,64):(72,1)", {}, "mode mn needs 8 elements 64 apart"),
    ("Sw<3,3,3> o 0 o ((8,8),64):((64,516),1)", {}, "multiples of 8 elements (16 bytes), it has the distance 516"),
    ("Sw<3,3,3> o 4 o (128,64):(64,1)", {}, "the distance 4"),
    ("Sw<3,3,3> o 0 o (128,24):(64,1)", {}, "mode k needs a multiple of 16 elements"),
    ("Sw<3,3,3> o 0 o (96,64):(64,1)", {"operand": "A"}, "no multiple of the 64 rows"),
    ("Sw<3,3,3> o 0 o (100,64):(64,1)", {}, "no multiple of 8"),
    ("Sw<3,3,3> o 0 o (128,64):(64,2)", {"major": "k"}, "mode k needs 16 elements 1 apart"),
    ("Sw<3,3,3> o 0 o ((8,8),64):((64,524288),1)", {}, "distances from 0 to 262128 bytes"),
    ("{8} o Sw<3,3,3> o 0 o (128,64):(64,1)", {}, "begins at a multiple of 128 bytes"),
    ("Sw<2,3,3> o 0 o ((8,8),(16,4)):((32,1024),(1,16384))", {}, None),
]


@pytest.mark.parametrize(("text", "named", "why"), REFUSED)
def test_the_form_that_is_missed(text: str, named: dict[str, Any], why: str | None) -> None:
    if why is None:
        assert descriptor(evaluate(text), 16, **named).mode == "64B"
        return
    with pytest.raises(LayoutError) as caught:
        descriptor(evaluate(text), 16, **named)
    assert caught.value.code == "LC320" and why in str(caught.value)
    nearest = caught.value.facts.get("nearest")
    if nearest is not None:
        assert descriptor(nearest, 16, **named)


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ({"bits": 12}, "bits is 8 or 16 or 32"),
        ({"bits": 16, "major": "m"}, "major is k or mn"),
        ({"bits": 16, "operand": "C"}, "operand is A or B"),
        ({"bits": 16, "arch": "sm80"}, "arch is sm90 or sm100"),
        ({"bits": 32, "major": "mn"}, "no MN-major operands of 32 bits"),
    ],
)
def test_an_operand_that_does_not_exist(named: dict[str, Any], why: str) -> None:
    with pytest.raises(LayoutError) as caught:
        descriptor(evaluate("Sw<3,3,3> o 0 o (128,64):(64,1)"), **named)
    assert caught.value.code == "LC103" and why in str(caught.value)


# ---- the command and the language ----


def told(*arguments: str) -> dict[str, Any]:
    done = laycalc("descriptor", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_the_most_asked_question_of_hopper() -> None:
    """V34."""
    answer = told("Sw<3,4,3> o smem_ptr[16b](unset) o (128,64):(64,1)", "--bits", "16", "--operand", "A")
    assert answer["mode"] == "128B" and answer["sbo"] == 1024 and answer["lbo"] is None
    assert answer["encoded"]["sbo"] == 64 and answer["advance"] == 32 and answer["encoded"]["advance"] == 2
    assert answer["desc"] == "0x4000004000010000" and answer["base_offset"] == 0 and answer["start"] == 0


def test_a_tile_relative_to_its_own_beginning_and_one_that_tma_wrote() -> None:
    text = "Sw<3,3,3> o 0 o (64,64):(64,1)"
    own, tma = told(text, "--at", "896"), told(text, "--at", "896", "--tma")
    assert (own["base_offset"], own["start"]) == (7, 896) and "78 of 91" in own["notes"][-1]
    assert (tma["base_offset"], tma["start"]) == (0, 896)


def test_check_says_what_is_wrong() -> None:
    done = laycalc("descriptor", "Sw<3,3,3> o 0 o (64,16):(64,1)", "--check", "0x4000002000010800")
    assert done.returncode == 1 and "SBO is 512, 1024 is needed" in done.stdout
    done = laycalc("descriptor", "Sw<3,3,3> o 0 o (64,16):(64,1)", "--check", "0x4000004000010800")
    assert done.returncode == 0 and "reads this layout" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("desc 0x4000004000010800", "--tile", "64x24"), "reads 16 elements of k"),
        (("desc 0x4000004000010800", "--tile", "128x16", "--operand", "A"), "64 rows of A, not 128"),
        (("desc 0x4000004000010800", "--tile", "12x16"), "rows of B, not 12"),
        (("desc 0x4000004000010800", "--tile", "64"), "two modes"),
        (("desc 0x14000004000010800",), "a descriptor has 16"),
        (("desc 0x4000004000010800 bits=12",), "bits is 8 or 16 or 32"),
        (("desc 0x4000004000010800", "--base", "512"), "no multiple of 1024"),
        (("desc 0x6000004000010800", "--arch", "sm100"), "no swizzle mode of sm100"),
        (("desc mode=96B sbo=1024",), "mode is none or 32B"),
        (("desc mode=128B sbo=1000",), "multiple of 16"),
        (("desc mode=128B sbo=262144",), "no place"),
        (("desc bits=16", "--form", "descriptor"), "missing"),
        (("torch.empty(4)", "--bits", "16", "--form", "torch"), "--bits is for --form descriptor"),
    ],
)
def test_bits_that_are_no_descriptor(arguments: tuple[str, ...], says: str) -> None:
    done = laycalc("from", *arguments)
    assert done.returncode == 2 and done.stderr.count("error[LC10") == 1 and says in done.stderr and not done.stdout


def test_from_reads_bits_fields_and_a_bare_number() -> None:
    wanted = "Sw<3,3,3> o 16384 o ((8,8),16):((64,512),1)"
    for text in ("desc 0x4000004000010800", "desc mode=128B start=0x8000 sbo=1024", "0x4000004000010800"):
        assert laycalc("from", text).stdout.strip() == wanted


def test_bad_input_is_one_diagnostic() -> None:
    for arguments, code in (
        (["(8,8):(e0,e1)"], "LC103"),
        (["5"], "LC103"),
        (["8:1"], "LC103"),
        (["(64,64):(64,1)", "--bits", "0"], "LC103"),
        (["Sw<3,3,3> o 0 o (64,64):(64,1)", "--check", "zero"], "LC103"),
        (["Sw<3,3,3> o 0 o (64,64):(64,1)", "--check", "0x14000004000010800"], "LC103"),
        (["Sw<3,2,3> o 0 o (64,32):(32,1)", "--bits", "32", "--at", "3"], "LC103"),
    ):
        done = laycalc("descriptor", *arguments)
        assert done.returncode == 2 and done.stderr.startswith(f"error[{code}]") and not done.stdout, arguments


def test_attributes_and_the_text_that_reads_back() -> None:
    text = "descriptor(Sw<3,3,3> o 0 o (128,64):(64,1), 16)"
    value = evaluate(text)
    assert evaluate(text_of(value)) == value
    assert [text_of(evaluate(f"{text}.{name}")) for name in ("mode", "lbo", "sbo", "advance", "base_offset")] == [
        '"128B"', "_", "1024", "32", "0",
    ]  # fmt: skip
    assert text_of(evaluate(f'{text}.mode == "128B"')) == "true"


@pytest.mark.parametrize(
    ("text", "numbers", "conditions"),
    [
        ("Sw<3,3,3> o 0 o (M,64):(64,1)", {"sbo": 1024, "lbo": None}, ["64 | M"]),
        ("Sw<3,3,3> o 0 o ((8,16),64):((64,S),1)", {"sbo": "2*S", "advance": 32}, ["8 | S"]),
        ("((8,m),(8,2)):((8,64),(1,L))", {"lbo": "2*L", "sbo": 128}, ["8 | m", "8 | L"]),
        ("Sw<3,3,3> o 0 o (128,64):(P,1)", {"sbo": 1024}, ["P == 64"]),
        ("Sw<3,3,3> o 0 o (64,K):(64,1)", {"sbo": 1024, "advance": 32}, ["16 | K"]),
    ],
)
def test_unknown_numbers_are_answered_with_conditions(
    text: str, numbers: dict[str, Any], conditions: list[str]
) -> None:
    answer = told(text)
    assert {name: answer[name] for name in numbers} == numbers
    assert answer["conditions"] == conditions and answer["verdict"] == "valid-iff"


def test_the_rows_of_b_are_as_many_as_there_are() -> None:
    answer = told("Sw<3,3,3> o 0 o (N,64):(64,1)", "--operand", "B", "--assume", "N % 8 == 0", "--assume", "N <= 256")
    assert answer["sbo"] == 1024 and answer["instruction"] == ["N", 16] and answer["conditions"] == ["N != 8"]
    few = told("Sw<3,3,3> o 0 o (8,64):(64,1)", "--operand", "B")
    assert few["sbo"] is None


def test_an_assumption_makes_it_valid() -> None:
    answer = told("Sw<3,3,3> o 0 o (M,64):(64,1)", "--assume", "M % 128 == 0")
    assert answer["verdict"] == "proven" and answer["conditions"] == []


def test_a_swizzle_over_unknown_numbers_is_only_held_against_forms() -> None:
    text = "Sw<3,3,3> o 0 o (M,64):(64,1)"
    assert laycalc("eval", text).stdout.strip() == text
    for call in (f"({text})(3,4)", f"{text} == Sw<3,3,3> o 0 o (64,64):(64,1)", f"({text}) o 4:1"):
        assert "a swizzle needs the values of the unknowns" in laycalc("eval", call).stderr


def test_explain_tells_form_and_fields() -> None:
    done = laycalc("explain", "descriptor(Sw<3,3,3> o 0 o ((8,16),(64,2)):((64,512),(1,8192)), 16)")
    for words in (
        "in mode 128B is Sw<3,3,3> o s o ((8,m),16):((64,SBO),1)",
        "mode mn: then 8 groups 512 elements apart, a multiple of 8",
        "LBO is not read, SBO 1024 bytes",
        "along k is +(4,2):(32,16384)(i) bytes",
    ):
        assert words in done.stdout
    refused = laycalc("explain", "descriptor((128,64):(64,1), 16)")
    assert refused.returncode == 1 and "in mode none is" in refused.stdout and "mode 128B" not in refused.stdout


# ---- further layouts ----


@pytest.mark.parametrize(
    ("text", "mode", "lbo", "sbo", "starts"),
    [
        ('tile_to_mma_shape(smem_atom("K_SW128", 16), ((128,16),1,4))', "128B", None, 1024, "(4:32, 2:8192)"),
        ('tile_to_mma_shape(smem_atom("MN_SW128", 16), ((128,16),2,4))', "128B", None, 4096, None),
        ('tile_to_mma_shape(smem_atom("K_INTER", 16), ((64,16),1,4))', "none", 1024, 128, "(4:2048, 1:0)"),
    ],
)
def test_a_partitioned_operand_is_the_tile(text: str, mode: str, lbo: Any, sbo: int, starts: str | None) -> None:
    found = evaluate(f'descriptor({text}, 16, operand="A")')
    assert (found.mode, found.lbo, found.sbo) == (mode, lbo, sbo)
    if starts is not None:
        assert f"({found.steps_k}, {found.steps_mn})" == starts
    shown = laycalc("descriptor", text, "--operand", "A")
    assert "read as ((MmaM,MmaK),RestM,RestK,..)" in shown.stderr


def test_xor_strides_are_a_swizzle() -> None:
    """#ttg.shared_linear and its kin have XOR strides; where they are a swizzle of the hardware it is read."""
    atom = evaluate("Sw<3,3,3> o 0 o ((8,8),64):((64,512),1)")
    bits = ",".join(f"f{atom(1 << b, 0)}" for b in range(6))
    text = f"((2,2,2,2,2,2),64):(({bits}),1)".replace(",1)", ",f1)")
    assert evaluate(text).values() == atom.values()
    assert told(text)["sbo"] == 1024 and told(text)["mode"] == "128B"
    refused = laycalc("descriptor", "((2,2,2,2,2,2),64):((f65,f128,f256,f512,f1024,f2048),f1)")
    assert refused.returncode == 1 and refused.stderr.count("error[") == 1


def test_stages_and_a_partition_that_has_no_descriptor() -> None:
    answer = told("Sw<3,3,3> o 0 o ((8,16),(64,1),(1,4)):((64,512),(1,0),(0,8192))")
    assert answer["steps"] == {"mn": "2:8192", "k": "4:32", "stages": "4:16384"}
    done = laycalc("descriptor", "((128,16),1,4,3):((64,1),0,16,8192)")
    assert done.returncode == 1 and "form none is" in done.stderr


MODES_OF = {"sm90": ("none", "32B", "64B", "128B"), "sm100": ("none", "32B", "64B", "128B", "128B_32B")}


def random_fields(rng: random.Random) -> tuple[Fields, Operand, int]:
    """The fields of a descriptor that nothing forbids, an operand and its rows."""
    arch = rng.choice(("sm90", "sm100"))
    major = rng.choice(("k", "mn"))
    bits = 16 if major == "mn" and arch == "sm90" else rng.choice((8, 16, 32))
    mode = rng.choice([m for m in MODES_OF[arch] if major == "mn" or m != "128B_32B"])
    letter = rng.choice("AB")
    rows = 64 if letter == "A" else rng.choice((16, 64, 128, 256))
    distances = (rng.randrange(64) * 16 + 8192 * rng.randrange(2) for _ in range(2))
    base_offset = rng.randrange(8) if rng.random() < 0.3 and mode not in ("none", "128B_32B") else 0
    return Fields(mode, rng.randrange(256) * 16, *distances, base_offset), Operand(bits, major, letter, arch), rows


@pytest.mark.parametrize("seed", range(300))
def test_the_layout_that_is_read_has_the_descriptor(seed: int) -> None:
    """Law: the fields of what a descriptor reads read the same."""
    fields, wanted, rows = random_fields(random.Random(seed))
    fields = decode(encode(fields, wanted.arch), wanted.arch)
    layout = layout_read(fields, wanted, rows)
    found = descriptor(layout, wanted.bits, wanted.major, wanted.letter, wanted.arch)
    assert found.written is not None
    again = layout_read(found.written.replace(start=found.start), wanted, rows)
    assert again.elements() == layout.elements()
    assert found.mode == fields.mode and found.lbo in (None, fields.lbo) and found.sbo in (None, fields.sbo)
