"""Why a relation is false: sizes that differ, a coordinate where two functions differ, or only the form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.htuple import format_htuple
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.diagnostics.model import Advice

from ..language.values import text_of

__all__ = ["why_false", "why_not"]

POINTS = 1 << 12
"""Coordinates that are compared."""


def why_false(operator: str, left: Any, right: Any) -> Advice:
    """Notes and a witness for ``left operator right``, which is false."""
    if isinstance(left, (Layout, Composed, Tensor)) and isinstance(right, (Layout, Composed, Tensor)):
        if operator in ("==", "==="):
            return _functions(operator, left, right)
        left, right = left.shape, right.shape
    if operator == "<=" and (isinstance(left, tuple) or isinstance(right, tuple)):
        return Advice(witness=_not_coarser(left, right, ()))
    if operator in ("~", "<~") and isinstance(right, (int, tuple)):
        return Advice(witness=_not_congruent(left, right, (), weak=operator == "<~"))
    return Advice()


def why_not(predicate: str, arguments: Sequence[Any]) -> str:
    """A witness against a predicate of a layout that is false; empty if there is none to tell."""
    from laycalc.algebra.questions.misses import told

    if not arguments or not isinstance(arguments[0], (Layout, Composed, Tensor)):
        return ""
    try:
        return told(predicate, *arguments)
    except (LayoutError, TypeError):
        return ""


def _functions(operator: str, left: Any, right: Any) -> Advice:
    if left.size != right.size:
        return Advice(witness=f"sizes {left.size} and {right.size}")
    for i in range(min(left.size, POINTS)):
        try:
            a, b = left.element(i), right.element(i)
        except LayoutError:
            return Advice()
        if a != b:
            return Advice(witness=f"at {i} the left is {text_of(a)}, the right {text_of(b)}")
    if operator == "==" and left.size <= POINTS:
        return Advice(("equal as functions, in different form; === compares the functions",))
    return Advice()


def _not_coarser(a: Any, b: Any, path: tuple[int, ...]) -> str:
    """The first mode of a that is not the product of its mode of b."""
    where = f"mode {'.'.join(map(str, path))}: " if path else ""
    if not isinstance(a, tuple):
        from laycalc.algebra.values.shape import size

        return "" if a == size(b) else f"{where}{text_of(a)} is not {text_of(size(b))}, the size of {format_htuple(b)}"
    if not isinstance(b, tuple) or len(a) != len(b):
        return f"{where}{format_htuple(a)} has {len(a)} modes, {format_htuple(b)} has {_rank(b)}"
    return next(filter(None, (_not_coarser(x, y, (*path, i)) for i, (x, y) in enumerate(zip(a, b, strict=True)))), "")


def _not_congruent(a: Any, b: Any, path: tuple[int, ...], *, weak: bool) -> str:
    where = f"mode {'.'.join(map(str, path))}: " if path else ""
    if not isinstance(a, tuple):
        return (
            "" if weak or not isinstance(b, tuple) else f"{where}{text_of(a)} is one entry, {format_htuple(b)} several"
        )
    if not isinstance(b, tuple) or len(a) != len(b):
        return f"{where}{format_htuple(a)} has {len(a)} modes, {format_htuple(b)} has {_rank(b)}"
    modes = (_not_congruent(x, y, (*path, i), weak=weak) for i, (x, y) in enumerate(zip(a, b, strict=True)))
    return next(filter(None, modes), "")


def _rank(x: Any) -> int:
    return len(x) if isinstance(x, tuple) else 1
