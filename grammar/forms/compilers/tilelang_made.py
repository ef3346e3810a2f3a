"""TileLang constructors: lambdas as trees, then layouts and fragments that are repeated, expanded and replicated."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ..reading import pytext
from ..reading.affine import Tree, sizes_of, substituted
from ..reading.affine_text import from_ast, lambda_names
from ..reading.reading import cannot
from ..reading.signatures import Signature, bind_call, signature
from .tilelang_maps import REPLICA, FragmentMap, LayoutMap, coordinates

_LAYOUT = signature("Layout(shape, forward_fn)")
_FRAGMENT = signature("Fragment(shape, forward_fn=None, forward_thread_fn=None, replicate=1, forward_index_fn=None)")


def made(text: str, node: ast.expr) -> LayoutMap | FragmentMap:
    """The map of ``Layout([4, 4], lambda i, j: (j, i))`` or ``Fragment([..], forward_fn=..).repeat(..)``."""
    steps: list[ast.Call] = []
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
        steps.insert(0, node)
        node = node.func.value
    kind = pytext.call_name(node).rpartition(".")[2]
    if not isinstance(node, ast.Call) or kind not in _KINDS:
        raise pytext.at(text, node, "Layout([..], lambda ..) or Fragment([..], ..) is expected")
    make, known = _KINDS[kind]
    found: LayoutMap | FragmentMap = make(text, node)
    for step in steps:
        assert isinstance(step.func, ast.Attribute)
        if step.func.attr not in known:
            raise pytext.at(text, step, f"{step.func.attr} of a {kind} is not covered: {', '.join(known)} are")
        to, apply = known[step.func.attr]
        given = {name: pytext.literal(text, value) for name, value in bind_call(to, text, step).items()}
        found = apply(text, step, found, **given)
        sizes_of(found.sizes, text)
    return found


# ---- layouts ----


def _layout(text: str, node: ast.Call) -> LayoutMap:
    given = bind_call(_LAYOUT, text, node)
    sizes = sizes_of(pytext.integers(text, given["shape"]), text)
    return LayoutMap(sizes, _function(text, given["forward_fn"], len(sizes)))


def _function(text: str, node: ast.expr, rank: int, replica: bool = False) -> tuple[Tree, ...]:
    """The results of a lambda, its coordinates substituted to TileLang's."""
    if not isinstance(node, ast.Lambda):
        raise pytext.at(text, node, "a lambda is expected")
    names = lambda_names(text, node, rank + replica)
    results = list(node.body.elts) if isinstance(node.body, (ast.Tuple, ast.List)) else [node.body]
    known = {n: ("v", c) for n, c in zip(names, [*coordinates(rank), REPLICA], strict=False)}
    return tuple(substituted(from_ast(text, r), known) for r in results)


def _layout_repeat(text: str, node: ast.Call, found: LayoutMap, dim: Any, factor: Any) -> LayoutMap:
    """``L.repeat(dim, factor)``: copies along one dimension, counted by a further output in front."""
    rank = len(found.sizes)
    if type(dim) is not int or type(factor) is not int or factor < 1 or not -rank <= dim < rank:
        raise pytext.at(text, node, f"repeat takes a dimension of {rank} and a positive factor")
    if factor == 1:
        return found
    sizes = list(found.sizes)
    n, name = sizes[dim], ("v", coordinates(rank)[dim])
    sizes[dim] *= factor
    wrapped = {name[1]: ("%", name, ("n", n))}
    outputs = (("//", name, ("n", n)), *(substituted(t, wrapped) for t in found.outputs))
    return LayoutMap(tuple(sizes), outputs, (factor, *found.bounded(text).extents))


def _layout_expand(text: str, node: ast.Call, found: LayoutMap, leading_shape: Any) -> LayoutMap:
    """``L.expand([3])``: further coordinates in front, which the output keeps."""
    leading = tuple(leading_shape) if isinstance(leading_shape, (list, tuple)) else (leading_shape,)
    if any(type(n) is not int or n < 1 for n in leading):
        raise pytext.at(text, node, "expand takes positive sizes")
    rank = len(found.sizes)
    names = coordinates(len(leading) + rank)
    known = {old: ("v", new) for old, new in zip(coordinates(rank), names[len(leading) :], strict=True)}
    outputs = (*(("v", n) for n in names[: len(leading)]), *(substituted(t, known) for t in found.outputs))
    return LayoutMap((*leading, *found.sizes), outputs, (*leading, *found.bounded(text).extents))


# ---- fragments ----


