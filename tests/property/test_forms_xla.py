"""XLA's order and tiles: the layout puts every element where pad, reshape and transpose put it."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from laycalc.algebra.values.shape import size
from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms.compilers.xla_rule import digits, layout, offsets

DIMS = st.lists(st.integers(1, 9), min_size=1, max_size=3)
TILE = st.tuples(st.lists(st.one_of(st.none(), st.integers(1, 6)), max_size=2), st.integers(1, 6))


@given(st.data())
def test_digits_are_the_definition(data: st.DataObject) -> None:
    dims = data.draw(DIMS)
    order = data.draw(st.permutations(range(len(dims))))
    tiles = [[*merged, last] for merged, last in data.draw(st.lists(TILE, max_size=3))]
    try:
        found = layout(dims, digits(dims, order, tiles))
    except Failure:
        return  # a tile that cuts dimensions which do not chain: tabulated or refused
    modes = found.modes() if len(dims) > 1 else (found,)
    assert all(size(m.shape) >= n for m, n in zip(modes, dims, strict=True))
    points = [tuple(reversed(p)) for p in product(*(range(n) for n in reversed(dims)))]
    expected = offsets(dims, order, tiles)
    assert [sum(m(c) for m, c in zip(modes, p, strict=True)) for p in points] == expected
