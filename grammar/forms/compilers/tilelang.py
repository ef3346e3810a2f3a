"""TileLang: Layout and Fragment as they are written and as they print.

A Layout maps coordinates to an offset, row-major over its output; a Fragment maps them to (thread, register), and we
give the inverse, (T,V) to coordinates.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from math import prod
from typing import Any

from laycalc.algebra.finding.fit import fit

from ..reading import pytext
from ..reading.affine import Tree, axes, box, evaluate, sizes_of
from ..reading.affine_text import Cursor
from ..reading.cells import fit_cells
from ..reading.form import Form
from ..reading.reading import Reading, bad, cannot
from .tilelang_made import Made, function
from .tilelang_write import write

__all__ = ["FORM"]

_HEAD = re.compile(r"\s*+(?:\w+\s*+=\s*+)?(?:\w+\.)*(?:Layout|Fragment)\s*+\(")
_ARROW = re.compile(r"\s*+(?:Layout|Fragment)\s*+\(\s*+\([\d,\s]*\)\s*+->")
_BANK = re.compile(
    r"\s*+(?:\w+\s*+=\s*+)?(?:\w+\.)*make_(?P<kind>full|half|quarter)_bank_swizzled_layout\([^()]*+\(\s*+\(?(?P<dims>[\d,\s]*)\)?\s*+,\s*+"
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
    if found := _BANK.match(text):
        return _bank(text, found)
    if _ARROW.match(text):
        return _printed(text)
    return _made(text)


def _bank(text: str, found: re.Match[str]) -> Reading:
    from ..cute.builders import element_bits
    from ..triton.shared import nvmma_shared

    dims = [int(n) for n in re.findall(r"\d{1,12}", found["dims"])]
    bits = element_bits(found["type"])
    if len(dims) != 2 or bits not in (8, 16, 32) or any(n < 1 or n & (n - 1) for n in dims):
        raise bad(
            text, *found.span("dims"), "a buffer of two power-of-two extents and a type of 8, 16 or 32 bits is expected"
        )
    value = nvmma_shared(_WIDTH[found["kind"]], False, bits, dims)
    return _reading(text, value, dims)


def _reading(text: str, value: Any, sizes: Sequence[int], notes: tuple[str, ...] = (), **facts: Any) -> Reading:
    lost = "the output shape (only the linear offset is kept)"
    return Reading(
        "tilelang", str(value), notes, facts={"shape": list(sizes), "lost": lost, **facts}, value=value, source=text
    )


# ---- printed ----


def _printed(text: str) -> Reading:
    """``Layout((8, 4) -> (8, 4), transform: (_i, _j) -> (..))``, ``Fragment((16, 16) -> (8,), replicate: 1, ..)``."""
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
    """``Layout([4, 4], lambda i, j: (j, i))``, ``Fragment([..], forward_fn=..).repeat(..).replicate(..)``."""
    head = re.match(r"\s*+\w+\s*+=(?!=)\s*+", text)
    body = text if head is None else " " * head.end() + text[head.end() :]
    node = pytext.parse(body)
    steps: list[ast.Call] = []
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("repeat", "replicate")
    ):
        steps.insert(0, node)
        node = node.func.value
    kind = pytext.call_name(node).rpartition(".")[2]
    if not isinstance(node, ast.Call) or not node.args or kind not in ("Layout", "Fragment"):
        raise pytext.at(body, node, "Layout([..], lambda ..) or Fragment([..], ..) is expected")
    sizes = sizes_of(pytext.integers(body, node.args[0]), text)
    lambdas = {k.arg: k.value for k in node.keywords if isinstance(k.value, ast.Lambda)}
    if kind == "Layout":
        chosen = node.args[1] if len(node.args) > 1 else lambdas.get("forward_fn")
        names, results = function(body, chosen, len(sizes))
        return _layout(text, sizes, dict(zip(names, box(sizes), strict=True)), results, None)
    replicate = next((pytext.literal(body, k.value) for k in node.keywords if k.arg == "replicate"), 1)
    if type(replicate) is not int or not 1 <= replicate <= 1 << 16:
        raise bad(text, 0, len(text), "replicate is a positive integer")
    fragment = Made(body, sizes, lambdas, replicate, node)
    for step in steps:
        fragment.step(step)
    return _fragment(
        text,
        tuple(fragment.sizes),
        fragment.names,
        fragment.thread,
        [fragment.index],
        fragment.replicate,
        fragment.threads,
        None,
    )


# ---- meaning ----


def _layout(
    text: str, sizes: tuple[int, ...], env: dict[str, list[int]], trees: list[Tree], output: Sequence[int] | None
) -> Reading:
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
    places = [t + extents[0] * v for t, v in zip(owner, register, strict=True)]
    held = {place: i for i, place in enumerate(places)}
    if len(held) < prod(extents):
        raise cannot("not every (thread, register) holds an element")
    order = [held[place] for place in range(prod(extents))]
    cells = [[column[i] for i in order] for column in columns[:-1]]
    for column, cell in zip(columns[:-1], cells, strict=True):
        # Replicas lie in other threads: two cells in one register are a conflict.
        if any(column[i] != cell[place] for i, place in enumerate(places)):
            i = next(i for i, place in enumerate(places) if column[i] != cell[place])
            raise cannot(f"thread {owner[i]} holds two elements in register {register[i]}")
    found = fit_cells(cells, extents)
    if found.value is None:
        raise cannot(
            "rotation: the inverse (thread, register) -> element has neither strides nor XOR strides",
            source=text,
            notes=(found.reason,),
        )
    return _reading(text, found.value, sizes, direction="(thread, value) -> coordinate", threads=extents[0])


FORM = Form(
    name="tilelang",
    title="TileLang Layout and Fragment",
    example="Layout([4, 8], lambda i, j: i * 8 + j)",
    aliases=("tile-lang",),
    lost="the output shape and the expressions",
    marks=("lambda", "transform:", "Fragment(", "bank_swizzled"),
    recognise=recognise,
    order=50,
    read=read,
    write=write,
)
