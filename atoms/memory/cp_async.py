"""cp.async, from global to shared memory: what one warp instruction costs (measured on an H200, 1,025 cases).

``.ca`` of 4, 8 and 16 bytes goes through the load and store pipe in the passes of a store of its width. A wavefront
fills each bank of shared memory once and takes each source bank (global address / 4 mod 32) once. Lanes are served in
order, and a lane that waits holds back later lanes that want one of its banks. So lanes count, not words: 32 lanes that
write one slot cost 32 wavefronts, a store 1.

``.cg`` of 16 bytes passes that pipe by: no wavefront and no bank conflict, whatever the addresses. It costs requests of
32-byte sectors: of the lanes that write one slot the first counts, and

    requests = distinct (source sector, destination sector, whether the 16-byte half changes)

16 for a full warp whose pairs of lanes keep a sector together, up to 32. With fewer source bytes than it writes,
zeros fill the rest; ``.cg`` lanes without any source byte are stored by the pipe, as a store of 16 bytes. The cost of
``.cg`` lanes with some is not known.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from laycalc.algebra.base.record import Record

from ..instructions.refusal import argument
from .banks import BANKS, LANES, WORD, Collision, operation, wavefronts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["SLOT", "CopyAccess", "CopyPass", "CopyReport", "copy_conflicts", "read_copy"]

SECTOR, SLOT, LINE = 32, 16, 128

_NAME = re.compile(r"cpasync(4|8|16)(_cg)?(_zfill)?")

Offsets = tuple["int | None", ...]


class CopyAccess(Record):
    """One cp.async of a warp: byte offsets in shared memory and in global memory by lane, None where it is inactive.

    ``op`` is cpasync4, cpasync8, cpasync16 or cpasync16_cg, with ``_zfill`` where ``source_bytes`` says how many bytes
    each lane really reads. LC103 for anything else, and for offsets that are no multiples of the width.
    """

    op: str
    offsets: Offsets
    global_offsets: Offsets
    source_bytes: tuple[int, ...] | None = None
    label: str = ""

    def __init__(
        self,
        op: str,
        offsets: Offsets,
        global_offsets: Offsets,
        source_bytes: tuple[int, ...] | None = None,
        label: str = "",
    ) -> None:
        super().__init__(op, offsets, global_offsets, source_bytes, label)
        match = _NAME.fullmatch(op)
        if match is None or (match[2] and match[1] != "16"):
            known = "cpasync4, cpasync8, cpasync16 and cpasync16_cg"
            raise argument("banks", "unknown copy {name!r}; known are {known}", name=op, known=known)
        if len(offsets) > LANES or len(global_offsets) != len(offsets):
            template = "{lanes} lanes write and {others} read; a warp has 32, each does both"
            raise argument("banks", template, lanes=len(offsets), others=len(global_offsets))
        for lane, (target, source) in enumerate(zip(offsets, global_offsets, strict=True)):
            if target is not None:
                self._aligned(lane, "shared", target)
                self._aligned(lane, "global", source)
        self._filled(match[3] is not None)

    def _aligned(self, lane: int, where: str, offset: int | None) -> None:
        if type(offset) is not int or offset < 0 or offset % self.width:
            template = (
                "lane {lane}: {offset} is no byte offset in {where} memory aligned to the {width} bytes of {name}"
            )
            raise argument("banks", template, lane=lane, offset=offset, where=where, width=self.width, name=self.op)

    def _filled(self, zfill: bool) -> None:
        """Is it said, where zeros may fill, how much each lane reads?"""
        given = self.source_bytes
        if zfill != (given is not None):
            raise argument("banks", "{name}: src_bytes are given where zeros fill, and only there", name=self.op)
        if given is not None and (
            len(given) != len(self.offsets) or any(type(n) is not int or not 0 <= n <= self.width for n in given)
        ):
            raise argument("banks", "src_bytes is a number from 0 to {width} for each lane", width=self.width)

    @property
    def width(self) -> int:
        """The bytes that a lane writes."""
        return int(self.op.removeprefix("cpasync").partition("_")[0])

    @property
    def bypass(self) -> bool:
        """Is it ``.cg``, which passes the load and store pipe by?"""
        return "_cg" in self.op

    def read(self, lane: int) -> int:
        """The bytes that a lane reads."""
        return self.width if self.source_bytes is None else self.source_bytes[lane]


class CopyPass(Record):
    """One pass of ``.ca``: its lanes, and for each the wavefront that serves it."""

    lanes: Sequence[int]
    served: tuple[tuple[int, int], ...]
    targets: tuple[tuple[int, int], ...]

    @property
    def wavefronts(self) -> int:
        """The cost of the pass."""
        return 1 + max((turn for _, turn in self.served), default=-1)

    @property
    def requests(self) -> tuple[tuple[int, int], ...]:
        """The lanes that take part, with their wavefronts."""
        return self.served

    def collisions(self) -> list[Collision]:
        """The banks of shared memory that several lanes fill, dearest first; none where only sources clash."""
        banks: dict[int, dict[int, list[int]]] = {}
        for lane, address in self.targets:
            banks.setdefault(address // WORD % BANKS, {}).setdefault(address, []).append(lane)
        counts = {bank: sum(map(len, words.values())) for bank, words in banks.items()}
        dear = sorted((bank for bank in banks if counts[bank] > 1), key=lambda bank: (-counts[bank], bank))
        return [Collision(b, tuple((a, tuple(lanes)) for a, lanes in sorted(banks[b].items()))) for b in dear]


class CopyReport(Record):
    """What a cp.async of a warp costs: passes and wavefronts of ``.ca``, requests of sectors of ``.cg``.

    ``wavefronts`` is None where it is not known: ``.cg`` with some zero-filled bytes in a lane.
    """

    access: CopyAccess
    phases: tuple[CopyPass, ...]
    wavefronts: int | None
    sectors: int | None

    @property
    def per_phase(self) -> list[int]:
        """The wavefronts of each pass."""
        return [phase.wavefronts for phase in self.phases]

    @property
    def attainable(self) -> int:
        """The fewest wavefronts that would do: one for each pass with an active lane."""
        return sum(1 for phase in self.phases if phase.served)

    @property
    def ideal_sectors(self) -> int | None:
        """The fewest requests that would do: the slots that are written, two in a sector."""
        if self.sectors is None:
            return None
        return -(-len({a for lane, a in _active(self.access) if self.access.read(lane)}) * SLOT // SECTOR)

    @property
    def degree(self) -> int:
        """The wavefronts of the dearest pass."""
        return max(self.per_phase, default=0)

    @property
    def conflicts(self) -> int:
        """Wavefronts beyond one a pass."""
        return (self.wavefronts or 0) - self.attainable if self.phases else 0

    @property
    def free(self) -> bool:
        """No pass takes longer than it must, and no sector is asked for more often than it must."""
        return self.conflicts == 0 and self.sectors == self.ideal_sectors

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data for JSON."""
        found: dict[str, Any] = {
            "op": self.access.op,
            "wavefronts": self.wavefronts,
            "ideal": self.attainable,
            "degree": self.degree,
            "per_phase": self.per_phase,
            "conflicts": self.conflicts,
        }
        if self.access.bypass:
            found |= {"sectors": self.sectors, "ideal_sectors": self.ideal_sectors}
        if self.note:
            found["note"] = self.note
        return found

    @property
    def note(self) -> str:
        """What was measured beyond the rule, where this copy is of that kind."""
        sources = [self.access.global_offsets[lane] or 0 for lane, _ in _active(self.access)]
        if self.wavefronts is None:
            return "the wavefronts of .cg copies with some zero-filled bytes in a lane are not known"
        if not self.access.bypass and self.access.width == SLOT and sources and min(sources) % LINE:
            return (
                "the source starts inside a line of 128 bytes: an H200 took up to two wavefronts more for half of these"
            )
        return ""


