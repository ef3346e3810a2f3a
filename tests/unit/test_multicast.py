"""Which thread block of a cluster reads which part of a box, and who receives it."""

from __future__ import annotations

import json
from itertools import product

import pytest
from program import laycalc as program

from laycalc.algebra.base.errors import LayoutError
from laycalc.atoms.memory.multicast import multicast
from laycalc.atoms.memory.tensor_map import TensorMap

MAP = TensorMap("f16", (4096, 512), (8192,), (64, 128), (1, 1), "128B")
CUBE = TensorMap("f16", (64, 64, 8), (128, 8192), (64, 4, 2), (1, 1, 1), "none")


@pytest.mark.parametrize("m", [MAP, CUBE], ids=["plane", "cube"])
@pytest.mark.parametrize("operand, pair", [("A", 1), ("B", 1), ("A", 2), ("B", 2)])
@pytest.mark.parametrize("cluster", [(1, 1), (2, 1), (2, 2), (4, 2), (2, 4), (8, 1), (4, 4)])
def test_the_parts_make_the_box_in_every_block(m: TensorMap, operand: str, pair: int, cluster: tuple[int, int]) -> None:
    if cluster[0] % pair:
        return
    found = multicast(m, cluster, operand, pair)
    for rank in range(cluster[0] * cluster[1]):
        written: list[tuple[int, ...]] = []
        for part in found.parts:
            if not part.mask >> rank & 1:
                continue
            box = [[o + i for i in range(n)] for o, n in zip(part.origin, found.box, strict=True)]
            elements = list(product(*box))
            written += elements
            # Its first element lands where the whole box would have put it, apart from the swizzle's XOR in a row.
            assert part.place == m.pitch * sum(o * k for o, k in zip(part.origin[1:], rows(m), strict=True))
        assert sorted(written) == sorted(product(*map(range, m.counts)))


def rows(m: TensorMap) -> list[int]:
    """How many rows of the box lie between neighbours of each dimension but the innermost."""
    found, step = [], 1
    for count in m.counts[1:]:
        found.append(step)
        step *= count
    return found


def test_sharers_have_one_tile() -> None:
    a = multicast(MAP, (2, 2), "A")
    assert [part.mask for part in a.parts] == [0b0101, 0b1010, 0b0101, 0b1010] and a.box == (64, 64)
    b = multicast(MAP, (2, 2), "B")
    assert [part.mask for part in b.parts] == [0b0011, 0b0011, 0b1100, 0b1100]
    # Two blocks of an MMA hold halves of B: their neighbours of the next pair share it.
    pairs = multicast(MAP, (4, 1), "B", 2)
    assert [part.mask for part in pairs.parts] == [0b0101, 0b1010, 0b0101, 0b1010] and pairs.sharers == 2
    assert [part.mask for part in multicast(MAP, (2, 1), "B", 2).parts] == [1, 2]


@pytest.mark.parametrize(
    "cluster, operand, pair",
    [((2, 3), "A", 1), ((17, 1), "A", 1), ((0, 1), "A", 1), ((1, 2), "B", 2), ((2, 1), "C", 1)],
)
def test_clusters_that_cannot_share(cluster: tuple[int, int], operand: str, pair: int) -> None:
    with pytest.raises(LayoutError) as caught:
        multicast(MAP, cluster, operand, pair)
    assert caught.value.code == "LC103" and str(caught.value)


def test_the_command() -> None:
    tensor = ("tma", "(512,4096):(4096,1)", "--box", "64x128", "--bits", "16", "--swizzle", "128B")
    done = program(*tensor, "--multicast", "A", "--cluster", "1x2", "--json")
    found = json.loads(done.stdout)["multicast"]
    assert found["sharers"] == 2 and found["box"] == [64, 64]
    assert found["parts"][1] == {
        "rank": 1, "block": [0, 1], "part": 1, "origin": [0, 64], "place": 8192, "receivers": [0, 1], "mask": "0x3",
    }  # fmt: skip
    mma = 'tiled_mma("SM100_MMA_F16BF16_2x1SM_SS_256x256_F32F16F16")'
    done = program(*tensor, "--multicast", "B", "--cluster", "4x1", "--mma", mma)
    assert "an MMA of two blocks" in done.stdout and "for 0, 2 (mask 0x5)" in done.stdout
    for wrong in (["--multicast", "A"], ["--cluster", "2x1"], ["--multicast", "A", "--cluster", "2x1x1"]):
        done = program(*tensor, *wrong)
        assert done.returncode == 2 and "LC103" in done.stderr
    done = program(*tensor, "--multicast", "A", "--cluster", "2x1", "--mma", "4:1")
    assert done.returncode == 2 and "--mma takes a tiled MMA" in done.stderr
