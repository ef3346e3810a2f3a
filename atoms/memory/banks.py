"""Shared-memory bank conflicts: how many wavefronts one warp instruction takes (measured on an H200, 908 cases).

32 banks, 4 bytes wide: byte a lies in word a/4 and bank (a/4) mod 32. An instruction is served in passes: 32 lanes for
1, 2 and 4 bytes a lane, 16 lanes for 8, 8 lanes for 16, and 8 row addresses for each matrix of ldmatrix and stmatrix.
The cost of a pass is

    wavefronts = max over banks of the number of distinct words requested there

Loads of 8 and 16 bytes merge pairs of passes if, for all active lanes t, lane t^1 (or, for all, lane t^2) is inactive
or has the same address. Atomics do not share words: every lane counts, twice for compare-and-swap; only adding the
constant 1 shares. Operations of AMD machines have the machine before their name, gfx942.ds_read_b128; see `machines`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from laycalc.algebra.base.record import Record

from ..instructions.refusal import argument
from .machines import machine, phases

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "BANKS",
    "Access",
    "BankReport",
    "Collision",
    "Operation",
    "Phase",
    "Request",
    "bank_conflicts",
    "operation",
    "read_access",
]

BANKS, WORD, LANES = 32, 4, 32

_MERGING = frozenset({"at_inc"})
_ATOMICS = {f"at_{name}": 4 for name in ("add", "min", "max", "and", "or", "xor", "exch", "cas", "inc")} | {
    "at_cas8": 8
}


class Operation(NamedTuple):
    """A warp instruction on shared memory.

    ``bytes`` is the width of a lane's access (a row of 16 bytes for matrices), ``passes`` the lanes that each pass
    serves, ``shares`` whether lanes with the same word cost one wavefront together, ``weight`` the wavefronts of a
    request, ``banks`` and ``lanes`` what the machine has.
    """

    name: str
    bytes: int
    passes: tuple[Sequence[int], ...]
    load: bool
    shares: bool = True
    weight: int = 1
    banks: int = BANKS
    lanes: int = LANES

    @property
    def amd(self) -> bool:
        """Is it an instruction of AMD?"""
        return self.lanes == 64

    @property
    def line(self) -> int:
        """The bytes after which the banks repeat."""
        return self.banks * WORD

    @property
    def may_merge(self) -> bool:
        """Is it a wide load, whose passes pair up where neighbouring lanes share their addresses?"""
        return self.load and not self.matrices and self.bytes >= 8 and not self.amd

    @property
    def matrices(self) -> int:
        """The number of 8x8 matrices of an ldmatrix or stmatrix, else 0."""
        return int(self.name[3]) if self.name[2] == "m" and not self.amd else 0


@cache
def operation(name: str) -> Operation:
    """The operation of a name: ld1 to ld16, st1 to st16, ldm1 to ldm4t, stm1 to stm4t, at_add, at_cas, ...; LC103 for
    another.

    ``at_inc`` adds the constant 1. Not measured, and taken to be like at_min: at_max, at_and, at_or, at_xor.
    """
    if matrix := re.fullmatch(r"(ld|st)m([124])t?", name):
        passes = tuple(range(8 * j, 8 * j + 8) for j in range(int(matrix[2])))
        return Operation(name, 16, passes, matrix[1] == "ld")
    if plain := re.fullmatch(r"(ld|st)(1|2|4|8|16)", name):
        width = int(plain[2])
        return Operation(name, width, _passes(width), plain[1] == "ld")
    if name in _ATOMICS:
        width = _ATOMICS[name]
        return Operation(name, width, _passes(width), False, name in _MERGING, 2 if "cas" in name else 1)
    if copy := re.fullmatch(r"cpasync(4|8|16(?:_cg)?)", name):
        width, past = int(copy[1].removesuffix("_cg")), name.endswith("_cg")
        return Operation(name, width, _passes(width), False, False, 0 if past else 1)
    if amd := re.fullmatch(r"(gfx942|gfx950)\.ds_(read|write)_b(8|16|32|64|128)", name):
        width, load = int(amd[3]) // 8, amd[2] == "read"
        served = phases(amd[1], width, load)
        return Operation(name, width, served, load, banks=machine(amd[1]).banks, lanes=machine(amd[1]).lanes)
    raise argument(
        "banks",
        "unknown operation {name!r}; known are {known}",
        name=name,
        known="ld and st with 1, 2, 4, 8, 16 bytes, ldm and stm with 1, 2, 4 matrices (and t), " + ", ".join(_ATOMICS),
    )


def _passes(width: int, factor: int = 1) -> tuple[Sequence[int], ...]:
    lanes = min(LANES, BANKS * WORD // max(width, WORD) * factor)
    return tuple(range(i, i + lanes) for i in range(0, LANES, lanes))


class Access(Record):
    """One warp instruction: the operation and the byte offset of each lane (at most 32), None where a lane is inactive.

    LC103 for more lanes, a negative offset, or one that is no multiple of the width.
    """

    op: str
    offsets: tuple[int | None, ...]
    label: str = ""

    def __init__(self, op: str, offsets: tuple[int | None, ...], label: str = "") -> None:
        super().__init__(op, offsets, label)
        width = operation(op).bytes
        if len(offsets) > (most := operation(op).lanes):
            raise argument("banks", "{lanes} lanes in one warp of {most}", lanes=len(offsets), most=most)
        for lane, offset in enumerate(offsets):
            if offset is None:
                continue
            if isinstance(offset, bool) or not isinstance(offset, int) or offset < 0:
                raise argument("banks", "lane {lane}: {offset!r} is not a byte offset", lane=lane, offset=offset)
            if offset % width:
                raise argument(
                    "banks",
                    "lane {lane}: byte offset {offset} is not aligned to the {width} bytes of {instruction}",
                    lane=lane,
                    offset=offset,
                    width=width,
                    instruction=op,
                )

    def active(self) -> list[tuple[int, int]]:
        """(lane, byte offset) of the lanes that take part: matrices ignore the lanes beyond their row addresses."""
        last = 1 + max(lane for lanes in operation(self.op).passes for lane in lanes)
        return [(lane, a) for lane, a in enumerate(self.offsets[:last]) if a is not None]


def read_access(fields: Mapping[str, Any]) -> Access:
    """An access from plain data, ``{"op": "ld4", "offsets": [0, 128, null, ...]}``; LC103 for anything else."""
    op, offsets = fields.get("op"), fields.get("offsets")
    if not isinstance(op, str) or not isinstance(offsets, (list, tuple)):
        raise argument("banks", 'an access is an "op" and a list of "offsets", not {fields}', fields=sorted(fields))
    return Access(op, tuple(offsets), str(fields.get("name", "")))


class Request(NamedTuple):
    """A lane's request for one word: its byte address, its bank, and the wavefront of the pass that serves it."""

    lane: int
    address: int
    bank: int
    wavefront: int


