"""Verdicts about unknown numbers against z3: proofs, conditions, and what is said to be refused for all values.

Each claim is drawn twice: as a text of the language, and as a formula that says where it is true, a composition by the
criterion of the paper. z3 looks for numbers at which the report and the formula differ.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, NamedTuple

import pytest
import z3

from laycalc.algebra.symbolic import Among, Condition, Poly, Report
from laycalc.algebra.symbolic.poly import Rounding
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import Outcome, run

CHUNKS = 4
DRAWN = 180
AGREED = 500 // CHUNKS
PATIENCE = 200_000
"""What z3 may spend on one question, in its own unit of work; a question that needs more is not counted."""

NAMES = ("M", "N", "K")
SYMBOLS = {name: z3.Int(name) for name in NAMES}


class Drawn(NamedTuple):
    """A text, and where it holds."""

    text: str
    holds: Any


class Draw:
    """Random numbers, facts and claims."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def name(self) -> Drawn:
        found = self.random.choice(NAMES)
        return Drawn(found, SYMBOLS[found])

    def constant(self, *among: int) -> Drawn:
        found = self.random.choice(among or (2, 3, 4, 6, 8, 12))
        return Drawn(str(found), z3.IntVal(found))

    def number(self) -> Drawn:
        """A symbol, a multiple of one, a product of two, or a constant."""
        kind = self.random.random()
        one, other = self.name(), self.name() if kind < 0.2 else self.constant(2, 3, 4)
        if kind < 0.45:
            return Drawn(f"({one.text}*{other.text})", one.holds * other.holds)
        return one if kind < 0.8 else self.constant()

    def fact(self) -> Drawn:
        one, other, n = self.name(), self.name(), self.constant()
        rest = self.constant(0, 1, 2)
        return self.random.choice(
            (
                Drawn(f"{n.text} | {one.text}", one.holds % n.holds == 0),
                Drawn(f"{one.text} % 4 == {rest.text}", one.holds % 4 == rest.holds),
                Drawn(f"{one.text} == {n.text}", one.holds == n.holds),
                Drawn(f"{one.text} == {n.text}*{other.text}", one.holds == n.holds * other.holds),
                Drawn(f"{one.text} >= {n.text}", one.holds >= n.holds),
                Drawn(f"{one.text} <= {other.text}", one.holds <= other.holds),
                Drawn(f"{n.text} | {one.text}*{other.text}", one.holds * other.holds % n.holds == 0),
            )
        )

    def claim(self) -> Drawn:
        return self.random.choice((self.relation, self.divide, self.composition, self.complement))()

    def relation(self) -> Drawn:
        a, b, n = self.number(), self.number(), self.constant()
        return self.random.choice(
            (
                Drawn(f"{n.text} | {a.text}", a.holds % n.holds == 0),
                Drawn(f"{a.text} | {b.text}", divides(a.holds, b.holds)),
                Drawn(f"{a.text} <= {b.text}", a.holds <= b.holds),
                Drawn(f"{a.text} == {b.text}", a.holds == b.holds),
                Drawn(f"size(({a.text},{n.text}):(1,7)) % 8 == 0", a.holds * n.holds % 8 == 0),
            )
        )

    def divide(self) -> Drawn:
        """Clean where every tile divides its mode."""
        shape, tiles = [self.number(), self.number()], [self.number(), self.constant()]
        text = f"({shape[0].text},{shape[1].text}):(1,1000) / <{tiles[0].text},{tiles[1].text}>"
        return Drawn(text, z3.And(*(divides(t.holds, s.holds) for s, t in zip(shape, tiles, strict=True))))

    def composition(self) -> Drawn:
        """Two modes (a,b):(s,t) after a leaf n:d: the leaf stays in a, steps over it, or is cut where a ends."""
        a, b, s, t = self.number(), self.number(), self.constant(1, 2), self.number()
        n, d = self.number(), self.constant(1, 2, 3, 4, 6)
        text = f"({a.text},{b.text}):({s.text},{t.text}) o {n.text}:{d.text}"
        merges = z3.Or(a.holds * s.holds == t.holds, a.holds == 1)
        stays = (n.holds - 1) * d.holds < a.holds
        cut = z3.And(divides(d.holds, a.holds), divides(a.holds, n.holds * d.holds))
        return Drawn(text, z3.Or(n.holds == 1, merges, stays, divides(a.holds, d.holds), cut))

    def complement(self) -> Drawn:
        """Clean where the layout with its complement fills the codomain."""
        n, d, size = self.constant(), self.number(), self.number()
        return Drawn(f"complement({n.text}:{d.text}, {size.text})", divides(n.holds * d.holds, size.holds))


