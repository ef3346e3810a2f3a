"""Sweeps: an expression at every combination of given values of its unknowns, counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Diagnostic

from ..language.values import Verdict
from .scope import Scope
from .statements import run

LIMIT = 10_000
"""At most so many combinations are tried."""

_RANGE = re.compile(r"(\d+)\s*\.\.\s*(\d+)(?:\s*:\s*(\d+))?")


class Sweep(Record):
    """What the combinations came to, and the first one that is not clean, with its diagnostic."""

    total: int
    clean: int
    warned: int
    refused: int
    first: str = ""
    diagnostic: Diagnostic | None = None

    def __str__(self) -> str:
        if self.clean == self.total:
            return f"clean at all {self.total} values"
        words = [f"{self.clean} clean", f"{self.warned} with warnings", f"{self.refused} refused"]
        return f"{self.total} values: {', '.join(words)}; the first that is not clean: {self.first}"

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "total": self.total,
            "clean": self.clean,
            "warned": self.warned,
            "refused": self.refused,
            "first": self.first or None,
        }


def read_range(text: str) -> tuple[str, Sequence[int]]:
    """``M=128..4096:128`` (last value included) or ``M=64,96``; LC103 for anything else.

    >>> read_range("M=8..32:8"), read_range("K=64,96")
    (('M', range(8, 33, 8)), ('K', [64, 96]))
    """
    name, equals, values = map(str.strip, text.partition("="))
    if equals and name.isidentifier():
        if found := _RANGE.fullmatch(values):
            first, last, step = int(found[1]), int(found[2]), int(found[3] or 1)
            if step and first <= last:
                return name, range(first, last + 1, step)
        elif re.fullmatch(r"\d+(\s*,\s*\d+)*", values):
            return name, [int(part) for part in values.split(",")]
    raise refuse("LC103", "a sweep is M=128..4096:128 or M=64,96, not {text}", op="sweep", text=text)


def sweep(text: str, scope: Scope, ranges: Iterable[tuple[str, Sequence[int]]]) -> Sweep:
    """Run a text at every combination; LC104 beyond 10,000 of them."""
    ranges = list(ranges)
    total = prod(len(values) for _, values in ranges)
    if total > LIMIT:
        raise refuse("LC104", "a sweep over {total} values; the limit is {limit}", op="sweep", total=total, limit=LIMIT)
    counts = {"clean": 0, "warned": 0, "refused": 0}
    first, diagnostic = "", None
    for combination in product(*(values for _, values in ranges)):
        names = dict(zip((name for name, _ in ranges), combination, strict=True))
        state, found = _once(text, scope.inner(names))
        counts[state] += 1
        if state != "clean" and not first:
            first, diagnostic = ", ".join(f"{name} = {value}" for name, value in names.items()), found
    return Sweep(total, counts["clean"], counts["warned"], counts["refused"], first, diagnostic)


def _once(text: str, scope: Scope) -> tuple[str, Diagnostic | None]:
    warning = None
    for outcome in run(text, scope):
        if outcome.report is not None:
            free = ", ".join(outcome.report.symbols)
            raise refuse("LC103", "{free} has no value: sweep it too, or give -D {free}=...", op="sweep", free=free)
        found = outcome.error or outcome.finding
        if found is None and isinstance(outcome.value, Verdict) and not outcome.value:
            found = outcome.value.diagnostic
        if found is not None or outcome.value is False:
            return "refused", found
        warning = warning or next(iter(outcome.warnings), None)
    return ("clean" if warning is None else "warned"), warning
