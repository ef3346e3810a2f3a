"""Tiled MMA: CuTe's own output, a brute force over the definition, owners, partitions, and refusals."""

from __future__ import annotations

import gzip
import json
import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.htuple import format_htuple
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler
from laycalc.atoms.instructions.catalogue import atom
from laycalc.atoms.instructions.record import read_layout
from laycalc.atoms.tiling.mma_tiling import MODES, TiledMMA, tiled_mma
from laycalc.atoms.tiling.ownership import elements, owner, view
from laycalc.atoms.tiling.partitioning import fragment, partition

GOLDEN = Path(__file__).parents[1] / "golden" / "atoms"
EXAMPLES = json.loads((GOLDEN / "tiled_examples.json").read_text())["mma"]
SM80 = "SM80_16x8x16_F32F16F16F32_TN"


def permutation(text: str) -> list[Any]:
    """The entries of ``64,(2,4,2):(1,4,2),16``."""
    entries, depth = [""], 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            entries.append("")
        else:
            entries[-1] += c
    return [None if e == "_" else int(e) if e.isdigit() else read_layout(e) for e in entries]


def build(example: dict[str, str]) -> TiledMMA:
    return tiled_mma(example["atom"], read_layout(example["atom_layout"]), permutation(example["permutation"]))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e["name"])
def test_cute_prints_the_same(example: dict[str, str]) -> None:
    mma = build(example)
    assert str(mma.thr_vmnk) == example["thr_layout_vmnk"]
    assert mma.threads == int(example["threads"])
    assert format_htuple(mma.tile) == example["tile_mnk"]
    for operand in "ABC":
        assert str(mma.thrfrg(operand, mma.extents(operand))) == example[f"thrfrg_{operand}"]
        if operand == "C" and "note" in example:
            continue  # CuTe does not broadcast C over the threads along K; see below
        assert str(mma.layout(operand)) == example[f"{operand}_TV"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e["name"])
def test_partition_shapes(example: dict[str, str]) -> None:
    mma = build(example)
    for operand in "ABC":
        shape = json.loads(example[f"tensor_{operand}_shape"].replace("(", "[").replace(")", "]"))
        part = fragment(mma, operand, tuple(shape))
        assert format_htuple(part.shape) == example[f"partition_shape_{operand}"]
        assert sorted(part.elements()) == list(range(part.size))


def test_groups_along_k_hold_partial_sums() -> None:
    example = next(e for e in EXAMPLES if "note" in e)
    mma = build(example)
    assert str(mma.C) == "((4,8,2,2),(2,(1,1))):((16,1,64,0),(8,(0,0)))"
    assert [o.thread for o in owner(mma, "C", (0, 0))] == [0, 64]


def brute(mma: TiledMMA, operand: str) -> dict[tuple[int, int], int]:
    """(physical thread, value) -> element, by the definition: x = P(a + A*(i + n*r)) in each mode."""
    modes, shape = MODES[operand], mma.atom.shape
    assert shape is not None
    layout, tile = mma.atom.operand(operand), mma.extents(operand)
    groups = [mode.size for mode in mma.atoms]
    repeats = [t // (shape[mode] * groups[mode]) for t, mode in zip(tile, modes, strict=True)]
    threads, values = layout[0].size, layout[1].size
    inside = layout.elements()
    x, y = modes
    place = []
    for mode, extent in zip(modes, tile, strict=True):
        p = mma.permutation[mode]
        place.append(p.values() if isinstance(p, Layout) else list(range(extent)))
    found: dict[tuple[int, int], int] = {}
    for group in product(*map(range, groups)):
        for tv in range(threads):
            thread = mma.thr_vmnk((tv, *group))
            for va in range(values):
                second, first = divmod(inside[tv + threads * va], shape[x])
                for ry, rx in product(range(repeats[1]), range(repeats[0])):
                    m = place[0][first + shape[x] * (group[x] + groups[x] * rx)]
                    k = place[1][second + shape[y] * (group[y] + groups[y] * ry)]
                    found[thread, va + values * (rx + repeats[0] * ry)] = m + tile[0] * k
    return found


def holds(mma: TiledMMA, operand: str) -> None:
    layout, expected = mma.layout(operand), brute(mma, operand)
    values, threads = layout.elements(), layout[0].size
    assert len(expected) == mma.threads * layout[1].size
    assert all(values[t + threads * v] == at for (t, v), at in expected.items()), (str(mma), operand)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e["name"])
