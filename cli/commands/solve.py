"""``laycalc solve``: the unknown layout of an equation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.language.values import kind_of, text_of
from laycalc.grammar.run.equations import Equation, read_equation
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import run as run_text

from ..streams.command import command
from ..streams.inputs import scope_of
from ..streams.options import AsJson, Define
from ..streams.output import complain, write_json, write_line
from ..streams.value import value_of

if TYPE_CHECKING:
    from laycalc.algebra.equations.solution import Solution

__all__ = ["run"]

SHOWN = 4
"""Further solutions that are shown."""


@command(
    121,
    "What X is in A o X == C, X o B == C, A / X == C.",
    "laycalc solve '(4,8):(1,8) o X == (2,2):(1,16)'",
    "laycalc solve 'X o (4,6):(6,1) == (4,6):(8,1)'",
    "laycalc solve '24:1 / X == (8,3):(3,1)'",
)
def run(
    equation: Annotated[str, typer.Argument(metavar="EQUATION", help="One side is A o X, X o B or A / X.")],
    as_json: AsJson = False,
    define: Define = None,
) -> int:
    """Find the layout X that an equation asks for, and say whether it is the only one.

    X is any name that nothing binds. Of several solutions the one of fewest modes and smallest codomain is shown, and
    what is free in it. Exit code 1: no function solves the equation (with a value or two coordinates that show it), or
    a function does and no layout.
    """
    from laycalc.algebra.equations.asking import solution
    from laycalc.algebra.equations.inverses import is_listed
    from laycalc.algebra.equations.solution import refusal

    scope = scope_of(define)
    asked = read_equation(equation, scope)
    known, wanted = (_layout(text, scope) for text in (asked.known, asked.wanted))
    if known is None or wanted is None or not is_listed(known, wanted, on_left=asked.on_left):
        return _by_inverses(asked, scope, as_json)
    found = solution(asked.operator, known, wanted, on_left=asked.on_left)
    if found.value is None and not as_json:
        raise refusal(found, "solve")
    if found.value is not None:
        _check(asked, known, found.value, wanted)
    if as_json:
        write_json({"schema": 1, "equation": asked.text, **_object(asked, found)})
    else:
        _tell(asked, known, found, wanted)
    return 0 if found.value is not None else 1


def _layout(text: str, scope: Scope) -> Any:
    """A side of the equation, None where it has unknowns."""
    value = value_of(text, scope) if not _has_unknowns(text, scope) else None
    if value is not None and not isinstance(value, (Layout, Composed, Tensor)):
        raise Failure(Diagnostic("LC103", f"an equation is about layouts, not the {kind_of(value)} {text}"))
    return value


def _has_unknowns(text: str, scope: Scope) -> bool:
    return any(outcome.report is not None for outcome in run_text(text, scope))


def _by_inverses(asked: Equation, scope: Scope, as_json: bool) -> int:
    """Unknown or huge extents: the words of the language say what X is, and under which conditions."""
    code = 0
    for outcome in run_text(asked.as_call, scope):
        complain(outcome.warnings)
        if outcome.error is not None:
            raise Failure(outcome.error)
        report = outcome.report
        is_known = report is None or report.value is not None
        code = 0 if is_known else 1
        if as_json:
            known = {"value": text_of(outcome.value)} if report is None else report.as_json()
            write_json({"schema": 1, "equation": asked.text, "ok": is_known, "name": asked.name, **known})
        else:
            value = outcome.value if report is None else report
            write_line(f"{asked.name} = {value}" if is_known else str(report))
    return code


def _check(asked: Equation, known: Any, x: Any, wanted: Any) -> None:
    """The law of the equation at every coordinate; LC901 if our own answer fails it."""
    from laycalc.algebra.equations.asking import broken_at

    if (at := broken_at(asked.operator, known, x, wanted, on_left=asked.on_left)) is not None:
        raise Failure(Diagnostic("LC901", f"{asked.name} = {x} fails the equation at index {at}"))


def _tell(asked: Equation, known: Any, found: Solution, wanted: Any) -> None:
    """X, where the law was looked at, what else would do."""
    write_line(f"{asked.name} = {text_of(found.value)}")
    only = ", and no other function does" if found.is_unique else ""
    where = f"all {wanted.size} coordinates" if wanted.size > 1 else "its one coordinate"
    write_line(f"  it solves the equation at {where}{only}")
    if found.outside is not None:
        write_line("  it reaches past the end of a mode (LC402)")
    if found.freedom:
        write_line(f"  free: {found.freedom}")
    if (tiler := _by_mode(asked, known, found.value, wanted)) is not None:
        write_line(f"  by mode: {tiler}")
    if found.others:
        many = f"{found.count - 1} more" if found.count else "others"
        left_out = ", ..." if len(found.others) > SHOWN else ""
        write_line(f"  {many} with as few modes: {', '.join(map(str, found.others[:SHOWN]))}{left_out}")


def _by_mode(asked: Equation, known: Any, x: Any, wanted: Any) -> Any:
    """The tiler that does what a layout X does, if there is one that stays inside."""
    from laycalc.algebra.equations.tilers import composing_tiler

    if asked.on_left or asked.operator == "/" or not isinstance(x, Layout) or wanted.rank < 2:
        return None
    found = composing_tiler(known, wanted)
    return found.value if isinstance(found.value, Tiler) and found.outside is None else None


def _object(asked: Equation, found: Solution) -> dict[str, Any]:
    fields = {
        "ok": found.value is not None,
        "verdict": found.verdict,
        "name": asked.name,
        "value": None if found.value is None else text_of(found.value),
        "unique": found.is_unique if found.value is not None else None,
        "freedom": found.freedom or None,
        "others": list(map(str, found.others)) or None,
        "reason": found.reason or None,
        "witness": found.witness,
        "outside": None if found.outside is None else text_of(found.outside),
    }
    return {key: value for key, value in fields.items() if value is not None}
