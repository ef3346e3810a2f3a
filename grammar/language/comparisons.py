"""The relations of the language."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.decide import at_most, less, same
from laycalc.algebra.values.htuple import congruent, weakly_congruent
from laycalc.algebra.values.shape import compatible

from .kinds import LAYOUTS, is_number


def equal(a: Any, b: Any) -> bool:
    """The same value in the same form; different kinds are never equal."""
    if is_number(a) and is_number(b):
        return same(a, b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(equal, a, b))
    return bool(a == b)


def unequal(a: Any, b: Any) -> bool:
    return not equal(a, b)


def equivalent(a: Any, b: Any) -> Any:
    """Equal as functions on the integers 0..size-1."""
    from laycalc.algebra.questions.laws import equal as equal_functions

    return equal_functions(a, b)


def at_most_(a: Any, b: Any) -> bool:
    """``a <= b``: integers by size, shapes by compatibility (``a`` coarsens ``b``)."""
    if is_number(a) and is_number(b):
        return at_most(a, b)
    return compatible(_shape(a), _shape(b))


def at_least(a: Any, b: Any) -> bool:
    return at_most(b, a) if is_number(a) and is_number(b) else compatible(_shape(b), _shape(a))


def below(a: Any, b: Any) -> bool:
    return less(a, b)


def above(a: Any, b: Any) -> bool:
    return less(b, a)


def contains(value: Any, values: Any) -> bool:
    return any(equal(value, v) for v in values)


def same_profile(a: Any, b: Any) -> bool:
    return congruent(_shape(a), _shape(b))


def weaker_profile(a: Any, b: Any) -> bool:
    return weakly_congruent(_shape(a), _shape(b))


def _shape(value: Any) -> Any:
    return value.shape if isinstance(value, LAYOUTS) else value
