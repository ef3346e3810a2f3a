"""The public entry: explore a program over all admissible values of its symbols."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Any

from ..base.errors import LayoutError, refuse
from .assume import Assumptions
from .closure import learn
from .condition import Condition
from .facts import Facts
from .normal import substitute
from .poly import Number, Poly
from .report import Case, Obligation, Point, Report
from .search import LOGGED, STEPS, Program, Search
from .tree import CLEAN, OPEN, REFUSED, WARNED, Leaf, Node, Tree, agree, leaves
from .values import at, exact, rewrite, same_function
from .witness import TRIED, points

CHECKED = 1
"""How many points of a case are checked by numbers, unless told otherwise: its witness."""

OFFERED = 31
"""How many steps beyond the first a sweep is offered for a symbol without an upper bound."""

COINCIDENCES = 16
"""How many points at which the numbers have an answer all the same are passed over in search of a refusal."""

NOTHING = Facts()
"""What numbers need to be compared."""


def explore(
    program: Program,
    known: Assumptions | None = None,
    *,
    ragged: bool = False,
    steps: int = STEPS,
    verify: int = CHECKED,
    caught: tuple[type[Exception], ...] = (LayoutError,),
) -> Report:
    """The report on ``program(symbols)``, a computation that takes its unknown numbers from a mapping.

    It is run with polynomials, once for every way that its open questions may be answered, and checked with integers
    at points of every case. ``ragged`` accepts tiles that reach outside; ``steps`` is how much work the search may do,
    a step some ten microseconds; ``caught`` are the exceptions that count as a refusal. LC502 if the assumptions
    exclude everything, LC901 if a check by numbers fails.

    >>> from ..operations.divide import logical_divide
    >>> from ..values.layout import Layout
    >>> report = explore(lambda n: logical_divide(Layout(n["M"], 1), Layout(64, 1)))
    >>> report.verdict, str(report.value), report.condition, str(report.counterexample)
    ('valid-iff', '(64,M/64):(1,64)', '64 | M', 'M = 1')
    """
    known = known or Assumptions()
    search = Search(program, known.facts.fresh(), ragged=ragged, steps=steps, caught=caught)
    tree = search.tree()
    if tree is None:
        raise refuse(
            "LC502", "the assumptions exclude all values: {first}", op="assume", first=str(known), second="", lines=()
        )
    return _Writer(search, known, tree, verify).report()


class _Found:
    """A case in the making."""

    __slots__ = ("case", "facts", "leaf", "path", "sides", "when")
    case: Case

    def __init__(self, leaf: Leaf, facts: Facts, path: tuple[Condition, ...], sides: list[Tree]) -> None:
        self.leaf = leaf
        self.facts = facts
        self.path = path
        self.sides = sides
        self.when = path

    @property
    def is_failing(self) -> bool:
        """Is it a warning or a refusal?"""
        return self.leaf.status in (WARNED, REFUSED)


class _Writer:
    """Turns a tree of cases into a report."""

    def __init__(self, search: Search, known: Assumptions, tree: Tree, verify: int) -> None:
        self.search = search
        self.known = known
        self.facts = search.facts
        self.verify = verify
        self.names = frozenset(search.symbols)
        self.found = [_Found(leaf, facts, path, _sides(tree, path)) for leaf, facts, path in leaves(tree, self.facts)]

    def ranked(self) -> list[_Found]:
        """The cases with their shortest conditions, the one to show first."""
        for found in self.found:
            if found.leaf.status != OPEN:
                found.when = self.conditions(found.path)
        self.combine()
        for found in self.found:
            found.case = self.case(found)
        return sorted(self.found, key=self.rank)

    def report(self) -> Report:
        ranked = self.ranked()
        main = ranked[0]
        verdict = _verdict(ranked)
        counterexample = _smallest(found.case.witness for found in ranked if found.is_failing)
        shown = main.case if main.leaf.status in (CLEAN, WARNED) and verdict != "gives-up" else None
        some_open = any(found.leaf.status == OPEN for found in ranked)
        return Report(
            verdict,
            shown,
            self.obligations(main) if main.leaf.status == CLEAN else (),
            tuple(found.case for found in (ranked[1:] if shown else ranked)),
            counterexample,
            _why(ranked, verdict, counterexample),
            self.used(),
            tuple(dict.fromkeys(note for found in self.found for note in found.leaf.notes)),
            tuple(sorted(self.names)),
            tuple(s.source for s in self.known.statements),
            tuple(map(self.offer, sorted(self.names))) if some_open else (),
        )

    def offer(self, name: str) -> str:
        """A range of a symbol for a sweep."""
        domain = self.facts.domain(name)
        last = domain.lo + OFFERED * domain.mod if domain.hi is None else domain.hi
        return f"{name}={domain.lo}..{last}" + (f":{domain.mod}" if domain.mod > 1 else "")

    def rank(self, found: _Found) -> Any:
        """Clean before warned before refused; true of large numbers; few conditions."""
        order = (CLEAN, WARNED, REFUSED, OPEN).index(found.leaf.status)
        point = self.large(found)
        large = sum(not condition.true_at(point) for condition in found.when)
        return order, large, len(found.when)

    def large(self, found: _Found) -> dict[str, int]:
        """Large values, multiples of everything as far as the assumptions let them."""
        facts = self.facts
        names = {x for condition in (*found.path, *facts.conditions) for x in condition.symbols}
        names |= {x for value in facts.solved.values() if isinstance(value, Poly) for x in value.symbols}
        point: dict[str, int] = {}
        for i, name in enumerate(sorted(names | self.names | facts.domains.keys() | facts.solved.keys())):
            domain = facts.domain(name)
            far = domain.rem + domain.mod * (5040 << 12) * (i + 1)
            point[name] = far if far in domain else (domain.hi or domain.lo)
        point |= {name: int(v.at(point) if isinstance(v, Poly) else v) for name, v in facts.solved.items()}
        return point

    # -- one case --------------------------------------------------------------------------------------------

    def case(self, found: _Found) -> Case:
        leaf = found.leaf
        witness = self.check(found) if leaf.status != OPEN else None
        return Case(
            found.when,
            _status(leaf),
            self.shown(found),
            tuple(sorted(leaf.codes)),
            leaf.why,
            witness,
            leaf.error,
            leaf.remarks,
            tuple(sorted(leaf.perhaps)),
        )

    def shown(self, found: _Found) -> Any:
        """The value with what the case fixes put in."""
        values: dict[str, Number] = {
            name: x for name, x in found.facts.solved.items() if type(x) is int and name not in self.facts.solved
        }
        value = exact(found.leaf.value, found.facts)
        return rewrite(value, lambda p: substitute(p, values)) if values else value

    def conditions(self, path: tuple[Condition, ...]) -> tuple[Condition, ...]:
        """The conditions of a path that the assumptions and the others do not imply."""
        kept = list(path)
        for condition in path:
            if self.search.is_spent:
                break
            facts: Facts | None = self.facts
            for other in kept:
                if other is not condition and facts is not None:
                    facts = learn(facts, other)
            if facts is not None and facts.decide(condition):
                kept.remove(condition)
        return tuple(kept)

    def combine(self) -> None:
        """Two cases that differ in the answer to one question, and end alike, are one case without it."""
        for one, other in permutations(self.found, 2):
            if one not in self.found or other not in self.found or self.search.is_spent:
                continue
            apart = set(one.when) ^ set(other.when)
            if len(apart) != 2 or not any(c.negated() in apart for c in apart):
                continue
            both = agree(one.leaf, other.leaf, other.facts)
            if both is not None:
                one.leaf = both
                one.when = tuple(c for c in one.when if c not in apart)
                one.facts = self.facts
                for condition in one.when:
                    one.facts = learn(one.facts, condition) or one.facts
                self.found.remove(other)

    def check(self, found: _Found) -> Point | None:
        """The smallest point of a case where the numbers agree with it; LC901 where they contradict it."""
        best: Point | None = None
        code = min(found.leaf.codes, default="")
        late = self.search.is_spent
        for tried, point in enumerate(points(found.facts, self.names, 0 if late else TRIED)):
            if tried >= self.verify and (best is not None or tried >= COINCIDENCES):
                break
            agrees, why = self.agrees(found, point)
            if agrees and best is None:
                best = Point({name: point[name] for name in sorted(self.names)}, why or found.leaf.why, code)
        return best

    def agrees(self, found: _Found, point: dict[str, int]) -> tuple[bool, str]:
        """Do the numbers end as the case says? A right answer where it says refused is a coincidence."""
        leaf = found.leaf
        # A name that the case never came to may be any number.
        number = self.search.outcome_at(defaultdict(lambda: 1, point))
        if leaf.status == REFUSED:
            return number.status == REFUSED, number.why
        if number.status in (CLEAN, WARNED) and same_function(at(leaf.value, point), number.value, NOTHING):
            return True, number.why
        raise refuse(
            "LC901",
            "the symbolic value {value} is not what the numbers give at {point}: {number}",
            op="symbolic",
            value=str(leaf.value),
            point=str(point),
            number=str(number.value or number.why),
        )

    # -- the whole -------------------------------------------------------------------------------------------

    def obligations(self, main: _Found) -> tuple[Obligation, ...]:
        """The conditions of the main case, each with what stands on its other side."""
        made = []
        for condition, side in zip(main.path, main.sides, strict=True):
            if condition not in main.when:
                continue
            worst = max(_all(side), key=lambda leaf: (CLEAN, OPEN, WARNED, REFUSED).index(leaf.status))
            kind = {REFUSED: "needs", WARNED: "exact", OPEN: "open"}.get(worst.status, "form")
            error = _facts_of(worst.error) or next((r.facts for r in worst.remarks), {})
            code, perhaps = min(worst.codes, default=""), tuple(sorted(worst.perhaps))
            made.append(Obligation(condition, kind, code, worst.why, error, perhaps))
        return tuple(made)

    def used(self) -> tuple[int, ...]:
        """The assumptions without which a question would have been open; all if that is too much to find out."""
        found = []
        every = range(len(self.known.statements))
        start = len(self.facts.conditions)
        if len(self.search.questions) > LOGGED:
            return tuple(every)
        for i in every:
            base = self.known.without(i)
            base.work = self.facts.work
            for facts, question in self.search.questions:
                if self.search.is_spent:
                    return tuple(every)
                known: Facts | None = base
                for condition in facts.conditions[start:]:
                    known = known and learn(known, condition)
                if known is None or known.decide(question) is None:
                    found.append(i)
                    break
        return tuple(found)


def _sides(tree: Tree, path: tuple[Condition, ...]) -> list[Tree]:
    """The other side of every question on a path."""
    found = []
    for answer in path:
        assert isinstance(tree, Node)
        yes = answer == tree.question
        found.append(tree.no if yes else tree.yes)
        tree = tree.yes if yes else tree.no
    return found


def _all(tree: Tree) -> Iterator[Leaf]:
    if isinstance(tree, Leaf):
        yield tree
    else:
        yield from _all(tree.yes)
        yield from _all(tree.no)


def _status(leaf: Leaf) -> str:
    if leaf.status == WARNED:
        return "ragged" if "LC401" in leaf.codes | leaf.perhaps else "holes"
    return {CLEAN: "ok", REFUSED: "refused", OPEN: "open"}[leaf.status]


def _verdict(ranked: list[_Found]) -> str:
    statuses = {found.leaf.status for found in ranked}
    doubtful = any("coincidence" in found.leaf.perhaps for found in ranked)
    if statuses == {CLEAN}:
        return "proven" if len(ranked) == 1 else "proven-by-cases"
    if CLEAN not in statuses:
        return "gives-up" if OPEN in statuses or doubtful else "refuted"
    witnessed = all(found.case.witness for found in ranked if found.is_failing)
    return "valid-iff" if OPEN not in statuses and witnessed and not doubtful else "valid-if"


def _smallest(points: Iterable[Point | None]) -> Point | None:
    """The counterexample: the least sum of values, then the fewest symbols."""
    return min(filter(None, points), key=lambda p: (sum(p.at.values()), len(p.at)), default=None)


def _why(ranked: list[_Found], verdict: str, counterexample: Point | None) -> str:
    """What stands in the way of a clean value."""
    open_ = next((found.leaf.why for found in ranked if found.leaf.status == OPEN), "")
    if verdict == "gives-up" and open_:
        return open_
    if counterexample is not None:
        return counterexample.why
    worst = min((found for found in ranked if found.is_failing), key=lambda found: len(found.path), default=None)
    return worst.leaf.why if worst else open_


def _facts_of(error: Exception | None) -> dict[str, Any]:
    return error.facts if isinstance(error, LayoutError) and not error.is_diagnosed else {}
