"""LEGO: ``OrderBy(Row(8, 8)).TileBy([2, 2], [4, 4])``, bijections built from permutations of blocks."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

from laycalc.algebra.finding.fit import fit
from laycalc.algebra.values.htuple import flatten
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..reading import pytext
from ..reading.affine import box, evaluate, sizes_of
from ..reading.affine_text import from_ast
from ..reading.form import Form
from ..reading.reading import Reading, bad, cannot

__all__ = ["FORM"]

_HEAD = re.compile(r"\s*+(?:\w+\s*+=\s*+)?(?:\w+\.)*(?:OrderBy|GroupBy)\(")

Columns = list[list[int]]


class Block(NamedTuple):
    """A permutation of a box: where each coordinate is stored."""

    dims: tuple[int, ...]
    place: Callable[[Columns], list[int]]


def recognise(text: str) -> bool:
    """Does a chain of LEGO calls begin here?"""
    return _HEAD.match(text) is not None


def read(text: str, shape: Any = None) -> Reading:
    """A chain ``OrderBy(..)...GroupBy(..)`` or ``TileBy(..)``, tabulated."""
    head = re.match(r"\s*+\w+\s*+=(?!=)\s*+", text)
    body = text if head is None else " " * head.end() + text[head.end() :]
    found, sizes = _chain(body, pytext.parse(body))
    fitted = fit(found, sizes)
    if fitted.value is None:
        raise cannot(fitted.reason, source=text, notes=("permutations whose blocks do not divide have no strides",))
    lost = "symbols, and the closures of GenP (only the values are kept)"
    return Reading(
        "lego", str(fitted.value), facts={"shape": list(sizes), "lost": lost}, value=fitted.value, source=text
    )


def _chain(text: str, node: ast.expr) -> tuple[list[int], tuple[int, ...]]:
    """The table of a chain: the last call gives the coordinates, each OrderBy before it, right to left, the storage."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Attribute, ast.Name)):
        raise pytext.at(text, node, "a chain OrderBy(..).GroupBy(..) is expected")
    orders: list[list[Block]] = []
    inner: ast.expr | None = node.func.value if isinstance(node.func, ast.Attribute) else None
    while isinstance(inner, ast.Call):
        name = inner.func.attr if isinstance(inner.func, ast.Attribute) else pytext.call_name(inner)
        if name != "OrderBy":
            raise pytext.at(text, inner, f"{name or 'this'} has no place in a chain")
        orders.append([_block(text, a) for a in inner.args])
        if len(orders) > 64:
            raise bad(text, 0, len(text), "more than 64 stages")
        inner = inner.func.value if isinstance(inner.func, ast.Attribute) else None
    name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
    if name not in ("GroupBy", "TileBy") or not orders or not all(orders):
        raise pytext.at(text, node, "the chain ends with GroupBy(..) or TileBy(..) over an OrderBy(..)")
    levels = [_dims(text, a) for a in node.args]
    total = prod(prod(b.dims) for b in orders[0])
    for stage in orders:
        if prod(prod(b.dims) for b in stage) != total:
            raise pytext.at(text, node, "the stages have different sizes")
    if name == "GroupBy":
        levels = [tuple(n for group in levels for n in flatten(group))]
    sizes = sizes_of([n for level in levels for n in level], text)
    if prod(sizes) != total:
        raise pytext.at(text, node, f"{name} has {prod(sizes)} elements, the order {total}")
    flat = _flat(sizes, box(sizes)) if name == "GroupBy" else None
    if flat is None:
        flat = _tiled(text, node, levels, box(sizes), orders[0])
        orders = orders[1:]
    for stage in orders:
        flat = _stored(stage, flat)
    return flat, sizes


def _dims(text: str, node: ast.expr) -> tuple[Any, ...]:
    """``[2, 2]``, ``(8, 8)`` or ``[(2, 2), (4, 4)]``."""
    found = pytext.literal(text, node)
    items = found if isinstance(found, (list, tuple)) else (found,)
    nested = tuple(tuple(i) if isinstance(i, (list, tuple)) else i for i in items)
    if not all(type(n) is int and n >= 1 for n in flatten(nested)):
        raise pytext.at(text, node, "a list of positive integers is expected")
    return nested


def _flat(sizes: Sequence[int], columns: Columns) -> list[int]:
    """The flat index, last dimension fastest."""
    flat = [0] * len(columns[0])
    for n, column in zip(sizes, columns, strict=True):
        flat = [a * n + c for a, c in zip(flat, column, strict=True)]
    return flat


