"""Polynomials, facts and answers: each law against enumeration."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laycalc.algebra.symbolic import Assumptions, Condition, Facts, Poly, claim, reading, symbol
from laycalc.algebra.symbolic.closure import learn, narrowed
from laycalc.algebra.symbolic.condition import at_least_zero, divides, is_zero
from laycalc.algebra.symbolic.domain import Domain
from laycalc.algebra.symbolic.normal import rounded
from laycalc.algebra.symbolic.quotient import over
from laycalc.grammar.syntax import nodes
from laycalc.grammar.syntax.parser import parse_expression

NAMES = ("K", "M", "N")
SYMBOLS = {name: symbol(name) for name in NAMES}
BOX = {"K": range(1, 9), "M": range(1, 10), "N": range(9)}
"""Values of the symbols; N may be 0."""


def polynomials(depth: int = 3) -> st.SearchStrategy[Any]:
    """Sums, products, exact quotients and roundings."""
    leaves = st.sampled_from(list(SYMBOLS.values())) | st.integers(-9, 9).filter(bool)

    def grow(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        pairs = st.tuples(inner, inner)
        return (
            pairs.map(lambda p: p[0] + p[1])
            | pairs.map(lambda p: p[0] * p[1])
            | pairs.map(lambda p: p[0] - p[1])
            | st.tuples(inner, st.sampled_from([2, 3, 8, *SYMBOLS.values()])).map(lambda p: over(*p))
            | st.tuples(inner, st.sampled_from([2, 5, SYMBOLS["M"], SYMBOLS["M"] + 1]), st.booleans()).map(
                lambda p: rounded(Facts(), p[0], p[1], up=p[2])
            )
        )

    return st.recursive(leaves, grow, max_leaves=depth)


points = st.fixed_dictionaries({name: st.integers(1, 40) for name in NAMES})


def value(p: Any, at: dict[str, int]) -> Any:
    return p.at(at) if isinstance(p, Poly) else p


@given(polynomials(), polynomials(), points)
def test_arithmetic_is_that_of_the_values(p: Any, q: Any, at: dict[str, int]) -> None:
    a, b = value(p, at), value(q, at)
    assert value(p + q, at) == a + b
    assert value(p - q, at) == a - b
    assert value(p * q, at) == a * b
    if b:
        ratio = over(p, q)
        assert ratio is None or value(ratio, at) * b == a


@given(polynomials(), polynomials(), polynomials())
def test_the_form_is_unique(p: Any, q: Any, r: Any) -> None:
    assert p + q == q + p
    assert p * (q + r) == p * q + p * r
    assert p - q + q == p
    assert p - p == 0


@given(polynomials(5))
def test_the_text_reads_back(p: Any) -> None:
    assert read(parse_expression(str(p))) == p


def read(node: nodes.Expression) -> Any:
    """The number that a text denotes; every quotient is taken as exact."""
    match node:
        case nodes.Integer():
            return node.value
        case nodes.Name():
            return symbol(node.name)
        case nodes.Paren():
            return read(node.item)
        case nodes.Unary():
            return -read(node.operand)
        case nodes.Call(function=nodes.Name(name=name), arguments=(nodes.Binary(operator="/", left=a, right=b),)):
            return rounded(Facts(), read(a), read(b), up=name == "ceil")
        case nodes.Binary(operator=operator, left=left, right=right):
            a, b = read(left), read(right)
            return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: over(a, b)}[operator]()
    raise AssertionError(node)


@given(polynomials(), st.sampled_from([2, 3, 64, SYMBOLS["N"]]), st.booleans(), points)
def test_a_rounding_rounds(p: Any, q: Any, up: bool, at: dict[str, int]) -> None:
    exact = Fraction(value(p, at)) / value(q, at)
    assert value(rounded(Facts(), p, q, up=up), at) == (-(-exact // 1) if up else exact // 1)


class Draw:
    """Random conditions on a few symbols."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def term(self) -> Any:
        r = self.random
        found: Any = r.choice([1, 1, 2, 3, 4, 5, 6, 8])
        for _ in range(r.choice((1, 1, 1, 2, 2))):
            found = found * SYMBOLS[r.choice(NAMES)]
        return found

    def positive(self) -> Any:
        """A divisor, without N, which may be 0."""
        r = self.random
        return r.choice((1, 2, 3, 4)) * SYMBOLS[r.choice("KM")] * (SYMBOLS[r.choice("KM")] if r.random() < 0.4 else 1)

    def number(self) -> Any:
        r = self.random
        return sum((self.term() for _ in range(r.choice((1, 1, 2)))), start=r.choice((0, 0, 0, 1, -1, 2, -3, 7)))

    def condition(self) -> Condition:
        r = self.random
        kind = r.randrange(6)
        if kind == 0:
            return divides(r.choice((2, 3, 4, 6, 8)), self.number())
        if kind == 1:
            return divides(self.positive(), self.number())
        if kind == 2:
            return is_zero(self.number() - self.number())
        if kind == 3:
            rounding = rounded(Facts(), self.number(), r.choice((2, 4, 3, SYMBOLS["M"])), up=r.random() < 0.5)
            return at_least_zero(r.choice((2, 3, 4)) * rounding - self.number())
        found = at_least_zero(self.number() - self.number())
        return found if r.random() < 0.7 else found.negated()


