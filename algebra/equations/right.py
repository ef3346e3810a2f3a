"""X o B = C: from what X is at the values of B to a layout of it.

The strides of X are linear in the digits of B's values: once the extents of its modes are chosen, they follow. The
modes are found one by one, and extents that contradict the values are left at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ..base.derivations import recorder
from ..base.effort import Budget, spend
from ..finding.criteria import layout_of_bits, swizzle_form, swizzles
from ..operations.xor_inverse import reduced
from ..values.coalesce import unwrap
from ..values.codomain import profile_of
from ..values.htuple import HTuple
from ..values.layout import Layout, nested
from ..values.lifting import Lifted
from ..values.semimodule import Coordinate, Xor
from ..values.swizzle import Composed
from ..values.tensor import Tensor
from .chains import Chain, Chains
from .digits import Row, minus
from .solution import (
    FEW,
    MANY,
    NO_LAYOUT,
    NONE,
    SOLVED,
    TRIES,
    UNDECIDED,
    Solution,
    coordinate_text,
    listed,
    measure,
    tell_choice,
)

__all__ = ["left_factor"]

Paths: TypeAlias = list[tuple[int, ...]]


def left_factor(inner: Lifted, wanted: Lifted) -> Solution:
    """X with ``X o inner = wanted``: the one of fewest modes, then of the smallest codomain.

    Law: ``X(inner(c)) = wanted(c)`` and ``inner(c)`` lies in the domain of X for all c.

    >>> str(left_factor(Layout((4, 6), (6, 1)), Layout((4, 6), (8, 1))).value)
    '(6,4):(1,8)'
    >>> left_factor(Layout((3, 3), (1, 1)), Layout((3, 3), (1, 3))).witness["indices"]
    [1, 3]
    """
    points, values = listed(inner, "solve_left"), listed(wanted, "solve_left")
    if len(points) != len(values):
        reason = f"X o B has the {len(points)} values of B, C has {len(values)}"
        return Solution(NONE, reason=reason, witness={"sizes": [len(points), len(values)]})
    paths = sorted({path for p in points if isinstance(p, Coordinate) for path, _ in p.terms}) or [()]
    known: dict[tuple[int, ...], int] = {}
    for c, point in enumerate(points):
        at = _entries(point, paths)
        if min(at) < 0:
            reason = f"B{coordinate_text(c, inner)} = {point} is no index of a layout"
            return Solution(NONE, reason=reason, witness={"index": c})
        if values[known.setdefault(at, c)] != values[c]:
            return _torn(point, [known[at], c], (inner, wanted), values)
    rows = [Row(at, (), values[c]) for at, c in known.items()]
    if (trace := recorder.get()) is not None:
        trace.step("known", found=[(at, values[c]) for at, c in sorted(known.items())[:FEW]], size=len(rows))
    return _Factor(rows, paths, _hints(inner)).solution()


def _entries(point: Any, paths: Paths) -> tuple[int, ...]:
    """A value of B as the entries of a coordinate of X."""
    if isinstance(point, Coordinate):
        return tuple([point.axis(path) for path in paths])
    return (point,) if paths == [()] else (0,) * len(paths)


def _torn(point: Any, indices: list[int], layouts: tuple[Lifted, Lifted], values: Sequence[Any]) -> Solution:
    """B has one value at two coordinates, C has two."""
    (b1, b2), (c1, c2) = ([coordinate_text(i, layout) for i in indices] for layout in layouts)
    first, second = (str(values[i]) for i in indices)
    reason = f"B{b1} = B{b2} = {point}, but C{c1} = {first} and C{c2} = {second}"
    facts = {"index": indices[0], "other": indices[1], "same": str(point), "first": first, "second": second}
    return Solution(NONE, reason=reason, witness={"indices": indices, **facts})


def _hints(inner: Lifted) -> list[int]:
    """Where the modes of X are likely to end: at the strides of B, and where its modes end."""
    if isinstance(inner, Tensor):
        return _hints(inner.layout) if inner.layout is not None else []
    found: set[int] = set()
    for s, d in zip(*(inner if isinstance(inner, Layout) else inner.layout).flat(), strict=True):
        parts = [c for _, c in d.terms] if isinstance(d, Coordinate) else [d.value if isinstance(d, Xor) else d]
        found.update(x for c in parts for x in (c, s * c))
    return sorted(found)


class _Factor:
    """The search for X, from the rows that are known of it."""

    def __init__(self, rows: list[Row], paths: Paths, hints: list[int]) -> None:
        self.rows, self.paths, self.hints = rows, paths, hints
        self.budget = Budget(TRIES)
        self.is_complete = True

    def solution(self) -> Solution:
        found = self._strided(self.rows) or self._xored() or self._swizzled()
        if found:
            found.sort(key=measure)
            tell_choice(found)
            # A search that was ended may not have seen all.
            count = 0 if self.budget.is_spent or not self.is_complete else len(found)
            return Solution(SOLVED, found[0], tuple(found[1:MANY]), count, self._freedom(found[0]))
        if self.budget.is_spent or not self.is_complete:
            reason = f"a function solves it; the search for a layout ended after {TRIES} values"
            return Solution(UNDECIDED, reason=reason if self.budget.is_spent else _TOO_LARGE)
        row, kept = self._fault()
        if self.budget.is_spent:
            return Solution(NO_LAYOUT, reason="a function solves it, and no layout")
        at = row.at[0] if len(row.at) == 1 else row.at
        reason = f"a function solves it, and no layout: before X({at}) = {row.value} it could be {kept}, with it none"
        return Solution(NO_LAYOUT, reason=reason, witness={"at": at, "value": str(row.value), "kept": str(kept)})

    def _fault(self) -> tuple[Row, Any]:
        """The first value of X, in order of its index, that no layout has together with those before it.

        If first values have a layout, fewer of them have one, so that halving finds the last ones that do.
        """
        rows = sorted(self.rows)
        low, high, kept = 1, len(rows), [Layout(1, 0)]
        while high - low > 1:
            middle = (low + high) // 2
            if found := self._strided(rows[:middle]):
                low, kept = middle, found
            else:
                high = middle
        return rows[high - 1], kept[0]

    def _strided(self, rows: list[Row]) -> list[Any]:
        """Integer or coordinate strides, over an offset where they alone do not do it."""
        origin = next((row.value for row in rows if not any(row.at)), None)
        if origin:
            moved = [row._replace(value=minus(row.value, origin)) for row in rows]
            return [Tensor(origin, x) for _, x in self._layouts(moved)]
        plain = [x for _, x in self._layouts(rows)]
        if plain or origin is not None:
            return plain
        # B never is 0: the value there is one more unknown.
        return [Tensor(offset[0], x) for offset, x in self._layouts([row._replace(digits=(1,)) for row in rows])]

    def _layouts(self, rows: Sequence[Row]) -> list[tuple[list[Any], Layout]]:
        """The layouts of fewest modes with the values of the rows, each after the strides of digits open before."""
        search = Chains(rows, self.hints, self.budget)
        found = [(before, self._layout(chain)) for chain, before in search.fewest()]
        self.is_complete = self.is_complete and search.is_complete
        return found

    def _layout(self, chain: Chain) -> Layout:
        modes: dict[tuple[int, ...], list[Any]] = {path: [] for path in self.paths}
        for axis, radix, stride in chain:
            modes[self.paths[axis]].append((radix, stride))
        return _shaped(profile_of(self.paths), (), {path: unwrap(found) for path, found in modes.items()})

    def _xored(self) -> list[Any]:
        """A swizzle or XOR strides: the images of the bits of X's coordinates, by elimination over F2."""
        if any(type(row.value) is not int or row.value < 0 for row in self.rows):
            return []
        widths = [max(entries).bit_length() for entries in zip(*(row.at for row in self.rows), strict=True)]
        spend(len(self.rows) * sum(widths))
        packed = [(row.value, _packed(row.at, widths)) for row in self.rows]
        basis = reduced(packed)
        images = [basis[p][1] if p in basis else 0 for p in range(sum(widths))]
        if any(_image(at, images) != value for value, at in packed):
            return []
        bits = [images[sum(widths[:i]) : sum(widths[: i + 1])] for i, _ in enumerate(widths)]
        if self.paths == [()] and (swizzled := swizzle_form(bits)) is not None:
            return [Composed(swizzled.swizzle, 0, swizzled.layout[0])]
        modes = {p: layout_of_bits([list(map(Xor.of, part))])[0] for p, part in zip(self.paths, bits, strict=True)}
        return [_shaped(profile_of(self.paths), (), modes)]

    def _swizzled(self) -> list[Any]:
        """X = Sw o L: then L o B = Sw o C."""
        if any(type(row.value) is not int or row.value < 0 or (row.value and not any(row.at)) for row in self.rows):
            return []
        for swizzle in swizzles(max(row.value for row in self.rows).bit_length()):
            if self.budget.is_spent:
                break
            spend(len(self.rows))
            moved = [row._replace(value=swizzle(row.value)) for row in self.rows]
            if found := [Composed(swizzle, 0, x) for _, x in self._layouts(moved)]:
                return found
        return []

    def _freedom(self, value: Any) -> str:
        """Where X may be anything."""
        free = value.size - len(self.rows)
        return f"X may be anything at {free} of its {value.size} coordinates, which are no values of B" if free else ""


_TOO_LARGE = "a function solves it; the values of B are too far apart to try all extents of modes"


def _shaped(profile: HTuple, path: tuple[int, ...], modes: dict[tuple[int, ...], Layout]) -> Layout:
    """The layout whose mode at each path is the given one, 1:0 where none is."""
    if path in modes:
        return modes[path]
    if not isinstance(profile, tuple):
        return Layout(1, 0)
    return nested([_shaped(mode, (*path, i), modes) for i, mode in enumerate(profile)])


def _packed(at: tuple[int, ...], widths: Sequence[int]) -> int:
    """The bits of a coordinate's entries one after another."""
    found = start = 0
    for entry, width in zip(at, widths, strict=True):
        found |= entry << start
        start += width
    return found


def _image(at: int, images: Sequence[int]) -> int:
    value = 0
    for p, image in enumerate(images):
        if at >> p & 1:
            value ^= image
    return value
