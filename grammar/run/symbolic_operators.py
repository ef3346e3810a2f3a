"""What functions and operators do where a symbol occurs: comparisons ask, other operations are the plain ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from laycalc.algebra.questions.laws import identity_like
from laycalc.algebra.symbolic import FORM_FREE, equal_functions, equal_values, form_matters


def prepare(function: str) -> None:
    """Say that the form of the arguments matters, for a function whose answer depends on more than their values."""
    if function not in FORM_FREE:
        form_matters()


def relation(function: str, plain: Callable[..., Any]) -> Callable[..., Any]:
    """What a function that compares does with symbolic values; other functions are the plain ones."""
    if function == "equal":
        return equal_functions
    if function == "is_identity":
        return lambda layout, shape: equal_functions(layout, identity_like(layout, shape))
    return plain


def operation(operator: str, plain: Callable[..., Any]) -> Callable[..., Any]:
    """The relation that compares symbolic values; other operations are the plain ones."""
    if operator == "===":
        return equal_functions
    if operator == "==":
        return equal_values
    return (lambda a, b: not equal_values(a, b)) if operator == "!=" else plain
