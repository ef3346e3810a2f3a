"""Maps of the integer set library: ``{ [i,j] -> [i + 8j] : 0 <= i < 8 and 0 <= j < 4 }``.

Read are single-valued maps on a box from 0 that are affine over floor and mod, by tabulating them; everything is written.
"""

from __future__ import annotations

import re
from math import prod
from typing import Any, NamedTuple

from laycalc.algebra.fit import Fit, fit
from laycalc.algebra.semimodule import Coordinate
from laycalc.diagnostics.model import Failure

from .affine import Cursor, Tree, box, evaluate, linear, sizes_of
from .isl_write import write
from .reading import Reading, bad, cannot

__all__ = ["read", "recognise", "write"]

_MAP = re.compile(r"\s*(?:\[[^\]{}]*\]\s*->\s*)?\{[^{}]*->[^{}]*\}")
_JOINED = re.compile(r"\}\s*\.\s*(?=\{|\[)")


class Bound(NamedTuple):
    """``left relation right``, relation one of < <= =."""

    left: Tree
    relation: str
    right: Tree


class Map(NamedTuple):
    """Parameters, inputs, outputs and the conjunction of constraints."""

    parameters: list[str]
    inputs: list[str]
    outputs: list[Tree]
    bounds: list[Bound]
    unknown: list[str]


def recognise(text: str) -> bool:
    """Is the text one map, or maps joined by a point?"""
    return _MAP.match(text) is not None and '"' not in text


def read(text: str, shape: Any = None) -> Reading:
    """One map; ``B . A`` is A after B, the composition ``A o B``."""
    try:
        joined = _JOINED.search(text)
        if joined is None:
            return _one(text, 0, len(text))
        first, rest = _one(text, 0, joined.start() + 1), read(text[joined.end() :])
        expression = f"({rest.expression}) o ({first.expression})"
        return Reading("isl", expression, ("B . A is A after B",), source=text)
    except Failure as failure:
        if failure.diagnostic.source:
            raise
        raise cannot(failure.diagnostic.message, source=text, notes=failure.diagnostic.notes) from None


def _one(text: str, start: int, end: int) -> Reading:
    found = _Parser(text, start, end).map()
    if any(_is_product(t, found.parameters) for t in found.outputs):
        raise cannot("isl is affine: parameter times variable is refused")
    if any(_is_product(t) for t in found.outputs):
        raise cannot("not affine")
    extents = _box(text, found)
    if (direct := _affine(found, extents)) is not None:
        return Reading("isl", direct, facts={"lost": "tuple names, constraint form"}, source=text)
    sizes = sizes_of(extents, text)
    columns = _columns(text, found, sizes)
    if len(columns) == 1:
        fitted = fit(columns[0], sizes)
    else:
        fitted = fit([Coordinate.of(((k,), v) for k, v in enumerate(values)) for values in zip(*columns, strict=True)], sizes)
    if fitted.value is None:
        raise _refused(fitted, sizes, found.outputs)
    facts = {"lost": "tuple names, constraint form", "shape": list(sizes)}
    return Reading("isl", str(fitted.value), facts=facts, value=fitted.value, source=text)


def _refused(found: Fit, sizes: tuple[int, ...], outputs: list[Tree]) -> Failure:
    notes = [found.reason]
    wrapped = [linear(t[1]) for t in outputs if t[0] == "%"]
    facts: dict[str, Any] = {"reason": found.reason}
    if found.prefix is not None and len(sizes) == 1:
        facts["prefix_of"] = str(found.prefix)
    if any(w and sum(bool(c) for k, c in w.items() if k) > 1 for w in wrapped):
        return cannot("a skew (rotation per row): neither strides nor XOR", notes=tuple(notes), facts=facts)
    if any(w and any(abs(c) > 1 for k, c in w.items() if k) for w in wrapped):
        return cannot("wrap-around of a multiple: no strides and no XOR form", notes=tuple(notes), facts=facts)
    if found.ragged:
        run = re.search(r"length (\d+) does not divide (\d+)", found.reason)
        assert run is not None
        message = f"{run[1]} does not divide {run[2]}: the last block is cut, a layout shape must be a full box"
        notes.append(f"the values are a prefix of {found.prefix}")
        return cannot(message, notes=tuple(notes), facts=facts)
    return cannot(f"neither strides nor XOR: {found.reason}", notes=tuple(notes), facts=facts)


# ---- text ----


