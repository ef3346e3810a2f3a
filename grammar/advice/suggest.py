"""What to add to a diagnostic: a witness, what CUTLASS does, and calls that work, each one tried."""

from __future__ import annotations

from collections.abc import Iterator

from laycalc.algebra.values.layout import Layout
from laycalc.diagnostics.model import Advice, Suggestion

from .edits import Case
from .evidence import cutlass_note, inner_operands, same_values, witness
from .nearest_calls import SHOWN, nearest, stepwise
from .repairs import special

__all__ = ["advise"]

# Warnings about what was meant: other numbers do not answer them.
_MEANT = frozenset({"LC403", "LC405", "LC407", "LC408", "LC409"})


def advise(case: Case) -> Advice:
    """Notes, witness and suggestions of an error or a warning."""
    operands = inner_operands(case.facts) if case.code in ("LC301", "LC302", "LC303") else None
    note = cutlass_note(case.code, case.name, case.arguments, case.facts)
    return Advice((note,) if note else (), witness(case.code, case.facts), tuple(_suggestions(case, operands)))


def _suggestions(case: Case, operands: tuple[Layout, Layout] | None) -> list[Suggestion]:
    """A layout with the same values, repairs of the code, the nearest number; several numbers if one is not enough."""
    found: list[Suggestion] = []
    if case.code in _MEANT:
        return list(special(case))
    for way in (_same_values(case, operands), special(case), nearest(case)):
        for suggestion in way:
            if len(found) < SHOWN and all(suggestion.expr != other.expr for other in found):
                found.append(suggestion)
    return found or list(stepwise(case))


def _same_values(case: Case, operands: tuple[Layout, Layout] | None) -> Iterator[Suggestion]:
    """A layout with the values of A(B(c)), where only the conditions fail."""
    if operands is None or case.facts.get("op") != "composition" or len(case.arguments) != 2:
        return
    if isinstance(case.arguments[1], (Layout, int)) and (found := same_values(*operands)) is not None:
        yield Suggestion(str(found), str(found), "has the values of A(B(c))")
