"""Existential digits of an isl map: bounded unknowns are tried, the others follow from the equations."""

from __future__ import annotations

from itertools import product
from math import prod

from ..reading.affine import Tree, linear
from ..reading.reading import cannot
from .isl_map import Map

__all__ = ["names_of", "solved"]


def names_of(tree: Tree) -> set[str]:
    if tree[0] == "v":
        return {tree[1]}
    return set() if tree[0] == "n" else {n for t in tree[1:] for n in names_of(t)}


def solved(text: str, found: Map, env: dict[str, list[int]], count: int) -> list[list[int]]:
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
        answers = {
            tuple(_value(w, s) for w in wanted if w is not None)
            for s in _solutions(forms, base, free, ranges, unknown, found)
        }
        if len(answers) != 1:
            raise cannot(
                "the relation is not single-valued"
                if answers
                else "the relation has no value at some point of its box",
                source=text,
            )
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
    forms: list[dict[str, int]],
    base: dict[str, int],
    free: list[str],
    ranges: dict[str, range],
    unknown: list[str],
    found: Map,
) -> list[dict[str, int]]:
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
        if (
            all(u in known for u in unknown)
            and all(_value(form, known) == 0 for form in forms)
            and _holds(found, known)
        ):
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
