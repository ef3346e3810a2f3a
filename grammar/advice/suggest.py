"""What to add to a diagnostic: a witness, what CUTLASS does, and calls that work, each one tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from laycalc.algebra.values.layout import Layout
from laycalc.diagnostics.codes import code_of
from laycalc.diagnostics.model import Advice, Suggestion

from .edits import Case
from .evidence import cutlass_note, inner_operands, same_values, witness
from .nearest_calls import SHOWN, nearest, stepwise
from .repairs import REPAIRS


def advise(case: Case) -> Advice:
    """Notes, witness and suggestions of an error or a warning."""
    note = cutlass_note(case.code, case.name, case.arguments, case.facts)
    return Advice((note,) if note else (), witness(case.code, case.facts), tuple(_suggestions(case)))


def _suggestions(case: Case) -> list[Suggestion]:
    """What the ways of the code find; several numbers changed if one is not enough."""
    ways = code_of(case.code).repairs
    found: dict[str, Suggestion] = {}
    for suggestion in chain.from_iterable(WAYS[way](case) for way in ways):
        found.setdefault(suggestion.expr, suggestion)
        if len(found) == SHOWN:
            break
    return list(found.values()) or (list(stepwise(case)) if "numbers" in ways else [])


def _same_values(case: Case) -> Iterator[Suggestion]:
    """A layout with the values of A(B(c)), where only the conditions fail."""
    operands = inner_operands(case.facts)
    if operands is None or case.facts.get("op") != "composition" or len(case.arguments) != 2:
        return
    if isinstance(case.arguments[1], (Layout, int)) and (found := same_values(*operands)) is not None:
        yield Suggestion(str(found), str(found), "has the values of A(B(c))")


WAYS: dict[str, Callable[[Case], Iterator[Suggestion]]] = {
    **REPAIRS,
    "same-values": _same_values,
    "numbers": nearest,
}
"""The ways to look for calls that work, by the words that the files of the codes use."""
