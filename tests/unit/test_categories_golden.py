"""Every fact of golden/categories.jsonl: results key by key, errors with their details."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from vocabulary import VOCABULARY as OPERATIONS

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.categories.morphism import Morphism
from laycalc.algebra.values.htuple import format_htuple
from laycalc.algebra.values.layout import Layout

GOLDEN = Path(__file__).parents[1] / "golden" / "categories.jsonl"
FACTS = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
NAMES = sorted({fact["op"] for fact in FACTS})

CODES = {
    "not_tractable": "LC309",
    "inner_not_tractable": "LC309",
    "outer_not_tractable": "LC309",
    "not_mutually_refinable": "LC310",
    "not_mutually_refinable_for_any_N": "LC310",
    "crosses_internal_boundary": "LC310",
    "not_a_refinement": "LC310",
    "out_of_bounds": "LC304",
    "codomain_domain_mismatch": "LC304",
    "codomain_mismatch": "LC304",
    "does_not_divide": "LC304",
    "image_not_contained": "LC304",
    "not_product_admissible": "LC304",
    "images_overlap": "LC306",
    "divisor_not_injective": "LC306",
    "first_factor_not_injective": "LC306",
    "index_out_of_range": "LC103",
    "entry_mismatch": "LC206",
    "target_out_of_range": "LC206",
}
"""The kind of an error decides its code; not_injective and *_complementable depend on where they arise."""


def parse_htuple(text: str) -> Any:
    """A nested tuple from its text, where ``(4)`` is a 1-tuple."""
    value, rest = _value(text.replace(" ", ""))
    assert rest == "", text
    return value


def _value(text: str) -> tuple[Any, str]:
    if not text.startswith("("):
        digits = len(text) - len(text.lstrip("0123456789"))
        return int(text[:digits]), text[digits:]
    entries: list[Any] = []
    text = text[1:]
    while not text.startswith(")"):
        entry, text = _value(text.removeprefix(","))
        entries.append(entry)
    return tuple(entries), text[1:]


def parse(argument: Any) -> Any:
    """An argument of a fact: a layout, a nested tuple, a morphism, or a number or list as it stands."""
    if isinstance(argument, dict):
        return Morphism(parse_htuple(argument["domain"]), parse_htuple(argument["codomain"]), argument["map"])
    if isinstance(argument, str):
        parts = [parse_htuple(part) for part in argument.split(":")]
        return Layout(*parts) if len(parts) == 2 else parts[0]
    return argument


def evaluate(fact: dict[str, Any]) -> Any:
    operation = OPERATIONS[fact["op"]]
    if fact["op"] == "make_morphism":
        (f,) = fact["args"]
        return operation(parse_htuple(f["domain"]), f["map"], parse_htuple(f["codomain"]))
    return operation(*map(parse, fact["args"]))


def plain(value: Any) -> Any:
    """A result in the vocabulary of the facts."""
    if hasattr(value, "as_json"):
        return value.as_json()
    if isinstance(value, tuple):
        return [format_htuple(x) for x in value]
    return value if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("name", NAMES)
def test_facts(name: str) -> None:
    for fact in FACTS:
        if fact["op"] != name:
            continue
        if "error" in fact:
            _check_error(fact)
            continue
        found = plain(evaluate(fact))
        expected = fact["result"]
        if isinstance(expected, dict) and isinstance(evaluate(fact), Morphism):
            # Every morphism tells its layout; not every fact mentions it.
            found = {key: value for key, value in found.items() if key != "layout" or key in expected}
        assert found == expected, fact


def _check_error(fact: dict[str, Any]) -> None:
    expected = dict(fact["error"])
    with pytest.raises(LayoutError) as caught:
        evaluate(fact)
    error = caught.value
    kind = expected.pop("code")
    assert error.facts["kind"] == kind, fact
    assert error.code == CODES.get(kind, error.code), fact
    assert {key: error.facts.get(key) for key in expected} == expected, fact
    assert error.facts["op"], fact
    assert "{" not in str(error), fact


def test_cute_form_of_a_division_in_notes() -> None:
    """``logical_divide_layouts`` of the encoded layouts is the form of CuTe that the notes record."""
    divide = OPERATIONS["logical_divide_layouts"]
    noted = [fact for fact in FACTS if fact.get("note", "").startswith("CuTe gives ")]
    for fact in noted:
        f, g = (OPERATIONS["realize"](parse(x)).layout for x in fact["args"])
        assert str(divide(f, g).layout) == fact["note"].removeprefix("CuTe gives "), fact
    assert noted
