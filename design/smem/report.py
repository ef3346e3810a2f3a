"""What people are told of a layout of shared memory: costs, TMA and descriptors that fit, reasons, other layouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.atoms.memory.walks import ALONG

from .engines import MODES, Descriptor, Loads, Offsets, Operand
from .reasons import reasons
from .search import CLASSES, Found, Problem, Proposal, search

__all__ = ["Report", "engines", "report_of"]

LINES = 8
"""A box of fewer lines is not worth telling."""


class Report(Record):
    """A search with what is told of it; ``names`` are those of the accesses that have wavefronts."""

    problem: Problem
    names: tuple[str, ...]
    found: Found
    why: tuple[str, ...]
    fits: tuple[str, ...]

    def lines(self) -> list[str]:
        """The report as text."""
        best = self.found.best
        if best is None:
            return ["no layout serves all accesses", *(f"  {line}" for line in self.why)]
        told = [f"{best.candidate.layout}", f"  {self._kind(best)}"]
        width = max(map(len, self.names), default=0)
        rows = zip(self.names, best.wavefronts, self.problem.ideal, strict=True)
        told += [f"  {name:<{width}}  {cost} wavefronts, {ideal} ideal" for name, cost, ideal in rows]
        told += [f"  {line}" for line in (*self.fits, *self.why)]
        others = self.found.proposals[1:]
        if others:
            told.append("others")
        wide = max((len(str(other.candidate.layout)) for other in others), default=0)
        for other in others:
            costs = " + ".join(map(str, other.wavefronts)) or "no"
            told.append(f"  {other.candidate.layout!s:<{wide}}  {costs} wavefronts, {self._kind(other)}")
        return told

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data for JSON."""
        return {
            "tile": list(self.problem.tile[:2]),
            "bits": self.problem.bits,
            "looked": self.found.looked,
            "proposals": [self._proposal(proposal) for proposal in self.found.proposals],
            "engines": list(self.fits),
            "reasons": list(self.why),
        }

    def _proposal(self, proposal: Proposal) -> dict[str, Any]:
        rows = zip(self.names, proposal.wavefronts, self.problem.ideal, strict=True)
        return {
            "layout": str(proposal.candidate.layout),
            "score": list(proposal.score),
            "class": CLASSES[proposal.score.kind],
            "bytes": self.bytes_of(proposal),
            "mode": proposal.mode,
            "accesses": [{"access": name, "wavefronts": cost, "ideal": ideal} for name, cost, ideal in rows],
        }

    def bytes_of(self, proposal: Proposal) -> int:
        """The bytes that a layout takes."""
        elements = self.problem.tile.rows * self.problem.tile.columns + proposal.candidate.surplus
        return -(-elements * self.problem.bits // 8)

    def _kind(self, proposal: Proposal) -> str:
        """The class with its price."""
        score, told = proposal.score, CLASSES[proposal.score.kind]
        if proposal.candidate.swizzle:
            told += f", {score.price} bit{'s' * (score.price != 1)}"
        if proposal.candidate.surplus:
            told += f", {score.price} elements more"
        boxes = f", {score.boxes} box{'es' * (score.boxes != 1)} of TMA" if score.boxes else ""
        return f"{told}{boxes}; {self.bytes_of(proposal):,} bytes"


def report_of(problem: Problem, names: Sequence[str]) -> Report:
    """Search, and tell."""
    found = search(problem, every_class=True)
    best = found.best
    fits: list[str] = []
    if best is not None:
        fits = engines(problem, best.candidate.layout.values())
    return Report(problem, tuple(names), found, tuple(reasons(problem, found, names)), tuple(fits))


def engines(problem: Problem, offsets: Offsets) -> list[str]:
    """The boxes of TMA that write a layout and the descriptors of wgmma that read it."""
    tile, bits, told = problem.tile, problem.bits, []
    for inner in ALONG:
        for mode in MODES:
            boxes = Loads(tile, bits, inner).meets(offsets, mode)
            if boxes is not None and boxes.outer >= min(LINES, tile.rows, tile.columns):
                count = "1 box" if boxes.count == 1 else f"{boxes.count} boxes"
                told.append(f"TMA, {mode.name}: {count} of {boxes.inner}x{boxes.outer}, innermost along {inner}")
    for mn in ALONG:
        for major in ("K", "MN"):
            for mode in MODES:
                found = Operand(tile, bits, major, mn).meets(offsets, mode)
                if found is not None:
                    told.append(f"wgmma, {mode.name}: {major}-major with mn along {mn}{_strides(found)}")
    return told


def _strides(found: Descriptor) -> str:
    """The strides that a descriptor has."""
    return "".join(f", {name} {x}" for name, x in (("LBO", found.lbo), ("SBO", found.sbo)) if x is not None)
