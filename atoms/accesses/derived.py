"""How the wavefronts of an access come about, as steps of a derivation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laycalc.algebra.base.derivations import noted, recorder

from ..memory.banks import WORD, operation
from ..memory.cost import linear_pass
from ..memory.patterns import bank_survey

if TYPE_CHECKING:
    from ..memory.pattern import Pattern
    from ..memory.placed import Placed

__all__ = ["note_access"]


def note_access(placed: Placed, pattern: Pattern) -> None:
    """Record where the wavefronts of an access come from, if anybody records."""
    if recorder.get() is None:
        return
    found = bank_survey(placed, pattern)
    op = operation(pattern.op)
    noted(
        "access",
        op=pattern.op,
        machine=pattern.machine,
        instructions=len(found.reports),
        width=op.bytes,
        passes=len(op.passes),
        lanes=len(op.passes[0]),
    )
    if found.sectors is not None:
        noted("requests", sectors=found.sectors, ideal=found.ideal_sectors)
        return
    if (linear := linear_pass(placed, pattern)) is not None:
        offsets, words, banks = linear
        noted("lanes", offsets=offsets, words=words, banks=banks, size=op.banks)
    worst = found.worst
    collisions = [c for phase in worst.phases for c in phase.collisions()] if worst is not None else []
    if collisions and worst is not None:
        first = collisions[0]
        told = ", ".join(f"word {address // WORD} by lane {lanes[0]}" for address, lanes in first.words[:4])
        more = len(first.words) - 4
        noted("bank", label=worst.access.label, bank=first.bank, told=told, more=more, copy=bool(pattern.copy))
    noted("wavefronts", total=found.wavefronts, ideal=found.ideal)
