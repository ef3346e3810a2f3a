"""Points that satisfy the facts. A question with both answers among them is open, and no proof need be tried."""

from __future__ import annotations

from contextlib import suppress
from zlib import crc32

from .condition import AT_LEAST_ZERO, Condition
from .domain import EXTENT, Domain
from .known import Known
from .poly import Poly

KEPT = 4
"""How many points are kept."""

ENOUGH = 3
"""How many inherited points make new ones needless."""

MENDED = 8
"""How many conditions are repaired, one after another, to make a point."""

STEPS = 40
"""How far a symbol is moved for it."""


class Sample(dict[str, int]):
    """Values of symbols; a symbol that is not mentioned yet gets one that depends on its name and on ``series``."""

    __slots__ = ("series",)

    def __init__(self, series: int, values: dict[str, int] | None = None) -> None:
        super().__init__(values or {})
        self.series = series

    def __missing__(self, name: str) -> int:
        found = self[name] = member(EXTENT, name, self.series)
        return found

    def copy(self) -> Sample:
        return Sample(self.series, self)

    def pick(self, name: str, domain: Domain) -> int:
        """The value of a symbol, moved into its domain."""
        at = self[name]
        if at not in domain:
            at = self[name] = member(domain, name, self.series)
        return at


def member(domain: Domain, name: str, series: int) -> int:
    """A member of a domain: the least one, or one further away the higher the series."""
    step = 0 if not series else crc32(f"{name}{series}".encode()) % (6 << 2 * series)
    if domain.only is not None:
        return domain.only[step % len(domain.only)]
    size = domain.size
    return domain.lo + domain.mod * (step if size is None else step % size)


def root() -> list[Sample]:
    """The points where nothing is known."""
    return [Sample(series) for series in range(KEPT)]


def heirs(parent: list[Sample], facts: Known, condition: Condition | None) -> list[Sample]:
    """Points for facts that know one condition more: those known before that satisfy it, and new ones."""
    kept = []
    for sample in parent:
        if (condition is None or condition.true_at(sample)) and _admits(facts, sample):
            kept.append(sample)
    for series in range(KEPT):
        if len(kept) >= ENOUGH:
            break
        made = Sample(series)
        if _fill(facts, made) and made not in kept:
            kept.append(made)
    return kept


def _admits(facts: Known, sample: Sample) -> bool:
    return all(sample[name] in domain for name, domain in facts.domains.items())


def _fill(facts: Known, sample: Sample) -> bool:
    """Give every symbol that the facts mention a value at which they hold; False if none is found."""
    with suppress(ZeroDivisionError):
        return _settled(facts, sample)
    return False


def _settled(facts: Known, sample: Sample) -> bool:
    for name, domain in facts.domains.items():
        if name not in facts.solved:
            sample.pick(name, domain)
    for _ in range(MENDED):
        if not _solve(facts, sample):
            return False
        wrong = next((c for c in facts.conditions if not c.true_at(sample)), None)
        if wrong is None:
            return _admits(facts, sample)
        if not any(_mend(facts, sample, wrong, name) for name in sorted(wrong.symbols) if name not in facts.solved):
            return False
    return False


def _solve(facts: Known, sample: Sample) -> bool:
    """The solved symbols from the others; False if one is no integer of its domain there."""
    for name, value in facts.solved.items():
        found = value if type(value) is int else value.at(sample)  # type: ignore[union-attr]
        if type(found) is not int and found.denominator != 1:
            return False
        sample[name] = int(found)
        if sample[name] not in facts.domain(name):
            return False
    return True


def _mend(facts: Known, sample: Sample, wrong: Condition, name: str) -> bool:
    """Move one symbol until a condition holds: far enough for an inequality, else step by step."""
    domain = facts.domain(name)
    before = sample[name]
    if wrong.kind == AT_LEAST_ZERO and isinstance(wrong.poly, Poly):
        low = wrong.poly.at(sample)
        sample[name] = before + domain.mod
        slope = wrong.poly.at(sample) - low
        steps = -(-low // slope) if slope > 0 else low // -slope if slope else 0
        tries = [before + domain.mod * int(steps)]
    else:
        tries = [before + domain.mod * i for i in range(1, STEPS)]
    for at in tries:
        sample[name] = at
        if at in domain and wrong.true_at(sample):
            return True
    sample[name] = before
    return False
