"""Maps of the integer set library: ``{ [i,j] -> [i + 8j] : 0 <= i < 8 and 0 <= j < 4 }``.

Read are single-valued maps on a box from 0 that are affine over floor and mod, by tabulating them; everything is
written.
"""

from __future__ import annotations

import re
from math import prod
from typing import Any

from laycalc.algebra.finding.fit import Fit, fit
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.diagnostics.model import Failure

from ..reading.affine import Tree, box, evaluate, linear, sizes_of
from ..reading.cells import fit_cells
from ..reading.form import Form
from ..reading.reading import Reading, bad, cannot, limit
from .isl_map import Bound, Map, Parser
from .isl_solve import names_of, solved
from .isl_write import write

__all__ = ["FORM"]

_MAP = re.compile(r"\s*+(?:\[[^\]{}]*+\]\s*+->\s*+)?\{(?P<body>[^{}]*+)\}")
_LONGEST = 10_000
_JOINED = re.compile(r"\}\s*+\.\s*+(?=\{|\[)")


def recognise(text: str) -> bool:
    """Is the text one map, or maps joined by a point?"""
    found = _MAP.match(text)
    return found is not None and "->" in found["body"] and '"' not in text


def read(text: str, shape: Any = None) -> Reading:
    """One map; ``B . A`` is A after B, the composition ``A o B``."""
    if len(text) > _LONGEST:
        raise limit(text, _LONGEST, len(text), f"a map has more than {_LONGEST:,} characters")
    joined = _JOINED.search(text)
    if joined is None:
        return _one(text, 0, len(text))
    first, rest = _one(text, 0, joined.start() + 1), read(text[joined.end() :])
    expression = f"({rest.expression}) o ({first.expression})"
    return Reading("isl", expression, ("B . A is A after B",), source=text)


def _one(text: str, start: int, end: int) -> Reading:
    found = Parser(text, start, end).map()
    if not found.outputs:
        raise bad(text, start, end, "a map has at least one output")
    if any(_is_product(t, found.parameters) for t in found.outputs):
        raise cannot("isl is affine: parameter times variable is refused")
    if any(_is_product(t) for t in found.outputs):
        raise cannot("not affine")
    extents = _box(text, found)
    if (direct := _affine(found, extents)) is not None:
        return Reading("isl", direct, facts={"lost": "tuple names, constraint form"}, source=text)
    sizes = sizes_of(extents, text)
    columns = _columns(text, found, sizes)
    fitted = fit(columns[0], sizes) if len(columns) == 1 else fit_cells(columns, sizes)
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
            raise cannot(
                "the domain is a triangle, a layout needs a box", source=text, notes=("a constraint joins two inputs",)
            )
        if len(own) != 1:
            continue
        name, strict = own[0], bound.relation == "<"
        others = names - {name}
        if left.get(name, 0) == 1 and not right.get(name, 0):
            if others == set():
                high[name] = min(high.get(name, 1 << 62), right[""] - left[""] + (not strict))
            elif others <= set(found.parameters):
                rest = {k: right.get(k, 0) - left.get(k, 0) for k in others} | {"": right[""] - left[""] + (not strict)}
                high[name] = _sum_text(rest)
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


def _sum_text(form: dict[str, int]) -> str:
    """An affine expression as text of the language."""
    text = "+".join(k if c == 1 else f"{c}*{k}" for k, c in sorted(form.items()) if k and c)
    text = f"{text}+{form['']}" if form.get("") else text
    return f"({text})" if not text.isidentifier() else text


def _affine(found: Map, extents: list[Any]) -> str | None:
    """A map that is affine in its inputs has their coefficients as strides, whatever the extents are."""
    parts = [linear(t) for t in found.outputs]
    if (
        found.unknown
        or not parts
        or any(p is None or any(p[k] and k not in ("", *found.inputs) for k in p) for p in parts)
    ):
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
    missing = {n for t in found.outputs for n in names_of(t)} - env.keys()
    if not missing:
        for bound in found.bounds:
            _check(bound, env, prod(sizes), text)
        return [evaluate(t, env, prod(sizes)) for t in found.outputs]
    return solved(text, found, env, prod(sizes))


def _is_product(tree: Tree, parameters: list[str] | None = None) -> bool:
    """Is there a product of two non-constants, one of them a parameter if these are given?"""
    if tree[0] in ("n", "v"):
        return False
    if tree[0] == "*" and all(names_of(t) for t in tree[1:3]):
        return parameters is None or bool(names_of(tree) & set(parameters))
    return any(_is_product(t, parameters) for t in tree[1:])


def _check(bound: Bound, env: dict[str, list[int]], count: int, text: str) -> None:
    """Every point of the box must satisfy the constraints, else the domain is no box."""
    if names_of(bound.left) | names_of(bound.right) <= env.keys():
        left, right = evaluate(bound.left, env, count), evaluate(bound.right, env, count)
        tests = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, "=": lambda a, b: a == b}
        if not all(map(tests[bound.relation], left, right)):
            raise cannot("a constraint cuts the box: a layout needs a full one", source=text)


FORM = Form(
    name="isl",
    title="maps of the integer set library",
    example="{ [i,j] -> [i + 8j] : 0 <= i < 8 and 0 <= j < 4 }",
    lost="tuple names and the form of the constraints",
    marks=("] ->", "]->", ") ->", ")->"),
    recognise=recognise,
    order=70,
    read=read,
    write=write,
)