def _stored(blocks: Sequence[Block], flat: list[int]) -> list[int]:
    """A flat index read over all blocks' dimensions, each block permuted, the first slowest."""
    dims = [n for b in blocks for n in b.dims]
    columns: Columns = []
    for n in reversed(dims):
        columns.insert(0, [f % n for f in flat])
        flat = [f // n for f in flat]
    return _placed(blocks, columns)


def _placed(blocks: Sequence[Block], columns: Columns) -> list[int]:
    place = [0] * len(columns[0])
    for b in blocks:
        own, columns = columns[: len(b.dims)], columns[len(b.dims) :]
        n = prod(b.dims)
        place = [a * n + p for a, p in zip(place, b.place(own), strict=True)]
    return place


def _tiled(
    text: str, node: ast.AST, levels: list[tuple[Any, ...]], columns: Columns, blocks: Sequence[Block]
) -> list[int]:
    """TileBy: the levels make the coordinate of each dimension, the blocks of the order cut it again."""
    rank = len(levels[0])
    if any(len(level) != rank for level in levels) or any(len(b.dims) != rank for b in blocks):
        total_rank = {len(b.dims) for b in blocks}
        if len(blocks) == 1 and total_rank == {1}:
            return _stored(blocks, _flat([n for level in levels for n in level], columns))
        raise pytext.at(text, node, f"the levels of TileBy and the blocks of OrderBy have rank {rank}")
    whole: Columns = []
    for d in range(rank):
        column = [0] * len(columns[0])
        for k, level in enumerate(levels):
            column = [a * level[d] + c for a, c in zip(column, columns[k * rank + d], strict=True)]
        whole.append(column)
    if any(prod(b.dims[d] for b in blocks) != prod(level[d] for level in levels) for d in range(rank)):
        return _stored(blocks, _flat([prod(level[d] for level in levels) for d in range(rank)], whole))
    pieces: Columns = []
    for b in reversed(blocks):
        pieces = [[c % n for c in column] for n, column in zip(b.dims, whole, strict=True)] + pieces
        whole = [[c // n for c in column] for n, column in zip(b.dims, whole, strict=True)]
    return _placed(blocks, pieces)


def _block(text: str, node: ast.expr) -> Block:
    """``Row(4, 4)``, ``Col(4, 8)``, ``RegP([2, 8], [1, 0])``, ``GenP([n, n], lambda x: .., None)``."""
    name = pytext.call_name(node).rpartition(".")[2]
    if not isinstance(node, ast.Call) or name not in ("Row", "Col", "RegP", "GenP") or not node.args:
        raise pytext.at(text, node, "Row, Col, RegP or GenP is expected")
    if name in ("Row", "Col"):
        dims = tuple(n for a in node.args for n in pytext.integers(text, a))
        order = tuple(range(len(dims))) if name == "Row" else tuple(reversed(range(len(dims))))
    else:
        dims = pytext.integers(text, node.args[0])
        if name == "GenP":
            return _general(text, node, dims)
        order = pytext.integers(text, node.args[1]) if len(node.args) > 1 else ()
    sizes_of(dims, text)
    if sorted(order) != list(range(len(dims))):
        raise pytext.at(text, node, f"the order is a permutation of 0..{len(dims) - 1}")

    def place(columns: Columns) -> list[int]:
        return _flat([dims[k] for k in order], [columns[k] for k in order])

    return Block(dims, place)


def _general(text: str, node: ast.Call, dims: tuple[int, ...]) -> Block:
    """A closure: the expression is tabulated, nothing is run."""
    sizes_of(dims, text)
    body = node.args[1] if len(node.args) > 1 else None
    if not isinstance(body, ast.Lambda) or len(body.args.args) != 1:
        raise pytext.at(text, node, "GenP takes a lambda of one coordinate")
    argument = body.args.args[0].arg
    tree = from_ast(text, body.body)
    names = [f"{argument}{k}" for k in range(len(dims))]
    count = prod(dims)
    table = evaluate(tree, dict(zip(names, box(dims), strict=True)), count)
    if sorted(table) != list(range(count)):
        raise cannot(f"the closure is no bijection onto 0..{count - 1}")

    def place(columns: Columns) -> list[int]:
        weights = [prod(dims[:k]) for k in range(len(dims))]
        index = [0] * len(columns[0])
        for w, column in zip(weights, columns, strict=True):
            index = [a + w * c for a, c in zip(index, column, strict=True)]
        return [table[i] for i in index]

    return Block(dims, place)


def write(value: Any, shape: Any = None) -> str:
    """``OrderBy(RegP(dims, order)).GroupBy([sizes])`` for a compact bijection."""
    if isinstance(value, Tensor):
        raise cannot("LEGO layouts begin at 0: an offset has no LEGO form")
    if isinstance(value, Composed):
        raise cannot(f"{value.swizzle} is no permutation of blocks: write it as GenP")
    if not isinstance(value, Layout) or value.semimodule == "Z^P":
        raise cannot("a coordinate codomain: flatten it first, LEGO maps to one flat position")
    if value.semimodule == "F2":
        raise cannot("XOR strides are no permutation of blocks: write them as GenP")
    leaves: list[tuple[int, int]] = []
    for mode in value.modes():
        # LEGO reads an index last dimension fastest: the slowest leaf of a mode comes first.
        leaves += reversed([(n, d) for n, d in zip(*mode.flat(), strict=True) if n != 1 or mode.shape == 1])
    if any(type(n) is not int or type(d) is not int for n, d in leaves):
        raise cannot("LEGO sizes are numbers here: an extent or stride is not known")
    if any(d == 0 and n > 1 for n, d in leaves):
        raise cannot("LEGO layouts are bijections: stride 0 (broadcast) has no LEGO form")
    if any(d < 0 for _, d in leaves):
        raise cannot("LEGO layouts begin at 0: a negative stride has no LEGO form")
    order = sorted(range(len(leaves)), key=lambda k: (-leaves[k][1], k) if leaves[k][0] > 1 else (1, k))
    expected = 1
    for k in reversed(order):
        n, d = leaves[k]
        if n > 1 and d != expected:
            raise cannot(
                "padding has no LEGO form"
                if d > expected
                else "overlapping strides have no LEGO form: layouts are bijections"
            )
        expected *= n
    sizes = tuple(size(m.shape) for m in value.modes())
    text = str(sizes) if len(sizes) > 1 else f"({sizes[0]},)"
    return f"OrderBy(RegP({[n for n, _ in leaves]}, {order})).GroupBy([{text}])"


FORM = Form(
    name="lego",
    title="LEGO",
    example="OrderBy(Row(8, 8)).TileBy([2, 2], [4, 4])",
    lost="symbols and the closures of GenP",
    marks=("OrderBy(", "GroupBy("),
    recognise=recognise,
    order=60,
    read=read,
    write=write,
)
