"""Chains of torch and numpy views, ``torch.empty(2, 3, 4).permute(2, 0, 1)``, read without either package."""

from __future__ import annotations

import ast
from collections.abc import Callable
from math import prod
from typing import Any

from laycalc.algebra.base.record import Record

from ..reading.pytext import at, call_name, integers, literal, parse
from ..reading.reading import RANK_LIMIT, cannot

__all__ = ["View", "row_major", "view_of"]

_MAKERS = frozenset({"empty", "zeros", "ones", "full", "rand", "randn", "empty_like", "arange"})


class View(Record):
    """Sizes, strides and offset in elements; ``itemsize`` where the text says it."""

    sizes: tuple[Any, ...]
    strides: tuple[Any, ...]
    offset: Any = 0
    itemsize: int | None = None


def row_major(sizes: tuple[Any, ...]) -> tuple[Any, ...]:
    """The strides of a dense array, last dimension fastest."""
    return tuple(prod(sizes[i + 1 :]) for i in range(len(sizes)))


def view_of(source: str) -> View:
    """The view that a chain of calls and subscripts denotes."""
    return _Chain(source).view(parse(source))


class _Chain:
    def __init__(self, source: str) -> None:
        self.source = source

    def view(self, node: ast.expr) -> View:
        """The view of a node."""
        match node:
            case ast.Call(func=ast.Attribute(value=target, attr=name)) if not _is_module(target):
                return self.method(
                    node, name, self.view(target), [self.value(a) for a in node.args], self.keywords(node)
                )
            case ast.Call():
                return self.function(node)
            case ast.Attribute(value=target, attr="T" | "mT" | "H"):
                return _permute(self.view(target), tuple(reversed(range(len(self.view(target).sizes)))))
            case ast.Subscript(value=target, slice=index):
                return self.subscript(node, self.view(target), index)
        raise at(self.source, node, "an array or a view of one is expected")

    def keywords(self, node: ast.Call) -> dict[str, Any]:
        return {k.arg: self.value(k.value) for k in node.keywords if k.arg not in (None, "dtype", "device", "buffer")}

    def value(self, node: ast.expr) -> Any:
        return literal(self.source, node)

    def function(self, node: ast.Call) -> View:
        """``torch.empty(4, 8)``, ``np.broadcast_to(x, (4, 5))``: functions of the module."""
        name = call_name(node).rpartition(".")[2]
        if name in _MAKERS and node.args:
            sizes = (
                integers(self.source, node.args[0]) if len(node.args) == 1 or name == "full" else
                tuple(i for a in node.args for i in integers(self.source, a))
            )  # fmt: skip
            self.check(node, sizes)
            return View(sizes, row_major(sizes))
        if name == "as_strided" and len(node.args) >= 1:
            return self.method(node, name, View((), ()), [self.value(a) for a in node.args[1:]], self.keywords(node))
        if name in ("sliding_window_view",) and len(node.args) == 2:
            view, window = self.view(node.args[0]), integers(self.source, node.args[1])
            if len(window) != len(view.sizes) or any(w > n for w, n in zip(window, view.sizes, strict=True)):
                raise at(self.source, node.args[1], "the window does not fit the array")
            sizes = tuple(n - w + 1 for n, w in zip(view.sizes, window, strict=True))
            return View((*sizes, *window), (*view.strides, *view.strides), view.offset)
        if node.args and name in _METHODS:
            values = [self.value(a) for a in node.args[1:]]
            return self.method(node, name, self.view(node.args[0]), values, self.keywords(node))
        raise at(self.source, node, f"no view is called {name or 'that'}", "")

    def method(self, node: ast.expr, name: str, view: View, arguments: list[Any], keywords: dict[str, Any]) -> View:
        """One step of a chain."""
        if (step := _METHODS.get(name)) is None:
            raise at(self.source, node, f"{name} is no view that strides can tell")
        arguments = [*arguments, *keywords.values()]
        try:
            found = step(view, *arguments)
        except (TypeError, IndexError, ValueError, AttributeError, ZeroDivisionError, OverflowError):
            raise at(self.source, node, f"{name} does not take these arguments") from None
        self.check(node, found.sizes)
        return found

    def check(self, node: ast.AST, sizes: tuple[Any, ...]) -> None:
        if len(sizes) > RANK_LIMIT:
            raise at(self.source, node, f"an array has at most {RANK_LIMIT} dimensions")
        if any(type(n) is not int or n < 1 or n >> 48 for n in sizes):
            raise at(self.source, node, f"the sizes are {sizes}; a layout has extents from 1 to 2^48 here")

    def subscript(self, node: ast.expr, view: View, index: ast.expr) -> View:
        """Slices and integers; masks and index arrays copy."""
        parts = list(index.elts) if isinstance(index, ast.Tuple) else [index]
        sizes: list[int] = []
        strides: list[int] = []
        offset, axis = view.offset, 0
        for part in parts:
            if isinstance(part, ast.Constant) and part.value is None:
                sizes.append(1)
                strides.append(0)
                continue
            if axis >= len(view.sizes):
                raise at(self.source, part, "the array has no further dimension")
            n, d = view.sizes[axis], view.strides[axis]
            if isinstance(part, ast.Slice):
                bounds = [None if x is None else self.value(x) for x in (part.lower, part.upper, part.step)]
                if not all(b is None or type(b) is int for b in bounds) or bounds[2] == 0:
                    raise at(self.source, part, "the bounds of a slice are integers")
                taken = range(*slice(*bounds).indices(n))
                if not taken:
                    raise at(self.source, part, "the slice is empty")
                sizes.append(len(taken))
                strides.append(d * taken.step)
                offset += d * taken.start
            elif type(i := self.value(part)) is int and -n <= i < n:
                offset += d * (i % n)
            else:
                raise at(
                    self.source,
                    part,
                    "an index array copies: no strides tell it" if type(i) is not int else "the index is out of range",
                )
            axis += 1
        self.check(node, tuple(sizes))
        return View((*sizes, *view.sizes[axis:]), (*strides, *view.strides[axis:]), offset, view.itemsize)


