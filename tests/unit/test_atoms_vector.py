"""The widest vector of a copy, and register tables."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from program import laycalc as program

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.atoms.instructions.catalogue import atom
from laycalc.atoms.memory.vector import Sides, widest_vector
from laycalc.atoms.tiling.lanes import lane_table, registers
from laycalc.atoms.tiling.mma_tiling import tiled_mma

GOLDEN = Path(__file__).parents[1] / "golden" / "atoms"


def test_as_wide_as_asked() -> None:
    found = widest_vector(Layout((8, 8), (8, 1)), Layout((8, 8), (16, 1)), 16)
    assert (found.bits, found.elements, found.reasons) == (128, 8, ())
    assert str(found.where) == "8:8"


def test_what_limits_it() -> None:
    common = widest_vector(Layout((4, 4), (1, 4)), Layout(((2, 2), 4), ((1, 8), 2)), 16)
    assert common.bits == 32 and common.reasons[0].kind == "common" and "2 elements" in common.reasons[0].text
    aligned = widest_vector(Layout((8, 4), (1, 12)), Layout((8, 4), (1, 8)), 16)
    assert aligned.bits == 64 and [x.kind for x in aligned.reasons] == ["source alignment"]
    pointer = widest_vector(Layout(64, 1), Layout(64, 1), 16, pointer=32)
    assert pointer.bits == 32 and pointer.reasons[0].kind == "pointer"
    crossed = widest_vector(Layout((8, 8), (8, 1)), Layout((8, 8), (1, 8)), 32)
    assert json.loads(json.dumps(crossed.as_dict()))["reasons"][0]["bits"] == 32
    assert (crossed.bits, crossed.elements) == (32, 1) and crossed.reasons[0].bits == 32


def test_every_vector_is_contiguous_and_aligned() -> None:
    layouts = [
        Layout((8, 8), (8, 1)),
        Layout((8, 8), (1, 8)),
        Layout((8, 8), (1, 12)),
        Layout(((2, 4), 8), ((1, 16), 2)),
        Layout(((4, 2), 8), ((1, 32), 4)),
    ]
    for a in layouts:
        for b in layouts:
            found = widest_vector(a, b, 16)
            at = [found.where(i) for i in range(found.elements)]
            for side in (a, b):
                assert [side(i) - side(at[0]) for i in at] == list(range(found.elements))
                starts = [v for v in side.values() if v % found.elements == 0]
                assert len(starts) == side.size // found.elements


def test_offsets_and_swizzles() -> None:
    plain = Layout((8, 8), (8, 1))
    assert widest_vector(Tensor(4, plain), plain, 16).bits == 64
    assert widest_vector(Tensor(16, plain), plain, 16).bits == 128
    kept = Composed(Swizzle(2, 3, 3), 0, Layout((8, 32), (32, 1)))
    cut = Composed(Swizzle(2, 2, 3), 0, Layout((8, 32), (32, 1)))
    rows = Layout((8, 32), (32, 1))
    assert widest_vector(kept, rows, 16).bits == 128
    assert widest_vector(cut, rows, 16).bits == 64


def test_refusals() -> None:
    with pytest.raises(LayoutError, match="32 elements and 16:1 has 16"):
        widest_vector(Layout(32, 1), Layout(16, 1), 16)
    with pytest.raises(LayoutError, match="no power of two"):
        widest_vector(Layout(32, 1), Layout(32, 1), 16, 96)


def test_registers_are_those_of_amds_calculator() -> None:
    facts = json.loads(gzip.decompress((GOLDEN / "atoms.json.gz").read_bytes()))
    compared = 0
    for fact in facts:
        for operand, wanted in fact.get("registers", {}).items():
            slots = registers(atom(fact["name"]), {"D": "C", "K": "E"}.get(operand, operand))
            # Two kept values of a sparse A share a slot, which the calculator prints once.
            assert list(dict.fromkeys(slots)) == wanted, (fact["name"], operand)
            compared += 1
    assert compared == 363


def test_lane_tables() -> None:
    mfma = atom("CDNA_32x32x8_F32F16F16_MFMA")
    table = lane_table(mfma, "C")
    assert len(table) == 64 * 16
    # D[i][j] of the 32x32 MFMA: i = 8*(v/4) + 4*(lane/32) + v%4, j = lane % 32.
    for row in table:
        i, j = row.coordinate
        assert (i, j) == (8 * (row.value // 4) + 4 * (row.lane // 32) + row.value % 4, row.lane % 32)
        assert row.register == f"v{row.value}"
    quad = lane_table(atom("SM70_8x8x4_F32F16F16F32_TN"), "A")
    assert [row.lane for row in quad[::4]] == [0, 1, 2, 3, 16, 17, 18, 19]
    assert quad[1].register == "v0.[31:16]"
    blocks = lane_table(atom("CDNA_4x4x4_16B_F32F16F16_MFMA"), "A")
    assert blocks[-1].coordinate == (3, 3, 15)
    assert lane_table(atom("SM90_64x8x16_F16F16F16_SS"), "A")[0].register == ""
    assert lane_table(atom("CDNA2_16x16x4_F64F64F64_MFMA"), "C")[1].register == "v[3:2]"
    assert lane_table(atom("SM75_U32x1_LDSM_N"), "dst")[0].register == ""
    assert lane_table(atom("CDNA3_16x16x32_F32F16F16_SMFMAC"), "E")[1].register == "v0.[7:4]"
    tiled = lane_table(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2, 1, 1)), "C")
    assert tiled[-1].lane == 63 and tiled[-1].coordinate == (31, 7)


def test_pointers_of_both_sides() -> None:
    rows = Layout((128, 64), (64, 1))
    found = widest_vector(rows, rows, 16, 128, None, Sides((128, 64)))
    assert found.bits == 64 and [r.kind for r in found.reasons] == ["target pointer"]
    assert widest_vector(rows, rows, 16, 128, None, Sides((128, 128))).bits == 128


def test_256_bits_came_with_sm100() -> None:
    rows = Layout((128, 64), (64, 1))
    assert widest_vector(rows, rows, 16, 256, None, Sides(arch="sm100")).bits == 256
    assert widest_vector(rows, rows, 16, 256, None, Sides(arch="sm_103a")).elements == 16
    old = widest_vector(rows, rows, 16, 256, None, Sides(arch="sm90"))
    assert old.bits == 128 and old.reasons[0].text == "sm90 moves up to 128 bits a lane"
    shared = widest_vector(rows, rows, 16, 256, None, Sides(spaces=("global", "shared"), arch="sm100"))
    assert shared.bits == 128 and [r.kind for r in shared.reasons] == ["target instruction"]
    for wrong in (Sides(arch="sm35"), Sides(spaces=("lds", "global")), Sides((96, 128))):
        with pytest.raises(LayoutError) as caught:
            widest_vector(rows, rows, 16, 128, None, wrong)
        assert caught.value.code == "LC103"


def test_a_vector_has_one_predicate() -> None:
    rows = Layout((32, 64), (64, 1))
    for predicate, bits in (
        (Layout((32, 64), (1, 0)), 128),
        (Layout((32, 64), (0, 1)), 16),
        (Layout((32, (4, 16)), (0, (0, 1))), 64),
        (Layout((32, (2, 32)), (0, (0, 1))), 32),
    ):
        found = widest_vector(rows, rows, 16, 128, None, Sides(predicate=predicate))
        assert found.bits == bits
        # Brute force: the elements of each vector have one predicate.
        run = found.elements
        groups: dict[int, set[object]] = {}
        for offset, p in zip(rows.values(), predicate.values(), strict=True):
            groups.setdefault(int(offset) // run, set()).add(p)
        assert all(len(group) == 1 for group in groups.values())


@pytest.mark.parametrize(
    "extents, bits", [((32, 64), 128), ((32, 60), 64), ((31, 64), 128), ((32, 33), 16), ((9, 6), 32)]
)
def test_ragged_tiles_narrow_vectors(extents: tuple[int, int], bits: int) -> None:
    rows = Layout((32, 64), (64, 1))
    assert widest_vector(rows, rows, 16, 128, None, Sides(extents=extents)).bits == bits


def test_predicates_must_fit() -> None:
    rows = Layout((32, 64), (64, 1))
    for sides in (Sides(predicate=Layout(32, 1)), Sides(extents=(32,))):
        with pytest.raises(LayoutError) as caught:
            widest_vector(rows, rows, 16, 128, None, sides)
        assert caught.value.code == "LC103" and str(caught.value)
    big = Layout((1024, 1024), (1024, 1))
    with pytest.raises(LayoutError) as caught:
        widest_vector(big, big, 16, 128, None, Sides(extents=(1024, 1000)))
    assert caught.value.code == "LC104"


def test_the_command_takes_both_sides() -> None:
    rows = ("vector", "(128,64):(64,1)", "(128,64):(64,1)", "--bits", "16")
    wide = json.loads(program(*rows, "--arch", "sm100", "--json").stdout)
    assert (wide["bits"], wide["wanted"]) == (256, 256) and {x["kind"] for x in wide["limits"]} >= {
        "pointer",
        "instruction",
    }
    done = program(*rows, "--pointer", "128,32")
    assert done.stdout.startswith("32 bits") and "the pointer of the target" in done.stdout and done.returncode == 1
    assert program(*rows, "--valid", "128x60").stdout.startswith("64 bits")
    assert program(*rows, "--pred", "(128,(4,16)):(0,(0,1))").stdout.startswith("64 bits")
    for wrong in (
        ["--pointer", "a"],
        ["--pointer", "1,2,3"],
        ["--space", "global"],
        ["--valid", "1y2"],
        ["--pred", "3"],
    ):
        done = program(*rows, *wrong)
        assert done.returncode == 2 and "LC103" in done.stderr, wrong
