"""The widest vector that a copy between two layouts may use, and what stops it from being wider (CUTLASS 4.7,
``cute::copy``).

    bits = gcd(max_common_vector(A, B) * element, max_alignment(A) * element, max_alignment(B) * element, pointers,
    instruction)
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.record import Record
from laycalc.algebra.operations.vector import kept_together, max_alignment, max_common_layout
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..instructions.refusal import argument

if TYPE_CHECKING:
    from laycalc.algebra.values.lifting import Lifted

__all__ = ["Limit", "Vector", "widest_vector"]


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
        }


def widest_vector(source: Lifted, target: Lifted, bits: int, wanted: int = 128, pointer: int | None = None) -> Vector:
    """The widest vector, up to ``wanted`` bits, that moves elements of ``bits`` bits from one layout to the other.

    ``pointer`` is the alignment of both base pointers in bits, by default ``wanted``. A vector's elements lie at the
    same indices in both layouts, are neighbours in both, and every vector starts at a multiple of its width. LC103 for
    different sizes, or widths that are no powers of two.

    >>> widest_vector(Layout((4, 8), (1, 4)), Layout((4, 8), (1, 6)), 16).bits
    32
    """
    for name, value in (("wanted", wanted), ("bits", bits), ("pointer", pointer or wanted)):
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
        Limit("pointer", pointer or wanted, f"the pointers are aligned to {pointer or wanted} bits"),
    ]
    found = gcd(wanted, *(x.bits for x in limits)) if wanted >= bits else bits
    if found < bits:
        found = bits
    elements = found // bits
    return Vector(found, elements, bits, wanted, _first(common, elements), tuple(limits))


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
