"""A sweep: the numbers at every point of given ranges, counted exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod
from typing import Any

from ..base.errors import LayoutError, refuse
from ..base.record import Record
from .assume import Assumptions
from .report import Point
from .search import Program, Search
from .tree import CLEAN, REFUSED, WARNED

POINTS = 10_000


class Sweep(Record):
    """How many points ended how, and the first that did not end well.

    ``complete`` says that the points are all that the assumptions admit; then a sweep without a failure is a proof.
    """

    tried: int
    clean: int
    warned: int
    refused: int
    skipped: int
    failure: Point | None = None
    complete: bool = False

    @property
    def verdict(self) -> str:
        """``proven``, ``refuted`` (no point ends well), ``failed``, or ``unproven``: nothing found in these values."""
        if self.failure is None:
            return "proven" if self.complete and self.tried else "unproven"
        return "refuted" if self.complete and not self.clean else "failed"

    def __str__(self) -> str:
        if self.failure is None:
            return f"proven by {self.tried} values" if self.complete else f"no counterexample in {self.tried} values"
        bad = self.warned + self.refused
        return f"{bad} of {self.tried} values fail, first {self.failure}: {self.failure.why}"

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "verdict": self.verdict,
            "tried": self.tried,
            "clean": self.clean,
            "warned": self.warned,
            "refused": self.refused,
            "skipped": self.skipped,
            "failure": self.failure and {"at": self.failure.at, "why": self.failure.why, "code": self.failure.code},
        }


class _Values(dict[str, int]):
    """The values of a point; LC106 for a symbol that the sweep does not name."""

    def __missing__(self, name: str) -> int:
        raise refuse("LC106", "the sweep has no values for {symbols}", op="sweep", symbols=name, value=name)


def domains(known: Assumptions, names: Iterable[str]) -> dict[str, tuple[int, ...]] | None:
    """The values that the assumptions leave for each symbol; None if there are too many points."""
    found = {}
    for name in names:
        domain = known.facts.domain(name)
        if not domain.is_finite:
            return None
        found[name] = tuple(domain.values())
    return found if prod(map(len, found.values())) <= POINTS else None


def sweep(
    program: Program,
    ranges: Mapping[str, Iterable[int]],
    known: Assumptions | None = None,
    *,
    ragged: bool = False,
    caught: tuple[type[Exception], ...] = (LayoutError,),
) -> Sweep:
    """Run ``program`` at every point of the ranges that the assumptions admit.

    LC104 above 10,000 points, LC106 if the program asks for a symbol without a range.

    >>> from ..operations.divide import logical_divide
    >>> from ..values.layout import Layout
    >>> found = sweep(lambda n: logical_divide(Layout(n["M"], 1), Layout(64, 1)), {"M": range(64, 257, 32)})
    >>> found.tried, found.clean, found.warned, found.failure.at
    (7, 4, 3, {'M': 96})
    """
    known = known or Assumptions()
    values = {name: tuple(found) for name, found in ranges.items()}
    count = prod(map(len, values.values()))
    if count > POINTS:
        raise refuse(
            "LC104", "a sweep over {count} points; the limit is {limit}", op="sweep", count=count, limit=POINTS
        )
    search = Search(program, known.facts, ragged=ragged, caught=caught)
    seen = {CLEAN: 0, WARNED: 0, REFUSED: 0}
    skipped = 0
    failure = None
    for at in product(*values.values()):
        point = _Values(zip(values, at, strict=True))
        if not admits(known, point):
            skipped += 1
            continue
        outcome = search.outcome_at(point)
        if outcome.codes == {"LC106"} and outcome.error is not None:
            raise outcome.error
        seen[outcome.status] += 1
        if outcome.status != CLEAN and failure is None:
            failure = Point(dict(point), outcome.why, min(outcome.codes, default=""))
    whole = domains(known, values)
    complete = whole is not None and all(set(whole[name]) <= set(values[name]) for name in values)
    return Sweep(count - skipped, seen[CLEAN], seen[WARNED], seen[REFUSED], skipped, failure, complete)


def admits(known: Assumptions, point: Mapping[str, int]) -> bool:
    """Does a point satisfy the assumptions about its symbols?"""
    facts = known.facts
    return all(x in facts.domain(name) for name, x in point.items()) and all(
        condition.true_at(point) for condition in facts.conditions if condition.symbols <= point.keys()
    )
