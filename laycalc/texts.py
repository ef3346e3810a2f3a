"""Texts as values: what `eval` and the constructors of values read."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.htuple import plain
from laycalc.grammar.language.values import Text, kind_of
from laycalc.grammar.run.scope import Scope, Settings
from laycalc.grammar.run.statements import evaluate

__all__ = ["eval"]


def eval(text: str, *, unknowns: bool = False, **names: Any) -> Any:
    """The value of an expression, with ``names`` bound to values; `Failure` carries the diagnostic if it has none.

    A name that nothing binds is LC102. With ``unknowns`` it is an unknown number, and the value is the `Report` on all
    its values.

    >>> eval("A o 6:12", A=eval("(4,6,8,10):(2,3,5,7)"))
    Layout('(2,3):(9,5)')
    >>> print(eval("size((M,4):(1,M))", unknowns=True))
    4*M
    """
    if not isinstance(text, str):
        raise refuse("LC103", "eval takes a text, not the {kind}", op="eval", kind=kind_of(text))
    bound = {name: _bound(name, value) for name, value in names.items()}
    return evaluate(text, Scope(Settings(unknowns=unknowns), bound))


def _bound(name: str, value: Any) -> Any:
    """A value as the language knows it."""
    if isinstance(value, str):
        return Text(value)
    value = plain(value)
    if type(value) in (float, complex, bytes, dict, set, frozenset):
        raise refuse(
            "LC103", "{name} is bound to the {kind} {value}", op="eval", name=name, kind=kind_of(value), value=value
        )
    return value


def value(text: str) -> Any:
    """The value that a constructor is given as a text."""
    return evaluate(text)
