"""Maps of the integer set library: ``{ [i,j] -> [i + 8j] : 0 <= i < 8 and 0 <= j < 4 }``.

Read are single-valued maps on a box from 0 that are affine over floor and mod, by tabulating them; everything is
written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import Any

from laycalc.algebra.finding.fit import Fit, fit
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.diagnostics.model import Failure

from ..reading.affine import Tree, box, evaluate, linear, names_of, sizes_of
from ..reading.cells import fit_cells
from ..reading.form import Form
from ..reading.reading import Reading, bad, cannot, limit
from .isl_domain import domain, full, inside
from .isl_map import Map, Parser, eliminated
from .isl_solve import solved
from .isl_write import write

_MAP = re.compile(r"\s*+(?:\[[^\]{}]*+\]\s*+->\s*+)?\{(?P<body>[^{}]*+)\}")
_LONGEST = 10_000
_LOST = "tuple names, constraint form"
_JOINED = re.compile(r"\}\s*+\.\s*+(?=\{|\[)")


def recognise(text: str) -> bool:
    """Is the text one map, or maps joined by a point?"""
    found = _MAP.match(text)
    return found is not None and "->" in found["body"] and '"' not in text


def read(text: str, shape: Any = None) -> Reading:
    """One map; ``B . A`` is A after B, the composition ``A o B``."""
    if len(text) > _LONGEST:
        raise limit(text, _LONGEST, len(text), f"a map has more than {_LONGEST:,} characters")
    joints = [m.span() for m in _JOINED.finditer(text)]
    starts, ends = [0, *(end for _, end in joints)], [*(start + 1 for start, _ in joints), len(text)]
    first, *rest = [_one(text, start, end) for start, end in zip(starts, ends, strict=True)]
    if not rest:
        return first
    expression = first.expression
    for k, reading in enumerate(rest):
        expression = f"({reading.expression}) o {expression if k else f'({expression})'}"
        expression = f"({expression})" if k < len(rest) - 1 else expression
    return Reading("isl", expression, ("B . A is A after B",), source=text)


def _one(text: str, start: int, end: int) -> Reading:
    found = eliminated(Parser(text, start, end).map())
    if not found.outputs:
        raise bad(text, start, end, "a map has at least one output")
    if any(_is_product(t, found.parameters) for t in found.outputs):
        raise cannot("isl is affine: parameter times variable is refused")
    if any(_is_product(t) for t in found.outputs):
        raise cannot("not affine")
    extents, columns = _box(text, found)
    if (direct := _affine(found, extents)) is not None:
        return Reading("isl", direct, _flat_axes(found), facts={"lost": _LOST}, source=text)
    sizes = sizes_of(extents, text)
    if not found.unknown:
        env = dict(zip(found.inputs, box(sizes), strict=True))
        columns = [evaluate(t, env, prod(sizes)) for t in found.outputs]
    fitted = fit(columns[0], sizes) if len(columns) == 1 else fit_cells(columns, sizes)
    if fitted.value is None:
        raise _apart(columns, sizes, found.outputs) or _refused(fitted, sizes, found.outputs)
    facts = {"lost": _LOST, "shape": list(sizes)}
    return Reading("isl", str(fitted.value), _zeros(columns), facts=facts, value=fitted.value, source=text)


def _box(text: str, found: Map) -> tuple[list[Any], list[list[int]]]:
    """The extents of the domain, and the outputs at its points where constraints define them."""
    extents, others = domain(text, found)
    if not others and not found.unknown:
        return extents, []
    points = inside(text, found, extents, others)
    columns: list[list[int]] = []
    if found.unknown and points.number:
        points, columns = solved(text, found, points)
    return list(full(text, found, points, others)), columns


def _zeros(columns: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """Outputs at the end that are 0 everywhere: no stride has their axis, so that the values have fewer coordinates."""
    rank = len(columns)
    last = max((k for k, column in enumerate(columns) if any(column)), default=0)
    return tuple(f"output {k} is 0 everywhere: no stride has its axis" for k in range(last + 1, rank))


def _flat_axes(found: Map) -> tuple[str, ...]:
    """The same for outputs that are sums."""
    return _zeros([list((linear(t) or {}).values()) for t in found.outputs])


def _refused(found: Fit, sizes: tuple[int, ...], outputs: list[Tree]) -> Failure:
    """Why the table has no layout, in the words of what was wrapped."""
    facts: dict[str, Any] = {"reason": found.reason}
    if found.prefix is not None and len(sizes) == 1:
        facts["prefix_of"] = str(found.prefix)
    notes = [found.reason]
    if (wrapped := _wrapped(outputs)) is not None:
        message = wrapped
    elif found.ragged:
        run = re.search(r"length (\d+) does not divide (\d+)", found.reason)
        assert run is not None
        message = f"{run[1]} does not divide {run[2]}: the last block is cut, a layout shape must be a full box"
        notes.append(f"the values are a prefix of {found.prefix}")
    else:
        message = f"neither strides nor XOR: {found.reason}"
    return cannot(message, notes=tuple(notes), facts=facts)


def _apart(columns: Sequence[Sequence[int]], sizes: tuple[int, ...], outputs: list[Tree]) -> Failure | None:
    """Of several outputs the first that alone has no layout; where each has one, what they do not have together."""
    if len(columns) == 1:
        return None
    for column, output in zip(columns, outputs, strict=True):
        alone = fit(column, sizes)
        if alone.value is None:
            return _refused(alone, sizes, [output])
    return cannot("each output has a layout, and together they have no strides: coordinates have no XOR strides")


def _wrapped(outputs: list[Tree]) -> str | None:
    """What an output modulo a number does that strides do not."""
    inner = [linear(t[1]) for t in outputs if t[0] == "%"]
    factors = [[c for k, c in form.items() if k and c] for form in inner if form is not None]
    if any(len(f) > 1 for f in factors):
        return "a skew (rotation per row): neither strides nor XOR"
    if any(abs(c) > 1 for f in factors for c in f):
        return "wrap-around of a multiple: no strides and no XOR form"
    return None


# ---- meaning ----


def _affine(found: Map, extents: list[Any]) -> str | None:
    """A map that is affine in its inputs has their coefficients as strides, whatever the extents are."""
    if found.unknown:
        return None
    sums = [linear(t) for t in found.outputs]
    known = [form for form in sums if form is not None]
    if len(known) < len(sums) or any(c and k not in ("", *found.inputs) for form in known for k, c in form.items()):
        return None
    strides = [_element([form.get(name, 0) for form in known]) for name in found.inputs]
    offset = [form.get("", 0) for form in known]
    text = f"{_tuple(extents)}:{_tuple(strides)}"
    if not any(offset):
        return text
    return f"{{{offset[0] if len(offset) == 1 else '(' + ','.join(map(str, offset)) + ')'}}} o {text}"


def _element(parts: list[int]) -> Any:
    return parts[0] if len(parts) == 1 else Coordinate.of(((k,), c) for k, c in enumerate(parts))


def _tuple(leaves: list[Any]) -> str:
    return str(leaves[0]) if len(leaves) == 1 else f"({','.join(map(str, leaves))})"


def _is_product(tree: Tree, parameters: list[str] | None = None) -> bool:
    """Is there a product of two non-constants, one of them a parameter if these are given?"""
    if tree[0] in ("n", "v"):
        return False
    if tree[0] == "*" and all(names_of(t) for t in tree[1:3]):
        return parameters is None or bool(names_of(tree) & set(parameters))
    return any(_is_product(t, parameters) for t in tree[1:])


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
    surplus=(
        "{ [i,j] -> [i + 8j] : 0 <= i < 8 and 0 <= j < 4 and i mod 2 = 0 }",
        "{ [i,j] -> [i + 8j] : 0 <= i < 8 and 0 <= j < 4 and zzz < 3 }",
    ),
)
