"""The fields of an encoding, checked as they are taken."""

from __future__ import annotations

from laycalc.diagnostics.model import Failure

from ..reading.attributes import Attribute
from ..reading.reading import bad

__all__ = ["MAX_EXTENT", "Fields", "block_bases"]

MAX_EXTENT = 1 << 30


class Fields:
    """The fields of an encoding, checked as they are taken; LC101 at the encoding."""

    def __init__(self, text: str, encoding: Attribute) -> None:
        self.text, self.encoding = text, encoding

    def fail(self, message: str) -> Failure:
        return bad(self.text, self.encoding.start, self.encoding.end, message)

    def integer(self, name: str, default: int | None = None) -> int:
        found = self.encoding.body.get(name, default)
        if type(found) is not int or found < 0 or found > MAX_EXTENT:
            raise self.fail(f"{name} is an integer" if name in self.encoding.body else f"{name} is missing")
        return found

    def flag(self, *names: str) -> bool:
        return any(self.encoding.body.get(n) is True for n in names)

    def integers(self, name: str, rank: int | None = None, *, powers: bool = False) -> list[int]:
        found = self.encoding.body.get(name)
        if not isinstance(found, list) or not all(type(n) is int and 0 <= n <= MAX_EXTENT for n in found):
            raise self.fail(f"{name} is a list of integers" if found is not None else f"{name} is missing")
        if rank is not None and len(found) != rank:
            raise self.fail(f"{name} has {len(found)} entries, the tensor has {rank} dimensions")
        if powers and any(n < 1 or n & (n - 1) for n in found):
            raise self.fail(f"the entries of {name} are powers of two")
        return found

    def order(self, rank: int) -> list[int]:
        found = self.integers("order", rank)
        if sorted(found) != list(range(rank)):
            raise self.fail(f"order is a permutation of 0..{rank - 1}")
        return found

    def bases(self, name: str, rank: int | None) -> tuple[tuple[int, ...], ...]:
        found = self.encoding.body.get(name, [])
        if not isinstance(found, list) or not all(
            isinstance(b, list) and all(type(x) is int and 0 <= x <= MAX_EXTENT for x in b) for b in found
        ):
            raise self.fail(f"{name} is a list of bases")
        if rank is not None and any(len(b) != rank for b in found):
            raise self.fail(f"the bases of {name} have {rank} coordinates")
        return tuple(tuple(b) for b in found)


def block_bases(fields: Fields, shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """The tensor of one CTA and the bases of the others, which own the top of the tensor."""
    rank = len(shape)
    known = fields.encoding.body
    if "CGALayout" in known:
        units = fields.bases("CGALayout", rank)
        split = [1 << max((b[k].bit_length() for b in units), default=0) for k in range(rank)]
    elif "CTAsPerCGA" in known:
        per, split = fields.integers("CTAsPerCGA", rank, powers=True), fields.integers("CTASplitNum", rank, powers=True)
        order = fields.integers("CTAOrder", rank) if "CTAOrder" in known else list(range(rank))[::-1]
        if sorted(order) != list(range(rank)):
            raise fields.fail(f"CTAOrder is a permutation of 0..{rank - 1}")
        units = tuple(
            tuple((1 << b if 1 << b < split[axis] else 0) if k == axis else 0 for k in range(rank))
            for axis in order
            for b in range(per[axis].bit_length() - 1)
        )
    else:
        return shape, ()
    inner = tuple(max(1, n // s) for n, s in zip(shape, split, strict=True))
    blocks = tuple(
        tuple(x * n if x * n < whole else 0 for x, n, whole in zip(b, inner, shape, strict=True)) for b in units
    )
    return inner, blocks