class Collision(NamedTuple):
    """A bank that one pass asks for several words: each word's byte address with the lanes that want it."""

    bank: int
    words: tuple[tuple[int, tuple[int, ...]], ...]


class Phase(Record):
    """One pass: the lanes it serves, its cost in wavefronts, and the request of every lane."""

    lanes: Sequence[int]
    wavefronts: int
    requests: tuple[Request, ...]

    def collisions(self) -> list[Collision]:
        """The banks that cost more than one wavefront, dearest first."""
        banks: dict[int, dict[int, list[int]]] = {}
        for request in self.requests:
            banks.setdefault(request.bank, {}).setdefault(request.address, []).append(request.lane)
        cost = {bank: 1 + max(r.wavefront for r in self.requests if r.bank == bank) for bank in banks}
        dear = sorted((bank for bank in banks if cost[bank] > 1), key=lambda bank: (-cost[bank], bank))
        return [Collision(b, tuple((a, tuple(lanes)) for a, lanes in sorted(banks[b].items()))) for b in dear]


class BankReport(Record):
    """What a warp instruction costs.

    ``ideal`` is its number of passes, ``merged`` whether equal addresses made one of pairs of them.
    """

    access: Access
    phases: tuple[Phase, ...]
    ideal: int
    merged: bool

    @property
    def wavefronts(self) -> int:
        """The cost of the instruction: the sum over its passes."""
        return sum(phase.wavefronts for phase in self.phases)

    @property
    def attainable(self) -> int:
        """The fewest wavefronts that these lanes allow: equal addresses that make one pass of two count once."""
        return min(self.ideal, len(self.phases))

    @property
    def degree(self) -> int:
        """n for an n-way conflict: the cost of the dearest pass, 0 if no lane is active."""
        return max((phase.wavefronts for phase in self.phases), default=0)

    @property
    def per_phase(self) -> list[int]:
        """The wavefronts of each pass."""
        return [phase.wavefronts for phase in self.phases]

    @property
    def conflicts(self) -> int:
        """What the profiler counts as bank conflicts: wavefronts beyond one a pass (for CAS half of all)."""
        weight = operation(self.access.op).weight
        return self.wavefronts // weight - sum(1 for phase in self.phases if phase.requests) if weight else 0

    @property
    def free(self) -> bool:
        """No pass takes longer than it must."""
        return self.conflicts == 0

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data for JSON."""
        return {
            "op": self.access.op,
            "wavefronts": self.wavefronts,
            "ideal": self.attainable,
            "degree": self.degree,
            "per_phase": self.per_phase,
            "conflicts": self.conflicts,
            "collisions": [
                {"phase": i, "bank": c.bank, "words": [{"address": a, "lanes": list(lanes)} for a, lanes in c.words]}
                for i, phase in enumerate(self.phases)
                for c in phase.collisions()
            ],
        }


def bank_conflicts(access: Access) -> BankReport:
    """The passes and wavefronts of one warp instruction.

    >>> bank_conflicts(Access("ld4", tuple(128 * t for t in range(32)))).wavefronts
    32
    """
    op = operation(access.op)
    passes, merged = _merged(op, access.offsets), False
    if passes is None:
        passes = op.passes
    else:
        merged = True
    return BankReport(access, tuple(_phase(op, lanes, access.offsets) for lanes in passes), len(op.passes), merged)


def wavefronts(op: Operation, offsets: Sequence[int | None]) -> tuple[int, int]:
    """(wavefronts, passes with an active lane) of one access: `bank_conflicts` without the reasons, for searches."""
    total = active = 0
    for lanes in passes_of(op, offsets):
        words: dict[int | tuple[int, int], int] = {}
        for lane in lanes:
            offset = offsets[lane] if lane < len(offsets) else None
            if offset is not None:
                for word in range(offset // WORD, (offset + op.bytes - 1) // WORD + 1):
                    words[word if op.shares else (word, lane)] = word % op.banks
        if words:
            banks = list(words.values())
            total += op.weight * max(map(banks.count, set(banks)))
            active += op.weight
    return total, active


def passes_of(op: Operation, offsets: Sequence[int | None]) -> tuple[Sequence[int], ...]:
    """The lanes that each pass of an access serves; any numbers will do that are equal where the addresses are."""
    return _merged(op, offsets) or op.passes


def _merged(op: Operation, offsets: Sequence[int | None]) -> tuple[Sequence[int], ...] | None:
    """The passes of a wide load whose neighbours share their addresses, None if nothing merges."""
    if not op.may_merge:
        return None
    for distance in (1, 2):
        pairs = ((a, offsets[t ^ distance] if t ^ distance < len(offsets) else None) for t, a in enumerate(offsets))
        if all(a is None or b is None or a == b for a, b in pairs):
            return _passes(op.bytes, 2)
    return None


def _phase(op: Operation, lanes: Sequence[int], offsets: Sequence[int | None]) -> Phase:
    requests: list[Request] = []
    turns: dict[int, int] = {}
    served: dict[int, int] = {}
    for lane in lanes:
        offset = offsets[lane] if lane < len(offsets) else None
        if offset is None:
            continue
        for word in range(offset // WORD, (offset + op.bytes - 1) // WORD + 1):
            bank = word % op.banks
            if word not in served or not op.shares:
                served[word] = turns.get(bank, 0)
                turns[bank] = served[word] + 1
            requests.append(Request(lane, word * WORD, bank, served[word]))
    return Phase(lanes, op.weight * max(turns.values(), default=0), tuple(requests))
