"""What the C++ headers answer: the same function, or a refusal where they are wrong, or a reason why they are."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

import pytest
from golden.facts import ask, exceptions, load, offset_of, right_answer, same_function
from golden.reasons import HOLDS
from vocabulary import VOCABULARY

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.questions.headers import answered
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.grammar.language.values import text_of

FACTS = load("cute_cpp.jsonl")
EXCEPTIONS = exceptions("cute_cpp.jsonl")
OPERATIONS = sorted({fact["op"] for fact in FACTS})

CODES = {
    "stride-divisibility": {"LC301", "LC302", "LC303"},
    "shape-divisibility": {"LC301", "LC302"},
    "complement-non-injective": {"LC306"},
    "left-inverse-divisibility": {"LC306", "LC307"},
    "upcast-divisibility": {"LC312"},
    "downcast-not-contiguous": {"LC313"},
    "tile-to-shape-divisibility": {"LC314"},
    "tile-to-shape-rank": {"LC314"},
    "tiler-rank": {"LC304", "LC305"},
    "mode-not-rank-2": {"LC311", "LC301"},
    "basis-profile-mismatch": {"LC315"},
    "swizzle-invalid": {"LC303"},
}
"""The kinds of refusal of the headers, and the codes that say the same."""

MODELLED = {"composition", "complement", "logical_divide", "logical_product", "upcast"} | {
    f"{kind}_{operation}" for kind in ("zipped", "tiled", "flat") for operation in ("divide", "product")
}
ORDERS = ("LayoutLeft", "LayoutRight")


def key(fact: dict[str, Any]) -> str:
    return f"{fact['op']}({', '.join(fact['args'])})"


def answer(fact: dict[str, Any]) -> tuple[Any, str | None]:
    """Our value, or the code of our refusal."""
    return _answer(fact["op"], tuple(fact["args"]))


@cache
def _answer(operation: str, arguments: tuple[str, ...]) -> tuple[Any, str | None]:
    if arguments[-1] in ORDERS or (len(arguments) == 3 and operation == "composition"):
        # An order has no text of its own in the language, three operands are those of the C++ function.
        values = [argument if argument in ORDERS else ask(argument)[0] for argument in arguments]
        try:
            return VOCABULARY[operation](*values), None
        except LayoutError as error:
            return None, error.code
    name = {"idx2crd": "natural" if len(arguments) == 2 else "idx2crd", "slice_and_offset": "slice"}
    value, diagnostic = ask(f"{name.get(operation, operation)}({', '.join(arguments)})")
    return value, diagnostic.code if diagnostic else None


def agrees(fact: dict[str, Any], value: Any) -> bool:
    """The same function as the headers' result, with its offset or table."""
    theirs = ask(fact["result"])[0]
    if "offset" in fact:
        offset = offset_of(ask(fact["offset"])[0])
        inner = value.layout if value.layout is not None else ask("1:0")[0]
        return bool(value.offset == offset) and same_function(inner, theirs)
    if "table" in fact and value.elements() != fact["table"]:
        return False
    return same_function(value, theirs)


def in_rates(fact: dict[str, Any]) -> bool:
    """Complements of one argument keep their last mode, slices their hierarchy: these have another text by design."""
    one_sided = fact["op"] == "complement" and len(fact["args"]) == 1
    return not one_sided and fact["op"] != "slice_and_offset"


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_fact_of_the_headers_holds(operation: str, rates: dict[str, Counter[str]]) -> None:
    counts = rates.setdefault("cute_cpp.jsonl", Counter())
    wrong = []
    for fact in FACTS:
        if fact["op"] != operation or key(fact) in EXCEPTIONS:
            continue
        value, code = answer(fact)
        if fact.get("functional") is False:
            good = code is not None or (not agrees(fact, value) and right_answer(operation, read(fact), value))
        elif "result" in fact:
            good = code is None and agrees(fact, value)
            if in_rates(fact):
                counts[f"{operation}/all"] += 1
                counts[f"{operation}/text"] += good and text_of(value) == fact["result"]
        elif code is not None:
            good = code in CODES.get(fact["error"], set()) | {f"LC3{n:02}" for n in range(1, 16)} & also(fact)
        else:
            good = right_answer(operation, read(fact), value)
        if not good:
            wrong.append(f"{key(fact)}: {text_of(value) if code is None else code}, theirs {fact.get('result')}")
    assert not wrong, "\n".join(wrong)


def test_what_is_said_of_cutlass_is_what_it_answers() -> None:
    """Every note about CUTLASS beside a refusal holds, and says something wherever the call is modelled."""
    false, said = [], Counter[str]()
    for fact in FACTS:
        diagnostic = ask(key(fact))[1]
        for note in diagnostic.notes if diagnostic is not None else ():
            if not note.startswith("CUTLASS"):
                continue
            said[fact["op"]] += 1
            answers = re.match(r"CUTLASS C\+\+ (?:accepts this and )?answers (\S+?)(?:,? which| to this)", note)
            good = (
                "error" in fact
                if "refuses" in note
                else answers is not None and answers[1].rstrip(",") == fact["result"]
            )
            if not good:
                false.append(f"{key(fact)}: {note}; really {fact.get('result') or fact['error']}")
    assert not false, "\n".join(false)
    assert said.total() > 300, said


def test_the_model_of_the_headers_answers_as_they_do() -> None:
    wrong = []
    for fact in FACTS:
        # Coordinates of different profiles are no layout of ours.
        known = fact["op"] in MODELLED and fact.get("error") != "basis-profile-mismatch"
        model = answered(fact["op"], read(fact)) if known else None
        if model is not None and str(model.layout) != fact.get("result", "None"):
            wrong.append(f"{key(fact)}: {model.layout}, theirs {fact.get('result')}")
    assert not wrong, "\n".join(wrong)


def also(fact: dict[str, Any]) -> set[str]:
    """Codes of further violations of the same case."""
    kinds = fact.get("error_also", [])
    return set().union(*(CODES[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)), set())


def read(fact: dict[str, Any]) -> list[Any]:
    return [ask(argument)[0] for argument in fact["args"]]


@pytest.mark.parametrize("fact", [f for f in FACTS if key(f) in EXCEPTIONS], ids=key)
def test_an_exception_has_a_reason_that_brute_force_confirms(fact: dict[str, Any]) -> None:
    entry = EXCEPTIONS[key(fact)]
    assert HOLDS[entry["reason"]](read(fact), ask(fact["result"])[0])
    value, code = answer(fact)
    assert (code or text_of(value)) == entry["ours"]


def test_every_exception_names_a_fact() -> None:
    assert set(EXCEPTIONS) <= {key(fact) for fact in FACTS}


def test_the_rate_of_identical_text_is_above_97_percent() -> None:
    same = total = 0
    for fact in FACTS:
        if "result" not in fact or fact.get("functional") is False or not in_rates(fact):
            continue
        if key(fact) in EXCEPTIONS:
            continue
        value, code = answer(fact)
        total += 1
        same += code is None and text_of(value) == fact["result"]
    assert same > 0.97 * total


def test_composed_and_tensor_values_are_compared_by_value() -> None:
    swizzled, shifted = ask("Sw<1,0,1> o 0 o 4:1")[0], ask("{3} o 4:1")[0]
    assert isinstance(swizzled, Composed) and isinstance(shifted, Tensor)
    assert not same_function(swizzled, ask("4:1")[0]) and not same_function(shifted, ask("4:1")[0])
