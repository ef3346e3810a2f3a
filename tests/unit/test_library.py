"""The library as its users call it: texts and integers of any type, every export on every kind of operand."""

from __future__ import annotations

import inspect
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import laycalc as lc
from laycalc.algebra.values.swizzle import Composed

A = lc.Layout((8, 8), (8, 1))
SWIZZLED = lc.Swizzle(3, 0, 3), 0, A

OPERANDS: dict[str, Any] = {
    "plain": A,
    "swizzled": Composed(*SWIZZLED),
    "tensor": lc.Tensor(3, A),
    "coordinates": lc.Layout("(8,8):(e0,e1)"),
    "xor": lc.Layout("(4,4):(f1,f5)"),
    "symbolic": lc.Layout((lc.symbols("M")[0], 8)),
}

VALUES: list[Any] = [
    *OPERANDS.values(),
    lc.Tiler("<4,_,8:2>"),
    lc.Swizzle("Sw<3,4,3>"),
    lc.Coordinate("2e0+3e1"),
    lc.Xor(5),
    lc.Tensor("{(0,2)} o (4,2):(e0,e1)"),
    lc.Tensor(7),
    lc.Morphism((4, 2), (2, 4), (2, 1)),
]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_a_repr_is_the_value(value: Any) -> None:
    names = {type(v).__name__: type(v) for v in VALUES}
    if "M" in str(value):
        pytest.skip("an unknown has no text as a number")
    assert eval(repr(value), names) == value
    assert type(value)(str(value)) == value


Pair = namedtuple("Pair", "m n")


@pytest.mark.parametrize(
    "shape",
    [
        [4, 8],
        (np.int64(4), 8),
        (np.uint8(4), np.int32(8)),
        np.array([4, 8]),
        Pair(4, 8),
        np.zeros((4, 8)).shape,
    ],
    ids=lambda shape: type(shape).__name__,
)
def test_shapes_of_any_type(shape: Any) -> None:
    made = lc.Layout(shape)
    assert made == lc.Layout((4, 8))
    assert type(made.shape) is tuple and {type(n) for n in made.shape} == {int}
    assert lc.size(shape) == 32
    assert lc.Layout((4, 8), shape).stride == (4, 8)


@pytest.mark.parametrize("given", [1.5, (4, 2.0), True, None, {4: 1}, object(), np.float64(2), b"4", "4:"])
def test_what_makes_no_layout_is_refused_by_code(given: Any) -> None:
    with pytest.raises((lc.LayoutError, lc.Failure)):
        lc.Layout(given)
    with pytest.raises((lc.LayoutError, lc.Failure)):
        lc.Swizzle(given, 0, 3)
    with pytest.raises((lc.LayoutError, lc.Failure)):
        lc.Tensor(1, given) if given is not None else lc.Tensor(None)  # type: ignore[arg-type]


def test_functions_are_those_of_the_language() -> None:
    swizzled = lc.eval("Sw<3,0,3> o 0 o (8,8):(8,1)")
    assert str(lc.coalesce(lc.Composed("Sw<3,0,3> o 0 o (8,8):(1,8)"))) == "Sw<3,0,3> o 0 o 64:1"
    assert lc.size(A) == 64
    assert lc.cosize(swizzled) == 64
    assert lc.idx2crd(5, A) == (5, 0)
    assert lc.idx2crd(5, (4, 8)) == (1, 1)
    assert lc.composition(swizzled, lc.Layout(4, 2)) == lc.Composed(lc.Swizzle(3, 0, 3), 0, lc.Layout(4, 16))


def _binds(function: Any, given: tuple[Any, ...]) -> bool:
    """Does a call with so many arguments make sense to Python? Its own TypeError about that is the right one."""
    try:
        inspect.signature(function).bind(*given)
    except TypeError:
        return False
    return True


RECORDS = {"Diagnostic", "Report"}
"""Made by the program and read by its users."""


@pytest.mark.parametrize("name", sorted({*lc.__all__} - RECORDS))
@pytest.mark.parametrize("kind", OPERANDS)
def test_every_export_answers_or_refuses_by_code(name: str, kind: str) -> None:
    function = getattr(lc, name)
    operand = OPERANDS[kind]
    if isinstance(function, type) and issubclass(function, Exception):
        return
    if name in {"replace", "swizzle", "as_xor", "as_swizzle", "get"} and kind != "none":
        return
    for others in ((), (4,), (operand,), ((2, 2),), ("x",), (None, 3.5), (0, 1)):
        if not _binds(function, (operand, *others)):
            continue
        try:
            function(operand, *others)
        except (lc.LayoutError, lc.Failure) as error:
            assert str(error)
