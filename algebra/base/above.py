"""What values do with the help of rooms above them: texts, arrays, pictures.

The arrows of the house point down, so a value cannot import its picture. The package at the top knows where each of
these functions is; a method asks for it when it is called.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


@cache
def above(name: str) -> Callable[..., Any]:
    """The function of this name; its module is imported now."""
    package = __name__.partition(".")[0]
    module, _, function = import_module(package).__dict__["_ABOVE"][name].partition(":")
    found: Callable[..., Any] = getattr(import_module(f"{package}.{module}"), function)
    return found
