"""The bank model against measurements and worked cases, accesses from layouts, and refusals."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.atoms.instructions.catalogue import atom
from laycalc.atoms.memory.banks import Access, bank_conflicts, operation, read_access, wavefronts
from laycalc.atoms.memory.patterns import Pattern, accesses, bank_survey
from laycalc.atoms.memory.sectors import coalescing

GOLDEN = Path(__file__).parents[1] / "golden" / "atoms"


def measured() -> list[dict[str, Any]]:
    lines = gzip.decompress((GOLDEN / "banks_hardware.jsonl.gz").read_bytes()).decode().splitlines()
    return [json.loads(line) for line in lines]


def test_every_measured_case() -> None:
    cases = measured()
    assert len(cases) == 608
    for case in cases:
        report = bank_conflicts(Access(case["op"], tuple(case["offsets"])))
        assert report.wavefronts == case["hw_wavefronts"], (case["op"], case["name"])
        assert report.ideal == case["ideal"] and operation(case["op"]).bytes == case["bytes_per_lane"]
        assert report.conflicts == case["hw_bank_conflicts"], (case["op"], case["name"])
        fast, active = wavefronts(operation(case["op"]), tuple(case["offsets"]))
        assert fast == report.wavefronts and (fast == active) == report.free


def sw(b: int, m: int, s: int, layout: Layout) -> Composed:
    return Composed(Swizzle(b, m, s), 0, layout)


COLUMN = "column"
WORKED = [
    (Layout((32, 32), (32, 1)), Pattern(32, lanes=COLUMN)),
    (Layout((32, 32), (33, 1)), Pattern(32, lanes=COLUMN)),
    (sw(5, 0, 5, Layout((32, 32), (32, 1))), Pattern(32, lanes=COLUMN)),
    (Layout(32, 0), Pattern(32)),
    (Layout(32, 2), Pattern(32)),
    (Layout(128, 1), Pattern(32, 4)),
    (Layout(32, 1), Pattern(64)),
    (Layout((32, 16), (16, 1)), Pattern(64, lanes=COLUMN)),
    (Layout((32, 64), (64, 1)), Pattern(16, 8, COLUMN)),
    (sw(3, 3, 3, Layout((32, 64), (64, 1))), Pattern(16, 8, COLUMN)),
    (sw(2, 3, 3, Layout((32, 32), (32, 1))), Pattern(16, 8, COLUMN)),
    (sw(2, 3, 3, Layout((32, 64), (64, 1))), Pattern(16, 8, COLUMN)),
    (sw(1, 3, 3, Layout((32, 16), (16, 1))), Pattern(16, 8, COLUMN)),
    (sw(3, 4, 3, Layout((32, 128), (128, 1))), Pattern(8, 16, COLUMN)),
    (Layout((32, 72), (72, 1)), Pattern(16, 8, COLUMN)),
    (Layout((32, 64), (64, 1)), Pattern(16, lanes=COLUMN)),
    (Layout((32, 66), (66, 1)), Pattern(16, lanes=COLUMN)),
    (Layout((32, 64), (64, 1)), Pattern(16)),
    (sw(3, 2, 3, Layout((8, 32), (32, 1))), Pattern(32, 4, COLUMN)),
    (Layout(32, 1), Pattern(8)),
]


@pytest.mark.parametrize("number", range(20))
def test_worked_cases(number: int) -> None:
    fact = json.loads((GOLDEN / "banks_examples.json").read_text())[number]
    layout, pattern = WORKED[number]
    first = bank_survey(layout, pattern).reports[0]
    assert pattern.bytes == fact["bytes_per_lane"] and pattern.bits == 8 * fact["element_bytes"]
    assert (first.wavefronts, first.ideal, first.degree) == (fact["wavefronts"], fact["ideal"], fact["degree"])
    assert first.per_phase == fact["per_phase"]


def test_collisions_name_bank_lanes_and_addresses() -> None:
    report = bank_conflicts(Access("ld4", (0, 128, 4, 0, None, 256)))
    assert report.degree == 3
    (collision,) = report.phases[0].collisions()
    assert collision.bank == 0 and collision.words == ((0, (0, 3)), (128, (1,)), (256, (5,)))
    assert [r.wavefront for r in report.phases[0].requests] == [0, 1, 0, 0, 2]
    data = report.as_dict()
    assert data["collisions"][0]["words"][1] == {"address": 128, "lanes": [1]} and json.dumps(data)
    # Atomics do not share a word: each lane has its turn.
    exchange = bank_conflicts(Access("at_exch", (0, 0, 0)))
    assert exchange.wavefronts == 3 and exchange.phases[0].collisions()[0].words == ((0, (0, 1, 2)),)
    assert bank_conflicts(Access("at_cas", (0, 0, 0))).wavefronts == 6
    assert bank_conflicts(Access("at_inc", (0, 0, 0))).wavefronts == 1


def test_nothing_active_costs_nothing() -> None:
    report = bank_conflicts(Access("ld16", (None,) * 32))
    assert (report.wavefronts, report.degree, report.free, report.ideal) == (0, 0, True, 4)


def test_wide_loads_merge_and_one_lane_stops_it() -> None:
    pairs = tuple(16 * (t // 2) for t in range(32))
    assert bank_conflicts(Access("ld16", pairs)).merged and bank_conflicts(Access("ld16", pairs)).wavefronts == 2
    assert not bank_conflicts(Access("st16", pairs)).merged
    broken = (*pairs[:31], 1024)
    assert not bank_conflicts(Access("ld16", broken)).merged


def test_matrices_ignore_the_lanes_beyond_their_rows() -> None:
    rows = tuple(16 * t for t in range(8))
    access = Access("ldm1t", rows + (999 * 16,) * 24)
    assert bank_conflicts(access).wavefronts == 1 and len(access.active()) == 8


def test_every_element_is_accessed_once() -> None:
    rng = random.Random(3)
    layouts: list[Layout | Composed] = [
        Layout((16, 32), (32, 1)),
        Layout((32, 16), (1, 32)),
        sw(2, 3, 2, Layout((16, 32), (32, 1))),
        Layout(((4, 4), (8, 4)), ((8, 256), (1, 32))),
        Layout((8, 16, 3), (16, 1, 128)),
    ]
    for layout in layouts:
        for lanes in ("row", "column", "ldmatrix", "stmatrix"):
            vector = None if lanes.endswith("matrix") else rng.choice([1, 2, 4, 8])
            pattern = Pattern(16, vector, lanes, store=rng.random() < 0.5)
            touched: list[int] = []
            for access in accesses(layout, pattern):
                touched += [a // 2 + i for _, a in access.active() for i in range(pattern.run)]
            values = layout.elements() if isinstance(layout, Composed) else layout.values()
            assert sorted(touched) == sorted(values), (str(layout), lanes)


def test_thread_value_layouts() -> None:
    # The C fragment of an m16n8 MMA over a row-major 16 x 8 tile of f32: two neighbouring columns a lane.
    tile, fragment = Layout((16, 8), (8, 1)), atom("SM80_16x8x16_F32F16F16F32_TN").C
    assert fragment is not None
    from laycalc.algebra.operations.composition import composition

    survey = bank_survey(composition(tile, fragment), Pattern(32, 2, "tv", store=True))
    assert [r.access.op for r in survey.reports] == ["st8", "st8"] and survey.free
    first = survey.reports[0].access.offsets
    assert first[:5] == (0, 8, 16, 24, 32)
    assert len(bank_survey(Layout((64, 4), (4, 1)), Pattern(32, 4, "tv")).reports) == 2
    assert len(bank_survey(Layout((64, 4), (4, 1)), Pattern(32, 4, "tv", threads=16)).reports[0].access.active()) == 16


def test_threads_and_offsets() -> None:
    half = bank_survey(Layout((32, 32), (32, 1)), Pattern(32, lanes="row", threads=16))
    assert len(half.reports) == 64 and len(half.reports[0].access.active()) == 16
    block = bank_survey(Layout((32, 32), (32, 1)), Pattern(32, lanes="row", threads=128))
    assert len(block.reports) == 32
    moved = accesses(Tensor(64, Layout((2, 32), (32, 1))), Pattern(32))
    assert moved[0].offsets[0] == 256
    nibbles = accesses(Layout(64, 1), Pattern(4, 2))
    assert nibbles[0].offsets == tuple(range(32))


def test_survey_totals() -> None:
    survey = bank_survey(Layout((32, 64), (64, 1)), Pattern(16, lanes="ldmatrix"))
    assert (survey.wavefronts, survey.ideal, survey.degree, survey.free) == (256, 32, 8, False)
    assert survey.worst is survey.reports[0] and survey.worst.access.label == "(0,0) to (15,8)"
    assert bank_survey(Layout((64, 32), (1, 64)), Pattern(16, lanes="ldmatrix")).reports[0].access.op == "ldm4t"


def test_coalescing() -> None:
    whole = coalescing(Access("ld4", tuple(4 * t for t in range(32))))
    assert (whole.sectors, whole.lines, whole.bytes, whole.efficiency) == (4, 1, 128, 1.0)
    strided = coalescing(Access("ld4", tuple(128 * t for t in range(32))))
    assert (strided.sectors, strided.ideal, strided.lines, strided.efficiency) == (32, 4, 32, 0.125)
    shifted = coalescing(Access("ld4", tuple(4 * t for t in range(32))), base=16)
    assert shifted.sectors == 5 and shifted.lines == 2
    assert coalescing(Access("ld4", (0,) * 32)).bytes == 4
    both = coalescing(accesses(Layout((32, 32), (32, 1)), Pattern(32, 4)))
    assert both.instructions == 8 and both.efficiency == 1.0 and both.as_dict()["sectors"] == 128
    assert coalescing(Access("ld4", (None,))).efficiency == 0.0


def refused(call: Any) -> LayoutError:
    with pytest.raises(LayoutError) as caught:
        call()
    assert str(caught.value)
    return caught.value


def test_plain_data() -> None:
    access = read_access({"op": "ld4", "offsets": [0, None, 128], "name": "mine"})
    assert access.offsets == (0, None, 128) and access.label == "mine" and bank_conflicts(access).degree == 2
    for wrong in (
        {},
        {"op": "ld4"},
        {"op": 4, "offsets": []},
        {"op": "ld4", "offsets": "0"},
        {"op": "ld4", "offsets": [0.5]},
    ):
        with pytest.raises(LayoutError) as caught:
            read_access(wrong)
        assert caught.value.code == "LC103" and str(caught.value)


def test_refusals_carry_the_numbers() -> None:
    fault = refused(lambda: Access("ld4", (0, 6)))
    assert fault.code == "LC103" and (fault.facts["lane"], fault.facts["offset"], fault.facts["width"]) == (1, 6, 4)
    assert refused(lambda: Access("ld4", (0,) * 33)).code == "LC103"
    assert refused(lambda: Access("ld4", (-4,))).code == "LC103"
    assert refused(lambda: Access("ld3", (0,))).facts["name"] == "ld3"
    assert refused(lambda: Pattern(16, 3)).code == "LC103"
    assert refused(lambda: Pattern(12)).code == "LC103"
    assert refused(lambda: Pattern(16, 3, "ldmatrix")).code == "LC103"
    assert refused(lambda: Pattern(16, lanes="diagonal")).code == "LC103"
    assert refused(lambda: Pattern(16, threads=0)).code == "LC103"
    fault = refused(lambda: accesses(Layout((32, 64), (128, 2)), Pattern(16, 8)))
    assert fault.code == "LC313" and "0, 2, 4" in str(fault)
    fault = refused(lambda: accesses(sw(3, 2, 3, Layout((32, 64), (64, 1))), Pattern(16, 8)))
    assert fault.code == "LC313" and "(0,32)" in str(fault)
    assert refused(lambda: accesses(Layout((32, 60), (60, 1)), Pattern(16, 8))).code == "LC314"
    assert refused(lambda: accesses(Layout((4, 64), (64, 1)), Pattern(16, lanes="ldmatrix"))).code == "LC314"
    fault = refused(lambda: accesses(Layout((32, 64), (68, 1)), Pattern(16, 8)))
    assert fault.code == "LC103" and fault.facts["byte"] == 136
    assert refused(lambda: accesses(Layout((2, 2, 2)), Pattern(32, lanes="tv"))).code == "LC103"
    assert refused(lambda: accesses(Layout((2048, 1024)), Pattern(32))).code == "LC104"
    assert refused(lambda: coalescing(Access("ldm1", (0,)))).code == "LC103"
    assert refused(lambda: coalescing(Access("ld4", (0,)), base=-4)).code == "LC103"


def test_equal_addresses_that_merge_passes_lower_what_would_be_ideal() -> None:
    report = bank_conflicts(Access("ld16", tuple(t // 8 * 16 for t in range(32))))
    assert (report.wavefronts, report.as_dict()["ideal"]) == (2, 2)
