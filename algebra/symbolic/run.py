"""One run of an algorithm on symbolic numbers: the decider that answers its questions along one path of cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from ..base.errors import LayoutError, refuse, remark
from ..values.semimodule import Coordinate
from . import condition as conditions
from .closure import learn
from .condition import DIVIDES, Condition
from .facts import Facts
from .normal import rounded
from .poly import Number, Poly, Rounding
from .quotient import fraction, lowest_terms, over
from .tree import OPEN, Node, Tree


class Cut(Exception):
    """The search ended at a limit; ``args[0]`` says which."""


class Impossible(Exception):
    """The conditions of this path exclude one another."""


class Restart(Exception):
    """The form of a value matters, but an open question has been passed over."""


class Choice(NamedTuple):
    """An open question: what was known before, the question, and the answer of this path."""

    facts: Facts
    condition: Condition
    answer: bool


class Explorer(Protocol):
    """What a run needs of the search that it belongs to."""

    ragged: bool

    def check(self, depth: int) -> None: ...
    def decided(self, facts: Facts, condition: Condition) -> None: ...
    def part(
        self, facts: Facts, function: Callable[..., Any], arguments: tuple[Any, ...], eager: bool
    ) -> tuple[Tree | None, bool]: ...


class Run:
    """The decider of one path: it answers from facts, and takes ``choices`` in order where they leave a question open.

    ``path`` records the open questions, ``perhaps`` what a refusal may be at some numbers. While ``eager`` is false, an
    open question of a merge counts as no, and ``passed`` records that there was one.
    """

    def __init__(self, search: Explorer, facts: Facts, choices: Sequence[bool], eager: bool) -> None:
        self.search = search
        self.facts = facts
        self.choices = choices
        self.eager = eager
        self.path: list[Choice] = []
        self.passed = False
        self.notes: list[Condition] = []
        self.base = facts
        self.last = -1
        self.perhaps: frozenset[str] = frozenset()

    def ask(self, condition: Condition) -> bool:
        """The answer of this path."""
        answer = self.facts.decide(condition)
        if answer is not None:
            self.search.decided(self.facts, condition)
            return answer
        question = self.facts.simplified(condition)
        if self.search.ragged and question.kind == DIVIDES != condition.kind and _rounds_up(condition.poly):
            if question not in self.notes:
                self.notes.append(question)
            return False
        return self.fork(question)

    def fork(self, question: Condition) -> bool:
        """Take a side of an open question, unless the facts exclude the other after all."""
        yes, no = learn(self.facts, question), learn(self.facts, question.negated())
        if yes is None or no is None:
            if yes is None and no is None:
                raise Impossible
            self.facts = yes or no  # type: ignore[assignment]
            return yes is not None
        depth = len(self.path)
        self.search.check(depth)
        answer = self.choices[depth] if depth < len(self.choices) else True
        self.path.append(Choice(self.facts, question, answer))
        self.facts = yes if answer else no
        return answer

    def needs_form(self) -> None:
        """From here on merges are decided: the form of a layout matters, not only its function."""
        if self.passed:
            raise Restart
        self.eager = True

    def apart(self, part: int, function: Callable[..., Any], *arguments: Any) -> Any:
        """``function(*arguments)``, where the parts 0, 1, ... of an operation have nothing to do with one another.

        Each part is explored alone, from what was known before the first; this path then walks down its tree of cases.
        So k parts with n cases each cost k*n runs, not n^k. Errors and remarks get the part in front of their paths.
        """
        if part <= self.last or self.last < 0:
            self.base = self.facts
        self.last = part
        tree, passed = self.search.part(self.base, function, arguments, self.eager)
        self.passed = self.passed or passed
        while isinstance(tree, Node):
            tree = tree.yes if self.ask(tree.question) else tree.no
        if tree is None:
            raise Impossible
        self.notes += [note for note in tree.notes if note not in self.notes]
        for made in tree.remarks:
            paths = {key: (part, *made.facts[key]) for key in ("left_path", "right_path") if key in made.facts}
            remark(made.code, made.template, **made.facts | paths)
        if isinstance(tree.error, LayoutError) and not tree.error.is_diagnosed:
            self.perhaps |= tree.perhaps
            raise type(tree.error)(tree.error.code, tree.error.template, dict(tree.error.facts))
        if tree.status == OPEN:
            raise Cut(tree.why)
        return tree.value

    # -- the decider -----------------------------------------------------------------------------------------

    def divides(self, a: Any, b: Any) -> bool:
        if type(a) is int and a == 0:
            return self.same(b, 0)
        return self.ask(conditions.divides(a, b))

    def at_most(self, a: Any, b: Any) -> bool:
        if not (isinstance(a, Poly) or isinstance(b, Poly)):
            return bool(a <= b)
        difference = b - a
        return difference >= 0 if type(difference) is int else self.ask(conditions.at_least_zero(difference))

    def same(self, a: Any, b: Any) -> bool:
        pairs = _pairs(a, b)
        return pairs is not None and all(map(self._zero, pairs))

    def _zero(self, p: Number) -> bool:
        return p == 0 if type(p) is int else self.ask(conditions.is_zero(p))

    def known_same(self, a: Any, b: Any) -> bool:
        if self.eager:
            return self.same(a, b)
        pairs = _pairs(a, b)
        if pairs is None:
            return False
        for p in pairs:
            known = self.facts.is_zero(p)
            if not known:
                self.passed = self.passed or known is None
                return False
        return True

    def known_at_most(self, a: Any, b: Any) -> bool:
        return self.facts.at_least_zero(b - a) is True

    def inside(self, coordinate: Any, extent: Any) -> None:
        """Outside of a layout its form counts, which numbers have changed where a formula passed a merge over."""
        if not self.passed:
            return
        above, below = fraction(extent)
        if not self.ask(conditions.at_least_zero(above - below * coordinate - 1)):
            raise refuse(
                "LC106",
                "{coordinate} is not known to be below {extent}",
                op="slice",
                coordinate=str(coordinate),
                extent=str(extent),
            )

    def unlisted(self, outcome: str) -> None:
        self.perhaps |= {outcome}

    def quotient(self, b: Any, a: Any) -> Any:
        found = over(b, a)
        return rounded(self.facts, b, a, up=True) if found is None else found

    def ceil_quotient(self, b: Any, a: Any) -> Any:
        if self.facts.divides(a, b):
            return self.quotient(b, a)
        if self.facts.at_least_zero(b - 1) and self.facts.at_least_zero(a - b):
            return 1
        return Poly({((Rounding.of(*lowest_terms(b, a), up=True), 1),): 1}, 1)

    def floor_quotient(self, b: Any, a: Any) -> Any:
        if self.facts.at_least_zero(b) and self.at_most(b + 1, a):
            return 0
        return self.quotient(b, a) if self.divides(a, b) else self.floor_value(b, a)

    def floor_value(self, b: Any, a: Any) -> Any:
        """The floor as a number, without a question."""
        return rounded(self.facts, b, a, up=False)


def _pairs(a: Any, b: Any) -> list[Any] | None:
    """The differences that are zero if and only if a = b; None for different kinds."""
    if isinstance(a, Coordinate) or isinstance(b, Coordinate):
        one, two = (dict(x.terms) if isinstance(x, Coordinate) else None for x in (a, b))
        if one is None or two is None or one.keys() != two.keys():
            return None
        return [one[path] - two[path] for path in one]
    if isinstance(a, (int, Poly)) and isinstance(b, (int, Poly)):
        return [a - b]
    return [] if a == b else None


def _rounds_up(p: Number) -> bool:
    return isinstance(p, Poly) and any(atom.up for atom in p.roundings())