class _Waiting(NamedTuple):
    """A lane that waits for its banks: of shared memory, and of its source."""

    lane: int
    targets: frozenset[int]
    sources: frozenset[int]


def copy_conflicts(access: CopyAccess) -> CopyReport:
    """What one cp.async of a warp costs.

    >>> one_slot = CopyAccess("cpasync4", (0,) * 32, tuple(range(0, 128, 4)))
    >>> copy_conflicts(one_slot).wavefronts
    32
    """
    if access.bypass:
        return CopyReport(access, (), _stored(access), _requests(access))
    passes = tuple(_pass(access, lanes) for lanes in operation(f"st{access.width}").passes)
    return CopyReport(access, passes, sum(p.wavefronts for p in passes), None)


def _active(access: CopyAccess) -> list[tuple[int, int]]:
    return [(lane, a) for lane, a in enumerate(access.offsets) if a is not None]


def _pass(access: CopyAccess, lanes: Sequence[int]) -> CopyPass:
    words = max(access.width // WORD, 1)
    waiting = []
    for lane in (lane for lane in lanes if lane < len(access.offsets)):
        target, source = access.offsets[lane], access.global_offsets[lane]
        if target is not None and source is not None:
            read = -(-access.read(lane) // WORD)
            waiting.append(_Waiting(lane, _banks(target, words), _banks(source, read)))
    targets = tuple((w.lane, (access.offsets[w.lane] or 0) + WORD * i) for w in waiting for i in range(words))
    return CopyPass(lanes, tuple(_turns(waiting)), targets)


def _banks(offset: int, words: int) -> frozenset[int]:
    return frozenset((offset // WORD + i) % BANKS for i in range(words))


def _turns(waiting: Sequence[_Waiting]) -> list[tuple[int, int]]:
    """Each lane with the wavefront that serves it."""
    found: list[tuple[int, int]] = []
    turn = 0
    while waiting:
        targets: set[int] = set()
        sources: set[int] = set()
        left = []
        for want in waiting:
            if targets & want.targets or sources & want.sources:
                left.append(want)
            else:
                found.append((want.lane, turn))
            # One that waits keeps its banks from those behind it.
            targets |= want.targets
            sources |= want.sources
        waiting, turn = left, turn + 1
    return sorted(found)


def _requests(access: CopyAccess) -> int:
    """The requests of sectors of ``.cg``: the first lane that writes a slot counts, if it reads anything."""
    slots: dict[int, int] = {}
    for lane, target in _active(access):
        source = access.global_offsets[lane]
        if source is not None and access.read(lane):
            slots.setdefault(target, source)
    return len({(s // SECTOR, t // SECTOR, (s ^ t) // SLOT % 2) for t, s in slots.items()})


def _stored(access: CopyAccess) -> int | None:
    """The wavefronts of ``.cg``: those of the lanes that are all zeros."""
    if access.source_bytes is None:
        return 0
    if any(0 < access.read(lane) < access.width for lane, _ in _active(access)):
        return None
    empty = tuple(None if n or a is None else a for a, n in zip(access.offsets, access.source_bytes, strict=True))
    return wavefronts(operation("st16"), empty)[0]


def read_copy(fields: Mapping[str, Any]) -> CopyAccess:
    """A copy from plain data, ``{"op": "cpasync16", "offsets": [..], "global_offsets": [..]}``; LC103 for other data.

    Without global offsets the source is dense: lane t reads the t-th vector of consecutive lines.
    """
    op, offsets, sources = fields.get("op"), fields.get("offsets"), fields.get("global_offsets")
    given = fields.get("src_bytes")
    if not isinstance(op, str) or not isinstance(offsets, (list, tuple)):
        raise argument("banks", 'an access is an "op" and a list of "offsets", not {fields}', fields=sorted(fields))
    if sources is None and _NAME.fullmatch(op):
        width = int(op.removeprefix("cpasync").partition("_")[0])
        sources = [width * lane for lane in range(len(offsets))]
    if not isinstance(sources, (list, tuple)) or not (given is None or isinstance(given, (list, tuple))):
        raise argument("banks", '"global_offsets" and "src_bytes" of {name} are lists', name=op)
    label = str(fields.get("name", ""))
    return CopyAccess(op, tuple(offsets), tuple(sources), None if given is None else tuple(given), label)
