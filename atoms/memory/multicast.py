"""Which thread block of a cluster reads which part of a box, and who receives it (TMA with multicast).

The blocks of a cluster (CM,CN) have the ranks m + CM*n. A tile of operand A depends on m, so the CN blocks with one m
share it; a tile of B depends on n. Of k blocks that share a box each reads a k-th of its rows and sends it to all of
them: the box is cut from its outermost dimension on. An MMA of two blocks (SM100) splits B between the two, so that
only blocks of the same place in their pair share it. Source: CUTLASS 4.7, make_tma_atom, tma_partition and
create_tma_multicast_mask. Documentation, not measured.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.record import Record

from ..instructions.refusal import argument

if TYPE_CHECKING:
    from .tensor_map import TensorMap

__all__ = ["CLUSTER", "Multicast", "Part", "multicast"]

CLUSTER = 16
"""Thread blocks of the largest cluster; the mask has 16 bits."""


class Part(Record):
    """What one thread block reads: the ``number`` of the part of the box, where it begins in the box (innermost first)
    and in shared memory (bytes from the box), and the ranks of the receivers.
    """

    rank: int
    block: tuple[int, int]
    number: int
    origin: tuple[int, ...]
    place: int
    receivers: tuple[int, ...]

    @property
    def mask(self) -> int:
        """The multicast mask: a bit for each receiver."""
        return sum(1 << rank for rank in self.receivers)

    def as_dict(self) -> dict[str, Any]:
        """The part as plain data for JSON."""
        return {
            "rank": self.rank,
            "block": list(self.block),
            "part": self.number,
            "origin": list(self.origin),
            "place": self.place,
            "receivers": list(self.receivers),
            "mask": f"0x{self.mask:x}",
        }


class Multicast(Record):
    """A box that blocks of a cluster read together: how many share it, the box that each reads, and the parts."""

    operand: str
    cluster: tuple[int, int]
    pair: int
    sharers: int
    box: tuple[int, ...]
    parts: tuple[Part, ...]

    def as_dict(self) -> dict[str, Any]:
        """The multicast as plain data for JSON."""
        return {
            "operand": self.operand,
            "cluster": list(self.cluster),
            "pair": self.pair,
            "sharers": self.sharers,
            "box": list(self.box),
            "parts": [part.as_dict() for part in self.parts],
        }


def multicast(m: TensorMap, cluster: tuple[int, int], operand: str, pair: int = 1) -> Multicast:
    """The parts of a box that the blocks of a cluster read, for operand A or B of an MMA of ``pair`` blocks.

    Law: the parts of the blocks that share a box are disjoint and make it whole, and each block receives each of them
    once. LC103 for a cluster of no or too many blocks, or a box that the blocks cannot share evenly.
    """
    rows, columns = cluster
    if operand not in ("A", "B"):
        raise argument("tma", "operand {operand!r} is neither A nor B", operand=operand)
    if not (rows >= 1 and columns >= 1 and rows * columns <= CLUSTER):
        template = "a cluster has 1 to {most} thread blocks, not {rows} x {columns}"
        raise argument("tma", template, most=CLUSTER, rows=rows, columns=columns)
    if rows % pair:
        template = "an MMA of {pair} thread blocks takes neighbours along M; the cluster has {rows} there"
        raise argument("tma", template, pair=pair, rows=rows)
    sharers = columns if operand == "A" else rows // pair
    box, place = _cut(m, sharers)
    parts = []
    for rank in range(rows * columns):
        block = (rank % rows, rank // rows)
        number = block[1] if operand == "A" else block[0] // pair
        receivers = tuple(r for r in range(rows * columns) if _share(operand, pair, block, (r % rows, r // rows)))
        parts.append(Part(rank, block, number, _origin(m.counts, box, number), number * place, receivers))
    return Multicast(operand, cluster, pair, sharers, box, tuple(parts))


def _share(operand: str, pair: int, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Do two blocks read the same tile?"""
    if operand == "A":
        return one[0] == other[0]
    return one[1] == other[1] and one[0] % pair == other[0] % pair


def _cut(m: TensorMap, sharers: int) -> tuple[tuple[int, ...], int]:
    """(the box that each block reads, the bytes from one part to the next in shared memory)."""
    box, left = list(m.counts), sharers
    for i in range(len(box) - 1, 0, -1):
        if box[i] % left and left % box[i]:
            break
        box[i], left = max(box[i] // left, 1), max(left // box[i], 1)
    if left > 1:
        template = "{sharers} thread blocks do not share the rows of a box {box} evenly"
        raise argument("tma", template, sharers=sharers, box=" x ".join(map(str, m.counts)))
    return tuple(box), m.pitch * prod(box[1:])


def _origin(counts: tuple[int, ...], box: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Where a part begins in the box: its first row, counted with the innermost dimension of rows fastest."""
    row, found = number * prod(box[1:]), [0]
    for count in counts[1:]:
        found.append(row % count)
        row //= count
    return tuple(found)
