"""How large a value may be. What the language makes is held against this where it is made."""

from __future__ import annotations

from typing import Any

from ..base.errors import LayoutError, refuse

DEPTH = 200
"""Levels of a tuple; as deep as a text may be, so that what is printed can be read."""

NODES = 1 << 18
"""Entries of a tuple, those inside other tuples counted too."""

DIGITS = 4_000
"""Digits of an integer."""

_LARGE: int = 10**DIGITS


def bounded(value: Any) -> Any:
    """The value itself; LC104 if it has too many digits, entries or levels.

    >>> bounded((4, (2, 3)))
    (4, (2, 3))
    """
    if type(value) is int:
        _check_digits((value,))
    elif type(value) is tuple:
        _check_entries(value)
    elif hasattr(value, "layout"):
        bounded(value.layout)
    elif hasattr(value, "stride"):
        bounded(value.shape)
        bounded(value.stride)
    elif type(modes := getattr(value, "modes", None)) is tuple:
        for mode in modes:
            bounded(mode)
    return value


def _check_entries(value: tuple[Any, ...]) -> None:
    """Level by level, so that nothing is opened that is beyond the limit."""
    level: list[tuple[Any, ...]] = [value]
    depth = seen = 0
    while level:
        depth += 1
        seen += sum(map(len, level))
        if depth > DEPTH:
            raise _beyond("tuples are nested more than {limit} deep", DEPTH)
        if seen > NODES:
            raise _beyond("a tuple has more than {limit} entries", NODES)
        inside = [x for entries in level for x in entries]
        _check_digits(inside)
        level = [x for x in inside if type(x) is tuple]


def _check_digits(values: Any) -> None:
    if any(type(x) is int and not -_LARGE < x < _LARGE for x in values):
        raise _beyond("an integer has more than {limit} digits", DIGITS)


def _beyond(template: str, limit: int) -> LayoutError:
    return refuse("LC104", template, op="value", limit=limit)
