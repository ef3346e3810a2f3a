"""A o X = C: from the indices at which A has a value to the layout of them.

X(c) is an index with A(X(c)) = C(c). Where A has each value once, X is a table, and criterion C3 says what layout it
is. Elsewhere the modes of X are found one by one: the stride of the next one is X at the next boundary, an index with
the value that C has there, and its extent is as large as the values allow, or a divisor of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from ..base.derivations import recorder
from ..base.effort import VALUES, Budget, spend
from ..finding.criteria import swizzles
from ..finding.fit import fit
from ..finding.synthesis import layout_of
from ..values.coalesce import merged, unwrap
from ..values.layout import Layout, make
from ..values.lifting import Lifted
from ..values.semimodule import Coordinate, Xor, clmul
from ..values.swizzle import Composed
from ..values.tensor import Tensor
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

__all__ = ["right_factor"]

Modes: TypeAlias = tuple[tuple[int, int], ...]
Places: TypeAlias = dict[Any, list[int]]

SWIZZLED = 1 << 12
"""Indices of A up to which swizzles of a layout are tried where A has a value at several indices."""


def right_factor(outer: Lifted, wanted: Lifted) -> Solution:
    """X with ``outer o X = wanted``: the one of fewest modes, then of the smallest codomain.

    Law: ``outer(X(c)) = wanted(c)`` and ``0 <= X(c) < size(outer)`` for all c.

    >>> str(right_factor(Layout((16, 8), (8, 1)), Layout(((4, 8), (2, 2)), ((2, 8), (1, 64)))).value)
    '(4,8,2,2):(32,1,16,8)'
    >>> right_factor(Layout((4, 8), (1, 8)), Layout(4, 2)).witness
    {'index': 2, 'value': 4}
    """
    table, values = listed(outer, "solve"), listed(wanted, "solve")
    places: Places = {v: [] for v in values}
    for i, v in enumerate(table):
        if v in places:
            places[v].append(i)
    for c, v in enumerate(values):
        if not places[v]:
            return _nowhere(outer, wanted, c)
    _tell(values, places)
    if all(len(found) == 1 for found in places.values()):
        return _only([places[v][0] for v in values])
    return _chosen(table, values, places)


def _tell(values: list[Any], places: Places) -> None:
    """The indices of the first values of C in A, for whoever wants the derivation."""
    if (trace := recorder.get()) is not None:
        first = [(c, v, tuple(places[v][: FEW + 1])) for c, v in enumerate(values[:FEW])]
        trace.step("places", found=first, size=len(values), unique=all(len(x) == 1 for x in places.values()))


def _nowhere(outer: Lifted, wanted: Lifted, index: int) -> Solution:
    """C takes a value that A does not take."""
    value = wanted(index)
    value = value if isinstance(value, (int, tuple)) else str(value)
    reason = f"C{coordinate_text(index, wanted)} = {value} is no value of A = {outer}"
    beyond = _continued(outer, wanted)
    outside = right_factor(beyond, wanted).value if beyond is not None else None
    return Solution(NONE, reason=reason, witness={"index": index, "value": value}, outside=outside)


def _continued(outer: Lifted, wanted: Lifted) -> Layout | None:
    """A with its last mode long enough for all values of C, None if it is long enough or has no end that matters."""
    if not isinstance(outer, Layout) or not isinstance(wanted, Layout):
        return None
    shape, stride = outer.flat()
    if not shape or outer.semimodule == "F2":
        return None
    extent = max(_steps(value, stride[-1]) for value in wanted.elements()) + 1
    if extent <= shape[-1] or outer.size // shape[-1] * extent > VALUES:
        return None
    return make((*shape[:-1], extent), stride)


def _steps(value: Any, stride: Any) -> int:
    """How many steps of a stride a value can have."""
    if type(stride) is int:
        return value // stride if type(value) is int and stride > 0 else 0
    if not isinstance(value, Coordinate):
        return 0
    return min([value.axis(path) // c for path, c in stride.terms if c > 0], default=0)


def _only(table: list[int]) -> Solution:
    """X where A has each value once: the layout of a table, if there is one."""
    found = fit(table)
    if found.value is not None:
        if (trace := recorder.get()) is not None:
            trace.step("fitted", value=str(found.value))
        return Solution(SOLVED, found.value, count=1)
    first = ", ".join(map(str, table[:FEW])) + (", ..." if len(table) > FEW else "")
    reason = f"a function solves it, and no layout: X is {first} by index; {found.reason}"
    return Solution(NO_LAYOUT, reason=reason, witness={"table": table, "coordinate": found.coordinate})


def _chosen(table: list[Any], values: list[Any], places: Places) -> Solution:
    """X where A has a value at several indices: the best choice of them."""
    budget = Budget(TRIES)
    freedom = _freedom(places)
    for origin in places[values[0]]:
        found: list[Any] = sorted(_Search(table, values, places, origin, budget).fewest(), key=measure)
        if not found and origin == 0 and (modes := _xor_modes(table, values, places, budget)) is not None:
            found = [unwrap(merged(tuple(s for s, _ in modes), tuple(Xor.of(d) for _, d in modes)))]
        if found:
            tell_choice(found)
            kept = [x if origin == 0 else Tensor(origin, x) for x in found[:MANY]]
            # A search that was ended may not have seen all.
            return Solution(SOLVED, kept[0], tuple(kept[1:]), 0 if budget.is_spent else len(found), freedom)
    if (swizzled := _swizzled(table, values, places, budget)) is not None:
        return Solution(SOLVED, swizzled, count=1, freedom=freedom)
    if budget.is_spent:
        reason = f"a function solves it; the search for a layout ended after {TRIES} values"
        return Solution(UNDECIDED, reason=reason)
    reason = "a function solves it, and no layout, whichever of the indices are taken at which A has one value"
    return Solution(NO_LAYOUT, reason=reason, witness={"preimages": [places[v] for v in values]})


def _freedom(places: Places) -> str:
    """What may be added to an index of X without a change of A's value."""
    steps = {tuple(x - found[0] for x in found) for found in places.values()}
    if len(steps) > 1:
        return f"A has some values at up to {max(map(len, steps))} indices, any of which will do"
    return f"{_amounts(*steps)} may be added to the smallest index that has a value"


