"""What the evaluation of every construct needs: the source, the scope, and the way into the algebra and back.

Spans are attached here: an error of the algebra leaves as a diagnostic about the source.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from laycalc.algebra.base.errors import LayoutError, Remark, observing, pass_on, refuse
from laycalc.algebra.values.bounds import bounded
from laycalc.algebra.values.htuple import flatten
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.diagnostics.model import Diagnostic, Failure, Label

from ..advice.remarks import look
from ..language.functions import find, nearest
from ..language.results import verify
from ..language.values import text_of
from ..syntax import nodes
from .scope import Scope

ELSEWHERE = {"get": "L[0], which is a mode", "cosine": "cosize", "Shape": "(4,8)", "Stride": "(1,4)"}
"""What names of other systems are called here."""

SAME = 8
"""Warnings of one code that a call draws; a layout of a thousand modes may have as many."""


_MATCHING = frozenset({"attribute", "coerce", "descriptor"})
"""What takes a swizzle over unknown numbers: it looks at the form and computes no value."""


class Unbound(Failure):
    """A name without a binding, or ``?``: perhaps an unknown number."""


class Context(ABC):
    """One source text in a scope, with the warnings that evaluating it drew.

    ``unknowns`` gives the values of unbound names in a search over cases; without it they are an error.
    """

    def __init__(self, source: str, scope: Scope, unknowns: Mapping[str, Any] | None = None) -> None:
        self.source = source
        self.scope = scope
        self.unknowns = unknowns
        self.warnings: list[Diagnostic] = []

    @abstractmethod
    def value(self, node: nodes.Expression) -> Any:
        """The value of a node."""

    def fail(self, code: str, message: str, node: Any, label: str = "", **facts: Any) -> Failure:
        """A failure about one node."""
        where = (Label(node.span.start, node.span.end, label),)
        return Failure(Diagnostic(code, message, self.source, where, facts=facts))

    def apply(
        self,
        function: Callable[..., Any],
        node: nodes.Expression,
        operands: Sequence[nodes.Expression],
        values: Sequence[Any],
        arguments: Sequence[Any] | None = None,
        **keywords: Any,
    ) -> Any:
        """Call into the algebra; its errors and remarks become diagnostics about ``node`` and its ``operands``."""
        given = values if arguments is None else arguments
        with observing() as remarks:
            try:
                if self.unknowns is not None and _called(function) not in _MATCHING:
                    _known_swizzles(given)
                result = bounded(function(*given, **keywords))
                if type(result) is Layout:
                    look(function, given, result)
            except (TypeError, AttributeError):
                if self.unknowns is None:
                    raise
                raise self.fail("LC106", f"{_called(function)} needs the values of the unknowns", node) from None
            except Failure:
                raise
            except LayoutError as error:
                from ..advice.diagnose import diagnose

                raise Failure(diagnose(error, self.source, node, operands, given, function)) from None
        for remark, more in few(remarks):
            from ..advice.diagnose import warn

            made = warn(remark, self.source, node, operands, given, function)
            self.warnings.append(made.replace(message=f"{made.message}, and {more} more like it") if more else made)
        if self.unknowns is not None:
            for remark in remarks:
                pass_on(remark)
        return result

    def unknown_name(self, node: nodes.Name) -> Failure:
        if (function := find(node.name)) is not None:
            return self.fail("LC103", f"{node.name} is a function: {function.signature}", node, "call it")
        guess = nearest(node.name, self.scope.all_names())
        if node.name in ELSEWHERE:
            guess = ELSEWHERE[node.name]
        label = f"did you mean {guess}?" if guess else "nothing binds it"
        failure = self.fail("LC102", f"unknown name {node.name}", node, label, name=node.name, nearest=guess)
        return Unbound(failure.diagnostic)

    def check(self, node: nodes.Expression, op: str, operands: Sequence[Any], result: Any) -> None:
        """The law of the operation, value by value up to the limit; LC901 if our own result fails it."""
        limit = self.scope.settings.verify
        if not limit or not isinstance(result, Layout):
            return
        witness = verify(op, operands, result, limit)
        if witness is not None:
            at, expected, found = witness
            raise self.fail(
                "LC901",
                f"{op} failed its own law at {text_of(at)}: {text_of(expected)} by definition, {text_of(found)} found",
                node,
                op=op,
            )


def _known_swizzles(values: Sequence[Any]) -> None:
    """LC106 if a swizzled layout has unknown numbers: a swizzle acts on bits, which a formula does not have."""
    for value in values:
        inside = value.layout if isinstance(value, Tensor) else value
        if isinstance(inside, Composed):
            leaves = (*flatten(inside.shape), *flatten(inside.layout.stride), inside.offset)
            if any(hasattr(leaf, "symbols") for leaf in leaves):
                text = "a swizzle needs the values of the unknowns in {layout}"
                raise refuse("LC106", text, op="swizzle", layout=str(inside.layout))


def few(remarks: Sequence[Remark]) -> Iterator[tuple[Remark, int]]:
    """The first remarks of each code, the last of them with the number of those that are not told."""
    counts: dict[str, int] = {}
    for remark in remarks:
        counts[remark.code] = count = counts.get(remark.code, 0) + 1
        if count <= SAME:
            alike = sum(r.code == remark.code for r in remarks) if count == SAME else 0
            yield remark, max(0, alike - SAME)


def _called(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", "this operation")