def _is_module(node: ast.expr) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute)) and call_name(node).split(".")[0] in (
        "torch",
        "np",
        "numpy",
        "jnp",
    )


def _permute(view: View, order: tuple[int, ...]) -> View:
    rank = len(view.sizes)
    order = tuple(i % rank for i in order)
    if sorted(order) != list(range(rank)):
        raise ValueError
    return View(tuple(view.sizes[i] for i in order), tuple(view.strides[i] for i in order), view.offset)


def _transpose(view: View, *axes: Any) -> View:
    """torch swaps two axes, numpy takes an order; a full order of another length is numpy's."""
    order = axes[0] if len(axes) == 1 else axes
    if not axes:
        order = tuple(reversed(range(len(view.sizes))))
    if len(order) == 2 and len(view.sizes) > 2:
        return _swap(view, *order)
    if len(order) == 2 and sorted(i % 2 for i in order) == [0, 1]:
        return _swap(view, 0, 1) if order != (0, 1) or len(view.sizes) == 2 else view
    return _permute(view, tuple(order))


def _swap(view: View, a: int, b: int) -> View:
    order = list(range(len(view.sizes)))
    order[a], order[b] = order[b], order[a]
    return _permute(view, tuple(order))


def _unfold(view: View, axis: int, size: int, step: int) -> View:
    sizes, strides = list(view.sizes), list(view.strides)
    count, stride = (sizes[axis] - size) // step + 1, strides[axis]
    sizes[axis], strides[axis] = count, stride * step
    return View((*sizes, size), (*strides, stride), view.offset)


def _squeeze(view: View, *axes: int) -> View:
    drop = {i % len(view.sizes) for i in axes} if axes else set(range(len(view.sizes)))
    keep = [i for i, n in enumerate(view.sizes) if not (n == 1 and i in drop)]
    return View(tuple(view.sizes[i] for i in keep), tuple(view.strides[i] for i in keep), view.offset)


def _unsqueeze(view: View, axis: int) -> View:
    axis %= len(view.sizes) + 1
    sizes, strides = list(view.sizes), list(view.strides)
    sizes.insert(axis, 1)
    strides.insert(axis, 0)
    return View(tuple(sizes), tuple(strides), view.offset)


