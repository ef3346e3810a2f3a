"""What would help an access: a swizzle, a padding, or a swizzle in other units; with what each access costs then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.record import Record

if TYPE_CHECKING:
    from laycalc.algebra.values.layout import Layout
    from laycalc.algebra.values.swizzle import Composed, Swizzle

    from ..memory.patterns import Survey

__all__ = ["Padding", "Suggestion", "SwizzleFix", "WrongUnits"]

Cost = tuple[int, int]
"""(wavefronts, the fewest that would do) of one access."""


class SwizzleFix(Record):
    """The swizzle that helps most: on byte offsets, on element offsets, and the layout that has it.

    ``free`` says that no conflict is left, ``each`` what every access costs, ``sectors`` the requests of cp.async.cg.
    """

    bytes: Swizzle
    elements: Swizzle
    layout: Composed
    wavefronts: int
    free: bool
    each: tuple[Cost, ...]
    sectors: tuple[int | None, ...]


class Padding(Record):
    """Elements added after every ``pitch`` elements that help most, and the layout that has them.

    ``storage`` is its cosize in elements, ``overhead`` the part that the padding adds to a pitch, ``each`` what every
    access costs.
    """

    elements: int
    bytes: int
    pitch: int
    layout: Layout
    storage: int
    overhead: float
    wavefronts: int
    free: bool
    each: tuple[Cost, ...]
    sectors: tuple[int | None, ...]


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
    """What the accesses cost as the layout is, and what would help; None where the search finds nothing better.

    ``whole`` is False where the budget ended before all swizzles and paddings were counted.
    """

    before: Survey
    swizzle: SwizzleFix | None
    padding: Padding | None
    units: WrongUnits | None
    whole: bool = True

    def gain(self, fix: SwizzleFix | Padding) -> int:
        """The wavefronts that a fix saves."""
        return self.before.wavefronts - fix.wavefronts

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
                "gain": self.gain(fix),
                "free": fix.free,
                "accesses": _each(fix),
            },
            "padding": pad
            and {
                "elements": pad.elements,
                "bytes": pad.bytes,
                "pitch": pad.pitch,
                "layout": str(pad.layout),
                "overhead": pad.overhead,
                "wavefronts": pad.wavefronts,
                "gain": self.gain(pad),
                "free": pad.free,
                "accesses": _each(pad),
            },
            "units": str(self.units) if self.units else None,
            "whole": self.whole,
        }


def _each(fix: SwizzleFix | Padding) -> list[dict[str, int]]:
    return [
        {"wavefronts": cost, "ideal": ideal} | ({} if sectors is None else {"sectors": sectors})
        for (cost, ideal), sectors in zip(fix.each, fix.sectors, strict=True)
    ]
