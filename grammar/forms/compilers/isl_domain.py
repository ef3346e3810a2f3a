"""The domain of an isl map as a box: a constraint on the inputs is a bound, or cuts no box but one, or is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from math import prod
from typing import Any, NamedTuple

from ..reading.affine import Tree, box, evaluate, linear, sizes_of
from ..reading.reading import argument_error, bad, cannot
from .isl_map import Constraint, Map

Form = dict[str, int]
"""A sum: the coefficients of variables, the constant under ""; it stands for ``form >= 0``."""


class _Bounds(NamedTuple):
    """What bounds one input: the largest lower and the least upper constant, and upper ends of parameters."""

    low: list[int]
    high: list[int]
    ends: dict[str, Form]
    """Text of the extent, and its form, where an end has parameters."""


def domain(text: str, found: Map) -> tuple[list[Any], list[Constraint]]:
    """The extent of each input, an integer or a sum of parameters as text of the language, and what cuts the box.

    Constraints with unknowns are left to those who solve them.
    """
    if not found.inputs:
        raise bad(text, 0, len(text), "a map has at least one input")
    bounds = {name: _Bounds([], [], {}) for name in found.inputs}
    others: list[Constraint] = []
    facts: list[tuple[Constraint, Form]] = []
    for constraint in found.constraints:
        if not constraint.names & set(found.unknown):
            _sorted(text, constraint, bounds, others, facts)
    joint = [form for constraint in others for form in forms(constraint)] * len(found.inputs)
    for form in joint:
        _reach(form, bounds)
    extents = [_extent(text, name, bounds[name]) for name in found.inputs]
    for constraint, form in facts:
        _check_fact(text, constraint, form, bounds)
    return extents, others


def _sorted(
    text: str,
    constraint: Constraint,
    bounds: dict[str, _Bounds],
    others: list[Constraint],
    facts: list[tuple[Constraint, Form]],
) -> None:
    """A constraint is a bound of one input, a fact about parameters alone, or another that cuts the box."""
    parts = list(forms(constraint))
    inputs = sorted({n for form in parts for n in form if n in bounds})
    if not parts or len(inputs) > 1:
        others.append(constraint)
    elif inputs:
        for form in parts:
            _bound(text, constraint, form, inputs[0], bounds)
    else:
        facts += [(constraint, form) for form in parts]


def _reach(form: Form, bounds: dict[str, _Bounds]) -> None:
    """How far a sum of several inputs lets each of them reach, as far as the others are bounded."""
    if any(k and k not in bounds for k in form):
        return
    for name in (k for k in form if k):
        most = form[""]
        for other, factor in form.items():
            if other in ("", name):
                continue
            ends = bounds[other].high if factor > 0 else bounds[other].low
            if not ends:
                break
            most += factor * (min(ends) if factor > 0 else max(ends))
        else:
            _put(bounds[name], form[name], most)


def _put(found: _Bounds, factor: int, rest: int) -> None:
    """``factor*x + rest >= 0``."""
    if factor > 0:
        found.low.append(-(rest // factor))
    else:
        found.high.append(rest // -factor)


def forms(constraint: Constraint) -> Iterator[Form]:
    """The constraint as sums that are at least 0; nothing if it is not affine.

    ``floor(x/n)`` alone on a side is affine too: it is at least r where x >= n*r, at most r where x < n*r + n.
    """
    left, relation, right = constraint[:3]
    pairs = [(right, left, relation == "<")] + ([(left, right, False)] if relation == "=" else [])
    found = [_at_least(great, small, strict) for great, small, strict in pairs]
    if all(form is not None for form in found):
        yield from (form for form in found if form is not None)


def _at_least(great: Tree, small: Tree, strict: bool) -> Form | None:
    """``great >= small`` (``>`` if strict) as a sum that is at least 0."""
    if (cut := _floored(great)) is not None and (below := linear(small)) is not None:
        x, n = cut
        return _sum(x, 1, below, -n, -n * strict)
    if (cut := _floored(small)) is not None and (above := linear(great)) is not None:
        x, n = cut
        return _sum(above, n, x, -1, n - 1 - n * strict)
    a, b = linear(great), linear(small)
    return None if a is None or b is None else _sum(a, 1, b, -1, -strict)


def _floored(tree: Tree) -> tuple[Form, int] | None:
    """x and n of ``floor(x/n)``."""
    if tree[0] != "//" or tree[2][0] != "n" or tree[2][1] < 1:
        return None
    x = linear(tree[1])
    return None if x is None else (x, tree[2][1])


def _sum(a: Form, m: int, b: Form, n: int, constant: int) -> Form:
    found = {k: m * a.get(k, 0) + n * b.get(k, 0) for k in a | b}
    return {k: c for k, c in found.items() if c and k} | {"": found.get("", 0) + constant}


def _bound(text: str, constraint: Constraint, form: Form, name: str, bounds: dict[str, _Bounds]) -> None:
    """``c*x + rest >= 0`` bounds x below or above."""
    factor = form.get(name, 0)
    rest = {k: c for k, c in form.items() if k != name}
    symbols = any(c for k, c in rest.items() if k)
    if not factor:  # one half of an equation whose other half speaks of the input
        return
    if not symbols:
        _put(bounds[name], factor, rest[""])
    elif factor == -1:
        end = {**rest, "": rest[""] + 1}
        bounds[name].ends[_sum_text(end)] = end
    else:
        what = "a layout starts at 0" if factor > 0 else "its extent is no sum of parameters"
        raise argument_error(text, constraint.start, constraint.end, f"this bounds {name} by a parameter: {what}")


def _extent(text: str, name: str, found: _Bounds) -> Any:
    """The extent of an input that runs from 0."""
    if not found.low or not (found.high or found.ends):
        raise cannot(f"input {name} has no bounds of its own from below and above: a layout needs a box", source=text)
    low = max(found.low)
    if low != 0:
        what = f"the domain starts at {low}, a layout starts at 0 (shift the domain first)"
        raise cannot(what if low > 0 else "the domain does not start at 0", source=text)
    ends = [*([str(min(found.high) + 1)] if found.high else []), *found.ends]
    if len(ends) > 1:
        raise cannot(f"input {name} has the ends {' and '.join(ends)}: a layout has one extent", source=text)
    if found.high and min(found.high) < 0:
        raise cannot("the domain is empty", source=text)
    return min(found.high) + 1 if found.high else ends[0]


def _sum_text(form: Form) -> str:
    """An affine expression as text of the language."""
    text = "+".join(k if c == 1 else f"{c}*{k}" for k, c in sorted(form.items()) if k and c)
    text = f"{text}+{form['']}" if form.get("") else text
    return f"({text})" if not text.isidentifier() else text


def _check_fact(text: str, constraint: Constraint, form: Form, bounds: dict[str, _Bounds]) -> None:
    """A fact about parameters says nothing new if it follows from an extent that is at least 1."""
    symbols = _symbols(form)
    if not symbols and form[""] < 0:
        raise cannot("the domain is empty", source=text)
    if not symbols or any(_follows(form, end) for b in bounds.values() for end in b.ends.values()):
        return
    what = f"a fact about {' and '.join(sorted(symbols))} has no place in a layout: leave it out and assume it"
    raise argument_error(text, constraint.start, constraint.end, what)


def _symbols(form: Form) -> Form:
    return {k: c for k, c in form.items() if k and c}


def _follows(form: Form, end: Form) -> bool:
    """Is ``form`` a positive multiple of ``end``, which is at least 1, and something from 0 on?"""
    symbols, own = _symbols(form), _symbols(end)
    factor = next((c // own[k] for k, c in symbols.items() if k in own), 0)
    same = factor > 0 and symbols == {k: factor * c for k, c in own.items()}
    return same and form[""] - factor * end[""] + factor >= 0


class Points(NamedTuple):
    """Points of the box that a layout would have, first axis fastest."""

    sizes: tuple[int, ...]
    columns: list[list[int]]

    def where(self, inside: Sequence[bool]) -> Points:
        """Some of the points."""
        return Points(self.sizes, [list(compress(column, inside)) for column in self.columns])

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self.columns[0])

    def extents(self) -> tuple[int, ...] | None:
        """The extents of the box that the points are; None if they are none."""
        found = tuple(max(column, default=-1) + 1 for column in self.columns)
        return found if self.number == prod(found) else None


def inside(text: str, found: Map, extents: Sequence[Any], others: Sequence[Constraint]) -> Points:
    """The points where further constraints hold; LC103 if that depends on parameters."""
    if not all(type(n) is int for n in extents):
        place = (others[0].start, others[0].end) if others else (0, len(text))
        raise argument_error(text, *place, "whether this holds in the whole box depends on parameters")
    sizes = sizes_of(extents, text)
    points = Points(sizes, box(sizes))
    env = dict(zip(found.inputs, points.columns, strict=True))
    kept = [True] * points.number
    for constraint in others:
        left, right = (evaluate(t, env, points.number) for t in (constraint.left, constraint.right))
        kept = list(map(_TESTS[constraint.relation], kept, left, right))
    return points.where(kept)


_TESTS: dict[str, Callable[[bool, int, int], bool]] = {
    "<": lambda was, a, b: was and a < b,
    "<=": lambda was, a, b: was and a <= b,
    "=": lambda was, a, b: was and a == b,
}


def full(text: str, found: Map, points: Points, others: Sequence[Constraint]) -> tuple[int, ...]:
    """The extents of a set of points that is a box; LC103 if it is none."""
    extents = points.extents()
    if not points.number:
        raise cannot("the domain is empty", source=text)
    if extents is not None:
        return extents
    joined = any(len(c.names & set(found.inputs)) > 1 and c.relation != "=" and list(forms(c)) for c in others)
    if joined:
        what = "the domain is a triangle, a layout needs a box"
        raise cannot(what, source=text, notes=("a constraint joins two inputs",))
    if others:
        raise cannot("a constraint cuts the box: a layout needs a full one", source=text)
    raise cannot("the relation has no value at some point of its box", source=text)
