"""The preprocessor's conditions: what is defined, and which ``#if`` holds."""

from __future__ import annotations

import re

from laycalc.diagnostics.model import Failure

from ..forms.dialects.around import Names
from ..forms.dialects.terms import Terms
from ..syntax import nodes
from ..syntax.nodes import Expression, Span

__all__ = ["ARCHITECTURE", "Macros"]

ARCHITECTURE = 900
"""``__CUDA_ARCH__`` where nobody says it: device code for Hopper."""

_DEFINED = re.compile(r"\bdefined\s*\(\s*(\w+)\s*\)|\bdefined\s+(\w+)")


class Macros(Names):
    """The macros that are defined so far; one without a value is known by name."""

    def __init__(self, defined: dict[str, int] | None = None) -> None:
        self._values: dict[str, int | None] = {
            "__CUDA_ARCH__": ARCHITECTURE, "__CUDACC__": 1, "__cplusplus": 201703, "__CUDACC_VER_MAJOR__": 13,
        }  # fmt: skip
        self._values |= defined or {}

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def define(self, name: str, text: str) -> None:
        """Note a ``#define``; one that somebody gave from outside stays."""
        digits = re.fullmatch(r"\(?\s*(\d+)[uUlL]*\s*\)?", text)
        self._values.setdefault(name, int(digits[1]) if digits else None)

    def holds(self, condition: str) -> bool:
        """Does a condition hold? What is not defined counts as 0."""
        told = _DEFINED.sub(lambda found: "true" if (found[1] or found[2]) in self else "false", condition)
        try:
            found = Terms(told, names=self).whole()
        except Failure:
            return False
        return bool(getattr(found, "value", False))

    def find(self, name: str, span: Span) -> Expression | None:
        """The number of a macro."""
        if name in ("true", "false"):
            return None
        return nodes.Integer(span, self._values.get(name) or 0)
