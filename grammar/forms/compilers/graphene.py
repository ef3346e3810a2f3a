"""Graphene tensors: ``A:[(4,8):(1,4)].fp32.GL``, and tensors of tiles ``[outer].[inner]``."""

from __future__ import annotations

import re
from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..dialects.terms import Terms
from ..reading.form import Form
from ..reading.reading import Reading, bad, cannot
from ..reading.spell import spell
from ..reading.trees import compact, leaves

_HEAD = re.compile(r"\s*+(?:(?P<name>[#%]?\w+)\s*+:\s*+)?(?=\[)")
# The type of an element and the memory that holds it, or what a tensor of processors counts.
_TAIL = re.compile(
    r"\s*+(?:(?:\.\s*+(?:fp|bf|f|int|uint|i|u|s)\d+\s*+)?(?:\.\s*+(?:GL|SH|RF)\s*+)?|\.\s*+(?:thread|warp|block|grid)\s*+)$"
)


def guess(text: str) -> bool:
    """A name and a bracket."""
    return re.match(r"\s*+[#%]?\w+\s*+:\s*+\[", text) is not None


def read(text: str, shape: Any = None) -> Reading:
    """``name:[dims:strides].type.memory``; without strides row-major, inner levels inside outer ones."""
    head = _HEAD.match(text)
    if head is None:
        raise bad(text, 0, len(text), "a tensor is expected", "A:[(4,8):(1,4)].fp32.GL")
    terms = Terms(text, head.end())
    levels = [_level(terms)]
    while terms.at(":", ".") and terms.text[terms.token.end : terms.limit].lstrip().startswith("["):
        joined = terms.take().text
        other = _level(terms)
        if joined == ".":
            levels.append(other)
        elif len(levels) == 1 and levels[0][1] is None and other[1] is None:
            # `C: [4, (2, 4)] : [2, (1, 8)]`: dimensions and strides in brackets of their own.
            levels = [(levels[0][0], other[0])]
        else:
            raise bad(text, head.end(), terms.end, "strides in brackets of their own belong to one level without any")
    if not _TAIL.match(text, terms.end):
        known = "a type such as fp32 and a memory GL, SH or RF are expected, or .thread"
        raise bad(text, terms.end, len(text), known)
    name = head["name"] or ""
    notes = [f"{name} and its type and memory were dropped"] if name else []
    expression, segments = spell(_joined(levels))
    lost = "name, element type, memory space"
    return Reading("graphene", expression, tuple(notes), facts={"lost": lost}, source=text, segments=segments)


def _level(terms: Terms) -> tuple[Expression, Expression | None]:
    """``[dims:strides]`` or ``[dims]``."""
    opened = terms.expect("[")
    items = terms.items("]", opened)
    if len(items) == 1 and isinstance(items[0], nodes.Pair):
        return items[0].shape, items[0].stride
    if not items:
        raise bad(terms.text, opened.start, terms.end, "a tensor has at least one dimension")
    span = Span(opened.start, terms.end)
    return (items[0] if len(items) == 1 else nodes.Tuple(span, items)), None


def _joined(levels: list[tuple[Expression, Expression | None]]) -> Expression:
    """Outer and inner levels as (inner, outer), which is the result of zipped_divide."""
    if len(levels) == 1:
        shape, stride = levels[0]
        shape = _bare(shape)
        return nodes.Pair(
            shape.span, shape, _bare(stride) if stride is not None else compact(shape, right=True, zero_ones=False)
        )
    if all(stride is None for _, stride in levels):
        levels = _row_major(levels)
    shapes = tuple(_bare(s) for s, _ in reversed(levels))
    strides = tuple(_bare(d if d is not None else compact(s, right=True, zero_ones=False)) for s, d in reversed(levels))
    span = shapes[0].span
    return nodes.Pair(span, nodes.Tuple(span, shapes), nodes.Tuple(span, strides))


def _bare(node: Expression) -> Expression:
    """``(32)`` is 32 here: brackets around a single dimension."""
    return node.item if isinstance(node, nodes.Paren) else node


def _row_major(levels: list[tuple[Expression, Expression | None]]) -> list[tuple[Expression, Expression | None]]:
    """Strides of all levels from the row-major parent, whose dimensions are the products."""
    extents = [[n.value for n in leaves(shape) if isinstance(n, nodes.Integer)] for shape, _ in levels]
    rank = len(extents[0])
    if any(len(e) != rank for e in extents):
        raise cannot("levels of different rank have no common row-major parent: give their strides")
    found: list[tuple[Expression, Expression | None]] = []
    for k, (shape, _) in enumerate(levels):
        strides = []
        for axis in range(rank):
            weight = 1
            for inner in extents[k + 1 :]:
                weight *= inner[axis]
            for other in range(axis + 1, rank):
                for level in extents:
                    weight *= level[other]
            strides.append(nodes.Integer(shape.span, weight))
        stride: Expression = strides[0] if rank == 1 else nodes.Tuple(shape.span, tuple(strides))
        found.append((shape, stride))
    return found


def write(value: Any, shape: Any = None) -> str:
    """``A:[shape:stride]``."""
    if isinstance(value, Composed):
        raise cannot("no stride; Graphene keeps swizzles outside the shape")
    if isinstance(value, Tensor):
        raise cannot("an offset appears only as the index of a tile")
    if not isinstance(value, Layout) or value.semimodule != "Z":
        raise cannot(f"Graphene has integer strides: {value} has none")
    if any(type(n) is not int for n in (*value.flat()[0], *value.flat()[1])):
        raise cannot("an extent is not known: numbers are written")
    return f"A:[{value}]"


FORM = Form(
    name="graphene",
    title="Graphene tensors",
    example="A:[(4,8):(1,4)].fp32.GL",
    lost="names, element type and memory space",
    guess=guess,
    order=95,
    read=read,
    write=write,
    surplus=(
        "A:[(4,8):(1,4)].fp32.GL[3]",
        "A:[(4,8):(1,4):(3,4)].fp32.GL",
    ),
)
