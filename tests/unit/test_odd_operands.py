"""Commands whose operand is a value of another kind than they take: a value, or a refusal by code; never LC9xx."""

from __future__ import annotations

import pytest
from program import laycalc

ODD = [
    "3", "-1", "(4,8)", "()", "_", '"a"', "true", "e1", "f3", "Sw<3,3,3>", "Sw<3,3,3> o 5", "<4,8>", "<4:1,8:2>",
    "4:1", "():()", "4:-1", "(4,8):(e0,e1)", "(2,2):(f1,f3)", "Sw<2,0,2> o 0 o (4,8):(8,1)", "{5}", "{5} o 4:1",
    "{(1,2)} o (4,8):(e0,e1)", "{f3} o 4:f1", "(M,N):(N,1)", "N", "values(4:1)", "image(4:1)",
    'atom("SM80_16x8x16_F32F16F16F32_TN")', 'tiled_mma("SM80_16x8x16_F32F16F16F32_TN")',
    'copy_atom("SM75_U32x4_LDSM_N",16)',
    'tiled_copy("SM75_U32x4_LDSM_N", (8,4):(4,1), (2,4):(4,1), 16)',
    "make_morphism((4,2),(2,1),(2,4))", "banks_of", "",
]  # fmt: skip
"""Values of all kinds, an unknown name, nothing."""

ONE = [
    ["eval"], ["info"], ["table"], ["draw", "--format", "txt"], ["explain"], ["banks"], ["banks", "--suggest"],
    ["descriptor"], ["descriptor", "--bits", "16"], ["to", "cpp"], ["to", "dsl"], ["to", "numpy"], ["to", "latex"],
    ["from"], ["solve"],
    ["info", "--json"], ["eval", "--json"], ["banks", "--json"], ["descriptor", "--json"],
]  # fmt: skip
"""Commands with one operand."""

TWO = [["vector"], ["diff"], ["why"], ["vector", "--json"], ["diff", "--json"]]
"""Commands with two."""


@pytest.mark.parametrize("command", ONE, ids=" ".join)
def test_a_command_takes_a_value_or_refuses_it_by_code(command: list[str]) -> None:
    faults = [text for text in ODD if failed(*command, text)]
    assert not faults


@pytest.mark.parametrize("command", TWO, ids=" ".join)
def test_two_values_are_taken_or_refused_by_code(command: list[str]) -> None:
    good = "(4,8):(8,1)"
    faults = [pair for text in ODD for pair in ((text, good), (good, text), (text, text)) if failed(*command, *pair)]
    assert not faults


def failed(*arguments: str) -> bool:
    """Did the program fail by a fault of its own?"""
    done = laycalc(*arguments[:-1], *(["--"] if arguments[-1].startswith("-") else []), arguments[-1])
    return done.returncode not in (0, 1, 2) or "LC9" in done.stdout + done.stderr or "Traceback" in done.stderr
