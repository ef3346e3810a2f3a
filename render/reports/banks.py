"""Bank conflicts of a layout as lines for people and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from laycalc.atoms.memory.patterns import Pattern, Survey, accesses
from laycalc.atoms.memory.sectors import SectorReport, coalescing
from laycalc.atoms.memory.swizzle_search import Suggestion

Surveys = Sequence[tuple[Pattern, Survey]]


def banks_object(value: Any, surveys: Surveys, fix: Suggestion | None = None) -> dict[str, Any]:
    """Each pattern with its survey, and what would mend them."""
    found: dict[str, Any] = {"accesses": [_object(value, pattern, survey) for pattern, survey in surveys]}
    return found if fix is None else found | {"suggestion": fix.as_dict()}


def banks_lines(value: Any, surveys: Surveys, fix: Suggestion | None = None) -> Iterator[str]:
    """The same in words."""
    for pattern, survey in surveys:
        yield from _report(value, pattern, survey)
    if fix is not None:
        yield from _advice(fix)


def _object(value: Any, pattern: Pattern, survey: Survey) -> dict[str, Any]:
    found = {"lanes": pattern.lanes, "op": pattern.op, "bits": pattern.bits, **survey.as_dict()}
    sectors = _sectors(value, pattern)
    return found if sectors is None else {**found, "global": sectors.as_dict()}


def _sectors(value: Any, pattern: Pattern) -> SectorReport | None:
    """What the same accesses cost in global memory; matrix operations exist for shared memory only."""
    return None if pattern.matrices else coalescing(accesses(value, pattern))


def _report(value: Any, pattern: Pattern, survey: Survey) -> Iterator[str]:
    """A few lines on one pattern: the sum, and the dearest instruction."""
    count = len(survey.reports)
    verdict = "no conflict" if survey.free else f"{survey.degree}-way conflict"
    yield (
        f"{pattern.lanes}, {pattern.op} of {pattern.bits}-bit elements: {verdict};"
        f" {_count(survey.wavefronts, 'wavefront')} in {_count(count, 'instruction')}, {survey.ideal} would be ideal"
    )
    if (sectors := _sectors(value, pattern)) is not None:
        yield (
            f"  in global memory: {sectors.sectors} sectors of 32 bytes, {sectors.ideal} would be ideal;"
            f" efficiency {sectors.efficiency:.0%}"
        )
    worst_ = survey.worst
    if survey.free or worst_ is None:
        return
    passes = ", ".join(map(str, worst_.per_phase))
    yield f"  worst access: {worst_.access.label or worst_.access.op}, {passes} wavefronts in its passes"
    for phase in worst_.phases:
        for collision in phase.collisions()[:4]:
            words = "; ".join(f"{address:#x} by lane {_lanes(owners)}" for address, owners in collision.words[:4])
            more = f"; {len(collision.words) - 4} more" if len(collision.words) > 4 else ""
            yield f"  bank {collision.bank:2}: {words}{more}"
        break


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _lanes(lanes: tuple[int, ...]) -> str:
    return ",".join(map(str, lanes[:8])) + (",..." if len(lanes) > 8 else "")


def _advice(fix: Suggestion) -> Iterator[str]:
    if fix.units is not None:
        yield f"units: {fix.units}"
    if fix.swizzle is not None:
        yield (
            f"swizzle: {fix.swizzle.layout}  ({fix.swizzle.elements} on elements, {fix.swizzle.bytes} on bytes;"
            f" {fix.swizzle.wavefronts} wavefronts)"
        )
    if fix.padding is not None:
        pad = fix.padding
        yield (
            f"padding: {pad.layout}  ({pad.elements} elements, {pad.bytes} bytes, after every {pad.pitch};"
            f" {pad.overhead:.1%} more storage, {pad.wavefronts} wavefronts)"
        )
    if fix.swizzle is None and fix.padding is None and not fix.before.free:
        yield "neither a swizzle nor a padding frees these accesses"
