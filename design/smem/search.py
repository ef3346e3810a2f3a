"""The best layout of a tile for several accesses, in the order of preference: fewest wavefronts of all accesses
together, fewest boxes of TMA, no swizzle and no padding before a swizzle that TMA and descriptors know, before any
other swizzle, before padding; fewest bits of swizzle or elements of padding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from laycalc.algebra.base.record import Record
from laycalc.atoms.memory.pattern import Engine, Pattern
from laycalc.atoms.memory.walks import Tile, Walk, walk

from .bounds import ideal_of, least_of
from .candidates import BASES, Candidate, base_names, bases_of, padded, swizzles_of
from .costs import Costs, Counted, costs_of, directions_of
from .engines import MODES, Boxes, Loads, Offsets, Operand, Swizzled, condition_of, is_tma_swizzle
from .passes import check_tile

__all__ = ["CLASSES", "Found", "Problem", "Proposal", "Score", "problem_of", "search"]

CLASSES = ("no swizzle, no padding", "a swizzle of TMA", "another swizzle", "padding")
PLAIN, TMA, OTHER, PADDING = range(4)


class Problem(Record):
    """A tile, the walks through it, the conditions on it, and the bases that may be taken."""

    tile: Tile
    bits: int
    patterns: tuple[Pattern, ...]
    conditions: tuple[Loads | Operand, ...]
    bases: tuple[str, ...] = BASES

    @property
    def walks(self) -> tuple[Walk, ...]:
        """The instructions of each pattern; a lane's elements lie in a row if nothing is said."""
        return tuple(walk(p, self.tile, 1 if p.along is None else p.along) for p in self.patterns)

    @property
    def ideal(self) -> tuple[int, ...]:
        """The wavefronts of each walk without a conflict: a pass takes one."""
        return tuple(map(ideal_of, self.walks))

    @property
    def least(self) -> tuple[int, ...]:
        """The wavefronts of each walk that no layout can be below."""
        return least_of(self.bits, self.walks)


class Score(NamedTuple):
    """What is compared, smaller is better: wavefronts, boxes of TMA, class, bits of swizzle or elements of padding."""

    wavefronts: int
    boxes: int
    kind: int
    price: int


class Proposal(Record):
    """A layout with its score, the wavefronts of each walk, and the mode in which the conditions hold."""

    score: Score
    candidate: Candidate
    wavefronts: tuple[int, ...]
    mode: str | None


class Found(Record):
    """The best of each class, best first, and how many layouts were looked at."""

    proposals: tuple[Proposal, ...]
    looked: int

    @property
    def best(self) -> Proposal | None:
        """The best of all, None if no layout is legal."""
        return self.proposals[0] if self.proposals else None


def problem_of(
    tile: Tile, bits: int, accesses: Sequence[Pattern | Engine], bases: Sequence[str] | None = None
) -> Problem:
    """The problem of some accesses to a tile; LC103 or LC104 for a tile that is none or too large."""
    check_tile(tile.rows * tile.columns, bits)
    patterns = tuple(access for access in accesses if isinstance(access, Pattern))
    conditions = [condition_of(tile, bits, access) for access in accesses if isinstance(access, Engine)]
    # Descriptors refuse most layouts at the first few elements: they are asked before the boxes.
    conditions.sort(key=lambda condition: isinstance(condition, Loads))
    return Problem(tile, bits, patterns, tuple(conditions), base_names(bases or BASES))


def search(problem: Problem, *, every_class: bool = False) -> Found:
    """The best layout, or the best of every class; ties go to the one that is tried first."""
    return _Search(problem, every_class).run()


