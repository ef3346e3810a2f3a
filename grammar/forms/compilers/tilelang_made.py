"""TileLang constructors: lambdas as trees, and fragments that are repeated and replicated."""

from __future__ import annotations

import ast
from math import prod
from typing import Any

from ..reading import pytext
from ..reading.affine import Tree, axes, box, evaluate, sizes_of
from ..reading.affine_text import from_ast
from ..reading.reading import bad

__all__ = ["Made", "function"]


def function(text: str, node: Any, rank: int, *, replica: bool = False) -> tuple[list[str], list[Tree]]:
    if not isinstance(node, ast.Lambda):
        raise bad(text, 0, len(text), "a lambda is expected")
    names = [a.arg for a in node.args.args]
    if len(names) not in (rank, rank + replica):
        raise pytext.at(text, node, f"the lambda takes {len(names)} coordinates, the shape has {rank}")
    results = list(node.body.elts) if isinstance(node.body, (ast.Tuple, ast.List)) else [node.body]
    return names, [from_ast(text, r) for r in results]


class Made:
    """A fragment under construction: trees for thread and register, and how often it was repeated."""

    def __init__(
        self, text: str, sizes: tuple[int, ...], lambdas: dict[Any, ast.Lambda], replicate: int, node: ast.Call
    ) -> None:
        self.text, self.sizes, self.replicate = text, list(sizes), replicate
        self.names = [f"_{n}" for n in axes(len(sizes))]
        rank = len(sizes)
        if "forward_fn" in lambdas:
            names, results = function(text, lambdas["forward_fn"], rank, replica=True)
            if len(results) != 2:
                raise pytext.at(text, node, "forward_fn gives (thread, register)")
            thread, index = results
        else:
            if "forward_thread_fn" not in lambdas:
                raise pytext.at(text, node, "a fragment has forward_fn, or forward_thread_fn")
            names, results = function(text, lambdas["forward_thread_fn"], rank, replica=True)
            thread = results[0]
            index = ("n", 0)
            if "forward_index_fn" in lambdas:
                other, found = function(text, lambdas["forward_index_fn"], rank)
                index = _renamed(found[0], dict(zip(other, names, strict=False)))
            elif rank == 1:
                index = ("n", 0)
        known = dict(zip(names, [*self.names, "_rep"], strict=False))
        self.thread: Tree = _renamed(thread, known)
        self.index: Tree = _renamed(index, known)
        env = dict(zip(self.names, box(sizes), strict=True)) | {"_rep": [replicate - 1] * prod(sizes)}
        self.threads = max(evaluate(self.thread, env, prod(sizes))) + 1
        self.registers = max(evaluate(self.index, env, prod(sizes))) + 1

    def step(self, node: ast.Call) -> None:
        """``.repeat([2, 1], repeat_on_thread=True)`` or ``.replicate(2)``."""
        assert isinstance(node.func, ast.Attribute)
        options = {k.arg: pytext.literal(self.text, k.value) for k in node.keywords}
        values = [pytext.literal(self.text, a) for a in node.args]
        if node.func.attr == "replicate":
            count = values[0] if values else options.get("replicate")
            if type(count) is not int or not 1 <= count <= 1 << 16:
                raise pytext.at(self.text, node, "replicate takes a positive integer")
            outer: Tree = ("//", ("v", "_rep"), ("n", self.replicate)) if self.replicate > 1 else ("v", "_rep")
            inner = _renamed(self.thread, {}, {"_rep": ("%", ("v", "_rep"), ("n", self.replicate))})
            self.thread = ("+", ("*", outer, ("n", self.threads)), inner)
            self.threads *= count
            self.replicate *= count
            return
        repeats = values[0] if values else options.get("repeats")
        if (
            not isinstance(repeats, (list, tuple))
            or len(repeats) != len(self.sizes)
            or any(type(r) is not int or r < 1 for r in repeats)
        ):
            raise pytext.at(self.text, node, f"repeat takes {len(self.sizes)} counts")
        on_thread = bool(options.get("repeat_on_thread", values[1] if len(values) > 1 else False))
        last_first = bool(options.get("lower_dim_first", values[2] if len(values) > 2 else True))
        order = range(len(self.sizes))
        which: Tree = ("n", 0)
        weight = 1
        for k in reversed(order) if last_first else order:
            which = ("+", which, ("*", ("//", ("v", self.names[k]), ("n", self.sizes[k])), ("n", weight)))
            weight *= repeats[k]
        wrapped: dict[str, Tree] = {n: ("%", ("v", n), ("n", s)) for n, s in zip(self.names, self.sizes, strict=True)}
        self.thread, self.index = _renamed(self.thread, {}, wrapped), _renamed(self.index, {}, wrapped)
        if on_thread:
            self.thread = ("+", ("*", which, ("n", self.threads)), self.thread)
            self.threads *= weight
        else:
            self.index = ("+", ("*", which, ("n", self.registers)), self.index)
            self.registers *= weight
        self.sizes = list(sizes_of([s * r for s, r in zip(self.sizes, repeats, strict=True)], self.text))


def _renamed(tree: Tree, names: dict[str, str], trees: dict[str, Tree] | None = None) -> Tree:
    if tree[0] == "v":
        if trees and tree[1] in trees:
            return trees[tree[1]]
        return ("v", names.get(tree[1], tree[1]))
    return tree if tree[0] == "n" else (tree[0], *(_renamed(t, names, trees) for t in tree[1:]))
