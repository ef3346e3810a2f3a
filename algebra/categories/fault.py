"""The mode of a composition that is at fault, the boundary that it straddles, and the nearest modes that work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import gcd, isqrt
from typing import Any

from ..base.errors import LayoutError
from ..base.record import Record
from ..operations.composition import composition
from ..values.htuple import leaf_paths, unflatten
from ..values.layout import Layout, make

TRIALS = 1 << 12
"""Divisors are looked for among this many candidates and their cofactors."""

STEPS = 16
"""How many neighbours in each direction are tried before a direction is given up."""


class Fault(Record):
    """A mode s:d of the inner layout whose start d or extent s*d is incomparable with a boundary P of the outer one.

    ``path`` leads to the mode, ``number`` counts the boundary (the product of so many coalesced outer modes).
    ``nearest`` holds the strides (for a start) or sizes (for an extent) next to the present one with which the mode
    composes, ``modes`` the modes themselves, and ``suggestions`` the whole inner layouts that compose. ``ragged``:
    the boundary is the outer's end, which CuTe does not mind.
    """

    path: tuple[int, ...]
    size: int
    stride: int
    part: str
    boundary: int
    number: int
    ragged: bool
    nearest: tuple[int, ...] = ()
    suggestions: tuple[Layout, ...] = ()

    @property
    def mode(self) -> str:
        """The mode as text."""
        return f"{self.size}:{self.stride}"

    @property
    def value(self) -> int:
        """The start d or the extent s*d."""
        return self.stride if self.part == "start" else self.size * self.stride

    @property
    def gcd(self) -> int:
        """Of the value and the boundary."""
        return gcd(self.value, self.boundary)

    @property
    def modes(self) -> tuple[str, ...]:
        """The nearest modes that compose, as text."""
        if self.part == "start":
            return tuple(f"{self.size}:{d}" for d in self.nearest)
        return tuple(f"{s}:{self.stride}" for s in self.nearest)

    def __str__(self) -> str:
        what = "start" if self.part == "start" else f"extent {self.size}*{self.stride} ="
        if self.ragged:
            where = f"inside the outer's last mode (ragged, the outer has size {self.boundary})"
            return f"mode {self.mode}: its {what} {self.value} ends {where}"
        text = f"mode {self.mode}: its {what} {self.value} straddles the boundary {self.boundary} (gcd {self.gcd})"
        return text + (f"; {' and '.join(self.modes)} would work" if self.modes else "")

    def as_json(self) -> dict[str, Any]:
        """The numbers, and the nearest modes as text."""
        return {
            "path": list(self.path),
            "mode": self.mode,
            "part": self.part,
            "value": self.value,
            "boundary": self.boundary,
            "boundary_number": self.number,
            "gcd": self.gcd,
            "ragged": self.ragged,
            "nearest": list(self.nearest),
            "modes": list(self.modes),
            "suggestions": [str(x) for x in self.suggestions],
        }


def boundary_fault(
    outer: Layout, inner: Layout, leaf: int, part: str, boundary: int, chain: list[int], *, ragged: bool
) -> Fault:
    """The fault of one leaf, with the nearest repairs; ``chain`` holds the outer's internal boundaries.

    >>> outer = Layout((4, 3), (1, 5))
    >>> print(boundary_fault(outer, Layout(3, 2), 0, "extent", 4, [4], ragged=False))
    mode 3:2: its extent 3*2 = 6 straddles the boundary 4 (gcd 2); 2:2 and 4:2 would work
    """
    shape, stride = inner.flat()
    s, d = shape[leaf], stride[leaf]
    path = list(leaf_paths(inner.shape))[leaf]
    number = chain.index(boundary) + 1 if boundary in chain else len(chain) + 1
    if ragged:
        return Fault(path, s, d, part, boundary, number, ragged)
    if part == "start":
        nearest = _working(d, chain, lambda x: _composes(outer, make(s, x)))
    else:
        # d lies in the chain, so s*d does exactly when s lies in the chain as seen from d.
        scaled = [p // d for p in chain if p > d and p % d == 0]
        nearest = _working(s, scaled, lambda x: x > 1 and _composes(outer, make(x, d)))
    repaired = (replaced(inner, leaf, *((s, x) if part == "start" else (x, d))) for x in nearest)
    suggestions = tuple(x for x in repaired if _composes(outer, x))
    return Fault(path, s, d, part, boundary, number, ragged, nearest, suggestions)


def replaced(layout: Layout, leaf: int, s: int, d: int) -> Layout:
    """The layout with one leaf changed to s:d."""
    shape, stride = map(list, layout.flat())
    shape[leaf], stride[leaf] = s, d
    return make(unflatten(shape, layout.shape), unflatten(stride, layout.shape))


def _composes(outer: Layout, inner: Layout) -> bool:
    try:
        composition(outer, inner)
    except LayoutError:
        return False
    return True


def _working(x: int, chain: list[int], works: Callable[[int], bool]) -> tuple[int, ...]:
    """The nearest values below and above x that are comparable with the whole chain and pass the test."""
    found = []
    for direction in (-1, 1):
        value = x
        for _ in range(STEPS):
            following = neighbours(value, chain)[direction > 0]
            if following is None:
                break
            value = following
            if works(value):
                found.append(value)
                break
    return tuple(found)


def neighbours(x: int, chain: list[int]) -> tuple[int | None, int | None]:
    """The nearest values below and above x that are comparable with every member of a divisibility chain.

    Law: such a value is ``P_(k-1)*q`` with q a divisor of ``P_k/P_(k-1)``, or a multiple of the last member.

    >>> neighbours(5, [4, 24]), neighbours(1, [4]), neighbours(30, [4, 24])
    ((4, 8), (None, 2), (24, 48))
    """
    below: int | None = None
    above: int | None = None
    start = 1
    for end in chain:
        for q in _divisors(end // start):
            y = start * q
            if y < x and (below is None or y > below):
                below = y
            elif y > x and (above is None or y < above):
                above = y
        start = end
    last = (x - 1) // start * start
    if last >= start and (below is None or last > below):
        below = last
    following = (x // start + 1) * start
    if above is None or following < above:
        above = following
    return below, above


def _divisors(n: int) -> Iterator[int]:
    for q in range(1, min(isqrt(n), TRIALS) + 1):
        if n % q == 0:
            yield q
            yield n // q
