"""The module with pycute's names: its conventions, what it refuses, and its answers beside those of pycute."""

from __future__ import annotations

import importlib.util
import random
import subprocess
import sys
from typing import Any

import pytest

import laycalc as lc
from laycalc.compat import pycute as ours

L = ours.Layout


def test_a_star_import_has_every_name() -> None:
    space: dict[str, Any] = {}
    exec("from laycalc.compat.pycute import *", space)
    assert not set(ours.__all__) - set(space)
    assert ours.__all__ == sorted(ours.__all__)


def test_an_installed_module_is_pycute() -> None:
    program = (
        "import laycalc.compat.pycute as ours; ours.install()\n"
        "from pycute import *; from pycute.layout import cosize\n"
        "print(composition(Layout((4, 8)), 4), size(Layout((4, 8))), cosize is ours.cosize)"
    )
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert made.stdout == "4:1 32 True\n"


def test_tuples() -> None:
    assert (ours.product(((2, 3), 4)), ours.product(5)) == (24, 5)
    assert ours.inner_product(((2, 3), 4), ((2, 1), 2)) == 15
    assert ours.shape_div((6, (3, 4)), 36) == (1, (1, 2))
    assert ours.shape_div((3, 4), 36) == (1, 1)
    assert ours.prefix_product(((2, 3), 4), (1, 10)) == ((1, 2), 10)
    assert ours.tuple_max((3, (9, 2))) == 9 and ours.signum(-4) == -1
    assert ours.idx2crd(40, (4, 8)) == (0, 2)
    assert ours.crd2idx((2, None), (4, 8)) == 2
    assert ours.crd2crd((1, 2), 32, (4, 8)) == 9
    assert ours.slice_((2, (None, None)), (4, (2, 3))) == (2, 3)
    assert [ours.is_int(x) for x in (1, True, 1.0)] == [True, False, False]


def test_layouts() -> None:
    row = L((4, 8), (8, 1))
    assert (row.size(), row.cosize(), len(row), row(2, 5), str(row)) == (32, 32, 2, 21, "(4, 8):(8, 1)")
    assert row(2, None) == L((8,), (1,)) and row[1] == L(8, 1)
    assert eval(repr(row), {"Layout": L}) == row
    assert ours.slice_and_offset((2, None), row) == (L((8,), (1,)), 16)
    assert ours.complement(L(4, 1), 32) == L(8, 4) and ours.complement(4) == L(1, 0)
    assert ours.logical_divide(L(16), 4) == L((4, 4), (1, 4))
    assert ours.zipped_divide(row, (2, None)) == L(((2, 1), (2, 8)), ((8, 0), (16, 1)))
    assert ours.tiled_divide(L((8, 8)), (2, 4)) == L(((2, 4), 4, 2), ((1, 8), 2, 32))
    assert ours.filter(L((4, 1, 8), (0, 1, 2))) == L(8, 2)
    assert ours.right_inverse(row) == L((8, 4), (4, 1)) and ours.left_inverse(4) == L(4)
    swizzled = ours.ComposedLayout(ours.Swizzle(1, 0, 1), 0, L(4))
    assert [swizzled(i) for i in range(4)] == [0, 1, 3, 2] and len(swizzled) == 1
    # pycute divides here.
    assert ours.logical_product(L(4), 2) == L((4, 2), (1, 4))


def test_what_has_no_right_answer_is_refused() -> None:
    for wrong in (
        lambda: ours.composition(L((4, 6, 8), (2, 3, 5)), L(6, 3)),
        lambda: ours.composition(L((3, 2), (2, 1)), L((2, 2), (1, 2))),
        lambda: L((4, 0)),
        lambda: ours.inner_product((1, 2), (3,)),
        lambda: ours.shape_div(6, 4),
        lambda: ours.slice_((1, 2), 3),
        lambda: ours.crd2crd(9, 4),
        lambda: ours.hier_unzip(ours.logical_divide, L(4), (2, 2)),
    ):
        with pytest.raises(lc.LayoutError):
            wrong()


OPERATIONS = ("coalesce", "complement", "composition", "logical_divide", "logical_product", "zipped_divide", "filter")


@pytest.mark.peers
@pytest.mark.skipif(importlib.util.find_spec("pycute") is None, reason="pycute is not installed")
@pytest.mark.parametrize("operation", OPERATIONS)
def test_answers_are_those_of_pycute_or_pycute_is_wrong(operation: str) -> None:
    """Where both answer the layouts are equal; only where laycalc refuses may pycute answer."""
    import pycute as theirs

    rng, compared = random.Random(operation), 0
    for _ in range(300):
        shape = tuple(rng.choice((2, 3, 4, 6)) for _ in range(rng.randint(1, 3)))
        order = rng.sample(range(len(shape)), len(shape))
        steps = ours.prefix_product(tuple(shape[i] for i in order))
        stride = tuple(steps[order.index(i)] for i in range(len(shape)))
        right = rng.choice(((2, 1), (4, 1), (2, 2), ((2, 2), (1, 4))))
        arguments = () if operation in ("coalesce", "complement", "filter") else (right,)
        if arguments and operation != "logical_product" and L(*right).cosize() > ours.product(shape):
            continue  # beyond the last mode pycute has values of its own
        try:
            found = getattr(ours, operation)(L(shape, stride), *(L(*a) for a in arguments))
        except lc.LayoutError:
            continue
        try:
            wanted = getattr(theirs, operation)(theirs.Layout(shape, stride), *(theirs.Layout(*a) for a in arguments))
        except AssertionError:
            continue
        compared += 1
        values = [[layout(i) for i in range(layout.size())] for layout in (found, wanted)]
        assert values[0] == values[1], (shape, stride, arguments)
    assert compared > 50
