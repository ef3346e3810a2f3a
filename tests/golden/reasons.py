"""Why a fact is an exception: each reason recomputed by brute force from the operands and the other engine's result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from golden.facts import common_law, divide_law, downcast_law, modewise, product_law, still

from laycalc.algebra.shape import size


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
    """The operand names an axis both as a number and as a tuple: no value of the codomain has both (it does not read)."""
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
