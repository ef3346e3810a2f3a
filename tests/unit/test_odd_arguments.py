"""Functions times kinds of odd arguments: every call has a value or a code that is not our own fault, and prints."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain
from typing import Any

import pytest

import laycalc as lc
from laycalc.algebra.base.errors import LayoutError
from laycalc.grammar.language.functions import Function, functions
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.scope import Scope, Settings
from laycalc.grammar.run.statements import evaluate, run

INTEGERS = ["0", "1", "-1", "7", "1099511627776", "1000000000000000000000000000000"]
TUPLES = ["()", "(4,)", "(4,8)", "(4,(2,3))", "(0,4)", "(-1,2)", "(4,_)", "_", "(_,_)"]
ELEMENTS = ["e0", "e1.0", "2e0+3e1", "f1", "f5", "(e0,e1)", "(f1,f2)", "(4,e0)"]
WORDS = ["true", "compatible(4,5)", '"A"', '""', '"SM80_16x8x16_F32F16F16F32_TN"', "LayoutLeft"]
LAYOUTS = [
    "4:1", "(4,8):(1,4)", "(4,8):(8,1)", "4:0", "4:-1", "1:0", "():()", "(2,(2,2)):(1,(2,4))", "(4,8):(e0,e1)",
    "4:e1", "8:f1", "(2,2):(f1,f3)", "4:1000000007", "16777216:1", "1099511627776:1", "(3,5):(2,7)", "(2,2):(1,1)",
    "((4,8),(2,4)):((32,1),(16,8))",
]  # fmt: skip
SWIZZLED = [
    "Sw<1,0,1>", "Sw<3,4,3>", "Sw<0,4,3>", "Sw<2,0,-2>", "Sw<1,0,1> o 0 o (4,8):(8,1)", "Sw<1,0,1> o 3 o 8:1",
    "Sw<1,0,1> o 3",
]  # fmt: skip
TENSORS = [
    "{8} o (4,8):(1,4)", "{e1} o (4,8):(e0,e1)", "{f3} o (4,8):(f1,f4)", "{3} o Sw<1,0,1> o 0 o (4,8):(8,1)", "{5}",
]  # fmt: skip
TILERS = ["<4,8>", "<4:1,_>", "<4:1,<2:1>>"]
MORPHISMS = ["(2,3) --(1,2)--> (2,3)", "(2,3) --(2,*)--> (5,2)", "() --()--> ()"]
ATOMS = [
    'atom("SM80_16x8x16_F32F16F16F32_TN")',
    'tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1))',
    'copy_atom("SM75_U32x4_LDSM_N", 16)',
    'tiled_copy("SM75_U32x4_LDSM_N", (8,4):(4,1), (2,4):(4,1), 16)',
    'get_slice(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)), 5)',
]
RESULTS = [
    "values(4:1)", "image(4:1)", "table((4,8):(1,4))", "layout_properties((4,8):(1,4))",
    "properties((2,3) --(1,2)--> (2,3))", "why((4,8):(1,4), 8:4)", "common_refinement((4,6):(1,4), (2,12):(12,1))",
    'owner("SM80_16x8x16_F32F16F16F32_TN", "C", (1,1))',
]  # fmt: skip
SYMBOLS = ["(N)", "(N:1)", "((M,N):(1,M))", "(4:N)", "((N,4))", "(N*e0)"]

KNOWN = [*INTEGERS, *TUPLES, *ELEMENTS, *WORDS, *LAYOUTS, *SWIZZLED, *TENSORS, *TILERS, *MORPHISMS, *ATOMS, *RESULTS]
ROWS = list(functions())


@pytest.fixture(scope="module")
def odd() -> dict[str, Any]:
    """The odd values by a name each."""
    return {f"v{i}": evaluate(text) for i, text in enumerate(KNOWN)}


NAMES = [*(f"v{i}" for i in range(len(KNOWN))), *SYMBOLS]


def arguments(example: str) -> list[str]:
    """The arguments of the example of a function."""
    found, depth, quoted = [""], 0, False
    inner = example.partition("(")[2]
    for at, letter in enumerate(inner):
        quoted ^= letter == '"'
        if not quoted:
            depth += (letter in "([{<") - (letter in ")]}" or (letter == ">" and inner[at - 1] != "-"))
        if depth < 0:
            break
        if letter == "," and not (depth or quoted):
            found.append("")
        else:
            found[-1] += letter
    return found


def calls(row: Function) -> Iterator[list[str]]:
    """Each odd value in each place of the example; alone and many times; and beside other odd values."""
    good, count = arguments(row.example), len(row.parameters)
    for i, name in enumerate(NAMES):
        for place in range(len(good)):
            yield [*good[:place], name, *good[place + 1 :]]
        for times in range(1, count + 2):
            yield [name] * times
        for step in (1, 7, 19) if count > 1 else ():
            yield [name, *(NAMES[(i * step + j * 13 + step) % len(NAMES)] for j in range(1, count))]


def fault(text: str, bound: dict[str, Any]) -> str | None:
    """What a call says that it should not say."""
    try:
        *_, last = run(text, Scope(Settings(unknowns=True), dict(bound)))
        if last.error is not None:
            return last.error.message if last.error.code.startswith("LC9") else None
        text_of(last.value)
    except Exception as error:
        return repr(error)
    return None


def written(text: str) -> str:
    """A call with the odd values in place of their names."""
    for i in reversed(range(len(KNOWN))):
        text = text.replace(f"v{i}", KNOWN[i])
    return text


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_odd_arguments_get_a_value_or_a_code(row: Function, odd: dict[str, Any]) -> None:
    faults = {}
    for call in calls(row):
        text = f"{row.name}({', '.join(call)})"
        if (found := fault(text, odd)) is not None:
            faults[written(text)] = found
    assert not faults


PYTHONS = [
    1.5,
    "4:1",
    "",
    None,
    [4, [2, 3]],
    {},
    {4: 1},
    b"x",
    Fraction(1, 2),
    object(),
    True,
    range(4),
    iter(()),
    print,
]
"""What only Python has."""


def python_calls(row: Function, odd: dict[str, Any]) -> Iterator[list[Any]]:
    """The same for values of Python, where the example can be said in it."""
    good = [evaluate(text) for text in arguments(row.example)]
    values = list(odd.values())
    for i, value in enumerate(chain(PYTHONS, values)):
        for place in range(len(good)):
            yield [*good[:place], value, *good[place + 1 :]]
        for times in range(1, len(row.parameters) + 2):
            yield [value] * times
        yield [value, *(values[(i * 7 + j * 13) % len(values)] for j in range(1, len(good)))]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_odd_arguments_from_python_are_refused_with_a_code(row: Function, odd: dict[str, Any]) -> None:
    faults = {}
    if row.name in ("eval", "why"):
        return  # of the library: the value of a text, with names; an answer with data
    function = getattr(lc, row.name)
    for call in python_calls(row, odd):
        try:
            function(*call)
        except LayoutError as error:
            if error.code.startswith("LC9"):
                faults[repr(call)] = str(error)
        except Exception as error:
            faults[repr(call)] = repr(error)
    assert not faults


FOUND = [
    "upcast(Sw<1,0,1> o 0 o (4,8):(8,1), 0)",
    "downcast({5}, 0)",
    "composition({5}, {e1} o (4,8):(e0,e1))",
    "composition({5}, {f3} o (4,8):(f1,f4))",
    "composition((M,N):(1,M), (2,2):(f1,f3))",
    "flat_product(4:N, 4:e1)",
    "logical_product((4,8):(1,N), (2,3):(e1,e0))",
    "max_common_vector({5}, {5})",
    "max_common_layout({5}, 4:N)",
    'copy_atom(copy_atom("SM75_U32x4_LDSM_N", 16), 16)',
]
"""What all pairs of odd values, 800,000 calls, have shown."""


@pytest.mark.parametrize("text", FOUND)
def test_found_by_all_pairs(text: str) -> None:
    assert fault(text, {}) is None


def test_the_table_is_as_large_as_it_should_be() -> None:
    assert len(NAMES) >= 59
    assert sum(1 for row in ROWS for _ in calls(row)) >= 47_000
