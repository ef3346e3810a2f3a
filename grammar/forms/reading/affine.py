"""Integer expressions over digits of coordinates: + - * floor-division mod and XOR, tabulated and never executed.

A tree is ``("n", 4)``, ``("v", "i")`` or ``(operator, left, right)``; it is evaluated on lists, one entry a point of a
box.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from operator import add, floordiv, mod, mul, sub, xor
from typing import Any

from .reading import cannot, limit

Tree = tuple[Any, ...]

BOX_LIMIT = 1 << 20
"""Points of a box that is tabulated."""


def evaluate(tree: Tree, env: Mapping[str, Sequence[int]], count: int) -> list[int]:
    """The values at every point; ``env`` holds a list of ``count`` values a variable. LC103 where there is no value."""
    op, *operands = tree
    if op == "n":
        return [tree[1]] * count
    if op == "v":
        if tree[1] not in env:
            raise cannot(f"{tree[1]} has no value here")
        return list(env[tree[1]])
    columns = [evaluate(t, env, count) for t in operands]
    if op in _QUOTIENTS and 0 in columns[1]:
        raise cannot("a division by 0")
    if op == "*" and _far(columns[0]) * _far(columns[1]) > _FARTHEST:
        raise cannot(f"the values are beyond 2^{_FARTHEST}")
    return list(map(_OPERATORS[op], *columns))


def applied(op: str, *operands: int) -> int:
    """The value of one operator; LC103 where there is none."""
    return evaluate((op, *(("n", x) for x in operands)), {}, 1)[0]


def _exactly(a: int, b: int) -> int:
    if a % b:
        raise cannot("a quotient that is no integer; floor(x/n) rounds down")
    return a // b


def _antidiagonal(n: int, i: int, j: int) -> int:
    """The place of (i, j) when an n x n square is walked along its antidiagonals."""
    d = i + j
    if d < n:
        return d * (d + 1) // 2 + i
    return n * n - 1 - _antidiagonal(n, n - 1 - i, n - 1 - j)


_OPERATORS: dict[str, Callable[..., int]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "//": floordiv,
    "%": mod,
    "truncdiv": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "truncmod": lambda a, b: abs(a) % abs(b) * (1 if a >= 0 else -1),
    "ceildiv": lambda a, b: -(-a // b),
    "^": xor,
    "/": _exactly,
    "antidiag": _antidiagonal,
}
_QUOTIENTS = frozenset({"//", "%", "ceildiv", "/", "truncdiv", "truncmod"})
_FARTHEST = 4096
"""Bits of a product."""


def _far(values: list[int]) -> int:
    return max((v.bit_length() for v in values), default=0) or 1


def names_of(tree: Tree) -> set[str]:
    """The variables of a tree."""
    if tree[0] in ("n", "v"):
        return {tree[1]} if tree[0] == "v" else set()
    return {n for t in tree[1:] for n in names_of(t)}


def substituted(tree: Tree, known: Mapping[str, Tree]) -> Tree:
    """The tree with trees for some of its variables."""
    if tree[0] in ("n", "v"):
        return known.get(tree[1], tree) if tree[0] == "v" else tree
    return (tree[0], *(substituted(t, known) for t in tree[1:]))


def linear(tree: Tree) -> dict[str, int] | None:
    """The coefficients of an affine expression, the constant under ""; None if it has floor, mod or XOR."""
    op = tree[0]
    if op == "n":
        return {"": tree[1]}
    if op == "v":
        return {tree[1]: 1, "": 0}
    left, right = linear(tree[1]), linear(tree[2])
    if left is None or right is None:
        return None
    if op in ("+", "-"):
        sign = 1 if op == "+" else -1
        return {k: left.get(k, 0) + sign * right.get(k, 0) for k in left | right}
    if op == "*":
        for a, b in ((left, right), (right, left)):
            if not any(a[k] for k in a if k):
                return {k: a.get("", 0) * b[k] for k in b}
    return None


def sizes_of(shape: Sequence[Any], source: str) -> tuple[int, ...]:
    """A box to tabulate: positive integers, not too many points."""
    if any(type(n) is not int or n < 1 for n in shape):
        raise cannot(f"the extents {tuple(shape)} are not positive integers", source=source)
    if prod(shape) > BOX_LIMIT:
        raise limit(source, 0, len(source), f"{prod(shape):,} points; {BOX_LIMIT:,} are tabulated")
    return tuple(shape)


def box(shape: Sequence[int]) -> list[list[int]]:
    """The coordinates of every point of a box, a list an axis, first axis fastest."""
    count, weight, found = prod(shape), 1, []
    for n in shape:
        column = [c for c in range(n) for _ in range(weight)]
        found.append(column * (count // max(len(column), 1)))
        weight *= n
    return found


def axes(rank: int, prefix: str = "i") -> list[str]:
    """Names of coordinates: i, j, k, ... or i0, i1, ..."""
    return (
        ["i", "j", "k", "l", "m", "n"][:rank]
        if rank <= 6 and not prefix.endswith("0")
        else [f"i{k}" for k in range(rank)]
    )


def digits(name: str, leaves: Sequence[tuple[int, Any]], floor: str, mod: str) -> list[tuple[str, Any]]:
    """The digits of a coordinate over its leaves, each with the stride of its leaf; the last is not reduced.

    ``floor`` and ``mod`` are patterns such as ``"{x}//{n}"``.
    """
    found = []
    weight = 1
    for k, (n, d) in enumerate(leaves):
        text = name if weight == 1 else floor.format(x=name, n=weight)
        if k < len(leaves) - 1:
            text = mod.format(x=text, n=n)
        found.append((text, d))
        weight *= n
    return found
