"""What the paper author's own implementation asserts, in its own vocabulary; laws as laws."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import gcd
from typing import Any

import pytest
from golden.facts import complement_law, exceptions, load, same_function
from golden.pycute import NAMES, read
from golden.reasons import PYCUTE

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.operations.build import make_layout_like
from laycalc.algebra.operations.filtering import nullspace
from laycalc.algebra.operations.image import coshape
from laycalc.algebra.operations.refinement import layout_add
from laycalc.algebra.values.coalesce import coalesce, open_modes, unwrap
from laycalc.algebra.values.htuple import congruent, depth, flatten, format_htuple, weakly_congruent
from laycalc.algebra.values.layout import Layout, codomain_profile
from laycalc.algebra.values.semimodule import Coordinate, Xor, clmul
from laycalc.algebra.values.shape import compatible, crd2idx, natural, size
from laycalc.algebra.values.swizzle import Swizzle
from laycalc.algebra.values.tiler import tiler_to_layout

FACTS = load("pycute_facts.jsonl")
ANSWERS = [fact for fact in FACTS if "expr" in fact]
LAWS = [fact for fact in FACTS if "property" in fact]
EXCEPTIONS = exceptions("pycute_facts.jsonl")
OPERATIONS = sorted({fact["op"] for fact in ANSWERS})

SYMBOLS = {"N": 5, "M": 3, "X": 7, "Y": 11, "P": 1000, "Q": 1001, "DM": 3, "DN": 1024}
"""Numbers for the facts with symbols; orders that are symbols count as larger than every number."""

TILED = {"M": 256, "N": 1024}
"""Sizes that the tiles of a divide with symbols divide."""


def symbols(fact: dict[str, Any]) -> dict[str, int]:
    return SYMBOLS | TILED if "128" in fact["expr"] else SYMBOLS


def key(fact: dict[str, Any]) -> str:
    """The fact as one line; several facts may ask the same."""
    if "property" in fact:
        return f"{fact['op']}: {fact['property']}"
    return f"{fact['expr']} = {fact.get('result', fact.get('equals', fact.get('error')))}"


def text(value: Any) -> str:
    """A value as the facts print it."""
    if isinstance(value, list) and value and isinstance(value[0], list):
        return "; ".join(map(text, value))
    if isinstance(value, list):
        return " ".join(map(format_htuple, value))
    return str(value).lower() if isinstance(value, bool) else format_htuple(value)


def answer(fact: dict[str, Any]) -> tuple[Any, Exception | None]:
    try:
        return read(fact["expr"], symbols(fact)), None
    except (LayoutError, ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        return None, error


def wanted(fact: dict[str, Any]) -> Any:
    """The expected value; text that is no value of the vocabulary stays text."""
    try:
        return read(fact.get("result", fact.get("equals")), symbols(fact))
    except (LayoutError, KeyError, TypeError, AttributeError):
        return None


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_answer_of_the_reference_holds(operation: str, rates: dict[str, Counter[str]]) -> None:
    counts = rates.setdefault("pycute_facts.jsonl", Counter())
    wrong = []
    for fact in ANSWERS:
        if fact["op"] != operation or key(fact) in EXCEPTIONS:
            continue
        value, error = answer(fact)
        if "error" in fact:
            good = error is not None
        else:
            theirs = wanted(fact)
            same = error is None and (
                text(value) == fact.get("result") or (type(value) is type(theirs) and value == theirs)
            )
            good = same or (error is None and theirs is not None and same_function(value, theirs))
            counts[f"{operation}/all"] += 1
            counts[f"{operation}/text"] += same
        if not good:
            wrong.append(f"{fact['expr']}: {error or text(value)}, theirs {fact.get('result', fact.get('error'))}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("fact", [f for f in ANSWERS if key(f) in EXCEPTIONS], ids=key)
def test_an_exception_has_a_reason_that_holds(fact: dict[str, Any]) -> None:
    entry = EXCEPTIONS[key(fact)]
    value, error = answer(fact)
    assert PYCUTE[entry["reason"]](fact, value, error)


def test_every_exception_names_a_fact() -> None:
    assert set(EXCEPTIONS) <= set(map(key, FACTS))


# -- laws with their inputs --------------------------------------------------------------------------------------


def arguments(call: str) -> tuple[Any, list[Any]]:
    """The name and the values of a call."""
    name, _, rest = call.partition("(")
    return name, read(f"tuple_({rest}")


NAMES["tuple_"] = lambda *values: list(values)


def composition_law(call: str) -> None:
    _, (a, b) = arguments(call)
    result = read(call)
    right = tiler_to_layout(b)
    assert compatible(right.shape, result.shape)
    assert result.elements() == [a.element(v) for v in right.elements()]


def associative_law(call: str) -> None:
    _, (a, b, c) = arguments(call)
    compose = NAMES["composition"]
    wanted = [a.element(b.element(v)) for v in c.elements()]
    assert compose(compose(a, b), c).elements() == wanted
    assert compose(a, compose(b, c)).elements() == wanted


def coalesce_law(call: str) -> None:
    _, (layout,) = arguments(call)
    result = coalesce(layout)
    assert depth(result.shape) <= 1 and coalesce(result) == result
    assert result.elements() == layout.elements()
    if all(s & (s - 1) == 0 for s in layout.flat()[0]) or layout.semimodule != "F2":
        assert coalesce(NAMES["composition"](layout, Layout(layout.size, 1))) == result


def open_law(call: str) -> None:
    _, (layout,) = arguments(call)
    result = unwrap(open_modes(layout))
    assert unwrap(open_modes(result)) == result and depth(result.shape) <= 1
    assert all(result.element(i) == layout.element(i) for i in range(layout.size + 10))


def free_law(call: str) -> None:
    _, (layout,) = arguments(call)
    result = read(call)
    assert weakly_congruent(codomain_profile(layout), result.shape)
    assert complement_law(layout, result)
    taken = layout.elements()
    assert all(result.element(i) not in taken for i in range(1, result.size + 10))


def right_law(call: str) -> None:
    _, (layout,) = arguments(call)
    result = read(call)
    assert weakly_congruent(codomain_profile(layout), result.shape)
    for i in range(result.size):
        assert result.element(layout.element(result.element(i))) == result.element(i)


def left_law(call: str) -> None:
    _, (layout,) = arguments(call)
    result = read(call)
    assert all(layout.element(result.element(v)) == v for v in layout.elements())


def still_law(call: str) -> None:
    _, (layout,) = arguments(call)
    assert all(layout.element(i) == 0 for i in nullspace(layout).values())


def product_law(call: str) -> None:
    _, (a, b) = arguments(call)
    result = read(call)
    assert result.rank == 2 and result.size == a.size * b.size and result[0] == a
    assert compatible(b.shape, result[1].shape)


def zipped_law(call: str) -> None:
    _, (a, b) = arguments(call)
    result = read(call)
    tile = tiler_to_layout(b)
    assert result.rank == 2 and compatible(tile.shape, result[0].shape)
    assert result[0].elements() == [a.element(v) for v in tile.elements()]
    assert set(map(str, a.elements())) <= set(map(str, result.elements()))


def promoted_law(call: str) -> None:
    name, (a, b) = arguments(call)
    assert read(call) == NAMES[name](tiler_to_layout(a), b)


def alike_law(call: str) -> None:
    _, (layout,) = arguments(call)
    result = make_layout_like(layout)
    assert result.shape == layout.shape and make_layout_like(result) == result
    assert sorted(set(result.values())) == list(range(len(set(result.values()))))


def ordered_law(call: str) -> None:
    _, (shape, order) = arguments(call)
    result = read(call)
    assert result.shape == shape and sorted(result.values()) == list(range(size(shape)))
    live = [(k, d) for k, s, d in zip(flatten(order), flatten(shape), flatten(result.stride), strict=True) if s > 1]
    assert [d for _, d in sorted(live)] == sorted(d for _, d in live)


def domain_law(call: str) -> None:
    _, (a, b) = arguments(call)
    result = read(call)
    assert depth(result.shape) == 1 and gcd(size(a), size(b)) % result.size == 0
    assert result == NAMES["greatest_common_domain"](b, a)
    rests = []
    for shape in (a, b):
        composed = NAMES["composition"](Layout(shape), result)
        assert composed.values() == result.values()
        # The shape as a tiler keeps its modes apart.
        rests.append(NAMES["logical_divide"](tiler_to_layout(shape), result)[1].shape)
    assert NAMES["greatest_common_domain"](*rests).size == 1


def add_law(call: str) -> None:
    _, (a, b) = arguments(call)
    result = read(call)
    assert result.elements() == [x + y for x, y in zip(a.elements(), b.elements(), strict=True)]
    assert layout_add(b, a) == result
    assert layout_add(a, Layout(a.size, 0)) == coalesce(a)


def swizzle_law(text_: str) -> None:
    swizzle = read(text_)
    mask = (1 << swizzle.bits) - 1 << swizzle.base + max(0, swizzle.shift)
    for i in range(64):
        assert swizzle(swizzle(i)) == i
        assert swizzle(i) == i ^ (i & mask) >> swizzle.shift
    assert [Swizzle(0, 0, 0)(i) for i in range(32)] == list(range(32))


def coshape_law(text_: str) -> None:
    layout = read(text_)
    shape = coshape(layout)
    assert congruent(codomain_profile(layout), shape)
    for value in layout.values():
        assert all(v < s for v, s in zip(flatten(value), flatten(shape), strict=True))


def index_law(text_: str) -> None:
    shape = read(text_)
    for i in range(size(shape)):
        assert crd2idx(natural(i, shape), shape) == i


def xor_index_law(text_: str) -> None:
    layout = read(text_)
    assert all(layout.element(Xor.of(i)) == layout.element(i) for i in range(layout.size))


def order_law(text_: str) -> None:
    shape = read(text_)
    layout = NAMES["make_identity_layout"](shape)
    assert all(a < b for a, b in pairwise(layout.elements()[1:]))
    assert all(v > 0 for v in layout.elements()[1:] if isinstance(v, int))


def unflatten_law(text_: str) -> None:
    x = read(text_)
    assert NAMES["unflatten"](NAMES["flatten"](x if isinstance(x, tuple) else (x,)), x) == x


def compatible_law(text_: str) -> None:
    x = read(text_)
    pairs = [x] if isinstance(x, tuple) and len(x) == 2 else []
    assert compatible(x, x)
    for a, b in pairs:
        try:
            low = NAMES["common_coarsening"](a, b)
        except LayoutError:
            continue
        assert compatible(low, a) and compatible(low, b)


def repr_law(text_: str) -> None:
    x = read(text_)
    parts = NAMES["basis_repr"](x)
    total: Any = 0
    for c, path in parts:
        total = total + (Coordinate.of([(path, c)]) if path else c)
    assert total == x


def blocked_law(text_: str) -> None:
    a, b = read(f"tuple_({text_})")
    blocked, raked = NAMES["blocked_product"](a, b), NAMES["raked_product"](a, b)
    assert blocked.rank == a.rank == b.rank and blocked.size == a.size * b.size
    assert len(set(blocked.values())) == blocked.size
    assert sorted(raked.values()) == sorted(blocked.values())


def divmod_law(_: str) -> None:
    for a in range(64):
        for b in range(1, 20):
            q, r = (getattr(x, "value", x) for x in NAMES["divmod"](Xor(a), b))
            assert clmul(q, b) ^ r == a and r.bit_length() < b.bit_length() and r < b
            assert b & (b - 1) or (q, r) == (a // b, a % b)


def lift_law(_: str) -> None:
    for path in ((), (0,), (1,), (0, 2, 3), (1, 1, 0)):
        lifted = NAMES["lift"](path, 42)
        assert NAMES["get"](path, lifted) == 42
        assert NAMES["get"](path, NAMES["replace"](path, lifted, 7)) == 7


def basis_law(_: str) -> None:
    paths = [(0,), (1,), (2,), (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]
    elements = [Coordinate.of([(path, 1)]) for path in paths]
    assert len(set(elements)) == len(paths) and all(0 * e == 0 for e in elements)


def involution_law(text_: str) -> None:
    layout = read(text_)
    twice = [layout.element(v) for v in layout.elements()]
    assert sorted(layout.values()) == list(range(64))
    assert ([getattr(v, "value", v) for v in twice] == list(range(64))) == (text_ == "(8,8):(f1,f9)")


def forms_law(text_: str) -> None:
    layout = read(text_)
    for i in range(layout.size):
        c = natural(i, layout.shape)
        assert layout(i) == layout(c) == layout(*c) == layout(tuple(map(crd2idx, c, layout.shape)))


CHECKS = {
    "associative": associative_law,
    "basis_repr": repr_law,
    "blocked_product": blocked_law,
    "coalesce": coalesce_law,
    "coalesce_z": open_law,
    "compatible": compatible_law,
    "complement": free_law,
    "composition": composition_law,
    "coshape": coshape_law,
    "divmod": divmod_law,
    "equal_scalar": basis_law,
    "greatest_common_domain": domain_law,
    "layout_add": add_law,
    "left_inverse": left_law,
    "less": order_law,
    "lift": lift_law,
    "logical_divide": promoted_law,
    "logical_product": product_law,
    "make_layout_like": alike_law,
    "make_ordered_layout": ordered_law,
    "nullspace": still_law,
    "right_inverse": right_law,
    "Swizzle": swizzle_law,
    "unflatten": unflatten_law,
    "zipped_divide": zipped_law,
}
"""operation -> the law, checked on one input."""


def check_of(fact: dict[str, Any]) -> Any:
    """The law of a fact; a few operations have two."""
    if "promoted" in fact["property"]:
        return promoted_law
    if fact["op"] == "idx2crd":
        return index_law
    if fact["op"] == "eval":
        return (
            xor_index_law
            if "L(fi)" in fact["property"]
            else involution_law
            if "L(L(i))" in fact["property"]
            else forms_law
        )
    return CHECKS.get(fact["op"])


@pytest.mark.parametrize("fact", LAWS, ids=lambda f: f"{f['op']}: {f['property'][:40]}")
def test_every_law_of_the_reference_holds(fact: dict[str, Any]) -> None:
    entry = EXCEPTIONS.get(key(fact))
    if entry is not None:
        assert entry["reason"] == "outside"
        return
    check = check_of(fact)
    for given in fact["inputs"]:
        check(given)