class _Search:
    """The state of a search: the best of each class so far."""

    def __init__(self, problem: Problem, every_class: bool) -> None:
        self.problem = problem
        self.every_class = every_class
        self.best: dict[int, Proposal] = {}
        self.looked = 0
        self.least = sum(problem.least)
        self.loads = sum(isinstance(condition, Loads) for condition in problem.conditions)

    def run(self) -> Found:
        problem, tile = self.problem, self.problem.tile
        walks = problem.walks
        linear = [directions_of(found) for found in walks]
        tables = [(base, base.values()) for base in bases_of(tile, problem.bits, problem.bases)]
        bases = [(base, values, costs_of(tile, problem.bits, walks, linear, values)) for base, values in tables]
        for base, values, costs in bases:
            self.look(Candidate(base), costs, values)
        for swizzle in swizzles_of(tile.rows * tile.columns):
            for base, values, costs in bases:
                self.look(Candidate(base, swizzle), costs, Swizzled(values, swizzle))
        for candidate in padded(tile, problem.bases):
            self.looked += 1
            if self.may_win(self.floor(candidate)):
                offsets = candidate.plain.values()
                self.look(candidate, Counted(problem.bits, walks, offsets), offsets)
        found = sorted(self.best.values(), key=lambda proposal: proposal.score)
        return Found(tuple(found if self.every_class else found[:1]), self.looked)

    def floor(self, candidate: Candidate) -> Score:
        """What a candidate's score cannot be below."""
        kind = TMA if candidate.swizzle else PADDING if candidate.surplus else PLAIN
        return Score(self.least, self.loads, kind, candidate.price)

    def may_win(self, score: Score) -> bool:
        """Is a score, or the least that it can be, better than what is known?"""
        if not self.every_class:
            return not self.best or score < min(proposal.score for proposal in self.best.values())
        rivals = (TMA, OTHER) if score.kind == TMA else (score.kind,)
        known = [self.best[kind].score[:2] + self.best[kind].score[3:] for kind in rivals if kind in self.best]
        return len(known) < len(rivals) or score[:2] + score[3:] < max(known)

    def limit(self, kind: int) -> int | None:
        """The wavefronts beyond which a candidate cannot win."""
        rivals = ((TMA, OTHER) if kind == TMA else (kind,)) if self.every_class else tuple(self.best)
        known = [self.best[kind].score.wavefronts for kind in rivals if kind in self.best]
        if self.every_class:
            return max(known) if len(known) == len(rivals) else None
        return min(known, default=None)

    def look(self, candidate: Candidate, costs: Costs, offsets: Offsets) -> None:
        """Keep a candidate if it is the best of its class."""
        self.looked += not candidate.surplus
        floor = self.floor(candidate)
        if not self.may_win(floor) or not costs.legal(candidate.swizzle):
            return
        wavefronts = costs.wavefronts(candidate.swizzle, self.limit(floor.kind))
        if wavefronts is None or not self.may_win(floor._replace(wavefronts=sum(wavefronts))):
            return
        met = self.meeting(offsets, self.most(sum(wavefronts)))
        if met is None:
            return
        kind = floor.kind
        if kind == TMA and not is_tma_swizzle(self.problem.tile, self.problem.bits, offsets):
            kind = OTHER
        score = Score(sum(wavefronts), met[1], kind, candidate.price)
        rival = self.best.get(kind)
        if rival is None or score < rival.score:
            self.best[kind] = Proposal(score, candidate, wavefronts, met[0])

    def most(self, wavefronts: int) -> int | None:
        """The boxes beyond which a layout of so many wavefronts is not the best."""
        if self.every_class:
            return None
        return min((p.score.boxes for p in self.best.values() if p.score.wavefronts <= wavefronts), default=None)

    def meeting(self, offsets: Offsets, most: int | None) -> tuple[str | None, int] | None:
        """The mode in which all conditions hold with the fewest boxes, and their number; None if there is none."""
        if not self.problem.conditions:
            return None, 0
        best: tuple[str | None, int] | None = None
        for mode in MODES:
            boxes = 0
            for condition in self.problem.conditions:
                met = condition.meets(offsets, mode, most)
                if met is None:
                    break
                boxes += met.count if isinstance(met, Boxes) else 0
            else:
                if best is None or boxes < best[1]:
                    best = mode.name, boxes
        return best