def _amounts(steps: tuple[int, ...]) -> str:
    """0 and further numbers in words."""
    free = layout_of(steps)
    if free is not None and free.rank == 1 and free.size > 2:
        step = steps[1]
        return f"any multiple of {step} up to {steps[-1]}" if step > 1 else f"any of 0 to {steps[-1]}"
    if len(steps) > FEW:
        return f"any of {len(steps)} numbers up to {steps[-1]}"
    return f"any of {', '.join(map(str, steps))}" if len(steps) > 2 else str(steps[1])


class _Search:
    """The integer layouts X over ``origin`` with A(origin + X(c)) = C(c), by the number of their modes."""

    def __init__(self, table: list[Any], values: list[Any], places: Places, origin: int, budget: Budget) -> None:
        self.table, self.values, self.places = table, values, places
        self.origin, self.budget = origin, budget

    def fewest(self) -> list[Layout]:
        """All solutions with the fewest modes."""
        if len(self.values) == 1:
            return [Layout(1, 0)]
        for depth in range(1, len(self.values).bit_length()):
            found = [unwrap(list(modes)) for modes in self.chains([self.origin], depth)]
            if found or self.budget.is_spent:
                return found
        return []

    def chains(self, known: list[int], depth: int) -> Iterator[Modes]:
        """The modes that continue X from ``known``, its first values, to all of C."""
        weight = len(known)
        left = len(self.values) // weight
        if left == 1:
            yield ()
            return
        for place in self.places[self.values[weight]]:
            if self.budget.is_spent:
                return
            run = self.run(known, place - self.origin, left)
            steps = len(run) // weight
            for extent in (left,) if depth == 1 else range(min(steps, left - 1), 1, -1):
                if extent <= steps and left % extent == 0:
                    for rest in self.chains(run[: weight * extent], depth - 1):
                        yield ((extent, place - self.origin), *rest)

    def run(self, known: list[int], stride: int, left: int) -> list[int]:
        """X as far as steps of ``stride`` have the values of C."""
        weight, table, values = len(known), self.table, self.values
        low, high, end = min(known), max(known), len(table)
        run = list(known)
        spend(weight)
        for k in range(1, left):
            step = k * stride
            if low + step < 0 or high + step >= end:
                break
            spend(weight)
            if [table[x + step] for x in known] != values[k * weight : (k + 1) * weight]:
                break
            run += [x + step for x in known]
        return run


def _xor_modes(table: list[Any], values: list[Any], places: Places, budget: Budget) -> Modes | None:
    """The indices of the bits of c, and of a last digit whose extent is odd, if X is their XOR."""
    total = len(values)
    bits = (total & -total).bit_length() - 1
    extents = [2] * bits + ([total >> bits] if total >> bits > 1 else [])

    def continued(known: list[int], level: int) -> Modes | None:
        if level == len(extents):
            return ()
        weight, extent = len(known), extents[level]
        for place in places[values[weight]]:
            if budget.is_spent:
                return None
            spend(weight * extent)
            run = [x ^ step for step in [clmul(k, place) for k in range(extent)] for x in known]
            if max(run) < len(table) and [table[x] for x in run] == values[: len(run)]:
                rest = continued(run, level + 1)
                if rest is not None:
                    return ((extent, place), *rest)
        return None

    return continued([0], 0)


def _swizzled(table: list[Any], values: list[Any], places: Places, budget: Budget) -> Composed | None:
    """X = Sw o L: then L solves the equation with A o Sw in place of A."""
    size = len(table)
    if size > SWIZZLED or 0 not in places[values[0]]:
        return None
    width = (size - 1).bit_length()
    for swizzle in swizzles(width):
        if budget.is_spent:
            return None
        spend(1 << width)
        moved = [table[x] if x < size else None for x in swizzle.images(range(1 << width))]
        there = {v: sorted(swizzle.images(found)) for v, found in places.items()}
        if layouts := _Search(moved, values, there, 0, budget).fewest():
            return Composed(swizzle, 0, min(layouts, key=measure))
    return None
