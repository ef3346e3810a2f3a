"""Arithmetic between integers and strides; division is exact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from laycalc.algebra.base.decide import ceil_quotient, divides, floor_quotient, quotient
from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.semimodule import Xor

from .kinds import is_number
from .values import text_of

Operation = Callable[[Any, Any], Any]


def add(a: Any, b: Any) -> Any:
    """a + b in one semimodule; LC203 if they mix."""
    return _combined(a, b, "+")


def subtract(a: Any, b: Any) -> Any:
    """a - b in one semimodule; LC203 if they mix, or over XOR, where nothing is subtracted."""
    return _combined(a, b, "-")


def _combined(a: Any, b: Any, sign: str) -> Any:
    try:
        return a + b if sign == "+" else a - b
    except TypeError:
        text = "{a} {sign} {b} mixes semimodules"
        if isinstance(a, Xor) and isinstance(b, Xor):
            text = "{a} - {b}: XOR strides have no minus; {a} + {b} is the same"
        raise refuse("LC203", text, op=sign, sign=sign, a=text_of(a), b=text_of(b)) from None


def multiply(a: Any, b: Any) -> Any:
    return a * b


def exact_quotient(a: Any, b: Any) -> Any:
    """a/b for integers, exact: LC103 if b does not divide a."""
    if (type(b) is int and b == 0) or not divides(b, a):
        raise refuse(
            "LC103", "{b} does not divide {a}; between integers / is exact", op="/", a=text_of(a), b=text_of(b)
        )
    return quotient(a, b)


def _rounded(round_: Operation) -> Operation:
    def rounded(a: Any, b: Any) -> Any:
        if not (is_number(a) and is_number(b)) or (type(b) is int and b == 0):
            raise refuse("LC103", "{a} / {b} is no quotient of integers", op="/", a=text_of(a), b=text_of(b))
        return round_(a, b)

    return rounded


ROUNDED: dict[str, Operation] = {"ceil": _rounded(ceil_quotient), "floor": _rounded(floor_quotient)}
"""``ceil(a/b)`` and ``floor(a/b)``."""


def remainder(a: Any, b: Any) -> Any:
    if type(b) is int and b == 0:
        raise refuse("LC103", "{a} % 0 has no value", op="%", a=text_of(a))
    return a % b
