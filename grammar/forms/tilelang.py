"""TileLang: Layout and Fragment as they are written and as they print.

A Layout maps coordinates to an offset, row-major over its output; a Fragment maps them to (thread, register), and we give the
inverse, (T,V) to coordinates.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from math import prod
from typing import Any

from laycalc.algebra.coalesce import merged
from laycalc.algebra.fit import fit
from laycalc.algebra.layout import Layout
from laycalc.algebra.semimodule import Coordinate, Xor
from laycalc.algebra.shape import size
from laycalc.algebra.swizzle import Composed
from laycalc.algebra.tensor import Tensor
from laycalc.diagnostics.model import Failure

from . import pytext
from .affine import Cursor, Tree, axes, box, digits, evaluate, from_ast, sizes_of
from .reading import Reading, bad, cannot

__all__ = ["read", "recognise", "write"]

_HEAD = re.compile(r"\s*(?:\w+\s*=\s*)?(?:\w+\.)*(?:Layout|Fragment)\s*\(")
_ARROW = re.compile(r"\s*(?:Layout|Fragment)\s*\(\s*\([\d,\s]*\)\s*->")
_BANK = re.compile(
    r"\s*(?:\w+\s*=\s*)?(?:\w+\.)*make_(?P<kind>full|half|quarter)_bank_swizzled_layout\(.*?\(\s*\(?(?P<dims>[\d,\s]*)\)?\s*,\s*"
    r"['\"]?(?:T\.)?(?P<type>\w+)",
    re.DOTALL,
)
_WIDTH = {"full": 128, "half": 64, "quarter": 32}


def recognise(text: str) -> bool:
    """Does the text make or print a Layout or a Fragment?"""
    if _ARROW.match(text) or _BANK.match(text):
        return True
    return _HEAD.match(text) is not None and "lambda" in text


def read(text: str, shape: Any = None) -> Reading:
    """A constructor or a print."""
    try:
        if found := _BANK.match(text):
            return _bank(text, found)
        if _ARROW.match(text):
            return _printed(text)
        return _made(text)
    except Failure as failure:
        if failure.diagnostic.source:
            raise
        raise cannot(failure.diagnostic.message, source=text, notes=failure.diagnostic.notes) from None


def _bank(text: str, found: re.Match[str]) -> Reading:
    from .printed import element_bits
    from .triton_shared import nvmma_shared

    dims = [int(n) for n in found["dims"].split(",") if n.strip() and len(n) < 12]
    bits = element_bits(found["type"])
    if len(dims) != 2 or bits not in (8, 16, 32) or any(n < 1 or n & (n - 1) for n in dims):
        raise bad(text, *found.span("dims"), "a buffer of two power-of-two extents and a type of 8, 16 or 32 bits is expected")
    value = nvmma_shared(_WIDTH[found["kind"]], False, bits, dims)
    return _reading(text, value, dims)


def _reading(text: str, value: Any, sizes: Sequence[int], notes: tuple[str, ...] = (), **facts: Any) -> Reading:
    lost = "the output shape (only the linear offset is kept)"
    return Reading("tilelang", str(value), notes, facts={"shape": list(sizes), "lost": lost, **facts}, value=value, source=text)


# ---- printed ----


def _printed(text: str) -> Reading:
    """``Layout((8, 4) -> (8, 4), transform: (_i, _j) -> (..))`` and ``Fragment((16, 16) -> (8,), replicate: 1, ..)``."""
    cursor = Cursor(text)
    kind = cursor.name()
    cursor.expect("(")
    sizes = sizes_of(_integers(cursor), text)
    cursor.expect("->")
    output = _integers(cursor)
    if kind == "Layout":
        cursor.expect(",")
        _key(cursor, "transform")
        names = _names(cursor)
        cursor.expect("->")
        trees = _expressions(cursor)
        cursor.accept(")")
        if len(names) != len(sizes) or len(trees) != len(output):
            raise bad(text, 0, len(text), "the transform has another rank than the shapes")
        return _layout(text, sizes, dict(zip(names, box(sizes), strict=True)), trees, output)
    replicate, threads = 1, 0
    thread: Tree | None = None
    index: list[Tree] = []
    while cursor.accept(","):
        key = cursor.name()
        cursor.expect(":")
        if key == "replicate":
            replicate = cursor.integer()
        elif key == "thread":
            threads = cursor.integer()
        elif key == "forward_thread":
            thread = cursor.expression()
        elif key == "forward_index":
            index = _expressions(cursor)
        else:
            cursor.expression()
    cursor.accept(")")
    if thread is None or not index:
        raise bad(text, 0, len(text), "a fragment has forward_thread and forward_index")
    names = [f"_{n}" for n in axes(len(sizes))]
    return _fragment(text, sizes, names, thread, index, replicate, threads, list(output))


def _key(cursor: Cursor, word: str) -> None:
    if cursor.name() != word:
        raise bad(cursor.text, cursor.end - 1, cursor.end, f"{word}: is expected")
    cursor.expect(":")


def _integers(cursor: Cursor) -> list[int]:
    cursor.expect("(")
    found = []
    while not cursor.at(")"):
        found.append(cursor.integer())
        if not cursor.accept(","):
            break
    cursor.expect(")")
    return found


def _names(cursor: Cursor) -> list[str]:
    cursor.expect("(")
    found = []
    while not cursor.at(")"):
        found.append(cursor.name())
        if not cursor.accept(","):
            break
    cursor.expect(")")
    return found


def _expressions(cursor: Cursor) -> list[Tree]:
    cursor.expect("(")
    found = []
    while not cursor.at(")"):
        found.append(cursor.expression())
        if not cursor.accept(","):
            break
    cursor.expect(")")
    return found


# ---- written ----


def _made(text: str) -> Reading:
    """``Layout([4, 4], lambda i, j: (j, i))``, ``Fragment([..], forward_fn=..)`` with ``.repeat`` and ``.replicate``."""
    head = re.match(r"\s*\w+\s*=(?!=)\s*", text)
    body = text if head is None else " " * head.end() + text[head.end() :]
    node = pytext.parse(body)
    steps: list[ast.Call] = []
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("repeat", "replicate"):
        steps.insert(0, node)
        node = node.func.value
    kind = pytext.call_name(node).rpartition(".")[2]
    if not isinstance(node, ast.Call) or not node.args or kind not in ("Layout", "Fragment"):
        raise pytext.at(body, node, "Layout([..], lambda ..) or Fragment([..], ..) is expected")
    sizes = sizes_of(pytext.integers(body, node.args[0]), text)
    lambdas = {k.arg: k.value for k in node.keywords if isinstance(k.value, ast.Lambda)}
    if kind == "Layout":
        chosen = node.args[1] if len(node.args) > 1 else lambdas.get("forward_fn")
        names, results = _lambda(body, chosen, len(sizes))
        return _layout(text, sizes, dict(zip(names, box(sizes), strict=True)), results, None)
    replicate = next((pytext.literal(body, k.value) for k in node.keywords if k.arg == "replicate"), 1)
    if type(replicate) is not int or not 1 <= replicate <= 1 << 16:
        raise bad(text, 0, len(text), "replicate is a positive integer")
    fragment = _Made(body, sizes, lambdas, replicate, node)
    for step in steps:
        fragment.step(step)
    return _fragment(
        text, tuple(fragment.sizes), fragment.names, fragment.thread, [fragment.index], fragment.replicate, fragment.threads, None
    )


def _lambda(text: str, node: Any, rank: int) -> tuple[list[str], list[Tree]]:
    if not isinstance(node, ast.Lambda):
        raise bad(text, 0, len(text), "a lambda is expected")
    names = [a.arg for a in node.args.args]
    if len(names) not in (rank, rank + 1):
        raise pytext.at(text, node, f"the lambda takes {len(names)} coordinates, the shape has {rank}")
    results = list(node.body.elts) if isinstance(node.body, (ast.Tuple, ast.List)) else [node.body]
    return names, [from_ast(text, r) for r in results]


class _Made:
    """A fragment under construction: trees for thread and register, and how often it was repeated."""

    def __init__(self, text: str, sizes: tuple[int, ...], lambdas: dict[Any, ast.Lambda], replicate: int, node: ast.Call) -> None:
        self.text, self.sizes, self.replicate = text, list(sizes), replicate
        self.names = [f"_{n}" for n in axes(len(sizes))]
        rank = len(sizes)
        if "forward_fn" in lambdas:
            names, results = _lambda(text, lambdas["forward_fn"], rank)
            if len(results) != 2:
                raise pytext.at(text, node, "forward_fn gives (thread, register)")
            thread, index = results
        else:
            if "forward_thread_fn" not in lambdas:
                raise pytext.at(text, node, "a fragment has forward_fn, or forward_thread_fn")
            names, results = _lambda(text, lambdas["forward_thread_fn"], rank)
            thread = results[0]
            index = ("n", 0)
            if "forward_index_fn" in lambdas:
                other, found = _lambda(text, lambdas["forward_index_fn"], rank)
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
        if not isinstance(repeats, (list, tuple)) or len(repeats) != len(self.sizes) or any(type(r) is not int or r < 1 for r in repeats):
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


# ---- meaning ----


def _layout(text: str, sizes: tuple[int, ...], env: dict[str, list[int]], trees: list[Tree], output: Sequence[int] | None) -> Reading:
    count = prod(sizes)
    columns = [evaluate(t, env, count) for t in trees]
    if any(min(c) < 0 for c in columns):
        raise cannot("the transform has negative results")
    extents = list(output) if output is not None else [max(c) + 1 for c in columns]
    values = [0] * count
    for column, n in zip(columns, extents, strict=True):
        values = [a * n + c for a, c in zip(values, column, strict=True)]
    found = fit(values, sizes)
    if found.value is None:
        raise cannot(found.reason, source=text, facts={"reason": found.reason})
    return _reading(text, found.value, sizes, direction="coordinate -> offset")


def _fragment(
    text: str,
    sizes: tuple[int, ...],
    names: list[str],
    thread: Tree,
    index: list[Tree],
    replicate: int,
    threads: int,
    output: list[int] | None,
) -> Reading:
    """Invert coordinate -> (thread, register); a replica is the same cell in another thread."""
    if not 1 <= replicate <= 1 << 16:
        raise bad(text, 0, len(text), "replicate is a positive integer")
    count = prod(sizes_of((*sizes, replicate), text))
    columns = box((*sizes, replicate))
    env = dict(zip([*names, "_rep"], columns, strict=True))
    owner = evaluate(thread, env, count)
    register = [0] * count
    for tree, n in zip(index, output or [1] * len(index), strict=False):
        register = [a * n + c for a, c in zip(register, evaluate(tree, env, count), strict=True)]
    if min(owner) < 0 or min(register) < 0:
        raise cannot("a thread or register is negative")
    extents = (max(threads, max(owner) + 1), max(register) + 1)
    if prod(extents) > count:
        raise cannot(f"{prod(extents)} registers for {count} elements: not every (thread, register) holds one")
    table: list[Any] = [None] * prod(extents)
    for i, (t, v) in enumerate(zip(owner, register, strict=True)):
        cell = tuple(c[i] for c in columns[:-1])
        at = t + extents[0] * v
        if table[at] is not None and table[at] != cell:
            raise cannot(f"thread {t} holds {table[at]} and {cell} in register {v}")
        table[at] = cell
    if None in table:
        raise cannot("not every (thread, register) holds an element")
    found = fit([Coordinate.of(((k,), c) for k, c in enumerate(cell)) for cell in table], extents)
    if found.value is None:
        raise cannot(
            "rotation: the inverse (thread, register) -> element has neither strides nor XOR strides",
            source=text,
            notes=(found.reason,),
        )
    return _reading(text, found.value, sizes, direction="(thread, value) -> coordinate", threads=extents[0])


# ---- emission ----


def write(value: Any, shape: Any = None) -> str:
    """``Layout([..], lambda ..)``, or for a thread-value layout ``Fragment([..], ..)``."""
    if isinstance(value, Tensor):
        raise cannot("a TileLang layout has no offset")
    inner = value.layout if isinstance(value, Composed) else value
    if not isinstance(inner, Layout):
        raise cannot(f"TileLang has no form for {value}")
    if any(type(n) is not int for n in inner.flat()[0]):
        raise cannot("TileLang shapes are numbers: an extent is not known")
    if inner.semimodule == "Z^P":
        return _write_fragment(inner, shape)
    sizes = [size(m.shape) for m in inner.modes()]
    names = axes(len(sizes))
    terms: list[tuple[str, Any]] = []
    for name, mode in zip(names, inner.modes(), strict=True):
        terms += digits(name, merged(*mode.flat()), "{x} // {n}", "{x} % {n}")
    if inner.semimodule == "F2":
        return f"Layout({sizes}, lambda {', '.join(names)}: {_xor(inner, names)})"
    if any(type(d) is not int or d < 0 for _, d in terms):
        raise cannot("a TileLang transform has numbers, and none negative")
    text = " + ".join(_times(x, d) for x, d in terms if d) or "0"
    if isinstance(value, Composed):
        s, base = value.swizzle, f"({text}{f' + {value.offset}' if value.offset else ''})"
        low, high = s.base - min(0, s.shift), s.base + max(0, s.shift)
        text = f"{base} ^ ({base} // {1 << high} % {1 << s.bits} * {1 << low})"
    return f"Layout({sizes}, lambda {', '.join(names)}: {text})"


def _times(text: str, factor: Any) -> str:
    if factor == 1:
        return text
    return f"{text} * {factor}" if re.fullmatch(r"\w+", text) else f"({text}) * {factor}"


def _xor(layout: Layout, names: Sequence[str]) -> str:
    """XOR over the bits of the coordinates: bit b goes to the stride of its bit."""
    parts = []
    for name, mode in zip(names, layout.modes(), strict=True):
        weight = 1
        for n, d in zip(*mode.flat(), strict=True):
            if n & (n - 1):
                raise cannot(f"an XOR stride over extent {n}, no power of two, has no expression")
            for b in range(n.bit_length() - 1):
                k = (1 << b) * d
                if isinstance(k, Xor):
                    parts.append(f"({name} // {weight} % 2 * {k.value})")
                weight *= 2
    return " ^ ".join(parts) or "0"


def _write_fragment(layout: Layout, shape: Any) -> str:
    """Each leaf s:d*e_k of (T,V) is the digit ``c_k // d % s``; a thread leaf of stride 0 is a replica."""
    if layout.rank != 2:
        raise cannot("a fragment has threads and registers: a layout (T,V) is expected")
    own: dict[int, list[tuple[int, int, str, int]]] = {}
    replicas: list[tuple[int, int]] = []
    for which, mode in zip("TV", layout.modes(), strict=True):
        weight = 1
        for n, d in merged(*mode.flat()):
            if isinstance(d, Coordinate):
                if d.basis is None or len(d.basis[0]) != 1 or type(d.basis[1]) is not int or d.basis[1] < 0:
                    raise cannot(f"stride {d} moves no single axis forward: a fragment has no digits for it")
                (axis,), step = d.basis
                own.setdefault(axis, []).append((step, n, which, weight))
            elif which == "T":
                replicas.append((n, weight))
            else:
                raise cannot("a register mode of stride 0 holds an element twice: a fragment replicates threads only")
            weight *= n
    rank = max([*own, len(shape or ()) - 1, 0]) + 1
    names = axes(rank)
    parts: dict[str, list[str]] = {"T": [], "V": []}
    sizes = []
    for axis in range(rank):
        step = 1
        leaves = sorted(own.get(axis, []))
        for k, (d, n, which, weight) in enumerate(leaves):
            if d != step:
                raise cannot(f"axis {axis} of the tensor is not covered digit by digit: stride {d} after {step}")
            digit = names[axis] if d == 1 else f"{names[axis]} // {d}"
            digit = digit if k == len(leaves) - 1 else f"{digit} % {n}"
            parts[which].append(_times(digit, weight))
            step = d * n
        sizes.append(step)
    copies = 1
    for n, weight in replicas:
        digit = "rep" if copies == 1 else f"rep // {copies}"
        parts["T"].append(_times(f"{digit} % {n}" if len(replicas) > 1 else digit, weight))
        copies *= n
    arguments = ", ".join(names)
    thread, index = (" + ".join(parts[w]) or "0" for w in "TV")
    tail = f", replicate={copies}" if copies > 1 else ""
    rep = ", rep" if copies > 1 else ""
    return (
        f"Fragment({sizes}, forward_thread_fn=lambda {arguments}{rep}: {thread}, forward_index_fn=lambda {arguments}: {index}{tail})"
    )


