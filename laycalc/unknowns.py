"""Numbers that are not known yet, as arguments of functions: symbols, assumptions, and the answer for all values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from laycalc.algebra.base.errors import LayoutError, refuse
from laycalc.algebra.symbolic import Assumptions, Poly, Report, at, explore, symbol
from laycalc.algebra.symbolic.values import numbers
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import evaluate
from laycalc.grammar.run.symbolic_operators import prepare, relation

__all__ = ["answer", "assuming", "symbols"]

_assumed: ContextVar[Assumptions | None] = ContextVar("assumed", default=None)


def symbols(names: str) -> tuple[Poly, ...]:
    """Unknown positive integers, one for each name; LC103 for what is no name.

    >>> M, N = symbols("M N")
    >>> 2 * M * N + 3
    2*M*N+3
    """
    found = names.replace(",", " ").split() if isinstance(names, str) else []
    for name in found or [str(names)]:
        if not name.isidentifier():
            raise refuse("LC103", "{name} is no name of a symbol", op="symbols", name=name)
    return tuple(map(symbol, found))


@contextmanager
def assuming(*facts: str) -> Iterator[None]:
    """Inside the block functions know these facts about symbols: ``assuming("M % 128 == 0", "K >= 64")``.

    Blocks may be nested. LC103 for what is no relation between integers, LC502 if nothing satisfies them.
    """
    scope = Scope(facts=_assumed.get())
    for fact in facts:
        evaluate(f"assume {fact}", scope)
    token = _assumed.set(scope.facts)
    try:
        yield
    finally:
        _assumed.reset(token)


def answer(name: str, target: Callable[..., Any], given: Sequence[Any]) -> Any:
    """What a function gives for all values of the symbols in its arguments.

    LC503 with the `Report` in its facts if that holds under conditions only, LC501 if it never does, LC504 if the
    search gave up.
    """
    names = sorted({x for value in given for p in numbers(value) for x in p.symbols})

    def program(values: Mapping[str, Any]) -> Any:
        point = {x: values[x] for x in names}
        known = all(type(v) is int for v in point.values())
        prepare(name)
        try:
            return relation(name, target)(*[at(value, point) if known else value for value in given])
        except (TypeError, AttributeError):
            raise refuse("LC106", "{op} needs the values of {names}", op=name, names=", ".join(names)) from None

    report = explore(program, _assumed.get())
    if report.is_clean and len(report.cases) == 0 and report.main is not None:
        return report.value
    raise _conditional(name, report)


def _conditional(name: str, report: Report) -> LayoutError:
    """The error about an answer that does not hold for all values."""
    refused = [case.error for case in report.cases if case.status == "refused"]
    if report.value is None and refused and len(refused) == len(report.cases) and isinstance(refused[0], LayoutError):
        return refused[0]
    code = report.code or "LC503"
    words = {
        "LC501": "{op}: valid for no values of {symbols}: {why}",
        "LC503": "{op}: valid if {condition}; otherwise another answer. Say so by laycalc.assuming(...)",
        "LC504": "{op}: the search gave up: {why}",
    }
    return refuse(
        code,
        words[code],
        op=name,
        symbols=", ".join(report.symbols),
        condition=report.condition,
        why=report.why,
        report=report,
    )
