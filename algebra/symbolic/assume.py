"""Assumptions: statements about symbols, kept with their text, and the facts that they make."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..base.decide import active_decider
from ..base.errors import LayoutError, refuse
from . import condition as conditions
from .closure import learn, narrowed
from .condition import AT_LEAST_ZERO, Condition
from .domain import Domain
from .facts import Facts
from .normal import rounded
from .poly import Poly, symbol
from .questions import needs_value
from .quotient import over
from .terms import ONE


class Among(NamedTuple):
    """A symbol is one of some values."""

    name: str
    values: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name} in {{{', '.join(map(str, self.values))}}}"


Claim = Condition | Among
"""What a statement says."""


class Statement(NamedTuple):
    """A claim and the text that it was read from."""

    claim: Claim
    source: str


def claim(operator: str, left: Any, right: Any) -> Claim:
    """The claim ``left operator right``, for ``| == != <= < >= > in``.

    A remainder is a number like any other: ``M % 128 == 0``, its left side read under `reading`, and ``128 | M`` are
    the same claim. LC103 for anything that is no claim about integers.

    >>> M = symbol("M")
    >>> claim("<", M, 8), claim("|", 4, 2 * M), claim("in", M, (64, 96))
    (M <= 7, 2 | M, Among(name='M', values=(64, 96)))
    """
    if operator == "in":
        return _among(left, right)
    if operator not in _CLAIMS or not all(type(x) is int or isinstance(x, Poly) for x in (left, right)):
        raise _no_claim(operator, left, right)
    return _CLAIMS[operator](left, right)


_CLAIMS: dict[str, Callable[[Any, Any], Condition]] = {
    "|": lambda a, b: conditions.is_zero(b) if type(a) is int and not a else conditions.divides(a, b),
    "==": lambda a, b: conditions.is_zero(a - b),
    "!=": lambda a, b: conditions.is_zero(a - b).negated(),
    "<=": lambda a, b: conditions.at_least_zero(b - a),
    "<": lambda a, b: conditions.at_least_zero(b - a - 1),
    ">=": lambda a, b: conditions.at_least_zero(a - b),
    ">": lambda a, b: conditions.at_least_zero(a - b - 1),
}


def _among(left: Any, right: Any) -> Among:
    values = tuple(sorted(set(right)))
    (name,) = left.symbols if isinstance(left, Poly) and len(left.symbols) == 1 else ("",)
    if not name or left != symbol(name) or not values or values[0] < 0:
        raise _no_claim("in", left, right)
    return Among(name, values)


def _no_claim(operator: str, left: Any, right: Any) -> LayoutError:
    return refuse(
        "LC103",
        "an assumption is about integers, not {left} {operator} {right}",
        op="assume",
        left=str(left),
        operator=operator,
        right=str(right),
    )


class _Reader:
    """The decider of a text that is only read: remainders and quotients are numbers, every question is LC106."""

    facts = Facts()

    def _question(self, a: Any, b: Any) -> Any:
        raise needs_value(a, b)

    divides = at_most = same = known_same = known_at_most = _question

    def quotient(self, b: Any, a: Any) -> Any:
        found = over(b, a)
        return self.ceil_quotient(b, a) if found is None else found

    def ceil_quotient(self, b: Any, a: Any) -> Any:
        return rounded(self.facts, b, a, up=True)

    def floor_quotient(self, b: Any, a: Any) -> Any:
        return rounded(self.facts, b, a, up=False)

    floor_value = floor_quotient


@contextmanager
def reading() -> Iterator[None]:
    """Read the two sides of an assumption inside this: ``M % 128`` is a number there.

    >>> with reading():
    ...     claim("==", symbol("M") % 128, 0)
    128*floor(M/128) == M
    """
    token = active_decider.set(_Reader())
    try:
        yield
    finally:
        active_decider.reset(token)


class Assumptions:
    """Statements in order, and what they make known. Assuming more gives new assumptions.

    >>> M = symbol("M")
    >>> known = Assumptions().assume(claim("|", 128, M), "M % 128 == 0")
    >>> known.facts.divides(64, M)
    True
    >>> known.assume(claim("==", M, 3), "M == 3")
    Traceback (most recent call last):
    laycalc.algebra.base.errors.LayoutError: assumptions contradict one another: M % 128 == 0 and M == 3
    """

    __slots__ = ("facts", "statements")
    facts: Facts
    statements: tuple[Statement, ...]

    def __init__(self, statements: tuple[Statement, ...] = (), facts: Facts | None = None) -> None:
        self.statements = statements
        self.facts = Facts() if facts is None else facts

    def assume(self, claim: Claim, source: str = "") -> Assumptions:
        """These assumptions and one more; LC502 if they exclude it, with the texts of both sides."""
        statement = Statement(claim, source or str(claim))
        found = learnt(self.facts, claim)
        if found is None:
            raise self._contradiction(statement)
        return Assumptions((*self.statements, statement), found)

    def without(self, index: int) -> Facts:
        """What the other statements make known."""
        facts = Facts()
        for i, statement in enumerate(self.statements):
            if i != index:
                facts = learnt(facts, statement.claim) or facts
        return facts

    def _contradiction(self, statement: Statement) -> LayoutError:
        found = learnt(Facts(), statement.claim)
        first = range(len(self.statements))
        if found is None:
            return refuse(
                "LC502", "no integers satisfy {second}", op="assume", first="", second=statement.source, lines=()
            )
        for i, other in enumerate(self.statements):
            alone = learnt(Facts(), other.claim)
            if alone is not None and learnt(alone, statement.claim) is None:
                first = range(i, i + 1)
                break
        return refuse(
            "LC502",
            "assumptions contradict one another: {first} and {second}",
            op="assume",
            first=", ".join(self.statements[i].source for i in first),
            second=statement.source,
            lines=tuple(first),
        )

    def __str__(self) -> str:
        return ", ".join(s.source for s in self.statements)


def learnt(facts: Facts, claim: Claim) -> Facts | None:
    """The facts and one claim more; None if they exclude it."""
    if isinstance(claim, Among):
        domain: Domain | None = facts.domain(claim.name)
        assert domain is not None
        kept = tuple(x for x in claim.values if x in domain)
        return narrowed(facts, claim.name, Domain(kept[0], kept[-1], 1, 0, kept)) if kept else None
    if (name := _from_zero(claim)) is not None and name not in facts.domains:
        return narrowed(facts, name, Domain(0))
    return learn(facts, claim)


def _from_zero(claim: Condition) -> str | None:
    """The symbol of ``w >= 0``, which lets it be 0; LC106 for a bound below that."""
    if claim.kind != AT_LEAST_ZERO or not isinstance(claim.poly, Poly) or not claim.poly.is_integral():
        return None
    terms = claim.poly.terms
    rest = [m for m in terms if m]
    if len(rest) != 1 or len(rest[0]) != 1 or rest[0][0][1] != 1 or terms[rest[0]] <= 0:
        return None
    k = terms.get(ONE, 0)
    name = rest[0][0][0]
    if k > 0 and claim.poly.symbols == {name}:
        raise refuse("LC106", "{claim}: a symbol is an integer >= 0", op="assume", name=name, claim=str(claim))
    return name if k == 0 and claim.poly.symbols == {name} else None


def unknown(position: int, divisor: int = 1) -> tuple[Poly, Claim | None]:
    """``?`` or ``?{div=64}`` at a position of a pasted form: the symbol ``?1``, and the claim that 64 divides it.

    >>> unknown(2, 64)
    (?2, 64 | ?2)
    """
    found = symbol(f"?{position}")
    return found, conditions.divides(divisor, found) if divisor > 1 else None
