"""Random layouts over the three semimodules, and the values of a layout computed from the definition alone."""

from __future__ import annotations

from math import prod
from typing import Any

from hypothesis import strategies as st

from laycalc.algebra.values.htuple import flatten, map_leaves
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.shape import crd2idx

SEMIMODULES = ("Z", "Z^P", "F2")

# -- the oracle: plain tuples and integers, none of the algebra's arithmetic ------------------------------------


def digits(index: int, extents: tuple[int, ...]) -> list[int]:
    """The flat coordinate of an index; the last entry takes what is left."""
    found = []
    for extent in extents[:-1]:
        found.append(index % extent)
        index //= extent
    return [*found, index] if extents else []


def multiple(n: int, d: Any) -> Any:
    """n*d: an integer, a dictionary path -> coefficient, or ("f", k) by carry-less multiplication."""
    if isinstance(d, Coordinate):
        return {path: n * c for path, c in d.terms}
    if isinstance(d, Xor):
        total = 0
        for bit in range(n.bit_length()):
            if n >> bit & 1:
                total ^= d.value << bit
        return ("f", total)
    return n * d


def total(parts: list[Any]) -> Any:
    """The sum of what `multiple` returns, as a hashable value; zero is 0 in every semimodule."""
    if any(isinstance(p, dict) for p in parts):
        axes: dict[Any, int] = {}
        for part in parts:
            for path, c in part.items() if isinstance(part, dict) else ():
                axes[path] = axes.get(path, 0) + c
        return tuple(sorted((p, c) for p, c in axes.items() if c)) or 0
    if any(isinstance(p, tuple) for p in parts):
        value = 0
        for part in parts:
            value ^= part[1] if isinstance(part, tuple) else part
        return ("f", value) if value else 0
    return sum(parts)


def brute(layout: Layout, index: int) -> Any:
    """L(index) from the definition."""
    shape, stride = flatten(layout.shape), flatten(layout.stride)
    return total([multiple(n, d) for n, d in zip(digits(index, shape), stride, strict=True)])


def brute_values(layout: Layout) -> list[Any]:
    """All values in order of the index, from the definition."""
    return [brute(layout, i) for i in range(prod(flatten(layout.shape)))]


def plain(element: Any) -> Any:
    """An element of the algebra in the form of the oracle."""
    if isinstance(element, Coordinate):
        return tuple(sorted(element.terms))
    return ("f", element.value) if isinstance(element, Xor) else element


def by_axis(k: Any, shape: Any, profile: Any) -> Any:
    """A coordinate of the domain of an inverse as one of the codomain: the modes of one axis are one integer."""
    if not isinstance(profile, tuple):
        return crd2idx(k, shape)
    return tuple(by_axis(c, s, p) for c, s, p in zip(k, shape, profile, strict=True))


# -- strategies -------------------------------------------------------------------------------------------------


def shapes(extents: st.SearchStrategy[int], max_rank: int = 3) -> st.SearchStrategy[Any]:
    """Nested shapes of at most 256 elements, depth at most 3, 1-tuples included."""
    nested = st.recursive(
        extents, lambda inner: st.lists(inner, min_size=1, max_size=max_rank).map(tuple), max_leaves=5
    )
    return nested.filter(lambda shape: prod(flatten(shape)) <= 256)


def _fill(shape: Any, strides: st.SearchStrategy[Any]) -> st.SearchStrategy[Layout]:
    count = len(flatten(shape))
    return st.lists(strides, min_size=count, max_size=count).map(lambda found: with_strides(shape, found))


def with_strides(shape: Any, strides: Any) -> Layout:
    """The layout of a shape with strides given leaf by leaf."""
    rest = iter(strides)
    return Layout(shape, map_leaves(lambda _: next(rest), shape))


EXTENTS = st.sampled_from([1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8])
BINARY = st.sampled_from([1, 2, 2, 2, 4, 4, 8])
INTEGERS = st.one_of(st.sampled_from([0, 1, 2, 3, 4, 6, 8, 12, 16, 24]), st.integers(0, 40))
SIGNED = st.one_of(INTEGERS, st.integers(-12, 12))
AXES = st.sampled_from([(0,), (1,), (2, 0), (2, 1)])
BASIS = st.builds(lambda path, c: Coordinate.of([(path, c)]), AXES, st.sampled_from([0, 1, 1, 2, 3, 4, 8]))
COORDINATES = st.one_of(BASIS, BASIS, st.builds(lambda a, b: a + b, BASIS, BASIS))
XORS = st.integers(0, 31).map(Xor.of)


@st.composite
def compact_layouts(draw: st.DrawFn, extents: st.SearchStrategy[int] = EXTENTS) -> Layout:
    """A bijection onto 0..size-1: prefix products in any order of the leaves."""
    shape = draw(shapes(extents))
    leaves = flatten(shape)
    strides: list[int] = [0] * len(leaves)
    current = 1
    for i in draw(st.permutations(range(len(leaves)))):
        strides[i] = current
        current *= leaves[i]
    return with_strides(shape, strides)


@st.composite
def padded_layouts(draw: st.DrawFn) -> Layout:
    """An injective layout: each stride, in some order, a multiple of the extent below it, perhaps with gaps."""
    shape = draw(shapes(EXTENTS))
    leaves = flatten(shape)
    strides: list[int] = [0] * len(leaves)
    current = 1
    for i in draw(st.permutations(range(len(leaves)))):
        strides[i] = current * draw(st.integers(1, 3))
        current = strides[i] * leaves[i]
    return with_strides(shape, strides)


def integer_layouts(strides: st.SearchStrategy[int] = INTEGERS) -> st.SearchStrategy[Layout]:
    """Layouts over Z: arbitrary, compact and padded ones."""
    return st.one_of(shapes(EXTENTS).flatmap(lambda s: _fill(s, strides)), compact_layouts(), padded_layouts())


def coordinate_layouts(strides: st.SearchStrategy[Any] = COORDINATES) -> st.SearchStrategy[Layout]:
    """Layouts over Z^P."""
    return shapes(EXTENTS).flatmap(lambda s: _fill(s, strides))


def xor_layouts(extents: st.SearchStrategy[int] = EXTENTS) -> st.SearchStrategy[Layout]:
    """Layouts over F2; binary ones with the extents ``BINARY``."""
    return shapes(extents).flatmap(lambda s: _fill(s, XORS))


def layouts(semimodule: str) -> st.SearchStrategy[Layout]:
    """Layouts over a semimodule."""
    return {"Z": integer_layouts(), "Z^P": coordinate_layouts(), "F2": xor_layouts()}[semimodule]


@st.composite
def any_layouts(draw: st.DrawFn) -> Layout:
    """Layouts over any of the three semimodules."""
    return draw(layouts(draw(st.sampled_from(SEMIMODULES))))


@st.composite
def coordinates_of(draw: st.DrawFn, shape: Any, free: bool = False) -> Any:
    """A coordinate weakly congruent with ``shape``, in bounds; with ``free`` some parts are None."""
    if free and draw(st.booleans()):
        return None
    if not isinstance(shape, tuple) or draw(st.integers(0, 3)) == 0:
        return draw(st.integers(0, prod(flatten(shape)) - 1))
    return tuple(draw(coordinates_of(mode, free)) for mode in shape)
