"""Texts of ``name=value`` settings, as descriptors and tensor maps are written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..reading.reading import argument_error, bad

__all__ = ["Setting", "Settings", "settings"]

_SETTING = re.compile(r"[\s,]*+(?P<name>[A-Za-z_]\w*)\s*+=\s*+(?P<value>[^\s=,]+)")


class Setting(NamedTuple):
    """One value and where it stands."""

    value: str
    start: int
    end: int


class Settings:
    """The settings of a text by name; what is not asked for is not known, and refused."""

    def __init__(self, text: str, found: dict[str, Setting]) -> None:
        self.text = text
        self._found = found

    def __contains__(self, name: str) -> bool:
        return name in self._found

    def word(self, name: str, default: str, known: Iterable[str]) -> str:
        """A value out of a few, without regard of case."""
        if name not in self._found:
            return default
        given = self._found[name]
        for word in known:
            if given.value.lower() == word.lower():
                return word
        raise argument_error(
            self.text, given.start, given.end, f"{name} is {' or '.join(known)}, not {given.value}", "not known"
        )

    def number(self, name: str, default: int) -> int:
        """An integer, decimal or hexadecimal."""
        if name not in self._found:
            return default
        given = self._found[name]
        if not re.fullmatch(r"0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20}", given.value):
            raise argument_error(
                self.text, given.start, given.end, f"{name} is a number, not {given.value}", "a number is expected"
            )
        return int(given.value, 0)


def settings(text: str, start: int, known: Iterable[str]) -> Settings:
    """The settings from ``start`` to the end; LC101 for anything else, LC103 for one unknown or given twice."""
    found: dict[str, Setting] = {}
    position = start
    while rest := _SETTING.match(text, position):
        name, position = rest["name"].lower(), rest.end()
        if name not in known:
            message = f"there is no {rest['name']}; there are {', '.join(known)}"
            raise argument_error(text, rest.start("name"), rest.end(), message, "not known")
        if name in found:
            raise argument_error(text, rest.start("name"), rest.end(), f"{name} is given twice")
        found[name] = Setting(rest["value"], rest.start("value"), rest.end("value"))
    if text[position:].strip(" ,\t\r\n"):
        raise bad(text, position, len(text), "settings are written name=value", "not understood")
    return Settings(text, found)
