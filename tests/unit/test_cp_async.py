"""cp.async against what an H200 counts: wavefronts of .ca, requests of sectors of .cg."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from program import laycalc

from laycalc.algebra.base.errors import LayoutError
from laycalc.atoms.memory.cp_async import copy_conflicts, read_copy

GOLDEN = Path(__file__).parents[1] / "golden" / "atoms"


def measured() -> list[dict[str, Any]]:
    lines = gzip.decompress((GOLDEN / "cpasync_hardware.jsonl.gz").read_bytes()).decode().splitlines()
    return [json.loads(line) for line in lines]


def answer(case: dict[str, Any]) -> Any:
    return copy_conflicts(read_copy(case))


HALF = {"the same, lanes shuffled, 0; half of each", "random slots of 16 B in 64 KiB, 0; half of each"}
"""The two .cg copies that read 8 of 16 bytes: 14 wavefronts more than a store. Too few for a rule; told unknown."""


def test_every_cg_copy() -> None:
    cases = [case for case in measured() if "_cg" in case["op"]]
    assert len(cases) == 296
    for case in cases:
        found = answer(case)
        assert found.sectors == case["hw_sectors"], (case["op"], case["name"])
        unknown = case["op"].endswith("zfill") and case["name"] in HALF
        assert found.wavefronts == (None if unknown else case["hw_wavefronts"]), (case["op"], case["name"])
    plain = [case for case in cases if case["op"] == "cpasync16_cg"]
    assert len(plain) == 282 and {case["hw_wavefronts"] for case in plain} == {0}


def test_every_ca_copy_that_the_rule_fits() -> None:
    cases = [case for case in measured() if case.get("rule_9_fits")]
    assert len(cases) == 687
    for case in cases:
        found = answer(case)
        assert found.wavefronts == case["hw_wavefronts"], (case["op"], case["name"])
        assert found.attainable == case["ideal"] and found.sectors is None
        assert found.conflicts == found.wavefronts - case["ideal"]


def test_the_others_are_dearer_than_the_rule() -> None:
    """42 copies that the rule does not fit: 16 bytes from a start inside a line, columns, strides, lanes of zeros."""
    others = [case for case in measured() if case.get("rule_9_fits") is False]
    assert len(others) == 42
    for case in others:
        assert answer(case).wavefronts != case["hw_wavefronts"], (case["op"], case["name"])


def test_what_the_rule_leaves_out_is_told() -> None:
    inside = {"op": "cpasync16", "offsets": list(range(0, 512, 16)), "global_offsets": list(range(16, 528, 16))}
    assert "inside a line" in answer(inside).as_dict()["note"]
    others = [case for case in measured() if case.get("rule_9_fits") is False and case["op"] == "cpasync16"]
    assert sum(bool(answer(case).note) for case in others) == 31
    half = {"op": "cpasync16_cg_zfill", "offsets": [0], "global_offsets": [0], "src_bytes": [8]}
    assert answer(half).wavefronts is None and "not known" in answer(half).as_dict()["note"]
    assert "note" not in answer({"op": "cpasync16", "offsets": [0]}).as_dict()


def test_lanes_count_and_not_words() -> None:
    one = {"op": "cpasync4", "offsets": [0] * 32, "global_offsets": list(range(0, 128, 4))}
    assert answer(one).wavefronts == 32 and answer(one).degree == 32
    (collision,) = answer(one).phases[0].collisions()
    assert collision.bank == 0 and len(collision.words[0][1]) == 32
    # Rows of 64 bytes at a pitch of 4096: two rows in a pass want the same source banks.
    rows = {"op": "cpasync16", "offsets": list(range(0, 512, 16))}
    assert answer(rows).free and answer(rows).wavefronts == 4
    rows["global_offsets"] = [t // 4 * 4096 + t % 4 * 16 for t in range(32)]
    assert answer(rows).wavefronts == 8 and not answer(rows).free


def test_padded_rows_cost_sectors() -> None:
    padded = {"op": "cpasync16_cg", "offsets": [t // 8 * 144 + t % 8 * 16 for t in range(32)]}
    found = answer(padded)
    assert (found.wavefronts, found.sectors, found.ideal_sectors, found.free) == (0, 24, 16, False)
    data = found.as_dict()
    assert data["wavefronts"] == 0 and data["sectors"] == 24 and json.dumps(data)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"op": "cpasync16"},
        {"op": "cpasync2", "offsets": [0], "global_offsets": [0]},
        {"op": "cpasync8_cg", "offsets": [0], "global_offsets": [0]},
        {"op": "cpasync16", "offsets": [8], "global_offsets": [0]},
        {"op": "cpasync16", "offsets": [0], "global_offsets": [8]},
        {"op": "cpasync16", "offsets": [0], "global_offsets": [None]},
        {"op": "cpasync16", "offsets": [True], "global_offsets": [0]},
        {"op": "cpasync16", "offsets": [0, 16], "global_offsets": [0]},
        {"op": "cpasync16", "offsets": [0] * 33, "global_offsets": [0] * 33},
        {"op": "cpasync16", "offsets": [0], "global_offsets": 0},
        {"op": "cpasync16", "offsets": [0], "global_offsets": [0], "src_bytes": [16]},
        {"op": "cpasync16_zfill", "offsets": [0], "global_offsets": [0]},
        {"op": "cpasync16_zfill", "offsets": [0], "global_offsets": [0], "src_bytes": [17]},
        {"op": "cpasync16_zfill", "offsets": [0], "global_offsets": [0], "src_bytes": [0, 0]},
    ],
)
def test_wrong_copies_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(LayoutError) as caught:
        read_copy(fields)
    assert caught.value.code == "LC103" and str(caught.value)


def test_raw_lines_of_the_command() -> None:
    lines = [
        {"id": "a", "op": "cpasync16_cg", "offsets": [t // 8 * 144 + t % 8 * 16 for t in range(32)]},
        {"id": "b", "op": "cpasync4", "offsets": [0] * 32, "global_offsets": [4 * t for t in range(32)]},
        {"id": "c", "op": "cpasync4", "offsets": [2]},
    ]
    done = laycalc("banks", "--jsonl", "-", stdin="\n".join(map(json.dumps, lines)))
    padded, slot, wrong = map(json.loads, done.stdout.splitlines())
    assert (padded["id"], padded["wavefronts"], padded["sectors"]) == ("a", 0, 24)
    assert (slot["wavefronts"], slot["ideal"], "sectors" in slot) == (32, 1, False)
    assert wrong["error"]["code"] == "LC103" and done.returncode == 2
