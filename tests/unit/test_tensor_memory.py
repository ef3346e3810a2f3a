"""The shapes of tcgen05.ld and tcgen05.st that reach a layout of tensor memory, against the atoms of the catalogue."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program import laycalc as program

import laycalc
from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.atoms.accesses.tensor_memory import reached
from laycalc.atoms.instructions.catalogue import atom

GOLDEN = Path(__file__).parents[1] / "golden" / "atoms"
ACCUMULATORS = json.loads((GOLDEN / "tmem.json").read_text())

PATH = 1 << 21
CASES = [
    *((name, text, 16 if name.endswith("f16") else 32) for name, text in ACCUMULATORS.items() if "sm_" in name.lower()),
    ("six columns", "(128,6):(65536,1)", 32),
    ("two stretches", "(128,(8,2)):(65536,(1,64))", 32),
    ("packed halves", "(128,64):(131072,1)", 16),
    ("bytes", "(128,64):(262144,1)", 8),
    ("upper half", "(16,8):(65536,1)", 32),
]


def bits_of(layout: Layout, bits: int) -> set[int]:
    return {int(v) * bits + i for v in layout.values() for i in range(bits)}


@pytest.mark.parametrize("name, text, bits", CASES, ids=[name for name, _, _ in CASES])
@pytest.mark.parametrize("store", [False, True])
def test_the_atoms_of_a_shape_move_the_layout_and_nothing_else(name: str, text: str, bits: int, store: bool) -> None:
    layout = laycalc.eval(text)
    held = bits_of(layout, bits)
    found = reached(layout, bits, store=store)
    assert any(reach.repeat for reach in found.reaches)
    for reach in found.reaches:
        if not reach.repeat:
            assert reach.reason
            continue
        moved = atom(reach.atom)
        assert moved.tmem is not None and ("STORE" in reach.atom) == store
        assert f"{reach.shape}.x{reach.repeat}" in moved.ptx[0]
        one = {int(v) for v in moved.tmem.values()}
        left, count = set(held), 0
        # The lowest bit that is left begins the next instruction.
        while left:
            start = min(left)
            block = {start + v for v in one}
            assert block <= left, reach
            left -= block
            count += 1
        assert count == reach.instructions * len(found.warps)


def test_accumulators_of_64_rows_are_reached_by_16_paths() -> None:
    found = reached(laycalc.eval(ACCUMULATORS["1sm_64x64_f32"]), 32)
    assert [reach.shape for reach in found.reaches if reach.repeat] == ["16x64b", "16x128b", "16x256b", "16x32bx2"]
    assert "path 16 holds nothing" in found.reaches[0].reason
    whole = reached(laycalc.eval(ACCUMULATORS["1sm_128x64_f32"]), 32)
    assert whole.reaches[0].atom == "SM100_TMEM_LOAD_32dp32b64x" and not whole.packed
    assert reached(laycalc.eval(ACCUMULATORS["1sm_128x64_f16"]), 16).packed


def test_columns_that_a_shape_does_not_divide() -> None:
    found = {reach.shape: reach for reach in reached(Layout((128, 6), (65536, 1)), 32).reaches}
    assert (found["32x32b"].repeat, found["32x32b"].instructions) == (2, 3)
    assert found["16x128b"].reason == "it moves 4 columns at a time, and its runs have multiples of 6"
    shifted = reached(laycalc.eval("((8,16),8):((65536,524289),1)"), 32)
    assert "hold different columns" in shifted.reaches[0].reason


@pytest.mark.parametrize(
    "layout, bits",
    [
        (Layout((128, 64), (64, 1)), 32),
        (Layout((256, 8), (65536, 1)), 32),
        (Layout((128, 8), (65536, 1)), 64),
        (Layout((128, 8), (65536, 2)), 8),
        (Layout((128, 8), (-65536, 1)), 32),
    ],
)
def test_what_is_not_in_tensor_memory(layout: Layout, bits: int) -> None:
    with pytest.raises(LayoutError) as caught:
        reached(layout, bits)
    assert caught.value.code == "LC103" and str(caught.value)


def test_the_command_lists_the_shapes() -> None:
    done = program(
        "banks", ACCUMULATORS["1sm_64x64_f32"], "--access", "tcgen05.ld", "--access", "write: tcgen05.st", "--json"
    )
    load, store = json.loads(done.stdout)["engines"]
    assert load["fits"] and [shape["reaches"] for shape in load["shapes"]] == [False, True, True, True, True]
    assert load["shapes"][3]["atom"] == "SM100_TMEM_LOAD_16dp256b8x"
    assert store["shapes"][3]["atom"] == "SM100_TMEM_STORE_16dp256b8x" and done.returncode == 0
    done = program("banks", "(8,4):(65536,1)", "--access", "tcgen05.ld")
    assert done.returncode == 1 and "32x32b: no, it moves data paths 0 to 31, and path 8 holds nothing" in done.stdout
    assert program("banks", "(M,4):(65536,1)", "--access", "tcgen05.ld").returncode == 2