def _expand(view: View, *shape: Any) -> View:
    sizes = tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else shape
    lead = len(sizes) - len(view.sizes)
    old = ((1,) * lead + view.sizes, (0,) * lead + view.strides)
    strides = []
    for n, was, d in zip(sizes, *old, strict=True):
        if n != was and n != -1 and was != 1:
            raise ValueError
        strides.append(0 if was == 1 and n not in (1, -1) else d)
    return View(tuple(was if n == -1 else n for n, was in zip(sizes, old[0], strict=True)), tuple(strides), view.offset)


def _reshape(view: View, *shape: Any) -> View:
    """A view over other sizes: the old dimensions merge and split, last dimension fastest."""
    sizes = list(shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape)
    total = prod(view.sizes)
    if -1 in sizes:
        rest = -prod(sizes)
        sizes[sizes.index(-1)] = total // rest
    if prod(sizes) != total or any(n < 1 for n in sizes):
        raise ValueError
    merged: list[tuple[int, int]] = []
    for n, d in zip(reversed(view.sizes), reversed(view.strides), strict=True):
        if n == 1:
            continue
        if merged and d == merged[-1][0] * merged[-1][1]:
            merged[-1] = (merged[-1][0] * n, merged[-1][1])
        else:
            merged.append((n, d))
    strides, at_ = [], 0
    left, stride = merged[0] if merged else (1, 1)
    for n in reversed(sizes):
        if n > 1 and left == 1:
            at_ += 1
            left, stride = merged[at_]
        if left % n:
            raise cannot(
                f"view needs the dimensions to merge; {_text(view.sizes)}:{_text(view.strides)} in torch order "
                f"(last first) has no single stride for {_text(tuple(sizes))}"
            )
        strides.append(stride)
        left //= n
        stride *= n
    return View(tuple(sizes), tuple(reversed(strides)), view.offset)


def _text(leaves: tuple[Any, ...]) -> str:
    return f"({','.join(map(str, leaves))})" if len(leaves) != 1 else str(leaves[0])


def _as_strided(view: View, sizes: Any, strides: Any, offset: int = 0) -> View:
    if len(sizes) != len(strides):
        raise ValueError
    return View(tuple(sizes), tuple(strides), offset)


def _narrow(view: View, axis: int, start: int, length: int) -> View:
    sizes = list(view.sizes)
    if not 0 <= start <= sizes[axis] - length:
        raise ValueError
    sizes[axis] = length
    return View(tuple(sizes), view.strides, view.offset + start * view.strides[axis])


def _select(view: View, axis: int, index: int) -> View:
    narrowed = _narrow(view, axis, index % view.sizes[axis], 1)
    return _squeeze(narrowed, axis)


def _flip(view: View, *axes: Any) -> View:
    chosen = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or range(len(view.sizes))
    strides, offset = list(view.strides), view.offset
    for axis in chosen:
        offset += (view.sizes[axis] - 1) * strides[axis]
        strides[axis] = -strides[axis]
    return View(view.sizes, tuple(strides), offset)


def _contiguous(view: View, *_: Any) -> View:
    return View(view.sizes, row_major(view.sizes))


def _same(view: View, *_: Any) -> View:
    return view


_METHODS: dict[str, Callable[..., View]] = {
    "permute": lambda view, *axes: _permute(view, tuple(axes[0]) if len(axes) == 1 else axes),
    "transpose": _transpose,
    "swapaxes": _swap,
    "swapdims": _swap,
    "t": lambda view: _swap(view, 0, 1) if len(view.sizes) > 1 else view,
    "unfold": _unfold,
    "squeeze": _squeeze,
    "unsqueeze": _unsqueeze,
    "expand_dims": _unsqueeze,
    "expand": _expand,
    "broadcast_to": lambda view, shape: _expand(view, shape),
    "view": _reshape,
    "reshape": _reshape,
    "as_strided": _as_strided,
    "narrow": _narrow,
    "select": _select,
    "flip": _flip,
    "contiguous": _contiguous,
    "clone": _same,
    "detach": _same,
    "cuda": _same,
    "to": _same,
}
