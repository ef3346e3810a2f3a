"""What the page asks: a text with its definitions and options, checked before anything is evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.run.given import scope_of, shape_of
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import Outcome, run
from laycalc.grammar.syntax import nodes

__all__ = ["Question", "refused"]

LIMIT = 1 << 20
"""A text of more bytes is refused, as on the command line."""
NAMES = 64
"""More definitions than a page has sliders for are refused."""


class Question(Record):
    """One question about a text.

    ``define`` binds names as -D does, ``shape`` is that of the tensor for pasted forms that do not say it, ``options``
    are those of the command of the same name.
    """

    ask: str
    text: str = ""
    define: Mapping[str, str] = {}
    shape: str = ""
    options: Mapping[str, Any] = {}

    @classmethod
    def of(cls, given: Any) -> Question:
        """The question in an object of JSON; LC103 or LC104 for anything else."""
        if not isinstance(given, dict) or not isinstance(given.get("ask"), str):
            raise refused("a question is an object that says what it asks")
        unknown = sorted(map(str, given.keys() - set(cls.fields)))
        if unknown:
            raise refused(f"a question has no {', '.join(unknown)[:80]}")
        for name, value in given.items():
            kind = dict if name in ("define", "options") else str
            if not isinstance(value, kind):
                raise refused(f"{name} of a question is of another type")
        found = cls(**given)
        if len(found.text.encode("utf-8", "surrogatepass")) > LIMIT:
            raise Failure(Diagnostic("LC104", f"the text has more than {LIMIT:,} bytes"))
        if len(found.define) > NAMES or not all(isinstance(v, str) for v in found.define.values()):
            raise refused(f"define binds at most {NAMES} names to texts")
        return found

    def scope(self) -> Scope:
        """A scope with the names that the question defines."""
        return scope_of([f"{name}={value}" for name, value in self.define.items()])

    def outcomes(self, scope: Scope) -> list[Outcome]:
        """What each statement comes to; bindings go into the scope."""
        return list(run(self.text, scope, shape_of(self.shape)))

    def values(self) -> list[Any]:
        """The values of the expressions in the text, or that of the last binding; the first error is raised."""
        last, found = None, []
        for last in self.outcomes(self.scope()):
            if last.error is not None:
                raise Failure(last.error)
            if isinstance(last.statement, nodes.Evaluate):
                found.append(last.value)
        if last is None:
            raise Failure(Diagnostic("LC101", "the expression is empty", self.text))
        return found or [last.value]

    def value(self) -> Any:
        """The value of the last expression."""
        return self.values()[-1]


def refused(message: str) -> Failure:
    """LC103 about a question, to be raised."""
    return Failure(Diagnostic("LC103", message))
