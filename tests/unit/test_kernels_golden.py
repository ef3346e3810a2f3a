"""Expressions as kernels write them, in C++ and in the DSL, against what the real headers and the real DSL print."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

import pytest
from golden.facts import load

from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms import read_any
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import evaluate, run_reading

FACTS = [fact for fact in load("kernels.jsonl") if fact["id"][:2] in ("kx", "dx")]

REASONS = {
    "kx-mma018": "CuTe lets groups of threads along K reach beyond the tile of C; here they hold the same elements",
    "kx-partition005": "CuTe folds the swizzle of a tensor into strides, which are another fragment",
    **dict.fromkeys(("kx-recast005", "kx-recast008"), "the width of the elements stands outside of the expression"),
    "dx-make016": "make_layout_tv gives the layout without the tiler",
    "dx-smem029": "the DSL takes the swizzle of a shared-memory atom, which counts bytes, for one of elements",
}
FIELDS = {"vmnk": "thr_vmnk"}


def value_of(fact: dict[str, Any]) -> Any:
    """The value of an expression; names from outside are numbers, or pointers that are dropped."""
    text, names = fact["text"], {}
    for name, number in (fact.get("bind") or {}).items():
        if isinstance(number, int) and name.isidentifier():
            names[name] = number
        elif isinstance(number, int):
            text = text.replace(name, str(number))
    outcomes = list(run_reading(read_any(text), Scope(names=names)))
    if outcomes[-1].error is not None:
        raise Failure(outcomes[-1].error)
    return outcomes[-1].value


def plain(text: str) -> str:
    """Text without what is incidental: blanks, tuples of one entry, an offset of 0, the quotes of a word."""
    text = text.replace(" ", "").removeprefix("{0}o").strip('"').removeprefix("SmemLayoutAtomKind.")
    while (shorter := re.sub(r"\((\d+),?\)", r"\1", text)) != text:
        text = shorter
    return text.strip("<>()") if ":" not in text and "e" not in text and "o" not in text else text


def hashed(value: Any) -> str:
    texts = [text_of(value(i)) for i in range(value.size)]
    return sha256((";" if "(" in texts[0] else ",").join(texts).encode()).hexdigest()[:16]


def agrees(found: Any, expected: str, digest: str = "") -> bool:
    """The same text but for what is incidental, or the same function."""
    if plain(text_of(found)) == plain(expected):
        return True
    if digest:
        return hashed(found) == digest
    other = evaluate(expected)
    return hasattr(found, "values") and found.size == other.size and list(found.values()) == list(other.values())


def disagreement(fact: dict[str, Any]) -> str:
    """What is not as the fact says, nothing if all is."""
    try:
        found = value_of(fact)
        if not isinstance(fact["value"], dict):
            return "" if agrees(found, str(fact["value"]), fact.get("values_hash", "")) else text_of(found)
        for field, expected in fact["value"].items():
            owner = found.atom if field == "thr_id" and not hasattr(found, "thr_id") else found
            if not agrees(getattr(owner, FIELDS.get(field, field)), str(expected)):
                return f"{field} = {getattr(owner, FIELDS.get(field, field))}"
    except Failure as failure:
        return failure.diagnostic.message
    return ""


@pytest.mark.parametrize("fact", [f for f in FACTS if f["type"] != "error"], ids=lambda fact: fact["id"])
def test_an_expression_of_a_kernel_has_its_value(fact: dict[str, Any]) -> None:
    found = disagreement(fact)
    if fact["id"] in REASONS:
        assert found, "this fact holds now: take its reason away"
    else:
        assert not found


@pytest.mark.parametrize("fact", [f for f in FACTS if f["type"] == "error"], ids=lambda fact: fact["id"])
def test_an_expression_that_the_real_thing_refuses_is_refused(fact: dict[str, Any]) -> None:
    with pytest.raises(Failure):
        value_of(fact)