class _Parser(Cursor):
    def map(self) -> Map:
        parameters: list[str] = []
        if self.at("["):
            parameters = self._names()
            self.expect("->")
        self.expect("{")
        if self.token.kind == "name":
            self.take()
        inputs = self._names()
        self.expect("->")
        if self.token.kind == "name":
            self.take()
        outputs = self._tuple()
        bounds: list[Bound] = []
        unknown: list[str] = []
        if self.accept(":"):
            self._conjunction(bounds, unknown)
        self.expect("}")
        if self.token.kind != "end":
            raise self.unexpected()
        # A name in the output that is no input is defined by the constraints.
        return Map(parameters, inputs, outputs, bounds, unknown)

    def _names(self) -> list[str]:
        self.expect("[")
        found: list[str] = []
        while not self.at("]"):
            found.append(self.name())
            if not self.accept(","):
                break
        self.expect("]")
        if len(set(found)) != len(found):
            raise bad(self.text, self.end - 1, self.end, "a name occurs twice")
        return found

    def _tuple(self) -> list[Tree]:
        self.expect("[")
        found = []
        while not self.at("]"):
            found.append(self.expression())
            if not self.accept(","):
                break
        self.expect("]")
        return found

    def _conjunction(self, bounds: list[Bound], unknown: list[str]) -> None:
        while True:
            if self.accept("exists"):
                self.expect("(")
                unknown.append(self.name())
                while self.accept(","):
                    unknown.append(self.name())
                self.expect(":")
                self._conjunction(bounds, unknown)
                self.expect(")")
            elif self.at("(") and self._is_group():
                self.take()
                self._conjunction(bounds, unknown)
                self.expect(")")
            else:
                self._comparison(bounds)
            if not self.accept("and", "&"):
                break
            self.accept("&")
        if self.at("or"):
            raise cannot("a union of maps is no layout", source=self.text)

    def _is_group(self) -> bool:
        level = 0
        for i in range(self.token.start, self.limit):
            c = self.text[i]
            level += (c == "(") - (c == ")")
            if level == 0:
                return any(op in self.text[self.token.start : i] for op in ("<", ">", "="))
        return False

    def _comparison(self, bounds: list[Bound]) -> None:
        left = self.expression()
        seen = False
        while self.at("<", "<=", ">", ">=", "=", "=="):
            relation = self.take().text
            right = self.expression()
            if relation in (">", ">="):
                bounds.append(Bound(right, relation.replace(">", "<"), left))
            else:
                bounds.append(Bound(left, "=" if relation == "==" else relation, right))
            left, seen = right, True
        if not seen:
            raise self.unexpected("a comparison is expected")


# ---- meaning ----


def _box(text: str, found: Map) -> list[Any]:
    """The extent of each input: an integer, or the name of a parameter."""
    low: dict[str, int] = {}
    high: dict[str, Any] = {}
    for bound in found.bounds:
        if bound.relation == "=":
            continue
        left, right = linear(bound.left), linear(bound.right)
        if left is None or right is None:
            continue
        names = {k for k in left | right if k and (left.get(k, 0) or right.get(k, 0))}
        own = [n for n in names if n in found.inputs]
        if len(own) > 1:
            raise cannot("the domain is a triangle, a layout needs a box", source=text, notes=("a constraint joins two inputs",))
        if len(own) != 1:
            continue
        name, strict = own[0], bound.relation == "<"
        others = names - {name}
        if left.get(name, 0) == 1 and not right.get(name, 0):
            if others == set():
                high[name] = min(high.get(name, 1 << 62), right[""] - left[""] + (not strict))
            elif len(others) == 1 and (p := others.pop()) in found.parameters and right.get(p) == 1 and right[""] == left[""] and strict:
                high[name] = p
        elif right.get(name, 0) == 1 and not left.get(name, 0) and others == set():
            low[name] = max(low.get(name, -(1 << 62)), left[""] - right[""] + strict)
    extents: list[Any] = []
    for name in found.inputs:
        if name not in low or name not in high:
            raise cannot(f"input {name} has no constant bounds: a layout needs a box", source=text)
        if low[name] != 0:
            what = f"the domain starts at {low[name]}, a layout starts at 0 (shift the domain first)"
            raise cannot(what if low[name] > 0 else "the domain does not start at 0", source=text)
        if type(high[name]) is int and high[name] < 1:
            raise cannot("the domain is empty", source=text)
        extents.append(high[name])
    if not extents:
        raise bad(text, 0, len(text), "a map has at least one input")
    return extents


def _affine(found: Map, extents: list[Any]) -> str | None:
    """A map that is affine in its inputs has their coefficients as strides, whatever the extents are."""
    parts = [linear(t) for t in found.outputs]
    if found.unknown or not parts or any(p is None or any(p[k] and k not in ("", *found.inputs) for k in p) for p in parts):
        return None
    known = [p for p in parts if p is not None]
    strides: list[str] = []
    for name in found.inputs:
        terms = [(p.get(name, 0), k) for k, p in enumerate(known)]
        strides.append(str(terms[0][0]) if len(known) == 1 else str(Coordinate.of(((k,), c) for c, k in terms)))
    offset = [p.get("", 0) for p in known]
    shape = str(extents[0]) if len(extents) == 1 else f"({','.join(map(str, extents))})"
    stride = strides[0] if len(strides) == 1 else f"({','.join(strides)})"
    text = f"{shape}:{stride}"
    if not any(offset):
        return text
    return f"{{{offset[0] if len(offset) == 1 else '(' + ','.join(map(str, offset)) + ')'}}} o {text}"


