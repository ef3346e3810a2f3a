"""The fields of an encoding, bound to its signature and checked as they are taken."""

from __future__ import annotations

from typing import Any

from laycalc.diagnostics.model import Failure

from ..reading.attributes import Attribute
from ..reading.reading import argument_error, bad, cannot
from ..reading.signatures import Argument, Signature, bind, signature

MAX_EXTENT = 1 << 30

# Clusters: CGALayout since 3.9, before that three fields.
_CGA = "CGALayout=None, CTAsPerCGA=None, CTASplitNum=None, CTAOrder=None"
_SWIZZLED = f"(*, vec, perPhase, maxPhase, order, hasLeadingOffset=False, {_CGA})"
_MMA = f"(*, versionMajor, versionMinor=0, warpsPerCTA, instrShape, {_CGA})"

SIGNATURES = {
    name: signature(name + parameters)
    for name, parameters in {
        "blocked": f"(*, sizePerThread, threadsPerWarp, warpsPerCTA, order, {_CGA})",
        "slice": "(*, dim, parent)",
        "nvidia_mma": _MMA,
        "mma": _MMA,
        "dot_op": "(*, opIdx, parent, kWidth=0)",
        "amd_mfma": "(*, warpsPerCTA, instrShape, isTransposed=False, version=None, versionMajor=None, "
        f"versionMinor=None, tilesPerWarp=None, elementBitWidth=32, elementType=None, {_CGA})",
        "amd_wmma": f"(*, version, ctaLayout, isTransposed=None, isTranspose=None, instrShape=None, rank=None, {_CGA})",
        "linear": "(*, register=None, lane=None, warp=None, block=None, shape=None)",
        "swizzled_shared": _SWIZZLED,
        "shared": _SWIZZLED,
        "amd_rotating_shared": _SWIZZLED,
        "nvmma_shared": "(*, swizzlingByteWidth, transposed=False, elementBitWidth, fp4Padded=False, rank=None, "
        f"{_CGA})",
        "shared_linear": "(*, offset, block=None, alignment=16)",
        "padded_shared": f"(*, intervals, order=None, shape=None, offset=None, block=None, {_CGA})",
        "tensor_memory_encoding": "(*, blockM, blockN, colStride=1, twoCTAs=False, fp4Padded=False, "
        f"CTASplitM=1, CTASplitN=1, {_CGA})",
    }.items()
}
"""What each encoding may say; what says nothing about the map stands here too."""


class Fields:
    """The fields of an encoding; LC101 at the encoding where one does not fit, LC103 at one that is not known."""

    def __init__(self, text: str, encoding: Attribute, to: Signature | None = None) -> None:
        self.text, self.encoding = text, encoding
        to = SIGNATURES[encoding.kind] if to is None else to
        self.body: dict[str, Any] = bind(to, text, encoding.given, (encoding.start, encoding.end))

    def fail(self, message: str) -> Failure:
        """LC101 at the encoding; the caller raises it."""
        return bad(self.text, self.encoding.start, self.encoding.end, message)

    def refuse(self, name: str, message: str) -> Failure:
        """LC103 at a field that is not covered; the caller raises it."""
        field = next((f for f in self.encoding.given if f.name == name), Argument("", None, 0, len(self.text)))
        return argument_error(self.text, field.start, field.end, message)

    def integer(self, name: str, default: int | None = None) -> int:
        """A number from 0 on."""
        found = self.body.get(name, default)
        if type(found) is not int or found < 0 or found > MAX_EXTENT:
            raise self.fail(f"{name} is an integer" if name in self.body else f"{name} is missing")
        return found

    def power(self, name: str, default: int | None = None) -> int:
        """A power of two."""
        found = self.integer(name, default)
        if found < 1 or found & (found - 1):
            raise self.fail(f"{name} is a power of two")
        return found

    def flag(self, name: str) -> bool:
        """true or false; false if it is not said."""
        found = self.body.get(name, False)
        if type(found) is not bool:
            raise self.fail(f"{name} is true or false")
        return found

    def integers(self, name: str, rank: int | None = None, *, powers: bool = False) -> list[int]:
        """A list of numbers from 0 on, as many as the tensor has dimensions."""
        found = self.body.get(name)
        if not isinstance(found, list) or not all(type(n) is int and 0 <= n <= MAX_EXTENT for n in found):
            raise self.fail(f"{name} is a list of integers" if found is not None else f"{name} is missing")
        if rank is not None and len(found) != rank:
            raise self.fail(f"{name} has {len(found)} entries, the tensor has {rank} dimensions")
        if powers and any(n < 1 or n & (n - 1) for n in found):
            raise self.fail(f"the entries of {name} are powers of two")
        return found

    def order(self, rank: int, name: str = "order") -> list[int]:
        """The dimensions from the fastest on."""
        found = self.integers(name, rank)
        if sorted(found) != list(range(rank)):
            raise self.fail(f"{name} is a permutation of 0..{rank - 1}")
        return found

    def bases(self, name: str, rank: int | None) -> tuple[tuple[int, ...], ...]:
        """A list of coordinates; empty if it is not said."""
        found = self.body.get(name)
        found = [] if found is None else found
        if not isinstance(found, list) or not all(
            isinstance(b, list) and all(type(x) is int and 0 <= x <= MAX_EXTENT for x in b) for b in found
        ):
            raise self.fail(f"{name} is a list of bases")
        if rank is not None and any(len(b) != rank for b in found):
            raise self.fail(f"the bases of {name} have {rank} coordinates")
        return tuple(tuple(b) for b in found)


def block_bases(fields: Fields, shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """The tensor of one CTA and the bases of the others, which own the top of the tensor."""
    units = block_units(fields, len(shape))
    split = [1 << max((b[k].bit_length() for b in units), default=0) for k in range(len(shape))]
    inner = tuple(max(1, n // s) for n, s in zip(shape, split, strict=True))
    blocks = tuple(
        tuple(x * n if x * n < whole else 0 for x, n, whole in zip(b, inner, shape, strict=True)) for b in units
    )
    return inner, blocks


def block_units(fields: Fields, rank: int) -> tuple[tuple[int, ...], ...]:
    """The bases of the CTAs of a cluster, counted in tensors of one CTA; no bases if there is one CTA."""
    old = [name for name in ("CTAsPerCGA", "CTASplitNum", "CTAOrder") if name in fields.body]
    if fields.body.get("CGALayout") is not None:
        if old:
            raise fields.refuse(old[0], f"CGALayout says already how CTAs tile the tensor, and {old[0]} too")
        return fields.bases("CGALayout", rank)
    if not old:
        return ()
    per, split = (fields.integers(name, rank, powers=True) for name in ("CTAsPerCGA", "CTASplitNum"))
    order = fields.order(rank, "CTAOrder") if "CTAOrder" in fields.body else list(range(rank))[::-1]
    return tuple(
        tuple((1 << b if 1 << b < split[axis] else 0) if k == axis else 0 for k in range(rank))
        for axis in order
        for b in range(per[axis].bit_length() - 1)
    )


def undivided(fields: Fields, rank: int) -> None:
    """LC103 if CTAs hold parts of a memory: a layout of offsets is that of one memory."""
    if any(any(b) for b in block_units(fields, rank)):
        raise cannot(
            f"#{fields.encoding.name} is divided among CTAs: an offset lies in the memory of one CTA, read the tensor "
            "of one CTA",
            source=fields.text,
        )
