"""What an equation between layouts has for an answer, and the values that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.derivations import recorder
from ..base.effort import check_listed
from ..base.errors import LayoutError, refuse
from ..base.record import Record
from ..values.htuple import format_htuple
from ..values.layout import Layout
from ..values.lifting import Lifted
from ..values.semimodule import Coordinate, Xor
from ..values.shape import natural

TRIES = 1 << 21
"""Values that the search for one solution may look at."""

MANY = 64
"""Solutions that are kept beside the best."""

FEW = 8
"""Numbers that are told of many."""

SOLVED, NONE, NO_LAYOUT, UNDECIDED = "solution", "none", "no-layout", "undecided"


class Solution(Record):
    """The answer to an equation.

    ``verdict`` is "solution" (``value`` is X), "none" (no function solves it, and ``witness`` shows why), "no-layout"
    (a function does, and no layout has its values), or "undecided" (a function does, and the search for a layout was
    longer than its budget). ``others`` are further solutions with as few modes, of which there are ``count``, X itself
    among them; 0 says that they were not counted. ``freedom`` says what may be changed in X, ``reason`` in words why
    there is no solution, and ``outside`` is the X that would solve the equation if A went on past its end.
    """

    verdict: str
    value: Any = None
    others: tuple[Any, ...] = ()
    count: int = 0
    freedom: str = ""
    reason: str = ""
    witness: dict[str, Any] | None = None
    outside: Any = None

    @property
    def is_unique(self) -> bool:
        """Is no other function a solution?"""
        return self.verdict == SOLVED and self.count == 1 and not self.freedom and self.outside is None


def refusal(found: Solution, op: str) -> LayoutError:
    """The error that an equation without a solution makes: LC316, LC317, LC104 for a search that was given up."""
    code = {NONE: "LC316", UNDECIDED: "LC104"}.get(found.verdict, "LC317")
    facts: dict[str, Any] = {"reason": found.reason, **(found.witness or {})}
    template = "{reason}"
    if found.outside is not None:
        facts["outside"] = str(found.outside)
        template += "; past its end, X = {outside} would do"
    return refuse(code, template, op=op, left_path=(), right_path=(), **facts)


def listed(layout: Lifted, op: str) -> list[Any]:
    """The values in order of the index, comparable between layouts: integers (also of XOR strides), or `Coordinate`.

    LC104 for too many, LC106 if their number is not known.
    """
    check_listed(op, layout.size, "values of {layout}", name="size", layout=str(layout))
    return [v.value if isinstance(v, Xor) else v for v in layout.elements()]


def tell_choice(found: Sequence[Any]) -> None:
    """The solutions with the fewest modes, best first, for whoever wants the derivation."""
    if (trace := recorder.get()) is not None:
        trace.step("choice", count=len(found), modes=measure(found[0])[0], first=list(map(str, found[:FEW])))


def coordinate_text(index: int, layout: Lifted) -> str:
    """The coordinate of an index as it stands behind a layout: (2), (0,1).

    >>> coordinate_text(5, Layout((4, 8))), coordinate_text(2, Layout(8))
    ('(1,1)', '(2)')
    """
    at = natural(index, layout.shape)
    return format_htuple(at) if isinstance(at, tuple) else f"({at})"


def measure(layout: Any) -> tuple[Any, ...]:
    """The order of solutions: the fewest modes, strides that go up, the smallest codomain, the smallest strides."""
    if not isinstance(layout, Layout):
        return measure(layout.layout)
    shape, stride = layout.flat()
    weights = tuple(map(_weight, stride))
    codomain = sum((s - 1) * w for s, w in zip(shape, weights, strict=True))
    return len(shape), any(type(d) is int and d < 0 for d in stride), codomain, weights, shape


def _weight(d: Any) -> int:
    if isinstance(d, Xor):
        return d.value
    return sum(abs(c) for _, c in d.terms) if isinstance(d, Coordinate) else abs(d)
