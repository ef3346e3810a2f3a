"""The one diagnostic type, shared by the evaluator that fills it and the renderers that show it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from laycalc.algebra.base.above import above
from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.base.record import Record

from .codes import code_of, exit_of

OUR_FAULT = "this is our fault; please report it as `laycalc explain LC901` says; LAYCALC_DEBUG=1 shows where"


class Label(Record):
    """A remark about ``source[start:end]`` (character offsets, half open)."""

    start: int
    end: int
    text: str = ""


class Suggestion(Record):
    """An expression that works, with its value as text; ``change`` says in words what differs."""

    expr: str
    value: str = ""
    change: str = ""


class Advice(Record):
    """What helps beyond the message: remarks, a coordinate where the claim fails, expressions that work."""

    notes: tuple[str, ...] = ()
    witness: str = ""
    suggestions: tuple[Suggestion, ...] = ()


class _Deferred:
    """A field that is taken from the advice of a diagnostic when it is first read.

    A check over ten thousand lines, or an `admissible` whose answer is wanted and not its reason, never pays for it.
    """

    def __init__(self, name: str, default: Any) -> None:
        self.name = name
        self.default = default

    def __get__(self, diagnostic: Any, owner: Any = None) -> Any:
        if diagnostic is None or diagnostic.advice is None:
            return self.default
        found = _advice(diagnostic.advice)
        for name in found.fields:
            diagnostic.__dict__.setdefault(name, getattr(found, name))
        return diagnostic.__dict__[self.name]


def _advice(compute: Callable[[], Advice]) -> Advice:
    try:
        return compute()
    except Exception:
        # Advice is an extra: that it fails must not hide what it was about.
        if os.environ.get("LAYCALC_DEBUG"):
            raise
        return Advice()


class _OfCode:
    """A field that has, unless it is given, the value that the file of the code says."""

    def __get__(self, diagnostic: Any, owner: Any = None) -> Any:
        return "error" if diagnostic is None else code_of(diagnostic.code).severity


class Diagnostic(Record):
    """One finding.

    ``code`` is stable (``LC301``); ``labels`` point into ``source``; ``facts`` holds the numbers behind ``message``;
    ``witness`` is a coordinate where the claim fails, in words. ``notes``, ``witness`` and ``suggestions`` may be
    given, or computed by ``advice`` when they are first read; ``severity`` is that of the code unless it is given.
    """

    ignored = frozenset({"advice"})

    code: str
    message: str
    source: str = ""
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = _Deferred("notes", ())  # type: ignore[assignment]
    facts: Mapping[str, Any] = MappingProxyType({})
    witness: str = _Deferred("witness", "")  # type: ignore[assignment]
    suggestions: tuple[Suggestion, ...] = _Deferred("suggestions", ())  # type: ignore[assignment]
    severity: str = _OfCode()  # type: ignore[assignment]
    advice: Callable[[], Advice] | None = None

    def __str__(self) -> str:
        found: str = above("words")(self)
        return found

    def _repr_html_(self) -> str:
        found: str = above("page")(self)
        return found

    @property
    def name(self) -> str:
        """The name of the code: ``stride-divisibility``."""
        return code_of(self.code).name

    @property
    def exit_code(self) -> int:
        """0 for a warning, else that of the code."""
        return 0 if self.severity == "warning" else exit_of(self.code)

    @property
    def span(self) -> tuple[int, int]:
        """Start and end of what the diagnostic is about: the label that begins first."""
        first = min(self.labels, key=lambda label: label.start, default=None)
        return (first.start, first.end) if first else (0, 0)

    def replace(self, **changes: Any) -> Diagnostic:
        """A copy with some fields changed; advice stays deferred."""
        return Diagnostic(**self.__dict__ | changes)

    def settled(self) -> Diagnostic:
        """The same with its advice computed and nothing deferred, so that it can be sent to another process."""
        return Diagnostic(**Record.replace(self, advice=None, facts=dict(self.facts)).__dict__)


def our_fault(error: BaseException, source: str = "", labels: tuple[Label, ...] = ()) -> Diagnostic:
    """LC901 for an exception that nobody expected."""
    return Diagnostic("LC901", f"laycalc failed: {type(error).__name__}: {error}", source, labels, (OUR_FAULT,))


class Failure(LayoutError):
    """Carries a `Diagnostic` up to whoever shows it; ``str`` is its whole text."""

    is_diagnosed = True

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.code, "", {})
        self.facts = dict(diagnostic.facts)
        self.args = (diagnostic,)

    @property
    def diagnostic(self) -> Diagnostic:
        """What went wrong, with its places in the text."""
        found: Diagnostic = self.args[0]
        return found

    @property
    def message(self) -> str:
        """The sentence."""
        return self.diagnostic.message

    def __str__(self) -> str:
        return str(self.diagnostic)
