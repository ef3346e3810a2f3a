"""Bindings, and the settings of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from laycalc.algebra.base.record import Record


class Settings(Record):
    """How to run: ``verify`` results value by value up to so many points; ``strict`` refuses what is only customary.

    ``ragged`` accepts tiles of unknown extents that reach outside. Without ``unknowns`` a name that nothing binds is an
    error and no symbol. ``given`` are definitions as they were written, for names in files of another language.
    ``loader`` runs the text of an included file in a
    scope and yields its outcomes.
    """

    verify: int = 256
    strict: bool = False
    ragged: bool = False
    unknowns: bool = True
    given: tuple[str, ...] = ()
    loader: Callable[[str, Scope], Iterator[Any]] | None = None


class Deferred(Record):
    """A name bound to an expression with unknowns: evaluated anew wherever the name stands."""

    node: Any
    source: str
    scope: Scope


@dataclass(slots=True)
class Scope:
    """Names and their values; an inner scope sees the outer one."""

    settings: Settings = field(default_factory=Settings)
    names: dict[str, Any] = field(default_factory=dict)
    outer: Scope | None = None
    facts: Any = None

    @property
    def assumptions(self) -> Any:
        """What is assumed about unknowns here: the innermost `Assumptions`, None if there are none."""
        scope: Scope | None = self
        while scope is not None:
            if scope.facts is not None:
                return scope.facts
            scope = scope.outer
        return None

    def get(self, name: str) -> Any:
        """The value of a name; KeyError if nothing binds it."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        raise KeyError(name)

    def __contains__(self, name: str) -> bool:
        return name in self.names or (self.outer is not None and name in self.outer)

    def inner(self, names: Mapping[str, Any]) -> Scope:
        """A scope inside this one."""
        return Scope(self.settings, dict(names), self)

    def all_names(self) -> list[str]:
        """Every bound name, innermost first."""
        return [*self.names, *(self.outer.all_names() if self.outer is not None else [])]
