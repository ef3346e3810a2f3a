"""The widest vector that a copy between two layouts may use, and what stops it from being wider (CUTLASS 4.7,
``cute::copy``).

    bits = gcd(max_common_vector(A, B) * element, max_alignment(A) * element, max_alignment(B) * element, pointers,
    instruction)

Loads and stores of 256 bits came with sm100, for global memory (PTX ISA, ld.global and st.global .v8.b32, .v4.b64).
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.base.record import Record
from laycalc.algebra.operations.vector import kept_together, max_alignment, max_common_layout
from laycalc.algebra.values.htuple import format_htuple
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..instructions.refusal import argument, concrete
from .machines import machine

if TYPE_CHECKING:
    from laycalc.algebra.values.lifting import Lifted

__all__ = ["Limit", "Sides", "Vector", "widest_vector"]

NARROW, WIDE = 128, 256
LIMIT = 1 << 18
"""Elements whose predicates are compared."""


class Limit(Record):
    """A reason: vectors of more than ``bits`` bits (or of no divisor of it) are ruled out by ``text``."""

    kind: str
    bits: int
    text: str


class Vector(Record):
    """The widest legal vector: ``bits`` wide, ``elements`` of ``element`` bits; ``where`` are the indices of its
    elements.

    ``reasons`` are the limits that keep it below ``wanted``, tightest first; empty if it is as wide as asked.
    """

    bits: int
    elements: int
    element: int
    wanted: int
    where: Layout
    limits: tuple[Limit, ...]

    @property
    def reasons(self) -> tuple[Limit, ...]:
        """The limits that exclude the width asked for, tightest first."""
        return tuple(sorted((x for x in self.limits if x.bits % self.wanted), key=lambda x: x.bits))

    def as_dict(self) -> dict[str, Any]:
        """The answer as plain data for JSON."""
        return {
            "bits": self.bits,
            "elements": self.elements,
            "element": self.element,
            "wanted": self.wanted,
            "where": str(self.where),
            "reasons": [{"kind": x.kind, "bits": x.bits, "text": x.text} for x in self.reasons],
            "limits": [{"kind": x.kind, "bits": x.bits, "text": x.text} for x in self.limits],
        }


class Sides(Record):
    """What is known beside the layouts, of source and target: the alignment of their pointers in bits, their memory
    (global, shared or register), the layout that sends an index to its predicate, and the extents that are moved where
    a tile is ragged. ``arch`` is the machine.
    """

    pointers: tuple[int, int] | None = None
    spaces: tuple[str, str] = ("", "")
    predicate: Lifted | None = None
    extents: tuple[int, ...] = ()
    arch: str = ""

    @property
    def widest(self) -> int:
        """The bits that one instruction of the machine moves: 256 from sm100 on, and only in global memory."""
        return WIDE if not self.arch or machine(self.arch).number >= 100 else NARROW


def widest_vector(
    source: Lifted,
    target: Lifted,
    bits: int,
    wanted: int = 128,
    pointer: int | None = None,
    sides: Sides = Sides(),  # noqa: B008 - a record does not change
) -> Vector:
    """The widest vector, up to ``wanted`` bits, that moves elements of ``bits`` bits from one layout to the other.

    ``pointer`` is the alignment of both base pointers in bits, by default ``wanted``; ``sides`` says more. A vector's
    elements lie at the same indices in both layouts, are neighbours in both, have one predicate, and every vector
    starts at a multiple of its width. LC103 for different sizes, or widths that are no powers of two.

    >>> widest_vector(Layout((4, 8), (1, 4)), Layout((4, 8), (1, 6)), 16).bits
    32
    """
    pointers = sides.pointers or (pointer or wanted,) * 2
    for name, value in (("wanted", wanted), ("bits", bits), *(("pointer", p) for p in pointers)):
        if value < 1 or value & (value - 1):
            raise argument("vector", "{name} = {value} bits is no power of two", name=name, value=value)
    if source.size != target.size:
        raise argument(
            "vector",
            "{source} has {left} elements and {target} has {right}; a copy needs equal numbers",
            source=str(source),
            left=source.size,
            target=str(target),
            right=target.size,
        )
    # An offset moves all elements alike: it matters to where vectors start, not to which elements are neighbours.
    common = max_common_layout(_still(source), _still(target))
    limits = [
        Limit(
            "common",
            common.size * bits,
            f"the layouts have {common.size} elements ({common.size * bits} bits) contiguous at the same coordinates",
        ),
        _aligned("source", source, bits),
        _aligned("target", target, bits),
        *_pointed(pointers),
        *_instructed(sides),
        *_predicated(source, bits, sides, common),
    ]
    found = gcd(wanted, *(x.bits for x in limits)) if wanted >= bits else bits
    if found < bits:
        found = bits
    elements = found // bits
    return Vector(found, elements, bits, wanted, _first(common, elements), tuple(limits))


def _pointed(pointers: tuple[int, int]) -> list[Limit]:
    left, right = pointers
    if left == right:
        return [Limit("pointer", left, f"the pointers are aligned to {left} bits")]
    ends = (("source", left), ("target", right))
    return [Limit(f"{name} pointer", at, f"the pointer of the {name} is aligned to {at} bits") for name, at in ends]


def _instructed(sides: Sides) -> list[Limit]:
    """What the instructions of a machine move at once."""
    found = []
    for name, space in zip(("source", "target"), sides.spaces, strict=True):
        if space not in ("", "global", "shared", "register"):
            raise argument(
                "vector", "the {name} lies in global, shared or register, not in {space!r}", name=name, space=space
            )
        if space == "shared":
            found.append(
                Limit(f"{name} instruction", NARROW, f"instructions on shared memory move up to {NARROW} bits")
            )
    if sides.arch:
        text = f"{machine(sides.arch).name} moves up to {sides.widest} bits a lane"
        found.append(Limit("instruction", sides.widest, text))
    return found


def _predicated(source: Lifted, bits: int, sides: Sides, common: Layout) -> list[Limit]:
    """The longest runs of elements that share their predicate in every vector."""
    found = []
    offsets = _values(source) if sides.predicate is not None or sides.extents else []
    within = f"within {format_htuple(sides.extents)}"
    for name, asked in ((str(sides.predicate), _predicate(source, sides)), (within, _within(source, sides))):
        run = 1
        while asked and common.size % (2 * run) == 0 and _shared(asked, offsets, 2 * run):
            run *= 2
        if asked:
            text = f"the predicate {name} may change after {run} elements ({run * bits} bits)"
            found.append(Limit("predicate", run * bits, text))
    return found


def _predicate(source: Lifted, sides: Sides) -> list[Any]:
    """The predicate of each index; none if none is given."""
    predicate = sides.predicate
    if predicate is None:
        return []
    if predicate.size != source.size:
        template = "the predicate {predicate} has {count} values, the layout {size}"
        raise argument("vector", template, predicate=str(predicate), count=predicate.size, size=source.size)
    return _values(predicate)


def _within(source: Lifted, sides: Sides) -> list[Any]:
    """Whether each element lies within the extents that are moved; none if all are."""
    if not sides.extents:
        return []
    shape = source.shape if isinstance(source.shape, tuple) else (source.shape,)
    modes = [int(size(mode)) for mode in shape]
    if len(modes) != len(sides.extents):
        template = "{extents} are {count} extents, {layout} has {rank} modes"
        facts = {"extents": format_htuple(sides.extents), "count": len(sides.extents), "rank": len(modes)}
        raise argument("vector", template, layout=str(source), **facts)
    found = []
    for index in range(source.size):
        inside, rest = True, index
        for extent, bound in zip(modes, sides.extents, strict=True):
            inside = inside and rest % extent < bound
            rest //= extent
        found.append(inside)
    return found


def _values(layout: Lifted) -> list[Any]:
    concrete("vector", layout)
    if layout.size > LIMIT:
        raise refuse("LC104", "{size} elements are more than {limit}", op="vector", size=layout.size, limit=LIMIT)
    return layout.values() if isinstance(layout, Layout) else layout.elements()


def _shared(asked: list[Any], offsets: list[Any], run: int) -> bool:
    """Do the elements of each aligned run of offsets have one predicate?"""
    first: dict[Any, Any] = {}
    return all(first.setdefault(offset // run, p) == p for offset, p in zip(offsets, asked, strict=True))


def _still(layout: Lifted) -> Layout | Composed:
    if isinstance(layout, Tensor):
        return layout.layout if layout.layout is not None else Layout(1, 0)
    return layout


def _aligned(name: str, layout: Lifted, bits: int) -> Limit:
    elements = _alignment(layout)
    text = f"the {name} {layout} starts its vectors at multiples of {elements} elements ({elements * bits} bits)"
    return Limit(f"{name} alignment", elements * bits, text)


def _alignment(layout: Lifted) -> int:
    """The greatest V such that the values come in whole aligned runs of V, as far as a swizzle leaves them together."""
    if isinstance(layout, Tensor):
        inside = 1 if layout.layout is None else _alignment(layout.layout)
        return gcd(inside, layout.offset) if isinstance(layout.offset, int) else inside
    if isinstance(layout, Composed):
        run = gcd(int(max_alignment(layout.layout)), layout.offset)
        return gcd(run, kept_together(layout))
    return int(max_alignment(layout))


def _first(common: Layout, count: int) -> Layout:
    """The first ``count`` indices of the common layout, which are those of a vector."""
    from laycalc.algebra.operations.composition import composition

    return composition(common, count)
