"""What `why` says about a composition, as data: the level, the fault, the repair, and the answers of the engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.record import Record
from ..values.htuple import format_htuple
from ..values.layout import Layout
from ..values.tiler import Tiler
from .cute import Answer
from .fault import Fault
from .mutual import MutualRefinement

LEVELS = {
    1: "the morphisms compose as they stand",
    2: "the morphisms compose after a mutual refinement",
    3: "the morphisms compose once the outer's last mode is resized",
    4: "no refinement composes the morphisms, but a layout has the values",
    5: "no layout has the values, only the table exists",
}
"""Each level implies the next ones."""


class Overlap(Record):
    """Why the inner layout is not tractable: the extent of ``mode`` does not divide the stride of ``next``."""

    mode: str
    next: str
    extent: int
    remainder: int
    overlap: bool

    def __str__(self) -> str:
        text = f"inner not tractable: mode {self.mode} ends at {self.extent}, no divisor of the stride of {self.next}"
        return text + (", the two overlap" if self.overlap else f" (remainder {self.remainder})")

    def as_json(self) -> dict[str, Any]:
        """The two modes and their numbers."""
        return {
            "mode": self.mode,
            "next": self.next,
            "extent": self.extent,
            "remainder": self.remainder,
            "overlap": self.overlap,
        }


class Carry(Record):
    """Modes of the inner layout whose digits add up beyond one mode of the coalesced outer layout, counted from 1."""

    number: int
    extent: int
    reach: Any
    modes: tuple[str, ...]
    paths: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        where = f"the outer's mode {self.number} of extent {self.extent}"
        return f"modes {', '.join(self.modes)}: their digits reach {self.reach} in {where}, the carry is lost"

    def as_json(self) -> dict[str, Any]:
        """The numbers, the modes as text, and where they stand."""
        return {
            "number": self.number,
            "extent": self.extent,
            "reach": self.reach,
            "modes": list(self.modes),
            "paths": [list(path) for path in self.paths],
        }


class Why(Record):
    """The diagnosis of B o A: how far it gets (``level``, 1 to 5) and what stops it there.

    ``layout`` has the values of the composition (None at level 5), ``composed`` says whether `composition` gives it,
    ``error`` is its code otherwise. ``refinement`` is the smallest refinement that repairs the composition (levels 1
    to 3), ``U`` the outer's coalesced shape before it was resized. ``witness`` is (coordinate, A's value, B's value
    there, mode-wise sum). Out of bounds B is read with its last mode unbounded, as CuTe reads it. With a tiler
    ``modes`` holds one diagnosis a mode.
    """

    outer: Layout
    inner: Layout | Tiler
    level: int
    in_bounds: bool
    decided: bool = True
    layout: Layout | None = None
    composed: bool = True
    error: str = ""
    T: tuple[int, ...] | None = None
    U: tuple[int, ...] = ()
    refinement: MutualRefinement | None = None
    resized: bool = False
    fault: Fault | None = None
    overlap: Overlap | None = None
    carry: Carry | None = None
    witness: tuple[str, str, Any, Any] | None = None
    reach: tuple[int, int] | None = None
    cutlass: Answer | None = None
    dsl: Answer | None = None
    modes: tuple[Why, ...] = ()

    def __str__(self) -> str:
        parts = (self.fault, self.overlap, self.carry)
        engines = (self.cutlass, self.dsl)
        return "\n".join(
            [
                f"level {self.level} of 5: {LEVELS[self.level]}",
                *self._answer(),
                *self._refined(),
                *(str(x) for x in parts if x is not None),
                *self._counterexample(),
                *(str(x) for x in engines if x is not None),
                *(f"mode {i}: " + str(mode).replace("\n", "\n  ") for i, mode in enumerate(self.modes)),
            ]
        )

    def _answer(self) -> Iterator[str]:
        if self.layout is not None:
            yield f"{self.outer} o {self.inner} = {self.layout}" + ("" if self.composed else " by its values")
        if self.reach is not None and not self.in_bounds:
            cosize, size = self.reach
            yield f"out of bounds: the inner layout reaches cosize {cosize}, the outer one has size {size}"

    def _refined(self) -> Iterator[str]:
        if self.refinement is None:
            return
        if self.resized:
            yield f"outer's last mode resized: {format_htuple(self.U)} -> {format_htuple(self.refinement.U)}"
        if self.level > 1:
            yield f"refinement: {self.refinement}"

    def _counterexample(self) -> Iterator[str]:
        if self.witness is not None:
            c, at, value, total = self.witness
            yield f"at coordinate {c} the inner value is {at} and the outer one {value}, not the sum {total}"
        if not self.decided:
            yield "too many values to compare; a layout may yet exist"

    def as_json(self) -> dict[str, Any]:
        """Everything as plain data; what does not apply is left out."""
        facts: dict[str, Any] = {
            "outer": str(self.outer),
            "inner": str(self.inner),
            "level": self.level,
            "meaning": LEVELS[self.level],
            "in_bounds": self.in_bounds,
            "decided": self.decided,
            "layout": None if self.layout is None else str(self.layout),
            "composed": self.composed,
        }
        if self.error:
            facts["error"] = self.error
        if self.T is not None:
            facts |= {"T": format_htuple(self.T), "U": format_htuple(self.U)}
        if self.refinement is not None:
            facts["refinement"] = self.refinement.as_json()
        if self.resized and self.refinement is not None:
            facts["U_resized"] = format_htuple(self.refinement.U)
        for name in ("fault", "overlap", "carry", "cutlass", "dsl"):
            if (part := getattr(self, name)) is not None:
                facts[name] = part.as_json()
        if self.witness is not None:
            facts["witness"] = dict(zip(("coordinate", "inner", "outer", "sum"), map(str, self.witness), strict=True))
        if self.reach is not None:
            facts |= {"cosize_inner": self.reach[0], "size_outer": self.reach[1]}
        if self.modes:
            facts["modes"] = [mode.as_json() for mode in self.modes]
        return facts
