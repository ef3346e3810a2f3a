"""The catalogue against the recorded facts: every field of every atom, and how each covers its tile."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from laycalc.algebra.errors import LayoutError
from laycalc.algebra.htuple import flatten
from laycalc.algebra.layout import Layout, elements
from laycalc.atoms import catalogue, tcgen05
from laycalc.atoms.bits import in_elements, sides
from laycalc.atoms.record import Atom, read_layout

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
