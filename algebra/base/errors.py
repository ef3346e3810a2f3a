"""What the algebra raises and remarks: a stable code and the facts behind it, one sentence a code.

Errors carry numbers, not prose; the sentence is a template over the facts, so that every reader of a
`LayoutError` - a program, the evaluator, a traceback in a notebook - sees the same values.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from .above import above
from .record import Record

LONGEST = 1_000
"""Characters of a fact that a sentence says; the facts themselves are whole."""


def _sentence(template: str, facts: dict[str, Any]) -> str:
    return template.format(**{name: _shortened(fact) for name, fact in facts.items()})


def _shortened(fact: Any) -> Any:
    """A long text without its middle."""
    if not isinstance(fact, str) or len(fact) <= LONGEST:
        return fact
    return f"{fact[: LONGEST // 2]} ... {fact[-LONGEST // 2 :]}"


class LayoutError(ValueError):
    """An operation that has no right answer, with its code and facts.

    ``facts`` always holds ``op``; admissibility errors also say which modes are guilty: ``left_path`` and
    ``right_path`` are tuples of indices into the operands. ``call`` is the function of the language that was called
    from Python, with its operands.
    """

    is_diagnosed = False
    """Has it been turned into a diagnostic, whose facts are for readers only?"""

    def __init__(self, code: str, template: str, facts: dict[str, Any]) -> None:
        self.code = code
        self.template = template
        self.facts = facts
        self.call: tuple[str, tuple[Any, ...]] | None = None
        super().__init__(code, template, facts)

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.code}: {self.message})"

    @property
    def message(self) -> str:
        """The sentence."""
        return _sentence(self.template, self.facts)

    @property
    def diagnostic(self) -> Any:
        """The `Diagnostic`: the guilty modes, a witness, and operands that work."""
        return above("diagnostic")(self)

    def _repr_html_(self) -> str:
        found: str = above("page")(self)
        return found

    def within(self, op: str, *, left: int | None = None, right: int | None = None) -> LayoutError:
        """The same error seen from an operation that works mode by mode: prefixes the guilty paths."""
        facts = self.facts
        if left is not None:
            facts["left_path"] = (left, *facts.get("left_path", ()))
        if right is not None:
            facts["right_path"] = (right, *facts.get("right_path", ()))
        facts["op"] = op
        return self


class InputError(LayoutError):
    """LC1xx: an argument of the wrong kind, a limit, a value that is not known."""


class ValueFault(LayoutError):
    """LC2xx: a value that is not a layout, coordinate or swizzle."""


class AdmissibilityError(LayoutError):
    """LC3xx: well-formed operands for which the operation has no right answer."""


_FAMILIES: dict[str, type[LayoutError]] = {"LC1": InputError, "LC2": ValueFault, "LC3": AdmissibilityError}


def refuse(code: str, template: str, **facts: Any) -> LayoutError:
    """Build the error of the family that ``code`` belongs to; the caller raises it."""
    return _FAMILIES.get(code[:3], LayoutError)(code, template, facts)


class Remark(Record):
    """A warning (LC4xx): the answer stands, and there is something to know about it."""

    code: str
    template: str
    facts: dict[str, Any]

    def __str__(self) -> str:
        return _sentence(self.template, self.facts)


_listener: ContextVar[list[Remark] | None] = ContextVar("remarks", default=None)


@contextmanager
def observing() -> Iterator[list[Remark]]:
    """Collect the remarks that operations make inside the block; without a collector they are dropped."""
    remarks: list[Remark] = []
    token = _listener.set(remarks)
    try:
        yield remarks
    finally:
        _listener.reset(token)


def listening() -> bool:
    """Does anybody collect remarks?"""
    return _listener.get() is not None


def remark(code: str, template: str, **facts: Any) -> None:
    """Make a remark to the collector, if anybody listens; the same remark is made once."""
    remarks = _listener.get()
    if remarks is not None and all(r.code != code or r.facts != facts for r in remarks):
        remarks.append(Remark(code, template, facts))


def pass_on(made: Remark) -> None:
    """Make a remark again, to the collector around the one that has it."""
    remark(made.code, made.template, **made.facts)
