"""Changing one number of an operand: in the value, and in the text as it was written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import gcd, isqrt
from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.algebra.values.htuple import flatten, leaf_paths
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ..language.values import text_of
from ..syntax import nodes
from .locate import places

__all__ = ["Case", "Number", "near", "numbers", "replaced", "rewritten", "spliced"]

Path = tuple[int, ...]


class Case(Record):
    """An error or a remark of the algebra, and the call that made it: ``function(*arguments)``, written ``node``.

    ``operands`` are the nodes of the first arguments, or the node itself where it is a literal or an evaluation.
    """

    code: str
    facts: dict[str, Any]
    source: str
    node: nodes.Expression
    operands: Sequence[nodes.Expression]
    arguments: Sequence[Any]
    function: Callable[..., Any]

    @property
    def text(self) -> str:
        """The call as it was written."""
        return self.source[self.node.span.start : self.node.span.end]

    @property
    def name(self) -> str:
        """The name of the function."""
        return getattr(self.function, "__name__", "")

    @property
    def written(self) -> Sequence[nodes.Expression]:
        """The node of each argument, as far as they are written."""
        node = self.node
        if not any(operand is node for operand in self.operands):
            return self.operands
        if isinstance(node, nodes.Pair):
            return node.shape, node.stride
        if isinstance(node, nodes.Tuple):
            return node.items
        if isinstance(node, nodes.Call):
            return node.function, *_together(node.arguments)
        return (node.target, *_together(node.items)) if isinstance(node, nodes.Index) else self.operands


def _together(items: Sequence[nodes.Expression]) -> Sequence[nodes.Expression]:
    """The arguments of ``L(1,2,3)``, which are one coordinate."""
    if len(items) < 2:
        return items
    return (nodes.Tuple(nodes.Span(items[0].span.start, items[-1].span.end), tuple(items)),)


class Number(Record):
    """One number of an operand: a leaf of its shape or its strides."""

    operand: int
    path: Path
    part: str
    old: int


def numbers(operand: int, value: Any, below: Path = (), part: str = "both") -> Iterator[Number]:
    """The integers of an operand at and below a path; a bare integer is a ``number``, neither size nor stride."""
    if isinstance(value, (Tensor, Composed)):
        value = value.layout
    for path, side, leaf in _leaves(value):
        if path[: len(below)] == below and part in ("both", side) and type(leaf) is int:
            yield Number(operand, path, side, leaf)


def _leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, str, Any]]:
    if isinstance(value, Layout):
        for leaf, s, d in zip(leaf_paths(value.shape), *value.flat(), strict=True):
            yield (*path, *leaf), "shape", s
            yield (*path, *leaf), "stride", d
    elif isinstance(value, Tiler):
        for i, mode in enumerate(value.modes):
            yield from _leaves(mode, (*path, i))
    elif type(value) is int:
        yield path, "shape" if path else "number", value
    elif isinstance(value, tuple):
        for leaf, s in zip(leaf_paths(value), flatten(value), strict=True):
            yield (*path, *leaf), "shape", s


def replaced(value: Any, path: Path, part: str, new: Any) -> Any:
    """The value with the leaf at a path replaced."""
    if isinstance(value, Tensor):
        return Tensor(value.offset, replaced(value.layout, path, part, new))
    if isinstance(value, Composed):
        return Composed(value.swizzle, value.offset, replaced(value.layout, path, part, new))
    if isinstance(value, Layout):
        shape = _set(value.shape, path, new) if part == "shape" else value.shape
        stride = _set(value.stride, path, new) if part == "stride" else value.stride
        return Layout(shape, stride)
    if isinstance(value, Tiler):
        modes = list(value.modes)
        modes[path[0]] = replaced(modes[path[0]], path[1:], part, new)
        return Tiler(modes)
    return _set(value, path, new)


def _set(x: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    return tuple(_set(e, path[1:], new) if i == path[0] else e for i, e in enumerate(x))


def rewritten(case: Case, edits: Sequence[tuple[Number, Any]]) -> str:
    """The call with numbers replaced where they are written; an operand that is a name or a call becomes its value."""
    pieces: list[tuple[nodes.Node, str]] = []
    for i, node in enumerate(case.written):
        own = [(number, new) for number, new in edits if number.operand == i]
        if not own:
            continue
        found = [places(node, case.arguments[i], number.path, number.part) for number, _ in own]
        if all(len(at) == 1 and at[0].whole for at in found):
            pieces += [(at[0].node, text_of(new)) for at, (_, new) in zip(found, own, strict=True)]
        else:
            value = case.arguments[i]
            for number, new in own:
                value = replaced(value, number.path, number.part, new)
            pieces.append((node, in_place(value)))
    return spliced(case, *pieces)


def in_place(value: Any) -> str:
    """The text of a value as an operand."""
    return f"[{value}]" if isinstance(value, (Composed, Tensor)) else text_of(value)


def spliced(case: Case, *pieces: tuple[nodes.Node, str]) -> str:
    """The call with the texts of some nodes replaced."""
    text, start = case.text, case.node.span.start
    for node, new in sorted(pieces, key=lambda piece: -piece[0].span.start):
        text = text[: node.span.start - start] + new + text[node.span.end - start :]
    return text


STEPS = 24
"""How far from a number its neighbours are tried one by one."""
FACTORED = 1 << 24
"""Numbers up to here are taken apart into divisors."""


def near(old: int, hints: Sequence[int], least: int = 1) -> list[int]:
    """Numbers that may do better than ``old``, nearest first: neighbours, divisors and multiples of what has to fit."""
    found = {old + k for k in range(-STEPS, STEPS + 1)}
    for hint in hints:
        found |= {gcd(old, hint), hint * (old // hint), hint * (old // hint + 1), *_divisors(hint)}
    return sorted((n for n in found if n >= least and n != old), key=lambda n: (abs(n - old), n))


def _divisors(n: int) -> Iterator[int]:
    if n <= FACTORED:
        for k in range(1, isqrt(n) + 1):
            if n % k == 0:
                yield k
                yield n // k