def divides(a: Any, b: Any) -> Any:
    return b % a == 0


def translated(condition: Condition | Among) -> Any:
    """A condition of a report as a formula."""
    assert isinstance(condition, Condition)
    p, q = number(condition.poly), number(condition.divisor)
    found = {"divides": lambda: divides(q, p), "at_least_zero": lambda: p >= 0, "is_zero": lambda: p == 0}
    formula = found[condition.kind]()
    return formula if condition.holds else z3.Not(formula)


def number(p: Poly | int) -> Any:
    if isinstance(p, int):
        return z3.IntVal(p)
    assert p.den == 1
    assert p.is_integral()
    return z3.Sum([z3.Product([z3.IntVal(c), *(atom(a) for a, e in m for _ in range(e))]) for m, c in p.terms.items()])


def atom(name: str) -> Any:
    if not isinstance(name, Rounding):
        return SYMBOLS[name]
    p, q = number(name.p), number(name.q)
    return -((-p) / q) if name.up else p / q


def everywhere(known: list[Any], claim: Any) -> bool | None:
    """Does the claim follow? None if z3 cannot tell in time."""
    solver = z3.Solver()
    solver.set("rlimit", PATIENCE)
    solver.add(*(symbol >= 1 for symbol in SYMBOLS.values()), *known, z3.Not(claim))
    found = solver.check()
    return None if found == z3.unknown else found == z3.unsat


def where(conditions: tuple[Condition, ...]) -> Any:
    return z3.And(*map(translated, conditions))


def statements(report: Report | None, outcome: Outcome, claim: Any) -> dict[str, Any]:
    """What was said, each as a formula that holds everywhere if it is true."""
    if report is None or report.verdict == "refuted":
        refused = outcome.error is not None and any("refused for all" in note for note in outcome.error.notes)
        return {"refused for all": z3.Not(claim)} if refused or report is not None else {}
    clean = [case for case in (report.main, *report.cases) if case is not None and case.is_clean]
    if report.is_clean:
        return {report.verdict: claim}
    if not clean:
        return {}
    obligations = where(tuple(obligation.condition for obligation in report.obligations))
    holds = z3.Or(*(where(case.when) for case in clean))
    found = {"obligations": z3.Implies(obligations, claim), "valid-if": z3.Implies(holds, claim)}
    return found | ({"valid-iff": holds == claim} if report.verdict == "valid-iff" else {})


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_verdict_is_refuted_by_z3(chunk: int) -> None:
    counts: Counter[str] = Counter()
    for seed in range(chunk * DRAWN, (chunk + 1) * DRAWN):
        draw = Draw(seed)
        facts = [draw.fact() for _ in range(draw.random.choice((0, 0, 1, 1, 2)))]
        claim, scope = draw.claim(), Scope()
        outcomes = [last(f"assume {fact.text}", scope) for fact in facts]
        if any(outcome.error is not None for outcome in outcomes):
            excluded = everywhere([fact.holds for fact in facts], z3.BoolVal(False))
            assert excluded is not False, facts
            counts["contradiction"] += excluded is True
            continue
        outcome = last(claim.text, scope)
        found = {}
        for said, formula in statements(outcome.report, outcome, claim.holds).items():
            found[said] = everywhere([fact.holds for fact in facts], formula)
            assert found[said] is not False, (said, [fact.text for fact in facts], claim.text, str(outcome.report))
        counts.update(said for said, agreed in found.items() if agreed)
        counts["verdicts"] += bool(found) and None not in found.values()
    assert counts["verdicts"] >= AGREED
    assert min(counts[said] for said in ("proven", "refused for all", "obligations", "valid-iff", "contradiction")) > 0


def last(text: str, scope: Scope) -> Outcome:
    *_, outcome = run(text, scope)
    return outcome
