"""The catalogue against the recorded facts: every field of every atom, and how each covers its tile."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.htuple import flatten
from laycalc.algebra.values.layout import Layout, elements
from laycalc.atoms.instructions import catalogue
from laycalc.atoms.instructions.bits import in_elements, sides
from laycalc.atoms.instructions.facts import atom_facts, entry_facts
from laycalc.atoms.instructions.families import tcgen05
from laycalc.atoms.instructions.record import Atom, Entry, read_layout

GOLDEN = Path(__file__).parents[1] / "golden" / "atoms"


@cache
def facts(name: str) -> Any:
    return json.loads(gzip.decompress((GOLDEN / name).read_bytes()))


@cache
def pairs() -> list[tuple[dict[str, Any], Atom]]:
    return [(fact, catalogue.atom(fact["name"])) for fact in facts("atoms.json.gz")]


def as_list(value: Any) -> list[Any]:
    return [] if value is None else value if isinstance(value, list) else [value]


def test_every_name_is_in_the_catalogue_once() -> None:
    assert sorted(e.name for e in catalogue.entries()) == sorted(f["name"] for f in facts("atoms.json.gz"))


@pytest.mark.parametrize("operand", ["thr_id", "A", "B", "C", "E", "SFA", "SFB", "src", "dst", "ref"])
def test_layouts_are_the_recorded_ones_to_the_letter(operand: str) -> None:
    # The one layout that the facts have as a C++ type is checked by itself.
    wrong = [
        (fact["name"], fact.get(operand), str(getattr(atom, operand)))
        for fact, atom in pairs()
        if str(fact.get(operand)) != str(getattr(atom, operand)) and fact["name"] != "SM90_BULK_COPY_AUTO"
    ]
    assert not wrong


def test_identity() -> None:
    for fact, atom in pairs():
        assert (atom.name, atom.vendor, atom.arch, atom.kind) == tuple(
            fact[k] for k in ("name", "vendor", "arch", "kind")
        )
        assert atom.threads == fact["threads"] and list(atom.shape or ()) == fact.get("shape_mnk", [])
        assert list(atom.architectures) == fact.get("arches", [fact["arch"]])
        assert atom.target == fact.get("gfx", "") and atom.family == fact.get("family", "")
        assert atom.blocks == fact.get("blocks", 1) and bool(atom.sparse) == bool(fact.get("sparse"))
        assert atom.sparse == fact.get("sparse_factor", atom.sparse)


def test_types() -> None:
    for fact, atom in pairs():
        if atom.kind == "mma":
            assert atom.types is not None
            known = atom.types._asdict()
            assert {k: known[k] for k in fact["types"]} == fact["types"]
            assert dict(zip("AB", atom.containers or (), strict=False)) == fact.get("container_bits", {})
            assert fact.get("scale_vec") in (None, atom.scale_vector)
        assert atom.value_bits == fact.get("value_bits")


def test_instructions_and_spellings() -> None:
    for fact, atom in pairs():
        # AMD: the facts give the first architecture's mnemonic, and one for each architecture.
        mnemonics = fact.get("mnemonics")
        wanted = list(dict.fromkeys(mnemonics.values())) if mnemonics else as_list(fact["ptx"])
        assert list(atom.ptx) == wanted
        assert fact.get("cpp") in (None, atom.cpp)
        assert sorted(atom.aliases) == sorted(fact["aliases"])


def test_places_and_broadcasts() -> None:
    for fact, atom in pairs():
        if atom.kind == "mma":
            assert list(atom.broadcast) == fact.get("broadcast_operands", [])
            for place, key in zip(atom.places or (), ("operand_A", "operand_B", "operand_C"), strict=False):
                assert key not in fact or fact[key].startswith(place)
        else:
            assert bool(atom.broadcast) == bool(fact.get("broadcast"))
        tiles = [fact[k] for k in ("A_tile", "B_tile", "C_tile") if k in fact]
        assert list(map(str, atom.tile_order or ())) == tiles
        assert str(atom.tmem) == str(fact.get("tmem_value_map"))
        assert str(atom.hardware_dst) == str(fact.get("dst_hardware_16bit"))


def test_parametric_copies() -> None:
    for fact, atom in pairs():
        if fact.get("parametric") and not fact["src_template"].startswith("Layout"):
            assert atom.template == fact["src_template"] == fact["dst_template"]
            sized = atom.sized(1024)
            assert str(sized.src) == fact["src_template"].replace("N", "1024") and sized.dst == sized.ref == sized.src
    assert str(catalogue.atom("SM90_BULK_COPY_AUTO").src) == "(1,1):(0,0)"
    assert catalogue.atom("SM90_TMA_LOAD_IM2COL").template == "(1,N):(0,1)"


def test_verification_status() -> None:
    hardware = facts("hardware.json.gz")["atoms"]
    words = {"verified": "hardware", "mismatch": "differs"}
    for _, atom in pairs():
        expected = words[hardware[atom.name]] if atom.name in hardware else None
        assert (atom.status if atom.status in words.values() else None) == expected, atom.name
        assert atom.evidence and (atom.status != "differs" or atom.note)
    specified = {atom.arch for _, atom in pairs() if atom.status == "specification"}
    assert specified == {"CDNA4", "XE", "XE_HPG", "AMX"}


def cover(layout: Layout, extents: tuple[int, ...]) -> tuple[int, bool, bool]:
    """How many coordinates of the tile the layout reaches, whether all, and whether each once."""
    flat = list(zip(flatten(layout.shape), flatten(layout.stride), strict=True))
    live = [(s, d) for s, d in flat if d != 0]
    values = elements(*(zip(*live, strict=True) if live else ((), ())))
    total = 1
    for extent in extents:
        total *= extent
    reached = set(values)
    assert all(0 <= v < total for v in reached)
    shared = any(s > 1 and d == 0 for s, d in flat)
    return len(reached), len(reached) == total, len(values) == len(reached) and not shared


def test_every_operand_covers_its_tile_as_recorded() -> None:
    seen: dict[tuple[str, tuple[int, ...]], tuple[int, bool, bool]] = {}
    for fact, atom in pairs():
        if atom.kind != "mma":
            continue
        assert atom.shape is not None
        for operand in atom.operands:
            layout, extents = atom.operand(operand), atom.extents(operand)
            key = (str(layout), extents)
            if key not in seen:
                seen[key] = cover(layout, extents)
            reached, whole, once = seen[key]
            threads = layout[0].size
            if operand in ("A", "B", "C"):
                assert whole, (atom.name, operand)
                assert once == (operand not in atom.broadcast), (atom.name, operand)
                assert threads == fact.get(f"{operand}_threads", atom.threads)
            elif operand == "E" and "E_partial" in fact:
                assert reached == fact["E_partial"][0] and atom.shape[0] * atom.shape[2] == fact["E_partial"][1]
            elif operand == "E":
                assert whole, (atom.name, operand)


def test_copies_in_elements() -> None:
    for fact, atom in pairs():
        for bits, wanted in fact.get("elements", {}).items():
            for have, side in zip(sides(atom, int(bits)), ("src", "dst", "ref"), strict=True):
                expected = read_layout(wanted[side])
                assert have[0].size == expected[0].size and have.elements() == expected.elements(), (
                    atom.name,
                    bits,
                    side,
                )


def test_an_element_is_not_cut() -> None:
    with pytest.raises(LayoutError) as caught:
        sides(catalogue.atom("SM75_U16x8_LDSM_T"), 32)
    assert caught.value.code == "LC312" and caught.value.facts["stride"] == 16
    layout = Layout((32, (32, 4)), (32, (1, 1024)))
    made = in_elements(layout, 8)
    assert all(layout((t, 8 * v + b)) == 8 * made((t, v)) + b for t in range(32) for v in range(16) for b in range(8))


def test_accumulators_in_tensor_memory() -> None:
    known = json.loads((GOLDEN / "tmem.json").read_text())

    def mode(text: str) -> Layout:
        return read_layout(text)[0]

    assert tcgen05.accumulator(64, 64) == mode(known["1sm_64x64_f32"])
    assert tcgen05.accumulator(128, 64) == mode(known["1sm_128x64_f32"])
    assert tcgen05.accumulator(128, 64, bits=16) == mode(known["1sm_128x64_f16"])
    assert tcgen05.accumulator(128, 64, 2) == mode(known["2sm_M128_perSM64x64_f32"])
    assert tcgen05.accumulator(256, 64, 2) == mode(known["2sm_M256_perSM128x64_f32"])
    with pytest.raises(LayoutError, match="64 or 128 rows, not 96"):
        tcgen05.accumulator(96, 64)
    two = catalogue.atom("SM100_MMA_F16BF16_2x1SM_SS_256x64_F32F16F16")
    assert tcgen05.tensor_memory(two) == tcgen05.accumulator(256, 64, 2)
    with pytest.raises(LayoutError, match="does not accumulate in tensor memory"):
        tcgen05.tensor_memory(catalogue.atom("SM90_64x64x16_F32F16F16_SS"))


def test_plain_data() -> None:
    for entry, (_, atom) in zip(catalogue.entries(), sorted(pairs(), key=lambda p: order()[p[1].name]), strict=True):
        data, line = atom_facts(atom), entry_facts(entry)
        assert json.dumps(data) and json.dumps(line)
        assert all(data[key] == line[key] for key in line)
        assert set(data.get("types", ())) <= {"A", "B", "C", "D", "SF"}
    data = atom_facts(catalogue.atom("SM75_U32x1_MOVM_T"))
    assert data["status"] == "differs" and data["hardware_dst"] == "((4,8),2):((16,1),8)"
    assert catalogue.atom("SM90_64x8x16_F16F16F16_SS") == catalogue.atom("sm90_64x8x16_f16f16f16_ss")
    assert len({catalogue.atom("UniversalFMA_F32"), catalogue.atom("UniversalFMA_F32")}) == 1


@cache
def order() -> dict[str, int]:
    return {e.name: i for i, e in enumerate(catalogue.entries())}


def names(found: list[Entry]) -> set[str]:
    return {e.name for e in found}


def test_names_that_people_write() -> None:
    same = {
        "sm80_16x8x16_f32f16f16f32_tn": "SM80_16x8x16_F32F16F16F32_TN",
        "MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>": "SM80_16x8x16_F32F16F16F32_TN",
        "Copy_Atom<SM75_U32x4_LDSM_N, half_t>": "SM75_U32x4_LDSM_N",
        "Copy_Traits<UniversalCopy<uint_bit_t<128>>>": "UniversalCopy_128b",
        "cute::SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>": "SM90_64x64x16_F32F16F16_SS",
        "SM90::GMMA::MMA_64x64x16_F32F16F16_SS": "SM90_64x64x16_F32F16F16_SS",
        "DefaultCopy": "AutoVectorizingCopyWithAssumedAlignment_8",
        "v_mfma_f32_32x32x8f16": "CDNA_32x32x8_F32F16F16_MFMA",
        "v_mfma_f32_32x32x16_f16": "CDNA4_32x32x16_F32F16F16_MFMA",
        "CDNA3_32x32x8_F32F16F16_MFMA": "CDNA_32x32x8_F32F16F16_MFMA",
        "SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,16>": (
            "SM120_16x8x64_F32E2M1E2M1F32_TN_VS16_UE4M3"
        ),
    }
    for written, name in same.items():
        assert catalogue.atom(written).name == name
    for fact in facts("atoms.json.gz"):
        for alias in fact["aliases"]:
            assert catalogue.entry(alias).name == fact["name"], alias


def test_unlisted_instances_of_a_template_follow_the_rule() -> None:
    found = catalogue.atom("SM100_MMA_F16BF16_SS_128x192_F32F16F16")
    assert found.shape == (128, 192, 16) and str(found.C) == "(1,(128,192)):(0,(1,128))"
    assert "not printed" in found.evidence
    spelt = "SM100_MMA_F16BF16_2x1SM_SS<half_t, half_t, float, 256, 224, UMMA::Major::MN, UMMA::Major::K>"
    assert str(catalogue.atom(spelt).A) == "(2,(128,16)):(128,(1,256))"
    for wrong in ("SM100_MMA_F16BF16_SS_128x200_F32F16F16", "SM100_MMA_F16BF16_SS_128x512_F32F16F16"):
        with pytest.raises(LayoutError):
            catalogue.atom(wrong)


@pytest.mark.parametrize(
    ("written", "nearest"),
    [
        ("SM80_16x8x16_F32F16F16", "SM80_16x8x16_F32F16F16F32_TN"),
        ("SM75_U32x4_LDSM", "SM75_U32x4_LDSM_N"),
        ("LDSM_x4", "SM75_U32x4_LDSM_N"),
        ("CDNA_32x32x8_F32F16F16", "CDNA_32x32x8_F32F16F16_MFMA"),
    ],
)
def test_did_you_mean(written: str, nearest: str) -> None:
    with pytest.raises(LayoutError) as caught:
        catalogue.atom(written)
    assert (
        caught.value.code == "LC102" and nearest in caught.value.facts["suggestions"] and nearest in str(caught.value)
    )


def test_names_of_several_and_of_none() -> None:
    for written, count in (("v_wmma_f32_16x16x16_f16", 4), ("SM75_*LDSM_N", 3), ("nothing*", None), ("zzz", None)):
        with pytest.raises(LayoutError) as caught:
            catalogue.atom(written)
        assert caught.value.code == "LC102" and caught.value.facts.get("count") == count
    with pytest.raises(LayoutError, match="no operand 'A'; it has only the template"):
        catalogue.atom("SM90_TMA_LOAD").operand("A")


def test_filters() -> None:
    every = facts("atoms.json.gz")
    assert len(catalogue.search()) == 3449
    eight = ("e4m3", "e5m2")
    wanted = {f["name"] for f in every if f["arch"] == "SM90" and any(t in eight for t in f.get("types", {}).values())}
    assert names(catalogue.search(arch="sm_90a", type="f8", shape="64x*x*")) == wanted
    assert names(catalogue.search(vendor="intel")) == {f["name"] for f in every if f["vendor"] == "intel"}
    assert names(catalogue.search(kind="copy")) == {f["name"] for f in every if f["kind"] == "copy"}
    assert len(catalogue.search(shape="16x8x16", arch="SM80", type="half")) == 2
    assert names(catalogue.search(arch="gfx942")) == {f["name"] for f in every if "CDNA3" in f.get("arches", [])}
    assert names(catalogue.search(arch="gfx1100")) == {f["name"] for f in every if f["arch"] == "RDNA3"}
    assert len(catalogue.search("*_LDSM_?", arch="SM75")) == 6 and len(catalogue.search("stsm", arch="SM90")) == 6
    assert names(catalogue.search("*PREFETCH", arch="SM100")) == {"SM100_TMA_LOAD_2D_GATHER4_OP_PREFETCH"}
    assert names(catalogue.search("DefaultCopy")) == {"AutoVectorizingCopyWithAssumedAlignment_8"}
    assert catalogue.search(arch="SM42") == []


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_import_reads_nothing_and_a_listing_builds_no_layout() -> None:
    loaded = run("import sys, laycalc.atoms; print(sorted(m for m in sys.modules if m.startswith('laycalc.')))")
    assert "catalogue" not in loaded and "algebra" not in loaded
    listed = run(
        "import sys, time; from laycalc.atoms import search; n = len(search(arch='SM90', type='f8', shape='64x*x*'));"
        "print(n, len(search()), time.process_time() < 0.3, 'laycalc.algebra.operations.composition' in sys.modules)"
    )
    assert listed.split() == ["1024", "3449", "True", "False"]


def test_every_name_of_the_room_is_there() -> None:
    import laycalc.atoms

    assert all(getattr(laycalc.atoms, name) is not None for name in laycalc.atoms.__all__)
    with pytest.raises(AttributeError):
        _ = laycalc.atoms.nothing


def test_the_data_is_small() -> None:
    data = Path(catalogue.__file__).parent / "data"
    assert sum(f.stat().st_size for f in data.iterdir()) < 300_000
