"""Tiled copy: CuTe's own output, a brute force over the definition, and refusals."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.tensor import Tensor
from laycalc.atoms.instructions.bits import sides
from laycalc.atoms.instructions.catalogue import atom
from laycalc.atoms.instructions.record import read_layout
from laycalc.atoms.tiling.copy_tiling import TiledCopy, tiled_copy, tiled_copy_A, tiled_copy_B, tiled_copy_C
from laycalc.atoms.tiling.mma_tiling import tiled_mma
from laycalc.atoms.tiling.ownership import elements, owner
from laycalc.atoms.tiling.partitioning import fragment, partition

GOLDEN = Path(__file__).parents[1] / "golden" / "atoms"
EXAMPLES = json.loads((GOLDEN / "tiled_examples.json").read_text())["copy"]
WIDTHS = {"half (16b)": 16, "float (32b)": 32, "u8": 8}
MMAS = {
    "sm80_2x2x1_tile32x32x16": ("SM80_16x8x16_F32F16F16F32_TN", Layout((2, 2, 1), (1, 2, 0)), [32, 32, 16]),
    "SM90_64x32x16_F32F16F16_SS": ("SM90_64x32x16_F32F16F16_SS", None, None),
}


def build(example: dict[str, str]) -> TiledCopy:
    bits = WIDTHS[example["value_type"]]
    if by_layouts := re.match(r"thr=(\S+) val=(\S+)", example["construction"]):
        thr, val = map(read_layout, by_layouts.groups())
        return tiled_copy(example["atom"], thr, val, bits)
    found = re.match(r"make_tiled_copy_(.)\(mma=(\w+)", example["construction"])
    assert found
    make = {"A": tiled_copy_A, "B": tiled_copy_B, "C": tiled_copy_C}[found[1]]
    return make(example["atom"], tiled_mma(*MMAS[found[2]]), bits)


def same(text: str, layout: Layout) -> bool:
    """Equal as functions, with the same threads; CuTe's printed strides of size-1 modes are incidental."""
    expected = read_layout(text)
    return expected[0].size == layout[0].size and expected.elements() == layout.elements()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e["name"])
def test_cute_prints_the_same(example: dict[str, str]) -> None:
    copy = build(example)
    assert str(copy.S) == example["S_TV"] and str(copy.D) == example["D_TV"]
    assert same(example["layout_tv"], copy.layout_tv)
    assert "(" + ",".join(map(str, copy.tiler)) + ")" == example["tiler_mn"] and copy.threads == int(example["threads"])
    for key, side in zip(("atom_src", "atom_dst", "atom_ref"), sides(copy.atom, copy.bits), strict=True):
        assert same(example[key], side)


