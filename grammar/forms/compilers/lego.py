"""LEGO: ``OrderBy(Row(8, 8)).TileBy([2, 2], [4, 4])``, bijections built from permutations of blocks."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple, TypeAlias

from laycalc.algebra.finding.fit import fit
from laycalc.algebra.values.htuple import flatten
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.shape import size
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..reading import pytext
from ..reading.affine import box, evaluate, sizes_of
from ..reading.affine_text import from_ast, lambda_names
from ..reading.form import Form
from ..reading.reading import Reading, cannot, limit
from ..reading.signatures import bind_call, signature

_HEAD = re.compile(r"\s*+(?:\w+\s*+=\s*+)?(?:\w+\.)*(?:OrderBy|GroupBy)\(")

# What nobody calls by name is taken by position only.
_STAGE = signature("OrderBy(*blocks)")
_ENDS = {"GroupBy": signature("GroupBy(*levels)"), "TileBy": signature("TileBy(*levels)")}
_BLOCKS = {
    "Row": signature("Row(*dims)"),
    "Col": signature("Col(*dims)"),
    "RegP": signature("RegP(dims, order, /)"),
    "GenP": signature("GenP(dims, place, inverse=None, /)"),
}
_STAGES = 64

Columns: TypeAlias = list[list[int]]


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
    found, sizes = _table(body, _chain(body, pytext.parse(body)))
    fitted = fit(found, sizes)
    if fitted.value is None:
        raise cannot(fitted.reason, source=text)
    lost = "symbols, and the closures of GenP (only the values are kept)"
    return Reading(
        "lego", str(fitted.value), facts={"shape": list(sizes), "lost": lost}, value=fitted.value, source=text
    )


class _Chain(NamedTuple):
    """The stages of a chain in the order of the text, and the call that ends it with its levels."""

    stages: list[list[Block]]
    end: ast.Call
    name: str
    levels: list[tuple[Any, ...]]


def _chain(text: str, node: ast.expr) -> _Chain:
    """``OrderBy(..).OrderBy(..).GroupBy(..)`` taken apart."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Attribute, ast.Name)):
        raise pytext.at(text, node, "a chain OrderBy(..).GroupBy(..) is expected")
    stages = _stages(text, _before(node))
    name = _name(node)
    if name not in _ENDS or not stages or not all(stages):
        raise pytext.at(text, node, "the chain ends with GroupBy(..) or TileBy(..) over an OrderBy(..)")
    levels = [_dims(text, a) for a in bind_call(_ENDS[name], text, node)["levels"]]
    if name == "TileBy" and any(isinstance(n, tuple) for level in levels for n in level):
        raise pytext.at(text, node, "a level of TileBy is a list of integers")
    return _Chain(stages, node, name, levels)


def _stages(text: str, inner: ast.expr | None) -> list[list[Block]]:
    """The OrderBy calls before the end, in the order of the text."""
    stages: list[list[Block]] = []
    while isinstance(inner, ast.Call):
        name = _name(inner)
        if name != "OrderBy":
            raise pytext.at(text, inner, f"{name or 'this'} has no place in a chain")
        stages.insert(0, [_block(text, a) for a in bind_call(_STAGE, text, inner)["blocks"]])
        if len(stages) > _STAGES:
            raise limit(text, 0, len(text), f"more than {_STAGES} stages")
        inner = _before(inner)
    return stages


