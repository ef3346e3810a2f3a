"""What accesses to shared memory cost, as lines for people and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from laycalc.atoms.accesses.asked import Asked
from laycalc.atoms.accesses.fixes import Padding, Suggestion, SwizzleFix
from laycalc.atoms.memory.pattern import ORDERS, Pattern
from laycalc.atoms.memory.patterns import Survey, accesses
from laycalc.atoms.memory.sectors import SectorReport, coalescing

__all__ = ["banks_lines", "banks_object"]


def banks_object(asked: Asked) -> dict[str, Any]:
    """The machine, each access with its survey, the engines, and what would help."""
    found: dict[str, Any] = {
        "arch": asked.machine.name,
        "measured": asked.machine.measured,
        "accesses": [_object(asked, text, pattern, survey) for text, pattern, survey in asked.counted],
    }
    if asked.unknown is not None:
        found["unknown"] = asked.unknown.as_dict()
    if asked.engines:
        found["engines"] = [{"access": text, "fits": f.fits, "text": f.text, **f.data} for text, f in asked.engines]
    return found if asked.fix is None else found | {"suggestion": asked.fix.as_dict()}


def banks_lines(asked: Asked) -> Iterator[str]:
    """The same in words; the machine only if it was named."""
    if asked.named:
        yield f"{asked.machine.name}: {asked.machine.known}"
    if asked.unknown is not None:
        yield str(asked.unknown)
    for text, pattern, survey in asked.counted:
        yield from _survey_lines(text, pattern, survey, _sectors(asked, text, pattern))
    for text, fit in asked.engines:
        yield f"{text}: {fit.text}"
    if asked.fix is not None:
        yield from _advice_lines(asked.fix, [text for text, _, _ in asked.counted])


def _object(asked: Asked, text: str, pattern: Pattern, survey: Survey) -> dict[str, Any]:
    found = {"access": text, "lanes": pattern.lanes, "op": pattern.op, "bits": pattern.bits, **survey.as_dict()}
    sectors = _sectors(asked, text, pattern)
    return found if sectors is None else {**found, "global": sectors.as_dict()}


def _sectors(asked: Asked, text: str, pattern: Pattern) -> SectorReport | None:
    """What an access without direction costs in global memory; matrix operations exist for shared memory only."""
    if text not in ORDERS or pattern.matrices or pattern.machine.amd:
        return None
    return coalescing(accesses(asked.layout, pattern))


def _survey_lines(text: str, pattern: Pattern, survey: Survey, sectors: SectorReport | None) -> Iterator[str]:
    """A few lines on one access: the sum, and the dearest instruction."""
    count = len(survey.reports)
    head = f"{text}, {pattern.op} of {pattern.bits}-bit elements"
    if survey.sectors is not None:
        yield (
            f"{head}: past the load and store pipe, no wavefront and no bank conflict; {survey.sectors} requests of"
            f" 32-byte sectors in {_count(count, 'instruction')}, {survey.ideal_sectors} would be ideal"
        )
        return
    verdict = "no conflict" if survey.free else f"{survey.degree}-way conflict"
    yield (
        f"{head}: {verdict}; {_count(survey.wavefronts, 'wavefront')} in {_count(count, 'instruction')},"
        f" {survey.ideal} would be ideal"
    )
    if pattern.copy:
        yield f"  .ca counts lanes, not words; its source is {_source(pattern)}"
    if sectors is not None:
        yield (
            f"  in global memory: {sectors.sectors} sectors of 32 bytes, {sectors.ideal} would be ideal;"
            f" efficiency {sectors.efficiency:.0%}"
        )
    if not survey.free:
        yield from _worst(survey)


def _source(pattern: Pattern) -> str:
    return str(pattern.source) if pattern.source is not None else "dense, read in the order of the lanes"


def _worst(survey: Survey) -> Iterator[str]:
    worst: Any = survey.worst
    if worst is None:
        return
    passes = ", ".join(map(str, worst.per_phase))
    yield f"  worst access: {worst.access.label or worst.access.op}, {passes} wavefronts in its passes"
    for collision in [c for phase in worst.phases[:1] for c in phase.collisions()[:4]]:
        words = "; ".join(f"{address:#x} by lane {_lanes(owners)}" for address, owners in collision.words[:4])
        more = f"; {len(collision.words) - 4} more" if len(collision.words) > 4 else ""
        yield f"  bank {collision.bank:2}: {words}{more}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _lanes(lanes: tuple[int, ...]) -> str:
    return ",".join(map(str, lanes[:8])) + (",..." if len(lanes) > 8 else "")


def _advice_lines(fix: Suggestion, accesses: Sequence[str]) -> Iterator[str]:
    """What would free the accesses, or help most, with what each of several costs then."""
    if fix.units is not None:
        yield f"units: {fix.units}"
    if fix.swizzle is not None:
        found = fix.swizzle
        yield (f"swizzle: {found.layout}  ({found.elements} on elements, {found.bytes} on bytes; {_gain(fix, found)})")
        yield from _each(found, accesses)
    if fix.padding is not None:
        pad = fix.padding
        yield (
            f"padding: {pad.layout}  ({pad.elements} elements, {pad.bytes} bytes, after every {pad.pitch};"
            f" {pad.overhead:.1%} more storage, {_gain(fix, pad)})"
        )
        yield from _each(pad, accesses)
    if fix.swizzle is None and fix.padding is None and not fix.before.free:
        yield "neither a swizzle nor a padding helps these accesses"
    if not fix.whole:
        yield "the search ended with its budget: a swizzle or padding beyond may help more"


def _gain(fix: Suggestion, found: SwizzleFix | Padding) -> str:
    if found.free:
        return f"{found.wavefronts} wavefronts"
    least = sum(ideal for _, ideal in found.each)
    return f"{found.wavefronts} wavefronts instead of {fix.before.wavefronts}, {least} would be ideal"


def _each(found: SwizzleFix | Padding, accesses: Sequence[str]) -> Iterator[str]:
    """What each of several accesses costs, unless all are free."""
    if len(accesses) > 1 and (not found.free or any(found.sectors)):
        for text, (cost, ideal), sectors in zip(accesses, found.each, found.sectors, strict=True):
            told = f"{_count(cost, 'wavefront')}, {ideal} would be ideal"
            yield f"  {text}: {told if sectors is None else f'{sectors} requests of sectors'}"