def brute(copy: TiledCopy, which: int) -> dict[tuple[int, int], int]:
    """(thread, value) of a side -> index in the tile, by the definition."""
    found = sides(copy.atom, copy.bits)
    side, ref = found[which], found[2]
    where = {}
    threads, values = ref[0].size, ref[1].size
    for v in range(values):
        for t in range(threads):
            where.setdefault(ref((t, v)), (t, v))
    result = {}
    per_side = side[1].size
    for rt in range(copy.layout_tv[0].size // threads):
        for rv in range(copy.layout_tv[1].size // values):
            for ts in range(side[0].size):
                for vs in range(per_side):
                    tr, vr = where[side((ts, vs))]
                    index = copy.layout_tv((tr + threads * rt, vr + values * rv))
                    result[ts + threads * rt, vs + per_side * rv] = index
    return result


ATOMS = ["UniversalCopy_32b", "UniversalCopy_64b", "SM75_U32x1_LDSM_N", "SM75_U32x4_LDSM_N", "SM75_U16x4_LDSM_T"]
ATOMS += ["SM90_U32x2_STSM_N", "SM90_U16x8_STSM_T", "SM80_CP_ASYNC_CACHEGLOBAL_16B", "SM50_Shuffle_U32_2x2Trans_XOR4"]


@pytest.mark.parametrize("name", ATOMS)
def test_random_tilings_by_the_definition(name: str) -> None:
    rng = random.Random(name)
    threads = [
        Layout((8, 4), (4, 1)),
        Layout((4, 8), (1, 4)),
        Layout((16, 4), (4, 1)),
        Layout((32, 2), (1, 32)),
        Layout(64, 1),
    ]
    for _ in range(4):
        thr = rng.choice(threads)
        wanted = sides(atom(name), 16)[2][1].size
        val = rng.choice(
            [Layout((1, wanted), (1, 1)), Layout((wanted, 1), (1, wanted)), Layout((2, wanted), (wanted, 1))]
        )
        copy = tiled_copy(name, thr, val, 16)
        for which, layout in ((0, copy.S), (1, copy.D)):
            assert {key: layout(key) for key in brute(copy, which)} == brute(copy, which), (name, str(thr), str(val))


def test_the_tile_is_raked() -> None:
    """In each mode the value is fast and the thread slow, for extents that are no powers of two as well."""
    thr, val = Layout((6, 4), (1, 6)), Layout((2, 3), (1, 2))
    copy = tiled_copy("UniversalCopy_8b", thr, val)
    for tm in range(6):
        for tn in range(4):
            for vm in range(2):
                for vn in range(3):
                    index = (vm + 2 * tm) + 12 * (vn + 3 * tn)
                    assert copy.layout_tv((thr((tm, tn)), val((vm, vn)))) == index


def test_operand_copies_hold_what_the_mma_wants() -> None:
    mma = tiled_mma(*MMAS["sm80_2x2x1_tile32x32x16"])
    for make, operand in ((tiled_copy_A, "A"), (tiled_copy_B, "B")):
        copy = make("SM75_U32x4_LDSM_N", mma)
        assert copy.bits == 16 and copy.tiler == mma.extents(operand)
        for thread in (0, 5, 64, 127):
            want = {item.coordinate for item in elements(mma, operand, thread)}
            assert {item.coordinate for item in elements(copy, "D", thread)} == want


def test_owners_and_partitions() -> None:
    copy = tiled_copy("SM75_U32x4_LDSM_N", Layout((8, 4), (4, 1)), Layout((2, 4), (4, 1)), 16)
    for o in owner(copy, "S", (3, 7)):
        assert copy.S((o.thread, o.value)) == 3 + 16 * 7
    part = partition(copy, "S", Layout((32, 64), (64, 1)), 9)
    assert isinstance(part, Tensor) and isinstance(part.layout, Layout) and part.layout.rank == 3
    held = {64 * (m + 16 * i) + n + 16 * j for _, (m, n) in elements(copy, "S", 9) for i in range(2) for j in range(4)}
    assert {part(i) for i in range(part.size)} == held
    assert fragment(copy, "D", (32, 64)).size == 64
    assert str(copy) == 'tiled_copy(atom("SM75_U32x4_LDSM_N"), (8,4):(4,1), (2,4):(4,1), bits=16)'
    mma = tiled_mma("SM80_16x8x16_F32F16F16F32_TN")
    assert str(tiled_copy_A("SM75_U32x4_LDSM_N", mma)) == f'tiled_copy_A(atom("SM75_U32x4_LDSM_N"), {mma})'


def refused(call: Any) -> LayoutError:
    with pytest.raises(LayoutError) as caught:
        call()
    assert str(caught.value)
    return caught.value


def test_refusals_carry_the_numbers() -> None:
    ldsm = "SM75_U32x4_LDSM_N"
    fault = refused(lambda: tiled_copy(ldsm, (8, 4), (1, 4), 16))
    assert fault.code == "LC314" and (fault.facts["atomic"], fault.facts["have"]) == (8, 4) and "values" in str(fault)
    fault = refused(lambda: tiled_copy(ldsm, (4, 4), (1, 8), 16))
    assert fault.code == "LC314" and (fault.facts["atomic"], fault.facts["have"]) == (32, 16)
    fault = refused(lambda: tiled_copy(ldsm, Layout((32, 8), (1, 64)), (8, 1), 16))
    assert fault.code == "LC306" and "holes" in str(fault) and fault.facts["missing"] == 32
    fault = refused(lambda: tiled_copy(ldsm, Layout((8, 4), (1, 4)), (8, 1), 16))
    assert fault.code == "LC306" and "not injective" in str(fault)
    assert refused(lambda: tiled_copy(ldsm, (8, 4), Layout((2, 4), (1, 4)), 16)).code == "LC306"
    assert refused(lambda: tiled_copy("SM80_8x8x4_F64F64F64F64_TN", (8, 4))).code == "LC103"
    assert refused(lambda: tiled_copy("SM90_TMA_LOAD", (1, 1))).code == "LC103"
    assert refused(lambda: tiled_copy("SM75_U16x8_LDSM_T", (32, 1), (8, 1), 32)).code == "LC312"
    copy = tiled_copy(ldsm, (8, 4), (2, 4), 16)
    assert refused(lambda: copy.layout("A")).code == "LC103"
    assert refused(lambda: partition(copy, "S", (24, 16))).code == "LC314"
    assert refused(lambda: partition(copy, "S", (32,))).code == "LC103"
