"""Values that hold polynomials: rewritten number by number, and compared as functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..base.record import Record
from ..values.htuple import flatten
from ..values.layout import Layout, make
from ..values.semimodule import Coordinate
from ..values.swizzle import Composed
from ..values.tensor import Tensor
from ..values.tiler import Tiler
from . import condition as conditions
from .facts import Facts
from .normal import substitute
from .poly import Number, Poly
from .quotient import over


def rewrite(value: Any, change: Callable[[Poly], Any]) -> Any:
    """The value with every polynomial replaced."""
    if isinstance(value, Poly):
        return change(value)
    if isinstance(value, tuple):
        return tuple(rewrite(x, change) for x in value)
    if isinstance(value, Layout):
        return make(rewrite(value.shape, change), rewrite(value.stride, change))
    if isinstance(value, Coordinate):
        return Coordinate.of((path, rewrite(c, change)) for path, c in value.terms)
    if isinstance(value, Tensor):
        return Tensor(rewrite(value.offset, change), rewrite(value.layout, change))
    if isinstance(value, Tiler):
        return Tiler(rewrite(value.modes, change))
    if isinstance(value, Composed):
        return Composed(value.swizzle, rewrite(value.offset, change), rewrite(value.layout, change))
    if isinstance(value, Record):
        return value.replace(**{name: rewrite(getattr(value, name), change) for name in value.fields})
    return value


def at(value: Any, point: Mapping[str, int]) -> Any:
    """The value where every symbol has one.

    >>> from .poly import symbol
    >>> at(Layout((4, symbol("M")), (1, 4)), {"M": 8})
    Layout('(4,8):(1,4)')
    """
    return rewrite(value, lambda p: p.at(point))


def numbers(value: Any) -> Iterator[Poly]:
    """Every polynomial in a value."""
    found: list[Poly] = []
    rewrite(value, lambda p: found.append(p) or p)  # type: ignore[func-returns-value]
    return iter(found)


def is_symbolic(value: Any) -> bool:
    """Does a symbol occur?"""
    return any(True for _ in numbers(value))


def extents(value: Any) -> tuple[Any, ...]:
    """The extents of a layout or tensor; () for other values."""
    if isinstance(value, Tensor):
        value = value.layout
    return flatten(value.shape) if isinstance(value, Layout) else ()


def well_defined(value: Any, facts: Facts) -> bool:
    """Are all numbers known to be integers, and all extents positive?"""
    for p in numbers(value):
        whole = p.den == 1 and p.is_integral()
        if not whole and not facts.decide(conditions.of_quotient(p)):
            return False
    return all(type(s) is int or facts.at_least_zero(s - 1) for s in extents(value))


def same_function(a: Any, b: Any, facts: Facts, *, form: bool = False) -> bool:
    """Are two values known to be equal: layouts as functions on their integers, other values entry by entry?

    With ``form`` the modes of layouts must be the same too.
    """
    x, y = _parts(a, facts, form), _parts(b, facts, form)
    if x is None or y is None or not (type(a) is type(b) or (isinstance(a, tuple) and isinstance(b, tuple))):
        return _same(a, b, facts)
    return len(x) == len(y) and all(same_function(one, two, facts, form=form) for one, two in zip(x, y, strict=True))


def _parts(value: Any, facts: Facts, form: bool) -> Sequence[Any] | None:
    """What two values must have in common to be the same, None for a value without parts."""
    if isinstance(value, Layout):
        return (value.shape, value.stride) if form else _modes(value, facts)
    if isinstance(value, Tensor):
        return value.offset, value.layout
    if isinstance(value, Composed):
        return value.swizzle, value.offset, value.layout
    if isinstance(value, Record):
        return [getattr(value, name) for name in value.fields]
    return value if isinstance(value, tuple) else None


def _same(a: Any, b: Any, facts: Facts) -> bool:
    if isinstance(a, Coordinate) and isinstance(b, Coordinate):
        return len(a.terms) == len(b.terms) and all(
            p == q and _same(c, d, facts) for (p, c), (q, d) in zip(a.terms, b.terms, strict=True)
        )
    if isinstance(a, Poly) or isinstance(b, Poly):
        return isinstance(a, (int, Poly)) and isinstance(b, (int, Poly)) and facts.is_zero(a - b) is True
    return bool(a == b)


def _modes(layout: Layout, facts: Facts) -> list[tuple[Number, Any]]:
    """The flat modes, merged wherever that is known to be right."""
    found: list[tuple[Any, Any]] = []
    for s, d in zip(*layout.flat(), strict=True):
        if _same(s, 1, facts):
            continue
        if found and _same(d, found[-1][0] * found[-1][1], facts):
            found[-1] = (found[-1][0] * s, found[-1][1])
        else:
            found.append((s, d))
    return found


def exact(value: Any, facts: Facts) -> Any:
    """The value with roundings replaced where they are known to be exact."""

    def change(p: Poly) -> Any:
        for atom in p.roundings():
            if facts.divides(atom.q, atom.p) and (ratio := over(atom.p, atom.q)) is not None:
                p = substitute(p, {atom: ratio})  # type: ignore[assignment]
                if not isinstance(p, Poly):
                    return p
        return p

    return rewrite(value, change)