def _name(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else pytext.call_name(node)


def _before(node: ast.Call) -> ast.expr | None:
    return node.func.value if isinstance(node.func, ast.Attribute) else None


def _table(text: str, chain: _Chain) -> tuple[list[int], tuple[int, ...]]:
    """Where every element is stored: the end gives the coordinates, the stages from right to left the storage."""
    total = prod(prod(b.dims) for b in chain.stages[-1])
    if any(prod(prod(b.dims) for b in stage) != total for stage in chain.stages):
        raise pytext.at(text, chain.end, "the stages have different sizes")
    sizes = sizes_of([n for level in chain.levels for n in flatten(level)], text)
    if prod(sizes) != total:
        raise pytext.at(text, chain.end, f"{chain.name} has {prod(sizes)} elements, the order {total}")
    *stages, last = chain.stages
    if chain.name == "GroupBy":
        flat = _stored(last, _flat(sizes, box(sizes)))
    else:
        flat = _tiled(text, chain, box(sizes))
    for stage in reversed(stages):
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


def _tiled(text: str, chain: _Chain, columns: Columns) -> list[int]:
    """TileBy: the levels make the coordinate of each dimension, the blocks of the last order cut it again."""
    levels, blocks = chain.levels, chain.stages[-1]
    rank = len(levels[0])
    if any(len(level) != rank for level in levels) or any(len(b.dims) != rank for b in blocks):
        if len(blocks) == 1 and len(blocks[0].dims) == 1:
            return _stored(blocks, _flat([n for level in levels for n in level], columns))
        raise pytext.at(text, chain.end, f"the levels of TileBy and the blocks of OrderBy have rank {rank}")
    by_axis = list(zip(*levels, strict=True))
    whole = [_flat(axis, columns[d::rank]) for d, axis in enumerate(by_axis)]
    extents = [prod(axis) for axis in by_axis]
    if [prod(axis) for axis in zip(*(b.dims for b in blocks), strict=True)] != extents:
        return _stored(blocks, _flat(extents, whole))
    return _placed(blocks, _pieces(blocks, whole))


def _pieces(blocks: Sequence[Block], whole: Columns) -> Columns:
    """The coordinates of each block, cut from those of the whole, the last block fastest."""
    found: Columns = []
    for b in reversed(blocks):
        found = [[c % n for c in column] for n, column in zip(b.dims, whole, strict=True)] + found
        whole = [[c // n for c in column] for n, column in zip(b.dims, whole, strict=True)]
    return found


def _block(text: str, node: ast.expr) -> Block:
    """``Row(4, 4)``, ``Col(4, 8)``, ``RegP([2, 8], [1, 0])``, ``GenP([n, n], lambda x: .., None)``."""
    name = pytext.call_name(node).rpartition(".")[2]
    if not isinstance(node, ast.Call) or name not in _BLOCKS:
        raise pytext.at(text, node, "Row, Col, RegP or GenP is expected")
    given = bind_call(_BLOCKS[name], text, node)
    if name == "GenP":
        return _general(text, node, given)
    if name == "RegP":
        dims, order = pytext.integers(text, given["dims"]), pytext.integers(text, given["order"])
    else:
        dims = tuple(n for a in given["dims"] for n in pytext.integers(text, a))
        order = tuple(range(len(dims)))[:: 1 if name == "Row" else -1]
    if not dims:
        raise pytext.at(text, node, f"{name} has no dimensions")
    sizes_of(dims, text)
    if sorted(order) != list(range(len(dims))):
        raise pytext.at(text, node, f"the order is a permutation of 0..{len(dims) - 1}")

    def place(columns: Columns) -> list[int]:
        return _flat([dims[k] for k in order], [columns[k] for k in order])

    return Block(dims, place)


def _general(text: str, node: ast.Call, given: dict[str, Any]) -> Block:
    """A closure: the expression is tabulated, nothing is run; its inverse says nothing new."""
    dims = sizes_of(pytext.integers(text, given["dims"]), text)
    body = given["place"]
    if not isinstance(body, ast.Lambda):
        raise pytext.at(text, node, "GenP takes a lambda of one coordinate")
    (argument,) = lambda_names(text, body, 1)
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
    layout = _strided(value)
    leaves: list[tuple[int, int]] = []
    for mode in layout.modes():
        # LEGO reads an index last dimension fastest: the slowest leaf of a mode comes first.
        leaves += reversed([(n, d) for n, d in zip(*mode.flat(), strict=True) if n != 1 or mode.shape == 1])
    order = _storage_order(leaves)
    sizes = tuple(size(m.shape) for m in layout.modes())
    text = str(sizes) if len(sizes) > 1 else f"({sizes[0]},)"
    return f"OrderBy(RegP({[n for n, _ in leaves]}, {order})).GroupBy([{text}])"


def _strided(value: Any) -> Layout:
    """The value, if it has known integer strides and begins at 0; LC103 otherwise."""
    if isinstance(value, Tensor):
        raise cannot("LEGO layouts begin at 0: an offset has no LEGO form")
    if isinstance(value, Composed):
        raise cannot(f"{value.swizzle} is no permutation of blocks: write it as GenP")
    if not isinstance(value, Layout) or value.semimodule == "Z^P":
        raise cannot("a coordinate codomain: flatten it first, LEGO maps to one flat position")
    if value.semimodule == "F2":
        raise cannot("XOR strides are no permutation of blocks: write them as GenP")
    shape, stride = value.flat()
    if any(type(x) is not int for x in (*shape, *stride)):
        raise cannot("LEGO sizes are numbers here: an extent or stride is not known")
    return value


def _storage_order(leaves: Sequence[tuple[int, int]]) -> list[int]:
    """The leaves from the slowest to the fastest; LC103 unless each begins where the one before it ends."""
    if any(d == 0 and n > 1 for n, d in leaves):
        raise cannot("LEGO layouts are bijections: stride 0 (broadcast) has no LEGO form")
    if any(d < 0 for _, d in leaves):
        raise cannot("LEGO layouts begin at 0: a negative stride has no LEGO form")
    order = sorted(range(len(leaves)), key=lambda k: (-leaves[k][1], k) if leaves[k][0] > 1 else (1, k))
    expected = 1
    for k in reversed(order):
        n, d = leaves[k]
        if n > 1 and d > expected:
            raise cannot("padding has no LEGO form")
        if n > 1 and d < expected:
            raise cannot("overlapping strides have no LEGO form: layouts are bijections")
        expected *= n
    return order


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
    surplus=(
        "OrderBy(Row(8, 8)).TileBy([2, 2], [4, 4], colour=3)",
        "OrderBy(Row(8, 8), colour=3).TileBy([2, 2], [4, 4])",
    ),
)