def box() -> Iterator[dict[str, int]]:
    for values in product(*BOX.values()):
        yield dict(zip(NAMES, values, strict=True))


EVERYWHERE = list(box())


@pytest.mark.parametrize("seed", range(4))
def test_answers_agree_with_enumeration(seed: int) -> None:
    draw = Draw(seed)
    answered = 0
    for _ in range(60):
        facts = narrowed(Facts(), "N", Domain(0))
        assert facts is not None
        admitted = EVERYWHERE
        for _ in range(draw.random.choice((0, 1, 1, 2, 2, 3))):
            condition = draw.condition()
            condition = condition if draw.random.random() < 0.8 else condition.negated()
            kept = [at for at in admitted if condition.true_at(at)]
            learnt = learn(facts, condition)
            # What the facts exclude is false everywhere.
            assert learnt is not None or not kept
            if learnt is not None and kept:
                facts, admitted = learnt, kept
        for at in facts.samples:
            assert all(condition.true_at(at) for condition in facts.conditions)
        for name, known in facts.domains.items():
            assert all(at[name] in known for at in admitted)
        for name, solved in facts.solved.items():
            assert all(at[name] == value(solved, at) for at in admitted)
        for _ in range(6):
            question = draw.condition()
            answer = facts.decide(question)
            answered += answer is not None
            if answer is not None:
                assert all(question.true_at(at) is answer for at in admitted)
            simple = facts.simplified(question)
            assert all(question.true_at(at) == simple.true_at(at) for at in admitted)
            number = draw.number()
            assert all(value(facts.normal(number), at) == value(number, at) for at in admitted)
    assert answered > 60


def test_known_answers() -> None:
    K, M, N = (SYMBOLS[name] for name in NAMES)

    def known(*claims: Any) -> Facts:
        found = Assumptions()
        for operator, a, b in claims:
            found = found.assume(claim(operator, a, b))
        return found.facts

    with reading():
        rest = M % 128
        small = M % 64
    assert known().divides(2, M * (M + 1))
    assert known(("|", 128, M)).divides(64, M * K)
    assert known(("|", 64, M * K)).divides(32, M * K * N)
    assert known(("|", N, M), ("|", M, K)).divides(N, K)
    assert known(("|", N, M)).at_least_zero(M - N)
    assert known(("|", 384, M)).simplified(at_least_zero(K * M - M - 3)) == at_least_zero(K - 2)
    assert known().simplified(at_least_zero(N - (M - 1) * N - 1)) == at_least_zero(1 - M)
    assert known(("==", rest, 64)).divides(128, M) is False
    assert known(("==", rest, 64)).divides(64, M)
    assert known((">=", M, 64), ("!=", small, 0)).at_least_zero(M - 65)
    assert known(("==", M, 2 * N)).divides(2, M)
    assert known(("==", M * N, 1)).is_zero(M - 1)
    assert known(("|", M, 64), (">=", M, 33)).is_zero(M - 64)
    assert known(("<", M, N)).at_least_zero(N - M - 1)
    assert known(("in", M, (64, 96, 128))).divides(32, M)
    assert known(("in", M, (64, 96, 128))).divides(64, M) is None
    assert known().divides(64, M) is None