def _columns(text: str, found: Map, sizes: tuple[int, ...]) -> list[list[int]]:
    """The outputs at every point; what the constraints define is solved point by point."""
    env = dict(zip(found.inputs, box(sizes), strict=True))
    missing = {n for t in found.outputs for n in _names(t)} - env.keys()
    if not missing:
        for bound in found.bounds:
            _check(bound, env, prod(sizes), text)
        return [evaluate(t, env, prod(sizes)) for t in found.outputs]
    return _solved(text, found, env, prod(sizes))


def _is_product(tree: Tree, parameters: list[str] | None = None) -> bool:
    """Is there a product of two non-constants, one of them a parameter if these are given?"""
    if tree[0] in ("n", "v"):
        return False
    if tree[0] == "*" and all(_names(t) for t in tree[1:3]):
        return parameters is None or bool(_names(tree) & set(parameters))
    return any(_is_product(t, parameters) for t in tree[1:])


def _check(bound: Bound, env: dict[str, list[int]], count: int, text: str) -> None:
    """Every point of the box must satisfy the constraints, else the domain is no box."""
    if _names(bound.left) | _names(bound.right) <= env.keys():
        left, right = evaluate(bound.left, env, count), evaluate(bound.right, env, count)
        tests = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, "=": lambda a, b: a == b}
        if not all(map(tests[bound.relation], left, right)):
            raise cannot("a constraint cuts the box: a layout needs a full one", source=text)


def _names(tree: Tree) -> set[str]:
    if tree[0] == "v":
        return {tree[1]}
    return set() if tree[0] == "n" else {n for t in tree[1:] for n in _names(t)}


def _solved(text: str, found: Map, env: dict[str, list[int]], count: int) -> list[list[int]]:
    """Existential digits: bounded unknowns are tried, the others follow from the equations."""
    equations = [(linear(b.left), linear(b.right)) for b in found.bounds if b.relation == "="]
    forms = [{k: a.get(k, 0) - b.get(k, 0) for k in a | b} for a, b in equations if a is not None and b is not None]
    wanted = [linear(t) for t in found.outputs]
    if len(forms) != len(equations) or any(w is None for w in wanted):
        raise cannot("the constraints are not affine", source=text)
    unknown = sorted({k for f in forms for k in f if k and k not in env})
    ranges = _ranges(found, unknown)
    free = [u for u in unknown if u in ranges]
    total = prod(len(ranges[u]) for u in free)
    if total * count > 1 << 20:
        raise cannot("too many cases to try for the existential variables", source=text)
    columns: list[list[int]] = [[] for _ in found.outputs]
    for point in range(count):
        base = {k: column[point] for k, column in env.items()}
        answers = {tuple(_value(w, s) for w in wanted if w is not None) for s in _solutions(forms, base, free, ranges, unknown, found)}
        if len(answers) != 1:
            raise cannot("the relation is not single-valued" if answers else "the relation has no value at some point of its box", source=text)
        for column, value in zip(columns, answers.pop(), strict=True):
            column.append(value)
    return columns


def _ranges(found: Map, unknown: list[str]) -> dict[str, range]:
    low: dict[str, int] = {}
    high: dict[str, int] = {}
    for bound in found.bounds:
        left, right = linear(bound.left), linear(bound.right)
        if left is None or right is None or bound.relation == "=":
            continue
        names = [k for k in left | right if k and (left.get(k, 0) or right.get(k, 0))]
        if len(names) == 1 and names[0] in unknown:
            name = names[0]
            if left.get(name) == 1:
                high[name] = right[""] - left[""] + (bound.relation == "<=")
            elif right.get(name) == 1:
                low[name] = left[""] - right[""] + (bound.relation == "<")
    return {k: range(low[k], high[k]) for k in low if k in high}


def _solutions(
    forms: list[dict[str, int]], base: dict[str, int], free: list[str], ranges: dict[str, range], unknown: list[str], found: Map
) -> list[dict[str, int]]:
    from itertools import product

    answers = []
    for values in product(*(ranges[u] for u in free)):
        known = base | dict(zip(free, values, strict=True))
        progress = True
        while progress:
            progress = False
            for form in forms:
                open_ = [k for k in form if k and form[k] and k not in known]
                if len(open_) == 1:
                    rest = -_value({k: c for k, c in form.items() if k != open_[0]}, known)
                    if rest % form[open_[0]]:
                        break
                    known[open_[0]] = rest // form[open_[0]]
                    progress = True
        if all(u in known for u in unknown) and all(_value(form, known) == 0 for form in forms) and _holds(found, known):
            answers.append(known)
    return answers


def _holds(found: Map, known: dict[str, int]) -> bool:
    for b in found.bounds:
        left, right = linear(b.left), linear(b.right)
        if left is not None and right is not None and b.relation != "=":
            x, y = _value(left, known), _value(right, known)
            if not (x < y if b.relation == "<" else x <= y):
                return False
    return True


def _value(form: dict[str, int], known: dict[str, int]) -> int:
    return form.get("", 0) + sum(c * known.get(k, 0) for k, c in form.items() if k)
