"""The smallest swizzle and the smallest padding that make given accesses free of bank conflicts, found by search.

A swizzle ``Sw<B,M,S>`` acts on byte offsets here, x ^ ((x >> S) & mask of B bits at M); on offsets in elements of 2^k
bytes it is ``Sw<B,M-k,S>``. The search goes by B, then M, then S, and keeps the vectors whole (2^M is at least their
bytes) and the storage as large as it is. Every answer is checked with the bank model on the layout that it names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.base.record import Record
from laycalc.algebra.values.htuple import map_leaves
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle

from ..instructions.refusal import argument
from .banks import BANKS, WORD, Access, Operation, operation, wavefronts
from .patterns import Pattern, Survey, accesses, survey

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from laycalc.algebra.values.tensor import Tensor

__all__ = ["Padding", "Suggestion", "SwizzleFix", "WrongUnits", "smallest_swizzle", "suggest", "wrong_units"]

LINE = BANKS * WORD


class SwizzleFix(Record):
    """A swizzle that frees the accesses: on byte offsets, on element offsets, and the layout that has it."""

    bytes: Swizzle
    elements: Swizzle
    layout: Composed
    wavefronts: int


class Padding(Record):
    """Elements added after every ``pitch`` elements that free the accesses, and the layout that has them.

    ``storage`` is its cosize in elements, ``overhead`` the part that the padding adds to a pitch.
    """

    elements: int
    bytes: int
    pitch: int
    layout: Layout
    storage: int
    overhead: float
    wavefronts: int


class WrongUnits(Record):
    """A swizzle that is right in units of ``unit`` bytes, over offsets that count elements of ``element`` bytes."""

    given: Swizzle
    meant: Swizzle
    unit: int
    element: int

    def __str__(self) -> str:
        units = "bytes" if self.unit == 1 else f"elements of {self.unit} bytes"
        own = "bytes" if self.element == 1 else f"elements of {self.element} bytes"
        return f"{self.given} is written for offsets in {units}; these are in {own}, so it is {self.meant}"


class Suggestion(Record):
    """What the accesses cost as the layout is, and what would make them free; None where the search finds nothing."""

    before: Survey
    swizzle: SwizzleFix | None
    padding: Padding | None
    units: WrongUnits | None

    def as_dict(self) -> dict[str, Any]:
        """The suggestion as plain data for JSON."""
        fix, pad = self.swizzle, self.padding
        return {
            "before": self.before.as_dict(),
            "swizzle": fix
            and {
                "elements": str(fix.elements),
                "bytes": str(fix.bytes),
                "layout": str(fix.layout),
                "wavefronts": fix.wavefronts,
            },
            "padding": pad
            and {
                "elements": pad.elements,
                "bytes": pad.bytes,
                "pitch": pad.pitch,
                "layout": str(pad.layout),
                "overhead": pad.overhead,
                "wavefronts": pad.wavefronts,
            },
            "units": str(self.units) if self.units else None,
        }


def suggest(layout: Layout | Composed | Tensor, patterns: Sequence[Pattern]) -> Suggestion:
    """The smallest swizzle and the smallest padding of a layout that make every pattern free of conflicts.

    A swizzle that the layout has already is replaced. Law: with S the answer, ``survey(accesses(S, p)).free`` for every
    pattern p. LC103 for patterns of different element widths, and what `accesses` refuses.

    >>> found = suggest(Layout((32, 64), (64, 1)), [Pattern(16, 8, "column")])
    >>> str(found.swizzle.elements), str(found.swizzle.bytes), found.padding.elements
    ('Sw<3,3,3>', 'Sw<3,4,3>', 8)
    """
    if len({p.bits for p in patterns}) != 1:
        raise argument(
            "banks", "one layout has one element width, not {widths}", widths=sorted({p.bits for p in patterns})
        )
    units = wrong_units(layout, patterns) if isinstance(layout, Composed) else None
    plain = layout if isinstance(layout, Layout) else layout.layout
    offset = 0 if isinstance(layout, Layout) else layout.offset
    if not isinstance(plain, Layout) or not isinstance(offset, int):
        raise argument("banks", "no swizzle is sought for {layout}, only for a layout at an offset", layout=str(layout))
    try:
        before = _survey(layout, patterns)
    except LayoutError:
        if units is None:
            raise
        # The swizzle cuts the vectors: what it should have been is the answer, and the plain layout the comparison.
        before = _survey(plain, patterns)
    if before.free:
        return Suggestion(before, None, None, None)
    return Suggestion(before, _swizzle(plain, offset, patterns), _padding(plain, patterns), units)


def _survey(layout: Layout | Composed | Tensor, patterns: Sequence[Pattern]) -> Survey:
    return survey(access for pattern in patterns for access in accesses(layout, pattern))


def _swizzle(plain: Layout, offset: int, patterns: Sequence[Pattern]) -> SwizzleFix | None:
    bits = patterns[0].bits
    linear = Composed(Swizzle(0, 0, 0), offset, plain)
    found = [access for pattern in patterns for access in accesses(linear, pattern)]
    storage = max(a + operation(x.op).bytes for x in found for a in x.offsets if a is not None)
    for swizzle in _free_swizzles(found, storage):
        base = swizzle.base + (1 if bits == 4 else 1 - (bits // 4).bit_length() + 1)
        elements = Swizzle(swizzle.bits, base, swizzle.shift)
        made = Composed(elements, offset, plain)
        checked = _survey(made, patterns)
        if checked.free:
            return SwizzleFix(swizzle, elements, made, checked.wavefronts)
    return None


def smallest_swizzle(found: Sequence[Access]) -> Swizzle | None:
    """The smallest swizzle of byte offsets that makes the accesses free; ``Sw<0,0,0>`` if they are, None if none does.

    It keeps the offsets within the 128-byte lines that they touch.

    >>> str(smallest_swizzle([Access("ld4", tuple(128 * t for t in range(32)))]))
    'Sw<5,2,5>'
    """
    reach = max((a + operation(x.op).bytes for x in found for a in x.offsets if a is not None), default=0)
    return next(_free_swizzles(found, -(-reach // LINE) * LINE), None)


def _free_swizzles(found: Sequence[Access], storage: int) -> Iterator[Swizzle]:
    """The swizzles that free all accesses and stay below ``storage`` bytes, smallest first."""
    pending = [(operation(a.op), a.offsets) for a in dict.fromkeys(found)]
    widest = max((op.bytes for op, _ in pending), default=1)
    if all(_is_free(*item) for item in pending):
        yield Swizzle(0, 0, 0)
        return
    keep, line = widest.bit_length() - 1, LINE.bit_length() - 1
    for bits in range(1, line - keep + 1):
        for base in range(keep, line - bits + 1):
            for shift in range(bits, storage.bit_length()):
                swizzle = Swizzle(bits, base, shift)
                if _frees(swizzle, pending, storage):
                    yield swizzle


_Item = tuple[Operation, tuple["int | None", ...]]


def _frees(swizzle: Swizzle, pending: list[_Item], storage: int) -> bool:
    for i, (op, offsets) in enumerate(pending):
        moved = tuple(None if a is None else swizzle(a) for a in offsets)
        if any(a is not None and a + op.bytes > storage for a in moved) or not _is_free(op, moved):
            # What refuted this one is likely to refute the next: look at it first.
            pending.insert(0, pending.pop(i))
            return False
    return True


def _is_free(op: Operation, offsets: tuple[int | None, ...]) -> bool:
    total, least = wavefronts(op, offsets)
    return total == least


def _padding(plain: Layout, patterns: Sequence[Pattern]) -> Padding | None:
    bits = patterns[0].bits
    if plain.semimodule != "Z":
        return None
    best: Padding | None = None
    step = max(p.bytes * 8 // bits for p in patterns)
    for pitch in sorted({d for s, d in zip(*plain.flat(), strict=True) if s > 1 and d > 1}):
        for extra in range(step, LINE * 8 // bits + 1, step):
            made = padded(plain, pitch, extra)
            if made is None:
                break
            size = _storage(made)
            if best is not None and size >= best.storage:
                break
            try:
                checked = _survey(made, patterns)
            except LayoutError:
                continue  # this pitch cuts a vector
            if checked.free:
                best = Padding(extra, extra * bits // 8, pitch, made, size, extra / pitch, checked.wavefronts)
                break
    return best


def padded(layout: Layout, pitch: int, extra: int) -> Layout | None:
    """The layout with ``extra`` elements after every ``pitch`` of its offsets: law ``R(c) = L(c) + extra * (L(c) //
    pitch)``.

    None if a stride beyond the pitch is no multiple of it, or the strides below it reach past it.

    >>> str(padded(Layout((32, 64), (64, 1)), 64, 8))
    '(32,64):(72,1)'
    """
    flat = list(zip(*layout.flat(), strict=True))
    if (
        any(d < 0 or (d >= pitch and d % pitch) for _, d in flat)
        or sum((s - 1) * d for s, d in flat if d < pitch) >= pitch
    ):
        return None
    return Layout(layout.shape, map_leaves(lambda d: d + extra * (d // pitch), layout.stride))


def _storage(layout: Layout) -> int:
    return 1 + sum(int((s - 1) * d) for s, d in zip(*layout.flat(), strict=True))


def wrong_units(layout: Composed, patterns: Sequence[Pattern]) -> WrongUnits | None:
    """Is the layout's swizzle one that would be free of conflicts if its offsets had other units? None if it is free as
    it is.

    >>> print(wrong_units(Composed(Swizzle(3, 4, 3), 0, Layout((32, 64), (64, 1))), [Pattern(16, 8, "column")]))
    Sw<3,4,3> is written for offsets in bytes; these are in elements of 2 bytes, so it is Sw<3,3,3>
    """
    swizzle, bits = layout.swizzle, patterns[0].bits
    if bits < 8 or swizzle.bits == 0 or _works(layout, patterns):
        return None
    element = bits // 8
    # Bytes first, then the common element widths.
    for unit in (1, 2, 4, 8, 16):
        base = swizzle.base + unit.bit_length() - element.bit_length()
        if unit == element or base < 0:
            continue
        meant = Swizzle(swizzle.bits, base, swizzle.shift)
        if _works(Composed(meant, layout.offset, layout.layout), patterns):
            return WrongUnits(swizzle, meant, unit, element)
    return None


def _works(layout: Composed, patterns: Sequence[Pattern]) -> bool:
    try:
        return _survey(layout, patterns).free
    except LayoutError:
        return False
