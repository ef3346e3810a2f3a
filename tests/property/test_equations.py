"""Equations between layouts: what is solved holds, what is refused has no solution, and brute force finds no better."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.equations.integers import solve as solve_integers
from laycalc.algebra.equations.left import right_factor
from laycalc.algebra.equations.right import left_factor
from laycalc.algebra.equations.solution import NO_LAYOUT, NONE, SOLVED, Solution, measure
from laycalc.algebra.equations.tilers import composing_tiler, dividing_tiler
from laycalc.algebra.finding.fit import fit
from laycalc.algebra.operations.divide import logical_divide
from laycalc.algebra.operations.on_swizzled import compose
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.lifting import lift
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler
from laycalc.grammar.run.statements import run

KINDS = ("integer", "coordinate", "xor", "swizzled")
COUNT = 125
"""Equations of each kind; all four make 500."""


def table(layout: Any) -> list[Any]:
    return [v.value if isinstance(v, Xor) else v for v in layout.elements()]


def some_layout(random: Random, kind: str, most: int = 64) -> Any:
    """A layout of at most so many elements: compact, padded, broadcast, overlapping."""
    extents = (2, 4, 8) if kind == "xor" else (2, 3, 4, 5, 6, 8)
    shape: tuple[int, ...] = (most + 1,)
    while prod(shape) > most:
        shape = tuple(random.choice(extents) for _ in range(random.randint(1, 3)))
    if kind == "xor":
        return Layout(shape, tuple(Xor.of(random.randrange(32)) for _ in shape))
    if kind == "coordinate":
        return Layout(
            shape, tuple(Coordinate.of([((random.randint(0, 1),), random.choice((1, 1, 2, 3)))]) for _ in shape)
        )
    if kind == "swizzled":
        bits = random.randint(1, 3)
        shift = random.randint(bits, 3) * random.choice((1, -1))
        return Composed(Swizzle(bits, random.randint(0, 2), shift), 0, some_layout(random, "integer", most))
    if random.random() < 0.5:
        return Layout(shape, tuple(random.choice((0, 0, 1, 1, 2, 3, 5, 8, 12, 16)) for _ in shape))
    stride, step = [0] * len(shape), 1
    for mode in random.sample(range(len(shape)), len(shape)):
        stride[mode] = step
        step *= shape[mode] * random.choice((1, 1, 1, 2))
    return Layout(shape, tuple(stride))


def products(random: Random, kind: str) -> Iterator[tuple[Any, Any, Any]]:
    """(A, X, C) with A o X = C, all three layouts, the first one of the kind."""
    for _ in range(COUNT):
        yield next(_products(random, kind))


def _products(random: Random, kind: str) -> Iterator[tuple[Any, Any, Any]]:
    while True:
        a = some_layout(random, kind)
        x = some_layout(random, random.choice(("integer", "integer", "xor", "swizzled")), 32)
        places, indices = table(a), table(x)
        if max(indices) < len(places):
            c = fit([places[i] for i in indices]).value
            if c is not None:
                yield a, x, c


def refused(random: Random, *, on_left: bool) -> Iterator[tuple[Any, Any]]:
    """500 pairs (known, C) that no function solves, over all kinds: for ``on_left`` the known one is B."""
    for _ in range(500):
        yield next(_refused(random, on_left=on_left))


def _refused(random: Random, *, on_left: bool) -> Iterator[tuple[Any, Any]]:
    while True:
        kind = random.choice(KINDS)
        known = some_layout(random, "integer" if on_left else kind, 32)
        c = some_layout(random, kind, 32)
        values, wanted = table(known), table(c)
        if not on_left and not set(wanted) <= set(values):
            yield known, c
        if on_left and len(values) == len(wanted) and len(set(values)) < len(set(zip(values, wanted, strict=True))):
            yield known, c


@pytest.mark.parametrize("kind", KINDS)
def test_a_right_factor_of_a_product_is_found(kind: str) -> None:
    random = Random(f"left {kind}")
    for a, _, c in products(random, kind):
        found = right_factor(a, c)
        assert found.verdict == SOLVED, (a, c, found.reason)
        places = table(a)
        assert [places[i] for i in table(found.value)] == table(c), (a, c, found.value)


@pytest.mark.parametrize("kind", KINDS)
def test_a_left_factor_of_a_product_is_found(kind: str) -> None:
    random = Random(f"right {kind}")
    for _, b, c in products(random, kind):
        found = left_factor(b, c)
        assert found.verdict == SOLVED, (b, c, found.reason)
        x = table(found.value)
        assert [x[i] for i in table(b)] == table(c), (b, c, found.value)


def test_a_value_that_the_outer_layout_lacks_is_named() -> None:
    random = Random("no right factor")
    for a, c in refused(random, on_left=False):
        found = right_factor(a, c)
        assert found.verdict == NONE and found.witness is not None
        assert table(c)[found.witness["index"]] not in table(a)


def test_two_coordinates_that_cannot_differ_are_named() -> None:
    random = Random("no left factor")
    for b, c in refused(random, on_left=True):
        found = left_factor(b, c)
        assert found.verdict == NONE and found.witness is not None
        i, j = found.witness["indices"]
        assert table(b)[i] == table(b)[j] and table(c)[i] != table(c)[j]


# -- brute force -------------------------------------------------------------------------------------------------


def shapes(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All shapes of so many modes of 2 and more with a product of ``total``."""
    if parts == 0:
        if total == 1:
            yield ()
        return
    for s in range(2, total + 1):
        if total % s == 0:
            yield from ((s, *rest) for rest in shapes(total // s, parts - 1))


def layouts(total: int, strides: range, modes: int = 9) -> Iterator[Layout]:
    """All layouts of a size with such strides and at most so many modes, those of few modes first."""
    if total == 1:
        yield Layout(1, 0)
    for parts in range(1, min(total.bit_length(), modes + 1)):
        for shape in shapes(total, parts):
            for stride in product(strides, repeat=parts):
                yield Layout(shape, stride)


def best(candidates: Iterator[Layout]) -> Layout | None:
    """The least by the order of solutions, of the first ones with as few modes."""
    found: list[Layout] = []
    for x in candidates:
        if found and x.rank > found[0].rank:
            break
        found.append(x)
    return min(found, key=measure, default=None)


def check_against(found: Solution, brute: Layout | None) -> None:
    if brute is None:
        # Negative strides, XOR strides and swizzles are not among the candidates.
        plain = isinstance(found.value, Layout) and found.value.semimodule == "Z"
        assert not plain or min(found.value.flat()[1]) < 0, found
    else:
        assert found.verdict == SOLVED
        # Modes, signs, codomain.
        assert measure(found.value)[:3] <= measure(brute)[:3], (found, brute)


def test_no_layout_of_fewer_modes_is_a_right_factor() -> None:
    random = Random("brute left")
    undone = 0
    for _ in range(400):
        a = some_layout(random, "integer", 24)
        places = table(a)
        total = random.choice((2, 3, 4, 5, 6, 8))
        c = fit([0, *(random.choice(places) for _ in range(total - 1))]).value or some_layout(random, "integer", 8)
        if c.size > 8 or not isinstance(c, Layout) or c.semimodule != "Z":
            continue
        wanted = table(c)
        candidates = (
            x
            for x in layouts(c.size, range(len(places)))
            if max(table(x)) < len(places) and [places[i] for i in table(x)] == wanted
        )
        found = right_factor(a, c)
        if found.verdict in (SOLVED, NO_LAYOUT):
            check_against(found, best(candidates))
        else:
            assert next(candidates, None) is None
            undone += 1
    assert 0 < undone < 400


def covers(x: Layout, most: int) -> bool:
    """Does the last mode of X end right behind the value ``most``? A longer one is no other answer."""
    last = x.flat()[0][-1]
    return x.size // last * (last - 1) <= most


def test_no_layout_of_fewer_modes_is_a_left_factor() -> None:
    random = Random("brute right")
    verdicts = set()
    for _ in range(100):
        shape = random.choice(((2, 2), (3, 2), (4,), (3, 3), (2, 3)))
        b = Layout(shape, tuple(random.randint(0, 3) for _ in shape))
        c = Layout(shape, tuple(random.randint(0, 9) for _ in shape))
        points, wanted = table(b), table(c)
        most = max(points)
        found = left_factor(b, c)
        verdicts.add(found.verdict)
        candidates = (
            x
            for total in range(most + 1, 2 * most + 2)
            for x in layouts(total, range(10), found.value.rank if found.verdict == SOLVED else 9)
            if covers(x, most) and [x.element(i) for i in points] == wanted
        )
        if found.verdict == NONE:
            assert len(set(points)) < len(set(zip(points, wanted, strict=True)))
        else:
            check_against(found, min(candidates, key=measure, default=None))
    assert verdicts >= {SOLVED, NONE}


# -- offsets, tilers, integers -----------------------------------------------------------------------------------


def test_offsets_on_both_sides() -> None:
    random = Random("offsets")
    done = 0
    while done < 200:
        a = Tensor(random.randint(1, 5), some_layout(random, "integer"))
        x = Tensor(random.randint(1, 5), some_layout(random, "integer", 16))
        places, indices = table(a), table(x)
        if max(indices) >= len(places):
            continue
        wanted = [places[i] for i in indices]
        c = fit(wanted).value
        if c is None:
            continue
        done += 1
        right, left = right_factor(a, c).value, left_factor(x, c).value
        assert [places[i] for i in table(right)] == wanted
        assert [table(left)[i] for i in indices] == wanted


def some_operand(random: Random) -> Any:
    """A layout of any kind but XOR, at times behind an offset."""
    if random.random() < 0.2:
        return Tensor(random.randint(1, 9), some_layout(random, "integer"))
    return some_layout(random, random.choice(("integer", "integer", "coordinate", "swizzled")))


@pytest.mark.parametrize(
    ("operation", "equation"), [(compose, composing_tiler), (lift(logical_divide), dividing_tiler)], ids=["o", "/"]
)
def test_a_tiler_of_a_result_is_found(operation: Any, equation: Any) -> None:
    random = Random(f"tiler {equation.__name__}")
    done = 0
    while done < 250:
        outer = some_operand(random)
        tiler = Tiler(random.choice((None, 2, 3, Layout(2, 2), Layout((2, 2), (1, 4)))) for _ in range(outer.rank))
        try:
            wanted = operation(outer, tiler)
        except LayoutError:
            continue
        done += 1
        found = equation(outer, wanted)
        assert found.verdict == SOLVED, (outer, tiler, wanted, found.reason)
        assert operation(outer, found.value).elements() == wanted.elements(), (outer, tiler, found.value)


def test_integer_equations() -> None:
    random = Random("integers")
    for _ in range(500):
        width, height = random.randint(1, 4), random.randint(1, 4)
        matrix = [[random.randint(-6, 6) for _ in range(width)] for _ in range(height)]
        known = [random.randint(-5, 5) for _ in range(width)]
        side = [sum(a * x for a, x in zip(row, known, strict=True)) for row in matrix]
        found = solve_integers(matrix, side)
        assert found is not None
        assert [sum(a * x for a, x in zip(row, found, strict=True)) for row in matrix] == side


def test_integer_equations_without_a_solution() -> None:
    assert solve_integers([[2, 4], [0, 3]], [1, 3]) is None
    assert solve_integers([[1, 1], [1, 1]], [1, 2]) is None
    assert solve_integers([[0]], [1]) is None


# -- unknown extents ---------------------------------------------------------------------------------------------


def some_text(random: Random) -> tuple[list[str], list[str]]:
    """Extents and strides of a compact layout, some of them unknown, at times with a gap or a broadcast."""
    shape = [random.choice("MN248") for _ in range(random.randint(1, 3))]
    stride, step = [""] * len(shape), "1"
    for mode in random.sample(range(len(shape)), len(shape)):
        stride[mode] = step
        step += f"*{shape[mode]}" + "*2" * (random.random() < 0.15)
    if random.random() < 0.15:
        stride[random.randrange(len(shape))] = "0"
    return shape, stride


def layout_text(shape: list[str], stride: list[str]) -> str:
    return f"({','.join(shape)}):({','.join(stride)})"


@pytest.mark.parametrize("word", ["solve", "solve_left", "solve_divide"])
def test_no_answer_with_unknowns_contradicts_the_numbers(word: str) -> None:
    # Each case is compared with what the numbers give at some points: LC901 where they differ.
    random = Random(f"unknown {word}")
    codes = []
    for _ in range(60):
        shape, stride = some_text(random)
        mixed = random.sample(range(len(shape)), len(shape))
        other = ([shape[i] for i in mixed], [stride[i] for i in mixed]) if random.random() < 0.5 else some_text(random)
        sides = [layout_text(shape, stride), layout_text(*other)]
        for outcome in run(f"{word}({', '.join(sides)})"):
            codes.append("" if outcome.error is None else outcome.error.code)
    assert codes.count("") > 20
    assert "LC901" not in codes