def test_every_element_by_the_definition(example: dict[str, str]) -> None:
    mma = build(example)
    # The descriptor tiles of wgmma are 256 threads x 1,024 equal values; its C is the interesting operand.
    for operand in "C" if "gmma" in example["name"] else "ABC":
        holds(mma, operand)


def test_random_tilings_by_the_definition() -> None:
    rng = random.Random(7)
    names = [SM80, "SM80_8x8x4_F64F64F64F64_TN", "SM70_8x8x4_F32F16F16F32_NT", "UniversalFMA_F32"]
    names.append("CDNA_32x32x8_F32F16F16_MFMA")
    for _ in range(60):
        name, order = rng.choice(names), rng.sample(range(3), 3)
        counts = tuple(rng.choice([1, 2]) for _ in range(3))
        strides, current = [0, 0, 0], 1
        for mode in order:
            strides[mode], current = current, current * counts[mode]
        shape = atom(name).shape
        assert shape is not None
        entries: list[Any] = []
        for a, n in zip(shape, counts, strict=True):
            choices: list[Any] = [None, a * n * rng.choice([1, 2, 3])]
            if a * n * 2 % 4 == 0:
                choices.append(Layout((2, a * n // 2, 2), (1, 4, 2)))
            entries.append(rng.choice(choices))
        mma = tiled_mma(name, Layout(counts, tuple(strides)), Tiler(entries))
        for operand in "ABC":
            holds(mma, operand)


def test_owners_and_elements_agree() -> None:
    for holder in (
        atom("SM70_8x8x4_F32F16F16F32_TN"),
        atom("RDNA3_16x16x16_F32F16F16_WMMA"),
        atom("CDNA_4x4x4_16B_F32F16F16_MFMA"),
        tiled_mma("SM80_8x8x4_F64F64F64F64_TN", (2, 1, 2)),
    ):
        for operand in "ABC":
            seen = view(holder, operand)
            held = {
                (thread, item.value): item.coordinate
                for thread in seen.threads
                for item in elements(holder, operand, thread)
            }
            for coordinate in set(held.values()):
                expected = sorted(key for key, c in held.items() if c == coordinate)
                assert owner(holder, operand, coordinate) == expected


def test_print_reference() -> None:
    """The first owner of each cell, by thread, then value, is what print_latex shows."""
    reference = json.loads(gzip.decompress((GOLDEN / "print_reference.json.gz").read_bytes()))
    for fact in reference["atoms"]:
        for operand in "ABC":
            seen = view(atom(fact["name"]), operand)
            values, count = seen.layout.elements(), len(seen.threads)
            first: dict[int, list[int]] = {}
            for t, v in product(range(count), range(seen.values)):
                first.setdefault(values[t + count * v], [seen.threads[t], v])
            rows, columns = seen.extents
            grid = [[first[r + rows * c] for c in range(columns)] for r in range(rows)]
            # B is drawn as [k][n].
            assert (list(map(list, zip(*grid, strict=True))) if operand == "B" else grid) == fact[operand]


def test_partition_is_what_the_thread_owns() -> None:
    mma = tiled_mma(SM80, (2, 2, 1), [32, 32, 16])
    tensor = Layout((64, 48), (48, 1))
    for thread in (0, 11, 77, 127):
        part = partition(mma, "A", tensor, thread)
        assert isinstance(part, Tensor) and isinstance(part.layout, Layout)
        # The tile repeats over the tensor: 2 x 3 times, rests after the values of one tile.
        held = [item.coordinate for item in elements(mma, "A", thread)]
        expected = {48 * (m + 32 * i) + k + 16 * j for m, k in held for i in range(2) for j in range(3)}
        assert {part(i) for i in range(part.size)} == expected and part.size == len(expected)
    whole = partition(mma, "A", tensor)
    assert isinstance(whole, Layout) and whole.rank == 2
    moved = partition(mma, "A", Tensor(5, tensor), 11)
    plain = partition(mma, "A", tensor, 11)
    assert isinstance(moved, Tensor) and isinstance(plain, Tensor)
    assert moved.offset == plain.offset + 5 and moved.layout == plain.layout


def test_fragments_follow_the_strides_of_the_tensor() -> None:
    mma = tiled_mma(SM80, (2, 2, 1))
    assert str(fragment(mma, "A", Layout((64, 64), (64, 1)))) == "((2,2,2),2,4):((1,2,4),32,8)"
    assert str(fragment(mma, "C", Layout((64, 32), (32, 1)))) == "((2,2),2,2):((1,2),4,8)"


def refused(call: Any) -> LayoutError:
    with pytest.raises(LayoutError) as caught:
        call()
    assert str(caught.value)
    return caught.value


def test_refusals_carry_the_numbers() -> None:
    fault = refused(lambda: tiled_mma(SM80, (2, 2, 1), [24, None, None]))
    assert fault.code == "LC314" and (fault.facts["extent"], fault.facts["covered"]) == (24, 32)
    assert "32" in str(fault) and "M" in str(fault)
    fault = refused(lambda: tiled_mma(SM80, Layout((2, 2, 1), (1, 4, 0))))
    assert fault.code == "LC306" and "has holes" in str(fault) and fault.facts["missing"] == 2
    fault = refused(lambda: tiled_mma(SM80, Layout((2, 2, 1), (1, 1, 0))))
    assert fault.code == "LC306" and "not injective" in str(fault)
    fault = refused(lambda: tiled_mma(SM80, None, [Layout((4, 4), (1, 8))]))
    assert fault.code == "LC306" and "permutation of M" in str(fault)
    fault = refused(lambda: partition(tiled_mma(SM80), "A", (24, 16)))
    assert fault.code == "LC314" and (fault.facts["below"], fault.facts["above"]) == (16, 32)
    assert refused(lambda: tiled_mma("SM75_U32x4_LDSM_N")).code == "LC103"
    assert refused(lambda: tiled_mma(SM80, (2, 2, 1, 1))).code == "LC103"
    wrong: Any = Layout((32, 32, 16))
    assert refused(lambda: tiled_mma(SM80, None, wrong)).code == "LC103"
    assert refused(lambda: tiled_mma(SM80, Tiler([2, 2]))).code == "LC103"  # type: ignore[arg-type]
    assert refused(lambda: tiled_mma(SM80, (1 << 21, 1, 1))).code == "LC104"
    assert refused(lambda: owner(tiled_mma(SM80, None, [1 << 20, 1 << 10, None]), "C", 0)).code == "LC104"
    swizzled: Any = Composed(Swizzle(3, 3, 3), 0, Layout((32, 16)))
    part = Layout(((2, 2, 2), 2, 1), ((32, 8, 256), 16, 0))
    assert partition(tiled_mma(SM80), "A", swizzled, 5) == Composed(Swizzle(3, 3, 3), 65, part)
    assert refused(lambda: atom("S" * 5000)).code == "LC102"
    assert refused(lambda: tiled_mma(SM80, None, [None] * 4)).code == "LC103"
    assert refused(lambda: tiled_mma(SM80, None, ["16"])).code == "LC103"
    assert refused(lambda: tiled_mma("CDNA_4x4x4_16B_F32F16F16_MFMA")).code == "LC103"
    assert refused(lambda: tiled_mma(SM80).layout("E")).code == "LC103"
    assert refused(lambda: partition(tiled_mma(SM80), "A", (16, 16), 32)).code == "LC103"
    fault = refused(lambda: elements(atom("SM70_8x8x4_F32F16F16F32_TN"), "A", 5))
    assert fault.code == "LC205" and "0-3, 16-19" in str(fault)
    assert refused(lambda: owner(tiled_mma(SM80), "C", (16, 0))).code == "LC205"
    assert refused(lambda: owner(tiled_mma(SM80), "C", (0, 0, 0))).code == "LC103"
    fault = refused(lambda: tiled_mma("SM80_16x8x16_F32F16F16"))
    assert fault.code == "LC102" and fault.facts["suggestions"][0] == SM80


def test_text() -> None:
    mma = tiled_mma(SM80, Layout((4, 1, 1), (1, 0, 0)), [64, Layout((2, 4, 2), (1, 4, 2)), 16])
    assert str(mma) == f'tiled_mma(atom("{SM80}"), (4,1,1):(1,0,0), <64, (2,4,2):(1,4,2), 16>)'
    assert str(tiled_mma(SM80)) == f'tiled_mma(atom("{SM80}"), (1,1,1):(0,0,0))'
