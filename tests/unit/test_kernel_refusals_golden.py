"""Programs that CUTLASS or their own assertions refuse: the complaint stands at the line, with the numbers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from golden.facts import load

from laycalc.diagnostics.model import Diagnostic
from laycalc.diagnostics.report import finding
from laycalc.grammar.source.project import Project

FAILING = [fact for fact in load("kernels.jsonl") if fact["id"][:2] == "kf"]

LINES = {
    "kf-f_copy_frag": 7, "kf-f_headdim": 3, "kf-f_is_static": 2, "kf-f_mma_threads": 3, "kf-f_rank3": 2,
    "kf-f_stage_modes": 4, "kf-f_swizzle_span": 3, "kf-f_threads_per_row": 5, "kf-f_vector": 3, "kf-i_divide_mode": 2,
}  # fmt: skip
"""Where the complaint belongs; the others have one line."""
WORDS = {
    "kf-i_divide_mode": "rank is 1",
    "kf-i_get_range": "no mode 2",
    "kf-i_upcast": "stride 12",
    "kf-i_comp_shape2": "size 5 of the right operand is not divisible by ceil(4/2) = 2",
}
"""What is said where the numbers of the fact stand in other words."""


def findings_of(fact: dict[str, Any]) -> tuple[Diagnostic, ...]:
    given = [(name, str(value)) for name, value in fact.get("bind", {}).items() if isinstance(value, int)]
    return Project({"kernel.cu": fact["text"]}, given).scan("kernel.cu").findings


@pytest.mark.parametrize("fact", FAILING, ids=lambda fact: fact["id"])
def test_a_program_that_is_refused_is_complained_about_at_its_line(fact: dict[str, Any]) -> None:
    (found,) = findings_of(fact)
    assert finding(found, "kernel.cu").line == LINES.get(fact["id"], 1)
    assert found.severity == "error"
    if fact["id"] in WORDS:
        assert WORDS[fact["id"]] in found.message
        return
    numbers = re.findall(r"\d+", fact["complaint"].rpartition(";")[2].rpartition("*")[2])
    assert set(numbers) <= set(re.findall(r"\d+", found.message))
