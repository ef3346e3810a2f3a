"""What the constraints of an isl map define: unknowns follow from equations, bounded ones are tried, at every point."""

from __future__ import annotations

from collections.abc import Iterator

from ..reading.affine import Tree, applied
from ..reading.reading import cannot, limit
from .isl_domain import Points
from .isl_map import Constraint, Map

_WORK = 1 << 15
"""Values that are tried, all points together."""

Known = dict[str, int]


def solved(text: str, found: Map, points: Points) -> tuple[Points, list[list[int]]]:
    """The points where the relation has a value, and its outputs there; LC103 where it has several."""
    solver = _Solver(text, found)
    rows: list[tuple[int, ...]] = []
    valued: list[bool] = []
    for point in zip(*points.columns, strict=True):
        answers = set(solver.values(dict(zip(found.inputs, point, strict=True))))
        if len(answers) > 1:
            raise cannot("the relation is not single-valued", source=text)
        rows += answers
        valued.append(bool(answers))
    return points.where(valued), [list(column) for column in zip(*rows, strict=True)]


class _Solver:
    def __init__(self, text: str, found: Map) -> None:
        self.text, self.found = text, found
        self.left = _WORK

    def values(self, known: Known) -> Iterator[tuple[int, ...]]:
        """The outputs of every solution that extends what is known."""
        self.left -= 1
        if self.left < 0:
            raise limit(self.text, 0, len(self.text), f"more than {_WORK:,} values to try for what constraints define")
        forms = [(_form(c, known), c.relation) for c in self.found.constraints]
        if any(form is not None and len(form) == 1 and not _holds(form[""], relation) for form, relation in forms):
            return
        open_ = [name for name in self.found.unknown if name not in known]
        if not open_:
            yield tuple(_partial(t, known)[""] for t in self.found.outputs)  # type: ignore[index]
            return
        name, tried = self._next(open_, [(f, r) for f, r in forms if f is not None and len(f) == 2])
        for value in tried:
            yield from self.values(known | {name: value})

    def _next(self, open_: list[str], forms: list[tuple[Known, str]]) -> tuple[str, range]:
        """The unknown with the fewest values, and those."""
        ranges = {name: found for name in open_ if (found := _range(name, forms)) is not None}
        if not ranges:
            what = f"{open_[0]} has no bounds at a point of the box: the relation is not single-valued"
            raise cannot(what, source=self.text)
        name = min(ranges, key=lambda n: len(ranges[n]))
        return name, ranges[name]


def _range(name: str, forms: list[tuple[Known, str]]) -> range | None:
    """The values that the constraints on one unknown alone leave it; None if they are endless."""
    low: list[int] = []
    high: list[int] = []
    for form, relation in forms:
        if name not in form:
            continue
        factor, rest = form[name], form[""] - (relation == "<")
        if relation == "=" and rest % factor:
            return range(0)
        if factor > 0 or relation == "=":
            low.append(-(rest // factor))
        if factor < 0 or relation == "=":
            high.append(rest // -factor)
    if not low or not high:
        return None
    return range(max(low), min(high) + 1)


def _form(constraint: Constraint, known: Known) -> Known | None:
    """``right - left`` as a sum over what is not known, the constant under ""; None if it is not affine in it."""
    left, right = _partial(constraint.left, known), _partial(constraint.right, known)
    return None if left is None or right is None else _sum(right, 1, left, -1)


def _holds(rest: int, relation: str) -> bool:
    return rest > 0 if relation == "<" else rest >= 0 if relation == "<=" else rest == 0


def _partial(tree: Tree, known: Known) -> Known | None:
    """A tree as a sum over what is not known; None if it is not affine in it."""
    op = tree[0]
    if op == "n":
        return {"": tree[1]}
    if op == "v":
        return {"": known[tree[1]]} if tree[1] in known else {tree[1]: 1, "": 0}
    parts = [_partial(t, known) for t in tree[1:]]
    operands = [p for p in parts if p is not None]
    if len(operands) < len(parts):
        return None
    if all(len(p) == 1 for p in operands):
        return {"": applied(op, *(p[""] for p in operands))}
    return _combined(op, operands[0], operands[1])


def _combined(op: str, left: Known, right: Known) -> Known | None:
    if op in ("+", "-"):
        return _sum(left, 1, right, 1 if op == "+" else -1)
    if op == "*" and len(right) == 1:
        return _sum(left, right[""], {"": 0}, 0)
    return _sum(right, left[""], {"": 0}, 0) if op == "*" and len(left) == 1 else None


def _sum(a: Known, m: int, b: Known, n: int) -> Known:
    found = {k: m * a.get(k, 0) + n * b.get(k, 0) for k in a | b}
    return {k: c for k, c in found.items() if c and k} | {"": found.get("", 0)}
