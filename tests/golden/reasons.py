"""Why a fact is an exception: each reason recomputed by brute force from the operands and the other engine's result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from golden.facts import common_law, divide_law, downcast_law, inverse_law, modewise, product_law, still
from golden.pycute import NAMES, read

from laycalc.algebra.values.shape import size

NAMES["tuple_"] = lambda *values: list(values)


def _wrong_divide(operation: str) -> Callable[[list[Any], Any], bool]:
    def reason(arguments: list[Any], theirs: Any) -> bool:
        parts = modewise(operation, theirs, arguments[0], still(arguments[1]))
        return not all(divide_law(*part) for part in parts)

    return reason


def _wrong_product(operation: str) -> Callable[[list[Any], Any], bool]:
    def reason(arguments: list[Any], theirs: Any) -> bool:
        parts = modewise(operation, theirs, arguments[0], still(arguments[1]))
        return not all(product_law(*part) for part in parts)

    return reason


def _short(arguments: list[Any], theirs: Any) -> bool:
    """The layout and its complement together have fewer elements than the codomain."""
    return bool(arguments[0].size * theirs.size < size(arguments[1]))


def _not_injective(arguments: list[Any], theirs: Any) -> bool:
    """The layout takes a value twice."""
    values = arguments[0].values()
    return len(set(values)) < len(values)


def _tie(arguments: list[Any], theirs: Any) -> bool:
    """Two coordinates share an offset, so the layout is not compact."""
    return sorted(theirs.values()) != list(range(theirs.size))


def _bad_downcast(arguments: list[Any], theirs: Any) -> bool:
    """The result has more elements than there are narrow ones."""
    factor = arguments[1] if len(arguments) == 2 else arguments[1] // arguments[2]
    return not downcast_law(arguments[0], factor, theirs)


def _profiles(arguments: list[Any], theirs: Any) -> bool:
    """The operand does not read: it names an axis both as a number and as a tuple, which no coordinate has."""
    return arguments[0] is None


HOLDS: dict[str, Callable[[list[Any], Any], bool]] = {
    **{f"{name}-rounds-up": _wrong_divide(name) for name in ("zipped_divide", "tiled_divide", "flat_divide")},
    **{f"{name}-carries": _wrong_product(name) for name in ("logical_product", "flat_product")},
    "complement-short": _short,
    "not-injective": _not_injective,
    "order-ties": _tie,
    "downcast-of-size-1-modes": _bad_downcast,
    "basis-profiles": _profiles,
    "vector-too-short": lambda arguments, theirs: common_law(*arguments, theirs + 1),
}
"""reason -> does it hold for (operands, their result)?"""


def _right_though_refused(fact: dict[str, Any], value: Any, error: Exception | None) -> bool:
    """They refuse; our answer satisfies the law."""
    assert "error" in fact
    operation, operands = fact["op"], read(f"tuple_({fact['expr'].partition('(')[2]}")
    if operation == "left_inverse":
        return inverse_law("left_inverse", operands[0], value)
    return bool(value.size == operands[0].size * operands[1].size)


def _document_wrong(fact: dict[str, Any], value: Any, error: Exception | None) -> bool:
    """The fact says itself that the document errs or is out of date, and our value is the evaluator's."""
    verdict = fact["verdict"]
    return ("wrong" in verdict or "superseded" in verdict) and str(value) == fact["evaluator"]


def _unwrapped(fact: dict[str, Any], value: Any, error: Exception | None) -> bool:
    """The same tensor with a 1-tuple unwrapped, as the paper prints it."""
    offset, _, layout = fact["result"].partition(" o ")
    theirs = read(layout)
    ours = value.layout or theirs
    return str(value).startswith(offset) and ours.elements() == theirs.elements()


def _too_few(fact: dict[str, Any], value: Any, error: Exception | None) -> bool:
    """Their result has fewer elements than there are narrow ones."""
    layout, ratio = read(f"tuple_({fact['expr'].partition('(')[2]}")
    return bool(error is not None and ratio < 1 and read(fact["result"]).size < layout.size / ratio)


def _wrong_image(fact: dict[str, Any], value: Any, error: Exception | None) -> bool:
    """Their wide elements are not those that hold the narrow ones."""
    layout, ratio = read(f"tuple_({fact['expr'].partition('(')[2]}")
    return bool(error is not None and set(read(fact["result"]).values()) != {v // ratio for v in layout.values()})


def _reads_integers(fact: dict[str, Any], value: Any, error: Exception | None) -> bool:
    """An XOR value is read as its integer, so that any shape takes it."""
    return error is None and "f" in fact["expr"] and "carry" in fact["error"]


PYCUTE: dict[str, Callable[[dict[str, Any], Any, Exception | None], bool]] = {
    "document-wrong": _document_wrong,
    "paper-unwraps": _unwrapped,
    "right-though-refused": _right_though_refused,
    "any-domain": lambda fact, value, error: inverse_law("left_inverse", read(fact["expr"][13:-1]), value),
    "too-few-elements": _too_few,
    "wrong-image": _wrong_image,
    "reads-integers": _reads_integers,
    "outside": lambda fact, value, error: error is not None or "error" in fact,
}
"""reason -> does it hold for (fact, our value, our refusal)? ``outside``: tensors with memory, Python objects."""