def _fragment(text: str, node: ast.Call) -> FragmentMap:
    given = bind_call(_FRAGMENT, text, node)
    sizes = sizes_of(pytext.integers(text, given["shape"]), text)
    replicate = pytext.literal(text, given["replicate"]) if "replicate" in given else 1
    if type(replicate) is not int or replicate < 1:
        raise pytext.at(text, node, "replicate is a positive integer")
    given = {k: v for k, v in given.items() if not (isinstance(v, ast.Constant) and v.value is None)}
    rank, replica = len(sizes), replicate > 1
    if "forward_fn" in given:
        if len({"forward_thread_fn", "forward_index_fn"} & given.keys()):
            raise pytext.at(text, node, "forward_fn gives thread and register: no further function is used")
        results = _function(text, given["forward_fn"], rank, replica)
        if len(results) != 2:
            raise pytext.at(text, node, "forward_fn gives (thread, register)")
        thread, index = results
    elif "forward_thread_fn" not in given:
        raise pytext.at(text, node, "a fragment has forward_fn, or forward_thread_fn")
    else:
        (thread,) = _one(text, node, _function(text, given["forward_thread_fn"], rank, replica))
        index = ("n", 0)
        if "forward_index_fn" in given:
            (index,) = _one(text, node, _function(text, given["forward_index_fn"], rank))
    found = FragmentMap(sizes, thread, (index,), replicate)
    _, owner, register = found.places(text)
    if not {"forward_fn", "forward_index_fn"} & given.keys() and len(set(owner)) < len(owner):
        raise cannot(
            "a thread holds several elements, and TileLang infers their registers: write forward_index_fn", source=text
        )
    return found.replace(threads=max(owner) + 1, extents=(max(register) + 1,))


def _one(text: str, node: ast.Call, results: tuple[Tree, ...]) -> tuple[Tree]:
    if len(results) != 1:
        raise pytext.at(text, node, "a function of one result is expected")
    return (results[0],)


def _fragment_replicate(text: str, node: ast.Call, found: FragmentMap, replicate: Any) -> FragmentMap:
    """``F.replicate(2)``: copies in further threads, the new digit of the replica slowest."""
    if type(replicate) is not int or not 1 <= replicate <= 1 << 16:
        raise pytext.at(text, node, "replicate takes a positive integer")
    rep, n = ("v", REPLICA), ("n", found.replicate)
    inner = substituted(found.thread, {REPLICA: ("%", rep, n)})
    outer: Tree = ("//", rep, n)
    return found.replace(
        thread=("+", ("*", outer, ("n", found.threads)), inner),
        threads=found.threads * replicate,
        replicate=found.replicate * replicate,
    )


def _fragment_repeat(
    text: str,
    node: ast.Call,
    found: FragmentMap,
    repeats: Any,
    repeat_on_thread: Any = False,
    lower_dim_first: Any = True,
) -> FragmentMap:
    """``F.repeat([2, 1], repeat_on_thread=True)``: the pattern side by side, in further threads or registers."""
    rank = len(found.sizes)
    counts = repeats if isinstance(repeats, (list, tuple)) else ()
    if len(counts) != rank or any(type(r) is not int or r < 1 for r in counts):
        raise pytext.at(text, node, f"repeat takes {rank} counts")
    if type(repeat_on_thread) is not bool or type(lower_dim_first) is not bool:
        raise pytext.at(text, node, "repeat_on_thread and lower_dim_first are True or False")
    names = [("v", c) for c in coordinates(rank)]
    which: Tree = ("n", 0)
    weight = 1
    for k in reversed(range(rank)) if lower_dim_first else range(rank):
        which = ("+", which, ("*", ("//", names[k], ("n", found.sizes[k])), ("n", weight)))
        weight *= counts[k]
    wrapped = {c[1]: ("%", c, ("n", n)) for c, n in zip(names, found.sizes, strict=True)}
    thread, (index,) = substituted(found.thread, wrapped), (substituted(t, wrapped) for t in found.index)
    sizes = tuple(n * r for n, r in zip(found.sizes, counts, strict=True))
    if repeat_on_thread:
        thread = ("+", ("*", which, ("n", found.threads)), thread)
        return found.replace(sizes=sizes, thread=thread, index=(index,), threads=found.threads * weight)
    (registers,) = found.extents
    index = ("+", ("*", which, ("n", registers)), index)
    return found.replace(sizes=sizes, thread=thread, index=(index,), extents=(registers * weight,))


_Steps = dict[str, tuple[Signature, Callable[..., Any]]]

_KINDS: dict[str, tuple[Callable[[str, ast.Call], Any], _Steps]] = {
    "Layout": (
        _layout,
        {
            "repeat": (signature("repeat(dim, factor)"), _layout_repeat),
            "expand": (signature("expand(leading_shape)"), _layout_expand),
        },
    ),
    "Fragment": (
        _fragment,
        {
            "repeat": (signature("repeat(repeats, repeat_on_thread=False, lower_dim_first=True)"), _fragment_repeat),
            "replicate": (signature("replicate(replicate)"), _fragment_replicate),
        },
    ),
}
"""What makes a map, and the methods that make another of it."""
