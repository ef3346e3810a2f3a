"""The words of an access, the objects of design tasks, and the fast count of wavefronts against the slow one."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import laycalc
from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.atoms.accesses.access_words import access_of, read_pattern
from laycalc.atoms.memory.banks import bank_conflicts
from laycalc.atoms.memory.cost import wavefronts
from laycalc.atoms.memory.pattern import Engine, Pattern
from laycalc.atoms.memory.patterns import accesses
from laycalc.atoms.memory.placed import Placed
from laycalc.atoms.memory.walks import Tile, walk

GOLDEN = Path(__file__).parents[1] / "golden"

MIRRORED = {"S62": 1}
"""Answers whose figures stand for the first layout of several; the others are its mirror images."""


def smem_tasks() -> list[dict[str, Any]]:
    tasks = [json.loads(line) for line in (GOLDEN / "design.jsonl").read_text().splitlines()]
    return [task for task in tasks if task["kind"] == "smem"]


@pytest.mark.parametrize("task", smem_tasks(), ids=lambda task: task["id"])
def test_the_wavefronts_of_every_design_task(task: dict[str, Any]) -> None:
    found = [access_of(fields, task["bits"], laycalc.eval) for fields in task["accesses"]]
    patterns = [access for access in found if isinstance(access, Pattern)]
    answer = task["answer"]
    for layout in answer["layouts"][: MIRRORED.get(task["id"])]:
        placed = Placed(laycalc.eval(layout))
        costs = [wavefronts(placed, pattern) for pattern in patterns]
        assert [cost for cost, _ in costs] == answer["wavefronts"], layout
        assert [ideal for _, ideal in costs] == answer["ideal"], layout
    for folk in task["folk"]:
        if folk["fits"]:
            placed = Placed(laycalc.eval(folk["layout"]))
            assert [wavefronts(placed, pattern)[0] for pattern in patterns] == folk["wavefronts"], folk["layout"]


def test_the_fast_count_is_the_slow_count() -> None:
    rng = random.Random(11)
    fast = 0
    for _ in range(300):
        rows, columns = rng.choice([8, 16, 32, 64]), rng.choice([16, 32, 64, 24])
        bits = rng.choice([8, 16, 32, 64])
        base = rng.choice([Layout((rows, columns), (columns, 1)), Layout((rows, columns), (1, rows))])
        swizzle = Swizzle(rng.randrange(4), rng.randrange(5), rng.choice([3, 4, 5]))
        layout = Composed(swizzle, rng.choice([0, 0, 8, 4096]), base) if rng.random() < 0.7 else base
        copy = rng.choice(["", "", "ca", "cg"])
        vector = rng.choice([1, 2, 4, 8])
        try:
            lanes = rng.choice(["row", "column", "ldmatrix"]) if not copy else "row"
            pattern = Pattern(bits, None if lanes == "ldmatrix" else vector, lanes, store=bool(copy), copy=copy)
            reports = [bank_conflicts(access) for access in accesses(layout, pattern)]
        except LayoutError:
            continue
        placed = Placed(layout)
        expected = sum(r.wavefronts for r in reports)
        assert wavefronts(placed, pattern)[0] == expected, (str(layout), pattern)
        fast += placed.columns is not None and placed.walk(pattern).linear is not None
    assert fast > 50


def test_columns_over_f2_make_all_offsets() -> None:
    for text in ("(8,16):(16,1)", "Sw<2,1,3> o 512 o (8,(4,4)):(4,(1,128))", "Sw<3,3,3> o 0 o (64,64):(64,1)"):
        placed = Placed(laycalc.eval(text))
        assert placed.columns is not None
        for index, offset in enumerate(placed.offsets):
            for bit, column in enumerate(placed.columns):
                offset ^= column if index >> bit & 1 else 0
            assert offset == placed.offsets[0] == placed.origin
    for text in ("(8,16):(17,1)", "(6,8):(8,1)", "Sw<2,0,3> o 1 o (8,8):(8,1)", "{64} o (8,8):(8,1)"):
        assert Placed(laycalc.eval(text)).columns is None


WORDS: list[tuple[str, Pattern | Engine]] = [
    ("row", Pattern(16)),
    ("read: column, 4 B", Pattern(16, 2, "column")),
    ("write: row, 16 B", Pattern(16, 8, store=True)),
    ("store: by row, 128 bits, along columns", Pattern(16, 8, store=True, along=1)),
    ("column, 8 elements, along rows", Pattern(16, 8, "column", along=0)),
    ("ldmatrix", Pattern(16, 4, "ldmatrix")),
    ("read: ldmatrix.x4.trans", Pattern(16, 4, "ldmatrix", trans=True)),
    ("ldmatrix.sync.aligned.m8n8.x2.shared.b16 by row", Pattern(16, 2, "ldmatrix", along=1)),
    ("stmatrix.x1 by column", Pattern(16, 1, "stmatrix", store=True, along=0)),
    ("write: cp.async.cg", Pattern(16, 8, store=True, copy="cg")),
    ("cp.async, 4 B, column", Pattern(16, 2, "column", store=True, copy="ca")),
    ("cp.async.ca.shared.global row 8 B", Pattern(16, 4, store=True, copy="ca")),
    ("ld.shared.v4.b32 row", Pattern(16, 8)),
    ("LDS.128, column", Pattern(16, 8, "column")),
    ("STS.U16", Pattern(16, 1, store=True)),
    ("row, 128 threads", Pattern(16, threads=128)),
    ("tv", Pattern(16, lanes="tv")),
    (
        "write: tv ((4,8),(2,2)):((32,1),(16,8)), 4 B, block 16x8",
        Pattern(16, 2, "tv", store=True, fragment=Layout(((4, 8), (2, 2)), ((32, 1), (16, 8))), block=(16, 8)),
    ),
    ("[[[0,0],null,[1,2]]]", Pattern(16, lanes="tv", listed=(((0, 0), None, (1, 2)),))),
    ("write: tma along rows", Engine("tma", True, "rows")),
    ("read: wgmma MN-major, mn columns", Engine("wgmma", major="MN", mn="columns")),
]


@pytest.mark.parametrize("text, expected", WORDS, ids=[text for text, _ in WORDS])
def test_words_of_an_access(text: str, expected: Pattern | Engine) -> None:
    assert read_pattern(text, 16, laycalc.eval) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "read:",
        "write: ldmatrix",
        "read: cp.async",
        "rwo",
        "row, column",
        "16 B, 8 B, row",
        "row, 3 B",
        "cp.async.cg, 8 B",
        "cp.async, 2 B",
        "along diagonal",
        "by 16 B",
        "block 16",
        "tv (4,8)",
        "tv 4:1",
        "row, mn rows",
        "tma, 16 B",
        "wgmma",
        "write: wgmma K",
        "[[1]]",
        "[[[0,0.5]]]",
        "[[",
        "[[" * 5000,
        "ldmatrix.x3",
        "0 B, row",
        "tv (4,8):(1,4), block 0x4",
    ],
)
def test_wrong_words_are_refused(text: str) -> None:
    with pytest.raises((LayoutError, laycalc.Failure)) as caught:
        read_pattern(text, 16, laycalc.eval)
    assert str(caught.value)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"kind": "lane"},
        {"kind": ["lanes"]},
        {"kind": "lanes"},
        {"kind": "lanes", "op": "ldm"},
        {"kind": "lanes", "op": "ld", "vec": 3},
        {"kind": "lanes", "op": "ld", "vec": "8"},
        {"kind": "lanes", "op": "ld", "swizzle": 1},
        {"kind": "lanes", "op": "ld", "along": 4},
        {"kind": "matrix", "op": "ldm", "num": 3},
        {"kind": "tv", "op": "ld", "block": [8], "layout": "(4,8):(1,4)"},
        {"kind": "tv", "op": "ld", "block": [8, 8], "layout": "4:1"},
        {"kind": "list", "op": "ld", "instructions": 5},
        {"kind": "tma", "dir": "up"},
        {"kind": "wgmma", "major": "N"},
    ],
)
def test_wrong_objects_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(LayoutError) as caught:
        access_of(fields, 16, laycalc.eval)
    assert caught.value.code == "LC103" and str(caught.value)


def test_blocks_repeat_over_the_tile() -> None:
    fragment = Layout(((4, 8), (2, 2)), ((32, 1), (16, 8)))
    found = walk(Pattern(32, 2, "tv", store=True, fragment=fragment, block=(16, 8)), Tile(32, 16), 1)
    assert found.op == "st8" and found.inside == (0, 32) and len(found.instructions) == 2 * 4
    starts = [s for warp in found.instructions for s in warp if s is not None]
    assert sorted(s + i for s in starts for i in found.inside) == list(range(32 * 16))


def test_fragments_and_lists_that_do_not_fit() -> None:
    def code(pattern: Pattern) -> str:
        with pytest.raises(LayoutError) as caught:
            accesses(Layout((16, 16), (16, 1)), pattern)
        assert str(caught.value)
        return caught.value.code

    pair = Layout((32, 4), (1, 32))
    assert code(Pattern(32, lanes="tv", fragment=pair, block=(24, 8))) == "LC314"
    assert code(Pattern(32, 4, "tv", fragment=Layout((32, 2), (1, 32)), block=(16, 8))) == "LC314"
    assert code(Pattern(32, lanes="tv", fragment=pair, block=(8, 8))) == "LC103"
    assert code(Pattern(32, 2, "tv", fragment=Layout((2, (2, 2)), (2, (1, 4))), block=(4, 4))) == "LC313"
    assert code(Pattern(32, lanes="tv", listed=(((16, 0),),))) == "LC103"


def test_a_tiled_copy_without_a_width_moves_the_elements_of_the_layout() -> None:
    """In words as in C++ the elements are those of the tensor; a width that is said stays."""
    plain = '"SM80_CP_ASYNC_CACHEGLOBAL_16B", (16,8):(8,1), (1,8)'
    assert read_pattern(f"write: tiled_copy({plain})", 16, laycalc.eval) == read_pattern(
        f"write: tiled_copy({plain}, 16)", 16, laycalc.eval
    )
    with pytest.raises(LayoutError, match="elements of 32 bits"):
        read_pattern(f"write: tiled_copy({plain}, 32)", 16, laycalc.eval)
