"""The search over cases: a run is repeated, each time with other answers to its open questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ..base.decide import active_decider
from ..base.errors import LayoutError, Remark, observing, refuse
from .condition import Condition
from .facts import Facts
from .poly import Poly, symbol
from .run import Choice, Cut, Impossible, Restart, Run
from .tree import CLEAN, OPEN, RAGGED, REFUSED, WARNED, Leaf, Node, Tree, count, join, why
from .values import exact, same_function

CASES = 32
QUESTIONS = 24
LOGGED = 128
"""How many answers from facts are kept; beyond that every assumption counts as used."""

STEPS = 30_000
"""The work that a search may do, in the steps of `known.Work`: about a quarter of a second."""

REPORTING = 2.5
"""The work after which the report on a search leaves out what is dear, as a multiple of that of the search."""

SYMBOLS = 16
"""A tensor of five modes with unknown strides has ten, its tiles and a coordinate a few more."""

Program = Callable[[Mapping[str, Any]], Any]
"""A computation from the values of symbols, unknown ones in a search, integers in a check."""

PLAIN = active_decider.get()
"""The decider of numbers."""

_NO_ANSWER = frozenset({"LC104", "LC106", "LC901"})
"""Codes of a run that say nothing about its case: a limit, a value that is needed, a fault of our own."""


class Symbols(dict[str, Any]):
    """The environment of a symbolic run: every name is an unknown integer.

    >>> Symbols()["M"] * 2
    2*M
    """

    def __missing__(self, name: str) -> Poly:
        if len(self) >= SYMBOLS:
            raise refuse("LC104", "more than {limit} symbols", op="symbolic", limit=SYMBOLS)
        self[name] = found = symbol(name)
        return found


class Search:
    """Explores the cases of one program."""

    def __init__(
        self,
        program: Program,
        facts: Facts,
        *,
        ragged: bool = False,
        steps: int = STEPS,
        cases: int = CASES,
        caught: tuple[type[Exception], ...] = (LayoutError,),
    ) -> None:
        self.program = program
        self.facts = facts
        self.work = facts.work
        self.ragged = ragged
        self.cases = cases
        self.caught = caught
        self.symbols = Symbols()
        self.steps = steps
        self.cut = ""
        self.runs = 0
        self.open = 0
        self.questions: dict[tuple[Facts, Condition], None] = {}
        self.parts: dict[Any, tuple[Tree | None, bool]] = {}
        self.passed = False
        self.is_part = False

    def tree(self) -> Tree | None:
        """The cases, None if there are none: the facts exclude everything."""
        try:
            return self.explore(self.facts, (), False)
        except Restart:
            self.open = 0
            return self.explore(self.facts, (), True)

    def explore(self, facts: Facts, choices: Sequence[bool], eager: bool) -> Tree | None:
        """The tree below a path: one run, then the other side of every open question that it met."""
        run = Run(self, facts, choices, eager)
        tree: Tree | None = self.outcome(run)
        self.passed = self.passed or run.passed
        if isinstance(tree, Leaf):
            self.open += 1
            if tree.status == REFUSED and run.passed and not eager:
                # A merge that was passed over may have led here.
                self.open -= 1
                tree = self.explore(run.facts, (), True)
        for depth in range(len(run.path) - 1, len(choices) - 1, -1):
            choice = run.path[depth]
            tree = self.branch(choice, tree, facts, [c.answer for c in run.path[:depth]], eager)
        return tree

    def branch(self, choice: Choice, yes: Tree | None, facts: Facts, before: list[bool], eager: bool) -> Tree | None:
        """The tree of one question, whose side yes is explored."""
        if self.open >= self.cases or self.cut:
            self.cut = self.cut or f"more than {self.cases} cases"
            no: Tree | None = Leaf(OPEN, why=f"not explored: {self.cut}")
        else:
            no = self.explore(facts, [*before, False], eager)
        if yes is None or no is None:
            return yes if no is None else no
        if self.is_spent:
            return Node(choice.condition, yes, no)
        both = count(yes) + count(no)
        tree = join(choice.condition, choice.facts, yes, no, partial(self.same, eager))
        self.open -= both - count(tree)
        return tree

    def same(self, eager: bool, a: Any, b: Any, facts: Facts) -> bool:
        """Are two values the same? The form of a part may count in what is made of it."""
        if not same_function(a, b, facts):
            return False
        if self.is_part and not same_function(a, b, facts, form=True):
            if eager:
                return False
            self.passed = True
        return True

    def part(
        self, facts: Facts, function: Callable[..., Any], arguments: tuple[Any, ...], eager: bool
    ) -> tuple[Tree | None, bool]:
        """The cases of one part of an operation, and whether a merge was passed over in one of them."""
        key = facts, function, arguments, eager
        found = self.parts.get(key)
        if found is None:
            program = lambda _: function(*arguments)  # noqa: E731
            inner = Search(program, facts, ragged=self.ragged, steps=self.steps, cases=self.cases)
            inner.questions, inner.parts, inner.is_part = self.questions, self.parts, True
            tree = inner.explore(facts, (), eager)
            self.cut = self.cut or inner.cut
            self.runs += inner.runs
            found = self.parts[key] = tree, inner.passed
        return found

    def check(self, depth: int) -> None:
        """Stop at a limit."""
        if depth >= QUESTIONS:
            raise Cut(f"more than {QUESTIONS} open questions on one path")
        self.step()

    def step(self) -> None:
        """Count a question; stop when the search has done its work."""
        self.work.steps += 1
        if self.work.steps > self.steps:
            self.cut = f"more than {self.steps:,} steps"
            raise Cut(self.cut)

    @property
    def is_spent(self) -> bool:
        """Has the report done all that it may?"""
        return self.work.steps > REPORTING * self.steps

    def decided(self, facts: Facts, condition: Condition) -> None:
        """A question was answered by facts; the report tells which assumptions it needed."""
        self.step()
        if len(self.questions) <= LOGGED:
            self.questions[facts, condition] = None

    # -- one run ---------------------------------------------------------------------------------------------

    def outcome(self, run: Run) -> Leaf | None:
        """Run the program once; None if the path is impossible."""
        self.runs += 1
        token = active_decider.set(run)
        try:
            with observing() as remarks:
                value = self.program(self.symbols)
        except Impossible:
            return None
        except Cut as cut:
            return Leaf(OPEN, why=f"not explored: {cut}")
        except self.caught as error:
            code = code_of(error)
            status = OPEN if code in _NO_ANSWER else REFUSED
            return Leaf(status, None, frozenset({code}), run.perhaps, error=bare(error), why=message_of(error))
        finally:
            active_decider.reset(token)
        return self.leaf(exact(value, run.facts), remarks, tuple(run.notes))

    def outcome_at(self, point: Mapping[str, int]) -> Leaf:
        """What the program does with numbers."""
        token = active_decider.set(PLAIN)
        try:
            with observing() as remarks:
                value = self.program(point)
        except self.caught as error:
            return Leaf(REFUSED, codes=frozenset({code_of(error)}), error=bare(error), why=message_of(error))
        finally:
            active_decider.reset(token)
        return self.leaf(value, remarks, ())

    def leaf(self, value: Any, remarks: list[Remark], notes: tuple[Condition, ...]) -> Leaf:
        codes = frozenset("LC401" if r.code == "LC402" else r.code for r in remarks if r.code in RAGGED)
        if value is False or (type(value) is not bool and hasattr(value, "diagnostic") and not value):
            return Leaf(REFUSED, value, frozenset({"LC501"}), why="the assertion is false", notes=notes)
        status = WARNED if codes and not (self.ragged and codes == {"LC401"}) else CLEAN
        return Leaf(status, value, codes, remarks=tuple(remarks), why=why(remarks), notes=notes)


def bare(error: Exception) -> Exception:
    """An error without its traceback, which would keep every frame of the run."""
    error.__context__ = error.__cause__ = None
    return error.with_traceback(None)


def code_of(error: Exception) -> str:
    """The code of an error."""
    return str(getattr(error, "code", "LC901"))


def message_of(error: Exception) -> str:
    """Its sentence."""
    return str(getattr(error, "message", None) or error)
