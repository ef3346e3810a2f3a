"""Reading the golden facts, asking the language, and the laws that decide where two engines disagree."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from property.strategies import by_axis

from laycalc.algebra.operations.complement import complement
from laycalc.algebra.values.htuple import flatten, leaf_paths
from laycalc.algebra.values.layout import Layout, codomain_profile, concat
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.shape import coordinates
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler, as_operand
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import evaluate

HERE = Path(__file__).parent


def load(name: str) -> list[dict[str, Any]]:
    """The facts of a file, one a line."""
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def measured(name: str) -> list[dict[str, Any]]:
    """The facts of a zipped file about hardware."""
    text = gzip.decompress((HERE / "atoms" / name).read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines()]


def exceptions(file: str) -> dict[str, dict[str, Any]]:
    """The facts of a file that are believed wrong, or of another kind, by expression or id."""
    return {entry["fact"]: entry for entry in load("exceptions.jsonl") if entry["file"] == file}


def ask(expression: str, **names: Any) -> tuple[Any, Diagnostic | None]:
    """The value of an expression with some names bound, or the diagnostic."""
    try:
        return evaluate(expression, Scope(names=dict(names))), None
    except Failure as failure:
        return None, failure.diagnostic


def same_function(a: Any, b: Any) -> bool:
    """Equal values over equal sizes; equality for what is no layout."""
    kinds = (Layout, Composed, Tensor)
    if isinstance(a, kinds) and isinstance(b, kinds):
        return bool(a.size == b.size and a.elements() == b.elements())
    return text_of(a) == text_of(b)


def number(value: Any) -> Any:
    """What a value counts as in a table of numbers."""
    return value.value if isinstance(value, Xor) else value


# -- laws: is this answer right, whoever gives it? ---------------------------------------------------------------


def modewise(operation: str, result: Layout, left: Layout, operand: Any) -> list[tuple[Layout, Any, Layout, Layout]]:
    """A divide or product taken apart: (mode of A, mode of B, inner part, outer part) for every mode of the tiler."""
    regrouping = operation.partition("_")[0]
    modes = result.modes()
    if not isinstance(operand, Tiler):
        inside = operand.rank if operation.endswith("divide") else left.rank
        if regrouping in ("logical", "zipped"):
            return [(left, operand, modes[0], modes[1])]
        if regrouping == "tiled":
            return [(left, operand, modes[0], concat(*modes[1:]))]
        return [(left, operand, concat(*modes[:inside]), concat(*modes[inside:]))]
    found = []
    count = len(operand)
    for i, (mode, tile) in enumerate(zip(left.modes(), operand.modes, strict=False)):
        if tile is None:
            continue
        inner, outer = {
            "logical": lambda i=i: (modes[i][0], modes[i][1]),
            "zipped": lambda i=i: (modes[0][i], modes[1][i]),
            "tiled": lambda i=i: (modes[0][i], modes[1 + i]),
            "flat": lambda i=i: (modes[i], modes[count + i]),
        }[regrouping]()
        found.append((mode, as_operand(tile), inner, outer))
    return found


def divide_law(left: Layout, tile: Layout, inner: Layout, outer: Layout) -> bool:
    """R(c) = A(C(c)) wherever C(c) < |A|, with C = (B, B*) over as many elements as R has."""
    result = concat(inner, outer)
    cover = concat(tile, complement(tile, left.shape if tile.semimodule == "Z^P" else result.size))
    if cover.size != result.size:
        return False
    places = zip(cover.elements(), result.elements(), strict=True)
    if tile.semimodule == "Z^P":
        return all(left.element(at) == value for at, value in places)
    return all(at >= left.size or left.element(at) == value for at, value in places)


def product_law(left: Layout, pattern: Layout, inner: Layout, outer: Layout) -> bool:
    """R = (A, A* o B)."""
    free = complement(left)
    return inner.elements() == left.elements() and outer.elements() == [free.element(v) for v in pattern.elements()]


def composition_law(left: Layout, right: Any, result: Layout) -> bool:
    """R(c) = A(B(c)); mode by mode for a tiler."""
    if isinstance(right, Swizzle):
        return list(map(number, result.elements())) == [left.element(right(i)) for i in range(left.size)]
    operand = as_operand(right)
    if isinstance(operand, Tiler):
        pairs = zip(left.modes(), operand.modes, result.modes(), strict=False)
        return all(r == a if t is None else composition_law(a, t, r) for a, t, r in pairs)
    assert isinstance(operand, Layout)
    return result.elements() == [left.element(v) for v in operand.elements()]


def inverse_law(operation: str, layout: Layout, result: Layout) -> bool:
    """L(R(k)) = k, or L(R(L(k))) = L(k); coordinates count axis by axis."""
    if operation == "left_inverse":
        return all(layout.element(result.element(v)) == v for v in layout.elements())
    if isinstance(layout, Layout) and layout.semimodule == "Z^P":
        return all(flatten(layout(result(k))) == _axes(layout, k, result) for k in coordinates(result.shape))
    values = [number(v) for v in layout.elements()]
    return [values[number(i)] for i in result.elements()] == list(range(result.size))


def _axes(layout: Layout, k: Any, result: Layout) -> tuple[Any, ...]:
    return flatten(by_axis(k, result.shape, codomain_profile(layout)))


def complement_law(layout: Layout, result: Layout) -> bool:
    """No value of L* but 0 is one of L, and the values ascend."""
    values = result.values()
    taken = set(layout.values())
    key = [flatten(v)[::-1] for v in values]
    return key == sorted(key) and not taken & set(values[1:])


def common_law(a: Layout, b: Layout, count: int) -> bool:
    """Indices exist at which both layouts count 0, 1, ... count-1."""
    va, vb = a.values(), b.values()
    both: dict[int, list[int]] = {}
    for i, (x, y) in enumerate(zip(va, vb, strict=False)):
        if x == y:
            both.setdefault(x, []).append(i)
    return all(k in both for k in range(count))


def downcast_law(layout: Layout, factor: int, result: Any) -> bool:
    """Each wide element is filled by its narrow ones, once."""
    wanted = sorted(factor * v + j for v in layout.elements() for j in range(factor))
    return sorted(result.elements()) == wanted


def right_answer(operation: str, arguments: list[Any], result: Any) -> bool:
    """Does the law of the operation hold for this result?"""
    first = arguments[0]
    second = arguments[1] if len(arguments) > 1 else None
    if operation == "composition":
        return composition_law(first, second, result)
    if operation in ("right_inverse", "left_inverse"):
        return inverse_law(operation, first, result)
    if operation == "complement":
        return complement_law(first, result)
    if operation.endswith("_divide"):
        return all(divide_law(*part) for part in modewise(operation, result, first, still(second)))
    if operation.endswith("_product"):
        return all(product_law(*part) for part in modewise(operation, result, first, still(second)))
    if operation == "max_common_vector":
        return common_law(first, second, result)
    if operation == "max_common_layout":
        return all(number(first.element(i)) == number(second.element(i)) == k for k, i in enumerate(result.values()))
    if operation == "downcast":
        return downcast_law(first, second, result)
    raise AssertionError(f"no law for {operation}")


def still(operand: Any) -> Any:
    """The operand of a divide or product: the integer 1 stands for 1:0."""
    return Layout(1, 0) if type(operand) is int and operand == 1 else as_operand(operand)


def offset_of(value: Any) -> Any:
    """A coordinate tuple, as C++ prints an offset, as a semimodule element."""
    if not isinstance(value, tuple):
        return value
    return Coordinate.of(zip(leaf_paths(value), flatten(value), strict=True))
